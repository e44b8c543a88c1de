// Everything on the table, as plain bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "cards.hpp"
#include "owner.hpp"

namespace ludex::hearthstone {

constexpr int kSeats = 2;
constexpr int kBoard = 7;
constexpr int kHand = 10;
constexpr int kDeck = 60;
constexpr int kSecrets = 5;
constexpr int kSlots = 16;
constexpr int kEnchants = 6;
constexpr int kChoices = 4;
constexpr int kMostTold = 40;

// A character: a slot of a minion, or a hero; dead minions have references while they resolve.
using Ref = std::uint8_t;
constexpr Ref kHero = 16;  // and 17
constexpr Ref kDead = 20;  // and up
constexpr Ref kNobodyRef = 255;

struct Enchant {
    std::int8_t attack = 0;
    std::int8_t health = 0;
    std::uint8_t sets = 0;   // 1 attack, 2 health: replaces what came before
    std::uint8_t until = 0;  // Until, and the seat it belongs to in bit 7
    std::uint16_t keywords = 0;
    CardId script = kNoCard;
    std::uint16_t order = 0;  // of play, where it has a script
    friend bool operator==(const Enchant&, const Enchant&) = default;
};

enum MinionFlag : std::uint8_t {
    kSilenced = 1,
    kFrozen = 2,
    kSick = 4,    // entered or changed sides this turn
    kDoomed = 8,  // marked destroyed
    kHasAura = 16,
    kUnborn = 32,  // its battlecry is not resolved
};

struct Minion {
    CardId card = kNoCard;
    std::uint16_t order = 0;
    std::int16_t attack = 0;      // printed and enchanted, without auras
    std::int16_t max_health = 0;  // with auras
    std::int16_t health = 0;
    std::int8_t base_attack = 0;
    std::int8_t base_health = 0;
    std::int8_t aura_attack = 0;
    std::int8_t aura_health = 0;
    std::uint16_t aura_keywords = 0;
    std::uint32_t keywords = 0;
    std::uint32_t events = 0;
    std::uint8_t flags = 0;
    std::uint8_t attacks = 0;
    std::uint8_t side = 0;
    std::uint8_t enchants = 0;
    std::uint8_t spell_damage = 0;
    std::uint8_t marked = 0;  // played from hand this turn, and the like
    std::uint16_t unused = 0;
    std::array<Enchant, kEnchants> enchant{};
    friend bool operator==(const Minion&, const Minion&) = default;
};

enum HandFlag : std::uint8_t {
    kKnown = 1,    // both players know which card it is
    kForeign = 2,  // it was not in the deck at the start
};

struct HandCard {
    CardId card = kNoCard;
    std::int8_t cost = 0;  // added to the printed cost
    std::uint8_t flags = 0;
    std::int8_t attack = 0;
    std::int8_t health = 0;
    std::uint16_t unused = 0;
    friend bool operator==(const HandCard&, const HandCard&) = default;
};

struct Secret {
    CardId card = kNoCard;
    std::uint16_t order = 0;
    friend bool operator==(const Secret&, const Secret&) = default;
};

enum HeroFlag : std::uint8_t {
    kHeroFrozen = 1,
    kHeroImmune = 2,  // this turn
    kHeroDying = 4,
    kMinionsSurvive = 8,  // this turn
    kSpellsFree = 16,     // this turn
    kSpellsFreeNext = 32,
    kNextSecretFree = 64,
};

struct Player {
    CardId hero = kNoCard;
    CardId power = kNoCard;
    CardId weapon = kNoCard;
    CardId returning = kNoCard;  // comes to the hand at the start of the next turn
    std::uint16_t weapon_order = 0;
    std::int16_t health = 30;
    std::int16_t max_health = 30;
    std::int16_t armour = 0;
    std::int8_t hero_attack = 0;  // this turn
    std::int8_t weapon_attack = 0;
    std::int8_t weapon_aura = 0;
    std::int8_t durability = 0;
    std::uint8_t flags = 0;
    std::uint8_t attacks = 0;
    std::uint8_t power_used = 0;
    std::uint8_t mana = 0;
    std::uint8_t crystals = 0;
    std::uint8_t owed = 0;    // overload for the next turn
    std::uint8_t locked = 0;  // overload of this turn
    std::uint8_t fatigue = 0;
    std::uint8_t played = 0;  // cards this turn
    std::uint8_t minions_played = 0;
    std::uint8_t cheaper_spell = 0;
    std::uint8_t golems = 0;
    std::uint8_t totems = 0;
    std::uint8_t buried_minions = 0;
    std::uint8_t buried_spells = 0;
    std::uint8_t buried_weapons = 0;
    std::uint8_t hand_size = 0;
    std::uint8_t deck_size = 0;
    std::uint8_t board_size = 0;
    std::uint8_t secret_count = 0;
    std::array<std::uint8_t, kBoard> board{};
    std::uint8_t mulligan_done = 0;
    std::uint8_t temporary = 0;  // mana of this turn only
    std::uint8_t unused = 0;
    std::array<HandCard, kHand> hand{};
    std::array<CardId, kDeck> deck{};  // the last is drawn next
    std::array<Secret, kSecrets> secrets{};
    friend bool operator==(const Player&, const Player&) = default;
};

enum class Phase : std::uint8_t { play, mulligan, choice, over };
enum class Choice : std::uint8_t { none, track, discover, power, potion };

// What the last step did, for events; not part of the state's identity.
enum class ToldKind : std::uint8_t {
    none,
    played,
    drew,
    burned,
    fatigue,
    attacked,
    power,
    summoned,
    died,
    secret,
    discarded,
    received,
    turn,
    chose,
    mulligan,
    cut,
    given,     // a card for the hand that its owner alone sees
    undecked,  // left the deck, and was not drawn
    decked,
    unhanded,  // left the hand, and was neither played nor discarded
    threw,     // back from the hand into the deck
    left,      // the board, without dying
    joined,    // the board, without being played or summoned
    armed,
    disarmed,
    laid,    // a secret
    unlaid,  // a secret that was not revealed
    staged,  // a part of an action
    aimed,   // what was played, used or attacked with has this target; seat and card are its own
};
// Numbers of a side that change by so many causes that the change itself is told as an event.
struct Standing {
    std::int16_t health = 0;
    std::int16_t armour = 0;
    std::uint8_t mana = 0;
    std::uint8_t crystals = 0;
    std::int8_t weapon_attack = 0;
    std::int8_t durability = 0;
    friend bool operator==(const Standing&, const Standing&) = default;
};
struct ToldEvent {
    ToldKind kind = ToldKind::none;
    std::uint8_t seat = 0;
    CardId card = kNoCard;
};

struct State {
    std::array<Player, kSeats> players{};
    std::array<Minion, kSlots> minions{};
    std::uint32_t events = 0;  // bit e: something in play listens to e
    std::uint16_t next_order = 0;
    std::uint16_t turn = 0;
    std::uint8_t active = 0;
    std::uint8_t first = 0;
    Phase phase = Phase::play;
    std::uint8_t winner = 2;  // 2 nobody
    std::uint8_t auras = 0;   // 1: minions with auras or enrage are or were in play; 2: costs
    // A choice in mid-effect, and where to go on after it.
    Choice choice = Choice::none;
    std::uint8_t choices = 0;
    std::uint8_t stage = 0;  // of a staged action: kind, source, option
    std::uint32_t prefix = 0;
    std::int16_t resume = 0;  // instruction
    std::uint8_t source = kNobodyRef;
    std::uint8_t target = kNobodyRef;
    std::uint16_t source_order = 0;
    std::uint16_t target_order = 0;
    CardId source_card = kNoCard;
    std::uint8_t repeats = 0;
    std::uint8_t combo = 0;
    std::array<CardId, kChoices> choice_cards{};
    // Not compared: what the last step did.
    std::array<ToldEvent, kMostTold> told_events{};
    std::array<Standing, kSeats> before{};
    std::uint8_t told_count = 0;
    std::uint8_t told_lost = 0;  // there was more than there is room for
    std::uint8_t has_told = 0;   // the state came of a step
    std::uint8_t padding = 0;
    ludex::Owner owner = ludex::kNobodys;  // not compared, either

    static constexpr std::size_t kMeaningful = 2052;  // bytes before the events

    [[nodiscard]] Standing standing(int seat) const noexcept {
        const Player& p = players[static_cast<std::size_t>(seat)];
        return {p.health, p.armour, p.mana, p.crystals, p.weapon_attack, p.durability};
    }
    void forget() noexcept { told_count = told_lost = has_told = 0; }
    // Events are of the last step alone: every step begins here.
    void begin_told() noexcept {
        forget();
        has_told = 1;
        before = {standing(0), standing(1)};
    }
    void tell(ToldKind kind, int seat, CardId what) noexcept {
        if (told_count < kMostTold) {
            told_events[told_count++] = {kind, static_cast<std::uint8_t>(seat), what};
        } else {
            told_lost = 1;
        }
    }

    friend bool operator==(const State& a, const State& b) noexcept;
};

static_assert(std::has_unique_object_representations_v<State>);

[[nodiscard]] inline ludex::Owner& owner_of(State& state) noexcept { return state.owner; }
// Whether bytes can be a table at all: every count, slot and enumerator in its range. See
// outside.cpp.
[[nodiscard]] bool is_sound(const State& state) noexcept;

inline constexpr std::size_t kIdentity = State::kMeaningful;
static_assert(offsetof(State, told_events) == kIdentity);

inline bool operator==(const State& a, const State& b) noexcept {
    return std::memcmp(&a, &b, kIdentity) == 0;
}

}  // namespace ludex::hearthstone
