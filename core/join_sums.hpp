// The best partners of each text by whole sums: for texts that share q-grams with few others.
//
// A row of the matrix of scores is added up in float64, list by list, in the order and with the operations of the
// scorer. Nothing is bounded first and made certain later, and no block has to be planned: with few postings for each
// text that takes longer than adding them (docs/design/join.md).
#pragma once

#include <optional>

#include "join.hpp"

namespace likewise::join {

// What join() gives for Mode::top, or nothing where this is not for such texts, or where blocks are less work.
// `prepared`: blocks would find their index made.
std::optional<Result> join_sums(const PairScorer& scorer, const Options& options, bool prepared, Control& control);

}  // namespace likewise::join
