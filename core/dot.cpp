#include "dot.hpp"

#include <algorithm>

#include "dispatch.hpp"

namespace likewise {

namespace {

struct Inverted {
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> columns;
    std::vector<double> weights;

    Inverted(const Rows& rows, std::int64_t begin, std::int64_t end, std::int32_t ids)
        : starts(static_cast<std::size_t>(ids) + 1, 0) {
        std::int64_t from = rows.indptr[begin], to = rows.indptr[end];
        for (std::int64_t k = from; k < to; ++k) ++starts[static_cast<std::size_t>(rows.ids[k]) + 1];
        for (std::size_t id = 0; id + 1 < starts.size(); ++id) starts[id + 1] += starts[id];
        columns.resize(static_cast<std::size_t>(to - from));
        weights.resize(columns.size());
        std::vector<std::int64_t> next(starts.begin(), starts.end() - 1);
        for (std::int64_t row = begin; row < end; ++row)
            for (std::int64_t k = rows.indptr[row]; k < rows.indptr[row + 1]; ++k) {
                auto at = static_cast<std::size_t>(next[rows.ids[k]]++);
                columns[at] = static_cast<std::int32_t>(row - begin);
                weights[at] = rows.weights[k];
            }
    }
};

LIKEWISE_DISPATCH
void add_row(const Rows& left, std::int64_t a, const Inverted& right, double* row) {
    auto known = static_cast<std::int32_t>(right.starts.size()) - 1;
    for (std::int64_t i = left.indptr[a]; i < left.indptr[a + 1]; ++i) {
        std::int32_t id = left.ids[i];
        if (id >= known) continue;
        double weight = left.weights[i];
        for (std::int64_t k = right.starts[id]; k < right.starts[id + 1]; ++k)
            row[right.columns[k]] += weight * right.weights[k];
    }
}

}  // namespace

void dot_matrix(const DotScorer& scorer, double* out, int threads, Control& control) {
    constexpr std::int64_t kRows = 32, kColumns = 4096;
    const Rows &left = scorer.left, &right = scorer.right;
    std::int64_t width = right.size();
    std::int32_t ids = 0;
    for (std::int32_t id : right.ids) ids = std::max(ids, id + 1);
    std::int64_t row_blocks = (left.size() + kRows - 1) / kRows;
    for (std::int64_t begin = 0; begin < width; begin += kColumns) {
        std::int64_t end = std::min(width, begin + kColumns);
        Inverted inverted(right, begin, end, ids);
        parallel_blocks(row_blocks, threads, control, [&](std::int64_t block, int) {
            for (std::int64_t a = block * kRows; a < std::min(left.size(), (block + 1) * kRows); ++a) {
                double* row = out + a * width + begin;
                std::fill(row, row + (end - begin), 0.0);
                add_row(left, a, inverted, row);
            }
        });
    }
}

namespace {

// The numbers below `size` by key(i) in [0, keys): a stable counting sort.
template <class Key>
std::vector<std::int64_t> sorted_by(std::int64_t size, std::int64_t keys, Key&& key) {
    std::vector<std::int64_t> starts(static_cast<std::size_t>(keys) + 1, 0), out(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i) ++starts[static_cast<std::size_t>(key(i)) + 1];
    for (std::size_t k = 0; k + 1 < starts.size(); ++k) starts[k + 1] += starts[k];
    for (std::int64_t i = 0; i < size; ++i)
        out[static_cast<std::size_t>(starts[static_cast<std::size_t>(key(i))]++)] = i;
    return out;
}

}  // namespace

void pair_scores(const PairScorer& scorer, std::span<const std::int64_t> left, std::span<const std::int64_t> right,
                 double* out, int threads, Control& control) {
    constexpr std::int64_t kBlock = 1024, kAhead = 2, kRow = 10, kFar = 12;
    auto size = static_cast<std::int64_t>(left.size());
    std::int64_t blocks = (size + kBlock - 1) / kBlock;
    // Many pairs of many texts wait for memory more than for anything else. So a stretch of right texts that the cache
    // can hold is worked on at a time, and the left texts in the order in which they lie in memory. Where a left text
    // has several pairs, they are taken together, and stretches are so long that it still has some in each.
    std::vector<std::int64_t> order;
    bool rows = scorer.prefers_rows() && size >= kRow * scorer.left_size();
    if (size > kBlock && scorer.left_size() + scorer.right_size() > 1000) {
        std::int64_t lefts = scorer.left_size(), rights = scorer.right_size();
        std::int64_t stretches = rows ? size / (kRow * lefts) : std::min(rights / 1024 + 1, 4 * size / lefts + 1);
        std::int64_t stretch = rights / stretches + 1;
        order =
            sorted_by(size, stretches * lefts, [&](std::int64_t i) { return right[i] / stretch * lefts + left[i]; });
    }
    if (rows && !order.empty()) {
        parallel_blocks(blocks, threads, control, [&](std::int64_t block, int) {
            std::vector<std::int64_t> rights;
            std::vector<double> scores;
            std::int64_t end = std::min(size, (block + 1) * kBlock), ahead = block * kBlock;
            for (std::int64_t i = block * kBlock, next; i < end; i = next) {
                rights.clear();
                for (next = i; next < end && left[order[next]] == left[order[i]]; ++next)
                    rights.push_back(right[order[next]]);
                for (; ahead < std::min(end, next + kFar); ++ahead) {
                    scorer.expect(right[order[ahead]]);
                    if (ahead + kFar < size) scorer.expect_soon(right[order[ahead + kFar]]);
                }
                scores.resize(rights.size());
                scorer.scores(left[order[i]], rights, scores.data());
                for (std::int64_t k = i; k < next; ++k) out[order[k]] = scores[k - i];
            }
        });
        return;
    }
    auto pair = [&](std::int64_t i) { return order.empty() ? i : order[static_cast<std::size_t>(i)]; };
    parallel_blocks(blocks, threads, control, [&](std::int64_t block, int) {
        for (std::int64_t i = block * kBlock; i < std::min(size, (block + 1) * kBlock); ++i) {
            if (i + 4 * kAhead < size) {
                std::int64_t far = pair(i + 4 * kAhead), near = pair(i + kAhead);
                scorer.prefetch_pointers(left[far], right[far]);
                scorer.prefetch(left[near], right[near]);
            }
            out[pair(i)] = scorer.score(left[pair(i)], right[pair(i)]);
        }
    });
}

void full_matrix(const PairScorer& scorer, double* out, int threads, Control& control) {
    parallel_blocks(scorer.left_size(), threads, control, [&](std::int64_t a, int) {
        for (std::int64_t b = 0; b < scorer.right_size(); ++b) {
            if ((b & 1023) == 0 && control.stop) throw Stopped();
            out[a * scorer.right_size() + b] = scorer.score(a, b);
        }
    });
}

}  // namespace likewise
