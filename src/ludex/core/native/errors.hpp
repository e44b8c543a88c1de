// Python's own error classes, raised from bindings.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace ludex {

[[noreturn]] inline void raise_budget_spent() {
    const nanobind::object error =
        nanobind::module_::import_("ludex.core.errors").attr("BudgetSpent");
    PyErr_SetString(error.ptr(), "the budget of this decision is spent");
    throw nanobind::python_error();
}

[[noreturn]] inline void raise_bad_parameter(const std::string& sentence) {
    const nanobind::object error =
        nanobind::module_::import_("ludex.core.errors").attr("BadParameter");
    PyErr_SetString(error.ptr(), sentence.c_str());
    throw nanobind::python_error();
}

}  // namespace ludex
