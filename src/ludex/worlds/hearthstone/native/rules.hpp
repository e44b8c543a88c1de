// The rules of Hearthstone as the core's kernels want them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cards.hpp"
#include "engine.hpp"
#include "owner.hpp"
#include "rng.hpp"
#include "state.hpp"
#include "world.hpp"

namespace ludex::hearthstone {

// An action is a number. Bits from above: kind (4), source (4), option (2), target (5), place (4).
// In this order they ascend as a player would read them: end the turn, play, attack, power.
using Action = std::uint32_t;
enum class Kind : std::uint8_t { end, play, attack, power, choose, mulligan };

struct Parts {
    Kind kind = Kind::end;
    int source = 0;
    int option = 0;  // 0 none, else 1 or 2
    int target = 0;  // 0 none, 1 own hero, 2 the other's, 3.. own minions, 10.. the other's
    int place = 0;   // of a minion, counted from 0; 15 the right end
};
constexpr int kPlaceShift = 0;
constexpr int kTargetShift = 4;
constexpr int kOptionShift = 9;
constexpr int kSourceShift = 11;
constexpr int kKindShift = 15;
constexpr int kEnd = 15;
constexpr int kHeroSource = 7;  // in the place of a minion that attacks

[[nodiscard]] constexpr Action pack(const Parts& p) noexcept {
    return static_cast<Action>(p.kind) << kKindShift |
           static_cast<Action>(p.source) << kSourceShift |
           static_cast<Action>(p.option) << kOptionShift |
           static_cast<Action>(p.target) << kTargetShift | static_cast<Action>(p.place);
}
[[nodiscard]] constexpr Parts unpack(Action a) noexcept {
    return {static_cast<Kind>(a >> kKindShift & 15U), static_cast<int>(a >> kSourceShift & 15U),
            static_cast<int>(a >> kOptionShift & 3U), static_cast<int>(a >> kTargetShift & 31U),
            static_cast<int>(a & 15U)};
}

struct Setup {
    std::array<std::vector<CardId>, kSeats> decks;  // empty: a random deck of `pool`
    std::array<CardId, kSeats> heroes{};
    std::vector<CardId> pool;
    bool mulligan = false;
    bool staged = false;      // choices are asked one after the other
    bool all_places = false;  // minions may be put anywhere, not at the right end alone
    int first = 2;            // who begins; 2 by chance
};

// The tag of the states of a game with these cards, decks and options.
[[nodiscard]] Owner owner_of_game(const CardSet& set, const Setup& setup, const Options& options);

struct SeatGlance;  // what a seat sees; belief.hpp

class Rules {
public:
    using State = hearthstone::State;
    using Glance = SeatGlance;
    using Action = hearthstone::Action;
    static constexpr int kMaxSeats = kSeats;
    static constexpr int kMaxLegal = 2900;
    static constexpr std::int64_t kLongestGame = 4000;
    static constexpr int kMostTypes = 16;
    [[nodiscard]] static int type_of(Action action) noexcept {
        return static_cast<int>(action >> kKindShift & 15U);
    }

    Rules();  // a small game of plain minions, for the random walk
    Rules(std::shared_ptr<const CardSet> set, Setup setup, Options options)
        : set_(std::move(set)),
          setup_(std::move(setup)),
          options_(options),
          owner_(owner_of_game(*set_, setup_, options_)) {}

    [[nodiscard]] int seats() const noexcept { return kSeats; }
    [[nodiscard]] State start(Rng& rng) const noexcept;
    [[nodiscard]] SeatSet to_act(const State& state) const noexcept {
        return over(state) ? kNobody : only(actor(state));
    }
    [[nodiscard]] int actor(const State& state) const noexcept {
        if (state.phase != Phase::mulligan) return state.active;
        return state.players[state.first].mulligan_done == 0 ? state.first : 1 - state.first;
    }
    [[nodiscard]] int legal(const State& state, int seat, std::span<Action> out) const noexcept;
    void apply(State& state, std::span<const Action> actions, Rng& rng) const noexcept;
    [[nodiscard]] bool over(const State& state) const noexcept {
        return state.phase == Phase::over;
    }
    [[nodiscard]] double return_of(const State& state, int seat) const noexcept {
        return state.winner == 2 ? 0.0 : state.winner == seat ? 1.0 : -1.0;
    }
    [[nodiscard]] double score(const State& state, int seat) const noexcept;
    [[nodiscard]] Action default_action(const State& state, int seat) const noexcept;
    [[nodiscard]] bool consistent(const State& state) const noexcept;
    [[nodiscard]] bool owns(const State& state) const noexcept { return state.owner == owner_; }
    [[nodiscard]] bool admit(State& state) const noexcept;
    [[nodiscard]] Owner owner() const noexcept { return owner_; }
    // Whether a table of numbers in their ranges can be one of this game, so that it can go on.
    [[nodiscard]] bool is_possible(const State& state) const;

    [[nodiscard]] int flat_legal(const State& state, std::span<Action> out) const noexcept;
    void forget(State& state) const noexcept { state.forget(); }
    void apply_flat(State& state, Action action, Rng& rng,
                    Watcher* watcher = nullptr) const noexcept;
    void begin(State& state, Rng& rng) const noexcept;

    [[nodiscard]] const CardSet& cards() const noexcept { return *set_; }
    [[nodiscard]] const Setup& setup() const noexcept { return setup_; }
    [[nodiscard]] const Options& options() const noexcept { return options_; }
    [[nodiscard]] std::shared_ptr<const CardSet> shared_cards() const noexcept { return set_; }
    [[nodiscard]] static Ref target_of(const State& state, int code) noexcept;
    [[nodiscard]] static int code_of(const State& state, Ref ref) noexcept;

private:
    std::shared_ptr<const CardSet> set_;
    Setup setup_;
    Options options_;
    Owner owner_ = kPlainOwner;
};

// Of searches that look for what is new: see core/native/facts.hpp.
void add_facts(const Rules& rules, const State& state, std::vector<std::uint64_t>& facts);

}  // namespace ludex::hearthstone

#include "belief.hpp"  // completes what a seat sees
