#include "join.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <optional>

#include "arrays.hpp"
#include "checks.hpp"
#include "dot.hpp"
#include "held_index.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;

namespace {

HeldIndex build(const PairScorer& scorer, const DotScorer* bound) {
    HeldIndex held;
    run(nb::none(), [&](Control&) { held.index = (bound ? *bound : scorer).lists(); });
    return held;
}

nb::tuple run_join(const PairScorer& scorer, const DotScorer* bound, const HeldIndex* index, join::Options::Mode mode,
                   std::int64_t count, double min_score, bool self_join, std::optional<bool> symmetric, int threads,
                   nb::object progress, std::optional<View<double>> floors) {
    check_count("count", count);
    check_score("min_score", min_score);
    if (floors && (self_join || static_cast<std::int64_t>(floors->size()) != scorer.left_size()))
        throw std::invalid_argument("floors are for each left text, and not for a self-join");
    if (floors) check_scores("floors", span_of(*floors));
    join::Options options{mode, count, min_score, self_join, symmetric, threads, floors ? floors->data() : nullptr};
    join::Result result;
    run(progress, [&](Control& control) {
        result = join::join(scorer, bound, index ? index->index.get() : nullptr, options, control);
    });
    nb::dict stats;
    stats["postings"] = result.stats.postings;
    stats["candidates"] = result.stats.candidates;
    stats["scored"] = result.stats.scored;
    return nb::make_tuple(to_numpy(std::move(result.left)), to_numpy(std::move(result.right)),
                          to_numpy(std::move(result.score)), stats);
}

}  // namespace

void bind_join(nb::module_& m) {
    nb::enum_<join::Options::Mode>(m, "JoinMode")
        .value("top", join::Options::Mode::top)
        .value("above", join::Options::Mode::above)
        .value("best", join::Options::Mode::best);
    // The index knows its right side by where that lies in memory, so it keeps it.
    nb::class_<HeldIndex>(m, "JoinIndex", "The inverted lists of a right side, kept between joins.")
        .def_static("build", &build, "scorer"_a, "bound"_a.none(), nb::keep_alive<0, 1>(), nb::keep_alive<0, 2>());
    m.def(
        "join_sizes", [](const PairScorer& scorer) { return nb::make_tuple(scorer.left_size(), scorer.right_size()); },
        "scorer"_a);
    m.def("join", &run_join, "scorer"_a, "bound"_a.none(), "index"_a.none(), "mode"_a, "count"_a, "min_score"_a,
          "self_join"_a, "symmetric"_a.none(), "threads"_a, "progress"_a.none(), "floors"_a.none() = nb::none());
}
