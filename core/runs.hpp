// Equal ids of a row, counted.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace likewise {

// Puts the ids in order and keeps each once; take(id, count) is called for each, ascending.
template <class Take>
void count_terms(std::vector<std::int32_t>& ids, Take&& take) {
    std::sort(ids.begin(), ids.end());
    std::size_t kept = 0;
    for (std::size_t begin = 0, end; begin < ids.size(); begin = end) {
        std::int32_t id = ids[begin];
        for (end = begin + 1; end < ids.size() && ids[end] == id;) ++end;
        ids[kept++] = id;
        take(id, end - begin);
    }
    ids.resize(kept);
}

}  // namespace likewise
