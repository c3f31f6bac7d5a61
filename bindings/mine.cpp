#include "mine.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "checks.hpp"
#include "mine_analyser.hpp"
#include "mine_evidence.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace likewise;
using namespace likewise::mine;

namespace {

struct OwnedBatch {
    View<std::uint8_t> vocabulary;
    View<std::int32_t> word_offsets, ids;
    View<std::uint8_t> tags;
    View<std::int32_t> sentence_offsets;
    Batch batch;

    OwnedBatch(View<std::uint8_t> vocabulary_, View<std::int32_t> word_offsets_, View<std::int32_t> ids_,
               View<std::uint8_t> tags_, View<std::int32_t> sentence_offsets_)
        : vocabulary(std::move(vocabulary_)),
          word_offsets(std::move(word_offsets_)),
          ids(std::move(ids_)),
          tags(std::move(tags_)),
          sentence_offsets(std::move(sentence_offsets_)),
          batch{{reinterpret_cast<const char*>(vocabulary.data()), vocabulary.size()},
                span_of(word_offsets),
                span_of(ids),
                span_of(tags),
                span_of(sentence_offsets)} {
        check_offsets("word_offsets", batch.word_offsets, vocabulary.size());
        check_offsets("sentence_offsets", batch.sentence_offsets, ids.size());
        check_range("ids", batch.ids, batch.words());
        if (tags.size()) check_same_size("tags", batch.tags, "ids", batch.ids);
    }
};

nb::ndarray<nb::numpy, std::uint8_t> bytes_array(const std::string& text) {
    return to_numpy(std::vector<std::uint8_t>(text.begin(), text.end()));
}

// An analyser remembers words: one call at a time.
struct SharedAnalyser {
    Analyser analyser;
    std::mutex using_;

    explicit SharedAnalyser(const TaggerModel& model) : analyser(model) {}
};

nb::dict analyse(SharedAnalyser& shared, nb::bytes text, View<std::int64_t> offsets, View<std::int32_t> documents,
                 int min_words, int max_words, bool tagged, bool keep_tags, bool english, View<std::uint8_t> tags) {
    const std::string_view all(text.c_str(), text.size());
    check(all.size() <= std::numeric_limits<std::int32_t>::max(), "text must be less than 2 GB");
    check_offsets("offsets", span_of(offsets), all.size());
    check(offsets.size() == documents.size() + 1, "documents must name one for each sentence");
    check_range("tags", span_of(tags), kMostTags);
    const Checks checks{min_words, max_words, tagged, keep_tags, english};
    Kept kept;
    {
        nb::gil_scoped_release release;
        std::lock_guard lock(shared.using_);
        kept = shared.analyser.run(all, span_of(offsets), span_of(documents), checks, span_of(tags));
    }
    nb::dict out;
    out["vocabulary"] = bytes_array(kept.vocabulary);
    out["word_offsets"] = to_numpy(std::move(kept.word_offsets));
    out["ids"] = to_numpy(std::move(kept.ids));
    out["tags"] = to_numpy(std::move(kept.tags));
    out["sentence_offsets"] = to_numpy(std::move(kept.sentence_offsets));
    out["sentences"] = to_numpy(std::move(kept.sentences));
    out["fates"] = copy_to_numpy(kept.fates);
    out["foreign_documents"] = kept.foreign_documents;
    out["foreign_sentences"] = kept.foreign_sentences;
    out["tokens"] = kept.tokens;
    return out;
}

void check_tags(const Pruner& pruner, const OwnedBatch& batch) {
    check(pruner.shape().anchors == Anchors::ngram || batch.tags.size() == batch.ids.size(),
          "these anchors need a batch with tags");
}

nb::dict emit(const Pruner& pruner, const OwnedBatch& batch) {
    check_tags(pruner, batch);
    Pruner::Rows rows;
    {
        nb::gil_scoped_release release;
        rows = pruner.emit(batch.batch);
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
}

nb::tuple hashes(const Pruner& pruner, const OwnedBatch& batch) {
    check_tags(pruner, batch);
    Pruner::Hashes found;
    {
        nb::gil_scoped_release release;
        found = pruner.hashes(batch.batch);
    }
    return nb::make_tuple(to_numpy(std::move(found.anchors)), to_numpy(std::move(found.candidates)));
}

void bind_pruner(nb::module_& m) {
    nb::enum_<Anchors>(m, "MineAnchors")
        .value("ngram", Anchors::ngram)
        .value("entity", Anchors::entity)
        .value("relative", Anchors::relative);
    nb::enum_<Pruner::Counts>(m, "MineCounts")
        .value("candidates", Pruner::Counts::candidates)
        .value("anchors", Pruner::Counts::anchors);
    nb::class_<Pruner>(m, "MinePruner")
        .def(
            "__init__",
            [](Pruner* self, int context, int min_phrase, int max_phrase, Anchors anchors,
               const std::vector<std::string>& tags, int support, int bits) {
                check_number("context", context, 0, 1000);
                check_number("min_phrase", min_phrase, 1, 1000);
                check_number("max_phrase", max_phrase, min_phrase, 1000);
                check_number("bits", bits, 1, 36);
                new (self) Pruner({context, min_phrase, max_phrase, anchors}, TagKinds(tags), support, bits);
            },
            "context"_a, "min_phrase"_a, "max_phrase"_a, "anchors"_a, "tags"_a, "support"_a, "bits"_a)
        .def(
            "count_candidates",
            [](Pruner& pruner, const OwnedBatch& batch) {
                check_tags(pruner, batch);
                nb::gil_scoped_release release;
                pruner.count_candidates(batch.batch);
            },
            "batch"_a)
        .def(
            "count_anchors",
            [](Pruner& pruner, const OwnedBatch& batch) {
                check_tags(pruner, batch);
                nb::gil_scoped_release release;
                pruner.count_anchors(batch.batch);
            },
            "batch"_a)
        .def(
            "table",
            [](const Pruner& pruner, Pruner::Counts which) {
                const std::string table = pruner.table(which);
                return nb::bytes(table.data(), table.size());
            },
            "which"_a)
        .def(
            "add_table",
            [](Pruner& pruner, Pruner::Counts which, nb::bytes other) {
                pruner.add_table(which, {other.c_str(), other.size()});
            },
            "which"_a, "table"_a)
        .def("emit", &emit, "batch"_a)
        .def("hashes", &hashes, "batch"_a);
}

}  // namespace

void bind_mine(nb::module_& m) {
    nb::class_<OwnedBatch>(m, "MineBatch")
        .def(nb::init<View<std::uint8_t>, View<std::int32_t>, View<std::int32_t>, View<std::uint8_t>,
                      View<std::int32_t>>(),
             "vocabulary"_a, "word_offsets"_a, "ids"_a, "tags"_a, "sentence_offsets"_a);
    nb::class_<SharedAnalyser>(m, "MineAnalyser")
        .def(nb::init<const TaggerModel&>(), "model"_a, nb::keep_alive<1, 2>())
        .def("run", &analyse, "text"_a, "offsets"_a, "documents"_a, "min_words"_a, "max_words"_a, "tagged"_a,
             "keep_tags"_a, "english"_a, "tags"_a);
    bind_pruner(m);
    nb::class_<Evidence>(m, "MineEvidence")
        .def(
            "__init__",
            [](Evidence* self, const std::vector<std::string>& phrases, View<std::int32_t> pairs, int longest,
               bool english) {
                check(pairs.size() % 2 == 0, "pairs must be two numbers each");
                check_range("pairs", span_of(pairs), static_cast<std::int64_t>(phrases.size()));
                new (self) Evidence(phrases, span_of(pairs), longest, english);
            },
            "phrases"_a, "pairs"_a, "longest"_a, "english"_a = true)
        .def(
            "count",
            [](const Evidence& evidence, const OwnedBatch& batch) {
                Evidence::Counts counts;
                Evidence::Neighbours neighbours;
                {
                    nb::gil_scoped_release release;
                    counts = evidence.count(batch.batch, neighbours);
                }
                nb::dict out;
                out["occurrences"] = to_numpy(std::move(counts.occurrences));
                out["listed"] = to_numpy(std::move(counts.listed));
                out["either"] = to_numpy(std::move(counts.either));
                out["contrast"] = to_numpy(std::move(counts.contrast));
                out["both"] = to_numpy(std::move(counts.both));
                out["phrase"] = to_numpy(std::move(neighbours.phrase));
                out["word"] = to_numpy(std::move(neighbours.word));
                out["count"] = to_numpy(std::move(neighbours.count));
                return out;
            },
            "batch"_a);

    m.def(
        "row_products",
        [](View<std::int64_t> offsets, View<std::int32_t> columns, View<double> values, View<std::int32_t> pairs) {
            check(pairs.size() % 2 == 0, "pairs must be two numbers each");
            check_offsets("offsets", span_of(offsets), columns.size());
            check_same_size("values", span_of(values), "columns", span_of(columns));
            check_weights("values", span_of(values));
            check_range("pairs", span_of(pairs), static_cast<std::int64_t>(offsets.size()) - 1);
            std::vector<double> out;
            {
                nb::gil_scoped_release release;
                out = row_products(span_of(offsets), span_of(columns), span_of(values), span_of(pairs));
            }
            return to_numpy(std::move(out));
        },
        "offsets"_a, "columns"_a, "values"_a, "pairs"_a);
}
