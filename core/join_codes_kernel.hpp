// The loop that a join of long texts by codes spends its time in: for each text of a block, what its codes stand for in
// the tables of a left text, added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace likewise::join {

// A column has a code of four bits for each text of a block, 128 texts in 64 bytes, laid out so that sums come out in
// order: the even bytes have the first 32 texts in their lower halves and the third 32 in their upper ones, the odd
// bytes those between.
struct CodeColumn {
    static constexpr std::int64_t kBlock = 512;  // texts: as many sums as stay in the registers of AVX-512
    static constexpr std::int64_t kBytes = kBlock / 2;
    static constexpr std::int32_t kCodes = 16;

    static std::int64_t byte_of(std::int64_t place) { return place / 128 * 64 + 2 * (place % 32) + (place >> 5 & 1); }
    static void put(std::uint8_t* column, std::int64_t place, int code) {
        column[byte_of(place)] |= static_cast<std::uint8_t>(code << (place & 64 ? 4 : 0));
    }
};

// A column of a block, and the first of the 16 bytes that say what each code adds.
struct CodeTable {
    std::uint32_t column, table;
};

// Whether this processor looks up many codes at a time. Without that, codes are slower than lists.
bool has_codes();

// Writes kBlock sums, modulo 2^16. `columns`: those of the block.
void sum_codes(const std::uint8_t* columns, std::span<const CodeTable> given, const std::uint8_t* tables,
               std::uint16_t* sums);

// What is known of the texts that have a code in a column of a q-gram. K is 1 for the first codes, 2 for the next, and
// more for the last.
struct CodeBook {
    static constexpr int kFirst[4] = {1, 8, 12, 16};
    static constexpr int kMore = kFirst[3] - kFirst[2];
    float largest[CodeColumn::kCodes];  // v
    float fewest[kMore], most[kMore];   // K of the last codes
};

// Writes the most that the base of a q-gram can be for each code: 16 floats, 0 for code 0. Returns the largest.
float bases_of(const CodeBook& book, float value, float count, float* out);

// What is added for each code in units, rounded up, less `taken`, between 0 and 255; 0 for code 0.
void to_units(const float* amounts, float unit, float taken, std::uint8_t* out);

}  // namespace likewise::join
