#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "portable.hpp"
#include "search.hpp"

namespace likewise::search {

namespace {

// Relative error of adding one float.
constexpr double kRounding = 6e-8;
// Cardinalities are grouped by their logarithm, this many groups for each factor of 2.
constexpr double kGroupsPerOctave = 32;

using Contributions = std::array<float, 256>;

// What q-gram j adds to |A ∩ B| at most, by the code of (v_B, K_B). Exactly, it is v_A + v_B - v_U, where the union has
// S_U >= max(S_A, S_B) in K_U <= K_A + K_B terms; and where j is in one term of each text, it is at most their mean.
void contributions(double value_a, std::int32_t count_a, double smallest, double largest, Contributions& out) {
    constexpr double kFewest[] = {1, 2, 3, 5};
    constexpr double kMost[] = {1, 2, 4, std::numeric_limits<double>::infinity()};
    double sum_a = value_a * count_a, step = (largest - smallest) / 63;
    for (int level = 0; level < 64; ++level) {
        // Two relative roundings of `step` and the product: a hair more keeps the level above the value it stands for.
        double value = (smallest + level * step) * (1 + 1e-12);
        for (int few = 0; few < 4; ++few) {
            double bound;
            if (few == 0 && count_a == 1) {
                bound = (value_a + value) / 2;
            } else {
                double least =
                    std::max(sum_a / (count_a + kMost[few]), value * kFewest[few] / (count_a + kFewest[few]));
                bound = value_a + value - least;
            }
            out[level << 2 | few] = static_cast<float>(std::max(bound, 0.0));
        }
    }
}

void add_list(float* bounds, const std::uint16_t* texts, const std::uint8_t* codes, std::int64_t count,
              const Contributions& table) {
    for (std::int64_t i = 0; i < count; ++i) bounds[texts[i]] += table[codes[i]];
}

int group_of(double cardinality) {
    return static_cast<int>(std::clamp(std::floor(std::log2(cardinality) * kGroupsPerOctave), -16000.0, 16000.0));
}

// The smallest denominator that a text of each group of cardinalities can have, computed when first asked for.
class Denominators {
public:
    Denominators(const Coefficient& coefficient, double cardinality) : coefficient_(coefficient), a_(cardinality) {}
    double bound(double common, double cardinality) {
        if (coefficient_.kind == Coefficient::Kind::coverage) return common / cardinality;
        if (coefficient_.kind == Coefficient::Kind::common) return common;
        if (coefficient_.kind == Coefficient::Kind::jaccard) {
            double both = a_ + cardinality - common;
            return both > 1e-9 * (a_ + cardinality) ? common / both : std::numeric_limits<double>::infinity();
        }
        int group = group_of(cardinality);
        if (group < first_ || group >= first_ + static_cast<int>(means_.size())) grow(group);
        double& mean = means_[group - first_];
        if (mean < 0) mean = Coefficient::mean(a_, std::exp2(group / kGroupsPerOctave) * (1 - 1e-9), coefficient_.p);
        return common / mean;
    }

private:
    void grow(int group) {
        int low = means_.empty() ? group : std::min(first_, group);
        int high = means_.empty() ? group + 1 : std::max(first_ + static_cast<int>(means_.size()), group + 1);
        std::vector<double> wider(static_cast<std::size_t>(high - low), -1.0);
        std::copy(means_.begin(), means_.end(), wider.begin() + (means_.empty() ? 0 : first_ - low));
        means_.swap(wider);
        first_ = low;
    }

    const Coefficient& coefficient_;
    double a_;
    int first_ = 0;
    std::vector<double> means_;
};

// The exact score of a text, built again from its terms.
class Rescorer {
public:
    Rescorer(const GramLists& lists, const SpectraQuery& query, Scratch& scratch)
        : lists_(lists),
          query_(query),
          scratch_(scratch),
          builder_(query.term_grams),
          scorer_(query.term_grams, query.texts, scratch.texts, query.coefficient) {}

    double operator()(std::int64_t text) {
        auto begin = static_cast<std::size_t>(lists_.term_indptr[text]);
        auto size = static_cast<std::size_t>(lists_.term_indptr[text + 1]) - begin;
        std::span<const std::int32_t> terms = lists_.terms.subspan(begin, size);
        std::span<const double> frequencies = lists_.frequencies;
        if (!frequencies.empty()) frequencies = frequencies.subspan(begin, size);
        // Stored ids ascend; only a text with later words needs them mapped and sorted again.
        if (size && terms.back() >= lists_.known_terms) map(terms, frequencies);
        scratch_.texts.clear();
        builder_.add(scratch_.texts, terms, frequencies);
        return scorer_.score(query_.text, 0);
    }

private:
    void map(std::span<const std::int32_t>& terms, std::span<const double>& frequencies) {
        std::vector<std::pair<std::int32_t, double>> pairs;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            std::int32_t id = terms[i];
            if (id >= lists_.known_terms) id = lists_.more_terms[id - lists_.known_terms];
            pairs.emplace_back(id, frequencies.empty() ? 1.0 : frequencies[i]);
        }
        std::sort(pairs.begin(), pairs.end());
        scratch_.terms.clear();
        scratch_.frequencies.clear();
        for (auto [id, frequency] : pairs) {
            scratch_.terms.push_back(id);
            scratch_.frequencies.push_back(frequency);
        }
        terms = scratch_.terms;
        if (!frequencies.empty()) frequencies = scratch_.frequencies;
    }

    const GramLists& lists_;
    const SpectraQuery& query_;
    Scratch& scratch_;
    SpectraBuilder builder_;
    SpectraScorer scorer_;
};

}  // namespace

void search_spectra(const GramLists& lists, const SpectraQuery& query, std::int64_t k, double floor,
                    std::span<const std::uint8_t> dead, std::int64_t first, Scratch& scratch, std::vector<Hit>& hits) {
    const SpectraTexts& texts = query.texts;
    double cardinality = texts.cardinalities[query.text];
    if (k <= 0 || !(cardinality > 0)) return;
    auto full = [&] { return static_cast<std::int64_t>(hits.size()) >= k; };
    if (full()) floor = std::max(floor, hits[k - 1].score);

    auto& bounds = scratch.bounds;
    bounds.assign(static_cast<std::size_t>(lists.text_count), 0.0f);
    Contributions table;
    for (std::int64_t j = texts.gram_indptr[query.text]; j < texts.gram_indptr[query.text + 1]; ++j) {
        std::int64_t list = lists.table.find(texts.grams[j]);
        if (list < 0) continue;
        contributions(texts.values[j], texts.counts[j], lists.smallest[list], lists.largest[list], table);
        std::int64_t begin = lists.indptr[list];
        add_list(bounds.data(), lists.texts.data() + begin, lists.codes.data() + begin, lists.indptr[list + 1] - begin,
                 table);
    }
    auto& ranked = scratch.ranked;
    ranked.clear();
    Denominators denominators(query.coefficient, cardinality);
    double slack =
        1 + kRounding * static_cast<double>(texts.gram_indptr[query.text + 1] - texts.gram_indptr[query.text] + 16);
    for (std::int64_t text = 0; text < lists.text_count; ++text) {
        if (!(bounds[text] > 0) || (!dead.empty() && dead[text]) || !(lists.cardinalities[text] > 0)) continue;
        auto bound =
            static_cast<float>(denominators.bound(bounds[text] * slack, lists.cardinalities[text]) * (1 + 1e-6));
        if (bound >= floor) ranked.emplace_back(bound, static_cast<std::int32_t>(text));
    }
    // In portions of growing size, best bounds first, until no bound reaches the k-th score.
    Rescorer score(lists, query, scratch);
    auto better = [](const auto& a, const auto& b) { return a.first > b.first; };
    std::size_t done = 0, portion = static_cast<std::size_t>(std::min<std::int64_t>(k, 1 << 20));
    while (done < ranked.size()) {
        std::size_t end = std::min(ranked.size(), done + portion);
        std::nth_element(ranked.begin() + static_cast<std::ptrdiff_t>(done),
                         ranked.begin() + static_cast<std::ptrdiff_t>(end - 1), ranked.end(), better);
        for (std::size_t i = done; i < end; ++i) {
            if (ranked[i].first < floor) continue;
            double exact = score(ranked[i].second);
            if (exact > 0 && exact >= floor) hits.push_back({exact, first + ranked[i].second});
        }
        keep_best(hits, k);
        if (full()) floor = std::max(floor, hits[k - 1].score);
        // What is left is bounded by the smallest bound of this portion.
        if (end < ranked.size() && ranked[end - 1].first < floor) break;
        done = end;
        portion *= 2;
    }
}

}  // namespace likewise::search
