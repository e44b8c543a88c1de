// A game on a level as the core's kernels use it: rollouts, batches, bindings, random walks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "engine.hpp"
#include "facts.hpp"
#include "keys.hpp"
#include "level.hpp"
#include "owner.hpp"
#include "rng.hpp"
#include "scratch.hpp"
#include "world.hpp"

namespace ludex::vgdl {

// The actions of a set, in ascending order.
struct ActionList {
    std::array<std::uint8_t, kActions> actions{};
    std::uint8_t count = 0;
};
// There are so few sets that all are listed here.
inline constexpr auto kActionLists = [] {
    std::array<ActionList, std::size_t{1} << kActions> lists{};
    for (std::size_t set = 0; set < lists.size(); ++set) {
        for (std::uint8_t action = 0; action < kActions; ++action) {
            if ((set >> action & 1) != 0) lists[set].actions[lists[set].count++] = action;
        }
    }
    return lists;
}();

class Rules {
public:
    using State = vgdl::State;
    using Action = std::uint8_t;
    static constexpr int kMaxSeats = 16;
    static constexpr int kMaxLegal = kActions;
    static constexpr std::int64_t kLongestGame = kTicks + 1;
    static constexpr int kMostTypes = 3;  // wait, move, use

    Rules();  // a small game of every kind of part, for the random walk
    explicit Rules(std::shared_ptr<const Level> level) : level_(std::move(level)) {}

    [[nodiscard]] const Level& level() const noexcept { return *level_; }
    [[nodiscard]] int seats() const noexcept { return level_->game.players; }
    [[nodiscard]] State start(Rng& /*rng*/) const noexcept { return level_->start; }
    [[nodiscard]] SeatSet to_act(const State& state) const noexcept {
        return over(state) ? ludex::kNobody : (SeatSet{1} << seats()) - 1;
    }
    // Bit a is action a. A player without a living avatar can only wait.
    [[nodiscard]] unsigned actions(const State& state, int seat) const noexcept {
        if (over(state)) return 0;
        const Player& player = state.player(seat);
        if (player.type < 0) return 1U << kNilAction;
        const TypeLayout& type = level_->layout.types[static_cast<std::size_t>(player.type)];
        const Sprite& avatar = state.sprite(state.sections()[type.section], player.index);
        return avatar.is(kDisabled) ? 1U << kNilAction : type.actions;
    }
    [[nodiscard]] int legal(const State& state, int seat, std::span<Action> out) const noexcept {
        const ActionList& list = kActionLists[actions(state, seat)];
        std::copy(list.actions.begin(), list.actions.end(), out.begin());
        return list.count;
    }
    [[nodiscard]] bool is_legal(const State& state, int seat, Action action) const noexcept {
        return action < kActions && (actions(state, seat) >> action & 1U) != 0;
    }
    [[nodiscard]] Action default_action(const State& /*state*/, int /*seat*/) const noexcept {
        return kNilAction;
    }
    [[nodiscard]] static int type_of(Action action) noexcept {
        return action == kNilAction ? 0 : action == kUseAction ? 2 : 1;
    }
    void apply(State& state, std::span<const Action> actions, Rng& rng) const noexcept;
    void forget(State& state) const noexcept { state.meetings.clear(); }
    // The same in memory of the caller's, for those that keep some for each of their threads.
    void apply(State& state, std::span<const Action> actions, Rng& rng,
               Workspace& work) const noexcept;
    void apply_reference(State& state, std::span<const Action> actions,
                         JavaDice& dice) const noexcept;
    [[nodiscard]] bool over(const State& state) const noexcept { return state.header().over != 0; }
    [[nodiscard]] double return_of(const State& state, int seat) const noexcept {
        const Winner winner = state.player(seat).winner;
        return winner == Winner::win ? 1.0 : winner == Winner::lose ? -1.0 : 0.0;
    }
    [[nodiscard]] double score(const State& state, int seat) const noexcept {
        return state.player(seat).score;
    }
    // Whether a state read from outside can be one of this level: every number in its range.
    [[nodiscard]] bool consistent(const State& state) const noexcept {
        return level_->is_consistent(state);
    }
    [[nodiscard]] bool owns(const State& state) const noexcept { return level_->owns(state); }
    [[nodiscard]] bool admit(State& state) const noexcept { return level_->admit(state); }
    // Memory to make keys in.
    [[nodiscard]] State& blanked() const noexcept { return blanked_.mine(); }

private:
    std::shared_ptr<const Level> level_;
    mutable ludex::Scratch<Workspace> scratch_;  // each thread's own,
    mutable ludex::Scratch<State> blanked_;      // and this, too
};

// Keys of states: see core/native/keys.hpp.
[[nodiscard]] unsigned ignorable(const Rules& rules, std::string_view name) noexcept;
void add_key(const Rules& rules, const State& state, unsigned ignored, KeyHash& hash) noexcept;

// Of searches through states: see core/native/facts.hpp. Facts are a type in a cell, a settled
// sprite that is gone, the way an avatar faces, and what it holds; the distance is how many sprites
// are too many or missing for the nearest condition that wins by counting them.
void add_facts(const Level& level, const State& state, std::vector<std::uint64_t>& facts);
void add_facts(const Rules& rules, const State& state, std::vector<std::uint64_t>& facts);
[[nodiscard]] double distance_to_win(const Rules& rules, const State& state, int seat) noexcept;

}  // namespace ludex::vgdl

static_assert(ludex::WritesKeys<ludex::vgdl::Rules>);
static_assert(ludex::ListsFacts<ludex::vgdl::Rules> && ludex::KnowsDistance<ludex::vgdl::Rules>);
