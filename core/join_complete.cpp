#include "join_complete.hpp"

#include <algorithm>

namespace likewise::join {

Completer::Completer(const Index& index, const SpectraScorer* spectra, const DotScorer* dot, const float* shared)
    : index_(index),
      spectra_(spectra),
      dot_(dot),
      slots_(spectra ? index.first_term / 2 : index.features.size(), 0),
      left_{{0.0, 0}},
      shared_(shared) {
    if (spectra) frequencies_ = !spectra->left.frequencies.empty() || !spectra->right.frequencies.empty();
}

void Completer::begin(std::int64_t left) {
    text_ = left;
    left_.resize(1);
    auto known = static_cast<std::int64_t>(slots_.size());
    auto add = [&](std::int32_t key, double value, std::int32_t count) {
        if (key >= known) return;
        slots_[key] = static_cast<std::uint32_t>(left_.size());
        left_.push_back({value, count});
    };
    if (spectra_) {
        const SpectraTexts& texts = spectra_->left;
        for (std::int64_t i = texts.gram_indptr[left]; i < texts.gram_indptr[left + 1]; ++i)
            add(texts.grams[i], texts.values[i], texts.count(i));
        if (!index_.with_terms) return;
        for (std::int64_t i = texts.term_indptr[left]; i < texts.term_indptr[left + 1]; ++i) {
            std::int32_t term = texts.terms[i];
            if (term >= static_cast<std::int32_t>(terms_.size())) terms_.resize(term + 1, 0.f);
            terms_[term] = shared_[i];
        }
    } else if (dot_) {
        const Rows& rows = dot_->left;
        for (std::int64_t i = rows.indptr[left]; i < rows.indptr[left + 1]; ++i) add(rows.ids[i], rows.weights[i], 1);
    }
}

void Completer::end() {
    auto known = static_cast<std::int64_t>(slots_.size());
    auto remove = [&](std::int32_t key) {
        if (key < known) slots_[key] = 0;
    };
    if (spectra_) {
        const SpectraTexts& texts = spectra_->left;
        for (std::int64_t i = texts.gram_indptr[text_]; i < texts.gram_indptr[text_ + 1]; ++i) remove(texts.grams[i]);
        if (!index_.with_terms) return;
        for (std::int64_t i = texts.term_indptr[text_]; i < texts.term_indptr[text_ + 1]; ++i)
            terms_[texts.terms[i]] = 0;
    } else if (dot_) {
        for (std::int64_t i = dot_->left.indptr[text_]; i < dot_->left.indptr[text_ + 1]; ++i)
            remove(dot_->left.ids[i]);
    }
}

// Sums in the order and with the operations of the scorers, so that the base is theirs to the bit. Terms that both
// texts have need no correction where all shared q-grams are in one term of each text.
Completer::Common Completer::common(std::int64_t position) {
    const auto *first = index_.rows.data() + index_.row_start[position], *entry = first;
    const auto* end = index_.rows.data() + index_.row_start[position + 1];
    double sum = 0;
    if (dot_) {
        for (; entry < end; ++entry) sum += left_[slots_[entry->key]].value * entry->value;
        return {sum, true, sum};
    }
    double more = 0;  // what the correction can add
    bool exact = !frequencies_;
    for (; entry < end; ++entry) {
        const Left& left = left_[slots_[entry->key & ~Index::kSeveral]];
        bool shared = left.count > 0, several = entry->key & Index::kSeveral;
        double base = shared ? (left.value + entry->value) * 0.5 : 0.0;
        // Almost always every shared q-gram is in one term of each text.
        if (shared && (several || left.count > 1)) {
            const SpectraTexts& texts = spectra_->right;
            std::int32_t count =
                several ? texts.counts[texts.gram_indptr[index_.texts[position]] + (entry - first)] : 1;
            base = spectra_base(left.value, left.count, entry->value, count);
            exact = false;
            sum += base;
            // See the table in docs/design/join.md.
            double most = frequencies_ || (left.count > 1 && count > 1) ? left.value + entry->value
                          : left.count == 1                             ? left.value
                                                                        : entry->value;
            more += std::max(0.0, most - base);
            continue;
        }
        sum += base;
    }
    return {sum, exact, (sum + more) * (1 + 1e-9)};
}

double Completer::from_shared_terms(std::int64_t right) const {
    const SpectraTexts& texts = spectra_->right;
    auto known = static_cast<std::int32_t>(terms_.size());
    double more = 0;
    for (std::int64_t i = texts.term_indptr[right]; i < texts.term_indptr[right + 1]; ++i)
        if (texts.terms[i] < known) more += terms_[texts.terms[i]];
    return more;
}

// A q-gram that the left text does not have has value and count 0, and so adds nothing: there is no branch for the
// processor to guess wrong, which costs more than the sum. What each adds is kept for base().
double Completer::high(std::int64_t position) {
    const SpectraTexts& texts = spectra_->right;
    std::int64_t right = index_.texts[position], first = texts.gram_indptr[right];
    const auto size = static_cast<std::size_t>(texts.gram_indptr[right + 1] - first);
    const std::int32_t *grams = texts.grams.data() + first, *counts = texts.counts.data() + first;
    const double* values = texts.values.data() + first;
    added_.resize(size);
    double* added = added_.data();
    for (std::size_t i = 0; i < size; ++i) {
        const Left& left = left_[slots_[grams[i]]];
        // The operations of spectra_base, which for counts of 1 come to the same bits.
        added[i] = (counts[i] * left.value + left.count * values[i]) / static_cast<double>(left.count + counts[i]);
    }
    double sums[4] = {};
    std::size_t i = 0;
    for (; i + 4 <= size; i += 4)
        for (std::size_t lane = 0; lane < 4; ++lane) sums[lane] += added[i + lane];
    for (; i < size; ++i) sums[0] += added[i];
    return (sums[0] + sums[1] + sums[2] + sums[3] + from_shared_terms(right)) * (1 + 1e-9);
}

void Completer::expect_soon(std::int64_t position) const {
    if (index_.with_terms) return spectra_->expect_soon(index_.texts[position]);
    prefetch(index_.row_start.data(), position);
    prefetch(index_.texts.data(), position);
    prefetch(index_.sizes.data(), position);
}

void Completer::expect(std::int64_t position) const {
    if (index_.with_terms) return spectra_->expect(index_.texts[position]);
    constexpr std::int64_t kLine = 5;  // entries in a line of cache
    for (std::int64_t i = index_.row_start[position]; i < index_.row_start[position + 1]; i += kLine)
        prefetch(index_.rows.data(), i);
}

const std::vector<std::int32_t>& Completer::seeds(const Row& row, std::int64_t first, std::size_t count) {
    constexpr std::int64_t enough = 256;
    bool product = index_.family == Index::Family::product;
    partial_.resize(index_.texts.size(), 0.f);
    touched_.clear();
    seeds_.clear();
    if (index_.family == Index::Family::any) return seeds_;
    auto blocks = static_cast<std::int64_t>(index_.blocks.size());
    std::int64_t start = index_.block_of(first), seen = 0;
    auto add = [&](std::int64_t position, float x, float y) {
        ++seen;
        if (position < first) return;
        float& sum = partial_[position];
        if (sum == 0) touched_.push_back(static_cast<std::int32_t>(position));
        sum += product ? x * y : x + y;
    };
    for (auto entry = row.entries.rbegin(); entry != row.entries.rend() && seen < enough; ++entry) {
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
        std::nth_element(touched_.begin(), touched_.begin() + static_cast<std::ptrdiff_t>(count), touched_.end(),
                         better);
        for (std::size_t i = count; i < touched_.size(); ++i) partial_[touched_[i]] = 0;
        touched_.resize(count);
    }
    std::sort(touched_.begin(), touched_.end(), better);
    for (std::int32_t position : touched_) partial_[position] = 0;
    seeds_.swap(touched_);
    touched_.clear();
    return seeds_;
}

}  // namespace likewise::join
