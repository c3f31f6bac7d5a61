#include "measure.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "analyse.hpp"
#include "arrays.hpp"
#include "dot.hpp"
#include "phrases.hpp"
#include "run.hpp"
#include "soft.hpp"
#include "spectra.hpp"
#include "unicode.hpp"

namespace nb = nanobind;
using namespace likewise;

namespace {

// Work below this many pairs is done at once, without threads and without looking for signals.
constexpr std::int64_t kSmall = 4096;

template <class Body>
void run_sized(std::int64_t pairs, nb::handle progress, Body&& body) {
    if (pairs <= kSmall) {
        Control control;
        body(control);
    } else {
        run(progress, body);
    }
}

nb::ndarray<nb::numpy, double> matrix(const PairScorer& scorer, int threads, nb::handle progress) {
    auto rows = static_cast<std::size_t>(scorer.left_size()), columns = static_cast<std::size_t>(scorer.right_size());
    // Not a vector: the kernels write every cell, so there is no need to clear gigabytes first.
    auto* cells = new double[std::max<std::size_t>(rows * columns, 1)];
    nb::capsule owner(cells, [](void* pointer) noexcept { delete[] static_cast<double*>(pointer); });
    run_sized(scorer.left_size() * scorer.right_size(), progress, [&](Control& control) {
        if (auto* spectra = dynamic_cast<const SpectraScorer*>(&scorer)) {
            spectra_matrix(*spectra, cells, threads, control);
        } else if (auto* dot = dynamic_cast<const DotScorer*>(&scorer)) {
            dot_matrix(*dot, cells, threads, control);
        } else {
            full_matrix(scorer, cells, threads, control);
        }
    });
    return nb::ndarray<nb::numpy, double>(cells, {rows, columns}, owner);
}

}  // namespace

void bind_measure(nb::module_& m) {
    nb::class_<OwnedRows>(m, "Rows")
        .def(nb::init<View<std::int64_t>, View<std::int32_t>, View<double>>(), nb::arg("indptr"), nb::arg("ids"),
             nb::arg("weights"))
        .def("__len__", [](OwnedRows& r) { return r.rows.size(); })
        .def_ro("indptr", &OwnedRows::indptr)
        .def_ro("ids", &OwnedRows::ids)
        .def_ro("weights", &OwnedRows::weights);

    nb::class_<PairScorer>(m, "PairScorer")
        .def("score", &PairScorer::score, nb::arg("left"), nb::arg("right"))
        .def_prop_ro("left_size", &PairScorer::left_size)
        .def_prop_ro("right_size", &PairScorer::right_size);

    nb::class_<DotScorer, PairScorer>(m, "DotScorer")
        .def(
            "__init__",
            [](DotScorer* self, const OwnedRows& left, const OwnedRows& right) {
                new (self) DotScorer(left.rows, right.rows);
            },
            nb::arg("left"), nb::arg("right"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>());

    nb::class_<TermGrams>(m, "TermGrams")
        .def(
            "__init__",
            [](TermGrams* self, int from, int to, int padding, bool context) {
                new (self) TermGrams(from, to, static_cast<Padding>(padding), context);
            },
            nb::arg("q_from"), nb::arg("q_to"), nb::arg("padding"), nb::arg("context"))
        .def(
            "set_weights",
            [](TermGrams& self, View<double> terms, double unseen_term, View<double> grams, double unseen_gram) {
                self.set_weights({terms.data(), terms.data() + terms.size()}, unseen_term,
                                 {grams.data(), grams.data() + grams.size()}, unseen_gram);
            },
            nb::arg("terms"), nb::arg("unseen_term"), nb::arg("grams"), nb::arg("unseen_gram"))
        .def("add", [](TermGrams& self, Vocabulary& vocabulary) { self.add(vocabulary.terms()); })
        .def("intern_grams",
             [](TermGrams& self, nb::list keys) {
                 std::vector<std::int32_t> ids;
                 for (nb::handle key : keys) {
                     nb::bytes bytes = nb::borrow<nb::bytes>(key);
                     ids.push_back(self.intern_gram({bytes.c_str(), bytes.size()}));
                 }
                 return to_numpy(std::move(ids));
             })
        .def(
            "gram",
            [](TermGrams& self, std::int32_t id) {
                if (id < 0 || id >= self.grams().size()) throw nb::index_error("no such q-gram");
                return nb::bytes(self.grams()[id].data(), self.grams()[id].size());
            },
            nb::arg("id"))
        .def("grams",
             [](TermGrams& self) {
                 nb::list out;
                 for (std::int32_t i = 0; i < self.grams().size(); ++i)
                     out.append(nb::bytes(self.grams()[i].data(), self.grams()[i].size()));
                 return out;
             })
        .def_prop_ro("gram_count", [](TermGrams& self) { return self.grams().size(); })
        .def(
            "entry",
            [](TermGrams& self, std::int32_t term) {
                if (term < 0 || term >= self.size()) throw nb::index_error("no such term");
                TermEntry entry = self[term];
                return nb::make_tuple(to_numpy(std::vector(entry.grams, entry.grams + entry.size)),
                                      to_numpy(std::vector(entry.weights, entry.weights + entry.size)));
            },
            nb::arg("term"))
        .def(
            "gram_sums",
            // For each q-gram the sum of the given counts of the terms that contain it.
            [](TermGrams& self, View<double> term_counts) {
                std::vector<double> sums(static_cast<std::size_t>(self.grams().size()), 0.0);
                auto size = std::min<std::size_t>(term_counts.size(), static_cast<std::size_t>(self.size()));
                for (std::size_t term = 0; term < size; ++term) {
                    TermEntry entry = self[static_cast<std::int32_t>(term)];
                    for (std::int32_t i = 0; i < entry.size; ++i) sums[entry.grams[i]] += term_counts.data()[term];
                }
                return to_numpy(std::move(sums));
            },
            nb::arg("term_counts"))
        .def("__len__", &TermGrams::size);

    nb::class_<SpectraTexts>(m, "SpectraTexts")
        .def(
            "__init__",
            [](SpectraTexts* self, const TermGrams& grams, View<std::int64_t> indptr, View<std::int32_t> terms,
               View<double> frequencies, int threads) {
                new (self) SpectraTexts();
                run_sized(static_cast<std::int64_t>(terms.size()), nb::none(), [&](Control& control) {
                    *self =
                        spectra_texts(grams, span_of(indptr), span_of(terms), span_of(frequencies), threads, control);
                });
            },
            nb::arg("term_grams"), nb::arg("indptr"), nb::arg("terms"), nb::arg("frequencies"), nb::arg("threads") = 0)
        .def("__len__", &SpectraTexts::size)
        .def_prop_ro(
            "cardinalities",
            [](SpectraTexts& t) { return to_numpy(std::vector(t.cardinalities.begin(), t.cardinalities.end())); },
            nb::rv_policy::move)
        .def_prop_ro(
            "gram_indptr",
            [](SpectraTexts& t) { return to_numpy(std::vector(t.gram_indptr.begin(), t.gram_indptr.end())); },
            nb::rv_policy::move)
        .def_prop_ro(
            "grams", [](SpectraTexts& t) { return to_numpy(std::vector(t.grams.begin(), t.grams.end())); },
            nb::rv_policy::move)
        .def_prop_ro(
            "values", [](SpectraTexts& t) { return to_numpy(std::vector(t.values.begin(), t.values.end())); },
            nb::rv_policy::move)
        .def_prop_ro(
            "counts", [](SpectraTexts& t) { return to_numpy(std::vector(t.counts.begin(), t.counts.end())); },
            nb::rv_policy::move);

    nb::class_<SpectraScorer, PairScorer>(m, "SpectraScorer")
        .def(
            "__init__",
            [](SpectraScorer* self, const TermGrams& grams, const SpectraTexts& left, const SpectraTexts& right,
               std::string_view kind,
               double p) { new (self) SpectraScorer(grams, left, right, coefficient_of(kind, p)); },
            nb::arg("term_grams"), nb::arg("left"), nb::arg("right"), nb::arg("kind"), nb::arg("p"),
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>())
        .def("common", &SpectraScorer::common, nb::arg("left"), nb::arg("right"));

    nb::class_<SpectraPair>(m, "SpectraPair")
        .def(
            "__init__",
            [](SpectraPair* self, const Vocabulary& vocabulary, const TermGrams& grams, std::string_view kind, double p,
               bool frequencies, bool chains, bool unspaced, bool ready) {
                new (self) SpectraPair(vocabulary, grams, coefficient_of(kind, p), frequencies,
                                       {chains, unspaced, false}, ready);
            },
            nb::arg("vocabulary"), nb::arg("term_grams"), nb::arg("kind"), nb::arg("p"), nb::arg("frequencies"),
            nb::arg("chains"), nb::arg("unspaced"), nb::arg("ready"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        // None where a word has not been seen before, or a text is no string or not valid UTF-8: then the long way is
        // needed, which also finds the words for what is wrong.
        .def(
            "score",
            [](SpectraPair& self, nb::handle left, nb::handle right) -> std::optional<double> {
                if (!PyUnicode_Check(left.ptr()) || !PyUnicode_Check(right.ptr())) return std::nullopt;
                Py_ssize_t left_size, right_size;
                const char* a = PyUnicode_AsUTF8AndSize(left.ptr(), &left_size);
                const char* b = a ? PyUnicode_AsUTF8AndSize(right.ptr(), &right_size) : nullptr;
                if (!b) {
                    PyErr_Clear();
                    return std::nullopt;
                }
                return self.score({a, static_cast<std::size_t>(left_size)}, {b, static_cast<std::size_t>(right_size)});
            },
            nb::arg("left").none(), nb::arg("right").none());

    nb::class_<TermSimilarity>(m, "TermSimilarity")
        .def("__call__", [](TermSimilarity& self, std::int32_t a, std::int32_t b) { return self(a, b); });
    nb::class_<JaroWinkler, TermSimilarity>(m, "JaroWinkler")
        .def(nb::init<double, int, double>(), nb::arg("prefix_weight"), nb::arg("max_prefix"), nb::arg("boost"))
        .def("add", [](JaroWinkler& self, Vocabulary& vocabulary) { self.add(vocabulary.terms()); });
    nb::class_<GramJaccard, TermSimilarity>(m, "GramJaccard")
        .def(nb::init<int>(), nb::arg("q"))
        .def("add", [](GramJaccard& self, Vocabulary& vocabulary) { self.add(vocabulary.terms()); });
    nb::class_<SimilarityTable, TermSimilarity>(m, "SimilarityTable")
        .def(nb::init<std::vector<std::int64_t>, std::vector<std::int32_t>, std::vector<double>>(), nb::arg("indptr"),
             nb::arg("terms"), nb::arg("values"));
    m.def(
        "similar_terms",
        [](const TermSimilarity& similarity, std::int32_t size, double cut, int threads, nb::object progress) {
            SimilarTerms out;
            run(progress, [&](Control& control) { out = similar_terms(similarity, size, cut, threads, control); });
            return nb::make_tuple(to_numpy(std::move(out.indptr)), to_numpy(std::move(out.terms)),
                                  to_numpy(std::move(out.values)));
        },
        nb::arg("similarity"), nb::arg("size"), nb::arg("cut"), nb::arg("threads") = 0,
        nb::arg("progress") = nb::none());

    nb::class_<SoftTfIdfScorer, PairScorer>(m, "SoftTfIdfScorer")
        .def(
            "__init__",
            [](SoftTfIdfScorer* self, const TermSimilarity& similarity, const OwnedRows& left, const OwnedRows& right,
               double cut, bool best) { new (self) SoftTfIdfScorer(similarity, left.rows, right.rows, cut, best); },
            nb::arg("similarity"), nb::arg("left"), nb::arg("right"), nb::arg("cut"), nb::arg("best"),
            nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>());
    nb::class_<SoftCardinalityScorer, PairScorer>(m, "SoftCardinalityScorer")
        .def(
            "__init__",
            [](SoftCardinalityScorer* self, const TermSimilarity& similarity, const OwnedRows& left,
               const OwnedRows& right, double cut, double softness, std::string_view kind, double p) {
                new (self)
                    SoftCardinalityScorer(similarity, left.rows, right.rows, cut, softness, coefficient_of(kind, p));
            },
            nb::arg("similarity"), nb::arg("left"), nb::arg("right"), nb::arg("cut"), nb::arg("softness"),
            nb::arg("kind"), nb::arg("p"), nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>());

    nb::class_<OwnedPhrases>(m, "PhraseRows")
        .def(nb::init<View<std::int64_t>, View<std::int32_t>, View<std::int64_t>>(), nb::arg("indptr"),
             nb::arg("phrases"), nb::arg("positions"));
    nb::class_<PhraseScorer, PairScorer>(m, "PhraseScorer")
        .def(
            "__init__",
            [](PhraseScorer* self, const DotScorer& terms, const OwnedPhrases& left, const OwnedPhrases& right,
               std::string_view count) {
                PhraseCount kind = count == "tf"       ? PhraseCount::tf
                                   : count == "common" ? PhraseCount::common
                                                       : PhraseCount::matches;
                new (self) PhraseScorer(terms, left.rows, right.rows, kind);
            },
            nb::arg("terms"), nb::arg("left"), nb::arg("right"), nb::arg("count"), nb::keep_alive<1, 2>(),
            nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>());

    m.def(
        "pair_scores",
        [](const PairScorer& scorer, View<std::int64_t> left, View<std::int64_t> right, int threads,
           nb::object progress) {
            if (left.size() != right.size()) throw nb::value_error("left and right differ in length");
            std::vector<double> out(left.size());
            run_sized(static_cast<std::int64_t>(left.size()), progress, [&](Control& control) {
                pair_scores(scorer, span_of(left), span_of(right), out.data(), threads, control);
            });
            return to_numpy(std::move(out));
        },
        nb::arg("scorer"), nb::arg("left"), nb::arg("right"), nb::arg("threads") = 0, nb::arg("progress") = nb::none());
    m.def("matrix", &matrix, nb::arg("scorer"), nb::arg("threads") = 0, nb::arg("progress") = nb::none());
    m.def("generalised_mean", &Coefficient::mean, nb::arg("a"), nb::arg("b"), nb::arg("p"));
}
