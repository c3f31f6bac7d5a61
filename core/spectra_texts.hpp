// Texts of the family spectra (see spectra.hpp), analysed: their terms, their q-grams, and what several terms share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "grams.hpp"
#include "huge.hpp"
#include "parallel.hpp"

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
    std::uint64_t made_from = 0;  // identity() of the TermGrams

    std::int64_t size() const { return static_cast<std::int64_t>(cardinalities.size()); }
    void clear();
    void mark_several();  // sets `several`
    double frequency(std::int64_t place) const { return frequencies.empty() ? 1.0 : frequencies[place]; }
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
    // A q-gram of the text at work, by id.
    struct Sum {
        double sum = 0;
        std::int32_t count = 0;
    };
    std::size_t expect(std::span<const std::int32_t> terms) const;
    double add_long(SpectraTexts& out, std::span<const std::int32_t> terms, std::span<const double> frequencies);
    double put_sums(SpectraTexts& out, std::size_t size);
    std::uint32_t list_occurrences(std::span<const std::int32_t> terms, std::span<const double> frequencies);
    double add_grams(SpectraTexts& out);
    void add_repeated(SpectraTexts& out, std::size_t terms);

    const TermGrams& term_grams_;
    std::vector<Occurrence> items_;
    std::vector<std::uint64_t> keys_, spare_;
    std::vector<std::pair<std::int32_t, Repeated>> repeated_;
    std::vector<std::int64_t> cursor_;
    std::vector<Sum> sums_;
    std::vector<std::uint64_t> there_;  // a bit for each q-gram of the text at work
};

// Builds SpectraTexts from CSR rows of term ids (ascending, distinct) and frequencies (empty: all 1).
SpectraTexts spectra_texts(const TermGrams& term_grams, std::span<const std::int64_t> indptr,
                           std::span<const std::int32_t> terms, std::span<const double> frequencies, int threads,
                           Control& control);

}  // namespace likewise
