// Family dot product: matches, common, tf, cosines, BM25. A text is a sparse row of (id, weight).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "intersect.hpp"
#include "parallel.hpp"
#include "scorer.hpp"

namespace likewise {

// Rows of a sparse matrix; ids ascend within a row and are distinct.
struct Rows {
    std::span<const std::int64_t> indptr;  // size rows + 1
    std::span<const std::int32_t> ids;
    std::span<const double> weights;

    std::int64_t size() const { return static_cast<std::int64_t>(indptr.size()) - 1; }
};

// Sum over shared ids of the product of the two weights, in ascending order of ids.
struct DotScorer final : PairScorer {
    Rows left, right;

    DotScorer(Rows left, Rows right) : left(left), right(right) {}
    std::int64_t left_size() const override { return left.size(); }
    std::int64_t right_size() const override { return right.size(); }
    double score(std::int64_t a, std::int64_t b) const override {
        std::int64_t a_begin = left.indptr[a], b_begin = right.indptr[b];
        const double *x = left.weights.data() + a_begin, *y = right.weights.data() + b_begin;
        double sum = 0;
        intersect(left.ids.data() + a_begin, left.indptr[a + 1] - a_begin, right.ids.data() + b_begin,
                  right.indptr[b + 1] - b_begin, [&](std::int64_t i, std::int64_t j) { sum += x[i] * y[j]; });
        return sum;
    }
};

// All pairs by an inverted index of the right side: out[a * right.size() + b], the same bits as DotScorer::score.
void dot_matrix(const DotScorer& scorer, double* out, int threads, Control& control);

// The pairs (left[i], right[i]) of any scorer, and all pairs of any scorer, one by one.
void pair_scores(const PairScorer& scorer, std::span<const std::int64_t> left, std::span<const std::int64_t> right,
                 double* out, int threads, Control& control);
void full_matrix(const PairScorer& scorer, double* out, int threads, Control& control);

}  // namespace likewise
