// Arrays between numpy and native code, and forests read from them.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

#include "forest.hpp"

namespace ludex {

namespace nb = nanobind;

template <class N, std::size_t D>
using Array = nb::ndarray<const N, nb::ndim<D>, nb::c_contig, nb::device::cpu>;

// Hands a vector over to numpy.
template <class N>
nb::object as_array(std::vector<N>&& values, std::initializer_list<std::size_t> shape) {
    auto* const kept = new std::vector<N>(std::move(values));
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<N>*>(p); });
    return nb::cast(nb::ndarray<nb::numpy, N>(kept->data(), shape, owner));
}

// `width` is the length of the rows that will be asked, `leaves` how many leaves are known.
inline Forest read_forest(const Array<std::int16_t, 1>& features,
                          const Array<std::int16_t, 1>& cuts, const Array<std::int32_t, 1>& rights,
                          const Array<std::int32_t, 1>& roots, std::size_t width,
                          std::size_t leaves) {
    Forest forest;
    if (cuts.shape(0) != features.shape(0) || rights.shape(0) != features.shape(0)) {
        throw nb::value_error("the arrays of a forest are not of one length");
    }
    forest.nodes.reserve(features.shape(0));
    for (std::size_t i = 0; i < features.shape(0); ++i) {
        forest.nodes.push_back({features(i), cuts(i), rights(i)});
    }
    forest.roots.assign(roots.data(), roots.data() + roots.shape(0));
    if (const char* const problem = problem_of(forest, width, leaves)) {
        throw nb::value_error(problem);
    }
    return forest;
}

}  // namespace ludex
