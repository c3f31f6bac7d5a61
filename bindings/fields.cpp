#include "fields.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "checks.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;

namespace {

using Values = std::vector<View<std::int32_t>>;
using NeighbourViews = std::vector<std::tuple<View<std::int64_t>, View<std::int64_t>, View<double>>>;
using RowViews = std::vector<std::tuple<View<std::int64_t>, nb::ndarray<const double, nb::ndim<2>, nb::c_contig>>>;

// The scorer together with the arrays and the scorers that it looks at.
struct OwnedFields final : fields::Scorer {
    std::vector<nb::object> scorers;
    Values left, right;

    OwnedFields(const std::vector<nb::object>& scorers_, const std::vector<double>& weights, Values left_,
                Values right_, std::int64_t lefts, std::int64_t rights)
        : Scorer({}, lefts, rights), scorers(scorers_), left(std::move(left_)), right(std::move(right_)) {
        constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
        check_number("lefts", lefts, std::int64_t{0}, kMost);
        check_number("rights", rights, std::int64_t{0}, kMost);
        check_same_size("weights", weights, "scorers", scorers);
        check_same_size("left", left, "scorers", scorers);
        check_same_size("right", right, "scorers", scorers);
        for (std::size_t f = 0; f < scorers.size(); ++f) {
            const auto* scorer = nb::cast<const PairScorer*>(scorers[f]);
            check(scorer != nullptr, "scorers must not be None");
            check(weights[f] > 0 && weights[f] <= 1e30, "weights must be above 0, and finite");
            check(static_cast<std::int64_t>(left[f].size()) == lefts, "left must have a value for each record");
            check(static_cast<std::int64_t>(right[f].size()) == rights, "right must have a value for each record");
            check_range("left", span_of(left[f]), scorer->left_size(), -1);
            check_range("right", span_of(right[f]), scorer->right_size(), -1);
            fields.push_back({scorer, weights[f], span_of(left[f]), span_of(right[f])});
        }
    }
};

nb::tuple columns(fields::Result&& result) {
    return nb::make_tuple(to_numpy(std::move(result.left)), to_numpy(std::move(result.right)),
                          to_numpy(std::move(result.score)), to_numpy(std::move(result.unfinished)), result.candidates);
}

void check_options(const fields::Options& options) {
    check_count("count", options.count);
    check_count("patience", options.patience);
    check_score("min_score", options.min_score);
    check_score("floor", options.floor);
}

// A self-join looks its left records up on the right, too.
void check_self_join(const PairScorer& scorer, const fields::Options& options) {
    check(!options.self_join || scorer.left_size() == scorer.right_size(),
          "self_join needs the same records on both sides");
}

nb::tuple join_lists(const OwnedFields& scorer, const NeighbourViews& neighbours, View<std::int64_t> lefts,
                     std::int64_t count, double min_score, double floor, bool self_join, std::int64_t patience,
                     int threads, nb::object progress) {
    fields::Options options{count, min_score, floor, self_join, patience, threads};
    check_options(options);
    check_self_join(scorer, options);
    check_range("lefts", span_of(lefts), scorer.lefts);
    check_same_size("neighbours", neighbours, "fields", scorer.fields);
    std::vector<fields::Neighbours> lists;
    for (std::size_t f = 0; f < neighbours.size(); ++f) {
        const auto& [indptr, values, scores] = neighbours[f];
        const fields::Field& field = scorer.fields[f];
        check_same_size("scores of neighbours", span_of(scores), "values", span_of(values));
        check_offsets("indptr of neighbours", span_of(indptr), values.size());
        check(static_cast<std::int64_t>(indptr.size()) == field.scorer->left_size() + 1,
              "neighbours must be those of each left value");
        check_range("values of neighbours", span_of(values), field.scorer->right_size());
        check_weights("scores of neighbours", span_of(scores));
        lists.push_back({span_of(indptr), span_of(values), span_of(scores)});
    }
    fields::Result result;
    run(progress, [&](Control& control) { result = fields::join(scorer, lists, span_of(lefts), options, control); });
    return columns(std::move(result));
}

nb::tuple join_rows(const OwnedFields& scorer, const RowViews& rows, View<std::int64_t> lefts, std::int64_t count,
                    double min_score, bool self_join, int threads, nb::object progress) {
    fields::Options options{count, min_score, 0, self_join, 0, threads};
    check_options(options);
    check_self_join(scorer, options);
    check_range("lefts", span_of(lefts), scorer.lefts);
    check_same_size("rows", rows, "fields", scorer.fields);
    std::vector<fields::Rows> views;
    for (std::size_t f = 0; f < rows.size(); ++f) {
        const auto& [place, scores] = rows[f];
        const fields::Field& field = scorer.fields[f];
        check(static_cast<std::int64_t>(scores.shape(1)) == field.scorer->right_size(),
              "rows must have a score for each right value");
        check_range("rows", span_of(place), static_cast<std::int64_t>(scores.shape(0)), -1);
        bool there = true;
        for (std::int64_t left : span_of(lefts)) {
            std::int32_t value = field.left[left];
            there &= value < 0 || (static_cast<std::size_t>(value) < place.size() && place.data()[value] >= 0);
        }
        check(there, "rows must have one for each value of lefts");
        views.push_back({span_of(place), {scores.data(), scores.size()}});
    }
    fields::Result result;
    run(progress,
        [&](Control& control) { result = fields::join_rows(scorer, views, span_of(lefts), options, control); });
    return columns(std::move(result));
}

nb::tuple join_blocks(const PairScorer& scorer, View<std::int64_t> left_indptr, View<std::int64_t> left_rows,
                      View<std::int64_t> right_indptr, View<std::int64_t> right_rows, std::int64_t count,
                      double min_score, bool self_join, int threads, nb::object progress) {
    fields::Options options{count, min_score, 0, self_join, 0, threads};
    check_options(options);
    check_same_size("left_indptr", span_of(left_indptr), "right_indptr", span_of(right_indptr));
    check_offsets("left_indptr", span_of(left_indptr), left_rows.size());
    check_offsets("right_indptr", span_of(right_indptr), right_rows.size());
    check_range("left_rows", span_of(left_rows), scorer.left_size());
    check_range("right_rows", span_of(right_rows), scorer.right_size());
    fields::Result result;
    run(progress, [&](Control& control) {
        result = fields::join_blocks(scorer, span_of(left_indptr), span_of(left_rows), span_of(right_indptr),
                                     span_of(right_rows), options, control);
    });
    return columns(std::move(result));
}

}  // namespace

void bind_fields(nb::module_& m) {
    nb::class_<OwnedFields, PairScorer>(m, "FieldsScorer", "The weighted mean of several scorers over shared fields.")
        .def(nb::init<const std::vector<nb::object>&, const std::vector<double>&, Values, Values, std::int64_t,
                      std::int64_t>(),
             "scorers"_a, "weights"_a, "left"_a, "right"_a, "lefts"_a, "rights"_a);
    m.def("fields_join", &join_lists, "scorer"_a, "neighbours"_a, "lefts"_a, "count"_a, "min_score"_a, "floor"_a,
          "self_join"_a, "patience"_a, "threads"_a, "progress"_a.none());
    m.def("fields_rows", &join_rows, "scorer"_a, "rows"_a, "lefts"_a, "count"_a, "min_score"_a, "self_join"_a,
          "threads"_a, "progress"_a.none());
    m.def("blocks_join", &join_blocks, "scorer"_a, "left_indptr"_a, "left_rows"_a, "right_indptr"_a, "right_rows"_a,
          "count"_a, "min_score"_a, "self_join"_a, "threads"_a, "progress"_a.none());
}
