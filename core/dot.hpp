// Family dot product: matches, common, tf, cosines, BM25. A text is a sparse row of (id, weight).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

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
    using PairScorer::score;
    std::int64_t left_size() const override { return left.size(); }
    std::int64_t right_size() const override { return right.size(); }
    double score(std::int64_t a, std::int64_t b, double) const override {
        std::int64_t a_begin = left.indptr[a], b_begin = right.indptr[b];
        const double *x = left.weights.data() + a_begin, *y = right.weights.data() + b_begin;
        double sum = 0;
        intersect(left.ids.data() + a_begin, left.indptr[a + 1] - a_begin, right.ids.data() + b_begin,
                  right.indptr[b + 1] - b_begin, [&](std::int64_t i, std::int64_t j) { sum += x[i] * y[j]; });
        return sum;
    }
    bool symmetric() const override;
    void matrix(double* out, int threads, Control& control) const override;
    std::shared_ptr<const join::Index> lists() const override;
    Family family() const override { return {.dot = this, .spectra = nullptr}; }
};

}  // namespace likewise
