// Inverted lists of index segments, and the search over them.
#include "search.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <stdexcept>

#include "analyse.hpp"
#include "arrays.hpp"
#include "measure.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace likewise;

namespace {

using Bytes = View<std::uint8_t>;
using Dead = std::vector<std::optional<Bytes>>;

// The kernels index without looking; what comes from a file is looked at once, here.
void check(bool sound) {
    if (!sound) throw std::invalid_argument("arrays of a segment do not fit together");
}

void check_table(const ListTable& table, std::size_t lists) {
    check(table.ids.size() == table.lists.size());
    check(std::is_sorted(table.ids.begin(), table.ids.end()));
    for (std::int32_t list : table.lists) check(list >= 0 && static_cast<std::size_t>(list) < lists);
}

void check_pointers(std::span<const std::int64_t> indptr, std::size_t size) {
    check(!indptr.empty() && indptr.front() == 0 && indptr.back() == static_cast<std::int64_t>(size));
    check(std::is_sorted(indptr.begin(), indptr.end()));
}

void check_texts(std::span<const std::uint16_t> texts, std::int64_t count) {
    check(count >= 0 && count <= kSegmentTexts);
    std::uint16_t largest = 0;
    for (std::uint16_t text : texts) largest = std::max(largest, text);
    check(texts.empty() || largest < count);
}

struct DotSegment {
    View<std::int32_t> ids, list_of;
    View<std::int64_t> indptr;
    View<std::uint16_t> texts, impacts;
    View<double> weights, maxima, levels;
    DotLists lists;

    DotSegment(View<std::int32_t> ids_, View<std::int32_t> list_of_, View<std::int64_t> indptr_,
               View<std::uint16_t> texts_, View<std::uint16_t> impacts_, View<double> weights_, View<double> maxima_,
               View<double> levels_, std::int64_t count)
        : ids(ids_),
          list_of(list_of_),
          indptr(indptr_),
          texts(texts_),
          impacts(impacts_),
          weights(weights_),
          maxima(maxima_),
          levels(levels_),
          lists{{span_of(ids_), span_of(list_of_)},
                span_of(indptr_),
                span_of(texts_),
                span_of(impacts_),
                span_of(weights_),
                span_of(maxima_),
                span_of(levels_),
                count} {
        std::size_t size = texts.size(), number = maxima.size();
        check_pointers(lists.indptr, size);
        check(indptr.size() == number + 1 && impacts.size() == size && weights.size() == size);
        check(levels.size() == number * kLevels);
        check_table(lists.table, number);
        check_texts(lists.texts, count);
    }
    std::int64_t size() const { return lists.text_count; }
};

struct GramSegment {
    View<std::int32_t> ids, list_of, terms, more_terms;
    View<std::int64_t> indptr, term_indptr;
    View<std::uint16_t> texts;
    View<std::uint8_t> codes;
    View<double> smallest, largest, cardinalities, frequencies;
    GramLists lists;

    GramSegment(View<std::int32_t> ids_, View<std::int32_t> list_of_, View<std::int64_t> indptr_,
                View<std::uint16_t> texts_, View<std::uint8_t> codes_, View<double> smallest_, View<double> largest_,
                View<double> cardinalities_, View<std::int64_t> term_indptr_, View<std::int32_t> terms_,
                View<double> frequencies_, std::int32_t known_terms, View<std::int32_t> more_terms_)
        : ids(ids_),
          list_of(list_of_),
          terms(terms_),
          more_terms(more_terms_),
          indptr(indptr_),
          term_indptr(term_indptr_),
          texts(texts_),
          codes(codes_),
          smallest(smallest_),
          largest(largest_),
          cardinalities(cardinalities_),
          frequencies(frequencies_),
          lists{{span_of(ids_), span_of(list_of_)},
                span_of(indptr_),
                span_of(texts_),
                span_of(codes_),
                span_of(smallest_),
                span_of(largest_),
                span_of(cardinalities_),
                span_of(term_indptr_),
                span_of(terms_),
                span_of(frequencies_),
                known_terms,
                span_of(more_terms_),
                static_cast<std::int64_t>(cardinalities_.size())} {
        std::size_t size = texts.size(), number = smallest.size();
        check_pointers(lists.indptr, size);
        check(indptr.size() == number + 1 && codes.size() == size && largest.size() == number);
        check_table(lists.table, number);
        check_texts(lists.texts, lists.text_count);
        check_pointers(lists.term_indptr, terms.size());
        check(term_indptr.size() == cardinalities.size() + 1);
        check(frequencies.size() == 0 || frequencies.size() == terms.size());
        auto end = static_cast<std::int64_t>(known_terms) + static_cast<std::int64_t>(more_terms.size());
        for (std::int32_t term : lists.terms) check(term >= 0 && term < end);
    }
    std::int64_t size() const { return lists.text_count; }
};

// Segments one after the other; texts are numbered through.
template <class Segment>
struct Searcher {
    std::vector<const Segment*> segments;
    std::vector<std::int64_t> firsts;
    std::int64_t size = 0;

    explicit Searcher(nb::list given) {
        for (nb::handle one : given) {
            segments.push_back(nb::cast<const Segment*>(one));
            firsts.push_back(size);
            size += segments.back()->size();
        }
    }

    std::vector<std::span<const std::uint8_t>> dead_of(const Dead& dead) const {
        std::vector<std::span<const std::uint8_t>> out(segments.size());
        if (dead.empty()) return out;
        check(dead.size() == segments.size());
        for (std::size_t i = 0; i < dead.size(); ++i) {
            if (!dead[i]) continue;
            check(static_cast<std::int64_t>(dead[i]->size()) == segments[i]->size());
            out[i] = span_of(*dead[i]);
        }
        return out;
    }
};

using DotSearcher = Searcher<DotSegment>;
using GramSearcher = Searcher<GramSegment>;
using Deads = std::vector<std::span<const std::uint8_t>>;

void search(const DotSearcher& self, std::span<const std::int32_t> ids, std::span<const double> weights, std::int64_t k,
            double floor, const Deads& dead, SearchScratch& scratch, std::vector<Hit>& hits) {
    hits.clear();
    for (std::size_t i = 0; i < self.segments.size(); ++i)
        search_dot(self.segments[i]->lists, ids, weights, k, floor, dead[i], self.firsts[i], scratch, hits);
}

nb::tuple hits_to_numpy(const std::vector<Hit>& hits) {
    std::vector<std::int64_t> texts(hits.size());
    std::vector<double> scores(hits.size());
    for (std::size_t i = 0; i < hits.size(); ++i) {
        texts[i] = hits[i].text;
        scores[i] = hits[i].score;
    }
    return nb::make_tuple(to_numpy(std::move(texts)), to_numpy(std::move(scores)));
}

// Runs one(query, scratch, hits) for every query on threads; columns come in order of queries.
template <class One>
nb::tuple search_many(std::int64_t queries, int threads, nb::handle progress, One&& one) {
    std::vector<std::vector<Hit>> all(static_cast<std::size_t>(queries));
    auto body = [&](Control& control) {
        std::vector<SearchScratch> scratch(static_cast<std::size_t>(thread_count(threads)));
        parallel_blocks(queries, threads, control, [&](std::int64_t query, int worker) {
            one(query, scratch[static_cast<std::size_t>(worker)], all[static_cast<std::size_t>(query)]);
        });
    };
    if (queries <= 1) {
        Control control;
        nb::gil_scoped_release release;
        threads = 1;
        body(control);
    } else {
        run(progress, body);
    }
    std::vector<std::int64_t> left, right;
    std::vector<double> scores;
    for (std::int64_t query = 0; query < queries; ++query)
        for (const Hit& hit : all[static_cast<std::size_t>(query)]) {
            left.push_back(query);
            right.push_back(hit.text);
            scores.push_back(hit.score);
        }
    return nb::make_tuple(to_numpy(std::move(left)), to_numpy(std::move(right)), to_numpy(std::move(scores)));
}

void bind_dot(nb::module_& m) {
    m.def(
        "invert_dot",
        [](const OwnedRows& rows) {
            OwnedDotLists lists;
            {
                nb::gil_scoped_release release;
                lists = invert_dot(rows.rows.indptr, rows.rows.ids, rows.rows.weights);
            }
            return nb::make_tuple(to_numpy(std::move(lists.ids)), to_numpy(std::move(lists.indptr)),
                                  to_numpy(std::move(lists.texts)), to_numpy(std::move(lists.impacts)),
                                  to_numpy(std::move(lists.weights)), to_numpy(std::move(lists.maxima)),
                                  to_numpy(std::move(lists.levels)));
        },
        nb::arg("rows"));
    nb::class_<DotSegment>(m, "DotSegment")
        .def(nb::init<View<std::int32_t>, View<std::int32_t>, View<std::int64_t>, View<std::uint16_t>,
                      View<std::uint16_t>, View<double>, View<double>, View<double>, std::int64_t>(),
             nb::arg("ids"), nb::arg("list_of"), nb::arg("indptr"), nb::arg("texts"), nb::arg("impacts"),
             nb::arg("weights"), nb::arg("maxima"), nb::arg("levels"), nb::arg("text_count"))
        .def("__len__", &DotSegment::size)
        .def(
            "list",
            // Where a term's list begins and ends.
            [](const DotSegment& self, std::int32_t term) {
                std::int64_t at = self.lists.table.find(term);
                if (at < 0) return nb::make_tuple(0, 0);
                return nb::make_tuple(self.lists.indptr[at], self.lists.indptr[at + 1]);
            },
            nb::arg("term"));
    nb::class_<DotSearcher>(m, "DotSearcher")
        .def(nb::init<nb::list>(), nb::arg("segments"), nb::keep_alive<1, 2>())
        .def("__len__", [](DotSearcher& self) { return self.size; })
        .def(
            "top",
            [](const DotSearcher& self, const OwnedRows& rows, std::int64_t k, double floor, const Dead& dead,
               int threads, nb::handle progress) {
                Deads gone = self.dead_of(dead);
                return search_many(rows.rows.size(), threads, progress,
                                   [&](std::int64_t query, SearchScratch& scratch, std::vector<Hit>& hits) {
                                       auto begin = static_cast<std::size_t>(rows.rows.indptr[query]);
                                       auto size = static_cast<std::size_t>(rows.rows.indptr[query + 1]) - begin;
                                       search(self, rows.rows.ids.subspan(begin, size),
                                              rows.rows.weights.subspan(begin, size), k, floor, gone, scratch, hits);
                                   });
            },
            nb::arg("rows"), nb::arg("k"), nb::arg("floor") = 0.0, nb::arg("dead") = Dead(), nb::arg("threads") = 0,
            nb::arg("progress").none() = nb::none())
        .def(
            "top_text",
            // The quick way for one plain query: words are looked up and weighed here. None if a word is new.
            [](const DotSearcher& self, const Vocabulary& vocabulary, View<double> term_weights, double unseen_weight,
               std::string_view text, bool chains, bool unspaced, std::int64_t k, const Dead& dead) -> nb::object {
                thread_local SearchScratch scratch;
                thread_local std::vector<std::int32_t> terms;
                thread_local std::vector<double> weights;
                thread_local std::vector<Hit> hits;
                terms.clear();
                if (!vocabulary.known_terms(text, {chains, unspaced, false}, terms)) return nb::none();
                std::sort(terms.begin(), terms.end());
                weights.clear();
                std::size_t kept = 0;
                for (std::size_t begin = 0, end; begin < terms.size(); begin = end) {
                    for (end = begin + 1; end < terms.size() && terms[end] == terms[begin];) ++end;
                    auto term = static_cast<std::size_t>(terms[begin]);
                    double weight = term < term_weights.size() ? term_weights.data()[term] : unseen_weight;
                    weights.push_back(static_cast<double>(end - begin) * weight);
                    terms[kept++] = terms[begin];
                }
                terms.resize(kept);
                Deads gone = self.dead_of(dead);
                search(self, terms, weights, k, 0.0, gone, scratch, hits);
                // Whether a word is there that the fitted collection did not have.
                bool unseen = !terms.empty() && static_cast<std::size_t>(terms.back()) >= term_weights.size();
                nb::tuple found = hits_to_numpy(hits);
                return nb::make_tuple(found[0], found[1], unseen);
            },
            nb::arg("vocabulary"), nb::arg("term_weights"), nb::arg("unseen_weight"), nb::arg("text"),
            nb::arg("chains"), nb::arg("unspaced"), nb::arg("k"), nb::arg("dead") = Dead())
        .def(
            "scores",
            [](const DotSearcher& self, View<std::int32_t> ids, View<double> weights) {
                check(ids.size() == weights.size());
                std::vector<double> out(static_cast<std::size_t>(self.size), 0.0);
                for (std::size_t i = 0; i < self.segments.size(); ++i)
                    dot_scores(self.segments[i]->lists, span_of(ids), span_of(weights),
                               std::span(out).subspan(static_cast<std::size_t>(self.firsts[i]),
                                                      static_cast<std::size_t>(self.segments[i]->size())));
                return to_numpy(std::move(out));
            },
            nb::arg("ids"), nb::arg("weights"));
}

void bind_spectra(nb::module_& m) {
    m.def(
        "invert_grams",
        [](const SpectraTexts& texts) {
            OwnedGramLists lists;
            {
                nb::gil_scoped_release release;
                lists = invert_grams(texts);
            }
            return nb::make_tuple(to_numpy(std::move(lists.ids)), to_numpy(std::move(lists.indptr)),
                                  to_numpy(std::move(lists.texts)), to_numpy(std::move(lists.codes)),
                                  to_numpy(std::move(lists.smallest)), to_numpy(std::move(lists.largest)));
        },
        nb::arg("texts"));
    nb::class_<GramSegment>(m, "GramSegment")
        .def(nb::init<View<std::int32_t>, View<std::int32_t>, View<std::int64_t>, View<std::uint16_t>,
                      View<std::uint8_t>, View<double>, View<double>, View<double>, View<std::int64_t>,
                      View<std::int32_t>, View<double>, std::int32_t, View<std::int32_t>>(),
             nb::arg("ids"), nb::arg("list_of"), nb::arg("indptr"), nb::arg("texts"), nb::arg("codes"),
             nb::arg("smallest"), nb::arg("largest"), nb::arg("cardinalities"), nb::arg("term_indptr"),
             nb::arg("terms"), nb::arg("frequencies"), nb::arg("known_terms"), nb::arg("more_terms"))
        .def("__len__", &GramSegment::size)
        .def(
            "stored",
            // The id that a term of the vocabulary has in this segment, or -1.
            [](const GramSegment& self, std::int32_t term) {
                const GramLists& lists = self.lists;
                if (term < lists.known_terms) return term;
                auto place = std::find(lists.more_terms.begin(), lists.more_terms.end(), term);
                if (place == lists.more_terms.end()) return -1;
                return lists.known_terms + static_cast<std::int32_t>(place - lists.more_terms.begin());
            },
            nb::arg("term"));
    nb::class_<GramSearcher>(m, "GramSearcher")
        .def(nb::init<nb::list>(), nb::arg("segments"), nb::keep_alive<1, 2>())
        .def("__len__", [](GramSearcher& self) { return self.size; })
        .def(
            "top",
            [](const GramSearcher& self, const TermGrams& term_grams, const SpectraTexts& queries,
               std::string_view kind, double p, std::int64_t k, double floor, const Dead& dead, int threads,
               nb::handle progress) {
                Coefficient coefficient = coefficient_of(kind, p);
                Deads gone = self.dead_of(dead);
                return search_many(queries.size(), threads, progress,
                                   [&](std::int64_t query, SearchScratch& scratch, std::vector<Hit>& hits) {
                                       SpectraQuery one{term_grams, queries, query, coefficient};
                                       for (std::size_t i = 0; i < self.segments.size(); ++i)
                                           search_spectra(self.segments[i]->lists, one, k, floor, gone[i],
                                                          self.firsts[i], scratch, hits);
                                   });
            },
            nb::arg("term_grams"), nb::arg("queries"), nb::arg("kind"), nb::arg("p"), nb::arg("k"),
            nb::arg("floor") = 0.0, nb::arg("dead") = Dead(), nb::arg("threads") = 0,
            nb::arg("progress").none() = nb::none());
}

}  // namespace

void bind_search(nb::module_& m) {
    bind_dot(m);
    bind_spectra(m);
}
