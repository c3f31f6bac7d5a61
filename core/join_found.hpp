// Pairs found by chunks of rows, brought into the order of a result.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "huge.hpp"
#include "join.hpp"
#include "join_candidates.hpp"

namespace likewise::join {

using Found = std::vector<std::vector<Pair>>;  // by chunk

// By left text, then by score. What was found is freed on the way.
inline HugeVector<Pair> sorted_by_left(Found& found, std::int64_t lefts) {
    std::vector<std::int64_t> starts(static_cast<std::size_t>(lefts) + 1, 0);
    for (auto& pairs : found)
        for (auto& pair : pairs) ++starts[pair.left + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<std::int64_t> next(starts);
    HugeVector<Pair> sorted(static_cast<std::size_t>(starts.back()));
    for (auto& pairs : found) {
        for (auto& pair : pairs) sorted[next[pair.left]++] = pair;
        std::vector<Pair>().swap(pairs);
    }
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
        std::sort(sorted.begin() + starts[i], sorted.begin() + starts[i + 1]);
    return sorted;
}

inline void put_columns(std::span<const Pair> pairs, Result& result) {
    std::size_t place = result.left.size();
    result.left.resize(place + pairs.size());
    result.right.resize(place + pairs.size());
    result.score.resize(place + pairs.size());
    for (const Pair& pair : pairs) {
        result.left[place] = pair.left;
        result.right[place] = pair.right;
        result.score[place++] = pair.score;
    }
}

}  // namespace likewise::join
