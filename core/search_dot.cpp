#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>

#include "portable.hpp"
#include "runs.hpp"
#include "search.hpp"

namespace likewise::search {

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

std::int64_t whole_groups(std::int64_t texts) { return (texts + kGroup - 1) / kGroup * kGroup; }

// Fills scratch.sums.
void add_lists(const std::vector<List>& lists, double unit, std::int64_t texts, Scratch& scratch) {
    scratch.sums.resize(kSegmentTexts);
    std::int16_t* sums = scratch.sums.data();
    std::memset(sums, 0, sizeof(std::int16_t) * static_cast<std::size_t>(whole_groups(texts)));
    for (const List& list : lists)
        add_list(sums, list.texts, list.impacts, list.size,
                 static_cast<std::uint32_t>(list.query_weight * list.maximum / unit));
}

// Fills scratch.candidates with the texts whose sums are `least` or more; it rises when k sums are known, as far as
// sums can differ from scores. Returns what it became.
std::int32_t find_candidates(std::int64_t texts, std::int64_t k, std::int32_t slack, std::int32_t least,
                             std::span<const std::uint8_t> dead, Scratch& scratch) {
    auto& best = scratch.best;
    best.clear(k);
    scratch.candidates.clear();
    const std::int16_t* sums = scratch.sums.data();
    std::int64_t end = whole_groups(texts);
    for (std::int64_t group = 0;; group += kGroup) {
        group = next_group(sums, group, end, static_cast<std::int16_t>(least));
        if (group >= end) return least;
        for (std::int64_t text = group; text < group + kGroup; ++text) {
            std::int16_t sum = sums[text];
            if (sum < least || (!dead.empty() && dead[text])) continue;
            scratch.candidates.emplace_back(sum, static_cast<std::int32_t>(text));
            best.add({sum});
            if (best.full()) least = std::max<std::int32_t>(least, best.worst().value - 2 * slack);
        }
    }
}

void search_all(const DotLists& lists, std::span<const std::int32_t> ids, std::span<const double> weights, double floor,
                std::span<const std::uint8_t> dead, std::int64_t first, Scratch& scratch, std::vector<Hit>& hits) {
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

void weigh_terms(std::vector<std::int32_t>& terms, std::span<const double> term_weights, double unseen_weight,
                 std::vector<double>& weights) {
    weights.clear();
    count_terms(terms, [&](std::int32_t id, std::size_t count) {
        auto term = static_cast<std::size_t>(id);
        weights.push_back(static_cast<double>(count) *
                          (term < term_weights.size() ? term_weights[term] : unseen_weight));
    });
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
                std::int64_t k, double floor, std::span<const std::uint8_t> dead, std::int64_t first, Scratch& scratch,
                std::vector<Hit>& hits) {
    if (k <= 0 || lists.text_count == 0) return;
    if (static_cast<std::int64_t>(hits.size()) >= k) floor = std::max(floor, hits[k - 1].score);
    std::vector<List> found;
    double total = 0, known = floor;
    std::int64_t level = k <= 10 ? 0 : k <= 100 ? 1 : k <= 1000 ? 2 : kLevels;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        std::int64_t at = weights[i] > 0 ? lists.table.find(ids[i]) : -1;
        if (at < 0 || !(lists.maxima[at] > 0)) continue;
        std::int64_t begin = lists.indptr[at];
        found.push_back({lists.texts.data() + begin, lists.impacts.data() + begin, lists.weights.data() + begin,
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
    auto slack = static_cast<std::int32_t>(2 * found.size() + 2);
    // Texts with smaller sums cannot be hits.
    std::int32_t least = std::max<std::int32_t>(1, static_cast<std::int32_t>(std::min(known / unit, 32000.0)) - slack);
    add_lists(found, unit, lists.text_count, scratch);
    least = find_candidates(lists.text_count, k, slack, least, dead, scratch);
    for (auto [sum, text] : scratch.candidates) {
        if (sum < least) continue;
        double score = exact(found, static_cast<std::uint16_t>(text));
        if (score > 0 && score >= floor) hits.push_back({score, first + text});
    }
    keep_best(hits, k);
}

}  // namespace likewise::search
