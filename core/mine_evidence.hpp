// What speaks for a pair of phrases besides their contexts: the last step of mining (see mine.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mine.hpp"

namespace likewise::mine {

// How often phrases occur, and how often two of them stand side by side: "X and Y", "X or Y", "from X to Y", "X, Y,
// ..", with at most one word between ("the left and the right", "late 19th and early 20th").
class Evidence {
public:
    // phrases: tokens joined by one blank; pairs: numbers of phrases, flat.
    Evidence(std::span<const std::string> phrases, std::span<const std::int32_t> pairs, int longest);
    struct Counts {
        std::vector<std::int64_t> occurrences;  // of each phrase
        std::vector<std::int64_t> together;     // of each pair
    };
    Counts count(const Batch& batch) const;

private:
    struct Found {
        std::int32_t phrase;
        std::int64_t begin, end;
    };
    class Sentence;
    struct Slot {
        std::uint64_t hash = 0;
        std::int32_t value = -1;
    };
    std::int32_t find(const Batch& batch, std::uint64_t hash, std::int64_t begin, std::int64_t end) const;
    std::vector<std::string> phrases_;
    std::vector<Slot> slots_;
    std::vector<Slot> pairs_;
    std::size_t pair_count_;
    int longest_;
};

}  // namespace likewise::mine
