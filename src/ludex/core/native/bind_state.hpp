// Binds a plain state: copy, copy_from, ==, hash and pickle. nanobind gives none by itself.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/operators.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "rng.hpp"
#include "world.hpp"

namespace ludex {

template <PlainState S>
[[nodiscard]] std::uint64_t hash_of(const S& state) noexcept {
    // Words of eight bytes; the rest of the last one is zero. The size cannot differ.
    constexpr std::size_t kSize = meaningful_bytes<S>();
    std::array<std::uint64_t, (kSize + 7) / 8> words{};
    std::memcpy(words.data(), &state, kSize);
    std::uint64_t hash = kSize;
    for (const std::uint64_t word : words) hash = mix(hash ^ word) + word;
    return hash;
}

// Add `str` and what else the world shows to the class this returns. States are pooled: planners
// make and drop them all the time.
template <PlainState S>
nanobind::class_<S> bind_state(nanobind::module_& m, const char* doc, const char* name = "State") {
    namespace nb = nanobind;
    using namespace nb::literals;
    nb::class_<S> state(m, name, nb::pooled(1024), doc);
    state.def("copy", [](const S& self) { return self; })
        .def(
            "copy_from", [](S& self, const S& other) { self = other; }, "other"_a)
        .def(
            "__eq__", [](const S& self, const S& other) { return self == other; },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const S& self) {
                 // -1 means an error to Python.
                 const auto hash = static_cast<Py_hash_t>(hash_of(self));
                 return hash == -1 ? -2 : hash;
             })
        .def("__getstate__",
             [](const S& self) {
                 return nb::bytes(reinterpret_cast<const char*>(&self), sizeof(S));
             })
        .def("__setstate__", [](S& self, const nb::bytes& bytes) {
            if (bytes.size() != sizeof(S)) {
                throw nb::value_error("these bytes are not a pickled state of this world");
            }
            new (&self) S();
            std::memcpy(&self, bytes.data(), sizeof(S));
        });
    return state;
}

}  // namespace ludex
