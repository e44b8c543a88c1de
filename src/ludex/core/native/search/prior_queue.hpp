// Priors that somebody else works out, in batches, while the search goes on.
//
// A node that is opened asks for its priors and has equal ones until the answer is in. Whoever
// answers (a thread of Python's) takes requests when it has time; the search never waits, neither
// for answers nor at its end. Answers are applied by the searching threads themselves, between two
// iterations, so nodes are touched by nobody else.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "../world.hpp"

namespace ludex::search {

template <WorldRules R>
class PriorQueue {
public:
    struct Request {
        std::uint64_t number = 0;
        typename R::State state;
        int seat = 0;
        std::vector<typename R::Action> legal;
    };
    struct Answer {
        std::uint64_t number = 0;
        std::vector<double> priors;  // of the legal actions, normalised
    };
    static constexpr std::size_t kMostWaiting =
        4096;  // more nodes than that stay with equal priors

    // Returns the number of the request, or nothing when too many wait.
    [[nodiscard]] std::uint64_t ask(const typename R::State& state, int seat,
                                    std::span<const typename R::Action> legal) {
        const std::scoped_lock lock(mutex_);
        ++asked_;
        if (is_closed_ || waiting_.size() == kMostWaiting) return 0;
        waiting_.push_back({++last_, state, seat, {legal.begin(), legal.end()}});
        is_asked_.notify_one();
        return last_;
    }

    // Up to `most` requests, waiting for the first of them; none once the search is over.
    [[nodiscard]] std::vector<Request> take(std::size_t most, std::chrono::milliseconds longest) {
        std::unique_lock lock(mutex_);
        is_asked_.wait_for(lock, longest, [&] { return is_closed_ || !waiting_.empty(); });
        std::vector<Request> taken;
        while (!is_closed_ && taken.size() < most && !waiting_.empty()) {
            taken.push_back(std::move(waiting_.front()));
            waiting_.pop_front();
        }
        return taken;
    }

    void answer(std::uint64_t number, std::vector<double> priors) {
        const std::scoped_lock lock(mutex_);
        if (is_closed_) return;
        answered_.push_back({number, std::move(priors)});
        has_answers_.store(true, std::memory_order_release);
    }

    [[nodiscard]] bool has_answers() const noexcept {
        return has_answers_.load(std::memory_order_acquire);
    }
    [[nodiscard]] std::vector<Answer> answers() {
        const std::scoped_lock lock(mutex_);
        has_answers_.store(false, std::memory_order_relaxed);
        return std::exchange(answered_, {});
    }

    void close() {
        const std::scoped_lock lock(mutex_);
        is_closed_ = true;
        waiting_.clear();
        is_asked_.notify_all();
    }
    [[nodiscard]] bool is_closed() const {
        const std::scoped_lock lock(mutex_);
        return is_closed_;
    }
    // Nodes that asked.
    [[nodiscard]] std::uint64_t asked() const {
        const std::scoped_lock lock(mutex_);
        return asked_;
    }

private:
    mutable std::mutex mutex_;
    std::condition_variable is_asked_;
    std::deque<Request> waiting_;
    std::vector<Answer> answered_;
    std::atomic<bool> has_answers_{false};
    std::uint64_t last_ = 0;
    std::uint64_t asked_ = 0;
    bool is_closed_ = false;
};

}  // namespace ludex::search
