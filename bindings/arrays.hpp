// Arrays in as views, arrays out as owning capsules, without a copy.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
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
template <class T, class Allocator>
nanobind::ndarray<nanobind::numpy, T> to_numpy(std::vector<T, Allocator>&& values) {
    using Values = std::vector<T, Allocator>;
    auto kept = std::make_unique<Values>(std::move(values));
    T* data = kept->data();
    std::size_t size = kept->size();
    nanobind::capsule owner(kept.get(), [](void* pointer) noexcept { delete static_cast<Values*>(pointer); });
    kept.release();
    return nanobind::ndarray<nanobind::numpy, T>(data, {size}, owner);
}

// A copy of what the core keeps.
template <class Values>
auto copy_to_numpy(const Values& values) {
    return to_numpy(std::vector<typename Values::value_type>(values.begin(), values.end()));
}

}  // namespace likewise
