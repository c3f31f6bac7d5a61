#include "join_complete.hpp"

#include <algorithm>

namespace likewise {

void Completer::begin(const JoinRow& row) {
    row_ = &row;
    left_.resize(1);
    for (const auto& entry : row.entries) {
        slots_[entry.feature] = static_cast<std::uint32_t>(left_.size());
        left_.push_back({entry.value, entry.weight, entry.count});
    }
}

void Completer::end() {
    for (const auto& entry : row_->entries) slots_[entry.feature] = 0;
}

// Sums in the order and with the operations of the scorers, so that the base is theirs to the bit. Terms that both texts
// have need no correction where all shared q-grams are in one term of each text.
Completer::Common Completer::common(std::int64_t position) {
    ++candidates;
    const auto* entry = index_.rows.data() + index_.row_start[position];
    const auto* end = index_.rows.data() + index_.row_start[position + 1];
    double sum = 0;
    if (index_.family == JoinIndex::Family::product) {
        for (; entry < end; ++entry) sum += left(*entry).value * entry->value;
        return {sum, true, sum};
    }
    double more = 0;  // what the bound has above the sum
    bool exact = !index_.frequencies;
    for (; entry < end; ++entry) {
        const Left& mine = left(*entry);
        bool shared = mine.value >= 0;
        double base = shared ? (mine.value + entry->value) * 0.5 : 0.0;
        // Almost always every shared q-gram is in one term of each text.
        if (mine.count + entry->count > 2 && shared) {
            base = spectra_base(mine.value, mine.count, entry->value, entry->count);
            more += std::max(0.0, mine.bound + entry->value / (1 + entry->count) - base);
            exact = false;
        }
        sum += base;
    }
    return {sum, exact, (sum + more) * (1 + 1e-9)};
}

void Completer::expect(std::int64_t position) const {
    const auto* entry = index_.rows.data() + index_.row_start[position];
    const auto* end = index_.rows.data() + index_.row_start[position + 1];
    for (; entry < end; entry += 64 / sizeof(*entry)) __builtin_prefetch(entry);
}

const std::vector<std::int32_t>& Completer::seeds(std::int64_t first, std::size_t count) {
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
            const auto& cell = index_.cells_of(block)[feature];
            std::int64_t base = index_.blocks[block].first;
            float inverse = index_.blocks[block].inverse;
            for (std::uint32_t i = cell.start; i < cell.start + cell.size; ++i)
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
