// Scored pairs, exactly: the best partners of each text, all pairs above a score, the best pairs overall.
//
// The engine walks an inverted index that gives upper bounds, keeps the pairs whose bound can reach the threshold of
// the moment, and asks the scorer for the exact score of those. Pairs are reported only with a score above 0.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "dot.hpp"
#include "huge.hpp"
#include "parallel.hpp"
#include "scorer.hpp"

namespace likewise::join {

struct Options {
    enum class Mode { top, above, best };
    Mode mode = Mode::above;
    std::int64_t count = 0;  // k of top, n of best
    double min_score = 0;    // pairs below it are not reported; those with score 0 never are
    bool self_join = false;  // left and right are the same texts: no text is paired with itself
    // score(a, b) == score(b, a) to the bit; only asked in a self-join. Found out where it is not given.
    std::optional<bool> symmetric;
    int threads = 0;
    // top, not in a self-join: by left text a score below which no partner is of interest, 0 where none is known.
    // What is below may be reported all the same.
    const double* floors = nullptr;
    // above: whether pairs are found through the rarest feature that they share (join_rarest.hpp); where it is not
    // given, a sample of the texts says whether that is less work. The result is the same.
    std::optional<bool> rarest;
    // top: whether every row is added up whole (join_sums.hpp); where it is not given, the number of postings says. The
    // result is the same.
    std::optional<bool> sums;
};

struct Stats {
    std::int64_t postings = 0;    // entries of the inverted index that were looked at
    std::int64_t candidates = 0;  // pairs whose bound was completed
    std::int64_t scored = 0;      // pairs whose exact score was computed
};

// Columns of equal length. top and above: by left, then score from high to low, then right. best: by score from high to
// low, then left, then right.
struct Result {
    HugeVector<std::int64_t> left, right;
    HugeVector<double> score;
    Stats stats;
};

// Inverted lists of the right side (join_index.hpp). Made once, by PairScorer::lists, used by many joins.
class Index;

// `scorer` has lists of its own, or comes with a `bound` whose dot product is never below the score (without either,
// every pair is scored). `index` must have been made from the same right side, of the bound if there is one (nullptr:
// made here).
Result join(const PairScorer& scorer, const DotScorer* bound, const Index* index, const Options& options,
            Control& control);

}  // namespace likewise::join
