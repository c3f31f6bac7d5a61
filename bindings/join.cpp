#include "join.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>

#include "arrays.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;

namespace {

struct HeldIndex {
    std::shared_ptr<const JoinIndex> index;
};

JoinOptions::Mode mode_of(const char* word) {
    switch (word[0]) {
        case 't':
            return JoinOptions::Mode::top;
        case 'b':
            return JoinOptions::Mode::best;
        default:
            return JoinOptions::Mode::above;
    }
}

}  // namespace

void bind_join(nb::module_& m) {
    nb::class_<HeldIndex>(m, "JoinIndex", "The inverted lists of a right side, kept between joins.")
        .def_static(
            "build",
            [](const PairScorer& scorer, const DotScorer* bound) {
                HeldIndex held;
                run(nb::none(), [&](Control&) { held.index = join_index(scorer, bound); });
                return held;
            },
            "scorer"_a, "bound"_a.none());

    m.def(
        "join_sizes", [](const PairScorer& scorer) { return nb::make_tuple(scorer.left_size(), scorer.right_size()); },
        "scorer"_a);

    m.def(
        "join",
        [](const PairScorer& scorer, const DotScorer* bound, const HeldIndex* index, const char* mode,
           std::int64_t count, double min_score, bool self_join, std::optional<bool> symmetric, int threads,
           nb::object progress) {
            JoinOptions options{mode_of(mode), count, min_score, self_join, symmetric, threads};
            JoinResult result;
            run(progress, [&](Control& control) {
                result = join(scorer, bound, index ? index->index.get() : nullptr, options, control);
            });
            nb::dict stats;
            stats["postings"] = result.stats.postings;
            stats["candidates"] = result.stats.candidates;
            stats["scored"] = result.stats.scored;
            return nb::make_tuple(to_numpy(std::move(result.left)), to_numpy(std::move(result.right)),
                                  to_numpy(std::move(result.score)), stats);
        },
        "scorer"_a, "bound"_a.none(), "index"_a.none(), "mode"_a, "count"_a, "min_score"_a, "self_join"_a,
        "symmetric"_a.none(), "threads"_a, "progress"_a.none());
}
