#include "join_block.hpp"

#include <cmath>
#include <cstring>

#include "upper.hpp"

namespace likewise::join {

namespace {

// Accumulators have 16 bits. A sum is scaled to kFull, so that rounding still fits; from kNearlyFull on additions look
// for the end.
constexpr double kFull = 60000, kNearlyFull = 65000;
// A list this short costs less to add than a wider bound does.
constexpr std::uint16_t kShortList = 4;

}  // namespace

// A completed candidate costs about as much as 14 postings for each of its features. Skipping more makes more
// candidates, the faster the more is skipped: it pays as long as they cost a good part of the whole at most; by
// spectra, where a list adds little and a candidate may be corrected, only a small part.
void BlockSearch::adapt(std::int64_t postings, std::int64_t candidates, std::size_t features) {
    const double patience =  // what candidates may cost, for each posting
        index_.family == Index::Family::product ? 0.7 : 0.1;
    constexpr double kMemory = 0.8;  // of the balance, when new figures come
    constexpr double kBolder = 1.1, kShyer = 0.9, kShyest = 0.01, kBoldest = 0.95;
    double cost = 14 * static_cast<double>(features);
    balance_ = kMemory * balance_ + patience * static_cast<double>(postings) - cost * static_cast<double>(candidates);
    boldness_ = std::clamp(boldness_ * (balance_ > 0 ? kBolder : kShyer), kShyest, kBoldest);
}

std::int64_t BlockSearch::likely_block(const Row& row) const {
    auto& blocks = index_.blocks;
    bool product = index_.family == Index::Family::product;
    auto found = std::find_if(blocks.begin(), blocks.end(), [&](auto& block) {
        return product ? block.longest >= static_cast<std::int32_t>(row.entries.size()) : block.largest >= row.size;
    });
    return std::min<std::int64_t>(found - blocks.begin(), static_cast<std::int64_t>(blocks.size()) - 1);
}

void BlockSearch::skip(Row& row, std::int64_t end) const {
    for (auto& cursor : row.cursors)
        while (cursor.at < cursor.end && cursor.at->position < end) ++cursor.at;
}

void BlockSearch::fill(Row& row, std::int64_t block) {
    if (index_.family == Index::Family::product)
        saturate_ ? fill<true, true>(row, block) : fill<true, false>(row, block);
    else
        saturate_ ? fill<false, true>(row, block) : fill<false, false>(row, block);
}

template <bool Product, bool Saturate>
void BlockSearch::fill(Row& row, std::int64_t block) {
    const auto& info = index_.blocks[block];
    added_ = 0;
    flagging_ = false;
    add_columns(cells_.data(), static_cast<std::int32_t>(info.end - info.first), lists_, Product);
    for (const List& list : lists_) {
        if (!list.column) accumulate<Product, Saturate>(cells_.data(), list);
        added_ += list.size;
        if (list.from_zero) {
            flagging_ = true;
            for (std::uint32_t i = 0; i < list.size; ++i) flags_[list.postings[i].text] = 1;
        }
    }
    double unit = Product ? scale_ * 65536 / info.unit : scale_;
    for (auto& cursor : row.cursors) {
        while (cursor.at < cursor.end && cursor.at->position < info.first) ++cursor.at;
        if (cursor.at == cursor.end || cursor.at->position >= info.end) continue;
        std::uint32_t x = whole(cursor.weight * unit);
        if (cursor.kind == Row::Entry::from_y) slack_ += x;
        for (; cursor.at < cursor.end && cursor.at->position < info.end; ++cursor.at) {
            auto place = static_cast<std::uint16_t>(cursor.at->position - info.first);
            accumulate_one<Product, Saturate>(cells_[place], x, cursor.at->weight);
            rare_places_.push_back(place);
            if (lows_ && cursor.kind == Row::Entry::from_zero) {
                flags_[place] = 1;
                flagged_.push_back(place);
            }
        }
    }
    added_ += static_cast<std::int64_t>(rare_places_.size());
    postings += added_;
}

// The texts of the block that are above the limits; clears the cells.
std::int32_t BlockSearch::collect(std::int64_t block, const std::uint16_t* needs) {
    const auto& ranges = index_.blocks[block].ranges;
    auto lowered = static_cast<std::uint16_t>(std::min(skipped_ * scale_ + 1, 65535.0));
    std::int32_t hits = 0;
    // Few postings: look at those again. Many: look at all cells of the block.
    if (added_ < ranges.back().end / 32) {
        std::uint16_t limit = *std::min_element(limits_.begin(), limits_.end());
        auto take = [&](std::uint16_t place) {
            int bar = needs ? std::min<int>(limit, std::max(0, needs[place] - lowered)) : limit;
            if (cells_[place] > bar) hits_[hits++] = {place, cells_[place]};
            cells_[place] = 0;
        };
        for (const List& list : lists_)
            for (std::uint32_t i = 0; i < list.size; ++i) take(list.postings[i].text);
        for (std::uint16_t place : rare_places_) take(place);
    } else {
        for (std::size_t i = 0, from = 0; i < ranges.size(); from = ranges[i++].end)
            hits += collect_above(cells_.data(), static_cast<std::int32_t>(from), ranges[i].end, limits_[i], needs,
                                  lowered, hits_.data() + hits);
    }
    rare_places_.clear();
    return hits;
}

void BlockSearch::clear_flags() {
    if (flagging_)
        for (const List& list : lists_)
            if (list.from_zero)
                for (std::uint32_t i = 0; i < list.size; ++i) flags_[list.postings[i].text] = 0;
    for (std::uint16_t place : flagged_) flags_[place] = 0;
    flagged_.clear();
}

// Decides which lists of a block need not be added: those that together stay below what is needed can make no text a
// candidate, so their part is taken off the limit instead (and made up for when a candidate is completed). Common
// features come first in a row, so the longest lists are skipped first. False where no text of the block can reach it.
bool BlockSearch::plan(Row& row, std::int64_t block, double need, const BlockNeeds* needs) {
    const auto& info = index_.blocks[block];
    bool product = index_.family == Index::Family::product;
    skipped_ = loose_ = slack_ = 0;
    lists_.clear();
    exact_.clear();
    Sums sums = choose_lists(row, block, need * boldness_);
    std::size_t count = lists_.size();
    for (const auto& cursor : row.cursors) {
        if (cursor.at == cursor.end || cursor.at->position >= info.end) continue;
        double x = cursor.weight, bound = product ? x * cursor.largest : x + cursor.largest;
        sums.rest += bound;
        sums.squares += x * x;
        if (cursor.kind == Row::Entry::from_zero) loose_ += bound;
        ++count;
    }
    if (product) sums.rest = std::min(sums.rest, std::sqrt(sums.squares) * info.largest);
    if (!count || (sums.rest + skipped_) * (1 + 1e-6) < need) return false;
    if (product) {
        scale_ = kFull / (needs ? needs->norm * info.largest : sums.rest);
        scale_lists(row, info.unit, count);
        saturate_ = kFull + slack_ > kNearlyFull;
    } else {
        scale_ = info.unit;
        slack_ += 2.0 * static_cast<double>(count) + sums.from_y * scale_;
        double left = std::min(row.total, static_cast<double>(info.longest) * row.heaviest);
        saturate_ = (info.total + left) * scale_ + slack_ > kNearlyFull;
    }
    inverse_ = 1 / scale_;
    return true;
}

// Fills lists_ with what is not skipped of the dense features: at most `budget` is.
BlockSearch::Sums BlockSearch::choose_lists(const Row& row, std::int64_t block, double budget) {
    const auto& info = index_.blocks[block];
    const auto* cells = index_.cells_of(block);
    const auto* postings = index_.postings.data();
    bool product = index_.family == Index::Family::product;
    double sum = 0, lefts = 0, squares = 0;  // of what is skipped
    Sums sums;
    // What is decided about a list depends on its cell: all are fetched together, instead of one after the other.
    for (const auto& entry : row.entries) {
        if (entry.feature >= index_.dense) break;
        prefetch(cells, entry.feature);
    }
    for (const auto& entry : row.entries) {
        if (entry.feature >= index_.dense) break;
        const auto& cell = cells[entry.feature];
        if (!cell.size) continue;
        double x = entry.weight, bound = product ? x * cell.largest : x + cell.largest;
        if (sum < budget && cell.size > kShortList) {
            // Whatever lists are skipped, a right text adds no more than all it has.
            double with = sum + bound;
            with = std::min(with, product ? std::sqrt(squares + x * x) * info.largest : lefts + x + info.total);
            if (with <= budget) {
                squares += x * x;
                lefts += x;
                skipped_ = sum = with;
                continue;
            }
        }
        sums.rest += bound;
        bool from_zero = lows_ && entry.kind == Row::Entry::from_zero;
        bool column = cell.column >= 0 && !from_zero;
        const std::uint8_t* weights = nullptr;
        if (column) {
            weights = index_.columns.data() + cell.column * index_.column_size;
            slack_ += 1 << cell.shift;
        } else {
            // Most lists are a few lines of cache, each in a place of its own.
            prefetch(postings, cell.start);
            prefetch(postings, cell.start + 16);
        }
        lists_.push_back({postings + cell.start, cell.size, whole(x * info.unit), from_zero, weights, cell.shift});
        if (from_zero) loose_ += bound;
        if (entry.kind == Row::Entry::from_y) sums.from_y += x;
        if (product) {
            exact_.push_back(entry.weight);
            sums.squares += x * x;
        }
    }
    return sums;
}

// Left weights in units of the block at work, and how far rounding them can be off (product).
void BlockSearch::scale_lists(const Row& row, double block_unit, std::size_t count) {
    double unit = scale_ * 65536 / block_unit, rounding = 0;
    for (std::size_t i = 0; i < lists_.size(); ++i) {
        double x = exact_[i] * unit;
        lists_[i].x = whole(x);
        if (lists_[i].x > 65535) lists_[i].column = nullptr;
        rounding += (x + 1) * (lists_[i].column ? 1 << lists_[i].shift : 1);
    }
    for (const auto& cursor : row.cursors) rounding += cursor.weight * unit + 1;
    slack_ = 2.0 * static_cast<double>(count) + rounding / 65536;
}

// What an accumulator must be above, for each range of the block. Rounding in the need and in the exact score stays far
// below one part in a million.
void BlockSearch::set_limits(const Row& row, std::int64_t block, double score) {
    limits_.clear();
    double share = score > 0 ? need_.share(score) * (1 - 1e-6) * scale_ : 0, skipped = skipped_ * scale_ + 2;
    for (const auto& range : index_.blocks[block].ranges) {
        double limit = share * need_.mean(row.size, range.smallest) - skipped;
        limits_.push_back(static_cast<std::uint16_t>(std::clamp(limit, 0.0, 65534.0)));
    }
}

void BlockSearch::bounds(Row& row, std::int64_t block, double score, std::uint16_t* out) {
    const auto& info = index_.blocks[block];
    if (!plan(row, block, need_(score, row.size, info.smallest), nullptr)) {
        std::fill(out, out + (info.end - info.first), upper::code(static_cast<float>(score * (1 + 1e-6))));
        return skip(row, info.end);
    }
    fill(row, block);
    constexpr double kMore = 1 + 1e-6;  // than any rounding
    auto unit = static_cast<float>(inverse_ * kMore), more = static_cast<float>(skipped_ * kMore);
    auto left = static_cast<float>(row.size);
    const double* sizes = index_.sizes.data() + info.first;
    std::int64_t count = info.end - info.first;
    const Coefficient& coefficient = need_.coefficient;
    if (need_.product || coefficient.kind == Coefficient::Kind::common) {
        plain_bounds(cells_.data(), count, unit, more, out);
    } else if (coefficient.kind == Coefficient::Kind::mean && coefficient.p == -1) {
        harmonic_bounds(cells_.data(), sizes, count, left, unit, more, out);
    } else {
        for (std::int64_t i = 0; i < count; ++i) {
            float common = static_cast<float>(cells_[i]) * unit + more;
            auto mean = static_cast<float>(need_.mean(row.size, sizes[i]));
            // Jaccard, over what is in either: at least what the bound of what is common leaves of both.
            if (coefficient.kind == Coefficient::Kind::jaccard) mean = std::max(0.0f, mean * (1 - 1e-6f) - common);
            out[i] = upper::code(cells_[i], common / mean);
        }
    }
    std::memset(cells_.data(), 0, static_cast<std::size_t>(count) * sizeof(cells_[0]));
    rare_places_.clear();
}

void BlockSearch::set_needs(std::int64_t block, const float* shares, double smallest, double norm,
                            BlockNeeds& needs) const {
    const auto& info = index_.blocks[block];
    bool product = index_.family == Index::Family::product;
    double scale = product ? kFull / (norm * info.largest) : info.unit;
    needs.norm = norm;
    needs.least = std::numeric_limits<double>::infinity();
    needs.limits.resize(Index::kBlock);
    std::int32_t from = 0;
    for (const auto& range : info.ranges) {
        double mean = need_.mean(smallest, range.smallest);
        float least = limits_from(shares + from, range.end - from, static_cast<float>(mean * scale * (1 - 1e-6)),
                                  needs.limits.data() + from);
        needs.least = std::min(needs.least, static_cast<double>(least) * mean);
        from = range.end;
    }
}

}  // namespace likewise::join
