// Runs of words of a batch, as a hash and as text.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

#include "mine.hpp"

namespace likewise::mine {

// The hash of a run of words from those of the words, one after the other.
inline std::uint64_t chain(std::uint64_t h, std::uint64_t word) {
    return (std::rotl(h, 27) ^ word) * 0x9fb21c651e98df25ull;
}

// What the hashes of contexts and of phrases begin with.
inline constexpr std::uint64_t kContextSeed = 1, kPhraseSeed = 2;

// Appends the words [begin, end) with a blank between.
inline void append_words(const Batch& batch, std::int64_t begin, std::int64_t end, std::string& out) {
    for (std::int64_t i = begin; i < end; ++i) {
        if (i > begin) out += ' ';
        out += batch.word(batch.ids[i]);
    }
}

}  // namespace likewise::mine
