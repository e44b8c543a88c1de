// What a rollout returns to Python. Shared by the bindings of all native worlds.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

namespace ludex {

struct Rollout {
    nanobind::object state;
    std::int64_t ticks = 0;
    nanobind::object scores;   // tuple of float, one per seat
    nanobind::object returns;  // the same, or None while the game goes on
    bool cut = false;
    nanobind::object trace;
};

}  // namespace ludex
