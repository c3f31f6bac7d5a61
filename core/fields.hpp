// Records of several fields: the weighted mean of what the fields score, over those that both records have.
//
// Scoring all pairs of records is not needed. For each field the lists of the join engine give an upper bound of what
// the left value scores with every right value (fields_near.hpp). Together they bound the score of a pair of records,
// and only those whose bound reaches the threshold of the moment are scored. Nor is the bound of all pairs looked at:
// fields are read from their best values down, those first that tell records apart, until records that were named by
// no field so far cannot reach the threshold (docs/design/join.md).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "parallel.hpp"
#include "scorer.hpp"

namespace likewise::fields {

struct Field {
    const PairScorer* scorer;                   // over the distinct values of the two sides
    double weight;                              // > 0
    std::span<const std::int32_t> left, right;  // record -> its value; -1: null, no evidence
    const join::Index* index = nullptr;         // the right values; only a join needs it
    const DotScorer* bound = nullptr;           // over the same values, never below the scorer; the index is then its
};

struct Scorer : PairScorer {
    std::vector<Field> fields;
    std::int64_t lefts, rights;

    Scorer(std::vector<Field> fields, std::int64_t lefts, std::int64_t rights)
        : fields(std::move(fields)), lefts(lefts), rights(rights) {}
    using PairScorer::score;
    std::int64_t left_size() const override { return lefts; }
    std::int64_t right_size() const override { return rights; }
    double score(std::int64_t a, std::int64_t b, double cutoff) const override {
        double sum = 0, total = 0;
        const Field* last = nullptr;  // the last field that both have: it alone can still decide
        for (const Field& field : fields) {
            if (field.left[a] < 0 || field.right[b] < 0) continue;
            if (last) sum += last->weight * last->scorer->score(last->left[a], last->right[b]);
            total += field.weight;
            last = &field;
        }
        if (!last) return 0;
        double needed = (cutoff * total - sum) / last->weight;
        needed = needed > 0 ? needed * (1 - 1e-9) : kNoCutoff;
        sum += last->weight * last->scorer->score(last->left[a], last->right[b], needed);
        return sum / total;
    }
    std::int64_t work(std::int64_t a, std::int64_t b) const override {
        std::int64_t sum = 1;
        for (const Field& field : fields)
            if (field.left[a] >= 0 && field.right[b] >= 0) sum += field.scorer->work(field.left[a], field.right[b]);
        return sum;
    }
};

struct Options {
    std::int64_t count = 0;  // best partners of each left record; 0: all that reach min_score
    double min_score = 0;    // pairs below it are not reported; those with score 0 never are
    bool self_join = false;
    // Where right records have a price (of 0 or more), the best are those with the most score less price, and only
    // those are reported of which more is left than `least` has for the left record. Both or neither are given.
    std::span<const double> prices, least;  // by right, by left record
    int threads = 0;
};

struct Result {
    // By left, then score from high to low, then right; with prices, by what is left of the score.
    std::vector<std::int64_t> left, right;
    std::vector<double> score;
    std::int64_t candidates = 0;  // pairs whose exact score was computed
};

// Joins the left records `lefts` with all right records.
Result join(const Scorer& scorer, std::span<const std::int64_t> lefts, const Options& options, Control& control);

// Joins only within blocks: the left records left_rows[left_indptr[k] ..) with the right records
// right_rows[right_indptr[k] ..), every pair of them scored.
Result join_blocks(const PairScorer& scorer, std::span<const std::int64_t> left_indptr,
                   std::span<const std::int64_t> left_rows, std::span<const std::int64_t> right_indptr,
                   std::span<const std::int64_t> right_rows, const Options& options, Control& control);

}  // namespace likewise::fields
