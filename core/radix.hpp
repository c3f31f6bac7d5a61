// Sorting by small numbers.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

namespace likewise {

// Sorts keys, whose upper halves are `largest` at most, by these; those that are equal there stay in order where the
// lower halves ascend. `spare` is scratch space.
inline void sort_by_upper(std::vector<std::uint64_t>& keys, std::vector<std::uint64_t>& spare, std::uint32_t largest) {
    if (keys.size() < 24) {
        std::sort(keys.begin(), keys.end());
        return;
    }
    spare.resize(keys.size());
    // As few digits as the largest needs, none longer than the list is worth.
    int width = std::bit_width(largest), most = keys.size() < 1000 ? 8 : 11;
    int passes = (width + most - 1) / most, bits = passes ? (width + passes - 1) / passes : 0;
    std::uint32_t mask = (1u << bits) - 1;
    for (int pass = 0; pass < passes; ++pass) {
        int shift = 32 + pass * bits;
        std::array<std::uint32_t, 1 << 11> starts;
        std::fill_n(starts.begin(), mask + 1, 0);
        for (std::uint64_t key : keys) ++starts[(key >> shift) & mask];
        std::uint32_t sum = 0;
        for (std::uint32_t digit = 0; digit <= mask; ++digit) sum += std::exchange(starts[digit], sum);
        for (std::uint64_t key : keys) spare[starts[(key >> shift) & mask]++] = key;
        keys.swap(spare);
    }
}

}  // namespace likewise
