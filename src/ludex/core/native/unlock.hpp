// When native code lets other Python threads run.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>

namespace ludex {

// Calls of fewer ticks than this keep the interpreter's lock: letting go of it costs more than
// other threads would win. Longer ones work on copies of states made before; the meter and the
// generator they use belong to one mind, and so to one thread at a time.
constexpr std::int64_t kLongCall = 512;

class MaybeRelease {
public:
    explicit MaybeRelease(bool release) {
        if (release) released_.emplace();
    }

private:
    std::optional<nanobind::gil_scoped_release> released_;
};

}  // namespace ludex
