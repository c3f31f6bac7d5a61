// Text -> tokens -> tags -> the five sanity checks: the first step of mining (see mine.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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
    // One document: its words, and where its sentences end among them.
    struct Document {
        std::vector<std::uint32_t> ids;
        std::vector<std::size_t> ends;
    };
    bool is_foreign(const Document& document);
    bool has_verb_and_lower(std::span<const std::uint32_t> ids, const Checks& checks, std::vector<std::uint8_t>& tags,
                            bool tagged_already, int& fate);
    int fate(std::span<const std::uint32_t> ids, const Checks& checks, std::vector<std::uint8_t>& tags,
             bool tagged_already);
    void keep(std::span<const std::uint32_t> sentence, const Checks& checks, std::vector<std::uint8_t>& tags,
              Kept& out);

    bool english(std::uint32_t id);  // whether a word is a sign of English

    Tagger tagger_;
    std::array<std::uint8_t, kMostTags> verb_{};  // bit 1: any verb or modal; bit 2: neither gerund nor modal
    std::vector<std::uint8_t> english_;
    std::vector<std::uint32_t> local_;  // word -> number in the batch + 1
    std::vector<std::uint8_t> tags_;    // scratch
};

}  // namespace likewise::mine
