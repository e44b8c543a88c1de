// The meter of one decision: how many model calls were made, and whether more may be.
#pragma once

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace ludex {

class Meter;

// The model calls of a whole process: of all meters that Python made, also of those that are
// gone. A meter is asked only when somebody wants the sum, so counting costs nothing more.
class Tally {
public:
    enum class Kind : std::uint8_t { open, apart };  // apart: a part's own, outside of budgets

    void add(const Meter& meter, Kind kind);
    void retire(const Meter& meter) noexcept;
    [[nodiscard]] std::int64_t calls(Kind kind) const;

private:
    mutable std::mutex lock_;
    std::unordered_map<const Meter*, Kind> living_;
    std::int64_t retired_[2] = {0, 0};
};

// Asked when work is told to stop: it may go on, in the midst of what it does, as if nothing was.
class StopHandler {
public:
    [[nodiscard]] virtual bool goes_on() noexcept = 0;

protected:
    ~StopHandler() = default;
};

// One call is one application of decisions: a step, an advance, or one tick inside a rollout.
// The hot path is one comparison; the clock is read only every `interval_` calls, and that
// interval adapts so that a check happens about every 50 microseconds. It never grows beyond a
// few dozen calls: then ticks that suddenly become slow cannot run far past the deadline, and
// reading the clock still costs less than a nanosecond per tick.
class Meter {
public:
    static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

    static constexpr std::int64_t kLongestInterval = 64;

    enum class Clock : std::uint8_t { cpu, wall };

    // Without a budget: it counts and never ends.
    Meter() noexcept { arm(kNoLimit, kNoLimit, Clock::cpu); }
    ~Meter() {
        if (tally_ != nullptr) tally_->retire(*this);
    }
    Meter& operator=(const Meter&) = delete;

    // A part of a budget for one long call, during which other threads may use the lender's meter:
    // up to `wanted` calls, and the same deadline. What is left of them is given back after it.
    Meter(Meter& lender, std::int64_t wanted) noexcept : Meter(std::as_const(lender)) {
        constexpr std::int64_t kMost = std::int64_t{1} << 40;  // so that sums stay in range
        tally_ = nullptr;                                      // the calls are the lender's
        earlier_calls_ = calls_ = copies_ = replaced_ = ignored_ = 0;
        limit_ =
            std::clamp<std::int64_t>(lender.limit_ - lender.calls_, 0, std::min(wanted, kMost));
        next_check_ = time_ns_ == kNoLimit ? limit_ : 0;
        lender.calls_ += limit_;
    }

    // A part for one of several threads: its calls come from the lender in small loans, under the
    // lock, and its time is wall time, which all of them share.
    Meter(Meter& lender, std::mutex& lock) noexcept : Meter(lender, 0) {
        lender_ = &lender;
        lock_ = &lock;
        clock_ = Clock::wall;
    }

    // Have the calls of this meter counted there, too, even after its end.
    void count_in(Tally& tally, Tally::Kind kind) {
        tally.add(*this, kind);
        tally_ = &tally;
    }

    // Forget the last decision; allow `limit` calls and `time_ns` of the calling thread's time.
    void arm(std::int64_t limit, std::int64_t time_ns, Clock clock) noexcept {
        ++armed_;
        thread_ = this_thread();
        earlier_calls_ += calls_;
        calls_ = copies_ = replaced_ = ignored_ = 0;
        limit_ = limit;
        time_ns_ = time_ns;
        clock_ = clock;
        start_wall_ = now(CLOCK_MONOTONIC);
        start_cpu_ = now(CLOCK_THREAD_CPUTIME_ID);
        last_check_ = start_wall_;
        interval_ = 1;
        late_ = false;
        earliest_end_ = time_ns_;
        next_check_ = time_ns_ == kNoLimit ? limit_ : std::min<std::int64_t>(limit_, 1);
    }

    // Of a part: also end when this is set, which somebody else may do at any time, unless the
    // handler lets it go on.
    void end_on(std::atomic<bool>& stop, StopHandler* handler = nullptr) noexcept {
        stop_ = &stop;
        stop_handler_ = handler;
        next_check_ = std::min(next_check_, calls_);
    }

    // Take one call; false when the budget is spent, and then nothing is counted.
    [[nodiscard]] bool spend() noexcept {
        if (calls_ < next_check_) [[likely]] {
            ++calls_;
            return true;
        }
        return check() && (++calls_, true);
    }

    // Take up to `wanted` calls at once (batches); returns how many were granted.
    [[nodiscard]] std::int64_t take(std::int64_t wanted) noexcept {
        if (wanted <= 0 || spent()) return 0;
        const std::int64_t granted = std::min(wanted, limit_ - calls_);
        calls_ += granted;
        if (time_ns_ != kNoLimit) next_check_ = std::min(limit_, calls_);
        return granted;
    }

    // The same without asking the clock, for threads that are not the one whose time counts.
    [[nodiscard]] std::int64_t take_untimed(std::int64_t wanted) noexcept {
        if (late_) return 0;
        const std::int64_t granted = std::clamp<std::int64_t>(limit_ - calls_, 0, wanted);
        calls_ += granted;
        return granted;
    }

    // Of calls that were taken, those that were not made.
    void untake(std::int64_t calls) noexcept { calls_ -= calls; }

    void take_back(const Meter& part) noexcept {
        const bool is_same_decision = armed_ == part.armed_;
        (is_same_decision ? calls_ : earlier_calls_) -= part.limit_ - part.calls_;
        copies_ += part.copies_;
        replaced_ += part.replaced_;
        ignored_ += part.ignored_;
        if (!is_same_decision) return;
        late_ = late_ || part.late_;
        if (late_) next_check_ = std::min(next_check_, calls_);
    }

    // Reads the clock, so a planner that makes no model calls can ask, too.
    [[nodiscard]] bool spent() noexcept {
        return late_ || is_late() || is_stopped() || (calls_ >= limit_ && !borrow());
    }

    // Whether its time is over, for long work between two calls.
    [[nodiscard]] bool out_of_time() noexcept { return late_ || is_late(); }

    [[nodiscard]] std::int64_t calls() const noexcept { return calls_; }
    // Of all decisions; arming does not touch it, so nobody can hide calls by arming again.
    [[nodiscard]] std::int64_t calls_ever() const noexcept { return earlier_calls_ + calls_; }
    [[nodiscard]] std::int64_t limit() const noexcept { return limit_; }
    [[nodiscard]] std::int64_t copies() const noexcept { return copies_; }
    [[nodiscard]] std::int64_t replaced() const noexcept { return replaced_; }
    [[nodiscard]] std::int64_t ignored() const noexcept { return ignored_; }
    void count_copy(std::int64_t n = 1) noexcept { copies_ += n; }
    void count_replaced(std::int64_t n = 1) noexcept { replaced_ += n; }
    void count_ignored(std::int64_t n = 1) noexcept { ignored_ += n; }

    [[nodiscard]] std::int64_t cpu_ns() const noexcept {
        return now(CLOCK_THREAD_CPUTIME_ID) - start_cpu_;
    }
    [[nodiscard]] std::int64_t wall_ns() const noexcept {
        return now(CLOCK_MONOTONIC) - start_wall_;
    }

private:
    Meter(const Meter&) = default;  // of a part alone: other copies would count calls twice

    static std::int64_t now(clockid_t clock) noexcept {
        timespec t{};
        clock_gettime(clock, &t);
        return static_cast<std::int64_t>(t.tv_sec) * 1'000'000'000 + t.tv_nsec;
    }

    // Names the running thread among those that live.
    static const void* this_thread() noexcept { return __builtin_thread_pointer(); }

    // CPU time of one thread never runs ahead of wall time, so the cheap wall clock is asked
    // first, and the costly CPU clock only when the wall has moved on by all that was left.
    bool is_late() noexcept {
        if (time_ns_ == kNoLimit) return false;
        const std::int64_t wall = wall_ns();
        if (wall < earliest_end_) return false;
        // The CPU clock is that of the thread that armed; for others the wall clock counts.
        const bool is_by_wall = clock_ == Clock::wall || thread_ != this_thread();
        const std::int64_t left = is_by_wall ? 0 : time_ns_ - cpu_ns();
        late_ = left <= 0;
        earliest_end_ = wall + left;
        if (late_) next_check_ = calls_;  // no call is granted on credit from here on
        return late_;
    }

    [[nodiscard]] bool is_stopped() const noexcept {
        return stop_ != nullptr && stop_->load(std::memory_order_relaxed) && !goes_on();
    }

    [[nodiscard]] bool goes_on() const noexcept {
        if (stop_handler_ == nullptr) return false;
        stop_->store(false, std::memory_order_relaxed);  // before: it may be set again meanwhile
        if (stop_handler_->goes_on()) return true;
        stop_->store(true, std::memory_order_relaxed);
        return false;
    }

    // Another loan; false when the lender has none left.
    bool borrow() noexcept {
        constexpr std::int64_t kLoan = 256;
        if (lender_ == nullptr) return false;
        const std::scoped_lock lock(*lock_);
        const std::int64_t granted = lender_->take_untimed(kLoan);
        limit_ += granted;
        return granted > 0;
    }

    bool check() noexcept {
        if (late_ || is_late()) return false;
        if (is_stopped() || (calls_ >= limit_ && !borrow())) return false;
        if (time_ns_ == kNoLimit && stop_ == nullptr) {
            next_check_ = limit_;
            return true;
        }
        const std::int64_t wall = now(CLOCK_MONOTONIC);
        const std::int64_t since = wall - last_check_;
        last_check_ = wall;
        if (since < 25'000) {
            interval_ = std::min(interval_ * 2, kLongestInterval);
        } else if (since > 100'000) {
            interval_ = std::max<std::int64_t>(interval_ / 4, 1);
        }
        next_check_ = limit_ - calls_ <= interval_ ? limit_ : calls_ + interval_;
        return true;
    }

    std::int64_t calls_ = 0;
    std::int64_t earlier_calls_ = 0;
    std::int64_t next_check_ = kNoLimit;
    std::int64_t limit_ = kNoLimit;
    std::int64_t time_ns_ = kNoLimit;
    std::int64_t copies_ = 0;
    std::int64_t replaced_ = 0;
    std::int64_t ignored_ = 0;
    std::int64_t start_wall_ = 0;
    std::int64_t start_cpu_ = 0;
    std::int64_t last_check_ = 0;
    std::int64_t earliest_end_ = 0;  // of the budget, in wall time since the start
    std::int64_t interval_ = 1;
    Tally* tally_ = nullptr;
    std::atomic<bool>* stop_ = nullptr;
    StopHandler* stop_handler_ = nullptr;
    Meter* lender_ = nullptr;
    std::mutex* lock_ = nullptr;
    std::uint64_t armed_ = 0;       // how often
    const void* thread_ = nullptr;  // that armed
    Clock clock_ = Clock::cpu;
    bool late_ = false;
};

inline void Tally::add(const Meter& meter, Kind kind) {
    const std::scoped_lock lock(lock_);
    living_.insert_or_assign(&meter, kind);
}

inline void Tally::retire(const Meter& meter) noexcept {
    const std::scoped_lock lock(lock_);
    const auto found = living_.find(&meter);
    if (found == living_.end()) return;
    retired_[static_cast<int>(found->second)] += meter.calls_ever();
    living_.erase(found);
}

inline std::int64_t Tally::calls(Kind kind) const {
    const std::scoped_lock lock(lock_);
    std::int64_t sum = retired_[static_cast<int>(kind)];
    for (const auto& [meter, its] : living_) {
        if (its == kind) sum += meter->calls_ever();
    }
    return sum;
}

}  // namespace ludex
