#include "join_row.hpp"

namespace likewise {

void RowSearch::begin(const JoinRow& row) {
    row_ = &row;
    postings_before_ = postings;
    candidates_before_ = candidates;
    for (const auto& entry : row.entries) left_[entry.feature] = {entry.value, entry.weight, entry.count};
}

void RowSearch::end() {
    for (const auto& entry : row_->entries) left_[entry.feature] = absent(index_);
    // A completed candidate costs about as much as 8 postings for each of its features. Skipping more makes more
    // candidates, the faster the more is skipped: it pays as long as they cost a small part of the whole.
    double cost = 50 + 8 * static_cast<double>(row_->entries.size());
    double balance = patience_ * static_cast<double>(postings - postings_before_) -
                     cost * static_cast<double>(candidates - candidates_before_);
    boldness_ = std::clamp(boldness_ * (balance > 0 ? 1.05 : 0.8), 0.01, 0.95);
}

// Sums in the order and with the operations of the scorers, so that the base is theirs to the bit. Terms that both texts
// have need no correction where all shared q-grams are in one term of each text.
RowSearch::Range RowSearch::common(std::int64_t position) {
    ++candidates;
    const auto* entry = index_.rows.data() + index_.row_start[position];
    const auto* end = index_.rows.data() + index_.row_start[position + 1];
    double sum = 0;
    if (index_.family == JoinIndex::Family::product) {
        for (; entry < end; ++entry) sum += left_[entry->feature].value * entry->value;
        return {sum, sum, sum, true, true};
    }
    // Almost always every shared q-gram is in one term of each text; without branches then.
    std::int32_t most = 1;
    for (const auto* at = entry; at < end; ++at) {
        const Left& left = left_[at->feature];
        bool shared = left.value >= 0;
        sum += shared ? (left.value + at->value) * 0.5 : 0.0;
        most = std::max(most, shared ? std::max(left.count, at->count) : 1);
    }
    if (most == 1 && !index_.frequencies) return {sum, sum, sum, true, true};
    double low = 0;
    sum = 0;
    for (const auto* at = entry; at < end; ++at) {
        const Left& left = left_[at->feature];
        if (left.value < 0) continue;
        double base = spectra_base(left.value, left.count, at->value, at->count);
        sum += base;
        if (left.count == 1 && at->count == 1) low += base;
    }
    double high = 0;
    for (; entry < end; ++entry) {
        float x = left_[entry->feature].bound;
        high += x > 0 ? static_cast<double>(x) + index_.y(*entry) : 0.0;
    }
    return {index_.frequencies ? 0 : low * (1 - 1e-9), high * (1 + 1e-9), sum, true, false};
}

void RowSearch::expect(std::int64_t position) const {
    const auto* entry = index_.rows.data() + index_.row_start[position];
    const auto* end = index_.rows.data() + index_.row_start[position + 1];
    for (; entry < end; entry += 64 / sizeof(*entry)) __builtin_prefetch(entry);
}

void RowSearch::set_cursors(std::int64_t first) {
    cursors_.clear();
    for (const auto& entry : row_->entries) {
        if (entry.feature < index_.dense) continue;
        auto* from = index_.rare.data() + index_.rare_start[entry.feature - index_.dense];
        auto* to = index_.rare.data() + index_.rare_start[entry.feature - index_.dense + 1];
        if (first)
            from = std::lower_bound(from, to, first, [](auto& posting, auto value) { return posting.position < value; });
        if (from < to) cursors_.push_back({from, to, entry.weight, index_.largest[entry.feature], entry.kind});
    }
}

std::int64_t RowSearch::likely_block() const {
    auto& blocks = index_.blocks;
    if (blocks.empty()) return -1;
    bool product = index_.family == JoinIndex::Family::product;
    auto found = std::find_if(blocks.begin(), blocks.end(), [&](auto& block) {
        return product ? block.longest >= static_cast<std::int32_t>(row_->entries.size()) : block.largest >= row_->size;
    });
    return std::min<std::int64_t>(found - blocks.begin(), static_cast<std::int64_t>(blocks.size()) - 1);
}

void RowSearch::fill(std::int64_t block) {
    if (index_.family == JoinIndex::Family::product) saturate_ ? fill<true, true>(block) : fill<true, false>(block);
    else saturate_ ? fill<false, true>(block) : fill<false, false>(block);
}

template <bool Product, bool Saturate>
void RowSearch::fill(std::int64_t block) {
    std::int64_t base = index_.blocks[block].first, end = index_.blocks[block].end;
    added_ = 0;
    add_columns(cells_.data(), static_cast<std::int32_t>(end - base), lists_, Product);
    for (const JoinList& list : lists_) {
        if (!list.column) accumulate<Product, Saturate>(cells_.data(), list);
        added_ += list.size;
        if (list.from_zero)
            for (std::uint32_t i = 0; i < list.size; ++i) flags_[list.postings[i].text] = 1;
    }
    for (auto& cursor : cursors_) {
        if (cursor.at == cursor.end || cursor.at->position >= end) continue;
        double exact = Product ? cursor.weight * scale_ * 65536.0 / index_.blocks[block].unit : cursor.weight * scale_;
        std::uint32_t x = whole(exact);
        if (cursor.kind == JoinRow::Entry::from_y) slack_ += x;
        for (; cursor.at < cursor.end && cursor.at->position < end; ++cursor.at) {
            auto place = static_cast<std::uint16_t>(cursor.at->position - base);
            accumulate_one<Product, Saturate>(cells_[place], x, cursor.at->weight);
            rare_places_.push_back(place);
            if (cursor.kind == JoinRow::Entry::from_zero) flags_[place] = 1, flagged_.push_back(place);
        }
    }
    added_ += static_cast<std::int64_t>(rare_places_.size());
    postings += added_;
}

// The texts of the block that are above the limits; clears the cells.
std::int32_t RowSearch::collect(std::int64_t block) {
    const auto& ranges = index_.blocks[block].ranges;
    std::int32_t hits = 0;
    // Few postings: look at those again. Many: look at all cells of the block.
    if (added_ < ranges.back().end / 32) {
        std::uint16_t limit = *std::min_element(limits_.begin(), limits_.end());
        auto take = [&](std::uint16_t place) {
            if (cells_[place] > limit) hits_[hits++] = {place, cells_[place]};
            cells_[place] = 0;
        };
        for (const JoinList& list : lists_)
            for (std::uint32_t i = 0; i < list.size; ++i) take(list.postings[i].text);
        for (std::uint16_t place : rare_places_) take(place);
    } else {
        for (std::size_t i = 0, from = 0; i < ranges.size(); from = ranges[i++].end)
            hits += collect_above(cells_.data(), static_cast<std::int32_t>(from), ranges[i].end, limits_[i],
                                  hits_.data() + hits);
    }
    rare_places_.clear();
    return hits;
}

void RowSearch::clear_flags() {
    for (const JoinList& list : lists_)
        if (list.from_zero)
            for (std::uint32_t i = 0; i < list.size; ++i) flags_[list.postings[i].text] = 0;
    for (std::uint16_t place : flagged_) flags_[place] = 0;
    flagged_.clear();
}

// Decides which lists of a block need not be added: those that together stay below what is needed can make no text a
// candidate, so their part is taken off the limit instead (and made up for when a candidate is completed). Common
// features come first in a row, so the longest lists are skipped first. False where no text of the block can reach it.
bool RowSearch::plan(std::int64_t block, double need, double& skipped) {
    const auto& info = index_.blocks[block];
    bool product = index_.family == JoinIndex::Family::product;
    double budget = need * boldness_, sum = 0, squares = 0, rest = 0, rest_squares = 0;
    auto blocks = static_cast<std::int64_t>(index_.blocks.size());
    lists_.clear();
    exact_.clear();
    double from_y = 0;
    for (const auto& entry : row_->entries) {
        if (entry.feature >= index_.dense) break;
        std::int64_t cell = entry.feature * blocks + block;
        std::uint32_t from = index_.cells[cell], size = index_.cells[cell + 1] - from;
        if (!size) continue;
        double x = entry.weight, largest = index_.cell_largest[cell] / info.unit;
        double bound = product ? x * largest : x + largest;
        double with = sum + bound;
        if (product) with = std::min(with, std::sqrt(squares + x * x) * info.largest);
        if (with <= budget && size > 4) {
            sum += bound;
            squares += x * x;
            skipped = with;
            continue;
        }
        rest += bound;
        rest_squares += x * x;
        bool from_zero = entry.kind == JoinRow::Entry::from_zero;
        std::int32_t column = from_zero ? -1 : index_.cell_columns[cell];
        lists_.push_back({index_.postings.data() + from, size, 0, from_zero,
                          column < 0 ? nullptr : index_.columns.data() + column * JoinIndex::column_size,
                          column < 0 ? std::uint8_t{0} : index_.shifts[column]});
        if (entry.kind == JoinRow::Entry::from_y) from_y += x;
        exact_.push_back(x);
    }
    std::int64_t end = info.end;
    std::size_t count = lists_.size();
    for (const Cursor& cursor : cursors_) {
        if (cursor.at == cursor.end || cursor.at->position >= end) continue;
        rest += product ? static_cast<double>(cursor.weight) * cursor.largest : cursor.weight + cursor.largest;
        rest_squares += static_cast<double>(cursor.weight) * cursor.weight;
        ++count;
    }
    if (product) rest = std::min(rest, std::sqrt(rest_squares) * info.largest);
    if (!count || (rest + skipped) * (1 + 1e-6) < need) return false;
    if (product) {
        scale_ = 60000 / rest;
        double unit = scale_ * 65536 / info.unit, rounding = 0;
        for (std::size_t i = 0; i < lists_.size(); ++i) {
            double x = exact_[i] * unit;
            lists_[i].x = whole(x);
            if (lists_[i].x > 65535) lists_[i].column = nullptr;
            rounding += (x + 1) * (lists_[i].column ? 1 << lists_[i].shift : 1);
        }
        for (const Cursor& cursor : cursors_) rounding += cursor.weight * unit + 1;
        slack_ = 2.0 * static_cast<double>(count) + rounding / 65536;
        saturate_ = 60000 + slack_ > 65000;
    } else {
        scale_ = info.unit;
        for (std::size_t i = 0; i < lists_.size(); ++i)
            lists_[i].x = whole(exact_[i] * scale_);
        slack_ = 2.0 * static_cast<double>(count) + from_y * scale_;
        for (const JoinList& list : lists_) slack_ += list.column ? 1 << list.shift : 0;
        double left = std::min(row_->total, static_cast<double>(info.longest) * row_->heaviest);
        saturate_ = (info.total + left) * scale_ + slack_ > 65000;
    }
    return true;
}

// What an accumulator must be above, for each range of the block. Rounding in the need and in the exact score stays far
// below one part in a million.
void RowSearch::set_limits(std::int64_t block, double score, double skipped) {
    limits_.clear();
    for (const auto& range : index_.blocks[block].ranges) {
        double need = need_(score, row_->size, range.smallest);
        double limit = std::floor((need * (1 - 1e-6) - skipped) * scale_) - 1;
        limits_.push_back(static_cast<std::uint16_t>(std::clamp(limit, 0.0, 65534.0)));
    }
}

const std::vector<std::int32_t>& RowSearch::seeds(std::int64_t first, std::size_t count) {
    constexpr std::int64_t enough = 256;
    bool product = index_.family == JoinIndex::Family::product;
    partial_.resize(index_.texts.size(), 0.f);
    touched_.clear();
    seeds_.clear();
    if (index_.family == JoinIndex::Family::any) return seeds_;
    auto blocks = static_cast<std::int64_t>(index_.blocks.size());
    std::int64_t start = index_.block_of(first), seen = 0;
    auto add = [&](std::int64_t position, float x, float y) {
        ++seen;
        if (position < first) return;
        float& sum = partial_[position];
        if (sum == 0) touched_.push_back(static_cast<std::int32_t>(position));
        sum += product ? x * y : x + y;
    };
    for (auto entry = row_->entries.rbegin(); entry != row_->entries.rend() && seen < enough; ++entry) {
        std::int32_t feature = entry->feature;
        if (feature >= index_.dense) {
            std::int64_t from = index_.rare_start[feature - index_.dense];
            for (std::int64_t i = from; i < index_.rare_start[feature - index_.dense + 1]; ++i)
                add(index_.rare[i].position, entry->weight, index_.largest[feature]);
            continue;
        }
        for (std::int64_t block = start; block < blocks && seen < 2 * enough; ++block) {
            std::int64_t cell = feature * blocks + block, base = index_.blocks[block].first;
            float inverse = index_.blocks[block].inverse;
            for (std::uint32_t i = index_.cells[cell]; i < index_.cells[cell + 1]; ++i)
                add(base + index_.postings[i].text, entry->weight, index_.postings[i].weight * inverse);
        }
    }
    postings += seen;
    auto better = [&](std::int32_t a, std::int32_t b) {
        return partial_[a] != partial_[b] ? partial_[a] > partial_[b] : a < b;
    };
    if (touched_.size() > count) {
        std::nth_element(touched_.begin(), touched_.begin() + static_cast<std::ptrdiff_t>(count), touched_.end(), better);
        for (std::size_t i = count; i < touched_.size(); ++i) partial_[touched_[i]] = 0;
        touched_.resize(count);
    }
    std::sort(touched_.begin(), touched_.end(), better);
    for (std::int32_t position : touched_) partial_[position] = 0;
    seeds_.swap(touched_);
    touched_.clear();
    return seeds_;
}

}  // namespace likewise
