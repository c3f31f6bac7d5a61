#include "fields.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <tuple>

#include "arrays.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;

namespace {

// The scorer together with the arrays it looks at; the scorers of the fields are kept alive by Python.
struct HeldFields final : PairScorer {
    std::vector<View<std::int32_t>> left, right;
    FieldsScorer scorer{{}, 0, 0};

    std::int64_t left_size() const override { return scorer.lefts; }
    std::int64_t right_size() const override { return scorer.rights; }
    double score(std::int64_t a, std::int64_t b) const override { return scorer.score(a, b); }
};

nb::tuple columns(FieldsResult&& result) {
    return nb::make_tuple(to_numpy(std::move(result.left)), to_numpy(std::move(result.right)),
                          to_numpy(std::move(result.score)), to_numpy(std::move(result.unfinished)), result.candidates);
}

}  // namespace

void bind_fields(nb::module_& m) {
    nb::class_<HeldFields, PairScorer>(m, "FieldsScorer", "The weighted mean of several scorers over shared fields.")
        .def(
            "__init__",
            [](HeldFields* self, std::vector<const PairScorer*> scorers, std::vector<double> weights,
               std::vector<View<std::int32_t>> left, std::vector<View<std::int32_t>> right, std::int64_t lefts,
               std::int64_t rights) {
                new (self) HeldFields();
                self->left = std::move(left);
                self->right = std::move(right);
                std::vector<Field> fields;
                for (std::size_t f = 0; f < scorers.size(); ++f)
                    fields.push_back({scorers[f], weights[f], span_of(self->left[f]), span_of(self->right[f])});
                self->scorer = FieldsScorer(std::move(fields), lefts, rights);
            },
            "scorers"_a, "weights"_a, "left"_a, "right"_a, "lefts"_a, "rights"_a, nb::keep_alive<1, 2>());

    m.def(
        "fields_join",
        [](const HeldFields& fields,
           std::vector<std::tuple<View<std::int64_t>, View<std::int64_t>, View<double>>> neighbours,
           View<std::int64_t> lefts, std::int64_t count, double min_score, double floor, bool self_join,
           std::int64_t patience, int threads, nb::object progress) {
            std::vector<Neighbours> lists;
            for (auto& [indptr, values, scores] : neighbours)
                lists.push_back({span_of(indptr), span_of(values), span_of(scores)});
            FieldsOptions options{count, min_score, floor, self_join, patience, threads};
            FieldsResult result;
            run(progress, [&](Control& control) {
                result = fields_join(fields.scorer, lists, span_of(lefts), options, control);
            });
            return columns(std::move(result));
        },
        "scorer"_a, "neighbours"_a, "lefts"_a, "count"_a, "min_score"_a, "floor"_a, "self_join"_a, "patience"_a,
        "threads"_a, "progress"_a.none());

    m.def(
        "fields_rows",
        [](const HeldFields& fields,
           std::vector<std::tuple<View<std::int64_t>, nb::ndarray<const double, nb::ndim<2>, nb::c_contig>>> rows,
           View<std::int64_t> lefts, std::int64_t count, double min_score, bool self_join, int threads,
           nb::object progress) {
            std::vector<FieldRows> views;
            for (auto& [place, scores] : rows) views.push_back({span_of(place), {scores.data(), scores.size()}});
            FieldsOptions options{count, min_score, 0, self_join, 0, threads};
            FieldsResult result;
            run(progress, [&](Control& control) {
                result = fields_rows(fields.scorer, views, span_of(lefts), options, control);
            });
            return columns(std::move(result));
        },
        "scorer"_a, "rows"_a, "lefts"_a, "count"_a, "min_score"_a, "self_join"_a, "threads"_a, "progress"_a.none());

    m.def(
        "blocks_join",
        [](const PairScorer& scorer, View<std::int64_t> left_indptr, View<std::int64_t> left_rows,
           View<std::int64_t> right_indptr, View<std::int64_t> right_rows, std::int64_t count, double min_score,
           bool self_join, int threads, nb::object progress) {
            FieldsOptions options{count, min_score, 0, self_join, 0, threads};
            FieldsResult result;
            run(progress, [&](Control& control) {
                result = blocks_join(scorer, span_of(left_indptr), span_of(left_rows), span_of(right_indptr),
                                     span_of(right_rows), options, control);
            });
            return columns(std::move(result));
        },
        "scorer"_a, "left_indptr"_a, "left_rows"_a, "right_indptr"_a, "right_rows"_a, "count"_a, "min_score"_a,
        "self_join"_a, "threads"_a, "progress"_a.none());
}
