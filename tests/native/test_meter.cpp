// The meter: exact counts, and deadlines that hold for quick and for slow ticks.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

#include "check.hpp"
#include "meter.hpp"

using ludex::Meter;
using Clock = std::chrono::steady_clock;

static void burn(std::int64_t ns) {
    const auto end = Clock::now() + std::chrono::nanoseconds(ns);
    while (Clock::now() < end) {
    }
}

static void test_calls_are_counted_exactly() {
    for (const std::int64_t limit : {0, 1, 2, 63, 64, 65, 480, 10'000}) {
        Meter meter;
        meter.arm(limit, Meter::kNoLimit, Meter::Clock::cpu);
        std::int64_t granted = 0;
        while (meter.spend()) ++granted;
        CHECK(granted == limit && meter.calls() == limit && meter.spent());
        CHECK(!meter.spend() && meter.calls() == limit);
    }
}

static void test_take_grants_what_is_left() {
    Meter meter;
    meter.arm(10, Meter::kNoLimit, Meter::Clock::cpu);
    CHECK(meter.take(4) == 4 && meter.take(0) == 0 && meter.take(-3) == 0);
    CHECK(meter.spend());
    CHECK(meter.take(100) == 5 && meter.take(1) == 0 && !meter.spend());
    CHECK(meter.calls() == 10);
}

// How far past its deadline a decision of ticks of this length ran, by CPU time: the least of
// a few tries, because a busy machine may charge us for its own work.
static std::int64_t overrun_ns(std::int64_t tick_ns) {
    constexpr std::int64_t kBudget = 20'000'000;
    std::int64_t least = Meter::kNoLimit;
    for (int attempt = 0; attempt < 5; ++attempt) {
        Meter meter;
        meter.arm(Meter::kNoLimit, kBudget, Meter::Clock::cpu);
        while (meter.spend()) {
            if (tick_ns > 0) burn(tick_ns);
        }
        const std::int64_t over = meter.cpu_ns() - kBudget;
        CHECK(over >= 0);
        CHECK(!meter.spend() && meter.spent());
        least = std::min(least, over);
    }
    return least;
}

static void test_slow_ticks_after_quick_ones_are_noticed() {
    Meter meter;
    meter.arm(Meter::kNoLimit, 20'000'000, Meter::Clock::cpu);
    for (int i = 0; i < 10'000; ++i) CHECK(meter.spend());
    while (meter.spend()) burn(200'000);
    // At most one whole interval of slow ticks goes by before the clock is read again.
    CHECK(meter.cpu_ns() < 20'000'000 + (Meter::kLongestInterval + 4) * 200'000);
}

static void test_arming_forgets_the_last_decision() {
    Meter meter;
    meter.arm(1, Meter::kNoLimit, Meter::Clock::cpu);
    CHECK(meter.spend() && !meter.spend());
    meter.count_copy(3);
    meter.arm(2, Meter::kNoLimit, Meter::Clock::cpu);
    CHECK(meter.calls() == 0 && meter.copies() == 0 && !meter.spent() && meter.spend());
}

static void test_helpers_take_calls_without_asking_the_clock() {
    Meter meter;
    meter.arm(10, 0, Meter::Clock::cpu);  // late from the beginning
    CHECK(meter.take_untimed(4) == 4 && meter.calls() == 4);
    CHECK(meter.take_untimed(9) == 6 && meter.take_untimed(1) == 0);
    meter.arm(10, 0, Meter::Clock::cpu);
    CHECK(meter.take(1) == 0);          // the owner has looked,
    CHECK(meter.take_untimed(1) == 0);  // and nobody goes on
}

static void test_a_part_that_was_lent_is_given_back() {
    Meter meter;
    meter.arm(100, Meter::kNoLimit, Meter::Clock::cpu);
    CHECK(meter.spend());
    Meter part(meter, 60);
    CHECK(meter.calls() == 61);  // others cannot spend what is lent
    for (int i = 0; i < 20; ++i) CHECK(part.spend());
    part.count_copy(2);
    part.count_replaced();
    meter.take_back(part);
    CHECK(meter.calls() == 21 && meter.copies() == 2 && meter.replaced() == 1);
    Meter rest(meter, 1'000'000);
    for (int i = 0; i < 79; ++i) CHECK(rest.spend());
    CHECK(!rest.spend());
    meter.take_back(rest);
    CHECK(meter.calls() == 100 && meter.spent() && !meter.spend());
}

static void test_a_part_of_an_earlier_decision_does_not_count_for_this_one() {
    Meter meter;
    Meter part(meter, 50);
    CHECK(part.spend());
    meter.arm(10, Meter::kNoLimit, Meter::Clock::cpu);
    meter.take_back(part);
    CHECK(meter.calls() == 0 && meter.calls_ever() == 1);
}

static void test_a_part_ends_with_the_time() {
    Meter meter;
    meter.arm(Meter::kNoLimit, 0, Meter::Clock::cpu);
    Meter part(meter, 5);
    CHECK(!part.spend());
    meter.take_back(part);
    CHECK(meter.calls() == 0 && meter.spent());
}

// The CPU time of another thread says nothing about this budget.
static void test_another_thread_goes_by_the_wall_clock() {
    Meter meter;
    burn(3'000'000);
    meter.arm(Meter::kNoLimit, 1'000'000, Meter::Clock::cpu);
    std::thread([&] {
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(2);
        while (std::chrono::steady_clock::now() < end) {
        }
        CHECK(meter.spent());
    }).join();
}

// Lets work go on as often as it is allowed to.
class LetsGoOn final : public ludex::StopHandler {
public:
    explicit LetsGoOn(int times) : times_(times) {}
    [[nodiscard]] bool goes_on() noexcept override { return times_-- > 0; }

private:
    int times_;
};

static void test_whoever_is_told_to_stop_goes_on_if_the_handler_says_so() {
    Meter meter;
    Meter part(meter, 1'000);
    std::atomic<bool> stop{false};
    LetsGoOn once(1);
    part.end_on(stop, &once);
    CHECK(part.spend() && !part.spent());
    stop = true;
    CHECK(!part.spent() && part.spend());
    CHECK(!stop);  // it is told again when somebody sets it again
    stop = true;
    CHECK(part.spent() && stop);
    std::int64_t granted = 2;
    while (part.spend()) ++granted;
    CHECK(granted <= 2 + Meter::kLongestInterval);
    meter.take_back(part);
    CHECK(meter.calls() == granted);
}

int main() {
    test_whoever_is_told_to_stop_goes_on_if_the_handler_says_so();
    test_a_part_that_was_lent_is_given_back();
    test_a_part_of_an_earlier_decision_does_not_count_for_this_one();
    test_a_part_ends_with_the_time();
    test_another_thread_goes_by_the_wall_clock();
    test_helpers_take_calls_without_asking_the_clock();
    test_calls_are_counted_exactly();
    test_take_grants_what_is_left();
    CHECK(overrun_ns(0) < 1'000'000);
    CHECK(overrun_ns(2'000) < 1'000'000);
    CHECK(overrun_ns(300'000) < 1'300'000);  // a tick that has begun is finished
    test_slow_ticks_after_quick_ones_are_noticed();
    test_arming_forgets_the_last_decision();
}
