// What the corpus says of pairs beyond the places they share: how often the phrases occur, how often two of them stand
// in one sentence or side by side, and which words stand around each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mine.hpp"

namespace likewise::mine {

class Evidence {
public:
    // phrases: tokens joined by one blank; pairs: numbers of phrases, flat.
    Evidence(std::span<const std::string> phrases, std::span<const std::int32_t> pairs, int longest,
             bool english = true);

    // Counts are added up: whole numbers do not depend on the order of batches.
    struct Counts {
        std::vector<std::int64_t> occurrences;  // by phrase
        std::vector<std::int64_t> listed;       // by pair: "X and Y", "X, Y, ..", at most one word between
        std::vector<std::int64_t> either;       // "X or Y"
        std::vector<std::int64_t> contrast;     // "from X to Y", "between X and Y"
        std::vector<std::int64_t> both;         // sentences that have the two apart from each other
    };
    // Words beside phrases: phrase, word * 4 + place (-2, -1, +1, +2), how often; in the order of phrases and words.
    // The words are the phrases of one token.
    struct Neighbours {
        std::vector<std::int32_t> phrase, word, count;
    };
    Counts count(const Batch& batch, Neighbours& neighbours) const;

private:
    struct Slot {
        std::uint64_t hash = 0;
        std::int32_t value = -1;
    };
    struct Found {
        std::int32_t phrase;
        std::int64_t begin, end;
    };
    struct Sentence;
    std::int32_t find(const Batch& batch, std::uint64_t hash, std::int64_t begin, std::int64_t end) const;
    std::int32_t pair_of(std::int32_t left, std::int32_t right) const;
    void find_all(const Batch& batch, std::span<const std::uint64_t> hashes, Sentence& sentence) const;
    void count_beside(const Batch& batch, std::span<const std::uint8_t> links, const Sentence& sentence,
                      Counts& counts) const;
    void count_both(const Sentence& sentence, std::vector<std::int64_t>& last, Counts& counts) const;

    std::vector<std::string> phrases_;
    std::vector<Slot> slots_;
    std::vector<Slot> pairs_;
    std::vector<std::uint64_t>
        maybe_;  // a bit for each pair's hash: most pairs of phrases are none, and this fits a cache
    int longest_;
    bool english_;  // or the links of other languages count, too
};

// The products of rows of a sparse matrix, for pairs of rows: columns ascend within a row.
std::vector<double> row_products(std::span<const std::int64_t> offsets, std::span<const std::int32_t> columns,
                                 std::span<const double> values, std::span<const std::int32_t> pairs);

}  // namespace likewise::mine
