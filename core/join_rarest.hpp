// All pairs from a high score on, found through the rarest feature that two texts share.
//
// Features are taken from the rarest on, in the same order for all texts. If a feature is the rarest that two texts
// share, they have in common at most what both of them have from there on; for a high score that must be most of both,
// so only few entries of its list are worth a look, and the others need not be kept. No list is read for what texts
// share beyond that: 64 bits for each text say which of the other's features it cannot have (docs/design/join.md).
#pragma once

#include <optional>

#include "join.hpp"

namespace likewise::join {

// What join() gives for Mode::above with a min_score above 0, or nothing where this is not for such texts, or where a
// sample of them says that walking all lists in blocks is less work.
std::optional<Result> join_rarest(const PairScorer& scorer, const Options& options, Control& control);

}  // namespace likewise::join
