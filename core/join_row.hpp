// One left text against all right texts: finds those whose upper bound reaches the threshold of the moment.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "coefficient.hpp"
#include "join_index.hpp"
#include "join_kernel.hpp"

namespace likewise {

// How large the common part must be for a score. Never decreases with the size of the right text.
struct JoinNeed {
    bool product = true;
    Coefficient coefficient{};

    double operator()(double score, double left, double right) const {
        if (product || score <= 0 || coefficient.kind == Coefficient::Kind::common) return score;
        if (coefficient.kind == Coefficient::Kind::jaccard) return score / (1 + score) * (left + right);
        if (coefficient.kind == Coefficient::Kind::coverage) return score * right;
        return score * Coefficient::mean(left, right, coefficient.p);
    }
};

// Scratch space and the walk over the blocks; one per thread.
class RowSearch {
public:
    // What two texts have in common is between the two. Once completed, `base` is the scorer's, to the bit: all there is
    // (`exact`), or all but the correction for shared terms.
    struct Range {
        double low, high;
        double base = 0;
        bool completed = false, exact = false;
    };

    std::int64_t postings = 0;    // looked at, so far
    std::int64_t candidates = 0;  // completed, so far

    RowSearch(const JoinIndex& index, JoinNeed need)
        : index_(index), need_(need), cells_(JoinIndex::block_size + 64), flags_(JoinIndex::block_size),
          hits_(JoinIndex::block_size), left_(index.feature_count(), absent(index)) {}

    // Makes `row` the text that is searched for.
    void begin(const JoinRow& row);
    void end();

    // How boldly lists are skipped; starts anew for each chunk of rows, so that work does not depend on threads. A
    // threshold that is known from the start can be trusted with more than one that is still to rise.
    void reset(bool known) {
        known_ = known;
        boldness_ = known ? 0.5 : 0.1;
        patience_ = known ? 0.5 : 0.1;
    }

    // Calls visit(position, common) for every position >= first whose score may reach threshold(), which visit may
    // raise.
    template <class Threshold, class Visit>
    void walk(std::int64_t first, Threshold&& threshold, Visit&& visit);

    // Calls visit(position, common) for some more than `count` texts of one block, the most promising ones: a first idea
    // of what scores there are.
    template <class Visit>
    void glance(std::int64_t block, std::int64_t count, Visit&& visit);

    // The block whose texts are most like the row in size.
    std::int64_t likely_block() const;

    // Promising positions, found through the rarest features alone; the best come first.
    const std::vector<std::int32_t>& seeds(std::int64_t first, std::size_t count);

    Range common(std::int64_t position);
    void expect(std::int64_t position) const;  // common() will be called soon

private:
    struct Cursor {
        const JoinIndex::RarePosting *at, *end;
        float weight, largest;
        JoinRow::Entry::Kind kind;
    };

    // A feature of the row, for completing candidates.
    struct Left {
        double value;  // of a feature that the row does not have: below 0 (sum), 0 (product)
        float bound;   // x
        std::int32_t count;
    };
    static Left absent(const JoinIndex& index) {
        return {index.family == JoinIndex::Family::sum ? -1.0 : 0.0, 0, 1};
    }

    // A left weight in units, rounded up. What is cut off is so large that it fills an accumulator by itself.
    static std::uint32_t whole(double x) { return static_cast<std::uint32_t>(std::min(std::ceil(x), 4294967295.0)); }

    void set_cursors(std::int64_t first);
    bool plan(std::int64_t block, double need, double& skipped);
    void set_limits(std::int64_t block, double score, double skipped);
    template <bool Product, bool Saturate>
    void fill(std::int64_t block);
    void fill(std::int64_t block);
    std::int32_t collect(std::int64_t block);
    void clear_flags();

    // The range of a text from its accumulator.
    Range range_of(std::uint16_t sum, double skipped) const {
        if (sum == 65535) return {0, std::numeric_limits<double>::infinity()};
        return {std::max(0.0, (sum - slack_) / scale_ * (1 - 1e-6)), (sum / scale_ + skipped) * (1 + 1e-9)};
    }

    const JoinIndex& index_;
    JoinNeed need_;
    const JoinRow* row_ = nullptr;
    std::vector<std::uint16_t> cells_;
    std::vector<std::uint8_t> flags_;  // texts of the block that a list of kind from_zero has touched
    std::vector<JoinHit> hits_;
    HugeVector<Left> left_;  // by feature
    std::vector<std::uint16_t> limits_;  // by range of the block
    std::vector<JoinList> lists_;
    std::vector<double> exact_;  // x of the lists, before scaling
    std::vector<Cursor> cursors_;
    std::vector<std::uint16_t> rare_places_, flagged_;
    HugeVector<float> partial_;
    std::vector<std::int32_t> touched_, seeds_;
    std::int64_t added_ = 0;  // postings in the cells of the block at work
    double scale_ = 1;
    double slack_ = 0;  // units that an accumulator can be above the truth
    bool saturate_ = false;
    double boldness_ = 0.1, patience_ = 0.1;
    bool known_ = false;
    std::int64_t postings_before_ = 0, candidates_before_ = 0;
};

template <class Threshold, class Visit>
void RowSearch::walk(std::int64_t first, Threshold&& threshold, Visit&& visit) {
    if (index_.family == JoinIndex::Family::any) {
        for (auto position = first; position < index_.right_size; ++position) visit(position, Range{0, 0, 0, false, false});
        return;
    }
    set_cursors(first);
    for (auto block = std::max<std::int64_t>(index_.block_of(first), 0);
         block < static_cast<std::int64_t>(index_.blocks.size()); ++block) {
        std::int64_t base = index_.blocks[block].first, end = index_.blocks[block].end;
        double skipped = 0;
        double need = need_(threshold(), row_->size, index_.blocks[block].smallest);
        if (!plan(block, need, skipped)) {
            for (auto& cursor : cursors_)
                while (cursor.at < cursor.end && cursor.at->position < end) ++cursor.at;
            continue;
        }
        set_limits(block, threshold(), skipped);
        fill(block);
        std::int32_t hits = collect(block);
        for (std::int32_t hit = 0; hit < hits; ++hit) {
            std::int64_t position = base + hits_[hit].place;
            if (position < first) continue;
            Range range = range_of(hits_[hit].sum, skipped);
            if (flags_[hits_[hit].place]) range.low = 0;
            if (known_) {  // visit will complete it, and the next ones
                if (hit + 12 < hits) __builtin_prefetch(&index_.row_start[base + hits_[hit + 12].place]);
                if (hit + 5 < hits) expect(base + hits_[hit + 5].place);
            }
            visit(position, range);
        }
        clear_flags();
    }
}

template <class Visit>
void RowSearch::glance(std::int64_t block, std::int64_t count, Visit&& visit) {
    const auto& info = index_.blocks[block];
    set_cursors(info.first);
    double skipped = 0;
    if (!plan(block, 0, skipped)) return;
    fill(block);
    // More than asked for, because some will be flagged, and one may be the row itself.
    std::uint16_t limit = likely_limit(cells_.data(), static_cast<std::int32_t>(info.end - info.first), 2 * count + 4);
    limits_.assign(info.ranges.size(), limit > 0 ? static_cast<std::uint16_t>(limit - 1) : 65534);
    std::int32_t hits = collect(block);
    for (std::int32_t hit = 0; hit < hits; ++hit) {
        if (!flags_[hits_[hit].place]) visit(info.first + hits_[hit].place, range_of(hits_[hit].sum, skipped));
    }
    clear_flags();
}

}  // namespace likewise
