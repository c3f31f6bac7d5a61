// Inverted lists of index segments, and the search over them.
#include "search.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "analyse.hpp"
#include "arrays.hpp"
#include "checks.hpp"
#include "rows.hpp"
#include "run.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;
using namespace likewise::search;

namespace {

using Dead = std::vector<std::optional<View<std::uint8_t>>>;

void check_table(const ListTable& table, std::size_t lists) {
    check_same_size("list_of", table.lists, "ids", table.ids);
    check(std::is_sorted(table.ids.begin(), table.ids.end()), "ids must ascend");
    check_range("list_of", table.lists, static_cast<std::int64_t>(lists));
}

void check_texts(std::span<const std::uint16_t> texts, std::int64_t count) {
    check_number("text_count", count, std::int64_t{0}, kSegmentTexts);
    check_range("texts", texts, count);
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
        check_offsets("indptr", lists.indptr, texts.size());
        check_same_size("impacts", lists.impacts, "texts", lists.texts);
        check_same_size("weights", lists.weights, "texts", lists.texts);
        check(indptr.size() == maxima.size() + 1, "maxima must have one for each list");
        check(levels.size() == maxima.size() * kLevels, "levels must have three for each list");
        check_table(lists.table, maxima.size());
        check_texts(lists.texts, count);
        check_weights("weights", lists.weights);
        check_weights("maxima", lists.maxima);
        check_weights("levels", lists.levels);
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
        check_offsets("indptr", lists.indptr, texts.size());
        check_same_size("codes", lists.codes, "texts", lists.texts);
        check_same_size("largest", lists.largest, "smallest", lists.smallest);
        check(indptr.size() == smallest.size() + 1, "smallest must have one for each list");
        check_table(lists.table, smallest.size());
        check_texts(lists.texts, lists.text_count);
        check_offsets("term_indptr", lists.term_indptr, terms.size());
        check(term_indptr.size() == cardinalities.size() + 1, "term_indptr must have one for each text");
        if (frequencies.size()) check_same_size("frequencies", lists.frequencies, "terms", lists.terms);
        check_number("known_terms", known_terms, 0, std::numeric_limits<std::int32_t>::max());
        check_range("terms", lists.terms, std::int64_t{known_terms} + static_cast<std::int64_t>(more_terms.size()));
        check_range("more_terms", lists.more_terms, std::numeric_limits<std::int32_t>::max());
        for (const auto& weights : {lists.smallest, lists.largest, lists.cardinalities, lists.frequencies})
            check_weights("smallest, largest, cardinalities and frequencies", weights);
        for (std::int32_t term : lists.terms)
            if (term < known_terms) vocabulary_size = std::max(vocabulary_size, term + 1);
        for (std::int32_t term : lists.more_terms) vocabulary_size = std::max(vocabulary_size, term + 1);
    }
    std::int32_t vocabulary_size = 0;  // terms of the vocabulary that the texts need
    std::int64_t size() const { return lists.text_count; }
};

// Segments one after the other; texts are numbered through.
template <class Segment>
struct Searcher {
    std::vector<nb::object> kept;
    std::vector<const Segment*> segments;
    std::vector<std::int64_t> firsts;
    std::int64_t size = 0;

    explicit Searcher(nb::list given) {
        for (nb::handle one : given) {
            kept.push_back(nb::borrow(one));
            segments.push_back(nb::cast<const Segment*>(one));
            check(segments.back() != nullptr, "segments must not be None");
            firsts.push_back(size);
            size += segments.back()->size();
        }
    }

    std::vector<std::span<const std::uint8_t>> dead_of(const Dead& dead) const {
        std::vector<std::span<const std::uint8_t>> out(segments.size());
        if (dead.empty()) return out;
        check_same_size("dead", dead, "segments", segments);
        for (std::size_t i = 0; i < dead.size(); ++i) {
            if (!dead[i]) continue;
            check(static_cast<std::int64_t>(dead[i]->size()) == segments[i]->size(),
                  "dead must have a byte for each text of its segment");
            out[i] = span_of(*dead[i]);
        }
        return out;
    }
};

using DotSearcher = Searcher<DotSegment>;
using GramSearcher = Searcher<GramSegment>;
using Deads = std::vector<std::span<const std::uint8_t>>;

void search_segments(const DotSearcher& self, std::span<const std::int32_t> ids, std::span<const double> weights,
                     std::int64_t k, double floor, const Deads& dead, Scratch& scratch, std::vector<Hit>& hits) {
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
        std::vector<Scratch> scratch(static_cast<std::size_t>(thread_count(threads)));
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

auto top_dot(const DotSearcher& self, const OwnedRows& owned, std::int64_t k, double floor, const Dead& dead,
             int threads, nb::handle progress) {
    check_score("floor", floor);
    Deads gone = self.dead_of(dead);
    const Rows& rows = owned.rows;
    auto one = [&](std::int64_t query, Scratch& scratch, std::vector<Hit>& hits) {
        auto begin = static_cast<std::size_t>(rows.indptr[query]);
        auto size = static_cast<std::size_t>(rows.indptr[query + 1]) - begin;
        search_segments(self, rows.ids.subspan(begin, size), rows.weights.subspan(begin, size), k, floor, gone, scratch,
                        hits);
    };
    return search_many(rows.size(), threads, progress, one);
}

// The quick way for one plain query: words are looked up and weighed here. None if a word is new.
nb::object top_text(const DotSearcher& self, const analyse::Vocabulary& vocabulary, View<double> term_weights,
                    double unseen_weight, std::string_view text, bool chains, bool bigrams, bool lower, std::int64_t k,
                    const Dead& dead) {
    thread_local Scratch scratch;
    thread_local std::vector<std::int32_t> terms;
    thread_local std::vector<double> weights;
    thread_local std::vector<Hit> hits;
    if (!vocabulary.known_terms(text, {chains, bigrams, false, lower}, terms)) return nb::none();
    weigh_terms(terms, span_of(term_weights), unseen_weight, weights);
    check_weights("term_weights", weights);
    Deads gone = self.dead_of(dead);
    search_segments(self, terms, weights, k, 0.0, gone, scratch, hits);
    // Whether a word is there that the fitted collection did not have.
    bool unseen = !terms.empty() && static_cast<std::size_t>(terms.back()) >= term_weights.size();
    nb::tuple found = hits_to_numpy(hits);
    return nb::make_tuple(found[0], found[1], unseen);
}

auto all_scores(const DotSearcher& self, View<std::int32_t> ids, View<double> weights) {
    check_same_size("ids", span_of(ids), "weights", span_of(weights));
    check_weights("weights", span_of(weights));
    std::vector<double> out(static_cast<std::size_t>(self.size), 0.0);
    for (std::size_t i = 0; i < self.segments.size(); ++i)
        dot_scores(self.segments[i]->lists, span_of(ids), span_of(weights),
                   std::span(out).subspan(static_cast<std::size_t>(self.firsts[i]),
                                          static_cast<std::size_t>(self.segments[i]->size())));
    return to_numpy(std::move(out));
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
        "rows"_a);
    nb::class_<DotSegment>(m, "DotSegment")
        .def(nb::init<View<std::int32_t>, View<std::int32_t>, View<std::int64_t>, View<std::uint16_t>,
                      View<std::uint16_t>, View<double>, View<double>, View<double>, std::int64_t>(),
             "ids"_a, "list_of"_a, "indptr"_a, "texts"_a, "impacts"_a, "weights"_a, "maxima"_a, "levels"_a,
             "text_count"_a)
        .def("__len__", &DotSegment::size)
        .def(
            "list",
            // Where a term's list begins and ends.
            [](const DotSegment& self, std::int32_t term) {
                std::int64_t at = self.lists.table.find(term);
                if (at < 0) return nb::make_tuple(0, 0);
                return nb::make_tuple(self.lists.indptr[at], self.lists.indptr[at + 1]);
            },
            "term"_a);
    nb::class_<DotSearcher>(m, "DotSearcher")
        .def(nb::init<nb::list>(), "segments"_a)
        .def("__len__", [](const DotSearcher& self) { return self.size; })
        .def("top", &top_dot, "rows"_a, "k"_a, "floor"_a = 0.0, "dead"_a = Dead(), "threads"_a = 0,
             "progress"_a.none() = nb::none())
        .def("top_text", &top_text, "vocabulary"_a, "term_weights"_a, "unseen_weight"_a, "text"_a, "chains"_a,
             "bigrams"_a, "lower"_a, "k"_a, "dead"_a = Dead())
        .def("scores", &all_scores, "ids"_a, "weights"_a);
}

auto top_spectra(const GramSearcher& self, const TermGrams& term_grams, const SpectraTexts& queries,
                 Coefficient coefficient, std::int64_t k, double floor, const Dead& dead, int threads,
                 nb::handle progress) {
    check(queries.made_from == term_grams.identity(), "queries must be made from these term_grams");
    for (const GramSegment* segment : self.segments)
        check(segment->vocabulary_size <= term_grams.size(), "a segment has terms that these term_grams do not have");
    check_score("floor", floor);
    Deads gone = self.dead_of(dead);
    auto one = [&](std::int64_t query, Scratch& scratch, std::vector<Hit>& hits) {
        SpectraQuery asked{term_grams, queries, query, coefficient};
        for (std::size_t i = 0; i < self.segments.size(); ++i)
            search_spectra(self.segments[i]->lists, asked, k, floor, gone[i], self.firsts[i], scratch, hits);
    };
    return search_many(queries.size(), threads, progress, one);
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
        "texts"_a);
    nb::class_<GramSegment>(m, "GramSegment")
        .def(nb::init<View<std::int32_t>, View<std::int32_t>, View<std::int64_t>, View<std::uint16_t>,
                      View<std::uint8_t>, View<double>, View<double>, View<double>, View<std::int64_t>,
                      View<std::int32_t>, View<double>, std::int32_t, View<std::int32_t>>(),
             "ids"_a, "list_of"_a, "indptr"_a, "texts"_a, "codes"_a, "smallest"_a, "largest"_a, "cardinalities"_a,
             "term_indptr"_a, "terms"_a, "frequencies"_a, "known_terms"_a, "more_terms"_a)
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
            "term"_a);
    nb::class_<GramSearcher>(m, "GramSearcher")
        .def(nb::init<nb::list>(), "segments"_a)
        .def("__len__", [](const GramSearcher& self) { return self.size; })
        .def("top", &top_spectra, "term_grams"_a, "queries"_a, "coefficient"_a, "k"_a, "floor"_a = 0.0,
             "dead"_a = Dead(), "threads"_a = 0, "progress"_a.none() = nb::none());
}

}  // namespace

void bind_search(nb::module_& m) {
    bind_dot(m);
    bind_spectra(m);
}
