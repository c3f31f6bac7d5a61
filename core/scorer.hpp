// What every family of measures offers: the exact score of one pair.
#pragma once

#include <cstdint>
#include <span>

namespace likewise {

// The exact score (float64) of text `left` of one collection and text `right` of another (or the same). Thread-safe:
// scorers keep no state between calls. Pair lists, full matrices and the join engine all end here, so that a score is
// the same bits wherever it is asked for.
struct PairScorer {
    virtual ~PairScorer() = default;
    virtual std::int64_t left_size() const = 0;
    virtual std::int64_t right_size() const = 0;
    virtual double score(std::int64_t left, std::int64_t right) const = 0;
    // Writes the scores of one left text and several right ones: the same bits, and less work for each.
    virtual void scores(std::int64_t left, std::span<const std::int64_t> rights, double* out) const {
        for (std::int64_t right : rights) *out++ = score(left, right);
    }
    // Whether it is less work; and what is to be said of a right text some time before: first of where it begins.
    virtual bool prefers_rows() const { return false; }
    virtual void expect_soon(std::int64_t right) const { (void)right; }
    virtual void expect(std::int64_t right) const { (void)right; }
    // Say that this pair will be asked for soon: first where its texts begin, then the texts.
    virtual void prefetch_pointers(std::int64_t left, std::int64_t right) const { (void)left, (void)right; }
    virtual void prefetch(std::int64_t left, std::int64_t right) const { (void)left, (void)right; }
};

}  // namespace likewise
