// When native code lets other Python threads run.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>

#include "meter.hpp"

namespace ludex {

// Calls of fewer ticks than this keep the interpreter's lock: letting go of it costs more than
// other threads would win. Longer ones work on copies of states made before, and on a part of the
// meter that was taken from it, so that threads may share a model. The generator they are given
// is, as a state, the caller's: two threads must not draw from one.
constexpr std::int64_t kLongCall = 512;

// A call that may be long: while it lasts, other Python threads run.
class LongCall {
public:
    // `ticks`: the most that it can take.
    LongCall(bool is_long, Meter& shared, std::int64_t ticks) : shared_(shared) {
        if (!is_long) return;
        part_.emplace(shared, ticks);
        released_.emplace();
    }
    LongCall(const LongCall&) = delete;
    LongCall& operator=(const LongCall&) = delete;
    ~LongCall() {
        if (!part_) return;
        released_.reset();  // the meter is touched under the lock alone
        shared_.take_back(*part_);
    }

    [[nodiscard]] Meter& meter() noexcept { return part_ ? *part_ : shared_; }

private:
    Meter& shared_;
    std::optional<Meter> part_;
    std::optional<nanobind::gil_scoped_release> released_;
};

}  // namespace ludex
