// What cards are and do, as the core runs it: tables of plain numbers, shared by all games.
//
// The card language in Python compiles to these. A program is a run of instructions; groups say
// which characters, values say how many. The same numbers are named in `../words.py`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ludex::hearthstone {

using CardId = std::uint16_t;  // an index into CardSet::cards; 0 is no card
constexpr CardId kNoCard = 0;

enum class Type : std::uint8_t { none, minion, spell, weapon, hero, power, enchantment };

// Keywords; the first sixteen can be granted.
enum Keyword : std::uint32_t {
    kTaunt = 1U << 0,
    kShield = 1U << 1,
    kCharge = 1U << 2,
    kWindfury = 1U << 3,
    kStealth = 1U << 4,
    kPoisonous = 1U << 5,
    kLifesteal = 1U << 6,
    kCantAttack = 1U << 7,
    kElusive = 1U << 8,  // cannot be targeted by spells and powers
    kImmune = 1U << 9,
    kChilling = 1U << 10,  // freezes what it damages
    // Effects that last while the card is in play, asked for where they matter.
    kHealingHurts = 1U << 16,
    kDoubling = 1U << 17,  // own spells and powers heal and hurt twice as much
    kTwice = 1U << 18,     // own battlecries happen twice
    kAttackIsHealth = 1U << 19,
    kImmuneAttacking = 1U << 20,  // of weapons
    kUsesAttack = 1U << 21,       // of weapons: attacking a minion costs attack
    kSecret = 1U << 22,           // of spells
    kMega = 1U << 23,             // attacks four times a turn
};
constexpr std::uint32_t kGrantable = 0xFFFF;

enum class Event : std::uint8_t {
    turn_start,
    turn_end,
    play,    // a card is played, before its text
    summon,  // a minion enters play
    after_summon,
    after_play,
    damaged,  // subject: who; object: by whom
    healed,
    dies,
    attack,  // an attack is proposed; subject: attacker; object: defender
    after_attack,
    revealed,  // a secret
    fatal,     // a hero is about to die of damage
    overloaded,
    discarded,
    drawn,
    power_used,
    targeted,  // a spell with a target is cast, before its text
    armoured,
};
constexpr std::uint32_t bit(Event event) noexcept { return 1U << static_cast<unsigned>(event); }

enum class Base : std::uint8_t { area, target, self, subject, object, held, beside, opposite };

enum Filter : std::uint16_t {
    kDamaged = 1U << 0,
    kUndamaged = 1U << 1,
    kNotSelf = 1U << 2,
    kNotTarget = 1U << 3,
    kFrozenOnly = 1U << 4,
    kTauntOnly = 1U << 5,
    kAliveOnly = 1U << 6,
    kNotSubject = 1U << 7,
    kNotObject = 1U << 8,
    kShieldOnly = 1U << 9,
    kBesideTarget = 1U << 10,
    kBesideSelf = 1U << 11,
    kNotHeld = 1U << 12,
    kSameAsSelf = 1U << 13,  // the same card
    kSpellPowerOnly = 1U << 14,
    kLegendaryOnly = 1U << 15,
};

constexpr CardId kExcept = 0x8000;

struct Group {
    Base base = Base::area;
    std::uint8_t sides = 3;  // 1 own, 2 the other's
    std::uint8_t kinds = 1;  // 1 minions, 2 heroes
    std::uint8_t pick = 0;   // 0 all, else so many at random
    std::uint16_t filters = 0;
    std::uint16_t races = 0;   // any of these; 0 no matter which
    std::uint8_t compare = 0;  // of attack: 0 none, 1 at most, 2 at least
    std::int16_t attack = 0;
    CardId card = kNoCard;  // only this card; with kExcept all but this one
};

enum class Amount : std::uint8_t {
    number,
    attack_of,
    health_of,
    count,
    hand,
    played,  // cards played this turn before this one
    missing,
    armour,
    weapon_attack,
    event,
    random,
    hero_attack,
    last_cost,
    secrets,
    deck,
    missiles,
    hero_health,
    is_dead,
    crystals,
    room,
    armed,
    unique_deck,
    holding,
    durability,
    spell_damage,
    max_health_of,
    my_turn,
    golems,
    result,
    totems,
    is_race,
    is_own,
    is_frozen,
    at_least,  // 1 when the count of group a is at least c
    same_card,
    is_damaged,
    is_present,
    lacking,  // cards of pool a that are not on the own board
    mana,
};

struct Value {
    Amount kind = Amount::number;
    std::int16_t a = 0;
    std::int16_t c = 0;
    std::int16_t times = 1;
    std::int16_t plus = 0;
};

enum class Op : std::uint8_t {
    end,
    damage,
    heal,
    buff,
    set_attack,
    set_health,
    destroy,
    freeze,
    silence,
    bounce,
    draw,
    discard,
    summon,
    summon_pool,
    equip,
    armour,
    mana,
    steal,
    transform,
    transform_pool,
    give,
    give_pool,
    weapon,
    break_weapon,
    when,
    jump,
    loop,
    loop_end,
    hold,
    copy_hand,
    copy_deck,
    summon_from_deck,
    draw_race,
    hero_health,
    become_hero,
    set_power,
    destroy_secrets,
    remove_keywords,
    counter,
    retarget,
    prevent,
    track,
    discover,
    swap_stats,
    become_copy,
    summon_copy,
    resummon,
    mark,
    overload,
    shuffle_in,
    golem,
    swap_with_hand,
    summon_from_hand,
    joust,
    buff_hand,
    give_event_card,
    steal_weapon_stats,
    take_attack_from,
    buff_weapon_or_equip,
    draw_until,
    strike,  // the minions of group b each deal their attack to the group a
    discover_power,
    cast_random,
    put_secret,
    bounce_copy,
    discover_potion,
    mana_all,
};

enum class Mark : std::uint8_t {
    next_spell_cheaper,
    next_secret_free,
    spells_free_next_turn,
    minions_survive,
    back_next_turn,
};

struct Instruction {
    Op op = Op::end;
    std::uint8_t x = 0;
    std::int16_t a = 0;
    std::int16_t b = 0;
    std::int16_t c = 0;
    std::int16_t d = 0;
};

enum class Until : std::uint8_t { forever, turn_end, own_turn, returned };

// What a buff gives beside numbers.
struct Grant {
    std::uint16_t keywords = 0;
    Until until = Until::forever;
    CardId script = kNoCard;  // an enchantment with texts of its own
};

struct Trigger {
    Event event = Event::turn_end;
    std::uint8_t sides = 3;
    std::uint8_t types = 0;   // 1 minion, 2 spell, 4 weapon, 8 secret, 16 overload; 0 any
    std::uint8_t others = 0;  // 1: not for this card itself
    std::int16_t subject = -1;
    std::int16_t object = -1;
    std::int16_t value = -1;
    std::uint8_t compare = 0;
    std::int16_t number = 0;
    std::int16_t program = 0;
    std::uint16_t races = 0;
};

enum class AuraKind : std::uint8_t { minions, cost, weapon, spell_damage_kind };

struct Aura {
    AuraKind kind = AuraKind::minions;
    std::int16_t group = -1;
    std::int16_t attack = 0;
    std::int16_t health = 0;
    std::uint16_t keywords = 0;
    std::int16_t value = -1;  // holds only while this value compares
    std::uint8_t compare = 0;
    std::int16_t number = 0;
    std::uint8_t types = 0;  // of cards in hand, for costs
    std::uint8_t sides = 1;
    std::uint8_t least = 0;  // a cost is not lowered below this
    std::uint8_t first = 0;  // costs: only the first minion of a turn; else: as often as `value`
};

struct Need {
    std::int16_t value = -1;
    std::uint8_t compare = 0;
    std::int16_t number = 0;
};

enum class Aim : std::uint8_t { none, needed, if_possible };

struct Card {
    std::string key;
    std::string name;
    Type type = Type::none;
    std::uint8_t hero_class = 0;
    std::uint8_t rarity = 0;
    bool collectible = false;
    std::uint16_t races = 0;
    std::int16_t cost = 0;
    std::int16_t attack = 0;
    std::int16_t health = 0;
    std::uint32_t keywords = 0;
    std::uint8_t spell_damage = 0;
    std::uint8_t overload = 0;
    Aim aim = Aim::none;
    std::int16_t target = -1;
    std::uint8_t aim_combo = 0;  // 1: a target only when the combo is on; 2: see `aim_value`
    Need aim_when;
    std::int16_t program = -1;  // text of a spell or power, battlecry of a minion or weapon
    std::int16_t deathrattle = -1;
    std::int16_t cheaper = -1;  // a value taken from the cost
    std::uint16_t first_trigger = 0;
    std::uint16_t triggers = 0;
    std::uint16_t first_aura = 0;
    std::uint16_t auras = 0;
    std::uint16_t first_need = 0;
    std::uint16_t needs = 0;
    CardId options[2] = {0, 0};  // choose one
    std::int16_t enrage_attack = 0;
    std::uint16_t enrage_keywords = 0;
    CardId power = kNoCard;    // of heroes
    std::uint32_t events = 0;  // bit e: has a trigger for event e
    std::uint8_t leaps = 0;  // 1: summoned when discarded; 2: from the deck when its race is played
};

struct CardSet {
    std::vector<Card> cards{Card{}};
    std::vector<Group> groups;
    std::vector<Value> values;
    std::vector<Instruction> program;
    std::vector<Grant> grants;
    std::vector<Trigger> triggers;
    std::vector<Aura> auras;
    std::vector<Need> needs;
    std::vector<std::vector<CardId>> pools;
    CardId coin = kNoCard;
    CardId excess_mana = kNoCard;
    CardId golem = kNoCard;
    bool leapers = false;       // some card leaps from the deck
    std::uint64_t content = 0;  // a hash of all that it was made of
};

}  // namespace ludex::hearthstone
