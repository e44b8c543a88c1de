// Python's ObjectRows.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "object_rows.hpp"

namespace ludex {

namespace nb = nanobind;

// id, type, category and cell.
inline nb::object thing_of(const ObjectRows& rows, const ObjectRow* row) {
    if (row == nullptr) return nb::none();
    const ObjectCell cell = rows.cell(*row);
    return nb::make_tuple(row->id, row->type, row->category, nb::make_tuple(cell.x, cell.y));
}

inline ObjectRows read_rows(const nb::object& rows, int block, const std::vector<int>& aside) {
    if (block < 1) throw nb::value_error("a cell has at least one pixel");
    Py_buffer buffer;
    if (PyObject_GetBuffer(rows.ptr(), &buffer, PyBUF_SIMPLE) != 0) throw nb::python_error();
    const auto size = static_cast<std::size_t>(buffer.len);
    std::vector<ObjectRow> read(size / sizeof(ObjectRow));
    const bool whole = size % sizeof(ObjectRow) == 0;
    if (whole && size != 0) std::memcpy(read.data(), buffer.buf, size);
    PyBuffer_Release(&buffer);
    if (!whole) throw nb::value_error("objects are rows of seven 32-bit numbers");
    std::uint32_t bits = 0;
    for (const ObjectRow& row : read) {
        if (row.category < 0 || row.category > 31) {
            throw nb::value_error("categories are numbers from 0 to 31");
        }
    }
    for (const int category : aside) {
        if (category < 0 || category > 31) {
            throw nb::value_error("categories are numbers from 0 to 31");
        }
        bits |= 1U << static_cast<unsigned>(category);
    }
    return {std::move(read), block, bits};
}

// Those objects that are listed and for which `wanted` holds.
template <class Wanted>
nb::list things(const ObjectRows& rows, Wanted&& wanted) {
    nb::list found;
    for (const ObjectRow& row : rows.rows()) {
        if (rows.listed(row) && wanted(row)) found.append(thing_of(rows, &row));
    }
    return found;
}

// The type and place of each listed object of a square, in the order of the rows.
inline nb::bytes around(const ObjectRows& rows, int column, int row, int reach) {
    std::vector<std::int32_t> found;
    for (const ObjectRow& one : rows.rows()) {
        if (rows.listed(one) && rows.within(one, {column, row}, reach)) {
            const ObjectCell cell = rows.cell(one);
            found.insert(found.end(), {one.type, cell.x, cell.y});
        }
    }
    return nb::bytes(found.data(), found.size() * sizeof(std::int32_t));
}

inline nb::list changes(const ObjectRows& self, const ObjectRows& later) {
    nb::list found;
    self.differences(later, [&](const ObjectRow* old, const ObjectRow* now) {
        if (!self.listed(now != nullptr ? *now : *old)) return;
        found.append(nb::make_tuple(thing_of(self, old), thing_of(later, now)));
    });
    return found;
}

inline void bind_objects(nb::module_& m) {
    using namespace nb::literals;
    nb::class_<ObjectRows>(
        m, "ObjectRows",
        "The rows of a view. An object is listed as (id, type, category, (column, row)), without "
        "those of the categories that are left aside.")
        .def(
            "__init__",
            [](ObjectRows* self, const nb::object& rows, int block, const std::vector<int>& aside) {
                new (self) ObjectRows(read_rows(rows, block, aside));
            },
            nb::sig("def __init__(self, rows: object, block: int, aside: "
                    "collections.abc.Sequence[int] = ...) -> None"),
            "rows"_a, "block"_a, "aside"_a = std::vector<int>{})
        .def("__len__", [](const ObjectRows& self) { return self.rows().size(); })
        .def("has", &ObjectRows::has, "id"_a, "Whether there is an object of this id.")
        .def("has_category", &ObjectRows::has_category, "category"_a,
             "Whether there is an object of this category.")
        .def_prop_ro("digest", &ObjectRows::digest,
                     "A number that is the same for the same rows in any order.")
        .def(
            "listed",
            [](const ObjectRows& self) {
                return things(self, [](const ObjectRow&) { return true; });
            },
            nb::sig("def listed(self) -> list[tuple[int, int, int, tuple[int, int]]]"),
            "All objects.")
        .def(
            "at",
            [](const ObjectRows& self, int column, int row) {
                return things(
                    self, [&](const ObjectRow& one) { return self.within(one, {column, row}, 0); });
            },
            nb::sig("def at(self, column: int, row: int) -> "
                    "list[tuple[int, int, int, tuple[int, int]]]"),
            "column"_a, "row"_a, "The objects in a cell.")
        .def("around", &around, "column"_a, "row"_a, "reach"_a,
             "The same for the same types in the same cells, as far as they are at most `reach` "
             "columns and rows away.")
        .def(
            "of_types",
            [](const ObjectRows& self, const std::vector<int>& types) {
                return things(self, [&](const ObjectRow& one) {
                    return std::ranges::find(types, one.type) != types.end();
                });
            },
            nb::sig("def of_types(self, types: collections.abc.Sequence[int]) -> "
                    "list[tuple[int, int, int, tuple[int, int]]]"),
            "types"_a, "The objects of some types.")
        .def("changes", &changes,
             nb::sig("def changes(self, later: ObjectRows) -> "
                     "list[tuple[tuple[int, int, int, tuple[int, int]] | None, "
                     "tuple[int, int, int, tuple[int, int]] | None]]"),
             "later"_a,
             "The objects that moved, became another, appeared or disappeared: before and after.");
}

}  // namespace ludex
