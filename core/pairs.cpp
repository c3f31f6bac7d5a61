#include "pairs.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "lists.hpp"

namespace likewise {

namespace {

// Pairs that are scored between two looks at whether to stop.
constexpr std::int64_t kBlock = 1024;
// A left text with this many pairs is worth a row of its own.
constexpr std::int64_t kRow = 10;
// How many pairs ahead memory is asked for: so far that it has come when it is needed, so near that it is still there.
constexpr std::int64_t kNext = 2, kSoon = 8, kFar = 12;

struct Pairs {
    std::span<const std::int64_t> left, right;
    std::vector<std::int64_t> order;  // in which they are scored; empty: as they are

    std::int64_t size() const { return static_cast<std::int64_t>(left.size()); }
    std::int64_t operator[](std::int64_t i) const { return order.empty() ? i : order[static_cast<std::size_t>(i)]; }
};

// Many pairs of many texts wait for memory more than for anything else. So a stretch of right texts that the cache can
// hold is worked on at a time, and the left texts in the order in which they lie in memory. Where a left text has
// several pairs, they are taken together, and stretches are so long that it still has some in each.
void put_in_order(Pairs& pairs, const PairScorer& scorer, bool rows) {
    std::int64_t lefts = scorer.left_size(), rights = scorer.right_size(), size = pairs.size();
    if (size <= kBlock || lefts + rights <= 1000) return;
    std::int64_t stretches = rows ? size / (kRow * lefts) : std::min(rights / 1024 + 1, 4 * size / lefts + 1);
    std::int64_t stretch = rights / stretches + 1;
    auto each = [&](auto&& visit) {
        for (std::int64_t i = 0; i < size; ++i)
            visit(static_cast<std::size_t>(pairs.right[i] / stretch * lefts + pairs.left[i]), i);
    };
    std::vector<std::int64_t> order(static_cast<std::size_t>(size));
    into_lists(static_cast<std::size_t>(stretches * lefts), each,
               [&](std::size_t at, std::int64_t i) { order[at] = i; });
    pairs.order = std::move(order);
}

// A block of pairs, by left text.
void score_rows(const PairScorer& scorer, const Pairs& pairs, std::int64_t begin, std::int64_t end, double* out) {
    std::vector<std::int64_t> rights;
    std::vector<double> scores;
    const auto& order = pairs.order;
    for (std::int64_t i = begin, next, ahead = begin; i < end; i = next) {
        rights.clear();
        for (next = i; next < end && pairs.left[order[next]] == pairs.left[order[i]]; ++next)
            rights.push_back(pairs.right[order[next]]);
        for (; ahead < std::min(end, next + kFar); ++ahead) {
            scorer.expect(pairs.right[order[ahead]]);
            if (ahead + kFar < pairs.size()) scorer.expect_soon(pairs.right[order[ahead + kFar]]);
        }
        scores.resize(rights.size());
        scorer.scores(pairs.left[order[i]], rights, scores.data());
        for (std::int64_t k = i; k < next; ++k) out[order[k]] = scores[k - i];
    }
}

void score_each(const PairScorer& scorer, const Pairs& pairs, std::int64_t begin, std::int64_t end, double cutoff,
                double* out) {
    for (std::int64_t i = begin; i < end; ++i) {
        if (i + kSoon < pairs.size()) {
            std::int64_t soon = pairs[i + kSoon], next = pairs[i + kNext];
            scorer.expect_pair_soon(pairs.left[soon], pairs.right[soon]);
            scorer.expect_pair(pairs.left[next], pairs.right[next]);
        }
        std::int64_t pair = pairs[i];
        out[pair] = scorer.score(pairs.left[pair], pairs.right[pair], cutoff);
    }
}

}  // namespace

void pair_scores(const PairScorer& scorer, std::span<const std::int64_t> left, std::span<const std::int64_t> right,
                 double cutoff, double* out, int threads, Control& control) {
    Pairs pairs{left, right, {}};
    bool rows = scorer.prefers_rows() && pairs.size() >= kRow * scorer.left_size();
    put_in_order(pairs, scorer, rows);
    rows = rows && !pairs.order.empty();
    parallel_blocks((pairs.size() + kBlock - 1) / kBlock, threads, control, [&](std::int64_t block, int) {
        std::int64_t begin = block * kBlock, end = std::min(pairs.size(), begin + kBlock);
        if (rows)
            score_rows(scorer, pairs, begin, end, out);
        else
            score_each(scorer, pairs, begin, end, cutoff, out);
    });
}

void PairScorer::matrix(double* out, int threads, Control& control) const {
    constexpr std::int64_t kLook = 1024;  // cells between two looks at whether to stop
    std::int64_t width = right_size();
    parallel_blocks(left_size(), threads, control, [&](std::int64_t left, int) {
        for (std::int64_t right = 0; right < width; ++right) {
            if (right % kLook == 0 && control.stop) throw Stopped();
            out[left * width + right] = score(left, right);
        }
    });
}

}  // namespace likewise
