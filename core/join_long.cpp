// Long texts, where q-grams of several terms are the rule: what bounds them (docs/design/join.md).
#include <algorithm>
#include <bit>
#include <cstddef>
#include <iterator>

#include "join_index.hpp"
#include "portable.hpp"

namespace likewise::join {

namespace {

// K up to eight by itself, beyond it by quarters of a power of two.
std::int32_t spread_of(std::int32_t count) {
    if (count <= 8) return count;
    int power = std::bit_width(static_cast<std::uint32_t>(count)) - 1;
    return 8 + 4 * (power - 3) + (count >> (power - 2) & 3);
}

}  // namespace

void gather_spreads(Index& index, const SpectraTexts& texts) {
    std::vector<std::vector<Index::Spread>> found(static_cast<std::size_t>(index.first_term) / 2);
    for (std::size_t i = 0; i < texts.grams.size(); ++i) {
        std::int32_t count = texts.counts[i];
        if (count < 2) continue;
        if (index.features[2 * texts.grams[i] + 1] < 0) continue;
        auto& spreads = found[texts.grams[i]];
        auto at = std::find_if(spreads.begin(), spreads.end(),
                               [&](auto& one) { return spread_of(one.most) >= spread_of(count); });
        float high = round_up(texts.values[i]), low = -round_up(-texts.values[i]);
        if (at == spreads.end() || spread_of(at->most) > spread_of(count)) {
            spreads.insert(at, {count, count, low, high});
        } else {
            *at = {std::min(at->fewest, count), std::max(at->most, count), std::min(at->smallest, low),
                   std::max(at->largest, high)};
        }
    }
    index.spread_start.assign(1, 0);
    for (auto& spreads : found) {
        Index::Spread whole{};
        if (!spreads.empty()) whole = spreads.front();
        for (auto& one : spreads)
            whole = {whole.fewest, one.most, std::min(whole.smallest, one.smallest),
                     std::max(whole.largest, one.largest)};
        index.whole_spreads.push_back(whole);
        index.spreads.insert(index.spreads.end(), spreads.begin(), spreads.end());
        index.spread_start.push_back(static_cast<std::int64_t>(index.spreads.size()));
    }
}

void fill_long_rows(Index& index, const SpectraTexts& texts) {
    auto& rows = index.long_rows;
    rows.grams.reserve(texts.grams.size());
    rows.values.reserve(texts.grams.size());
    rows.counts.reserve(texts.grams.size());
    for (std::int32_t text : index.texts) {
        for (std::int64_t i = texts.gram_indptr[text]; i < texts.gram_indptr[text + 1]; ++i) {
            rows.grams.push_back(texts.grams[i]);
            rows.values.push_back(static_cast<float>(texts.values[i]));
            rows.counts.push_back(static_cast<float>(texts.counts[i]));
        }
        index.row_start.push_back(static_cast<std::int64_t>(rows.grams.size()));
    }
}

// y is v_B / 2 throughout; x makes up for what the base, (K_B v_A + K_A v_B) / (K_A + K_B), can be above it. For a
// given v_B that rises or falls with K_B, and for a given K_B with v_B: the ends of a spread say it all.
void Row::load_long(const Index& index, const SpectraScorer& scorer, std::int64_t text, const float* shared) {
    const SpectraTexts& texts = scorer.left;
    for (std::int64_t i = texts.gram_indptr[text]; i < texts.gram_indptr[text + 1]; ++i) {
        std::int64_t key = 2 * static_cast<std::int64_t>(texts.grams[i]);
        if (key >= index.first_term) continue;
        std::int32_t single = index.features[key], several = index.features[key + 1];
        double value = texts.values[i], count = texts.counts[i];
        auto above_half = [&](double right_count, double right_value) {
            return (right_count * value + (count - right_count) * right_value / 2) / (count + right_count);
        };
        if (single >= 0 && count == 1) add(single, value / 2, Entry::exact);
        if (single >= 0 && count > 1) add(single, above_half(1, 2.0 * index.largest[single]), Entry::from_y);
        if (several < 0) continue;
        double x = 0;
        auto look_at = [&](const Index::Spread& spread, double right_count) {
            x = std::max(x, above_half(right_count, count > right_count ? spread.largest : spread.smallest));
        };
        for (const auto& spread : index.spreads_of(texts.grams[i])) {
            look_at(spread, spread.fewest);
            if (spread.most != spread.fewest) look_at(spread, spread.most);
        }
        add(several, x, Entry::from_zero);
    }
    std::int64_t first = texts.term_indptr[text], terms = texts.term_indptr[text + 1] - first;
    std::vector<float> own;
    if (!shared) {
        own.resize(static_cast<std::size_t>(terms));
        shared_terms(index, scorer, text, own.data());
        shared = own.data();
    }
    for (std::int64_t i = 0; i < terms; ++i) {
        auto key = static_cast<std::size_t>(index.first_term) + static_cast<std::size_t>(texts.terms[first + i]);
        if (shared[i] > 0 && key < index.features.size() && index.features[key] >= 0)
            add(index.features[key], shared[i], Entry::from_zero);
    }
}

// A shared q-gram adds K_C / (K_A + K_B - K_C) (v_C - v_AB) to the base, v_AB the mean over the terms of both texts: at
// most the sum over the shared terms of what their weight is above v_AB, divided by K_A + K_B - K_C, which is K_A and
// K_B at least. 0 where K_A = K_B = 1.
void shared_terms(const Index& index, const SpectraScorer& scorer, std::int64_t text, float* out) {
    // What a weight is held against, by q-gram: there are no more divisions than q-grams.
    struct Against {
        double value, part;       // K_B = 1
        double mean, other_part;  // K_B > 1
    };
    thread_local std::vector<Against> scratch;
    std::vector<Against>& against = scratch;  // a thread_local is looked up at every use
    const SpectraTexts& texts = scorer.left;
    std::int64_t first = texts.gram_indptr[text], end = texts.gram_indptr[text + 1];
    if (first < end && texts.grams[end - 1] >= std::ssize(against))
        against.resize(static_cast<std::size_t>(texts.grams[end - 1]) + 1);
    for (std::int64_t i = texts.term_indptr[text]; i < texts.term_indptr[text + 1]; ++i) {
        TermEntry entry = scorer.term_grams[texts.terms[i]];
        for (std::int32_t place = 0; place < entry.size; place += 8) {
            prefetch(entry.weights, place);
            if (place % 16 == 0) prefetch(entry.grams, place);
        }
    }
    for (std::int64_t i = first; i < end; ++i) {
        std::int32_t gram = texts.grams[i];
        double count = texts.counts[i], value = texts.values[i];
        Index::Spread spread{};
        if (gram < std::ssize(index.whole_spreads)) spread = index.whole_spreads[gram];
        against[gram] = {value, 1 / (1 + count), value, 0};
        if (spread.fewest == 0) continue;
        // The mean over both texts lies between those of either.
        double right = spread.smallest < value ? spread.most : spread.fewest;
        against[gram].mean = (value * count + right * spread.smallest) / (count + right);
        against[gram].other_part = 1 / std::max<double>(count, spread.fewest);
    }
    for (std::int64_t i = texts.term_indptr[text]; i < texts.term_indptr[text + 1]; ++i) {
        TermEntry entry = scorer.term_grams[texts.terms[i]];
        double most = 0;
        for (std::int32_t place = 0; place < entry.size; ++place) {
            const Against& one = against[entry.grams[place]];
            double weight = entry.weights[place];
            most += std::max({0.0, (weight - one.value) * one.part, (weight - one.mean) * one.other_part});
        }
        *out++ = round_up(most * (1 + 1e-9));
    }
}

}  // namespace likewise::join
