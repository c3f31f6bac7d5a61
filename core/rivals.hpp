// Pairs of records that compete: who is best of each record, and who is left when the strongest go first.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace likewise::rivals {

// The rank of each pair among those of its record by strength, 0 the strongest, of equals the first; from `count` on
// all are `count`. Records are numbered from 0 to size - 1.
std::vector<std::int64_t> ranks(std::span<const std::int64_t> record, std::span<const double> strength,
                                std::int64_t size, std::int64_t count);

// Which pairs are taken in the given order when each record of both sides is used once: 1, else 0.
std::vector<std::uint8_t> take_once(std::span<const std::int64_t> order, std::span<const std::int64_t> left,
                                    std::span<const std::int64_t> right, std::int64_t lefts, std::int64_t rights);

}  // namespace likewise::rivals
