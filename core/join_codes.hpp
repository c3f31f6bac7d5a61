// The best partners of each long text, by columns of codes.
//
// Long texts share hundreds of q-grams, most of them with most texts. What a text has of such a q-gram, how many of its
// terms have it (K) and its mean weight (v), is told by a code of four bits, and a left text looks up what each code
// can add at most, for dozens of texts at a time (docs/design/join.md).
#pragma once

#include <optional>

#include "join.hpp"

namespace likewise::join {

// What join() gives for Mode::top, or nothing where this is not for such texts or this processor. `prepared`: blocks
// would find their index made.
std::optional<Result> join_codes(const PairScorer& scorer, const Options& options, bool prepared, Control& control);

}  // namespace likewise::join
