"""Texts of cards in words for people, made from the rules of the card language.

`battlecry on any character: damage 1 target` becomes "Battlecry: Deal 1 damage to a character."
What no phrase here fits is shown as it is written in the card file, which is readable too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from ludex.worlds.hearthstone.language import words
from ludex.worlds.hearthstone.language.tables import Card, Tables

KEYWORDS = {
    "taunt": "Taunt",
    "shield": "Divine Shield",
    "charge": "Charge",
    "windfury": "Windfury",
    "mega-windfury": "Mega-Windfury",
    "stealth": "Stealth",
    "poisonous": "Poisonous",
    "lifesteal": "Lifesteal",
    "pacifist": "Can't attack",
    "elusive": "Can't be targeted by spells or hero powers",
    "immune": "Immune",
    "chilling": "Freezes what it damages",
    "healing-hurts": "Your healing deals damage instead",
    "doubling": "Your spells and hero power deal and heal twice as much",
    "battlecries-twice": "Your battlecries trigger twice",
    "attack-is-health": "Its attack is always its health",
    "immune-attacking": "Immune while attacking",
    "uses-attack": "Loses attack instead of durability",
}
LABELS = {"battlecry": "Battlecry: ", "deathrattle": "Deathrattle: ", "cast": "", "use": ""}
MARKS = {
    "next secret free": "your next secret this turn costs 0",
    "enemy spells free": "enemy spells cost 0 next turn",
    "minions survive": "your minions can't fall below 1 health this turn",
    "back next turn": "at the start of your next turn, it returns to your hand",
}
COMPARED = {"<=": "{} or less", ">=": "{} or more", "==": "exactly {}", "!=": "other than {}"}
MOMENTS = {
    "own turn starts": "at the start of your turn",
    "own turn ends": "at the end of your turn",
    "enemy turn starts": "at the start of the opponent's turn",
    "enemy turn ends": "at the end of the opponent's turn",
    "any turn starts": "at the start of each turn",
    "any turn ends": "at the end of each turn",
    "own overload": "whenever you overload",
    "own card discarded": "whenever you discard a card",
    "own hero doomed": "when your hero takes fatal damage",
    "any secret revealed": "whenever a secret is revealed",
}
HAPPENINGS = (
    (r"(.+) played", "{0} is played"),
    (r"(.+) summoned", "{0} is summoned"),
    (r"(.+) damaged by (.+)", "{1} damages {0}"),
    (r"(.+) damaged", "{0} takes damage"),
    (r"(.+) healed", "{0} is healed"),
    (r"(.+) dies", "{0} dies"),
    (r"(.+) attacks (.+)", "{0} attacks {1}"),
    (r"(.+) attacks", "{0} attacks"),
)
HELD = "-"  # a statement that is only for the rules
LONGEST_POOL = 4  # cards of a pool that are listed by name


@lru_cache(maxsize=4096)
def card_text(card_key: str, tables: Tables) -> str:
    """What a card does, in sentences; "" for one without a text."""
    card = tables.card(tables.number(card_key))
    return " ".join(sentence(one) for one in Wording(tables, card).parts() if one)


def sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else text + "."


class Wording:
    """Writes the text of one card."""

    def __init__(self, tables: Tables, card: Card) -> None:
        self.tables = tables
        self.card = card
        self.aim = ""
        """what the target is called, until it is `it`"""

    def parts(self) -> Iterator[str]:
        bits = self.card.keywords
        named = [KEYWORDS[word] for word in KEYWORDS if bits & words.KEYWORDS[word]]
        if named:
            yield ", ".join(named)
        if self.card.spell_damage:
            yield f"Spell Damage +{self.card.spell_damage}"
        for rule in self.card.rules:
            yield self.rule(rule)
        if self.card.overload:
            yield f"Overload: {self.card.overload}"

    # Rules

    def rule(self, rule: str) -> str:
        label, _, rest = rule.partition(" ")
        label = label.rstrip(":")
        head, _, body = rule.partition(": ")
        self.aim = ""
        match label:
            case "battlecry" | "cast" | "use" | "deathrattle":
                return self.effect(LABELS[label], head, body)
            case "choose":
                return self.choice(rule)
            case "when" | "after":
                secret = self.card.keywords & words.KEYWORDS["secret"]
                when = self.event(head.partition(" ")[2], label)
                begin = f"Secret: {when}" if secret else when
                return f"{begin}, {self.statements(body)}"
            case "aura":
                return self.aura(rest)
            case "enrage":
                return f"Enrage: {body}"
            case "cheaper":
                return self.cheaper(rest.removeprefix("by "))
            case "discarded":
                return "If you discard this, summon it"
            case "joins":
                return f"After you play a {rest.removesuffix('s')}, summon this from your deck"
            case "needs" | "power":
                return ""
        return rule

    def effect(self, label: str, head: str, body: str) -> str:
        """The text of a card that is played, with its target where it has one."""
        found = re.search(r" on (.+?)(?: if (.+))?$", head)
        if found:
            self.aim = self.group(found[1])
        said = self.statements(body)
        if found and found[2] == "combo":
            return f"Combo: {said}"
        if found and found[2]:
            return f"{label}if {self.condition(found[2])}, {said}"
        label = "" if said.startswith("Combo: ") else label
        return f"{label}{said[:1].upper()}{said[1:]}"

    def choice(self, rule: str) -> str:
        found = re.match(r'choose \w+ "([^"]+)"(?: on (.+?))?(?: needs .+?)?: (.*)', rule)
        if not found:
            return rule
        first = len([one for one in self.card.rules if one.startswith("choose")]) > 1
        first = first and self.card.rules.index(rule) == min(
            at for at, one in enumerate(self.card.rules) if one.startswith("choose")
        )
        self.aim = self.group(found[2]) if found[2] else ""
        said = f"{found[1]} ({self.statements(found[3])})"
        return f"Choose one: {said}" if first else f"Or: {said}"

    def event(self, text: str, label: str) -> str:
        """What a trigger waits for: `own turn ends if own secrets`."""
        text, _, condition = text.partition(" if ")
        also = f" if {self.condition(condition)}" if condition else ""
        if text in MOMENTS:
            return MOMENTS[text] + also
        word = "after" if label == "after" else "whenever"
        return f"{word} {self.happening(text)}{also}"

    def happening(self, text: str) -> str:
        if found := re.fullmatch(r"(own|enemy|any) spell aimed at (.+)", text):
            return f"{player(found[1], 'cast')} a spell on {self.group(found[2])}"
        if found := re.fullmatch(r"(own|enemy|any) (spell|card|secret|weapon)(.*) played", text):
            verb = "cast" if found[2] == "spell" else "play"
            return f"{player(found[1], verb)} a {found[2]}{found[3]}"
        for pattern, told in HAPPENINGS:
            if found := re.fullmatch(pattern, text):
                return told.format(*(self.group(one) for one in found.groups()))
        return text

    def aura(self, text: str) -> str:
        text, _, condition = text.partition(" while ")
        also = f" while {self.condition(condition)}" if condition else ""
        if found := re.fullmatch(r"cost (own|enemy|any) (.+?) ([+-]\d+)(.*)", text):
            whose = {"own": "your", "enemy": "enemy", "any": "all"}[found[1]]
            change = int(found[3])
            how = f"{abs(change)} {'more' if change > 0 else 'less'}"
            floor = re.search(r"least (\d+)", found[4])
            rest = f", but not less than {floor[1]}" if floor else ""
            if "first" in found[2] or "first" in found[4]:
                kind = found[2].replace("first ", "")
                return f"the first {kind} you play each turn costs {how}{rest}{also}"
            return f"{whose} {found[2]}s cost {how}{rest}{also}"
        if found := re.fullmatch(r"weapon ([+-]\d+)", text):
            return f"your weapon has {found[1]} attack{also}"
        group, _, gift = text.partition(": ")
        gift, _, each = gift.partition(" each ")
        have = "has" if group == "self" else "have"
        counted = f" for each of {self.group(each)}" if each else ""
        named = " and ".join(self.keyword(one) for one in gift.split())
        return f"{self.group(group)} {have} {named}{counted}{also}"

    def cheaper(self, value: str) -> str:
        if found := re.fullmatch(r"enough (\d+) (.+?) \* (\d+)", value):
            return f"costs {found[3]} less if there are {found[1]} or more {self.plain(found[2])}"
        named = {
            "own wounds": "each point of damage your hero has taken",
            "weapon-attack": "each attack of your weapon",
            "own hand -1": "each other card in your hand",
            "count any minions": "each minion on the board",
            "totems-summoned": "each totem you summoned this game",
        }
        counted = value.removeprefix("count ")
        each = named.get(value) or f"each of {self.group(counted).replace('all ', '', 1)}"
        return f"costs 1 less for {each}"

    # Statements

    def statements(self, text: str) -> str:
        said = [self.statement(one) for one in split(text)]
        return ", then ".join(one for one in said if one and one != HELD)

    def statement(self, text: str) -> str:
        if text.startswith("if "):
            return self.branch(text)
        if found := re.fullmatch(r"repeat (.+?) \{ (.*) \}", text):
            times = found[1]
            if times.startswith("missiles "):
                return f"{times.split()[1]} times: {self.statements(found[2])}"
            return f"{self.value(times)} times: {self.statements(found[2])}"
        verb, _, rest = text.partition(" ")
        method = getattr(self, f"say_{verb}", None)
        return (method(rest) if method else None) or text

    def branch(self, text: str) -> str:
        """`if CONDITION { ... } else { ... }`."""
        condition, then, rest = braced(text.removeprefix("if "))
        aim, is_of_target = self.aim, "target" in condition
        told = self.condition(condition)
        self.aim = "" if is_of_target else aim
        said = self.statements(then)
        self.aim = "" if is_of_target else aim
        otherwise = self.statements(braced(rest)[1]) if rest.startswith("else") else ""
        if condition == "combo":
            return f"{otherwise}; Combo: {said} instead" if otherwise else f"Combo: {said}"
        return f"if {told}, {said}{f', otherwise {otherwise}' if otherwise else ''}"

    def valued(self, text: str) -> tuple[str, str]:
        """Split an amount and the group it is for."""
        simple = re.match(
            r"(\d+(?: to \d+)?|armour|hand|played|golems|spell-damage(?: \+\d+)?|weapon-attack"
            r"|hero-attack|own mana|event-amount|last-cost"
            r"|(?:attack|health|max-health) of \w+|count (?:other )?\w+ \w+(?: \* \d+)?) (.*)",
            text,
        )
        return (self.value(simple[1]), simple[2]) if simple else ("", text)

    def value(self, text: str) -> str:
        named = {
            "armour": "your armour in",
            "hero-attack": "your hero's attack in",
            "own mana": "all your mana in",
            "event-amount": "as much",
            "last-cost": "its cost in",
            "weapon-attack": "your weapon's attack in",
        }
        if text in named:
            return named[text]
        if found := re.fullmatch(r"(attack|health|max-health) of (\w+)", text):
            return f"{self.group(found[2])}'s {found[1]} in"
        if found := re.fullmatch(r"spell-damage(?: \+(\d+))?", text):
            return f"{found[1] or 0} (+ twice your spell damage)"
        if text.startswith("count "):
            return f"as many as {self.group(text.removeprefix('count '))}"
        return text.replace(" to ", "-")

    def say_damage(self, rest: str) -> str:
        value, group = self.valued(rest.removesuffix(" plain"))
        return f"deal {value} damage to {self.group(group)}" if value else ""

    def say_heal(self, rest: str) -> str:
        if rest.startswith("fully "):
            return f"restore {self.group(rest[6:])} to full health"
        if rest == "max-health of target target":
            return f"restore {self.group('target')} to full health"
        value, group = self.valued(rest)
        return f"restore {value} health to {self.group(group)}" if value else ""

    def say_buff(self, rest: str) -> str:
        rest, when = lasting(rest)
        found = re.fullmatch(r"([+-]\d+)/([+-]\d+) (.+)", rest)
        if not found:
            return self.counted_buff(rest)
        group, gifts = self.gifts(found[3])
        stats = f"{found[1]}/{found[2]}"
        if found[2] == "+0" or "hero" in group:
            stats = f"{found[1]} attack" if found[1] != "+0" else ""
        elif found[1] == "+0":
            stats = f"{found[2]} health"
        when = when or (" this turn" if "own hero" in group else "")
        return self.giving(group, [stats, *gifts]) + when

    def counted_buff(self, rest: str) -> str:
        """`buff attack VALUE health VALUE GROUP`."""
        found = re.fullmatch(r"attack (.+?) health (.+) (self|target|subject)", rest)
        if not found:
            return ""
        amounts = [self.amount(found[1]), self.amount(found[2])]
        if found[1] == found[2]:
            told = f"attack and health equal to {amounts[0]}"
        else:
            kinds = zip(("attack", "health"), amounts, strict=True)
            told = " and ".join(f"{kind} equal to {one}" for kind, one in kinds if one != "0")
        return self.giving(found[3], [told])

    def amount(self, text: str) -> str:
        """A number that is counted: `played * 2` is "twice the cards you played before"."""
        text, _, times = text.partition(" * ")
        named = {
            "weapon-attack": "your weapon's attack",
            "played": "the number of cards you played before it",
            "own hand": "the number of cards in your hand",
            "event-amount": "as much",
            "golems": "the number of your Jade Golems",
            "count held": "their number",
        }
        if found := re.fullmatch(r"(attack|health|max-health) of (\w+)", text):
            told = f"its {found[1]}"
        elif text.startswith("count ") and text not in named:
            told = f"the number of {self.plain(text.removeprefix('count '))}"
        else:
            told = named.get(text, text)
        return f"{times} times {told}" if times else told

    def say_give(self, rest: str) -> str:
        rest, when = lasting(rest)
        if " with " in rest:
            group, gifts = self.gifts(rest)
            return self.giving(group, gifts)
        word, _, group = rest.partition(" ")
        return self.giving(group, [self.keyword(word)]) + when

    def gifts(self, text: str) -> tuple[str, list[str]]:
        """Split a group from keywords that follow it, and from an enchantment with a text."""
        text, _, script = text.partition(" with ")
        tokens, gifts = text.split(), []
        if script and not tables_has(self.tables, script):
            tokens, script = [*tokens, "with", *script.split()], ""
        while len(tokens) > 1 and tokens[-1] in KEYWORDS:
            gifts.insert(0, self.keyword(tokens.pop()))
        if script and (text_of := card_text(script, self.tables)):
            gifts.append(f'"{text_of.removesuffix(".")}"')
        return " ".join(tokens), gifts

    def giving(self, group: str, gifts: list[str]) -> str:
        named = " and ".join(one for one in gifts if one)
        if group == "self":
            return f"gain {named}"
        return f"give {self.group(group)} {named}"

    def say_lose(self, rest: str) -> str:
        if rest == "crystal":
            return "lose a mana crystal"
        word, _, group = rest.partition(" ")
        return f"remove {self.keyword(word)} from {self.group(group)}"

    def say_set(self, rest: str) -> str:
        kind, _, more = rest.partition(" ")
        if kind == "power":
            first = self.named(more.partition(" then ")[0], article=False)
            return f"your hero power becomes {first}"
        if found := re.fullmatch(r"(attack|health) of target target", more):
            return f"set the {kind} of {self.group('target')} to its {found[1]}"
        value, group = self.valued(more)
        if not value or kind not in ("attack", "health", "hero-health"):
            return ""
        return f"set the {kind.removeprefix('hero-')} of {self.group(group)} to {value}"

    def say_destroy(self, rest: str) -> str:
        named = {
            "enemy weapon": "destroy the opponent's weapon",
            "own weapon": "destroy your weapon",
            "enemy secrets": "destroy all enemy secrets",
        }
        return named.get(rest) or f"destroy {self.group(rest)}"

    def say_freeze(self, rest: str) -> str:
        return f"freeze {self.group(rest)}"

    def say_silence(self, rest: str) -> str:
        return f"silence {self.group(rest)}"

    def say_return(self, rest: str) -> str:
        group, _, cost = rest.partition(" cost ")
        how = f"{cost.removeprefix('-')} {'less' if cost.startswith('-') else 'more'}"
        more = f"; it costs {how}" if cost else ""
        whose = "their owners' hands" if group.endswith("s") else "its owner's hand"
        return f"return {self.group(group)} to {whose}{more}"

    def say_steal(self, rest: str) -> str:
        ending = " this turn" if rest.endswith(" this turn") else ""
        return f"take control of {self.group(rest.removesuffix(ending))}{ending}"

    def say_transform(self, rest: str) -> str:
        group, _, into = rest.partition(" into ")
        return f"transform {self.group(group)} into {self.named(into)}"

    def say_swap(self, rest: str) -> str:
        if rest == "with hand":
            return "swap this with a random minion of your hand"
        return f"swap the attack and health of {self.group(rest)}"

    def say_become(self, rest: str) -> str:
        if rest.startswith("hero "):
            return f"become {self.named(rest[5:], article=False)}"
        return f"become a copy of {self.group(rest.removeprefix('copy of '))}"

    def say_summon(self, rest: str) -> str:
        rest, ending = self.for_whom(rest)
        if rest == "golem":
            return f"summon a Jade Golem{ending}"
        if rest == "again" or rest.startswith("again "):
            health = re.search(r"health (\d+)", rest)
            return "summon it again" + (f" with {health[1]} health" if health else "")
        if rest.startswith("copy of "):
            return f"summon a copy of {self.group(rest[8:])}{ending}"
        if found := re.fullmatch(r"from (own|enemy) (deck|hand)(.*)", rest):
            whose = "your" if found[1] == "own" else "the opponent's"
            small = " as a 1/1 copy" if "small" in found[3] else ""
            return f"summon a random minion from {whose} {found[2]}{small}"
        return f"summon {self.named(rest.removesuffix(' left'))}{ending}"

    def say_draw(self, rest: str) -> str:
        rest, enemy = self.for_whom(rest)
        if enemy and rest.isdecimal():
            return f"your opponent draws {counted(rest, 'card')}"
        rest, _, lacking = rest.partition(" or ")
        if rest == "enemy durability":
            return "draw a card for each durability of it"
        if found := re.fullmatch(r"(\d+) cost -(\d+)", rest):
            return f"draw {counted(found[1], 'card')}; it costs {found[2]} less"
        if rest.startswith("count "):
            return f"draw a card for each of {self.group(rest.removeprefix('count '))}"
        found = re.fullmatch(r"(\d+)(?: (\w+))?", rest)
        if not found:
            return "draw until both hands are equal" if rest == "until even" else ""
        if found[2] == "both":
            return f"each player draws {counted(found[1], 'card')}"
        kind = found[2].removesuffix("s") if found[2] else "card"
        instead = f" (a {self.named(lacking, article=False)} for each missing)" if lacking else ""
        return f"draw {counted(found[1], kind)}{instead}"

    def say_discard(self, rest: str) -> str:
        if rest == "own hand":
            return "discard your hand"
        return f"discard {counted(rest, 'random card')}" if rest.isdecimal() else ""

    def say_add(self, rest: str) -> str:
        rest, ending = self.for_whom(rest)
        where = "the opponent's hand" if ending else "your hand"
        if found := re.fullmatch(r"(?:(\d+) )?copy from enemy (hand|deck)", rest):
            count = f"{found[1]} cards" if found[1] else "a card"
            return f"copy {count} from the opponent's {found[2]} into {where}"
        if rest == "played card":
            return f"put a copy of it into {where}"
        return f"add {self.named(rest)} to {where}"

    def say_shuffle(self, rest: str) -> str:
        if rest.startswith("copy of "):
            return f"shuffle a copy of {self.group(rest[8:])} into your deck"
        return f"shuffle {self.named(rest)} into your deck"

    def say_track(self, rest: str) -> str:
        return "look at the top three cards of your deck, draw one and discard the others"

    def say_discover(self, rest: str) -> str:
        return "discover a hero power" if rest.startswith("power") else "discover a card"

    def say_equip(self, rest: str) -> str:
        rest, ending = self.for_whom(rest)
        return f"equip {self.named(rest)}{ending}"

    def say_weapon(self, rest: str) -> str:
        rest, enemy = self.for_whom(rest)
        if enemy:
            return f"give the opponent's weapon {rest}"
        gift, _, otherwise = rest.partition(" or equip ")
        if not otherwise:
            return f"give your weapon {gift}"
        return f"give your weapon {gift}, or equip {self.named(otherwise)} if you have none"

    def say_absorb(self, rest: str) -> str:
        return f"destroy {self.group(rest)} and gain their attack and health"

    def say_joust(self, rest: str) -> str:
        return "reveal a minion of each deck"

    def say_spend(self, rest: str) -> str:
        return "spend all your mana"

    def say_armour(self, rest: str) -> str:
        return f"gain {self.value(rest)} armour"

    def say_mana(self, rest: str) -> str:
        return f"gain {rest} mana this turn" if rest.isdecimal() else ""

    def say_crystals(self, rest: str) -> str:
        rest, ending = self.for_whom(rest)
        found = re.match(r"(\d+) (empty|full)", rest)
        who = "give your opponent" if ending else "gain"
        kind = "empty mana crystal" if found and found[2] == "empty" else "mana crystal"
        return f"{who} {counted(found[1], kind)}" if found else ""

    def say_hand(self, rest: str) -> str:
        gift, _, more = rest.partition(" ")
        which = "a random minion" if "random" in more else "the minions"
        return f"give {which} in your hand {gift}"

    def say_mark(self, rest: str) -> str:
        if found := re.fullmatch(r"next spell cheaper (\d+)", rest):
            return f"your next spell this turn costs {found[1]} less"
        return MARKS.get(rest, "")

    def say_overload(self, rest: str) -> str:
        return f"Overload: {rest}"

    def say_counter(self, rest: str) -> str:
        return "counter it"

    def say_prevent(self, rest: str) -> str:
        return "prevent it"

    def say_redirect(self, rest: str) -> str:
        return "make it the new target"

    def say_hold(self, rest: str) -> str:
        return f"choose {self.group(rest)}" if rest.startswith("random") else HELD

    def say_strike(self, rest: str) -> str:
        group, _, who = rest.partition(" by ")
        aim = self.group(who)
        return f"let {aim} deal its attack as damage to {self.group(group)}"

    def for_whom(self, rest: str) -> tuple[str, str]:
        for phrase, told in ((" for enemy", " for your opponent"), (" for both", " for both")):
            if rest.endswith(phrase):
                return rest.removesuffix(phrase), told
        return rest, ""

    # Names

    def keyword(self, word: str) -> str:
        return KEYWORDS.get(word, word)

    def named(self, text: str, article: bool = True) -> str:
        """A card, several of it, or one of a pool."""
        if text.startswith("one of "):
            return self.pooled(text.removeprefix("one of ").split()[0])
        if found := re.fullmatch(r"(\d+) one of (\w+)", text):
            return self.pooled(found[2]).replace("a random", f"{found[1]} random") + "s"
        each = ""
        if found := re.fullmatch(r"\(count (.+)\) (\w+)", text):
            text, each = found[2], f" for each of {self.group(found[1])}"
        count, _, key = text.rpartition(" ")
        number = self.tables.number(key)
        if not number:
            return text
        card = self.tables.card(number)
        fights = words.TYPES[card.type] in ("minion", "weapon")
        stats = f"{card.attack}/{card.health} " if fights else ""
        if count.isdecimal() and int(count) > 1:
            return f"{count} {stats}{plural(card.name)}"
        article_of = "an" if stats.startswith(("8", "11", "18")) else "a"
        return f"{article_of} {stats}{card.name}{each}" if article and stats else card.name

    def pooled(self, name: str) -> str:
        index = self.tables.pool_names.get(name)
        if index is None:
            return f"one of {name}"
        pool = [self.tables.card(number) for number in self.tables.pools[index]]
        if len(pool) <= LONGEST_POOL:
            return "one of " + ", ".join(card.name for card in pool)
        types = {words.TYPES[card.type] for card in pool}
        costs = {card.cost for card in pool}
        kind = types.pop() if len(types) == 1 else "card"
        cost = f"{costs.pop()}-cost " if len(costs) == 1 else ""
        return f"a random {cost}{kind}"

    def group(self, text: str) -> str:
        """Characters in words: `random 2 enemy minions` is "2 random enemy minions"."""
        simple = {
            "target": self.aim or "it",
            "self": "this minion" if words.TYPES[self.card.type] == "minion" else "this",
            "subject": "it",
            "object": "it",
            "held": "it",
            "own hero": "your hero",
            "enemy hero": "the enemy hero",
        }
        if text in simple:
            self.aim = "" if text == "target" else self.aim
            return simple[text]
        text, _, limit = text.partition(" with ")
        ending = f" with {self.limited(limit)}" if limit else ""
        text, _, spared = text.partition(" except ")
        ending += f" except {self.named(spared, article=False)}" if spared else ""
        for phrase, told in (
            (" beside self", " next to this"),
            (" beside target", " next to it"),
            (" not held", ""),
            (" not target", ""),
        ):
            if text.endswith(phrase):
                text, ending = text.removesuffix(phrase), told + ending
                if phrase.startswith(" not"):
                    text = f"other {text}"
        found = re.fullmatch(r"(random )?(\d+ )?(other )?(own|enemy|any)? ?(.+)", text)
        if not found:
            return text + ending
        chance, count, other, side, kind = (one.strip() if one else "" for one in found.groups())
        if text == "any heroes":
            return "both heroes"
        kind = kind.replace("living ", "").replace("taunt ", "Taunt ")
        is_many = kind.endswith("s")
        which = f"other {kind}" if other else kind
        if side == "enemy":
            which = f"{'other ' if other else ''}enemy {kind}"
        if chance:
            whose = " of yours" if side == "own" else ""
            if count:
                return f"{count} random {which}{whose}{ending}"
            return f"a random {which}{whose}{ending}"
        if side == "own":
            if is_many:
                return f"your {which}{ending}"
            return f"{'another' if other else 'a'} friendly {kind}{ending}"
        if "beside" in text or ending.startswith(" next to"):
            return f"the {which}{ending}"
        if is_many:
            return f"all {which}{ending}"
        if other:
            return f"another {'enemy ' if side == 'enemy' else ''}{kind}{ending}"
        return f"{'an' if which[0] in 'aeiou' else 'a'} {which}{ending}"

    def plain(self, text: str) -> str:
        return self.group(text).removeprefix("all ")

    def limited(self, text: str) -> str:
        found = re.fullmatch(r"(attack|health|cost) (<=|>=|==|!=) (\d+)", text)
        return f"{COMPARED[found[2]].format(found[3])} {found[1]}" if found else text

    def condition(self, text: str) -> str:
        fixed = {
            "own room": "there is room on your board",
            "own secrets": "you have a secret",
            "enemy secrets": "the opponent has a secret",
            "own weapon": "you have a weapon",
            "enemy weapon": "the opponent has a weapon",
            "spell-damage": "you have spell damage",
            "unique-deck": "your deck has no card twice",
            "target is dead": "it dies",
            "target is frozen": "it is frozen",
            "combo": "you played another card this turn",
            "0 to 1 >= 1": "a coin comes up heads",
            "target is own": "it is yours",
            "target is present": "there is one",
            "target is dead == 0": "it survives",
            "result": "yours costs more",
            "self is damaged": "this minion is damaged",
        }
        if text in fixed:
            return fixed[text]
        if found := re.fullmatch(r"target is (\w+)", text):
            return f"it is a {found[1]}"
        if found := re.fullmatch(r"any (.+)", text):
            return f"there is {self.group(found[1])}"
        if found := re.fullmatch(r"hero-health (<=|>=) (\d+)", text):
            return f"your hero has {COMPARED[found[1]].format(found[2])} health"
        if found := re.fullmatch(r"own room >= (\d+)", text):
            return f"there is room for {found[1]} on your board"
        if found := re.fullmatch(r"count (.+?) (<=|>=|==|!=) (\d+)", text):
            return f"there are {COMPARED[found[2]].format(found[3])} {self.plain(found[1])}"
        return text


def split(text: str) -> list[str]:
    """Split statements at semicolons outside braces.

    >>> split("draw 1; if combo { draw 1; discard 1 }")
    ['draw 1', 'if combo { draw 1; discard 1 }']
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if letter == ";" and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def braced(text: str) -> tuple[str, str, str]:
    """Split what is before, inside and behind the first braces.

    >>> braced("x { a { b } } else { c }")
    ('x', 'a { b }', 'else { c }')
    """
    start = text.index("{")
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "{") - (text[at] == "}")
        if not depth:
            return text[:start].strip(), text[start + 1 : at].strip(), text[at + 1 :].strip()
    return text[:start].strip(), text[start + 1 :].strip(), ""


def plural(name: str) -> str:
    """Name several of a card.

    >>> plural("Treant"), plural("Wolf"), plural("Imp of the Pit")
    ('Treants', 'Wolves', 'Imp of the Pit')
    """
    if " of " in name or name.endswith(("s", "x")):
        return name
    return name[:-1] + "ves" if name.endswith("f") else name + "s"


def lasting(text: str) -> tuple[str, str]:
    """Split a gift and how long it lasts."""
    for phrase, told in (("this turn", "this turn"), ("until own turn", "until your next turn")):
        if text.endswith(f" {phrase}"):
            return text.removesuffix(f" {phrase}"), f" {told}"
    return text, ""


def player(side: str, verb: str) -> str:
    """Who does something: `own` and `cast` are "you cast"."""
    others = {"enemy": "your opponent", "any": "a player"}
    return f"you {verb}" if side == "own" else f"{others[side]} {verb}s"


def tables_has(tables: Tables, key: str) -> bool:
    return tables.number(key) > 0


def counted(count: str, what: str) -> str:
    """Write a number of things.

    >>> counted("1", "card"), counted("2", "random card")
    ('a card', '2 random cards')
    """
    article = "an" if what[0] in "aeiou" else "a"
    return f"{article} {what}" if count == "1" else f"{count} {what}s"
