// Optimal one-to-one assignment on a sparse bipartite graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "parallel.hpp"

namespace likewise::assignment {

// The candidate pairs of each left: rights[indptr[i] .. indptr[i + 1]) with weights > 0.
struct Candidates {
    std::span<const std::int64_t> indptr;
    std::span<const std::int64_t> rights;
    std::span<const double> weights;

    std::int64_t size() const { return static_cast<std::int64_t>(indptr.size()) - 1; }
};

// match[i] is the right of left i, or -1. The duals prove the optimum: left_dual[i] + right_dual[j] is at least the
// weight of every candidate, equal on every chosen pair, and 0 where nothing was chosen. A pair that is not among the
// candidates could improve the result only if its weight exceeded the sum of its two duals.
struct Assignment {
    std::vector<std::int64_t> match;
    std::vector<double> left_dual;
    std::vector<double> right_dual;
};

// Maximises the sum of the weights of the chosen pairs; nobody has to be chosen.
Assignment assign(const Candidates& candidates, std::int64_t rights, Control& control);

}  // namespace likewise::assignment
