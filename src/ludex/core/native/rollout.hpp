// What a rollout returns to Python. Shared by the bindings of all native worlds.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <utility>

namespace ludex {

// One number per seat: a tuple for Python that is made when it is first asked for, because a
// search reads one of the two that each rollout has.
class PerSeat {
public:
    static constexpr int kFew = 4;

    // Nothing at all: None in Python.
    PerSeat() = default;
    explicit PerSeat(nanobind::object given) : tuple_(std::move(given)) {}

    template <class Value>
    static PerSeat from(int seats, Value&& value) {
        PerSeat made;
        if (seats > kFew) {
            made.tuple_ = build(seats, value);
            return made;
        }
        made.seats_ = seats;
        for (int seat = 0; seat < seats; ++seat) {
            made.values_[static_cast<std::size_t>(seat)] = value(seat);
        }
        return made;
    }

    nanobind::object tuple() {
        if (!tuple_.is_valid()) {
            tuple_ =
                seats_ == 0 ? nanobind::object(nanobind::none()) : build(seats_, [this](int seat) {
                    return values_[static_cast<std::size_t>(seat)];
                });
        }
        return tuple_;
    }

private:
    template <class Value>
    static nanobind::object build(int seats, Value&& value) {
        PyObject* const tuple = PyTuple_New(seats);
        for (int seat = 0; seat < seats; ++seat) {
            PyTuple_SET_ITEM(tuple, seat, PyFloat_FromDouble(value(seat)));
        }
        return nanobind::steal(tuple);
    }

    nanobind::object tuple_;
    int seats_ = 0;
    std::array<double, kFew> values_{};
};

struct Rollout {
    nanobind::object state;
    std::int64_t ticks = 0;
    PerSeat scores;
    PerSeat returns;  // nothing while the game goes on
    bool cut = false;
    nanobind::object trace;
    nanobind::object before;  // where they were asked for: the state before the last tick,
    nanobind::object last;    // and the actions of that tick
};

}  // namespace ludex
