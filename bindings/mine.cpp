#include "mine.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;
using namespace likewise::mine;

namespace {

struct BatchViews {
    View<std::uint8_t> vocabulary;
    View<std::int32_t> word_offsets, ids;
    View<std::uint8_t> tags;
    View<std::int32_t> sentence_offsets;

    Batch view() const {
        return {{reinterpret_cast<const char*>(vocabulary.data()), vocabulary.size()},
                span_of(word_offsets),
                span_of(ids),
                span_of(tags),
                span_of(sentence_offsets)};
    }
};

nb::ndarray<nb::numpy, std::uint8_t> bytes_array(const std::string& text) {
    return to_numpy(std::vector<std::uint8_t>(text.begin(), text.end()));
}

}  // namespace

void bind_mine(nb::module_& m) {
    nb::class_<BatchViews>(m, "MineBatch")
        .def(
            "__init__",
            [](BatchViews* self, View<std::uint8_t> vocabulary, View<std::int32_t> word_offsets, View<std::int32_t> ids,
               View<std::uint8_t> tags, View<std::int32_t> sentence_offsets) {
                new (self) BatchViews{vocabulary, word_offsets, ids, tags, sentence_offsets};
            },
            "vocabulary"_a, "word_offsets"_a, "ids"_a, "tags"_a, "sentence_offsets"_a);

    nb::class_<Analyser>(m, "MineAnalyser")
        .def(nb::init<const TaggerModel&>(), "model"_a, nb::keep_alive<1, 2>())
        .def(
            "run",
            [](Analyser& analyser, nb::bytes text, View<std::int64_t> offsets, View<std::int32_t> documents,
               int min_words, int max_words, bool tagged, bool keep_tags, bool english, View<std::uint8_t> tags) {
                const Checks checks{min_words, max_words, tagged, keep_tags, english};
                const std::string_view all(text.c_str(), text.size());
                Kept kept;
                {
                    nb::gil_scoped_release release;
                    kept = analyser.run(all, span_of(offsets), span_of(documents), checks, span_of(tags));
                }
                nb::dict out;
                out["vocabulary"] = bytes_array(kept.vocabulary);
                out["word_offsets"] = to_numpy(std::move(kept.word_offsets));
                out["ids"] = to_numpy(std::move(kept.ids));
                out["tags"] = to_numpy(std::move(kept.tags));
                out["sentence_offsets"] = to_numpy(std::move(kept.sentence_offsets));
                out["sentences"] = to_numpy(std::move(kept.sentences));
                out["fates"] = to_numpy(std::vector<std::int64_t>(kept.fates.begin(), kept.fates.end()));
                out["foreign_documents"] = kept.foreign_documents;
                out["foreign_sentences"] = kept.foreign_sentences;
                out["tokens"] = kept.tokens;
                return out;
            },
            "text"_a, "offsets"_a, "documents"_a, "min_words"_a, "max_words"_a, "tagged"_a, "keep_tags"_a, "english"_a,
            "tags"_a);

    nb::class_<Pruner>(m, "MinePruner")
        .def(
            "__init__",
            [](Pruner* self, int context, int min_phrase, int max_phrase, int anchors,
               const std::vector<std::string>& tags, int support, int bits) {
                new (self) Pruner({context, min_phrase, max_phrase, static_cast<Anchors>(anchors)}, TagKinds(tags),
                                  support, bits);
            },
            "context"_a, "min_phrase"_a, "max_phrase"_a, "anchors"_a, "tags"_a, "support"_a, "bits"_a)
        .def(
            "count_candidates",
            [](Pruner& pruner, const BatchViews& batch) {
                const Batch view = batch.view();
                nb::gil_scoped_release release;
                pruner.count_candidates(view);
            },
            "batch"_a)
        .def(
            "count_anchors",
            [](Pruner& pruner, const BatchViews& batch) {
                const Batch view = batch.view();
                nb::gil_scoped_release release;
                pruner.count_anchors(view);
            },
            "batch"_a)
        .def(
            "table",
            [](Pruner& pruner, bool anchors) {
                const auto table = pruner.table(anchors);
                return nb::bytes(reinterpret_cast<const char*>(table.data()), table.size());
            },
            "anchors"_a)
        .def(
            "add_table",
            [](Pruner& pruner, bool anchors, nb::bytes other) {
                pruner.add_table(anchors, {reinterpret_cast<const std::uint8_t*>(other.c_str()), other.size()});
            },
            "anchors"_a, "table"_a)
        .def(
            "emit",
            [](const Pruner& pruner, const BatchViews& batch) {
                const Batch view = batch.view();
                Pruner::Rows rows;
                {
                    nb::gil_scoped_release release;
                    rows = pruner.emit(view);
                }
                nb::dict out;
                out["contexts"] = bytes_array(rows.contexts);
                out["context_ends"] = to_numpy(std::move(rows.context_ends));
                out["attached"] = bytes_array(rows.attached);
                out["attached_ends"] = to_numpy(std::move(rows.attached_ends));
                out["candidates"] = bytes_array(rows.candidates);
                out["candidate_ends"] = to_numpy(std::move(rows.candidate_ends));
                out["sentences"] = to_numpy(std::move(rows.sentences));
                out["ngrams"] = rows.ngrams;
                out["anchored"] = rows.anchored;
                return out;
            },
            "batch"_a);

    nb::class_<Evidence>(m, "MineEvidence")
        .def(
            "__init__",
            [](Evidence* self, const std::vector<std::string>& phrases, View<std::int32_t> pairs, int longest) {
                new (self) Evidence(phrases, span_of(pairs), longest);
            },
            "phrases"_a, "pairs"_a, "longest"_a)
        .def(
            "count",
            [](const Evidence& evidence, const BatchViews& batch, std::int64_t phrases, std::int64_t pairs) {
                const Batch view = batch.view();
                std::vector<std::int64_t> occurrences(phrases), together(pairs);
                {
                    nb::gil_scoped_release release;
                    evidence.count(view, occurrences, together);
                }
                return nb::make_tuple(to_numpy(std::move(occurrences)), to_numpy(std::move(together)));
            },
            "batch"_a, "phrases"_a, "pairs"_a);
}
