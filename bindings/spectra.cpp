#include "spectra.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <optional>
#include <string_view>
#include <vector>

#include "analyse.hpp"
#include "arrays.hpp"
#include "checks.hpp"
#include "run.hpp"
#include "spectra_pair.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;
using analyse::Vocabulary;

namespace {

void bind_coefficient(nb::module_& m) {
    nb::enum_<Coefficient::Kind>(m, "CoefficientKind")
        .value("mean", Coefficient::Kind::mean)
        .value("jaccard", Coefficient::Kind::jaccard)
        .value("coverage", Coefficient::Kind::coverage)
        .value("common", Coefficient::Kind::common);
    nb::class_<Coefficient>(m, "Coefficient")
        .def(
            "__init__",
            [](Coefficient* self, Coefficient::Kind kind, double p) {
                check_score("p", p);
                new (self) Coefficient{kind, p};
            },
            "kind"_a, "p"_a = 0.0)
        .def_ro("kind", &Coefficient::kind)
        .def_ro("p", &Coefficient::p);
}

nb::object bytes_of(std::string_view text) { return nb::bytes(text.data(), text.size()); }

void bind_grams(nb::module_& m) {
    nb::enum_<Padding>(m, "Padding")
        .value("none", Padding::none)
        .value("single", Padding::single)
        .value("full", Padding::full);
    nb::class_<TermGrams>(m, "TermGrams")
        .def(
            "__init__",
            [](TermGrams* self, int from, int to, Padding padding, bool context) {
                check_number("q_from", from, 0, 255);
                check_number("q_to", to, from, 255);
                new (self) TermGrams(from, to, padding, context);
            },
            "q_from"_a, "q_to"_a, "padding"_a, "context"_a)
        .def(
            "set_weights",
            [](TermGrams& self, View<double> terms, double unseen_term, View<double> grams, double unseen_gram) {
                check_weights("terms", span_of(terms));
                check_weights("grams", span_of(grams));
                check_weights("unseen_term", {&unseen_term, 1});
                check_weights("unseen_gram", {&unseen_gram, 1});
                self.set_weights({terms.data(), terms.data() + terms.size()}, unseen_term,
                                 {grams.data(), grams.data() + grams.size()}, unseen_gram);
            },
            "terms"_a, "unseen_term"_a, "grams"_a, "unseen_gram"_a)
        .def(
            "add", [](TermGrams& self, const Vocabulary& vocabulary) { self.add(vocabulary.terms()); }, "vocabulary"_a)
        .def(
            "intern_grams",
            [](TermGrams& self, nb::list keys) {
                std::vector<std::int32_t> ids;
                for (nb::handle key : keys) {
                    if (!nb::isinstance<nb::bytes>(key)) throw nb::type_error("keys must be a list of bytes");
                    auto bytes = nb::borrow<nb::bytes>(key);
                    ids.push_back(self.intern_gram({bytes.c_str(), bytes.size()}));
                }
                return to_numpy(std::move(ids));
            },
            "keys"_a)
        .def(
            "gram",
            [](const TermGrams& self, std::int32_t id) {
                check_place("q-gram", id, self.grams().size());
                return bytes_of(self.grams()[id]);
            },
            "id"_a)
        .def("grams",
             [](const TermGrams& self) {
                 nb::list out;
                 for (std::int32_t i = 0; i < self.grams().size(); ++i) out.append(bytes_of(self.grams()[i]));
                 return out;
             })
        .def_prop_ro("gram_count", [](const TermGrams& self) { return self.grams().size(); })
        .def(
            "entry",
            [](const TermGrams& self, std::int32_t term) {
                check_place("term", term, self.size());
                TermEntry entry = self[term];
                return nb::make_tuple(to_numpy(std::vector(entry.grams, entry.grams + entry.size)),
                                      to_numpy(std::vector(entry.weights, entry.weights + entry.size)));
            },
            "term"_a)
        .def(
            "gram_sums",
            [](const TermGrams& self, View<double> counts) {
                check_weights("term_counts", span_of(counts));
                return to_numpy(self.gram_sums(span_of(counts)));
            },
            "term_counts"_a)
        .def("__len__", &TermGrams::size);
}

void bind_texts(nb::module_& m) {
    nb::class_<SpectraTexts>(m, "SpectraTexts")
        .def(
            "__init__",
            [](SpectraTexts* self, const TermGrams& grams, View<std::int64_t> indptr, View<std::int32_t> terms,
               View<double> frequencies, int threads) {
                check_offsets("indptr", span_of(indptr), terms.size());
                check_range("terms", span_of(terms), grams.size());
                check_ascending("terms", span_of(indptr), span_of(terms));
                if (frequencies.size()) check_same_size("frequencies", span_of(frequencies), "terms", span_of(terms));
                check_weights("frequencies", span_of(frequencies));
                SpectraTexts made;
                run_sized(static_cast<std::int64_t>(terms.size()), nb::none(), [&](Control& control) {
                    made =
                        spectra_texts(grams, span_of(indptr), span_of(terms), span_of(frequencies), threads, control);
                });
                new (self) SpectraTexts(std::move(made));
            },
            "term_grams"_a, "indptr"_a, "terms"_a, "frequencies"_a, "threads"_a = 0)
        .def("__len__", &SpectraTexts::size)
        .def_prop_ro(
            "cardinalities", [](const SpectraTexts& self) { return copy_to_numpy(self.cardinalities); },
            nb::rv_policy::move)
        .def_prop_ro(
            "grams", [](const SpectraTexts& self) { return copy_to_numpy(self.grams); }, nb::rv_policy::move)
        .def_prop_ro(
            "values", [](const SpectraTexts& self) { return copy_to_numpy(self.values); }, nb::rv_policy::move)
        .def_prop_ro(
            "counts", [](const SpectraTexts& self) { return copy_to_numpy(self.counts); }, nb::rv_policy::move);
}

// Nothing where a text is no string or not valid UTF-8.
std::optional<std::string_view> utf8_of(nb::handle text) {
    if (!PyUnicode_Check(text.ptr())) return std::nullopt;
    Py_ssize_t size;
    const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
    if (data) return std::string_view(data, static_cast<std::size_t>(size));
    PyErr_Clear();
    return std::nullopt;
}

void bind_scorers(nb::module_& m) {
    nb::class_<SpectraScorer, PairScorer>(m, "SpectraScorer")
        .def(
            "__init__",
            [](SpectraScorer* self, const TermGrams& grams, const SpectraTexts& left, const SpectraTexts& right,
               Coefficient coefficient) {
                check(left.made_from == grams.identity() && right.made_from == grams.identity(),
                      "left and right must be made from these term_grams");
                new (self) SpectraScorer(grams, left, right, coefficient);
            },
            "term_grams"_a, "left"_a, "right"_a, "coefficient"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>(),
            nb::keep_alive<1, 4>())
        .def(
            "common",
            [](const SpectraScorer& self, std::int64_t left, std::int64_t right) {
                check_place("left", left, self.left_size());
                check_place("right", right, self.right_size());
                return self.common(left, right);
            },
            "left"_a, "right"_a);

    nb::class_<SpectraPair>(m, "SpectraPair")
        .def(
            "__init__",
            [](SpectraPair* self, const Vocabulary& vocabulary, const TermGrams& grams, Coefficient coefficient,
               bool frequencies, bool chains, bool bigrams, bool lower, bool ready) {
                new (self)
                    SpectraPair(vocabulary, grams, coefficient, frequencies, {chains, bigrams, false, lower}, ready);
            },
            "vocabulary"_a, "term_grams"_a, "coefficient"_a, "frequencies"_a, "chains"_a, "bigrams"_a, "lower"_a,
            "ready"_a, nb::keep_alive<1, 2>(), nb::keep_alive<1, 3>())
        // None where a word has not been seen before, or a text is no string or not valid UTF-8: then the long way is
        // needed, which also finds the words for what is wrong.
        .def(
            "score",
            [](SpectraPair& self, nb::handle left, nb::handle right) -> std::optional<double> {
                auto a = utf8_of(left), b = utf8_of(right);
                return a && b ? self.score(*a, *b) : std::nullopt;
            },
            "left"_a.none(), "right"_a.none());
}

}  // namespace

void bind_spectra(nb::module_& m) {
    bind_coefficient(m);
    bind_grams(m);
    bind_texts(m);
    bind_scorers(m);
}
