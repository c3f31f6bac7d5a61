#include "cluster.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace likewise::cluster {

namespace {

struct Forest {
    std::vector<std::int64_t> parent;

    explicit Forest(std::int64_t n) : parent(n) { std::iota(parent.begin(), parent.end(), 0); }

    std::int64_t root(std::int64_t x) {
        while (parent[x] != x) x = parent[x] = parent[parent[x]];
        return x;
    }

    // Items in order, so the first seen of a group is its smallest.
    std::vector<std::int64_t> labels() {
        std::vector<std::int64_t> smallest(parent.size(), -1), result(parent.size());
        for (std::size_t x = 0; x < parent.size(); ++x) {
            std::int64_t r = root(static_cast<std::int64_t>(x));
            if (smallest[r] < 0) smallest[r] = static_cast<std::int64_t>(x);
            result[x] = smallest[r];
        }
        return result;
    }
};

}  // namespace

std::vector<std::int64_t> components(std::int64_t n, std::span<const std::int64_t> left,
                                     std::span<const std::int64_t> right) {
    Forest forest(n);
    for (std::size_t e = 0; e < left.size(); ++e) {
        std::int64_t a = forest.root(left[e]), b = forest.root(right[e]);
        if (a != b) forest.parent[std::max(a, b)] = std::min(a, b);
    }
    return forest.labels();
}

// Counting the pairs seen between two groups is enough: with pairs in descending order, the count reaches the product
// of the sizes just when the worst pair across the groups is seen, which is the level at which complete linkage joins
// them.
std::vector<std::int64_t> complete_linkage(std::int64_t n, std::span<const std::int64_t> left,
                                           std::span<const std::int64_t> right) {
    Forest forest(n);
    std::vector<std::int64_t> size(n, 1);
    std::vector<std::unordered_map<std::int64_t, std::int64_t>> seen(n);  // group -> neighbour group -> pairs across
    for (std::size_t e = 0; e < left.size(); ++e) {
        std::int64_t a = forest.root(left[e]), b = forest.root(right[e]);
        if (a == b) continue;
        std::int64_t count = ++seen[a][b];
        seen[b][a] = count;
        if (count < size[a] * size[b]) continue;
        if (seen[a].size() < seen[b].size()) std::swap(a, b);
        seen[a].erase(b);
        seen[b].erase(a);
        for (auto [other, pairs] : seen[b]) {
            seen[other].erase(b);
            std::int64_t together = seen[a][other] += pairs;
            seen[other][a] = together;
        }
        seen[b] = {};
        forest.parent[b] = a;
        size[a] += size[b];
    }
    return forest.labels();
}

}  // namespace likewise::cluster
