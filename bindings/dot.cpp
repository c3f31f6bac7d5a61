#include "dot.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "phrases.hpp"
#include "rows.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;

namespace {

struct OwnedPhrases {
    View<std::int64_t> indptr;
    View<std::int32_t> phrases;
    View<std::int64_t> positions;
    PhraseRows rows;

    OwnedPhrases(View<std::int64_t> indptr_, View<std::int32_t> phrases_, View<std::int64_t> positions_)
        : indptr(std::move(indptr_)),
          phrases(std::move(phrases_)),
          positions(std::move(positions_)),
          rows{span_of(indptr), span_of(phrases), span_of(positions)} {
        check_same_size("positions", rows.positions, "phrases", rows.phrases);
        check_offsets("indptr", rows.indptr, rows.phrases.size());
        check_range("positions", rows.positions, INT64_MAX - 2);
    }
};

}  // namespace

void bind_dot(nb::module_& m) {
    nb::class_<OwnedRows>(m, "Rows")
        .def(nb::init<View<std::int64_t>, View<std::int32_t>, View<double>>(), "indptr"_a, "ids"_a, "weights"_a)
        .def("__len__", [](const OwnedRows& self) { return self.rows.size(); })
        .def_ro("indptr", &OwnedRows::indptr)
        .def_ro("ids", &OwnedRows::ids)
        .def_ro("weights", &OwnedRows::weights);
    nb::class_<DotScorer, PairScorer>(m, "DotScorer")
        .def(
            "__init__",
            [](DotScorer* self, const OwnedRows& left, const OwnedRows& right) {
                new (self) DotScorer(left.rows, right.rows);
            },
            "left"_a, "right"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>());

    nb::enum_<PhraseCount>(m, "PhraseCount")
        .value("matches", PhraseCount::matches)
        .value("common", PhraseCount::common)
        .value("tf", PhraseCount::tf);
    nb::class_<OwnedPhrases>(m, "PhraseRows")
        .def(nb::init<View<std::int64_t>, View<std::int32_t>, View<std::int64_t>>(), "indptr"_a, "phrases"_a,
             "positions"_a);
    nb::class_<PhraseScorer, PairScorer>(m, "PhraseScorer")
        .def(
            "__init__",
            [](PhraseScorer* self, const DotScorer& terms, const OwnedPhrases& left, const OwnedPhrases& right,
               PhraseCount count) {
                check(left.rows.size() == terms.left_size() && right.rows.size() == terms.right_size(),
                      "phrases are of other texts than terms");
                new (self) PhraseScorer(terms, left.rows, right.rows, count);
            },
            "terms"_a, "left"_a, "right"_a, "count"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 4>());
}
