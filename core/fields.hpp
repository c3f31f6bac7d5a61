// Records of several fields: the weighted mean of what the fields score, over those that both records have.
//
// Scoring all pairs of records is not needed. Each field is joined by itself on its distinct values, down to a score
// `floor` (Neighbours); a pair of records whose values are neighbours in no field scores below the floor, because a
// mean is not above its largest part. What the lists say gives an upper bound for all other pairs, and the pairs whose
// bound reaches the threshold of the moment are scored exactly. Fields whose lists are long (a state, a sex) are not
// even looked at where the rest cannot reach the threshold without the fields that tell records apart.
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
};

// The values of the right side that score `floor` or more with a value of the left side; values without are not listed.
struct Neighbours {
    std::span<const std::int64_t> indptr;  // left value -> its range
    std::span<const std::int64_t> values;
    std::span<const double> scores;
};

struct Options {
    std::int64_t count = 0;  // best partners of each left record; 0: all that reach min_score
    double min_score = 0;    // pairs below it are not reported; those with score 0 never are
    double floor = 0;        // every pair of values that scores more than 0 and not less than this is in Neighbours
    bool self_join = false;
    // A left record with more candidates than this is left unfinished: whole rows are then cheaper. 0: no limit.
    std::int64_t patience = 0;
    int threads = 0;
};

struct Result {
    std::vector<std::int64_t> left, right;  // by left, then score from high to low, then right
    std::vector<double> score;
    std::vector<std::int64_t> unfinished;  // left records for which the floor was too high to be sure
    std::int64_t candidates = 0;           // pairs whose exact score was computed
};

// Joins the left records `lefts` with all right records. `neighbours` has one entry for each field of the scorer.
Result join(const Scorer& scorer, std::span<const Neighbours> neighbours, std::span<const std::int64_t> lefts,
            const Options& options, Control& control);

// The scores of some left values of a field with all right values.
struct Rows {
    std::span<const std::int64_t> place;  // left value -> its row, or -1
    std::span<const double> scores;       // row by row
};

// The same for left records whose fields are all in `rows`, by adding up whole rows: no lists, no bounds.
Result join_rows(const Scorer& scorer, std::span<const Rows> rows, std::span<const std::int64_t> lefts,
                 const Options& options, Control& control);

// Joins only within blocks: the left records left_rows[left_indptr[k] ..) with the right records
// right_rows[right_indptr[k] ..), every pair of them scored.
Result join_blocks(const PairScorer& scorer, std::span<const std::int64_t> left_indptr,
                   std::span<const std::int64_t> left_rows, std::span<const std::int64_t> right_indptr,
                   std::span<const std::int64_t> right_rows, const Options& options, Control& control);

}  // namespace likewise::fields
