// Python's own error classes, raised from bindings.
#pragma once

#include <nanobind/nanobind.h>

namespace ludex {

[[noreturn]] inline void raise_budget_spent() {
    const nanobind::object error =
        nanobind::module_::import_("ludex.core.errors").attr("BudgetSpent");
    PyErr_SetString(error.ptr(), "the budget of this decision is spent");
    throw nanobind::python_error();
}

}  // namespace ludex
