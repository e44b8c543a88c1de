// One step of many states, by one thread or several.
//
// Every state has a stream of its own, so what becomes of it does not depend on who steps it, and
// states are handed out in order, so a budget that runs out leaves a beginning that is finished.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "kernels.hpp"
#include "meter.hpp"
#include "rng.hpp"
#include "world.hpp"

namespace ludex {

// Hands out places in order, as many as the meter grants. The clock is asked only by the thread
// that the meter belongs to; the others stop when it does.
class Places {
public:
    Places(std::size_t count, Meter& meter) noexcept : count_(count), meter_(meter) {}

    struct Run {
        std::size_t begin = 0, end = 0;
    };
    [[nodiscard]] Run next(bool is_owner) noexcept {
        constexpr std::size_t kMost = 32;  // about 10 microseconds: between two looks at the clock
        const std::scoped_lock lock(mutex_);
        const auto wanted = static_cast<std::int64_t>(std::min(kMost, count_ - next_));
        const std::int64_t granted = is_owner ? meter_.take(wanted) : meter_.take_untimed(wanted);
        const Run run{next_, next_ + static_cast<std::size_t>(granted)};
        next_ = run.end;
        return run;
    }
    [[nodiscard]] std::size_t handed_out() const noexcept { return next_; }

private:
    std::mutex mutex_;
    std::size_t count_;
    std::size_t next_ = 0;
    Meter& meter_;
};

// Step and settle each state in place with `given(state, seat's place)`; stream i is
// streams.fork(i). Returns how many were stepped before the budget was spent.
template <WorldRules R, class Given>
std::size_t step_batch(const R& rules, std::vector<typename R::State>& states, const Given& given,
                       const Rng& streams, Meter& meter, int threads) {
    Places places(states.size(), meter);
    std::mutex counting;
    const auto work = [&](bool is_owner) {
        const R own = rules;  // rules may keep scratch memory, which is one thread's
        Meter counted;        // what was replaced and ignored; calls were taken from `meter`
        for (auto run = places.next(is_owner); run.begin < run.end; run = places.next(is_owner)) {
            for (std::size_t i = run.begin; i < run.end; ++i) {
                Rng stream = streams.fork(i);
                const auto joint = [&](std::size_t place) { return given(i, place); };
                (void)advance(own, states[i], joint, stream, counted);
                settle(own, states[i], stream);
            }
        }
        const std::scoped_lock lock(counting);
        meter.count_replaced(counted.replaced());
        meter.count_ignored(counted.ignored());
    };
    std::vector<std::jthread> helpers;
    const bool is_spent = meter.spent();  // asked before any helper takes a call on trust
    try {
        for (int i = 1; i < threads && !is_spent; ++i) helpers.emplace_back(work, false);
    } catch (const std::system_error&) {
        // The machine has no more threads: those that started, and this one, do it all.
    }
    work(true);
    helpers.clear();  // waits for all of them
    const std::size_t reached = places.handed_out();
    // A state that the budget did not reach was copied for nothing, as in a plain loop of steps.
    meter.count_copy(static_cast<std::int64_t>(std::min(reached + 1, states.size())));
    return reached;
}

}  // namespace ludex
