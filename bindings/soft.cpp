#include "soft.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <vector>

#include "analyse.hpp"
#include "rows.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;
using analyse::Vocabulary;

namespace {

void check_terms(const TermSimilarity& similarity, const Rows& left, const Rows& right) {
    check_range("ids of left", left.ids, similarity.size());
    check_range("ids of right", right.ids, similarity.size());
}

void bind_similarities(nb::module_& m) {
    nb::class_<TermSimilarity>(m, "TermSimilarity")
        .def(
            "__call__",
            [](const TermSimilarity& self, std::int32_t a, std::int32_t b) {
                check_place("term", a, self.size());
                check_place("term", b, self.size());
                return self(a, b);
            },
            "a"_a, "b"_a);
    nb::class_<JaroWinkler, TermSimilarity>(m, "JaroWinkler")
        .def(
            "__init__",
            [](JaroWinkler* self, double prefix_weight, int max_prefix, double boost) {
                check_number("max_prefix", max_prefix, 0, 1000);
                check(prefix_weight >= 0 && prefix_weight * max_prefix <= 1,
                      "prefix_weight must be 0 or more, and no more than 1 / max_prefix");
                check_score("boost", boost);
                new (self) JaroWinkler(prefix_weight, max_prefix, boost);
            },
            "prefix_weight"_a, "max_prefix"_a, "boost"_a)
        .def(
            "add", [](JaroWinkler& self, const Vocabulary& vocabulary) { self.add(vocabulary.terms()); },
            "vocabulary"_a);
    nb::class_<GramJaccard, TermSimilarity>(m, "GramJaccard")
        .def(
            "__init__",
            [](GramJaccard* self, int q) {
                check_number("q", q, 1, 255);
                new (self) GramJaccard(q);
            },
            "q"_a)
        .def(
            "add", [](GramJaccard& self, const Vocabulary& vocabulary) { self.add(vocabulary.terms()); },
            "vocabulary"_a);
    nb::class_<SimilarityTable, TermSimilarity>(m, "SimilarityTable")
        .def(
            "__init__",
            [](SimilarityTable* self, std::vector<std::int64_t> indptr, std::vector<std::int32_t> terms,
               std::vector<double> values) {
                check_same_size("values", values, "terms", terms);
                check_offsets("indptr", std::span<const std::int64_t>(indptr), terms.size());
                check_ascending("terms", indptr, terms);
                check_weights("values", values);
                new (self) SimilarityTable(std::move(indptr), std::move(terms), std::move(values));
            },
            "indptr"_a, "terms"_a, "values"_a);
}

}  // namespace

void bind_soft(nb::module_& m) {
    bind_similarities(m);
    m.def(
        "similar_terms",
        [](const TermSimilarity& similarity, std::int32_t size, double cut, int threads, nb::object progress) {
            check_number("size", size, 0, similarity.size());
            check_score("cut", cut);
            SimilarTerms out;
            run(progress, [&](Control& control) { out = similar_terms(similarity, size, cut, threads, control); });
            return nb::make_tuple(to_numpy(std::move(out.indptr)), to_numpy(std::move(out.terms)),
                                  to_numpy(std::move(out.values)));
        },
        "similarity"_a, "size"_a, "cut"_a, "threads"_a = 0, "progress"_a = nb::none());

    nb::class_<SoftTfIdfScorer, PairScorer>(m, "SoftTfIdfScorer")
        .def(
            "__init__",
            [](SoftTfIdfScorer* self, const TermSimilarity& similarity, const OwnedRows& left, const OwnedRows& right,
               double cut, bool best) {
                check_terms(similarity, left.rows, right.rows);
                check_score("cut", cut);
                new (self) SoftTfIdfScorer(similarity, left.rows, right.rows, cut, best);
            },
            "similarity"_a, "left"_a, "right"_a, "cut"_a, "best"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 4>());
    nb::class_<SoftCardinalityScorer, PairScorer>(m, "SoftCardinalityScorer")
        .def(
            "__init__",
            [](SoftCardinalityScorer* self, const TermSimilarity& similarity, const OwnedRows& left,
               const OwnedRows& right, double cut, double softness, Coefficient coefficient) {
                check_terms(similarity, left.rows, right.rows);
                check_score("cut", cut);
                check_score("softness", softness);
                new (self) SoftCardinalityScorer(similarity, left.rows, right.rows, cut, softness, coefficient);
            },
            "similarity"_a, "left"_a, "right"_a, "cut"_a, "softness"_a, "coefficient"_a, nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>());
}
