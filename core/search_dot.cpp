#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

#include "dispatch.hpp"
#include "search.hpp"

namespace likewise {

namespace {

// Texts looked at together when sums are compared with the threshold.
constexpr std::int64_t kGroup = 64;
// Sums of a whole query stay below this, so that 16 signed bits hold them.
constexpr double kUnits = 30000;
// More terms than this make the 16 bits too coarse; such a query gets full scores.
constexpr std::size_t kManyTerms = 512;

struct List {
    const std::uint16_t* texts;
    const std::uint16_t* impacts;
    const double* weights;
    std::int64_t size;
    double query_weight;
    double maximum;
};

LIKEWISE_DISPATCH
void add_list(std::int16_t* sums, const std::uint16_t* texts, const std::uint16_t* impacts, std::int64_t count,
              std::uint32_t multiplier) {
    // The 1 keeps a text that shares any term apart from one that shares none.
    for (std::int64_t i = 0; i < count; ++i)
        sums[texts[i]] += static_cast<std::int16_t>(((impacts[i] * multiplier) >> 16) + 1);
}

// The first group from `group` on in which some sum is `least` or more, or `end`.
LIKEWISE_DISPATCH
std::int64_t next_group(const std::int16_t* sums, std::int64_t group, std::int64_t end, std::int16_t least) {
    for (; group < end; group += kGroup) {
        std::int16_t largest = 0;
        for (std::int64_t i = 0; i < kGroup; ++i) largest = std::max(largest, sums[group + i]);
        if (largest >= least) break;
    }
    return group;
}

double exact(const std::vector<List>& lists, std::uint16_t text) {
    double sum = 0;
    for (const List& list : lists) {
        const std::uint16_t* end = list.texts + list.size;
        const std::uint16_t* place = std::lower_bound(list.texts, end, text);
        if (place != end && *place == text) sum += list.query_weight * list.weights[place - list.texts];
    }
    return sum;
}

void search_all(const DotLists& lists, std::span<const std::int32_t> ids, std::span<const double> weights, double floor,
                std::span<const std::uint8_t> dead, std::int64_t first, SearchScratch& scratch,
                std::vector<Hit>& hits) {
    scratch.scores.assign(static_cast<std::size_t>(lists.text_count), 0);
    dot_scores(lists, ids, weights, scratch.scores);
    for (std::int64_t text = 0; text < lists.text_count; ++text) {
        double score = scratch.scores[text];
        if (score > 0 && score >= floor && (dead.empty() || !dead[text])) hits.push_back({score, first + text});
    }
}

}  // namespace

std::int64_t ListTable::find(std::int32_t id) const {
    auto place = std::lower_bound(ids.begin(), ids.end(), id);
    if (place == ids.end() || *place != id) return -1;
    return lists[place - ids.begin()];
}

void keep_best(std::vector<Hit>& hits, std::int64_t k) {
    if (static_cast<std::int64_t>(hits.size()) > k) {
        std::nth_element(hits.begin(), hits.begin() + k, hits.end());
        hits.resize(static_cast<std::size_t>(k));
    }
    std::sort(hits.begin(), hits.end());
}

void dot_scores(const DotLists& lists, std::span<const std::int32_t> ids, std::span<const double> weights,
                std::span<double> out) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        std::int64_t list = lists.table.find(ids[i]);
        if (list < 0) continue;
        for (std::int64_t p = lists.indptr[list]; p < lists.indptr[list + 1]; ++p)
            out[lists.texts[p]] += weights[i] * lists.weights[p];
    }
}

void search_dot(const DotLists& lists, std::span<const std::int32_t> ids, std::span<const double> weights,
                std::int64_t k, double floor, std::span<const std::uint8_t> dead, std::int64_t first,
                SearchScratch& scratch, std::vector<Hit>& hits) {
    if (k <= 0 || lists.text_count == 0) return;
    if (static_cast<std::int64_t>(hits.size()) >= k) floor = std::max(floor, hits[k - 1].score);
    std::vector<List> found;
    double total = 0, known = floor;
    std::int64_t level = k <= 10 ? 0 : k <= 100 ? 1 : k <= 1000 ? 2 : kLevels;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        std::int64_t at = weights[i] > 0 ? lists.table.find(ids[i]) : -1;
        if (at < 0 || !(lists.maxima[at] > 0)) continue;
        std::int64_t begin = lists.indptr[at];
        found.push_back({&lists.texts[begin], &lists.impacts[begin], &lists.weights[begin],
                         lists.indptr[at + 1] - begin, weights[i], lists.maxima[at]});
        total += weights[i] * lists.maxima[at];
        // The k best texts have at least what the k best of any one list have from it alone.
        if (dead.empty() && level < kLevels) known = std::max(known, weights[i] * lists.levels[at * kLevels + level]);
    }
    if (found.empty() || total < floor * (1 - 1e-9)) return;
    if (found.size() > kManyTerms || !std::isfinite(total)) {
        search_all(lists, ids, weights, floor, dead, first, scratch, hits);
        keep_best(hits, k);
        return;
    }
    // A sum counts in units of total / kUnits. It differs from the exact score by less than 2 units a term: below it
    // for two roundings down, above it for the 1 that every posting gets. The last 2 cover rounding of the exact score.
    double unit = total / kUnits;
    std::int32_t slack = static_cast<std::int32_t>(2 * found.size() + 2);
    // Texts with smaller sums cannot be hits.
    std::int32_t least = std::max<std::int32_t>(1, static_cast<std::int32_t>(std::min(known / unit, 32000.0)) - slack);
    auto& heap = scratch.heap;
    auto& candidates = scratch.candidates;
    heap.clear();
    candidates.clear();
    std::int64_t padded = (lists.text_count + kGroup - 1) / kGroup * kGroup;
    scratch.sums.resize(kSegmentTexts);
    std::int16_t* sums = scratch.sums.data();
    std::memset(sums, 0, sizeof(std::int16_t) * static_cast<std::size_t>(padded));
    for (const List& list : found)
        add_list(sums, list.texts, list.impacts, list.size,
                 static_cast<std::uint32_t>(list.query_weight * list.maximum / unit));
    for (std::int64_t group = 0;; group += kGroup) {
        group = next_group(sums, group, padded, static_cast<std::int16_t>(least));
        if (group >= padded) break;
        for (std::int64_t text = group; text < group + kGroup; ++text) {
            std::int16_t sum = sums[text];
            if (sum < least || (!dead.empty() && dead[text])) continue;
            candidates.emplace_back(sum, static_cast<std::int32_t>(text));
            if (static_cast<std::int64_t>(heap.size()) < k) {
                heap.push_back(sum);
                std::push_heap(heap.begin(), heap.end(), std::greater<>());
            } else if (sum > heap.front()) {
                std::pop_heap(heap.begin(), heap.end(), std::greater<>());
                heap.back() = sum;
                std::push_heap(heap.begin(), heap.end(), std::greater<>());
            }
            if (static_cast<std::int64_t>(heap.size()) == k)
                least = std::max<std::int32_t>(least, heap.front() - 2 * slack);
        }
    }
    for (auto [sum, text] : candidates) {
        if (sum < least) continue;
        double score = exact(found, static_cast<std::uint16_t>(text));
        if (score > 0 && score >= floor) hits.push_back({score, first + text});
    }
    keep_best(hits, k);
}

}  // namespace likewise
