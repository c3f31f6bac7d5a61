// Rows turned into lists: row -> keys becomes key -> rows.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace likewise {

// each(visit) calls visit(key, entry...) for every entry, in the order in which the entries of a list are to stand; it
// is called twice. put(at, entry...) takes the place of an entry among all, list after list. Returns where the lists
// begin, and the end of the last.
template <class Each, class Put>
std::vector<std::int64_t> into_lists(std::size_t keys, Each&& each, Put&& put) {
    std::vector<std::int64_t> starts(keys + 1, 0);
    each([&](std::size_t key, auto...) { ++starts[key + 1]; });
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    each([&](std::size_t key, auto... entry) { put(static_cast<std::size_t>(starts[key]++), entry...); });
    // Each list now has the start of the next.
    std::move_backward(starts.begin(), starts.end() - 1, starts.end());
    starts.front() = 0;
    return starts;
}

}  // namespace likewise
