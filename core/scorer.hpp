// What every family of measures offers: the exact score of one pair, and what makes many of them cheap.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "parallel.hpp"

namespace likewise {

struct DotScorer;
struct SpectraScorer;
namespace join {
class Index;
}

// A score that every pair reaches.
inline constexpr double kNoCutoff = -std::numeric_limits<double>::infinity();

// The exact score (float64) of text `left` of one collection and text `right` of another (or the same). Thread-safe:
// scorers keep no state between calls. Pair lists, full matrices and the join engine all end here, so that a score is
// the same bits wherever it is asked for.
struct PairScorer {
    PairScorer() = default;
    PairScorer(const PairScorer&) = default;
    PairScorer(PairScorer&&) = default;
    PairScorer& operator=(const PairScorer&) = default;
    PairScorer& operator=(PairScorer&&) = default;
    virtual ~PairScorer() = default;
    virtual std::int64_t left_size() const = 0;
    virtual std::int64_t right_size() const = 0;

    // A score below `cutoff` need not be worked out: any value below it may be returned instead.
    virtual double score(std::int64_t left, std::int64_t right, double cutoff) const = 0;
    double score(std::int64_t left, std::int64_t right) const { return score(left, right, kNoCutoff); }
    // About how long a pair takes, where a pair of short texts takes 1.
    virtual std::int64_t work(std::int64_t left, std::int64_t right) const {
        (void)left;
        (void)right;
        return 1;
    }
    // Whether score(a, b) and score(b, a) are the same bits where both sides are the same texts.
    virtual bool symmetric() const { return false; }

    // Writes the scores of one left text and several right ones: the same bits, and less work for each.
    virtual void scores(std::int64_t left, std::span<const std::int64_t> rights, double* out) const {
        for (std::int64_t right : rights) *out++ = score(left, right);
    }
    virtual bool prefers_rows() const { return false; }  // whether it is less work

    // Writes all scores, row by row: out[left * right_size() + right].
    virtual void matrix(double* out, int threads, Control& control) const;

    // The right side as inverted lists (join_index.hpp) that bound the score, and the family that can read them: both
    // pointers are null where nothing is known that could save looking at a pair.
    struct Family {
        const DotScorer* dot = nullptr;
        const SpectraScorer* spectra = nullptr;
    };
    virtual std::shared_ptr<const join::Index> lists() const;
    virtual Family family() const { return {}; }

    // A text, or a pair, will be asked for: soon, when where it begins is fetched; or next, when what it has is.
    virtual void expect_soon(std::int64_t right) const { (void)right; }
    virtual void expect(std::int64_t right) const { (void)right; }
    virtual void expect_pair_soon(std::int64_t left, std::int64_t right) const {
        (void)left;
        (void)right;
    }
    virtual void expect_pair(std::int64_t left, std::int64_t right) const {
        (void)left;
        (void)right;
    }
};

}  // namespace likewise
