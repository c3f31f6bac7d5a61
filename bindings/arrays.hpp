// Arrays in as views, arrays out as owning capsules, without a copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <span>
#include <utility>
#include <vector>

namespace likewise {

// A one-dimensional contiguous NumPy array, read only.
template <class T>
using View = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <class T>
std::span<const T> span_of(const View<T>& array) {
    return {array.data(), array.size()};
}

// Hands a vector to NumPy, which frees it in the end.
template <class T>
nanobind::ndarray<nanobind::numpy, T> to_numpy(std::vector<T>&& values, std::initializer_list<std::size_t> shape = {}) {
    auto* kept = new std::vector<T>(std::move(values));
    nanobind::capsule owner(kept, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
    if (shape.size()) return nanobind::ndarray<nanobind::numpy, T>(kept->data(), shape, owner);
    return nanobind::ndarray<nanobind::numpy, T>(kept->data(), {kept->size()}, owner);
}

}  // namespace likewise
