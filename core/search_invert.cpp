// Rows of a batch turned into lists: text -> ids becomes id -> texts.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <utility>

#include "lists.hpp"
#include "search.hpp"

namespace likewise::search {

namespace {

// For each distinct id, in ascending order, the places of the rows at which it occurs, in ascending order of texts.
struct Inverted {
    std::vector<std::int32_t> ids;
    std::vector<std::int64_t> indptr;
    std::vector<std::uint16_t> texts;
    std::vector<std::int64_t> places;
};

Inverted invert(std::span<const std::int64_t> indptr, std::span<const std::int32_t> ids) {
    auto texts = static_cast<std::int64_t>(indptr.size()) - 1;
    if (texts > kSegmentTexts) throw std::length_error("a segment holds at most 65536 texts");
    Inverted result;
    std::int64_t last = -1;
    for (std::int32_t id : ids) last = std::max<std::int64_t>(last, id);
    auto size = ids.size();
    result.texts.resize(size);
    result.places.resize(size);
    // Counting costs a pass over the vocabulary, which only a batch of some size repays.
    if (static_cast<std::int64_t>(size) * 16 > last) {
        auto each = [&](auto&& visit) {
            for (std::int64_t text = 0; text < texts; ++text)
                for (std::int64_t p = indptr[text]; p < indptr[text + 1]; ++p)
                    visit(static_cast<std::size_t>(ids[p]), text, p);
        };
        auto starts = into_lists(static_cast<std::size_t>(last + 1), each,
                                 [&](std::size_t at, std::int64_t text, std::int64_t p) {
                                     result.texts[at] = static_cast<std::uint16_t>(text);
                                     result.places[at] = p;
                                 });
        for (std::int32_t id = 0; id <= last; ++id) {
            if (starts[id] == starts[id + 1]) continue;
            result.ids.push_back(id);
            result.indptr.push_back(starts[id]);
        }
    } else {
        std::vector<std::uint16_t> owner(size);
        for (std::int64_t text = 0; text < texts; ++text)
            for (std::int64_t p = indptr[text]; p < indptr[text + 1]; ++p) owner[p] = static_cast<std::uint16_t>(text);
        for (std::size_t p = 0; p < size; ++p) result.places[p] = static_cast<std::int64_t>(p);
        std::stable_sort(result.places.begin(), result.places.end(),
                         [&](std::int64_t a, std::int64_t b) { return ids[a] < ids[b]; });
        for (std::size_t at = 0; at < size; ++at) {
            std::int32_t id = ids[result.places[at]];
            if (result.ids.empty() || result.ids.back() != id) {
                result.ids.push_back(id);
                result.indptr.push_back(static_cast<std::int64_t>(at));
            }
            result.texts[at] = owner[result.places[at]];
        }
    }
    result.indptr.push_back(static_cast<std::int64_t>(size));
    return result;
}

}  // namespace

OwnedDotLists invert_dot(std::span<const std::int64_t> indptr, std::span<const std::int32_t> ids,
                         std::span<const double> weights) {
    Inverted inverted = invert(indptr, ids);
    OwnedDotLists result;
    std::size_t lists = inverted.ids.size(), size = ids.size();
    result.weights.resize(size);
    result.impacts.resize(size);
    result.maxima.resize(lists);
    result.levels.assign(lists * kLevels, 0);
    std::vector<double> ordered;
    for (std::size_t list = 0; list < lists; ++list) {
        std::int64_t begin = inverted.indptr[list], end = inverted.indptr[list + 1];
        double maximum = 0;
        for (std::int64_t p = begin; p < end; ++p) {
            result.weights[p] = weights[inverted.places[p]];
            maximum = std::max(maximum, result.weights[p]);
        }
        result.maxima[list] = maximum;
        for (std::int64_t p = begin; p < end; ++p)
            result.impacts[p] =
                maximum > 0 ? static_cast<std::uint16_t>(std::floor(result.weights[p] / maximum * 65535)) : 0;
        ordered.assign(result.weights.begin() + begin, result.weights.begin() + end);
        for (std::size_t level = 0, rank = 10; level < kLevels && ordered.size() >= rank; ++level, rank *= 10) {
            std::nth_element(ordered.begin(), ordered.begin() + static_cast<std::ptrdiff_t>(rank - 1), ordered.end(),
                             std::greater<>());
            result.levels[list * kLevels + level] = ordered[rank - 1];
        }
    }
    result.ids = std::move(inverted.ids);
    result.indptr = std::move(inverted.indptr);
    result.texts = std::move(inverted.texts);
    return result;
}

OwnedGramLists invert_grams(const SpectraTexts& texts) {
    Inverted inverted = invert(texts.gram_indptr, texts.grams);
    OwnedGramLists result;
    std::size_t lists = inverted.ids.size();
    result.codes.resize(texts.grams.size());
    for (std::size_t list = 0; list < lists; ++list) {
        std::int64_t begin = inverted.indptr[list], end = inverted.indptr[list + 1];
        double smallest = texts.values[inverted.places[begin]], largest = smallest;
        for (std::int64_t p = begin; p < end; ++p) {
            smallest = std::min(smallest, texts.values[inverted.places[p]]);
            largest = std::max(largest, texts.values[inverted.places[p]]);
        }
        result.smallest.push_back(smallest);
        result.largest.push_back(largest);
        double step = largest > smallest ? 63 / (largest - smallest) : 0;
        for (std::int64_t p = begin; p < end; ++p) {
            std::int64_t place = inverted.places[p];
            // Rounded up: the level's value is never below the text's.
            auto level = static_cast<int>(std::min(63.0, std::ceil((texts.values[place] - smallest) * step)));
            std::int32_t count = texts.counts[place];
            int few = count == 1 ? 0 : count == 2 ? 1 : count <= 4 ? 2 : 3;
            result.codes[p] = static_cast<std::uint8_t>(level << 2 | few);
        }
    }
    result.ids = std::move(inverted.ids);
    result.indptr = std::move(inverted.indptr);
    result.texts = std::move(inverted.texts);
    return result;
}

}  // namespace likewise::search
