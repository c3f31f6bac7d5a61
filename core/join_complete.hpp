// Candidates of one left text made certain: what they really have in common with it.
#pragma once

#include <cstdint>
#include <vector>

#include "huge.hpp"
#include "join_block.hpp"
#include "join_index.hpp"

namespace likewise {

// One per thread; holds the features of the text at work by their numbers.
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

    explicit Completer(const JoinIndex& index)
        : index_(index), slots_(index.feature_count(), 0),
          left_{{index.family == JoinIndex::Family::sum ? -1.0 : 0.0, 0, 1}} {}

    // Makes `row` the text at work; end() before the next.
    void begin(const JoinRow& row);
    void end();

    Common common(std::int64_t position);
    void expect(std::int64_t position) const;  // common() will be called soon
    void expect_soon(std::int64_t position) const { __builtin_prefetch(&index_.row_start[position]); }

    // Promising positions, found through the rarest features alone; the best come first.
    const std::vector<std::int32_t>& seeds(std::int64_t first, std::size_t count);

private:
    struct Left {
        double value;  // of a feature that the row does not have: below 0 (sum), 0 (product)
        float bound;   // x
        std::int32_t count;
    };
    const Left& left(const JoinIndex::Entry& entry) const { return left_[slots_[entry.feature]]; }

    const JoinIndex& index_;
    const JoinRow* row_ = nullptr;
    // A small number by feature, 0 for one that the row does not have, and what that means: together they stay in the
    // first caches, which a table of features and values would not.
    std::vector<std::uint32_t> slots_;
    std::vector<Left> left_;
    HugeVector<float> partial_;
    std::vector<std::int32_t> touched_, seeds_;
};

}  // namespace likewise
