// The right side of a join as inverted lists in blocks, with everything an upper bound needs.
//
// Both families are brought to one form. A text is a list of features with weights; what two texts have in common is at
// most the sum over shared features of
//     x + y  (spectra)     or     x * y  (dot product),
// and a pair can reach a score only if that sum reaches need(score, left, right), which grows with the size of the
// right text. A feature of the dot product is an id. A q-gram of spectra makes two features: texts where one term has
// it, and texts where several have it (the first kind meets a left q-gram of one term in (v_A + v_B) / 2,
// exactly; the bounds that involve the second kind are derived in docs/design/join.md).
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "dot.hpp"
#include "huge.hpp"
#include "spectra.hpp"

namespace likewise::join {

// Bounds live in float32; rounding them up keeps them bounds.
inline float round_up(double value) {
    auto rounded = static_cast<float>(value);
    auto bits = std::bit_cast<std::int32_t>(rounded);
    auto next = std::bit_cast<float>(bits + (bits < 0 ? -1 : 1));
    return static_cast<double>(rounded) < value ? next : rounded;
}

class Index {
public:
    enum class Family { sum, product, any };  // any: nothing is known that could save looking at a pair

    explicit Index(const DotScorer& scorer);      // of the scorer's right side
    explicit Index(const SpectraScorer& scorer);  // the same
    explicit Index(std::int64_t right_size);      // of a scorer without bounds

    // Whether it was made from this scorer's right side, or from one with the same values. The right side that it was
    // made from must still be there.
    bool is_of(const PairScorer& scorer) const;

    // Right texts per block, at most. The accumulators of a block (2 bytes a text) of spectra fit the first-level
    // cache. Of a great many texts by dot product, a row adds few postings to a block, and looking for its lists there
    // costs more: blocks are then larger.
    static constexpr std::int32_t kBlock = 32768, kCachedBlock = 12288;

    Family family = Family::product;
    Rows dot_source{};                             // the right side
    const SpectraTexts* spectra_source = nullptr;  // the same
    bool frequencies = false;                      // spectra whose scheme has tf
    std::int64_t right_size = 0;                   // texts, with those that have no features

    // Positions: the right texts that have features, by size, so that the texts of a block need about the same.
    std::vector<std::int32_t> texts;      // position -> text
    std::vector<std::int32_t> positions;  // text -> position, -1 without features
    HugeVector<double> sizes;             // position -> cardinality (sum) or norm (product)

    // Features by falling number of texts: 0 is the most common.
    std::vector<std::int32_t> features;  // id (product), 2 * q-gram + repeated (sum) -> feature, or -1
    std::vector<float> largest;          // feature -> largest y
    std::vector<float> repeated_excess;  // feature -> largest y * K, for repeated q-grams (sum)

    // Long texts (sum), where q-grams of several terms are the rule. Their terms are features, too, with y = 0: sharing
    // a term adds at most x. The q-grams then only have to bound what texts have in common as if they shared no term,
    // which takes what is known of K and v where several terms have a q-gram (docs/design/join.md).
    struct Spread {
        std::int32_t fewest, most;  // K
        float smallest, largest;    // v
    };
    bool with_terms = false;
    std::int32_t first_term = 0;             // key of term 0; keys of q-grams are below
    std::vector<std::int64_t> spread_start;  // q-gram -> start in spreads
    std::vector<Spread> spreads;             // by K
    std::vector<Spread> whole_spreads;       // q-gram -> all of its spreads as one; fewest is 0 where there is none
    std::span<const Spread> spreads_of(std::int32_t gram) const {
        return {spreads.data() + spread_start[gram], spreads.data() + spread_start[gram + 1]};
    }

    // position -> its ids or q-grams in ascending order with their weights, for completing a candidate: all that takes,
    // in one stretch of memory (long texts have other rows). Packed, because four bytes in sixteen would be wasted; the
    // double is then read by value only, never through a pointer or a reference.
#pragma pack(push, 4)
    struct Entry {
        std::uint32_t key;  // the uppermost bit: several terms have the q-gram
        double value;
    };
#pragma pack(pop)
    static constexpr std::uint32_t kSeveral = 0x80000000u;
    // After a q-gram of several terms comes their number, under a q-gram that no text has.
    std::uint32_t no_gram() const { return static_cast<std::uint32_t>(first_term / 2); }
    std::vector<std::int64_t> row_start{0};
    HugeVector<Entry> rows;

    // The same of long texts, for bounds of a candidate: q-grams with v and K, as floats.
    struct LongRows {
        HugeVector<std::int32_t> grams;
        HugeVector<float> values, counts;
    };
    LongRows long_rows;

    // feature -> its postings, by position. Those of the first `dense` features are cut into cells, one per block.
    struct Posting {
        std::uint16_t text;    // position within the block
        std::uint16_t weight;  // y in units of the block, rounded up
    };
    struct RarePosting {
        std::int32_t position;
        std::uint16_t weight;
    };
    // A cell that has a good part of its block also stands as a column: a byte for each text of the block, its weight
    // shifted right and rounded up, 0 for a text that is not in the list. Adding a column costs the same however many
    // texts it has.
    struct Cell {
        std::uint32_t start = 0;   // in postings
        std::uint16_t size = 0;    // postings
        std::uint8_t shift = 0;    // of its column
        std::int32_t column = -1;  // its number, or -1
        float largest = 0;         // y
    };
    std::int32_t dense = 0;
    HugeVector<Posting> postings;                     // by block, then feature: those of a block are close together
    HugeVector<Cell> cells;                           // block * dense + feature
    HugeVector<std::uint8_t> columns;                 // column * column_size + text
    std::int64_t column_size = 0;                     // the largest block, to the next 64
    static constexpr std::int64_t kColumnShare = 14;  // columns are for cells with at least 1 / 14 of it
    std::vector<std::int64_t> rare_start;             // feature - dense -> start in rare
    HugeVector<RarePosting> rare;

    struct Range {
        std::int32_t end;  // position within the block
        double smallest;   // size of the texts up to there, from the end of the range before
    };
    struct Block {
        std::int64_t first = 0, end = 0;  // positions
        std::vector<Range> ranges;        // of about equal size; all but the last end at a multiple of 64
        double smallest = 0;              // size
        double largest = 0;               // size
        double unit = 1;                  // y * unit is a posting's weight
        float inverse = 1;                // 1 / unit
        float heaviest = 0;               // largest y
        float total = 0;                  // largest sum of y of a text
        std::int32_t longest = 0;         // largest number of features of a text
    };
    std::vector<Block> blocks;

    std::int64_t block_of(std::int64_t position) const {
        auto after = [](std::int64_t value, const Block& block) { return value < block.first; };
        return std::upper_bound(blocks.begin(), blocks.end(), position, after) - blocks.begin() - 1;
    }
    const Cell* cells_of(std::int64_t block) const { return cells.data() + block * dense; }
};

// Whether q-grams of several terms are the rule; not with term frequencies.
bool has_long_texts(const SpectraTexts& texts);
// Long texts (join_long.cpp): what is known of K and v of the right side's q-grams of several terms.
void gather_spreads(Index& index, const SpectraTexts& texts);
void fill_long_rows(Index& index, const SpectraTexts& texts);
// For each term of a left text, the most that sharing it adds to what two long texts have in common.
void shared_terms(const Index& index, const SpectraScorer& scorer, std::int64_t text, float* out);

// One left text in the terms of an index.
struct Row {
    struct Entry {
        std::int32_t feature;
        float weight;  // x, rounded up
        // What the feature adds: exactly x + y (or x * y), something from y to x + y, or something from 0 to x + y.
        enum Kind : std::uint8_t { exact, from_y, from_zero } kind;
    };
    std::vector<Entry> entries;
    // Where the search is in the postings of the rare features.
    struct Cursor {
        const Index::RarePosting *at, *end;
        float weight, largest;
        Entry::Kind kind;
    };
    std::vector<Cursor> cursors;
    double size = 0;     // cardinality (sum) or norm (product)
    double total = 0;    // the largest sum of x that a right text can meet
    float heaviest = 0;  // largest x

    void load(const Index& index, const DotScorer& scorer, std::int64_t text);
    // shared: what shared_terms() gives, by place of the term, or nullptr.
    void load(const Index& index, const SpectraScorer& scorer, std::int64_t text, const float* shared = nullptr);
    void order();                     // entries by feature, the most common first, as a search needs them
    void rewind(const Index& index);  // cursors to the start; after order()

private:
    void load_long(const Index& index, const SpectraScorer& scorer, std::int64_t text, const float* shared);
    void clear() {
        entries.clear();
        size = total = 0;
        heaviest = 0;
    }
    // A weight of 0 is made a little more, so that sums, which units are derived from, are above 0.
    void add(std::int32_t feature, double bound, Entry::Kind kind) {
        float weight = round_up(bound);
        weight = weight > 1e-30f ? weight : 1e-30f;
        entries.push_back({feature, weight, kind});
        total += weight;
        heaviest = heaviest < weight ? weight : heaviest;
    }
};

}  // namespace likewise::join
