// What the rules of a native world must offer: a concept, so no virtual call and no base class.
//
// `Rules` holds the options of a game and nothing that changes while it is played; a `State` is
// plain bytes. From the two, kernels.hpp makes rollouts and batches, bind_state.hpp and
// bind_model.hpp make the Python classes, and the build makes a random walk under sanitizers.
// `ludex new world NAME --native` writes a small example; worlds/connect_four/native is a full one.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "rng.hpp"

namespace ludex {

// A set of seats, bit i for seat i, so that seats are always in ascending order.
using SeatSet = std::uint32_t;
constexpr SeatSet kNobody = 0;
[[nodiscard]] constexpr SeatSet only(int seat) noexcept { return SeatSet{1} << seat; }

// Plain data without padding: a copy is one memcpy, and the bytes may be compared and hashed.
// Facts that can be worked out from others may be kept when asking for them is hot.
template <class S>
concept PlainState = std::is_trivially_copyable_v<S> && std::default_initializable<S> &&
                     std::has_unique_object_representations_v<S> && std::equality_comparable<S>;

// How many bytes of a plain state count. A state may end in facts about the last step, for events:
// it names the bytes before them `kMeaningful`, and its == looks at those alone.
template <PlainState S>
constexpr std::size_t meaningful_bytes() noexcept {
    if constexpr (requires { S::kMeaningful; }) {
        return S::kMeaningful;
    } else {
        return sizeof(S);
    }
}

// What rules work on: a plain state, or a value that owns its memory, as states of worlds without
// a bound on their size do. Such worlds bind their own State class and key.
template <class S>
concept ValueState =
    std::copyable<S> && std::default_initializable<S> && std::equality_comparable<S>;

// Actions and outcomes are small numbers; Python sees an int and the world gives it a text.
template <class N>
concept SmallNumber = std::unsigned_integral<N> && sizeof(N) <= 4;

// One outcome of listed chance.
template <SmallNumber Outcome>
struct Chance {
    Outcome outcome{};
    double probability = 0.0;
};

// No rule throws: what could be wrong was checked before. `apply` gets one legal action for each
// seat of `to_act`, in ascending order of seats, and draws sampled chance from `rng` alone.
template <class R>
concept WorldRules =
    std::default_initializable<R> && ValueState<typename R::State> &&
    SmallNumber<typename R::Action> &&
    requires(const R& rules, typename R::State& changed, const typename R::State& state, int seat,
             std::span<typename R::Action> legal, std::span<const typename R::Action> actions,
             Rng& rng) {
        // Sizes of buffers: the most seats any options give, and the most actions of one seat.
        { R::kMaxSeats } -> std::convertible_to<int>;
        { R::kMaxLegal } -> std::convertible_to<int>;
        // No game lasts longer, in ticks; used to decide what counts as a long call.
        { R::kLongestGame } -> std::convertible_to<std::int64_t>;

        { rules.seats() } noexcept -> std::same_as<int>;
        { rules.start(rng) } noexcept -> std::same_as<typename R::State>;
        // Who decides now: nobody when chance or the end is pending.
        { rules.to_act(state) } noexcept -> std::same_as<SeatSet>;
        // Fills the beginning of `legal`, ascending; returns how many. None unless to act.
        { rules.legal(state, seat, legal) } noexcept -> std::same_as<int>;
        { rules.apply(changed, actions, rng) } noexcept -> std::same_as<void>;
        { rules.over(state) } noexcept -> std::same_as<bool>;
        // What the seat got; asked only when the game is over.
        { rules.return_of(state, seat) } noexcept -> std::same_as<double>;
        { rules.score(state, seat) } noexcept -> std::same_as<double>;
    };

// Listed chance: `chance` fills what is pending (none: returns 0), `resolve` applies one.
template <class R>
concept ListsChance =
    WorldRules<R> && SmallNumber<typename R::Outcome> &&
    requires(const R& rules, typename R::State& changed, const typename R::State& state,
             std::span<Chance<typename R::Outcome>> listed, typename R::Outcome outcome) {
        { R::kMaxOutcomes } -> std::convertible_to<int>;
        { rules.chance(state, listed) } noexcept -> std::same_as<int>;
        { rules.resolve(changed, outcome) } noexcept -> std::same_as<void>;
    };

// Optional: settles without a list, drawing number for number as from the list.
template <class R>
concept KnowsSettle = requires(const R& rules, typename R::State& changed, Rng& rng) {
    { rules.settle(changed, rng) } noexcept -> std::same_as<void>;
};

// Optional, for worlds whose states end in facts about the last step: drops them. A step in which
// nobody acts has done nothing, so there is nothing to tell of it.
template <class R>
concept KeepsNews = requires(const R& rules, typename R::State& changed) {
    { rules.forget(changed) } noexcept -> std::same_as<void>;
};

// Optional, for worlds where one seat acts at a time: policies by name, beside "uniform". One is
// `type_first`, which draws as core/fallback.py does. `play_on` chooses, applies and settles until
// the end or the limit, and returns the ticks.
template <class R>
concept NamesPolicies =
    requires(const R& rules, typename R::State& changed, const typename R::State& state,
             std::string_view name, int policy, std::int64_t limit, Rng& rng) {
        { R::find_policy(name) } noexcept -> std::same_as<std::optional<int>>;
        { rules.choose(state, policy, rng) } noexcept -> std::same_as<typename R::Action>;
        { rules.play_on(changed, policy, limit, rng) } noexcept -> std::same_as<std::int64_t>;
    };

// Optional: actions have types, a few numbers that stand for the words of the model's
// `action_type`.
template <class R>
concept KnowsTypes = requires(typename R::Action action) {
    { R::kMostTypes } -> std::convertible_to<int>;
    { R::type_of(action) } noexcept -> std::same_as<int>;
};

// Optional: a quicker answer than looking through `legal`.
template <class R>
concept KnowsLegal =
    requires(const R& rules, const typename R::State& state, int seat, typename R::Action action) {
        { rules.is_legal(state, seat, action) } noexcept -> std::same_as<bool>;
    };

// Optional: what is played for a seat that answers wrongly; without it, the first legal action.
template <class R>
concept KnowsDefault = requires(const R& rules, const typename R::State& state, int seat) {
    { rules.default_action(state, seat) } noexcept -> std::same_as<typename R::Action>;
};

// Optional: an exact key of 64 bits for transpositions; without it, the bytes of the state.
template <class R>
concept HasShortKey = requires(const R& rules, const typename R::State& state) {
    { rules.key(state) } noexcept -> std::same_as<std::uint64_t>;
};

// Optional: who has won; without it, whoever has a return above 0. Asked when the game is over.
template <class R>
concept KnowsWinners = requires(const R& rules, const typename R::State& state, int seat) {
    { rules.has_won(state, seat) } noexcept -> std::same_as<bool>;
};

template <WorldRules R>
[[nodiscard]] bool has_won(const R& rules, const typename R::State& state, int seat) noexcept {
    if constexpr (KnowsWinners<R>) {
        return rules.has_won(state, seat);
    } else {
        return rules.return_of(state, seat) > 0.0;
    }
}

// Optional: whether the facts of a state agree with each other; the random walk asks each step.
template <class R>
concept ChecksStates = requires(const R& rules, const typename R::State& state) {
    { rules.consistent(state) } noexcept -> std::same_as<bool>;
};

}  // namespace ludex
