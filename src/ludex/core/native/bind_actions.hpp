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
    if (PyTuple_Check(joint.ptr())) return;
    raise_bad_parameter("joint actions are a tuple with one action for each seat, got " +
                        nb::cast<std::string>(nb::repr(joint)));
}

}  // namespace ludex
