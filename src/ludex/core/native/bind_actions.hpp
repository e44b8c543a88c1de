// How actions from Python are read.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>

#include "errors.hpp"
#include "world.hpp"

namespace ludex {

namespace nb = nanobind;

// A number that is in range, or nothing: rubbish from outside is replaced, not refused.
template <SmallNumber N>
[[nodiscard]] std::optional<N> read_number(PyObject* item) noexcept {
    int overflow = 0;
    long long value = 0;
    if (PyLong_Check(item)) [[likely]] {
        value = PyLong_AsLongLongAndOverflow(item, &overflow);
    } else {
        PyObject* const index = PyIndex_Check(item) ? PyNumber_Index(item) : nullptr;  // numpy
        if (index == nullptr) {
            PyErr_Clear();
            return std::nullopt;
        }
        value = PyLong_AsLongLongAndOverflow(index, &overflow);
        Py_DECREF(index);
    }
    if (overflow != 0 || value < 0 ||
        static_cast<unsigned long long>(value) > std::numeric_limits<N>::max()) {
        return std::nullopt;
    }
    return static_cast<N>(value);
}

// Reads actions straight from Python's tuple; a place that is missing is no action.
template <WorldRules R>
auto actions_in(nb::handle actions) noexcept {
    PyObject* const tuple = actions.ptr();
    return [tuple](std::size_t place) -> std::optional<typename R::Action> {
        const auto index = static_cast<Py_ssize_t>(place);
        if (index >= PyTuple_GET_SIZE(tuple)) return std::nullopt;
        return read_number<typename R::Action>(PyTuple_GET_ITEM(tuple, index));
    };
}

inline void check_joint(nb::handle joint) {
    if (PyTuple_Check(joint.ptr())) [[likely]]
        return;
    raise_bad_parameter("joint actions are a tuple with one action for each seat, got " +
                        shown(joint));
}

// A joint action for a later tick, when other seats may act than now.
inline void check_planned(nb::handle joint, int seats) {
    check_joint(joint);
    const Py_ssize_t given = PyTuple_GET_SIZE(joint.ptr());
    if (given <= seats) [[likely]]
        return;
    raise_illegal_action("a joint action has at most " + std::to_string(seats) +
                         " actions here, got " + std::to_string(given));
}

// What can be gone through several times, whatever Python code does meanwhile.
inline nb::object as_tuple(nb::handle items, const char* what) {
    nb::object tuple = nb::steal(PySequence_Tuple(items.ptr()));
    if (tuple.is_valid()) [[likely]]
        return tuple;
    if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) nb::raise_python_error();
    PyErr_Clear();
    raise_bad_parameter(std::string(what) + ", got " + shown(items));
}

}  // namespace ludex
