#include "dot.hpp"

#include <algorithm>
#include <vector>

#include "lists.hpp"
#include "portable.hpp"

namespace likewise {

namespace {

// The rows [begin, end) turned around: for each id the rows that have it, numbered from `begin`.
struct Columns {
    std::vector<std::int64_t> starts;
    std::vector<std::int32_t> rows;
    std::vector<double> weights;

    Columns(const Rows& from, std::int64_t begin, std::int64_t end, std::int32_t ids)
        : rows(static_cast<std::size_t>(from.indptr[end] - from.indptr[begin])), weights(rows.size()) {
        auto each = [&](auto&& visit) {
            for (std::int64_t row = begin; row < end; ++row)
                for (std::int64_t k = from.indptr[row]; k < from.indptr[row + 1]; ++k)
                    visit(static_cast<std::size_t>(from.ids[k]), row, k);
        };
        starts = into_lists(static_cast<std::size_t>(ids), each, [&](std::size_t at, std::int64_t row, std::int64_t k) {
            rows[at] = static_cast<std::int32_t>(row - begin);
            weights[at] = from.weights[k];
        });
    }
};

LIKEWISE_DISPATCH
void add_row(const Rows& left, std::int64_t a, const Columns& right, double* row) {
    auto known = static_cast<std::int32_t>(right.starts.size()) - 1;
    for (std::int64_t i = left.indptr[a]; i < left.indptr[a + 1]; ++i) {
        std::int32_t id = left.ids[i];
        if (id >= known) continue;
        double weight = left.weights[i];
        for (std::int64_t k = right.starts[id]; k < right.starts[id + 1]; ++k)
            row[right.rows[k]] += weight * right.weights[k];
    }
}

}  // namespace

bool DotScorer::symmetric() const {
    return std::ranges::equal(left.indptr, right.indptr) && std::ranges::equal(left.ids, right.ids) &&
           std::ranges::equal(left.weights, right.weights);
}

// Over an inverted index of the right side, block by block: the same bits as score().
void DotScorer::matrix(double* out, int threads, Control& control) const {
    constexpr std::int64_t kRows = 32, kColumns = 4096;
    std::int64_t width = right.size();
    std::int32_t ids = 0;
    for (std::int32_t id : right.ids) ids = std::max(ids, id + 1);
    std::int64_t row_blocks = (left.size() + kRows - 1) / kRows;
    for (std::int64_t begin = 0; begin < width; begin += kColumns) {
        std::int64_t end = std::min(width, begin + kColumns);
        Columns columns(right, begin, end, ids);
        parallel_blocks(row_blocks, threads, control, [&](std::int64_t block, int) {
            for (std::int64_t a = block * kRows; a < std::min(left.size(), (block + 1) * kRows); ++a) {
                double* row = out + a * width + begin;
                std::fill(row, row + (end - begin), 0.0);
                add_row(left, a, columns, row);
            }
        });
    }
}

}  // namespace likewise
