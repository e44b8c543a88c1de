// Runs the iterations of a search within its budget, in one thread or in several.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "../meter.hpp"
#include "../rng.hpp"

namespace ludex::search {

// How a search ended. Stopped: somebody set `stop`; it can go on with the same tree, but what an
// unfinished iteration drew is lost.
enum class Ending : std::uint8_t { spent, done, stopped };

struct Budget {
    std::int64_t iterations = 0;  // the most that may be made, planners/parts/budget.py
    int threads = 1;
};

// Iterations are numbered. `Search` offers `Worker worker(Meter&, Rng&, int thread)`, and its
// worker `bool iterate(number)`, which is false when the budget ended on the way, and `bool
// done()`.
template <class Search>
Ending run_alone(Search& search, const Budget& budget, std::int64_t& next, Meter& meter, Rng& rng,
                 std::atomic<bool>& stop, StopHandler* handler = nullptr) {
    meter.end_on(stop, handler);
    auto worker = search.worker(meter, rng, 0);
    // An iteration that ends in a known result may need no call, so the clock is asked before each.
    while (next < budget.iterations && !meter.spent()) {
        if (!worker.iterate(next)) break;
        ++next;
        if (worker.done()) return Ending::done;
    }
    return stop.load(std::memory_order_relaxed) ? Ending::stopped : Ending::spent;
}

// Several threads on one tree, each with a stream of its own. Numbers are handed out in order; an
// iteration that the budget cuts short gives its number up.
template <class Search>
Ending run_together(Search& search, const Budget& budget, std::int64_t& next, Meter& shared,
                    const Rng& rng, std::atomic<bool>& stop) {
    std::mutex lending;
    std::mutex failing;
    std::exception_ptr failure;
    std::atomic<std::int64_t> number{next};
    std::atomic<bool> is_done{false};
    std::vector<std::unique_ptr<Meter>> meters;
    for (int thread = 0; thread < budget.threads; ++thread) {
        meters.push_back(std::make_unique<Meter>(shared, lending));
        meters.back()->end_on(stop);
    }
    const auto work = [&](int thread) {
        Meter& meter = *meters[static_cast<std::size_t>(thread)];
        Rng stream = rng.fork("thread").fork(static_cast<std::uint64_t>(thread));
        try {
            auto worker = search.worker(meter, stream, thread);
            while (!meter.spent()) {
                const std::int64_t mine = number.fetch_add(1, std::memory_order_relaxed);
                if (mine >= budget.iterations || !worker.iterate(mine)) break;
                if (worker.done()) {
                    is_done = true;
                    stop = true;
                }
            }
        } catch (...) {
            const std::scoped_lock lock(failing);
            failure = std::current_exception();
            stop = true;
        }
    };
    {
        std::vector<std::jthread> helpers;
        try {
            for (int thread = 1; thread < budget.threads; ++thread) {
                helpers.emplace_back(work, thread);
            }
        } catch (const std::system_error&) {
            // The machine has no more threads: those that started, and this one, do it all.
        }
        work(0);
    }
    for (const auto& meter : meters) shared.take_back(*meter);
    if (failure) std::rethrow_exception(failure);
    next = std::min(number.load(), budget.iterations);
    if (is_done) return Ending::done;
    return stop ? Ending::stopped : Ending::spent;
}

// A lock for a moment; where one thread searches, none.
class SpinLock {
public:
    void lock() noexcept {
        while (flag_.test_and_set(std::memory_order_acquire)) {
            for (int spins = 0; flag_.test(std::memory_order_relaxed); ++spins) {
                if (spins == 1024) {  // its holder may wait for a processor
                    std::this_thread::yield();
                    spins = 0;
                }
            }
        }
    }
    void unlock() noexcept { flag_.clear(std::memory_order_release); }

private:
    std::atomic_flag flag_{};
};

struct NoLock {
    void lock() noexcept {}
    void unlock() noexcept {}
};

// A number that several threads may change, or that one thread alone does.
template <bool kShared>
using Counter = std::conditional_t<kShared, std::atomic<std::int64_t>, std::int64_t>;

}  // namespace ludex::search
