// What the kernels rely on is looked at here, once per call: they index without looking. Errors name the argument.
#pragma once

#include <nanobind/nanobind.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "dot.hpp"

namespace likewise {

inline void check(bool sound, const std::string& otherwise) {
    if (!sound) throw std::invalid_argument(otherwise);
}

template <class A, class B>
void check_same_size(const char* name, const A& values, const char* other, const B& others) {
    check(std::size(values) == std::size(others), std::string(name) + ": " + std::to_string(std::size(values)) +
                                                      " values, but " + std::to_string(std::size(others)) + " " +
                                                      other);
}

// Starts of stretches of `size` values, and the end of the last.
template <class T>
void check_offsets(const char* name, std::span<const T> offsets, std::size_t size) {
    bool sound = !offsets.empty() && offsets.front() == 0 && static_cast<std::uint64_t>(offsets.back()) == size;
    for (std::size_t i = 1; sound && i < offsets.size(); ++i) sound = offsets[i - 1] <= offsets[i];
    check(sound, std::string(name) + " must begin with 0, never fall, and end with " + std::to_string(size));
}

// Numbers from `first` (0, or -1 where nothing is a value, too) up to, not including, `end`.
template <class T>
void check_range(const char* name, std::span<const T> values, std::int64_t end, std::int64_t first = 0) {
    bool sound = true;
    for (T value : values) sound &= static_cast<std::int64_t>(value) >= first && static_cast<std::int64_t>(value) < end;
    check(sound, std::string(name) + " must be from " + std::to_string(first) + " to " + std::to_string(end - 1));
}

template <class T>
void check_number(const char* name, T value, T smallest, T largest) {
    check(value >= smallest && value <= largest, std::string(name) + " must be from " + std::to_string(smallest) +
                                                     " to " + std::to_string(largest) + ", not " +
                                                     std::to_string(value));
}

// Finite, and so small that sums of squares are finite in single precision, too.
inline void check_weights(const char* name, std::span<const double> weights) {
    constexpr double kLargest = 1e30;
    bool sound = true;
    for (double weight : weights) sound &= std::abs(weight) <= kLargest;
    check(sound, std::string(name) + " must be numbers from -1e30 to 1e30");
}

inline void check_scores(const char* name, std::span<const double> scores) {
    bool sound = true;
    for (double score : scores) sound &= !std::isnan(score);
    check(sound, std::string(name) + " must be a number, not NaN");
}

inline void check_score(const char* name, double score) { check_scores(name, {&score, 1}); }

inline void check_count(const char* name, std::int64_t count) {
    check(count >= 0, std::string(name) + " must be 0 or more, not " + std::to_string(count));
}

// ids of each stretch ascend, and none comes twice.
inline void check_ascending(const char* name, std::span<const std::int64_t> indptr, std::span<const std::int32_t> ids) {
    bool sound = true;
    for (std::size_t row = 0; row + 1 < indptr.size(); ++row)
        for (std::int64_t i = indptr[row] + 1; i < indptr[row + 1]; ++i) sound &= ids[i - 1] < ids[i];
    check(sound, std::string(name) + " must ascend within a row, each once");
}

inline void check_place(const char* name, std::int64_t place, std::int64_t size) {
    if (place < 0 || place >= size)
        throw nanobind::index_error(
            (std::string(name) + " " + std::to_string(place) + " is out of range: there are " + std::to_string(size))
                .c_str());
}

inline void check_rows(const Rows& rows) {
    check_same_size("weights", rows.weights, "ids", rows.ids);
    check_offsets("indptr", rows.indptr, rows.ids.size());
    check_range("ids", rows.ids, INT32_MAX);
    check_ascending("ids", rows.indptr, rows.ids);
    check_weights("weights", rows.weights);
}

}  // namespace likewise
