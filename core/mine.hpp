// Paraphrase mining: sentences that pass the sanity checks, the n-grams in them, their anchors, and which of
// them can be left out before anything is grouped.
//
// Three steps, all over batches of sentences whose words are numbers into a vocabulary of the batch:
//   Analyser   text -> tokens -> tags -> checks -> Batch
//   Pruner     counts candidates and anchors by hash, in tables that can only count too much
//   emit       the rows (context, attached, candidate) that the Pruner cannot rule out
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace likewise::mine {

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

    void count_candidates(const Batch& batch);
    void count_anchors(const Batch& batch);

    // Which of the two tables.
    enum class Counts { candidates, anchors };
    std::string table(Counts which) const;
    void add_table(Counts which, std::string_view other);  // counted elsewhere, with as many bits
    const Shape& shape() const { return shape_; }

    struct Rows {
        std::string contexts, attached, candidates;
        std::vector<std::int32_t> context_ends{0}, attached_ends{0}, candidate_ends{0};
        std::vector<std::int32_t> sentences;
        std::int64_t ngrams = 0;    // rows before pruning
        std::int64_t anchored = 0;  // sentences with at least one row
    };
    Rows emit(const Batch& batch) const;

    // The same rows as hashes, whose first bits number the slot: enough to tell which anchors have two candidates.
    struct Hashes {
        std::vector<std::int64_t> anchors, candidates;
    };
    Hashes hashes(const Batch& batch) const;

private:
    using Table = std::unique_ptr<std::atomic<std::uint8_t>[]>;
    struct Sentence;
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
    mutable std::shared_mutex using_;  // counting shares it; taking or adding a whole table does not
};

}  // namespace likewise::mine
