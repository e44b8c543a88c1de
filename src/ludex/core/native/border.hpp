// The border to Python: states, seats, actions and outcomes are looked at here, once, before rules
// see them. Rules may then trust what they get.
//
// What passes costs a comparison; what does not is refused in one sentence.
#pragma once

#include <nanobind/nanobind.h>

#include <bit>
#include <cstdint>
#include <string>

#include "errors.hpp"
#include "owner.hpp"
#include "world.hpp"

namespace ludex {

namespace nb = nanobind;

// A state as it was handed in; nothing where it is not even of this world's class. It is taken as
// an argument in place of `State&`, so that a stranger meets our sentence and not a list of types.
template <class S>
struct Given {
    S* state = nullptr;
    PyObject* object = nullptr;
};

// A seat as it was handed in; -1 where it is no number that could be one.
struct Seat {
    int number = -1;
    PyObject* object = nullptr;
};

[[noreturn]] inline void raise_foreign_class(nb::handle given, nb::handle wanted) {
    const nb::object own = nb::getattr(wanted, "__module__", nb::str("?"));
    raise_error("ForeignState",
                "expected a state of this model (" + nb::cast<std::string>(own) + "." +
                    nb::cast<std::string>(nb::getattr(wanted, "__name__", nb::str("State"))) +
                    "), got " + shown(given) + "; states come from world.start and from the model");
}

[[noreturn]] inline void raise_foreign_state(nb::handle given) {
    raise_error("ForeignState",
                "the state " + shown(given) +
                    " is of other rules than this model's; states belong to the world, the "
                    "options and the level that made them");
}

// The state, if it is one of these rules.
template <class R>
[[nodiscard]] typename R::State& own_state(const R& rules, const Given<typename R::State>& given) {
    if (given.state == nullptr) [[unlikely]] {
        raise_foreign_class(given.object, nb::type<typename R::State>());
    }
    if constexpr (OwnsStates<R>) {
        if (!rules.owns(*given.state)) [[unlikely]] {
            if (!rules.admit(*given.state)) raise_foreign_state(given.object);
        }
    }
    return *given.state;
}

// Any state of the class, for what needs no rules.
template <class S>
[[nodiscard]] S& any_state(const Given<S>& given) {
    if (given.state == nullptr) [[unlikely]]
        raise_foreign_class(given.object, nb::type<S>());
    return *given.state;
}

[[noreturn]] inline void raise_no_such_seat(nb::handle given, int seats) {
    raise_error("NoSuchSeat", (seats == 1 ? std::string("the only seat is 0")
                                          : "seats are 0 to " + std::to_string(seats - 1)) +
                                  ", got " + shown(given));
}

[[nodiscard]] inline int own_seat(int seats, const Seat& given) {
    if (given.number < 0 || given.number >= seats) [[unlikely]] {
        raise_no_such_seat(given.object, seats);
    }
    return given.number;
}

template <WorldRules R>
[[nodiscard]] int own_seat(const R& rules, const Seat& given) {
    return own_seat(rules.seats(), given);
}

// `to_act` and what was given for it do not fit.
[[noreturn]] inline void raise_wrong_number(SeatSet seats, std::size_t given) {
    std::string listed;
    for (SeatSet left = seats; left != kNobody; left &= left - 1) {
        listed += (listed.empty() ? "" : ", ") + std::to_string(std::countr_zero(left));
    }
    const int count = std::popcount(seats);
    raise_illegal_action(
        (count == 1 ? "1 seat acts now (seat " : std::to_string(count) + " seats act now (seats ") +
        listed + "), got " + std::to_string(given) + (given == 1 ? " action" : " actions"));
}

// A joint action for the seats that act now. Where nobody acts anything goes: nothing is done.
inline void check_number(SeatSet seats, std::size_t given) {
    if (seats != kNobody && static_cast<std::size_t>(std::popcount(seats)) != given) [[unlikely]] {
        raise_wrong_number(seats, given);
    }
}

}  // namespace ludex

namespace nanobind::detail {

// None is handed on, too, to be refused by our sentence.
template <class S>
struct has_arg_defaults<ludex::Given<S>> : std::true_type {};
template <>
struct has_arg_defaults<ludex::Seat> : std::true_type {};

template <class S>
struct type_caster<ludex::Given<S>> {
    NB_TYPE_CASTER(ludex::Given<S>, make_caster<S>::Name)

    bool from_python(handle src, std::uint32_t flags, cleanup_list* cleanup) noexcept {
        make_caster<S> caster;
        value.object = src.ptr();
        value.state = caster.from_python(src, flags & ~std::uint32_t(cast_flags::convert), cleanup)
                          ? caster.operator S*()
                          : nullptr;
        return true;
    }
};

template <>
struct type_caster<ludex::Seat> {
    NB_TYPE_CASTER(ludex::Seat, const_name("int"))

    bool from_python(handle src, std::uint32_t /*flags*/, cleanup_list* /*cleanup*/) noexcept {
        value.object = src.ptr();
        int overflow = 0;
        long number = -1;
        if (PyLong_Check(src.ptr())) [[likely]] {
            number = PyLong_AsLongAndOverflow(src.ptr(), &overflow);
        } else if (PyIndex_Check(src.ptr())) {  // numpy's
            PyObject* const index = PyNumber_Index(src.ptr());
            if (index == nullptr) {
                PyErr_Clear();
            } else {
                number = PyLong_AsLongAndOverflow(index, &overflow);
                Py_DECREF(index);
            }
        }
        value.number = overflow == 0 && number >= 0 && number < 256 ? static_cast<int>(number) : -1;
        return true;
    }
};

}  // namespace nanobind::detail
