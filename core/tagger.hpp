// Part-of-speech tags by a greedy averaged perceptron, left to right (Collins 2002), with a dictionary for frequent
// words that always have the same tag.
//
// All weights are small integers, so that a sentence has the same tags on every machine. What depends on one word only
// is added up once per distinct word and role (current, one before, one after, ...); a token then costs a few vector
// additions.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "strings.hpp"

namespace likewise {

inline constexpr int kMostEpochs = 1000;
inline constexpr int kMostTags = 56;  // a multiple of 8, so that additions vectorise

using TagScores = std::array<std::int16_t, kMostTags>;

struct TaggerTraining {
    int epochs = 8;
    std::uint64_t seed = 1;
    int dictionary_count = 20;        // a word this frequent ...
    double dictionary_share = 0.995;  // ... with one tag this often goes into the dictionary
    int smallest_weight = 2;          // features all of whose weights are below it are left out
};

class TaggerModel {
public:
    explicit TaggerModel(std::string_view serialised);

    // sentences: words and tag numbers, flat, with offsets. Returns the serialised model, the same bytes for the same
    // input.
    static std::string train(std::span<const std::string> words, std::span<const std::uint8_t> tags,
                             std::span<const std::int64_t> offsets, std::span<const std::string> names,
                             const TaggerTraining& options);

    std::span<const std::string> names() const { return names_; }

private:
    friend class Tagger;
    void add(std::uint32_t key, TagScores& scores) const;
    int dictionary(std::string_view word) const;  // -1: not in it
    std::uint16_t ambiguity(std::string_view lower) const;

    std::vector<std::string> names_;
    std::unordered_map<std::uint64_t, std::uint8_t> dictionary_;
    std::unordered_map<std::uint32_t, std::uint16_t> ambiguity_;
    struct Slot {
        std::uint32_t key = 0;
        std::uint32_t first = 0;
        std::uint32_t count = 0;  // 0: empty
    };
    std::vector<Slot> slots_;
    std::vector<std::pair<std::uint8_t, std::int16_t>> entries_;
    std::vector<TagScores> after_one_;  // by the tag before; the last row is the sentence start
    std::vector<TagScores> after_two_;  // by the two tags before
};

// One per thread: the model plus the words seen so far with their sums.
class Tagger {
public:
    explicit Tagger(const TaggerModel& model) : model_(&model) {}

    const StringTable& words() const { return words_; }
    std::uint32_t intern(std::string_view word) { return static_cast<std::uint32_t>(words_.intern(word)); }
    std::uint8_t flags(std::uint32_t id) { return entry(id).flags; }
    // The tag of a word that the dictionary settles whatever its neighbours, or -1.
    int fixed(std::uint32_t id) { return entry(id).fixed; }
    void tag(std::span<const std::uint32_t> ids, std::uint8_t* out) { tag_while(ids, out, nullptr); }
    // Tags from left to right until more(token, tag) says no; a tag never depends on those to its right.
    using More = std::function<bool(std::size_t, std::uint8_t)>;
    void tag_while(std::span<const std::uint32_t> ids, std::uint8_t* out, const More& more);
    // Forgets the words when there are many, which bounds the memory; ids from before are void.
    bool forget(std::int32_t limit);

private:
    struct Entry {
        std::int32_t current = -1, before = -1, after = -1, before2 = -1, after2 = -1;  // rows of sums_
        std::uint32_t lower_hash = 0;
        std::uint16_t ambiguity = 0;
        std::uint8_t flags = 0, shape = 0;
        std::int16_t fixed = -1;
    };
    Entry& entry(std::uint32_t id);
    template <class Fill>
    const TagScores& sums(std::int32_t& row, Fill fill);

    const TaggerModel* model_;
    StringTable words_;
    std::vector<Entry> entries_;
    std::vector<TagScores> sums_;
};

}  // namespace likewise
