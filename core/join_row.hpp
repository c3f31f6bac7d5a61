// One left text against all right texts: finds those whose upper bound reaches the threshold of the moment.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
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
    std::int64_t postings = 0;    // looked at, so far
    std::int64_t candidates = 0;  // completed, so far

    RowSearch(const JoinIndex& index, JoinNeed need)
        : index_(index), need_(need), cells_(JoinIndex::block_size), found_(JoinIndex::block_size),
          left_(index.feature_count(), 0.f) {}

    // Makes `row` the text that is searched for.
    void begin(const JoinRow& row) {
        row_ = &row;
        for (const auto& entry : row.entries) left_[entry.feature] = entry.loose ? -entry.weight : entry.weight;
    }
    void end() {
        for (const auto& entry : row_->entries) left_[entry.feature] = 0;
    }

    // How boldly lists are skipped; starts anew for each chunk of rows, so that work does not depend on threads.
    void reset() { boldness_ = 0.5; }

    // Calls visit(position, common) for every position >= first whose score may reach threshold(), which visit may
    // raise.
    template <class Threshold, class Visit>
    void walk(std::int64_t first, Threshold&& threshold, Visit&& visit);

    // Promising positions, found through the rarest features alone; the best come first.
    const std::vector<std::int32_t>& seeds(std::int64_t first, std::size_t count);

    // What the row and the text at a position have in common is between the two.
    struct Range {
        double low, high;
    };
    Range common(std::int64_t position) const;

private:
    struct Cursor {
        const JoinIndex::RarePosting *at, *end;
        float weight, largest;
    };

    // A left weight in units, rounded up. What is cut off is so large that it fills an accumulator by itself.
    static std::uint32_t whole(double x) { return static_cast<std::uint32_t>(std::min(std::ceil(x), 4294967295.0)); }

    bool plan(std::int64_t block, double need, double& skipped);
    template <bool Product, bool Saturate>
    std::int32_t fill(std::int64_t block);
    void set_limits(std::int64_t block, double score, double skipped);

    const JoinIndex& index_;
    JoinNeed need_;
    const JoinRow* row_ = nullptr;
    std::vector<std::uint16_t> cells_, found_;
    std::vector<float> left_;  // feature -> x of the row
    std::vector<std::uint16_t> limits_;  // by range of the block
    std::vector<JoinList> lists_;
    std::vector<double> exact_;  // x of the lists, before scaling
    std::vector<Cursor> cursors_;
    std::vector<float> partial_;
    std::vector<std::int32_t> touched_, seeds_;
    double scale_ = 1;
    bool saturate_ = false;
    double boldness_ = 0.5;
};

inline RowSearch::Range RowSearch::common(std::int64_t position) const {
    const auto* entry = index_.rows.data() + index_.row_start[position];
    const auto* end = index_.rows.data() + index_.row_start[position + 1];
    double high = 0, low = 0;
    if (index_.family == JoinIndex::Family::product) {
        for (; entry < end; ++entry) high += static_cast<double>(left_[entry->feature]) * entry->weight;
        low = high;
    } else {
        for (; entry < end; ++entry) {
            float x = left_[entry->feature];
            high += static_cast<double>(std::abs(x)) + (x != 0 ? entry->weight : 0.f);
            low += x > 0 ? static_cast<double>(x) + entry->weight : 0.0;
        }
    }
    // Weights were rounded up to float32, by less than one part in 8 million each.
    return {low * (1 - 5e-7), high * (1 + 1e-9)};
}

template <class Threshold, class Visit>
void RowSearch::walk(std::int64_t first, Threshold&& threshold, Visit&& visit) {
    if (index_.family == JoinIndex::Family::any) {
        for (auto position = first; position < index_.right_size; ++position) visit(position, Range{0, 0});
        return;
    }
    cursors_.clear();
    for (const auto& entry : row_->entries) {
        if (entry.feature < index_.dense) continue;
        auto* from = index_.rare.data() + index_.rare_start[entry.feature - index_.dense];
        auto* to = index_.rare.data() + index_.rare_start[entry.feature - index_.dense + 1];
        from = std::lower_bound(from, to, first, [](auto& posting, auto value) { return posting.position < value; });
        if (from < to) cursors_.push_back({from, to, entry.weight, index_.largest[entry.feature]});
    }
    bool product = index_.family == JoinIndex::Family::product;
    std::int64_t before = postings, completed = candidates;
    for (auto block = std::max<std::int64_t>(index_.block_of(first), 0); block < static_cast<std::int64_t>(index_.blocks.size()); ++block) {
        double skipped = 0;
        double need = need_(threshold(), row_->size, index_.blocks[block].smallest);
        std::int32_t hits = 0;
        if (plan(block, need, skipped)) {
            set_limits(block, threshold(), skipped);
            hits = product ? (saturate_ ? fill<true, true>(block) : fill<true, false>(block))
                           : (saturate_ ? fill<false, true>(block) : fill<false, false>(block));
        } else {
            std::int64_t end = index_.blocks[block].end;
            for (auto& cursor : cursors_)
                while (cursor.at < cursor.end && cursor.at->position < end) ++cursor.at;
        }
        std::int64_t base = index_.blocks[block].first;
        for (std::int32_t hit = 0; hit < hits; ++hit) {
            if (hit + 8 < hits) __builtin_prefetch(&index_.row_start[base + found_[hit + 8]]);
            if (hit + 4 < hits) __builtin_prefetch(&index_.rows[index_.row_start[base + found_[hit + 4]]]);
            std::int64_t position = base + found_[hit];
            if (position < first) continue;
            ++candidates;
            Range range = common(position);
            if (range.high >= need && range.high >= need_(threshold(), row_->size, index_.sizes[position]) * (1 - 1e-9))
                visit(position, range);
        }
    }
    // A completed candidate costs about as much as 64 postings. Skipping more makes more candidates, the faster the more
    // is skipped: it pays as long as they cost a small part of the whole.
    double balance = 0.25 * static_cast<double>(postings - before) - 64.0 * static_cast<double>(candidates - completed);
    boldness_ = std::clamp(boldness_ + (balance > 0 ? 0.02 : -0.02), 0.05, 0.95);
}

template <bool Product, bool Saturate>
std::int32_t RowSearch::fill(std::int64_t block) {
    std::int64_t base = index_.blocks[block].first, end = index_.blocks[block].end, size = 0;
    for (const JoinList& list : lists_) {
        accumulate<Product, Saturate>(cells_.data(), list);
        size += list.size;
    }
    for (auto& cursor : cursors_) {
        if (cursor.at == cursor.end || cursor.at->position >= end) continue;
        double exact = Product ? cursor.weight * scale_ * 65536.0 / index_.blocks[block].unit : cursor.weight * scale_;
        std::uint32_t x = whole(exact);
        for (; cursor.at < cursor.end && cursor.at->position < end; ++cursor.at) {
            accumulate_one<Product, Saturate>(cells_[cursor.at->position - base], x, cursor.at->weight);
            touched_.push_back(static_cast<std::int32_t>(cursor.at->position - base));
        }
    }
    postings += size + static_cast<std::int64_t>(touched_.size());
    std::int32_t hits = 0;
    // Few postings: look at those again. Many: look at all cells of the block.
    if (size + static_cast<std::int64_t>(touched_.size()) < (end - base) / 32) {
        std::uint16_t limit = *std::min_element(limits_.begin(), limits_.end());
        auto take = [&](std::int32_t place) {
            if (cells_[place] > limit) found_[hits++] = static_cast<std::uint16_t>(place);
            cells_[place] = 0;
        };
        for (const JoinList& list : lists_)
            for (std::uint32_t i = 0; i < list.size; ++i) take(list.postings[i].text);
        for (std::int32_t place : touched_) take(place);
    } else {
        const auto& ranges = index_.blocks[block].ranges;
        for (std::size_t i = 0, from = 0; i < ranges.size(); from = ranges[i++].end)
            hits += collect_above(cells_.data(), static_cast<std::int32_t>(from), ranges[i].end, limits_[i],
                                  found_.data() + hits);
    }
    touched_.clear();
    return hits;
}

}  // namespace likewise
