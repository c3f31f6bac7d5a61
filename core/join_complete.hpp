// Candidates of one left text made certain: what they really have in common with it.
#pragma once

#include <cstdint>
#include <numeric>
#include <vector>

#include "dot.hpp"
#include "huge.hpp"
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

    // One of the scorers; with neither there are no candidates to complete. shared: of long texts, what shared_terms()
    // gives for all left texts.
    Completer(const Index& index, const SpectraScorer* spectra, const DotScorer* dot, const float* shared);

    // Makes this the text at work; end() before the next.
    void begin(std::int64_t left);
    void end();

    Common common(std::int64_t position);
    // Long texts: never below what is common, for less work; and then the base of the same text, to the bit.
    double high(std::int64_t position);
    double base() const { return std::accumulate(added_.begin(), added_.end(), 0.0); }
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
    double from_shared_terms(std::int64_t right) const;  // the most that they add, in long texts

    const Index& index_;
    const SpectraScorer* spectra_;
    const DotScorer* dot_;
    bool frequencies_ = false;
    // A small number by gram or id, 0 for one that the text does not have, and what that means: together they stay in
    // the first caches, which a table of values would not.
    std::vector<std::uint32_t> slots_;
    std::vector<Left> left_;
    std::int64_t text_ = 0;
    const float* shared_;
    std::vector<float> terms_;   // long texts: term -> what sharing it can add
    std::vector<double> added_;  // long texts: what each q-gram of the last right text adds to the base
    HugeVector<float> partial_;
    std::vector<std::int32_t> touched_, seeds_;
};

}  // namespace likewise::join
