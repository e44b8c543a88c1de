// Beliefs as states: rules over what one seat believes, made of any rules that hide facts. The same
// as models/believed/belief_space.py, for native searches.
//
// A belief is a value: complete states with their probabilities, or several such sets of which the
// observer will see one; that is chance of the belief's own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "hidden.hpp"
#include "kernels.hpp"
#include "keys.hpp"
#include "packing.hpp"
#include "rng.hpp"
#include "world.hpp"

namespace ludex {

template <PlainState S>
struct Hypothesis {
    S state;
    double probability = 0.0;
    friend bool operator==(const Hypothesis&, const Hypothesis&) = default;
};

// What may be seen next, how likely it is, and what is possible then: hypotheses one after the
// other.
struct Sighting {
    double probability = 0.0;
    std::uint32_t begin = 0, end = 0;
    friend bool operator==(const Sighting&, const Sighting&) = default;
};

template <PlainState S>
struct BeliefState {
    std::vector<Hypothesis<S>> possible;
    std::vector<Sighting> pending;  // empty: all of `possible` is one belief
    friend bool operator==(const BeliefState&, const BeliefState&) = default;
};

// At most `kMost` states in one belief; where more are possible, so many are drawn.
template <HidesFacts R, std::size_t kMost = 64>
class BeliefRules {
public:
    using Inner = typename R::State;
    using State = BeliefState<Inner>;
    using Action = typename R::Action;
    using Outcome = std::uint8_t;
    static constexpr int kMaxSeats = R::kMaxSeats;
    static constexpr int kMaxLegal = R::kMaxLegal;
    static constexpr int kMaxOutcomes = 255;  // what is seen beyond that counts as the last
    static constexpr std::int64_t kLongestGame = R::kLongestGame;

    BeliefRules() = default;
    BeliefRules(R inner, int observer) : inner_(std::move(inner)), observer_(observer) {}

    [[nodiscard]] int seats() const noexcept { return inner_.seats(); }
    [[nodiscard]] State start(Rng& rng) const noexcept {
        State belief;
        belief.possible.push_back({inner_.start(rng), 1.0});
        return belief;
    }
    // So many determinisations of what is seen, each as likely.
    [[nodiscard]] State imagined(const typename R::Glance& glance, std::size_t count,
                                 Rng& rng) const {
        std::vector<Hypothesis<Inner>> drawn;
        for (std::size_t i = 0; i < count; ++i) {
            Hypothesis<Inner> one{{}, 1.0};
            if (determinise(inner_, glance, rng, one.state)) drawn.push_back(one);
        }
        State belief;
        append_merged(drawn, belief.possible, rng);
        return belief;
    }

    // All see who acts.
    [[nodiscard]] SeatSet to_act(const State& belief) const noexcept {
        return belief.pending.empty() ? inner_.to_act(belief.possible[0].state) : kNobody;
    }

    // What is legal in some state that is possible.
    [[nodiscard]] int legal(const State& belief, int seat, std::span<Action> out) const noexcept {
        if (!belief.pending.empty()) return 0;
        int count = inner_.legal(belief.possible[0].state, seat, out);
        LegalBuffer<R> more;
        for (std::size_t i = 1; i < belief.possible.size(); ++i) {
            const int others = inner_.legal(belief.possible[i].state, seat, more);
            LegalBuffer<R> both;
            const auto end = std::set_union(out.begin(), out.begin() + count, more.begin(),
                                            more.begin() + others, both.begin());
            count = static_cast<int>(std::min<std::ptrdiff_t>(end - both.begin(), kMaxLegal));
            std::copy(both.begin(), both.begin() + count, out.begin());
        }
        return count;
    }

    void legality(const State& belief, int seat, std::span<const Action> legal,
                  std::span<double> out) const noexcept {
        std::fill(out.begin(), out.end(), 0.0);
        for (const Hypothesis<Inner>& one : belief.possible) {
            for (std::size_t i = 0; i < legal.size(); ++i) {
                if (is_legal(inner_, one.state, seat, legal[i])) out[i] += one.probability;
            }
        }
        for (double& chance : out) chance = std::min(1.0, chance);
    }

    // States in which an action is not legal are ruled out; the rest is divided by what is seen.
    void apply(State& belief, std::span<const Action> actions, Rng& rng) const noexcept {
        std::vector<Hypothesis<Inner>> after;
        const SeatSet acting = inner_.to_act(belief.possible[0].state);
        for (const Hypothesis<Inner>& one : belief.possible) {
            SeatSet seats = acting;
            bool are_legal = true;
            for (std::size_t i = 0; i < actions.size(); ++i, seats &= seats - 1) {
                are_legal =
                    are_legal && is_legal(inner_, one.state, std::countr_zero(seats), actions[i]);
            }
            if (!are_legal) continue;
            Hypothesis<Inner> stepped = one;
            inner_.apply(stepped.state, actions, rng);
            settle_all(stepped, after);
        }
        divide(after, belief, rng);
    }

    [[nodiscard]] int chance(const State& belief, std::span<Chance<Outcome>> out) const noexcept {
        for (std::size_t i = 0; i < belief.pending.size(); ++i) {
            out[i] = {static_cast<Outcome>(i), belief.pending[i].probability};
        }
        return static_cast<int>(belief.pending.size());
    }
    void resolve(State& belief, Outcome outcome) const noexcept {
        const Sighting seen = belief.pending[outcome];
        belief.possible = {belief.possible.begin() + seen.begin,
                           belief.possible.begin() + seen.end};
        belief.pending.clear();
    }

    [[nodiscard]] bool over(const State& belief) const noexcept {
        return belief.pending.empty() && inner_.over(belief.possible[0].state);
    }
    [[nodiscard]] double return_of(const State& belief, int seat) const noexcept {
        return expected(belief, [&](const Inner& state) { return inner_.return_of(state, seat); });
    }
    [[nodiscard]] double score(const State& belief, int seat) const noexcept {
        return expected(belief, [&](const Inner& state) { return inner_.score(state, seat); });
    }

    [[nodiscard]] const R& inner() const noexcept { return inner_; }
    [[nodiscard]] int observer() const noexcept { return observer_; }

private:
    template <class ValueOf>
    [[nodiscard]] static double expected(const State& belief, const ValueOf& value_of) noexcept {
        const auto sum = [&](std::size_t begin, std::size_t end) {
            double total = 0.0;
            for (std::size_t i = begin; i < end; ++i) {
                total += belief.possible[i].probability * value_of(belief.possible[i].state);
            }
            return total;
        };
        if (belief.pending.empty()) return sum(0, belief.possible.size());
        double total = 0.0;
        for (const Sighting& seen : belief.pending) {
            total += seen.probability * sum(seen.begin, seen.end);
        }
        return total;
    }

    // All that listed chance makes of a state.
    void settle_all(const Hypothesis<Inner>& one, std::vector<Hypothesis<Inner>>& after) const {
        if constexpr (ListsChance<R>) {
            std::array<Chance<typename R::Outcome>, static_cast<std::size_t>(R::kMaxOutcomes)>
                listed;
            if (const int count = inner_.chance(one.state, listed)) {
                for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
                    Hypothesis<Inner> next = one;
                    inner_.resolve(next.state, listed[i].outcome);
                    next.probability *= listed[i].probability;
                    settle_all(next, after);
                }
                return;
            }
        }
        after.push_back(one);
    }

    // Divide what is possible by what the observer sees of it, in the order in which it comes up.
    void divide(const std::vector<Hypothesis<Inner>>& after, State& belief, Rng& rng) const {
        std::vector<Key> sights;
        std::vector<std::vector<Hypothesis<Inner>>> groups;
        double total = 0.0;
        for (const Hypothesis<Inner>& one : after) {
            total += one.probability;
            Key sight = view_key_of(inner_, one.state, observer_);
            sight.high ^= inner_.over(one.state) ? 1U : 0U;
            auto place = static_cast<std::size_t>(std::find(sights.begin(), sights.end(), sight) -
                                                  sights.begin());
            if (place == sights.size() && place < static_cast<std::size_t>(kMaxOutcomes)) {
                sights.push_back(sight);
                groups.emplace_back();
            }
            place = std::min(place, groups.size() - 1);
            groups[place].push_back(one);
        }
        belief.possible.clear();
        belief.pending.clear();
        for (const auto& group : groups) {
            double share = 0.0;
            for (const Hypothesis<Inner>& one : group) share += one.probability;
            const auto begin = static_cast<std::uint32_t>(belief.possible.size());
            append_merged(group, belief.possible, rng);
            const auto end = static_cast<std::uint32_t>(belief.possible.size());
            if (groups.size() > 1) belief.pending.push_back({share / total, begin, end});
        }
    }

    // Equal states as one, normalised; of too many, some that are drawn by their probability.
    void append_merged(const std::vector<Hypothesis<Inner>>& group,
                       std::vector<Hypothesis<Inner>>& out, Rng& rng) const {
        std::vector<Hypothesis<Inner>> merged = once_each(group);
        if (merged.size() > kMost) {
            std::vector<double> weights;
            for (const Hypothesis<Inner>& one : merged) weights.push_back(one.probability);
            std::vector<Hypothesis<Inner>> drawn;
            for (std::size_t i = 0; i < kMost; ++i) {
                drawn.push_back({merged[rng.weighted(weights)].state, 1.0});
            }
            merged = once_each(drawn);
        }
        double total = 0.0;
        for (const Hypothesis<Inner>& one : merged) total += one.probability;
        for (Hypothesis<Inner>& one : merged) {
            one.probability /= total;
            out.push_back(one);
        }
    }

    [[nodiscard]] std::vector<Hypothesis<Inner>> once_each(
        const std::vector<Hypothesis<Inner>>& group) const {
        std::vector<Hypothesis<Inner>> merged;
        for (const Hypothesis<Inner>& one : group) {
            const auto same = std::find_if(
                merged.begin(), merged.end(),
                [&](const Hypothesis<Inner>& other) { return other.state == one.state; });
            if (same == merged.end()) {
                merged.push_back(one);
            } else {
                same->probability += one.probability;
            }
        }
        return merged;
    }

    R inner_;
    int observer_ = 0;
};

template <HidesFacts R, std::size_t kMost>
[[nodiscard]] unsigned ignorable(const BeliefRules<R, kMost>& rules,
                                 std::string_view name) noexcept {
    return ignored_bit(rules.inner(), name);
}

// What is possible and how likely, in any order.
template <HidesFacts R, std::size_t kMost>
void add_key(const BeliefRules<R, kMost>& rules,
             const typename BeliefRules<R, kMost>::State& belief, unsigned ignored,
             KeyHash& hash) noexcept {
    std::uint64_t low = 0, high = 0;
    for (const auto& one : belief.possible) {
        const Key key = key_of(rules.inner(), one.state, ignored);
        const auto weight = static_cast<std::uint64_t>(std::llround(one.probability * 1e12));
        low += mix(key.low ^ mix(weight));
        high += mix(key.high + mix(weight ^ 1U));
    }
    hash.add(low).add(high).add(belief.pending.size());
}

// Beliefs in search trees; see packing.hpp.
template <PlainState S>
[[nodiscard]] std::size_t packed_size(const BeliefState<S>& belief) noexcept {
    return 2 * sizeof(std::uint64_t) + belief.possible.size() * sizeof(Hypothesis<S>) +
           belief.pending.size() * sizeof(Sighting);
}
template <PlainState S>
void pack(const BeliefState<S>& belief, std::byte* out) noexcept {
    const std::array<std::uint64_t, 2> sizes{belief.possible.size(), belief.pending.size()};
    std::memcpy(out, sizes.data(), sizeof sizes);
    out += sizeof sizes;
    std::memcpy(out, belief.possible.data(), sizes[0] * sizeof(Hypothesis<S>));
    if (sizes[1] > 0) {
        std::memcpy(out + sizes[0] * sizeof(Hypothesis<S>), belief.pending.data(),
                    sizes[1] * sizeof(Sighting));
    }
}
template <PlainState S>
void unpack(const std::byte* packed, BeliefState<S>& belief) {
    std::array<std::uint64_t, 2> sizes{};
    std::memcpy(sizes.data(), packed, sizeof sizes);
    packed += sizeof sizes;
    belief.possible.resize(sizes[0]);
    std::memcpy(static_cast<void*>(belief.possible.data()), packed,
                sizes[0] * sizeof(Hypothesis<S>));
    belief.pending.resize(sizes[1]);
    if (sizes[1] > 0) {
        std::memcpy(belief.pending.data(), packed + sizes[0] * sizeof(Hypothesis<S>),
                    sizes[1] * sizeof(Sighting));
    }
}

}  // namespace ludex
