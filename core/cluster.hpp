// Groups from pairs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace likewise::cluster {

// Whoever is connected by a chain of pairs is in one group. Returns the smallest member's number for each of n items.
std::vector<std::int64_t> components(std::int64_t n, std::span<const std::int64_t> left,
                                     std::span<const std::int64_t> right);

// Complete linkage: two groups become one only when every pair across them is among the given ones, best pairs first.
// Pairs come in descending order of score, each once. Returns the smallest member's number for each of n items.
std::vector<std::int64_t> complete_linkage(std::int64_t n, std::span<const std::int64_t> left,
                                           std::span<const std::int64_t> right);

}  // namespace likewise::cluster
