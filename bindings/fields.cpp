#include "fields.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "checks.hpp"
#include "held_index.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;

namespace {

using Values = std::vector<View<std::int32_t>>;

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
                          to_numpy(std::move(result.score)), result.candidates);
}

void check_options(const fields::Options& options) {
    check_count("count", options.count);
    check_score("min_score", options.min_score);
}

// The scorer's fields together with what bounds them.
fields::Scorer bounded(const OwnedFields& scorer, const std::vector<const HeldIndex*>& indexes,
                       const std::vector<const DotScorer*>& bounds) {
    check_same_size("indexes", indexes, "fields", scorer.fields);
    check_same_size("bounds", bounds, "fields", scorer.fields);
    fields::Scorer found(scorer.fields, scorer.lefts, scorer.rights);
    for (std::size_t f = 0; f < indexes.size(); ++f) {
        fields::Field& field = found.fields[f];
        check(indexes[f] != nullptr, "indexes must not be None");
        check(!bounds[f] || (bounds[f]->left_size() == field.scorer->left_size() &&
                             bounds[f]->right_size() == field.scorer->right_size()),
              "a bound is of other texts");
        field.index = indexes[f]->index.get();
        field.bound = bounds[f];
        const PairScorer& source = bounds[f] ? *bounds[f] : *field.scorer;
        check(field.index->is_of(source), "an index is of another right side");
    }
    return found;
}

nb::tuple join_fields(const OwnedFields& scorer, const std::vector<const HeldIndex*>& indexes,
                      const std::vector<const DotScorer*>& bounds, View<std::int64_t> lefts, std::int64_t count,
                      double min_score, bool self_join, std::optional<View<double>> prices,
                      std::optional<View<double>> least, int threads, nb::object progress) {
    fields::Options options{count, min_score, self_join, {}, {}, threads};
    check(prices.has_value() == least.has_value(), "prices and least come together");
    if (prices) {
        options.prices = span_of(*prices);
        options.least = span_of(*least);
        check(static_cast<std::int64_t>(prices->size()) == scorer.rights, "prices must have a number for each record");
        check(static_cast<std::int64_t>(least->size()) == scorer.lefts, "least must have a number for each record");
        check_weights("prices", options.prices);
        check_weights("least", options.least);
        check(std::ranges::all_of(options.prices, [](double price) { return price >= 0; }), "prices must be 0 or more");
    }
    check_options(options);
    check(!self_join || scorer.lefts == scorer.rights, "self_join needs the same records on both sides");
    check_range("lefts", span_of(lefts), scorer.lefts);
    fields::Scorer fields = bounded(scorer, indexes, bounds);
    fields::Result result;
    run(progress, [&](Control& control) { result = fields::join(fields, span_of(lefts), options, control); });
    return columns(std::move(result));
}

nb::tuple join_blocks(const PairScorer& scorer, View<std::int64_t> left_indptr, View<std::int64_t> left_rows,
                      View<std::int64_t> right_indptr, View<std::int64_t> right_rows, std::int64_t count,
                      double min_score, bool self_join, int threads, nb::object progress) {
    fields::Options options{count, min_score, self_join, {}, {}, threads};
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
    m.def("fields_join", &join_fields, "scorer"_a, "indexes"_a, "bounds"_a, "lefts"_a, "count"_a, "min_score"_a,
          "self_join"_a, "prices"_a.none(), "least"_a.none(), "threads"_a, "progress"_a.none());
    m.def("blocks_join", &join_blocks, "scorer"_a, "left_indptr"_a, "left_rows"_a, "right_indptr"_a, "right_rows"_a,
          "count"_a, "min_score"_a, "self_join"_a, "threads"_a, "progress"_a.none());
}
