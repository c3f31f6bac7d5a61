// The two loops that a join spends its time in: adding a list to the accumulators of a block, and finding what has
// grown above a limit. The accumulators are 16-bit upper bounds.
#pragma once

#include <cstdint>
#include <span>

#include "join_index.hpp"

namespace likewise::join {

// One list to be added: to a text's accumulator goes x + weight (sum) or x * weight / 2^16, rounded up (product).
struct List {
    const Index::Posting* postings;
    std::uint32_t size;
    std::uint32_t x;
    bool from_zero;              // see Row::Entry
    const std::uint8_t* column;  // the same texts as a column, or nullptr
    std::uint8_t shift;
};

// A text of the block and what its accumulator was.
struct Hit {
    std::uint16_t place, sum;
};

template <bool Product, bool Saturate>
inline void accumulate_one(std::uint16_t& cell, std::uint32_t x, std::uint32_t weight) {
    std::uint64_t sum;
    if constexpr (Product)
        sum = ((static_cast<std::uint64_t>(x) * weight) >> 16) + 1 + cell;
    else
        sum = static_cast<std::uint64_t>(x) + weight + cell;
    if constexpr (Saturate) sum = sum < 65535 ? sum : 65535;
    cell = static_cast<std::uint16_t>(sum);
}

template <bool Product, bool Saturate>
inline void accumulate(std::uint16_t* cells, const List& list) {
    const Index::Posting* posting = list.postings;
    for (std::uint32_t i = 0; i < list.size; ++i)
        accumulate_one<Product, Saturate>(cells[posting[i].text], list.x, posting[i].weight);
}

// Adds the lists that have columns to the cells [0, to): the same as the lists, but for the rounding of the weights,
// and never beyond 65535. In the product family their x are below 65536.
void add_columns(std::uint16_t* cells, std::int32_t to, std::span<const List> lists, bool product);

// Writes the cells of [from, to) that are above `limit`, or above their own need less `lowered` (needs may be nullptr),
// to `hits`, ascending, and sets all these cells to 0. `from` is a multiple of 64; cells up to the next one after `to`
// are there and 0. Returns how many were found.
std::int32_t collect_above(std::uint16_t* cells, std::int32_t from, std::int32_t to, std::uint16_t limit,
                           const std::uint16_t* needs, std::uint16_t lowered, Hit* hits);

// The same for [0, to) and one limit, with the cells left as they are.
std::int32_t find_above(const std::uint16_t* cells, std::int32_t to, std::uint16_t limit, Hit* hits);

// Limits for accumulators: each share times `factor`, rounded down, and a little less. Returns the smallest share.
float limits_from(const float* shares, std::int32_t count, float factor, std::uint16_t* limits);

// Codes (upper.hpp) of scores that are not below those of the cells [0, count): what a cell bounds, cell * unit + more,
// over the harmonic mean of `left` and the text's size.
void harmonic_bounds(const std::uint16_t* cells, const double* sizes, std::int64_t count, float left, float unit,
                     float more, std::uint16_t* out);
// The same where what is common is the score.
void plain_bounds(const std::uint16_t* cells, std::int64_t count, float unit, float more, std::uint16_t* out);

// What two texts share, from the sketch of one: a place in `masses` for each feature, the mass of which is not 0 if the
// other has it, and in the lower half its own mass as a code (upper.hpp). The sum of both masses, in floats.
float sum_of_shared(const float* masses, const std::uint32_t* sketch, std::int64_t count);

// The `count`-th largest of `size` values, which are so many at least.
std::uint16_t nth_largest(const std::uint16_t* values, std::int64_t size, std::int64_t count);

// The largest of each 64 cells.
void largest_of_groups(const std::uint16_t* cells, std::int32_t groups, std::uint16_t* largest);

// A value that at least `count` of the cells [0, to) reach, and not many more; 0 where it cannot tell.
std::uint16_t likely_limit(const std::uint16_t* cells, std::int32_t to, std::int64_t count);

}  // namespace likewise::join
