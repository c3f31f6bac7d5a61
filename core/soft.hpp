// Similarity between terms, and the two measures that stand on it: SoftTFIDF and quadratic soft cardinality.
#pragma once

#include <cstdint>
#include <limits>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "coefficient.hpp"
#include "dot.hpp"
#include "grams.hpp"
#include "parallel.hpp"
#include "scorer.hpp"
#include "stable.hpp"
#include "strings.hpp"

namespace likewise {

// The similarity of two terms by their ids: 0 or more, 1 for a term with itself.
struct TermSimilarity {
    TermSimilarity() = default;
    TermSimilarity(const TermSimilarity&) = delete;
    TermSimilarity& operator=(const TermSimilarity&) = delete;
    virtual ~TermSimilarity() = default;
    // Terms from here on must not be asked for.
    virtual std::int32_t size() const = 0;
    virtual double operator()(std::int32_t a, std::int32_t b) const = 0;
    // No two terms are more similar.
    virtual double most() const { return 1; }
    // The same, but 0 may be returned for any pair whose similarity is not above `cut` (it is then often not computed).
    virtual double above(std::int32_t a, std::int32_t b, double cut) const {
        (void)cut;
        return (*this)(a, b);
    }
};

// Jaro–Winkler: Jaro plus prefix_weight for each of up to max_prefix equal first characters, if Jaro is above `boost`.
class JaroWinkler final : public TermSimilarity {
public:
    JaroWinkler(double prefix_weight, int max_prefix, double boost)
        : prefix_weight_(prefix_weight), max_prefix_(max_prefix), boost_(boost) {}
    void add(const StringTable& terms);
    std::int32_t size() const override { return terms_.size(); }
    double operator()(std::int32_t a, std::int32_t b) const override;
    double above(std::int32_t a, std::int32_t b, double cut) const override;

private:
    struct Letters {
        const std::uint32_t* codes;
        std::int32_t size;
        std::uint64_t mask;  // one bit for each code point modulo 64
    };
    double winkler(const Letters& x, const Letters& y, double jaro) const;

    double prefix_weight_;
    int max_prefix_;
    double boost_;
    std::mutex adding_;
    StableVector<Letters> terms_;
    StableArena<std::uint32_t> arena_;
};

// Jaccard coefficient of the q-gram sets of two terms.
class GramJaccard final : public TermSimilarity {
public:
    explicit GramJaccard(int q) : grams_(q, q, Padding::none, false) {}
    void add(const StringTable& terms) { grams_.add(terms); }
    std::int32_t size() const override { return grams_.size(); }
    double operator()(std::int32_t a, std::int32_t b) const override;

private:
    TermGrams grams_;
};

// Similarities worked out elsewhere: for each term its similar ones, ascending; all others are 0, also those of terms
// that the table does not have.
class SimilarityTable final : public TermSimilarity {
public:
    SimilarityTable(std::vector<std::int64_t> indptr, std::vector<std::int32_t> terms, std::vector<double> values)
        : indptr_(std::move(indptr)), terms_(std::move(terms)), values_(std::move(values)) {
        for (double value : values_) most_ = most_ < value ? value : most_;
    }
    std::int32_t size() const override { return std::numeric_limits<std::int32_t>::max(); }
    double most() const override { return most_; }
    double operator()(std::int32_t a, std::int32_t b) const override;

private:
    std::vector<std::int64_t> indptr_;
    std::vector<std::int32_t> terms_;
    std::vector<double> values_;
    double most_ = 1;
};

// For each of the terms [0, size) those with a similarity above `cut`, itself included: CSR with similarities.
struct SimilarTerms {
    std::vector<std::int64_t> indptr{0};
    std::vector<std::int32_t> terms;
    std::vector<double> values;
};
SimilarTerms similar_terms(const TermSimilarity& similarity, std::int32_t size, double cut, int threads,
                           Control& control);

// The pairs of terms of two texts, in units of those that short texts have.
inline std::int64_t pairs_of_terms(const Rows& left, std::int64_t a, const Rows& right, std::int64_t b) {
    constexpr std::int64_t kUnit = 64;
    return 1 + (left.indptr[a + 1] - left.indptr[a]) * (right.indptr[b + 1] - right.indptr[b]) / kUnit;
}

// Sum over pairs of terms more similar than `cut` of the two weights times the similarity. best: for each left term
// only its most similar right term (of equally similar ones the heavier).
struct SoftTfIdfScorer final : PairScorer {
    const TermSimilarity& similarity;
    Rows left, right;
    double cut;
    bool best;

    SoftTfIdfScorer(const TermSimilarity& similarity, Rows left, Rows right, double cut, bool best)
        : similarity(similarity), left(left), right(right), cut(cut), best(best) {}
    using PairScorer::score;
    std::int64_t left_size() const override { return left.size(); }
    std::int64_t right_size() const override { return right.size(); }
    double score(std::int64_t a, std::int64_t b, double cutoff) const override;
    std::int64_t work(std::int64_t a, std::int64_t b) const override { return pairs_of_terms(left, a, right, b); }
};

// |A| = sum of w_i / sum_j alpha(i, j)^softness; alpha below `cut` counts as 0. A shared term has in the union the
// larger of its two weights.
struct SoftCardinalityScorer final : PairScorer {
    const TermSimilarity& similarity;
    Rows left, right;
    double cut, softness;
    Coefficient coefficient;

    SoftCardinalityScorer(const TermSimilarity& similarity, Rows left, Rows right, double cut, double softness,
                          Coefficient coefficient)
        : similarity(similarity), left(left), right(right), cut(cut), softness(softness), coefficient(coefficient) {}
    using PairScorer::score;
    std::int64_t left_size() const override { return left.size(); }
    std::int64_t right_size() const override { return right.size(); }
    double score(std::int64_t a, std::int64_t b, double cutoff) const override;
    std::int64_t work(std::int64_t a, std::int64_t b) const override {
        return pairs_of_terms(left, a, left, a) + pairs_of_terms(left, a, right, b) +
               pairs_of_terms(right, b, right, b);
    }

private:
    double raised(std::int32_t a, std::int32_t b) const;
};

}  // namespace likewise
