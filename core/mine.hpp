// Paraphrase mining (SPEC 6): sentences that pass the sanity checks, the n-grams in them, their anchors, and which of
// them can be left out before anything is grouped.
//
// Three steps, all over batches of sentences whose words are numbers into a vocabulary of the batch:
//   Analyser   text -> tokens -> tags -> checks -> Batch
//   Pruner     counts candidates and anchors by hash, in tables that can only count too much
//   emit       the rows (context, attached, candidate) that the Pruner cannot rule out
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tagger.hpp"

namespace likewise::mine {

// What became of a sentence; the first check that fails counts.
enum Fate : int { kKept, kShort, kLong, kNoVerb, kNoLower, kLongWord, kNumbers, kFates };

struct Checks {
    int min_words = 5;
    int max_words = 30;
    bool tagged = true;     // checks 2 and 3 need tags; off for other languages
    bool keep_tags = true;  // anchors need them; else tagging stops as soon as the checks are decided
    bool english = true;    // leave out documents that do not look English
};

struct Kept {
    std::string vocabulary;  // words of the batch, in order of first appearance
    std::vector<std::int32_t> word_offsets{0};
    std::vector<std::int32_t> ids;
    std::vector<std::uint8_t> tags;  // empty unless keep_tags
    std::vector<std::int32_t> sentence_offsets{0};
    std::vector<std::int32_t> sentences;  // which of the sentences given
    std::array<std::int64_t, kFates> fates{};
    std::int64_t foreign_documents = 0;
    std::int64_t foreign_sentences = 0;
    std::int64_t tokens = 0;
};

// Tags may be given from outside: one per token of every sentence, in order.
class Analyser {
public:
    explicit Analyser(const TaggerModel& model);

    // text: all sentences in one buffer, offsets their limits; documents: the document of each (ascending).
    Kept run(std::string_view text, std::span<const std::int64_t> offsets, std::span<const std::int32_t> documents,
             const Checks& checks, std::span<const std::uint8_t> foreign_tags = {});

private:
    int fate(std::span<const std::uint32_t> ids, const Checks& checks, std::vector<std::uint8_t>& tags,
             bool tagged_already);

    bool english(std::uint32_t id);  // whether a word is a sign of English

    Tagger tagger_;
    std::array<std::uint8_t, kMostTags> verb_{};  // bit 1: any verb or modal; bit 2: neither gerund nor modal
    std::vector<std::uint8_t> english_;
    std::vector<std::uint32_t> local_;  // word -> number in the batch + 1
};

// A view of a batch of kept sentences.
struct Batch {
    std::span<const char> vocabulary;
    std::span<const std::int32_t> word_offsets;
    std::span<const std::int32_t> ids;
    std::span<const std::uint8_t> tags;
    std::span<const std::int32_t> sentence_offsets;

    std::string_view word(std::int32_t id) const {
        return {vocabulary.data() + word_offsets[id],
                static_cast<std::size_t>(word_offsets[id + 1] - word_offsets[id])};
    }
    std::int64_t sentences() const { return static_cast<std::int64_t>(sentence_offsets.size()) - 1; }
    std::int32_t words() const { return static_cast<std::int32_t>(word_offsets.size()) - 1; }
};

enum class Anchors { ngram, entity, relative };

struct Shape {
    int context = 3;  // L_C
    int min_phrase = 1;
    int max_phrase = 4;
    Anchors anchors = Anchors::ngram;
};

// Which tags matter to anchors; from the model's names.
struct TagKinds {
    std::array<std::uint8_t, 256> kind{};
    enum : std::uint8_t { proper = 1, verb = 2, pronoun = 4 };
    explicit TagKinds(std::span<const std::string> names);
};

// Two tables of counters that saturate, indexed by hash: a slot shared by two keys counts both, never too little. First
// candidates are counted, then the anchors of the rows whose candidates are frequent enough. Several threads count at
// once.
class Pruner {
public:
    Pruner(Shape shape, TagKinds kinds, int support, int bits);
    Pruner(const Pruner&) = delete;
    Pruner(Pruner&&) = default;

    void count_candidates(const Batch& batch);
    void count_anchors(const Batch& batch);

    std::span<std::uint8_t> table(bool anchors);
    void add_table(bool anchors, std::span<const std::uint8_t> other);  // for tables counted elsewhere

    struct Rows {
        std::string contexts, attached, candidates;
        std::vector<std::int32_t> context_ends{0}, attached_ends{0}, candidate_ends{0};
        std::vector<std::int32_t> sentences;
        std::int64_t ngrams = 0;    // rows before pruning
        std::int64_t anchored = 0;  // sentences with at least one row
    };
    Rows emit(const Batch& batch) const;

private:
    using Table = std::unique_ptr<std::atomic<std::uint8_t>[]>;
    template <class Want, class Visit>
    void each_row(const Batch& batch, Want want, Visit visit) const;
    std::atomic<std::uint8_t>& slot(const Table& table, std::uint64_t hash) const {
        return table[hash >> (64 - bits_)];
    }

    Shape shape_;
    TagKinds kinds_;
    std::uint8_t support_;
    int bits_;
    Table candidates_, anchors_;
};

// How often phrases occur, and how often two of them stand side by side: "X and Y", "X or Y", "from X to Y", "X, Y,
// ..", with at most one word between ("the left and the right", "late 19th and early 20th").
class Evidence {
public:
    // phrases: tokens joined by one blank; pairs: numbers of phrases, flat.
    Evidence(std::span<const std::string> phrases, std::span<const std::int32_t> pairs, int longest);
    void count(const Batch& batch, std::span<std::int64_t> occurrences, std::span<std::int64_t> together) const;

private:
    struct Slot {
        std::uint64_t hash = 0;
        std::int32_t value = -1;
    };
    std::int32_t find(const Batch& batch, std::uint64_t hash, std::int64_t begin, std::int64_t end) const;
    std::vector<std::string> phrases_;
    std::vector<Slot> slots_;
    std::vector<Slot> pairs_;
    int longest_;
};

}  // namespace likewise::mine
