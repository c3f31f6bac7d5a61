// Family spectra: soft cardinality by q-grams.
//
// A text A is a set of terms; term t has the q-grams j with weights w(t, j) (all of the scheme but tf). In A, q-gram j
// has
//     S_A(j) = sum over the terms t of A that contain j of tf_A(t) * w(t, j)      (tf_A = 1 unless the scheme has tf)
//     K_A(j) = the number of those terms,     v_A(j) = S_A(j) / K_A(j),     |A| = sum of v_A(j).
// What two texts have in common is a sum over shared q-grams of v_A + v_B - v_U, which splits into
//     base        (K_B v_A + K_A v_B) / (K_A + K_B)           as if no term were in both texts, and
//     correction  (S_A + S_B) / (K_A + K_B) - (S_A + S_B - S_C) / (K_A + K_B - K_C),  C the terms that are in both.
// The correction is 0 where j is in one term of each text and the tf are equal; it can have either sign.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "coefficient.hpp"
#include "grams.hpp"
#include "parallel.hpp"
#include "portable.hpp"
#include "scorer.hpp"
#include "spectra_texts.hpp"

namespace likewise {

// The base part for one shared q-gram; the one place where it is written, so that all kernels round alike.
inline double spectra_base(double value_a, std::int32_t count_a, double value_b, std::int32_t count_b) {
    if (count_a == 1 && count_b == 1) return (value_a + value_b) * 0.5;
    return (count_b * value_a + count_a * value_b) / static_cast<double>(count_a + count_b);
}

// How many q-grams of a text are fetched ahead: hardly any has more, and the processor follows by itself then.
inline constexpr std::int64_t kExpected = 192;

// The correction for the terms that texts a and b share; 0 where they share none.
double spectra_correction(const TermGrams& term_grams, const SpectraTexts& left, std::int64_t a,
                          const SpectraTexts& right, std::int64_t b);

struct SpectraScorer final : PairScorer {
    const TermGrams& term_grams;
    const SpectraTexts &left, &right;
    Coefficient coefficient;

    SpectraScorer(const TermGrams& term_grams, const SpectraTexts& left, const SpectraTexts& right,
                  Coefficient coefficient)
        : term_grams(term_grams), left(left), right(right), coefficient(coefficient) {}
    using PairScorer::score;
    std::int64_t left_size() const override { return left.size(); }
    std::int64_t right_size() const override { return right.size(); }
    double score(std::int64_t a, std::int64_t b, double cutoff) const override;
    bool symmetric() const override { return &left == &right && coefficient.kind != Coefficient::Kind::coverage; }
    void scores(std::int64_t a, std::span<const std::int64_t> rights, double* out) const override;
    bool prefers_rows() const override { return true; }
    // Row by row over an inverted index of the right side, so that only shared q-grams cost anything.
    void matrix(double* out, int threads, Control& control) const override;
    std::shared_ptr<const join::Index> lists() const override;
    Family family() const override { return {.dot = nullptr, .spectra = this}; }
    void expect_soon(std::int64_t b) const override;
    void expect(std::int64_t b) const override;
    void expect_pair_soon(std::int64_t a, std::int64_t b) const override;
    void expect_pair(std::int64_t a, std::int64_t b) const override;
    // What a correction needs of a right text: where its terms begin, the terms, and what they have more than once.
    void expect_terms_soon(std::int64_t b) const { prefetch(right.term_indptr.data(), b); }
    void expect_terms(std::int64_t b) const {
        prefetch(right.terms.data(), right.term_indptr[b]);
        prefetch(right.repeated_indptr.data(), right.term_indptr[b]);
    }
    void expect_repeated(std::int64_t b) const {
        prefetch(right.repeated.data(), right.repeated_indptr[right.term_indptr[b]]);
    }
    double common(std::int64_t a, std::int64_t b) const;  // |A ∩ B|

private:
    // Whether there is anything to correct. No shared q-gram of several terms (`most` is the largest count), and no tf:
    // the correction is 0.
    bool needs_correction(double base, std::int32_t most) const {
        return base != 0 && (most > 1 || !left.frequencies.empty() || !right.frequencies.empty());
    }
};

}  // namespace likewise
