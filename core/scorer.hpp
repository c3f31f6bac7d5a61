// What every family of measures offers: the exact score of one pair.
#pragma once

#include <cstdint>

namespace likewise {

// The exact score (float64) of text `left` of one collection and text `right` of another (or the same). Thread-safe:
// scorers keep no state between calls. Pair lists, full matrices and the join engine all end here, so that a score is
// the same bits wherever it is asked for.
struct PairScorer {
    virtual ~PairScorer() = default;
    virtual std::int64_t left_size() const = 0;
    virtual std::int64_t right_size() const = 0;
    virtual double score(std::int64_t left, std::int64_t right) const = 0;
    // Say that this pair will be asked for soon: first where its texts begin, then the texts.
    virtual void prefetch_pointers(std::int64_t left, std::int64_t right) const { (void)left, (void)right; }
    virtual void prefetch(std::int64_t left, std::int64_t right) const { (void)left, (void)right; }
};

}  // namespace likewise
