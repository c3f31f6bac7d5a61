// One left text against one block of right texts: finds those whose upper bound reaches a threshold.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "coefficient.hpp"
#include "join_index.hpp"
#include "join_kernel.hpp"
#include "portable.hpp"

namespace likewise::join {

// How large the common part must be for a score: a share, which the score gives, of a mean of both sizes. Never
// decreases with the size of a text.
struct Need {
    bool product = true;
    Coefficient coefficient{};

    double share(double score) const {
        return !product && coefficient.kind == Coefficient::Kind::jaccard ? score / (1 + score) : score;
    }
    double mean(double left, double right) const {
        if (product || coefficient.kind == Coefficient::Kind::common) return 1;
        if (coefficient.kind == Coefficient::Kind::jaccard) return left + right;
        if (coefficient.kind == Coefficient::Kind::coverage) return right;
        return Coefficient::mean(left, right, coefficient.p);
    }
    double operator()(double score, double left, double right) const {
        return score <= 0 ? 0 : share(score) * mean(left, right);
    }
};

// What two texts have in common is between the two.
struct Bounds {
    double low, high;
};

// What the right texts of a block need themselves: in a symmetric join a pair counts for both of its texts.
struct BlockNeeds {
    std::vector<std::uint16_t> limits;  // what an accumulator must be above, by place
    double least = 0;                   // the smallest need among them
    double norm = 0;                    // the largest norm of the left texts (product)
};

// Scratch space and the search itself; one per thread.
class BlockSearch {
public:
    std::int64_t postings = 0;  // looked at, so far

    // `known`: the score that is searched for does not change. If it is still to rise, what is not skipped now may well
    // be later, so skipping is done with more care; and bounds from below are given, too, for it to rise by.
    BlockSearch(const Index& index, Need need, bool known)
        : index_(index),
          need_(need),
          lows_(!known && !index.with_terms),
          boldness_(known ? 0.7 : 0.1),
          cells_(Index::kBlock + 64),
          flags_(Index::kBlock),
          hits_(Index::kBlock) {}

    // Says what some texts have cost, postings and candidates with so many features each: the search learns from it how
    // boldly to skip lists.
    void adapt(std::int64_t postings, std::int64_t candidates, std::size_t features);

    // Calls visit(position, bounds) for every text of the block whose score may reach `score`, or what it needs itself.
    // Blocks must come in ascending order, after row.rewind().
    template <class Visit>
    void search(Row& row, std::int64_t block, double score, const BlockNeeds* needs, Visit&& visit);

    // The same where no score is known yet: rate(position, bounds) first gets the most promising texts, some more than
    // `count`, which are not visited again, and says what must be reached from then on.
    template <class Rate, class Visit>
    void search_first(Row& row, std::int64_t block, double score, std::int64_t count, Rate&& rate, Visit&& visit);

    // Writes, for every text of the block, a score that is not below its own (upper.hpp). Texts that cannot reach
    // `score` need not be told apart. Blocks must come in ascending order, after row.rewind().
    void bounds(Row& row, std::int64_t block, double score, std::uint16_t* out);

    // The limits for texts with thresholds of their own, share(score) by place, against left texts from the sizes
    // given.
    void set_needs(std::int64_t block, const float* shares, double smallest, double norm, BlockNeeds& needs) const;

    // The block whose texts are most like the row in size.
    std::int64_t likely_block(const Row& row) const;

private:
    struct Sums {
        double rest = 0, squares = 0;  // what the lists that are not skipped can add, and of their weights
        double from_y = 0;             // weights of those of kind from_y
    };
    bool plan(Row& row, std::int64_t block, double need, const BlockNeeds* needs);
    Sums choose_lists(const Row& row, std::int64_t block, double budget);
    void scale_lists(const Row& row, double block_unit, std::size_t count);
    void set_limits(const Row& row, std::int64_t block, double score);
    template <bool Product, bool Saturate>
    void fill(Row& row, std::int64_t block);
    void fill(Row& row, std::int64_t block);
    std::int32_t collect(std::int64_t block, const std::uint16_t* needs);
    template <class Visit>
    void visit_hits(const Index::Block& info, std::int32_t hits, Visit&& visit);
    void clear_flags();
    void skip(Row& row, std::int64_t end) const;

    // A left weight in units, rounded up. What is cut off is so large that it fills an accumulator by itself.
    static std::uint32_t whole(double x) { return x < 4294967294.0 ? static_cast<std::uint32_t>(x) + 1 : 4294967295u; }

    // The bounds of a text from its accumulator.
    Bounds bounds_of(Hit hit) const {
        if (hit.sum == 65535) return {0, std::numeric_limits<double>::infinity()};
        double low = lows_ ? (hit.sum - slack_) * inverse_ * (1 - 1e-6) - (flags_[hit.place] ? loose_ : 0) : 0.0;
        return {std::max(0.0, low), (hit.sum * inverse_ + skipped_) * (1 + 1e-9)};
    }

    const Index& index_;
    Need need_;
    bool lows_;           // whether bounds from below are wanted; those of long texts would be near 0
    double boldness_;     // the part of the need that skipped lists may take
    double balance_ = 0;  // what candidates could have cost of late, less what they did
    std::vector<std::uint16_t> cells_;
    std::vector<std::uint8_t> flags_;  // texts of the block that a list of kind from_zero has touched
    std::vector<Hit> hits_;
    std::vector<std::uint16_t> limits_;  // by range of the block
    std::vector<List> lists_;
    std::vector<float> exact_;  // x of the lists, before scaling (product)
    std::vector<std::uint16_t> rare_places_, flagged_;
    std::int64_t added_ = 0;  // postings in the cells of the block at work
    double scale_ = 1, inverse_ = 1;
    double slack_ = 0;    // units that an accumulator can be above the truth
    double loose_ = 0;    // what lists of kind from_zero have added at most
    double skipped_ = 0;  // what the lists that were left out can add
    bool saturate_ = false, flagging_ = false;
};

template <class Visit>
void BlockSearch::visit_hits(const Index::Block& info, std::int32_t hits, Visit&& visit) {
    constexpr std::int32_t kAhead = 8;  // whoever is shown a text asks for its size
    const double* sizes = index_.sizes.data() + info.first;
    for (std::int32_t hit = 0; hit < std::min(hits, kAhead); ++hit) prefetch(sizes, hits_[hit].place);
    for (std::int32_t hit = 0; hit < hits; ++hit) {
        if (hit + kAhead < hits) prefetch(sizes, hits_[hit + kAhead].place);
        visit(info.first + hits_[hit].place, bounds_of(hits_[hit]));
    }
    clear_flags();
}

template <class Visit>
void BlockSearch::search(Row& row, std::int64_t block, double score, const BlockNeeds* needs, Visit&& visit) {
    const auto& info = index_.blocks[block];
    double need = need_(score, row.size, info.smallest);
    if (!plan(row, block, needs ? std::min(need, needs->least) : need, needs)) return skip(row, info.end);
    set_limits(row, block, score);
    fill(row, block);
    visit_hits(info, collect(block, needs ? needs->limits.data() : nullptr), visit);
}

template <class Rate, class Visit>
void BlockSearch::search_first(Row& row, std::int64_t block, double score, std::int64_t count, Rate&& rate,
                               Visit&& visit) {
    const auto& info = index_.blocks[block];
    if (!plan(row, block, 0, nullptr)) return skip(row, info.end);
    fill(row, block);
    auto size = static_cast<std::int32_t>(info.end - info.first);
    std::uint16_t limit = likely_limit(cells_.data(), size, 2 * count);
    if (limit > 0) {
        std::int32_t hits = find_above(cells_.data(), size, static_cast<std::uint16_t>(limit - 1), hits_.data());
        auto rated = static_cast<std::int32_t>(std::min<std::int64_t>(hits, count + 2));
        std::partial_sort(hits_.begin(), hits_.begin() + rated, hits_.begin() + hits,
                          [](Hit a, Hit b) { return a.sum != b.sum ? a.sum > b.sum : a.place < b.place; });
        for (std::int32_t hit = 0; hit < rated; ++hit) {
            score = std::max(score, static_cast<double>(rate(info.first + hits_[hit].place, bounds_of(hits_[hit]))));
            cells_[hits_[hit].place] = 0;
        }
    }
    set_limits(row, block, score);
    visit_hits(info, collect(block, nullptr), visit);
}

}  // namespace likewise::join
