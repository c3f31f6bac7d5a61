// Family spectra: soft cardinality by q-grams (SPEC 3.2 to 3.4).
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
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "analyse.hpp"
#include "coefficient.hpp"
#include "grams.hpp"
#include "huge.hpp"
#include "parallel.hpp"
#include "scorer.hpp"

namespace likewise {

// A q-gram of a term of a text that other terms of the text have, too.
struct Repeated {
    std::int32_t position;  // of the q-gram within its term's list in TermGrams
    std::int32_t count;     // K_A(j)
    double sum;             // S_A(j)
};

// A batch of texts, analysed. All of it is owned here; ids ascend within a text.
struct SpectraTexts {
    // text -> its distinct terms
    HugeVector<std::int64_t> term_indptr{0};
    HugeVector<std::int32_t> terms;
    HugeVector<double> frequencies;  // tf_A(t), or empty where the scheme has no tf
    // text -> its q-grams
    HugeVector<std::int64_t> gram_indptr{0};
    HugeVector<std::int32_t> grams;
    HugeVector<double> values;          // v_A(j)
    HugeVector<std::int32_t> counts;    // K_A(j)
    HugeVector<std::uint64_t> several;  // one bit for each of `counts`: above 1? Most are not, and then go unread
    // (text, term), by position in `terms` -> the q-grams of that term that are in several terms of the text
    HugeVector<std::int64_t> repeated_indptr{0};
    HugeVector<Repeated> repeated;
    // text -> |A|
    HugeVector<double> cardinalities;

    std::int64_t size() const { return static_cast<std::int64_t>(cardinalities.size()); }
    void clear();
    void mark_several(std::size_t from);  // sets `several` for the places from here on
    std::int32_t count(std::int64_t place) const { return several[place >> 6] >> (place & 63) & 1 ? counts[place] : 1; }
};

// Adds texts to SpectraTexts one by one, reusing its scratch space.
class SpectraBuilder {
public:
    explicit SpectraBuilder(const TermGrams& term_grams) : term_grams_(term_grams) {}
    // terms ascend and are distinct; frequencies are as many, or empty where the scheme has no tf.
    void add(SpectraTexts& out, std::span<const std::int32_t> terms, std::span<const double> frequencies);

private:
    // One q-gram of one term of a text.
    struct Occurrence {
        std::int32_t slot;      // which term of the text
        std::int32_t position;  // of the q-gram in the term's list
        double weight;          // tf * w(t, j)
    };
    void sort_keys(std::uint32_t largest);

    const TermGrams& term_grams_;
    std::vector<Occurrence> items_;
    std::vector<std::uint64_t> keys_, spare_;
    std::vector<std::pair<std::int32_t, Repeated>> repeated_;
    std::vector<std::int64_t> cursor_;
};

// Builds SpectraTexts from CSR rows of term ids (ascending, distinct) and frequencies (empty: all 1).
SpectraTexts spectra_texts(const TermGrams& term_grams, std::span<const std::int64_t> indptr,
                           std::span<const std::int32_t> terms, std::span<const double> frequencies, int threads,
                           Control& control);

// The base part for one shared q-gram; the one place where it is written, so that all kernels round alike.
inline double spectra_base(double value_a, std::int32_t count_a, double value_b, std::int32_t count_b) {
    if (count_a == 1 && count_b == 1) return (value_a + value_b) * 0.5;
    return (count_b * value_a + count_a * value_b) / static_cast<double>(count_a + count_b);
}

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
    std::int64_t left_size() const override { return left.size(); }
    std::int64_t right_size() const override { return right.size(); }
    double score(std::int64_t a, std::int64_t b) const override;
    void scores(std::int64_t a, std::span<const std::int64_t> rights, double* out) const override;
    bool prefers_rows() const override { return true; }
    void expect_soon(std::int64_t b) const override;
    void expect(std::int64_t b) const override;
    void prefetch_pointers(std::int64_t a, std::int64_t b) const override;
    void prefetch(std::int64_t a, std::int64_t b) const override;
    double common(std::int64_t a, std::int64_t b) const;  // |A ∩ B|

private:
    // Whether there is anything to correct. No shared q-gram of several terms (`most` is the largest count), and no tf:
    // the correction is 0.
    bool needs_correction(double base, std::int32_t most) const {
        return base != 0 && (most > 1 || !left.frequencies.empty() || !right.frequencies.empty());
    }
};

// The score of two strings whose words have all been seen: what a loop over pairs in Python calls.
class SpectraPair {
public:
    SpectraPair(const Vocabulary& vocabulary, const TermGrams& term_grams, Coefficient coefficient, bool frequencies,
                TokeniseOptions options, bool ready)
        : vocabulary_(vocabulary),
          term_grams_(term_grams),
          builder_(term_grams),
          coefficient_(coefficient),
          with_frequencies_(frequencies),
          options_(options),
          ready_(ready) {}
    // Nothing where a word is new, where words are being added, or where the weights are not known yet (!ready).
    std::optional<double> score(std::string_view left, std::string_view right);

private:
    bool add(std::string_view text);

    const Vocabulary& vocabulary_;
    const TermGrams& term_grams_;
    SpectraBuilder builder_;
    Coefficient coefficient_;
    bool with_frequencies_;
    TokeniseOptions options_;
    bool ready_;
    SpectraTexts texts_;
    std::vector<std::int32_t> terms_;
    std::vector<double> frequencies_;
};

// All pairs: out[a * right.size() + b]. Row by row over an inverted index of the right side, so that only shared
// q-grams cost anything.
void spectra_matrix(const SpectraScorer& scorer, double* out, int threads, Control& control);

}  // namespace likewise
