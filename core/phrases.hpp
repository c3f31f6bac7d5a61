// Counting measures with phrases: pairs of adjacent terms count if both texts have them, and a word serves
// only one phrase, left to right.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dot.hpp"

namespace likewise {

// For each text its adjacent pairs in the order of the text.
struct PhraseRows {
    std::span<const std::int64_t> indptr;
    std::span<const std::int32_t> phrases;
    std::span<const std::int64_t> positions;  // of the phrase's first word; its second is the next

    std::int64_t size() const { return static_cast<std::int64_t>(indptr.size()) - 1; }
};

// How shared phrases count: each once, the smaller count, or the product of the counts.
enum class PhraseCount { matches, common, tf };

struct PhraseScorer final : PairScorer {
    DotScorer terms;
    PhraseRows left, right;
    PhraseCount count;

    PhraseScorer(DotScorer terms, PhraseRows left, PhraseRows right, PhraseCount count)
        : terms(std::move(terms)), left(left), right(right), count(count) {}
    std::int64_t left_size() const override { return terms.left_size(); }
    std::int64_t right_size() const override { return terms.right_size(); }

    using PairScorer::score;
    double score(std::int64_t a, std::int64_t b, double) const override {
        double sum = terms.score(a, b);
        thread_local std::vector<std::int32_t> known_a, known_b, used_a, used_b;
        distinct(left, a, known_a);
        distinct(right, b, known_b);
        used(left, a, known_b, used_a);
        used(right, b, known_a, used_b);
        for (std::size_t i = 0, j = 0; i < used_a.size() && j < used_b.size();) {
            std::int32_t x = used_a[i], y = used_b[j];
            if (x != y) {
                i += x < y;
                j += y < x;
                continue;
            }
            std::size_t in_a = 0, in_b = 0;
            for (; i < used_a.size() && used_a[i] == x; ++i) ++in_a;
            for (; j < used_b.size() && used_b[j] == x; ++j) ++in_b;
            sum += count == PhraseCount::matches  ? 1.0
                   : count == PhraseCount::common ? static_cast<double>(std::min(in_a, in_b))
                                                  : static_cast<double>(in_a) * static_cast<double>(in_b);
        }
        return sum;
    }

private:
    static void distinct(const PhraseRows& rows, std::int64_t text, std::vector<std::int32_t>& out) {
        out.assign(rows.phrases.begin() + rows.indptr[text], rows.phrases.begin() + rows.indptr[text + 1]);
        std::sort(out.begin(), out.end());
        out.erase(std::unique(out.begin(), out.end()), out.end());
    }

    // The text's phrases that the other text knows, left to right, each word used once; sorted.
    static void used(const PhraseRows& rows, std::int64_t text, const std::vector<std::int32_t>& known,
                     std::vector<std::int32_t>& out) {
        out.clear();
        std::int64_t free = INT64_MIN;
        for (std::int64_t i = rows.indptr[text]; i < rows.indptr[text + 1]; ++i) {
            if (rows.positions[i] < free || !std::binary_search(known.begin(), known.end(), rows.phrases[i])) continue;
            out.push_back(rows.phrases[i]);
            free = rows.positions[i] + 2;
        }
        std::sort(out.begin(), out.end());
    }
};

}  // namespace likewise
