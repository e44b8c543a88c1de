// Python's own error classes, raised from bindings.
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace ludex {

// Raise an error of ludex.core.errors.
[[noreturn]] inline void raise_error(const char* name, const std::string& sentence) {
    const nanobind::object error = nanobind::module_::import_("ludex.core.errors").attr(name);
    PyErr_SetString(error.ptr(), sentence.c_str());
    throw nanobind::python_error();
}

[[noreturn]] inline void raise_budget_spent() {
    raise_error("BudgetSpent", "the budget of this decision is spent");
}

[[noreturn]] inline void raise_bad_parameter(const std::string& sentence) {
    raise_error("BadParameter", sentence);
}

[[noreturn]] inline void raise_illegal_action(const std::string& sentence) {
    raise_error("IllegalAction", sentence);
}

[[noreturn]] inline void raise_invalid_state(const std::string& sentence) {
    raise_error("InvalidState", sentence);
}

// What Python would print of an object, shortened; anything may have been handed in.
[[nodiscard]] inline std::string shown(nanobind::handle object) {
    constexpr std::size_t kLongest = 80;
    const nanobind::object text = nanobind::steal(PyObject_Repr(object.ptr()));
    const char* letters = text.is_valid() ? PyUnicode_AsUTF8(text.ptr()) : nullptr;
    if (letters == nullptr) {
        PyErr_Clear();
        return std::string("an object of class ") + Py_TYPE(object.ptr())->tp_name;
    }
    std::string shortened(letters);
    for (char& sign : shortened) {  // a terminal would obey control characters
        if (static_cast<unsigned char>(sign) < 0x20U || sign == 0x7F) sign = '?';
    }
    if (shortened.size() <= kLongest) return shortened;
    std::size_t end = kLongest - 3;
    while (end > 0 && (static_cast<unsigned char>(shortened[end]) & 0xC0U) == 0x80U) --end;
    return shortened.substr(0, end) + "...";
}

}  // namespace ludex
