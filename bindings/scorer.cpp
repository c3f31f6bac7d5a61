#include "scorer.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "checks.hpp"
#include "pairs.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;

namespace {

nb::ndarray<nb::numpy, double> matrix(const PairScorer& scorer, int threads, nb::handle progress) {
    auto rows = static_cast<std::size_t>(scorer.left_size()), columns = static_cast<std::size_t>(scorer.right_size());
    if (columns && rows > PTRDIFF_MAX / sizeof(double) / columns) throw std::bad_alloc();
    // Not a vector: the kernels write every cell, so there is no need to clear gigabytes first.
    auto cells = std::make_unique_for_overwrite<double[]>(std::max<std::size_t>(rows * columns, 1));
    std::int64_t size = 0;
    for (std::size_t cell = 0; cell < rows * columns && size <= kSmall; ++cell)
        size += scorer.work(static_cast<std::int64_t>(cell / columns), static_cast<std::int64_t>(cell % columns));
    run_sized(size, progress, [&](Control& control) { scorer.matrix(cells.get(), threads, control); });
    double* data = cells.get();
    nb::capsule owner(data, [](void* pointer) noexcept { delete[] static_cast<double*>(pointer); });
    cells.release();
    return nb::ndarray<nb::numpy, double>(data, {rows, columns}, owner);
}

auto scores(const PairScorer& scorer, View<std::int64_t> left, View<std::int64_t> right, int threads,
            nb::handle progress, double cutoff) {
    check_same_size("left", span_of(left), "right", span_of(right));
    check_range("left", span_of(left), scorer.left_size());
    check_range("right", span_of(right), scorer.right_size());
    check_score("cutoff", cutoff);
    std::vector<double> out(left.size());
    std::int64_t size = 0;
    for (std::size_t pair = 0; pair < left.size() && size <= kSmall; ++pair)
        size += scorer.work(left.data()[pair], right.data()[pair]);
    run_sized(size, progress, [&](Control& control) {
        pair_scores(scorer, span_of(left), span_of(right), cutoff, out.data(), threads, control);
    });
    return to_numpy(std::move(out));
}

}  // namespace

void bind_scorer(nb::module_& m) {
    nb::class_<PairScorer>(m, "PairScorer")
        .def(
            "score",
            [](const PairScorer& self, std::int64_t left, std::int64_t right, double cutoff) {
                check_place("left", left, self.left_size());
                check_place("right", right, self.right_size());
                check_score("cutoff", cutoff);
                double value = 0;
                run_sized(self.work(left, right), nb::none(),
                          [&](Control&) { value = self.score(left, right, cutoff); });
                return value;
            },
            "left"_a, "right"_a, "cutoff"_a = kNoCutoff)
        .def_prop_ro("left_size", &PairScorer::left_size)
        .def_prop_ro("right_size", &PairScorer::right_size);
    m.def("pair_scores", &scores, "scorer"_a, "left"_a, "right"_a, "threads"_a = 0, "progress"_a = nb::none(),
          "cutoff"_a = kNoCutoff);
    m.def("matrix", &matrix, "scorer"_a, "threads"_a = 0, "progress"_a = nb::none());
}
