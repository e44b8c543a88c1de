"""The words of the card language, and the numbers that the native core knows them by.

The lists stand in the order of the enums in `native/cards.hpp`; `test_words` compares them.
"""

from __future__ import annotations

TYPES = ("none", "minion", "spell", "weapon", "hero", "power", "enchantment")
CLASSES = (
    "neutral",
    "druid",
    "hunter",
    "mage",
    "paladin",
    "priest",
    "rogue",
    "shaman",
    "warlock",
    "warrior",
)
RARITIES = ("none", "free", "common", "rare", "epic", "legendary")
RACES = ("beast", "demon", "dragon", "mech", "murloc", "pirate", "totem", "undead")
RACE_BITS = {race: 1 << index for index, race in enumerate(RACES)}
PLURALS = {race + "s": race for race in RACES} | {"mechs": "mech"}

KEYWORDS = {
    "taunt": 1 << 0,
    "shield": 1 << 1,
    "charge": 1 << 2,
    "windfury": 1 << 3,
    "stealth": 1 << 4,
    "poisonous": 1 << 5,
    "lifesteal": 1 << 6,
    "pacifist": 1 << 7,
    "elusive": 1 << 8,
    "immune": 1 << 9,
    "chilling": 1 << 10,
    "healing-hurts": 1 << 16,
    "doubling": 1 << 17,
    "battlecries-twice": 1 << 18,
    "attack-is-health": 1 << 19,
    "immune-attacking": 1 << 20,
    "uses-attack": 1 << 21,
    "secret": 1 << 22,
    "mega-windfury": 1 << 23,
}
SPELL_KEYWORDS = ("secret",)
GRANTABLE = 0xFFFF

EVENTS = (
    "turn_start",
    "turn_end",
    "play",
    "summon",
    "after_summon",
    "after_play",
    "damaged",
    "healed",
    "dies",
    "attack",
    "after_attack",
    "revealed",
    "fatal",
    "overloaded",
    "discarded",
    "drawn",
    "power_used",
    "targeted",
    "armoured",
)
BASES = ("area", "target", "self", "subject", "object", "held", "beside", "opposite")
FILTERS = {
    "damaged": 1 << 0,
    "undamaged": 1 << 1,
    "other": 1 << 2,
    "not target": 1 << 3,
    "frozen": 1 << 4,
    "taunt": 1 << 5,
    "living": 1 << 6,
    "not subject": 1 << 7,
    "not object": 1 << 8,
    "shielded": 1 << 9,
    "beside target": 1 << 10,
    "beside self": 1 << 11,
    "not held": 1 << 12,
    "same": 1 << 13,
    "spell-power": 1 << 14,
    "legendary": 1 << 15,
}
AMOUNTS = (
    "number",
    "attack_of",
    "health_of",
    "count",
    "hand",
    "played",
    "missing",
    "armour",
    "weapon_attack",
    "event",
    "random",
    "hero_attack",
    "last_cost",
    "secrets",
    "deck",
    "missiles",
    "hero_health",
    "is_dead",
    "crystals",
    "room",
    "armed",
    "unique_deck",
    "holding",
    "durability",
    "spell_damage",
    "max_health_of",
    "my_turn",
    "golems",
    "result",
    "totems",
    "is_race",
    "is_own",
    "is_frozen",
    "at_least",
    "same_card",
    "is_damaged",
    "is_present",
    "lacking",
    "mana",
)
OPS = (
    "end",
    "damage",
    "heal",
    "buff",
    "set_attack",
    "set_health",
    "destroy",
    "freeze",
    "silence",
    "bounce",
    "draw",
    "discard",
    "summon",
    "summon_pool",
    "equip",
    "armour",
    "mana",
    "steal",
    "transform",
    "transform_pool",
    "give",
    "give_pool",
    "weapon",
    "break_weapon",
    "when",
    "jump",
    "loop",
    "loop_end",
    "hold",
    "copy_hand",
    "copy_deck",
    "summon_from_deck",
    "draw_race",
    "hero_health",
    "become_hero",
    "set_power",
    "destroy_secrets",
    "remove_keywords",
    "counter",
    "retarget",
    "prevent",
    "track",
    "discover",
    "swap_stats",
    "become_copy",
    "summon_copy",
    "resummon",
    "mark",
    "overload",
    "shuffle_in",
    "golem",
    "swap_with_hand",
    "summon_from_hand",
    "joust",
    "buff_hand",
    "give_event_card",
    "steal_weapon_stats",
    "take_attack_from",
    "buff_weapon_or_equip",
    "draw_until",
    "strike",
    "discover_power",
    "cast_random",
    "put_secret",
    "bounce_copy",
    "discover_potion",
    "mana_all",
)
OP = {name: index for index, name in enumerate(OPS)}
AMOUNT = {name: index for index, name in enumerate(AMOUNTS)}
EVENT = {name: index for index, name in enumerate(EVENTS)}
REFERENCES = {
    "self": 0,
    "target": 1,
    "subject": 2,
    "object": 3,
    "own hero": 4,
    "enemy hero": 5,
    "held": 6,
}
UNTIL = {"forever": 0, "this turn": 1, "until own turn": 2}
COMPARISONS = {"<=": 1, ">=": 2, "==": 3, "!=": 4}
SIDES = {"own": 1, "enemy": 2, "any": 3}
CARD_TYPES = {"minion": 1, "spell": 2, "weapon": 4, "secret": 8, "overload": 16, "card": 0}
CONNECTIVES = """
a again aimed all and any armour as at back beside both by card cards changed class collectible
copy cost crystal deck each else empty end ends enemy enough equip event except first for free
from full fully golem hand if in into is least left mana minions missing moved next no not of on
one or overload own own-turn plain played pool random room secrets self small spells starts
survive target then this to token turn until weapon weapons while with wounds
"""
MARKS = (
    "next spell cheaper",
    "next secret free",
    "enemy spells free",
    "minions survive",
    "back next turn",
)
RULES = (
    "battlecry",
    "cast",
    "use",
    "deathrattle",
    "choose",
    "enrage",
    "aura",
    "when",
    "after",
    "cheaper",
    "needs",
    "power",
    "discarded",
    "joins",
)
RESERVED = frozenset(
    [
        *(TYPES + CLASSES + RARITIES + RACES + BASES + RULES),
        *(PLURALS | KEYWORDS | SIDES | CARD_TYPES),
        *" ".join([*FILTERS, *REFERENCES, *UNTIL, *MARKS, CONNECTIVES]).split(),
    ]
)
"""words of the language, which cannot be keys of cards"""
