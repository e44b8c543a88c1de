// The rules of Settlers of Catan for two to four players.
//
// Rules hold the options of a game; everything that changes, the board of this game included, is
// in the state. Files: topology (how places touch), cards, state, actions, roads (building and the
// longest road), turns (what an action does), offers (the space of player trades), rules (what is
// legal), playouts (random play that lists nothing), hidden (what a seat sees and may imagine),
// boards (making and checking them), notation (text).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "actions.hpp"
#include "hidden.hpp"
#include "keys.hpp"
#include "owner.hpp"
#include "rng.hpp"
#include "state.hpp"
#include "world.hpp"

namespace ludex::catan {

enum class Board : std::uint8_t { fixed, shuffled };
// spiral: the printed sequence from a corner inwards; apart: shuffled until no 6 or 8 lies beside
// another; any: shuffled.
enum class Numbers : std::uint8_t { spiral, apart, any };
// Which player trades may be offered: one card for one; also one for two of a kind; also for two
// that differ; or up to three cards on either side.
enum class Trades : std::uint8_t { none, one, same, all, free };
// open: all cards lie face up; partial: hands and cards are hidden; points: like partial, but
// victory points are shown when drawn.
enum class Sight : std::uint8_t { open, partial, points };
// How a playout chooses; see playouts.cpp.
enum class Chooser : std::uint8_t { uniform, ordered, type_first, human, human_unconditioned };

struct OfferSpace;

struct Glance {  // what one seat sees
    std::uint64_t seat = 0;
    State seen;  // what it does not is zero

    static constexpr std::size_t kMeaningful = sizeof(std::uint64_t) + State::kMeaningful;
    friend bool operator==(const Glance&, const Glance&) = default;
};

struct Rules {
    using State = catan::State;
    using Action = catan::Action;
    using Glance = catan::Glance;
    using Outcome = std::uint8_t;
    static constexpr int kMaxSeats = catan::kMaxSeats;
    static constexpr int kMaxLegal =
        3800;  // every offer of `free` to three others, and the rest: 3759
    static constexpr int kMaxOutcomes = 11;
    static constexpr std::int64_t kLongestGame = 10'000'000;
    static constexpr int kNoLimit = 255;
    static constexpr int kMostTypes = kTypes;

    int players = 4;
    int points = 10;
    bool finite_bank = true;
    Board board = Board::shuffled;
    Numbers numbers = Numbers::spiral;
    Trades trades = Trades::all;
    int offers = 3;  // per turn, or kNoLimit
    Sight sight = Sight::partial;
    bool any_card_early = true;  // before the roll; else knights alone
    int turns = 1000;            // of all seats; then nobody wins
    bool exchanges = false;      // offers are carried out unasked: not the game, an abstraction
    // Of the game's states. Rules that vary what is offered play the states of the game they vary.
    Owner owner = kPlainOwner;

    [[nodiscard]] int seats() const noexcept { return players; }
    [[nodiscard]] State start(Rng& rng) const noexcept;
    [[nodiscard]] SeatSet to_act(const State& state) const noexcept;
    [[nodiscard]] int legal(const State& state, int seat, std::span<Action> out) const noexcept;
    void apply(State& state, std::span<const Action> actions, Rng& rng) const noexcept;
    [[nodiscard]] bool over(const State& state) const noexcept;
    [[nodiscard]] double return_of(const State& state, int seat) const noexcept;
    [[nodiscard]] double score(const State& state, int seat) const noexcept;

    [[nodiscard]] int chance(const State& state, std::span<Chance<Outcome>> out) const noexcept;
    void resolve(State& state, Outcome outcome) const noexcept;
    void settle(State& state, Rng& rng) const noexcept;
    void forget(State& state) const noexcept { state.last_events = {}; }

    [[nodiscard]] bool is_legal(const State& state, int seat, Action action) const noexcept;
    [[nodiscard]] Action default_action(const State& state, int seat) const noexcept;
    [[nodiscard]] bool consistent(const State& state) const noexcept;
    [[nodiscard]] bool owns(const State& state) const noexcept { return state.owner == owner; }
    [[nodiscard]] bool admit(State& state) const noexcept;
    [[nodiscard]] static int type_of(Action action) noexcept {
        return static_cast<int>(catan::type_of(action));
    }

    // Random play without lists of actions.
    [[nodiscard]] static std::optional<int> find_policy(std::string_view name) noexcept;
    [[nodiscard]] Action choose(const State& state, int chooser, Rng& rng) const noexcept;
    // How likely a policy is to take each of the legal actions; not normalised.
    void rate(const State& state, int seat, int chooser, std::span<const Action> legal,
              std::span<double> out) const noexcept;
    // Choose, apply and settle until the end or the limit; returns how many ticks that were.
    std::int64_t play_on(State& state, int chooser, std::int64_t limit, Rng& rng) const noexcept;

    // How many offers are legal now, and the one at a place of their sorted list.
    [[nodiscard]] int count_offers(const State& state) const noexcept;
    [[nodiscard]] Action offer_at(const State& state, int place) const noexcept;
    [[nodiscard]] bool can_offer(const State& state) const noexcept;
    [[nodiscard]] const OfferSpace& offer_space() const noexcept;
};

// Listed outcomes: the sum of the dice as it is, a stolen kind and a drawn card from these on.
constexpr int kStealOutcome = 20;
constexpr int kDrawOutcome = 30;

[[nodiscard]] int points_of(const State& state, int seat) noexcept;
// Those that all can see.
[[nodiscard]] int visible_points(const State& state, int seat) noexcept;
[[nodiscard]] int bank_rate(const Player& player, int kind) noexcept;

// What is wrong, to end a sentence that begins "cannot read ...: ".
using Problem = std::optional<std::string>;

// boards.cpp
void lay_board(State& state, Board board, Numbers numbers, Rng& rng) noexcept;
void index_numbers(State& state) noexcept;
[[nodiscard]] Problem board_problem(const State& state, Numbers numbers);
[[nodiscard]] bool reds_touch(const State& state) noexcept;

// notation.cpp
[[nodiscard]] std::string to_text(const State& state);
[[nodiscard]] std::string to_compact_text(const State& state);
[[nodiscard]] Problem parse(std::string_view text, const Rules& rules, State& out);
[[nodiscard]] Problem contradiction(const Rules& rules, const State& state);
// The same but for points that somebody hides and would have won by: whether rules can go on.
[[nodiscard]] bool is_playable(const Rules& rules, const State& state) noexcept;

// hidden.cpp
[[nodiscard]] inline Owner& owner_of(Glance& glance) noexcept { return glance.seen.owner; }
[[nodiscard]] bool is_sound(const Glance& glance) noexcept;
// Whether what a pickle says was seen can have been seen; then it is these rules' own.
[[nodiscard]] bool admit(const Rules& rules, Glance& glance) noexcept;
[[nodiscard]] Glance look(const Rules& rules, const State& state, int seat) noexcept;
[[nodiscard]] State imagine(const Rules& rules, const Glance& glance, Rng& rng) noexcept;

// The same for searches: see core/native/hidden.hpp.
[[nodiscard]] inline bool hides_facts(const Rules& rules) noexcept {
    return rules.sight != Sight::open;
}
[[nodiscard]] inline Glance glance_at(const Rules& rules, const State& state, int seat) noexcept {
    return look(rules, state, seat);
}
[[nodiscard]] inline bool determinise(const Rules& rules, const Glance& glance, Rng& rng,
                                      State& out) noexcept {
    out = imagine(rules, glance, rng);
    return true;
}
inline void add_view_key(const Rules& rules, const State& state, int seat, KeyHash& hash) noexcept {
    const Glance glance = look(rules, state, seat);
    hash.add(&glance, Glance::kMeaningful);
}

// Keys without the turn, or without the number of offers made in it: see core/native/keys.hpp.
[[nodiscard]] unsigned ignorable(const Rules& rules, std::string_view name) noexcept;
void add_key(const Rules& rules, const State& state, unsigned ignored, KeyHash& hash) noexcept;
// The state without what is ignored, for comparing alone.
[[nodiscard]] State blanked(const State& state, unsigned ignored) noexcept;

}  // namespace ludex::catan

static_assert(ludex::WorldRules<ludex::catan::Rules>);
static_assert(ludex::ListsChance<ludex::catan::Rules>);
static_assert(ludex::HidesFacts<ludex::catan::Rules>);
static_assert(ludex::WritesKeys<ludex::catan::Rules>);
