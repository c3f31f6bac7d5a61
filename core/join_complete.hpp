// Candidates of one left text made certain: what they really have in common with it.
#pragma once

#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "dot.hpp"
#include "huge.hpp"
#include "join_block.hpp"
#include "join_index.hpp"
#include "spectra.hpp"

namespace likewise::join {

// One per thread; holds what the left text at work has.
class Completer {
public:
    // `base` is the scorer's sum, to the bit: all there is (`exact`), or all but the correction for shared terms.
    struct Common {
        double base;
        bool exact;
        double high;  // never below the whole
    };

    std::int64_t candidates = 0;  // completed, so far
    std::int64_t postings = 0;    // looked at by seeds, so far

    // One of the scorers; with neither there are no candidates to complete.
    Completer(const Index& index, const SpectraScorer* spectra, const DotScorer* dot);

    // Makes this the text at work; end() before the next.
    void begin(std::int64_t left);
    void end();

    Common common(std::int64_t position);
    // Long texts: what is common, but for rounding; and the scorer's sum without the correction for shared terms.
    Bounds around(std::int64_t position);
    double base(std::int64_t position);
    // common() will be called soon: first where the text begins, then the text.
    void expect_soon(std::int64_t position) const;
    void expect(std::int64_t position) const;

    // Promising positions, found through the rarest features alone; the best come first.
    const std::vector<std::int32_t>& seeds(const Row& row, std::int64_t first, std::size_t count);

private:
    struct Left {
        double value;  // 0, as the count, of a gram (or id) that the text does not have
        std::int32_t count;
    };
    // Long texts: what a q-gram is in the left text, and in those of its terms that a right text does not have.
    struct alignas(16) Rest {
        float value, sum, count;
    };
    // A q-gram of a term of the left text.
    struct OfTerm {
        std::uint32_t slot;
        float weight;
    };
    // How many grams or ids right texts can have; the last slot is of none.
    std::int64_t known() const { return std::ssize(slots_) - (spectra_ ? 1 : 0); }
    void begin_long(const SpectraTexts& texts, std::int64_t left);
    std::span<const OfTerm> of_term(std::int32_t term) const {
        if (term >= std::ssize(terms_) || !terms_[term]) return {};
        return {of_terms_.data() + term_start_[terms_[term] - 1], of_terms_.data() + term_start_[terms_[term]]};
    }

    const Index& index_;
    const SpectraScorer* spectra_;
    const DotScorer* dot_;
    bool frequencies_ = false;
    // A small number by gram or id, 0 for one that the text does not have, and what that means: together they stay in
    // the first caches, which a table of values would not.
    std::vector<std::uint32_t> slots_;
    std::vector<Left> left_;
    // A q-gram that both texts have.
    struct Met {
        const Left* left;
        const Index::Entry* right;
    };
    std::vector<Met> met_;
    std::int64_t text_ = 0;
    // Long texts: slot -> what the left text has, whole and without the terms of a right one; term -> its number in
    // the left text from 1 on, 0 for none; and what the terms have.
    std::vector<Rest> whole_, rest_;
    std::vector<std::uint32_t> terms_;
    std::vector<std::size_t> term_start_;
    std::vector<OfTerm> of_terms_;
    std::vector<std::int32_t> shared_;  // places of q-grams that both texts have
    HugeVector<float> partial_;
    std::vector<std::int32_t> touched_, seeds_;
};

}  // namespace likewise::join
