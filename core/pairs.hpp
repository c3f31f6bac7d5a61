// Chosen pairs of any scorer.
#pragma once

#include <cstdint>
#include <span>

#include "scorer.hpp"

namespace likewise {

// Writes the scores of the pairs (left[i], right[i]).
void pair_scores(const PairScorer& scorer, std::span<const std::int64_t> left, std::span<const std::int64_t> right,
                 double cutoff, double* out, int threads, Control& control);

}  // namespace likewise
