#include "rivals.hpp"

#include <cstddef>

namespace likewise::rivals {

std::vector<std::int64_t> ranks(std::span<const std::int64_t> record, std::span<const double> strength,
                                std::int64_t size, std::int64_t count) {
    std::vector<std::int64_t> result(record.size(), count);
    std::vector<std::int64_t> best(static_cast<std::size_t>(size * count), -1);
    for (std::size_t pair = 0; pair < record.size(); ++pair) {
        std::int64_t* mine = best.data() + record[pair] * count;
        // From the weakest up: who is weaker moves down one place.
        std::int64_t place = count;
        while (place > 0 && (mine[place - 1] < 0 || strength[mine[place - 1]] < strength[pair])) {
            if (place < count) mine[place] = mine[place - 1];
            --place;
        }
        if (place < count) mine[place] = static_cast<std::int64_t>(pair);
    }
    for (std::size_t at = 0; at < best.size(); ++at)
        if (best[at] >= 0) result[best[at]] = static_cast<std::int64_t>(at) % count;
    return result;
}

std::vector<std::uint8_t> take_once(std::span<const std::int64_t> order, std::span<const std::int64_t> left,
                                    std::span<const std::int64_t> right, std::int64_t lefts, std::int64_t rights) {
    std::vector<std::uint8_t> taken(left.size()), used_left(lefts), used_right(rights);
    for (std::int64_t pair : order)
        if (!used_left[left[pair]] && !used_right[right[pair]])
            used_left[left[pair]] = used_right[right[pair]] = taken[pair] = 1;
    return taken;
}

}  // namespace likewise::rivals
