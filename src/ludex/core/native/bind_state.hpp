// Binds a plain state: copy, copy_from, ==, hash and pickle. nanobind gives none by itself.
//
// A pickle is the bytes of the state and a checksum of them. What comes back is looked at as far as
// that needs no rules; the rules look at the rest when they first meet the state (owner.hpp).
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/operators.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "border.hpp"
#include "errors.hpp"
#include "owner.hpp"
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

// The bytes of a pickle.
[[nodiscard]] inline nanobind::bytes sealed(std::string content) {
    const std::uint64_t sum = checksum(content);
    content.append(reinterpret_cast<const char*>(&sum), sizeof sum);
    return nanobind::bytes(content.data(), content.size());
}

// What was sealed; InvalidState when it is damaged.
[[nodiscard]] inline std::string_view unsealed(const nanobind::bytes& bytes) {
    std::string_view content(bytes.c_str(), bytes.size());
    std::uint64_t sum = 0;
    if (content.size() >= sizeof sum) {
        std::memcpy(&sum, content.data() + content.size() - sizeof sum, sizeof sum);
        content.remove_suffix(sizeof sum);
        if (checksum(content) == sum) return content;
    }
    raise_invalid_state("these " + std::to_string(bytes.size()) +
                        " bytes are not a pickled state of this world, or they are damaged; "
                        "pickle the state again");
}

template <PlainState S>
[[nodiscard]] nanobind::bytes pickled(const S& state) {
    return sealed({reinterpret_cast<const char*>(&state), sizeof(S)});
}

// InvalidState when these are not the bytes of such a state. It is its rules' by claim alone.
template <PlainState S>
[[nodiscard]] S unpickled(const nanobind::bytes& bytes) {
    const std::string_view content = unsealed(bytes);
    S state;
    bool is_good = content.size() == sizeof(S);
    if (is_good) std::memcpy(&state, content.data(), sizeof(S));
    if constexpr (HasOwner<S>) owner_of(state) = claim_of(owner_of(state));
    if constexpr (ChecksBytes<S>) is_good = is_good && is_sound(state);
    if (!is_good) {
        raise_invalid_state("these " + std::to_string(bytes.size()) +
                            " bytes hold numbers that no state of this world has; pickle the "
                            "state again");
    }
    return state;
}

// `copy_from`: what any state of the class may take over from another.
template <class S>
void take_over(S& self, const Given<S>& other) {
    const S& from = any_state(other);
    if (&self != &from) self = from;
}

// Add `str` and what else the world shows to the class this returns. States are pooled: planners
// make and drop them all the time.
template <PlainState S>
nanobind::class_<S> bind_state(nanobind::module_& m, const char* doc, const char* name = "State") {
    namespace nb = nanobind;
    using namespace nb::literals;
    nb::class_<S> state(m, name, nb::pooled(1024), doc);
    state.def("copy", [](const S& self) { return self; })
        .def("copy_from", &take_over<S>, "other"_a)
        .def(
            "__eq__", [](const S& self, const S& other) { return self == other; },
            nb::is_operator(), nb::sig("def __eq__(self, other: object, /) -> bool"))
        .def("__hash__",
             [](const S& self) {
                 // -1 means an error to Python.
                 const auto hash = static_cast<Py_hash_t>(hash_of(self));
                 return hash == -1 ? -2 : hash;
             })
        .def("__getstate__", &pickled<S>)
        .def("__setstate__",
             [](S& self, const nb::bytes& bytes) { new (&self) S(unpickled<S>(bytes)); });
    return state;
}

}  // namespace ludex
