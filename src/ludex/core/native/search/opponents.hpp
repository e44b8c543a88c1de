// Other seats in a search that plans for one; the twin of planners/parts/opponents.py.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "../kernels.hpp"
#include "../meter.hpp"
#include "../rng.hpp"
#include "../world.hpp"
#include "evaluator.hpp"

namespace ludex::search {

enum class Opponent : std::uint8_t { random, same, pessimistic };
constexpr std::array<std::string_view, 3> kOpponentNames{"random", "same", "pessimistic"};

constexpr int kLongestWait = 1000;  // ticks of others in a row, then a state is taken as it is

template <class Action>
void shuffle(std::span<Action> actions, Rng& rng) noexcept {
    for (std::size_t i = actions.size(); i > 1; --i) {
        std::swap(actions[i - 1], actions[rng.below(i)]);
    }
}

template <WorldRules R>
class Opponents {
public:
    using State = typename R::State;
    using Action = typename R::Action;

    Opponents(const R& rules, Opponent aim, int own_seat, const Evaluator<R>& evaluator)
        : rules_(&rules), aim_(aim), own_seat_(own_seat), evaluator_(evaluator) {}

    // Play an action in place, and let the others play until our seat acts again. False when the
    // budget ended on the way.
    [[nodiscard]] bool act(State& state, Action action, Meter& meter, Rng& rng) {
        const SeatSet ours = SeatSet{1} << own_seat_;
        for (int wait = 0; wait < kLongestWait; ++wait) {
            const SeatSet seats = rules_->to_act(state);
            JointAction<R> joint;
            std::size_t acting = 0;
            for (SeatSet left = seats; left != kNobody; left &= left - 1, ++acting) {
                const int seat = std::countr_zero(left);
                joint[acting] = action;
                if (seat == own_seat_) continue;
                const bool is_known = (seats & ours) != 0;
                if (!choose(state, seats, seat, is_known ? &action : nullptr, meter, rng,
                            joint[acting])) {
                    return false;
                }
            }
            if (!meter.spend()) return false;
            rules_->apply(state, std::span<const Action>(joint.data(), acting), rng);
            settle(*rules_, state, rng);
            const SeatSet next = rules_->to_act(state);
            if ((next & ours) != 0 || next == kNobody) return true;
        }
        return true;
    }

private:
    // Choose for a seat; `ours` is our action where we act at once, which a pessimist fears to be
    // known. Other actions of the same tick are drawn.
    [[nodiscard]] bool choose(const State& state, SeatSet seats, int seat, const Action* ours,
                              Meter& meter, Rng& rng, Action& chosen) {
        LegalBuffer<R> legal;
        const std::span<Action> actions = legal_of(state, seat, legal);
        if (aim_ == Opponent::random || actions.size() == 1) {
            chosen = actions[rng.below(actions.size())];
            return true;
        }
        JointAction<R> joint;
        std::size_t acting = 0, place = 0;
        for (SeatSet left = seats; left != kNobody; left &= left - 1, ++acting) {
            const int one = std::countr_zero(left);
            if (one == seat) place = acting;
            LegalBuffer<R> its;
            const std::span<Action> listed = legal_of(state, one, its);
            joint[acting] = listed[rng.below(listed.size())];
            const bool is_feared = aim_ == Opponent::pessimistic && one == own_seat_;
            if (is_feared && ours != nullptr) joint[acting] = *ours;
        }
        shuffle(actions, rng);  // equals have no favourite
        const bool is_pessimist = aim_ == Opponent::pessimistic;
        const auto aim = static_cast<std::size_t>(is_pessimist ? own_seat_ : seat);
        double best = -INFINITY;
        chosen = actions[0];
        for (const Action action : actions) {
            joint[place] = action;
            after_ = state;
            meter.count_copy();
            if (!meter.spend()) return false;
            rules_->apply(after_, std::span<const Action>(joint.data(), acting), rng);
            settle(*rules_, after_, rng);
            PerSeat<R> values;
            evaluator_.value_of(*rules_, after_, 0, values);
            const double value = is_pessimist ? -values[aim] : values[aim];
            if (value > best) {
                best = value;
                chosen = action;
            }
        }
        return true;
    }

    [[nodiscard]] std::span<Action> legal_of(const State& state, int seat, LegalBuffer<R>& legal) {
        const int count = rules_->legal(state, seat, legal);
        return std::span<Action>(legal).first(static_cast<std::size_t>(count));
    }

    const R* rules_;
    Opponent aim_;
    int own_seat_;
    Evaluator<R> evaluator_;
    State after_;
};

}  // namespace ludex::search
