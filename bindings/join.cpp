#include "join.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include <memory>
#include <optional>

#include "arrays.hpp"
#include "checks.hpp"
#include "dot.hpp"
#include "held_index.hpp"
#include "near.hpp"
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

nb::tuple columns(join::Result& result) {
    nb::dict stats;
    stats["postings"] = result.stats.postings;
    stats["candidates"] = result.stats.candidates;
    stats["scored"] = result.stats.scored;
    return nb::make_tuple(to_numpy(std::move(result.left)), to_numpy(std::move(result.right)),
                          to_numpy(std::move(result.score)), stats);
}

nb::tuple run_join(const PairScorer& scorer, const DotScorer* bound, const HeldIndex* index, join::Options::Mode mode,
                   std::int64_t count, double min_score, bool self_join, std::optional<bool> symmetric, int threads,
                   nb::object progress, std::optional<View<double>> floors, std::optional<bool> rarest,
                   std::optional<bool> sums) {
    check_count("count", count);
    check_score("min_score", min_score);
    if (floors && (self_join || static_cast<std::int64_t>(floors->size()) != scorer.left_size()))
        throw std::invalid_argument("floors are for each left text, and not for a self-join");
    if (floors) check_scores("floors", span_of(*floors));
    join::Options options{mode,   count, min_score, self_join, symmetric, threads, floors ? floors->data() : nullptr,
                          rarest, sums};
    join::Result result;
    run(progress, [&](Control& control) {
        result = join::join(scorer, bound, index ? index->index.get() : nullptr, options, control);
    });
    return columns(result);
}

join::ScaledRows scaled(const View<std::int64_t>& indptr, const View<std::int32_t>& ids, const View<double>& scale,
                        const View<double>& lengths) {
    join::ScaledRows rows{span_of(indptr), span_of(ids), span_of(scale), span_of(lengths)};
    check_offsets("indptr", rows.indptr, rows.ids.size());
    check(rows.indptr.size() == rows.lengths.size() + 1, "lengths must be as many as there are rows");
    check_range("ids", rows.ids, std::ssize(rows.scale));
    check_ascending("ids", rows.indptr, rows.ids);
    for (double value : rows.lengths) check(value > 0 && value <= 1e30, "lengths must be numbers above 0, to 1e30");
    return rows;
}

void check_near(const View<double>& scale, double min_score) {
    for (double value : span_of(scale)) check(value >= 0 && value <= 1e15, "scale must be numbers from 0 to 1e15");
    check(min_score > 0 && min_score <= 1e30, "min_score must be above 0");
}

void check_some(std::int64_t first, std::int64_t size, std::int64_t most) {
    check(first >= 0 && first <= size, "first must be a text, or the number of texts");
    check(most > 0, "most must be above 0");
}

nb::tuple near_pairs(View<std::int64_t> indptr, View<std::int32_t> ids, View<double> scale, View<double> lengths,
                     double min_score, int threads, nb::object progress) {
    join::ScaledRows rows = scaled(indptr, ids, scale, lengths);
    check_near(scale, min_score);
    join::Result result;
    run(progress, [&](Control& control) { result = join::near_pairs(rows, min_score, threads, control); });
    return columns(result);
}

// Lists, and the arrays that they are of.
struct HeldNear {
    HeldNear(View<std::int64_t> indptr, View<std::int32_t> ids, View<double> scale, View<double> lengths,
             View<double> texts, double min_score)
        : indptr(indptr), ids(ids), scale(scale), lengths(lengths) {
        join::ScaledRows rows = scaled(indptr, ids, scale, lengths);
        check_near(scale, min_score);
        check(texts.size() == scale.size(), "texts must be as many as there are terms");
        for (double value : span_of(texts)) check(value >= 0, "texts must be numbers from 0 on");
        nb::gil_scoped_release release;
        lists = std::make_unique<join::NearLists>(rows, span_of(texts), min_score);
    }

    nb::tuple among_themselves(std::int64_t first, std::int64_t most, int threads, nb::object progress) const {
        check_some(first, std::ssize(lengths), most);
        join::NearLists::Some found;
        run(progress, [&](Control& control) { found = lists->among_themselves(first, most, threads, control); });
        return nb::make_tuple(columns(found.pairs), found.next);
    }

    nb::tuple with(View<std::int64_t> other_indptr, View<std::int32_t> other_ids, View<double> other_lengths,
                   std::int64_t first, std::int64_t most, int threads, nb::object progress) const {
        join::ScaledRows others = scaled(other_indptr, other_ids, scale, other_lengths);
        check_some(first, std::ssize(others.lengths), most);
        join::NearLists::Some found;
        run(progress, [&](Control& control) { found = lists->with(others, first, most, threads, control); });
        return nb::make_tuple(columns(found.pairs), found.next);
    }

    View<std::int64_t> indptr;
    View<std::int32_t> ids;
    View<double> scale, lengths;
    std::unique_ptr<join::NearLists> lists;
};

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
          "self_join"_a, "symmetric"_a.none(), "threads"_a, "progress"_a.none(), "floors"_a.none() = nb::none(),
          "rarest"_a.none() = nb::none(), "sums"_a.none() = nb::none());
    m.def("near_pairs", &near_pairs, "indptr"_a, "ids"_a, "scale"_a, "lengths"_a, "min_score"_a, "threads"_a,
          "progress"_a.none());
    nb::class_<HeldNear>(m, "NearLists", "The lists of some texts of a collection, to find their near-duplicates.")
        .def(nb::init<View<std::int64_t>, View<std::int32_t>, View<double>, View<double>, View<double>, double>(),
             "indptr"_a, "ids"_a, "scale"_a, "lengths"_a, "texts"_a, "min_score"_a)
        .def("among_themselves", &HeldNear::among_themselves, "first"_a, "most"_a, "threads"_a, "progress"_a.none())
        .def("others", &HeldNear::with, "indptr"_a, "ids"_a, "lengths"_a, "first"_a, "most"_a, "threads"_a,
             "progress"_a.none());
}
