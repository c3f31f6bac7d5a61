#include "join_complete.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace likewise::join {

Completer::Completer(const Index& index, const SpectraScorer* spectra, const DotScorer* dot)
    : index_(index),
      spectra_(spectra),
      dot_(dot),
      slots_(spectra ? index.no_gram() + 1 : index.features.size(), 0),
      left_{{0.0, 0}} {
    if (spectra) frequencies_ = !spectra->left.frequencies.empty() || !spectra->right.frequencies.empty();
}

void Completer::begin(std::int64_t left) {
    text_ = left;
    left_.resize(1);
    std::int64_t known = this->known();
    auto add = [&](std::int32_t key, double value, std::int32_t count) {
        if (key >= known) return;
        slots_[key] = static_cast<std::uint32_t>(left_.size());
        left_.push_back({value, count});
    };
    if (spectra_) {
        const SpectraTexts& texts = spectra_->left;
        for (std::int64_t i = texts.gram_indptr[left]; i < texts.gram_indptr[left + 1]; ++i)
            add(texts.grams[i], texts.values[i], texts.count(i));
        if (index_.with_terms) begin_long(texts, left);
    } else if (dot_) {
        const Rows& rows = dot_->left;
        for (std::int64_t i = rows.indptr[left]; i < rows.indptr[left + 1]; ++i) add(rows.ids[i], rows.weights[i], 1);
    }
}

void Completer::end() {
    std::int64_t known = this->known();
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
    const auto* entry = index_.rows.data() + index_.row_start[position];
    const auto* end = index_.rows.data() + index_.row_start[position + 1];
    double sum = 0;
    if (dot_) {
        for (; entry < end; ++entry) sum += left_[slots_[entry->key]].value * entry->value;
        return {sum, true, sum};
    }
    // First what both have is found, then it is added up: branches on whether a q-gram is shared would be taken
    // wrongly.
    if (std::ssize(met_) < end - entry) met_.resize(static_cast<std::size_t>(end - entry));
    Met* met = met_.data();
    for (; entry < end; ++entry) {
        std::uint32_t slot = slots_[entry->key & ~Index::kSeveral];
        *met = {&left_[slot], entry};
        met += slot != 0;
    }
    double more = 0;  // what the correction can add
    bool exact = !frequencies_;
    for (const Met* one = met_.data(); one < met; ++one) {
        const Left& left = *one->left;
        double value = one->right->value;
        bool several = one->right->key & Index::kSeveral;
        // Almost always it is in one term of each text.
        if (!several && left.count == 1) {
            sum += (left.value + value) * 0.5;
            continue;
        }
        std::int32_t count = several ? static_cast<std::int32_t>(one->right[1].value) : 1;
        double base = spectra_base(left.value, left.count, value, count);
        exact = false;
        sum += base;
        // See the table in docs/design/join.md.
        double most = frequencies_ || (left.count > 1 && count > 1) ? left.value + value
                      : left.count == 1                             ? left.value
                                                                    : value;
        more += std::max(0.0, most - base);
    }
    return {sum, exact, (sum + more) * (1 + 1e-9)};
}

void Completer::begin_long(const SpectraTexts& texts, std::int64_t left) {
    whole_.resize(left_.size());
    for (std::size_t slot = 0; slot < left_.size(); ++slot) {
        const Left& gram = left_[slot];
        whole_[slot] = {static_cast<float>(gram.value), static_cast<float>(gram.value * gram.count),
                        static_cast<float>(gram.count)};
    }
    of_terms_.clear();
    term_start_.assign(1, 0);
    for (std::int64_t i = texts.term_indptr[left]; i < texts.term_indptr[left + 1]; ++i) {
        std::int32_t term = texts.terms[i];
        TermEntry entry = spectra_->term_grams[term];
        std::size_t at = of_terms_.size();
        of_terms_.resize(at + static_cast<std::size_t>(entry.size));
        for (std::int32_t place = 0; place < entry.size; ++place)
            if (entry.grams[place] < known())
                of_terms_[at++] = {slots_[entry.grams[place]], static_cast<float>(entry.weights[place])};
        of_terms_.resize(at);
        term_start_.push_back(at);
        if (term >= std::ssize(terms_)) terms_.resize(static_cast<std::size_t>(term) + 1, 0);
        terms_[term] = static_cast<std::uint32_t>(term_start_.size()) - 1;
    }
}

namespace {

constexpr double kLeast = std::numeric_limits<float>::min();  // below it floats are rounded by more

// The sum of what the q-grams of a right text add.
template <class Rest>
float sum_of_added(const Rest* rest, const std::uint32_t* slots, const std::int32_t* grams, const float* values,
                   const float* counts, std::int64_t size) {
    std::int64_t i = 0;
    float sum = 0;
#if defined(__SSE2__)
    __m128 sums = _mm_setzero_ps();
    for (; i + 4 <= size; i += 4) {
        auto rest_of = [&](std::int64_t place) { return _mm_load_ps(&rest[slots[grams[place]]].value); };
        __m128 value = rest_of(i), total = rest_of(i + 1), count = rest_of(i + 2), none = rest_of(i + 3);
        _MM_TRANSPOSE4_PS(value, total, count, none);
        __m128 right = _mm_loadu_ps(values + i), own = _mm_loadu_ps(counts + i);
        __m128 both = _mm_div_ps(_mm_add_ps(total, _mm_mul_ps(own, right)), _mm_add_ps(count, own));
        sums = _mm_add_ps(sums, _mm_add_ps(value, _mm_sub_ps(right, both)));
    }
    alignas(16) float lanes[4];
    _mm_store_ps(lanes, sums);
    sum = lanes[0] + lanes[1] + lanes[2] + lanes[3];
#endif
    for (; i < size; ++i) {
        const Rest& left = rest[slots[grams[i]]];
        sum += left.value + (values[i] - (left.sum + counts[i] * values[i]) / (left.count + counts[i]));
    }
    return sum;
}

}  // namespace

// A shared q-gram adds v_A + v_B - v_U, where the union has the q-grams of the right text and those of the left one's
// terms that the right one does not have. A q-gram that the left text does not have has nothing there, and so adds
// v_B - v_B: there is no branch for the processor to guess wrong, which costs more than the sum.
Bounds Completer::around(std::int64_t position) {
    const SpectraTexts& texts = spectra_->right;
    const auto& rows = index_.long_rows;
    std::int64_t right = index_.texts[position], first = index_.row_start[position];
    std::int64_t size = index_.row_start[position + 1] - first;
    rest_ = whole_;
    for (std::int64_t i = texts.term_indptr[right]; i < texts.term_indptr[right + 1]; ++i)
        for (const OfTerm& gram : of_term(texts.terms[i])) {
            rest_[gram.slot].sum -= gram.weight;
            rest_[gram.slot].count -= 1;
        }
    double sum = sum_of_added(rest_.data(), slots_.data(), rows.grams.data() + first, rows.values.data() + first,
                              rows.counts.data() + first, size);
    if (!std::isfinite(sum)) return {0, std::numeric_limits<double>::infinity()};
    // A float is rounded for each term that a q-gram is in, and for each q-gram, by 2^-24 of what both texts have.
    auto steps = static_cast<double>(std::ssize(term_start_) + 2 * size + 16);
    double off = steps * (6e-8 * (spectra_->left.cardinalities[text_] + index_.sizes[position]) + kLeast);
    return {std::max(0.0, sum - off), std::max(0.0, sum + off)};
}

double Completer::base(std::int64_t position) {
    const SpectraTexts& texts = spectra_->right;
    const std::int32_t* grams = index_.long_rows.grams.data() + index_.row_start[position];
    const auto size = static_cast<std::int32_t>(index_.row_start[position + 1] - index_.row_start[position]);
    shared_.resize(static_cast<std::size_t>(size));
    std::size_t found = 0;
    for (std::int32_t place = 0; place < size; ++place) {
        shared_[found] = place;
        found += slots_[grams[place]] != 0;
    }
    std::int64_t first = texts.gram_indptr[index_.texts[position]];
    double sum = 0;
    for (std::size_t i = 0; i < found; ++i) {
        const Left& left = left_[slots_[grams[shared_[i]]]];
        std::int64_t place = first + shared_[i];
        sum += spectra_base(left.value, left.count, texts.values[place], texts.counts[place]);
    }
    return sum;
}

void Completer::expect_soon(std::int64_t position) const {
    prefetch(index_.row_start.data(), position);
    prefetch(index_.texts.data(), position);
    prefetch(index_.sizes.data(), position);
    if (index_.with_terms) prefetch(spectra_->right.term_indptr.data(), index_.texts[position]);
}

void Completer::expect(std::int64_t position) const {
    std::int64_t first = index_.row_start[position], end = index_.row_start[position + 1];
    if (index_.with_terms) {
        const auto& rows = index_.long_rows;
        for (std::int64_t i = first; i < end; i += 16) {
            prefetch(rows.grams.data(), i);
            prefetch(rows.values.data(), i);
            prefetch(rows.counts.data(), i);
        }
        const SpectraTexts& texts = spectra_->right;
        std::int64_t right = index_.texts[position];
        for (std::int64_t i = texts.term_indptr[right]; i < texts.term_indptr[right + 1]; i += 16)
            prefetch(texts.terms.data(), i);
        return;
    }
    constexpr std::int64_t kLine = 5;  // entries in a line of cache
    for (std::int64_t i = first; i < end; i += kLine) prefetch(index_.rows.data(), i);
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
