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

// Columns by left text, then by score. They are the only place that all pairs are brought to; what was found is freed
// on the way.
inline void put_sorted(Found& found, std::int64_t lefts, Result& result) {
    std::vector<std::int64_t> next(static_cast<std::size_t>(lefts) + 1, 0);
    for (auto& pairs : found)
        for (auto& pair : pairs) ++next[pair.left + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    auto size = static_cast<std::size_t>(next.back());
    result.right.resize(size);
    result.score.resize(size);
    for (auto& pairs : found) {
        for (auto& pair : pairs) {
            std::int64_t place = next[pair.left]++;
            result.right[place] = pair.right;
            result.score[place] = pair.score;
        }
        std::vector<Pair>().swap(pairs);
    }
    result.left.resize(size);
    std::vector<Pair> row;
    for (std::int64_t left = 0, place = 0; left < lefts; ++left) {
        row.clear();
        for (auto at = place; at < next[left]; ++at)
            row.push_back(
                {result.score[at], static_cast<std::int32_t>(left), static_cast<std::int32_t>(result.right[at])});
        std::sort(row.begin(), row.end());
        for (const Pair& pair : row) {
            result.left[place] = pair.left;
            result.right[place] = pair.right;
            result.score[place++] = pair.score;
        }
    }
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
