#include "mine_evidence.hpp"

#include <algorithm>
#include <string_view>

#include "hash.hpp"
#include "mine_phrase.hpp"

namespace likewise::mine {

namespace {

// What a word says of the phrases on its two sides.
enum : std::uint8_t { kAnd = 1, kTo = 2, kComma = 4, kFrom = 8 };

std::uint8_t link_of(std::string_view word) {
    if (word == "and" || word == "or") return kAnd;
    if (word == "to") return kTo;
    if (word == ",") return kComma;
    return word == "from" ? kFrom : 0;
}

std::uint64_t pair_key(std::int32_t a, std::int32_t b) {
    return static_cast<std::uint64_t>(std::min(a, b)) << 32 | static_cast<std::uint32_t>(std::max(a, b));
}

}  // namespace

Evidence::Evidence(std::span<const std::string> phrases, std::span<const std::int32_t> pairs, int longest)
    : phrases_(phrases.begin(), phrases.end()), pair_count_(pairs.size() / 2), longest_(longest) {
    const auto sized = [](std::size_t entries) {
        std::size_t size = 16;
        while (size < entries * 2) size *= 2;
        return std::vector<Slot>(size);
    };
    slots_ = sized(phrases_.size());
    for (std::size_t p = 0; p < phrases_.size(); ++p) {
        std::uint64_t h = kPhraseSeed;
        std::string_view rest = phrases_[p];
        while (true) {
            const std::size_t blank = rest.find(' ');
            h = chain(h, tag_hash(rest.substr(0, blank)));
            if (blank == rest.npos) break;
            rest.remove_prefix(blank + 1);
        }
        h = mix64(h);
        std::size_t slot = h & (slots_.size() - 1);
        while (slots_[slot].value >= 0) slot = (slot + 1) & (slots_.size() - 1);
        slots_[slot] = {h, static_cast<std::int32_t>(p)};
    }
    pairs_ = sized(pairs.size() / 2);
    for (std::size_t p = 0; p * 2 < pairs.size(); ++p) {
        const std::uint64_t h = pair_key(pairs[2 * p], pairs[2 * p + 1]);
        std::size_t slot = mix64(h) & (pairs_.size() - 1);
        while (pairs_[slot].value >= 0) slot = (slot + 1) & (pairs_.size() - 1);
        pairs_[slot] = {h, static_cast<std::int32_t>(p)};
    }
}

std::int32_t Evidence::find(const Batch& batch, std::uint64_t h, std::int64_t begin, std::int64_t end) const {
    for (std::size_t slot = h & (slots_.size() - 1); slots_[slot].value >= 0; slot = (slot + 1) & (slots_.size() - 1)) {
        if (slots_[slot].hash != h) continue;
        std::string text;
        append_words(batch, begin, end, text);
        if (text == phrases_[slots_[slot].value]) return slots_[slot].value;
    }
    return -1;
}

// The phrases of one sentence, and which of them stand side by side.
class Evidence::Sentence {
public:
    Sentence(const Evidence& evidence, const Batch& batch, Counts& counts)
        : evidence_(evidence), batch_(batch), counts_(counts), hashes_(batch.words()), link_(batch.words()) {
        for (std::int32_t id = 0; id < batch.words(); ++id) {
            hashes_[id] = tag_hash(batch.word(id));
            link_[id] = link_of(batch.word(id));
        }
    }

    void count(std::int64_t begin, std::int64_t end) {
        begin_ = begin;
        end_ = end;
        starts_.resize(std::max<std::size_t>(starts_.size(), end - begin + 1));
        for (std::int64_t i = begin; i < end; ++i) find_phrases(i);
        for (std::int64_t i = begin; i < end; ++i)
            for (const Found& left : starts_[i - begin]) count_beside(left);
    }

private:
    std::uint8_t link(std::int64_t token) const { return link_[batch_.ids[token]]; }

    void find_phrases(std::int64_t at) {
        auto& here = starts_[at - begin_];
        here.clear();
        std::uint64_t h = kPhraseSeed;
        for (int v = 1; v <= evidence_.longest_ && at + v <= end_; ++v) {
            h = chain(h, hashes_[batch_.ids[at + v - 1]]);
            const std::int32_t phrase = evidence_.find(batch_, mix64(h), at, at + v);
            if (phrase < 0) continue;
            ++counts_.occurrences[phrase];
            here.push_back({phrase, at, at + v});
        }
    }

    void count_beside(const Found& left) {
        const std::int64_t middle = left.end;
        if (middle + 1 >= end_) return;
        const std::uint8_t how = link(middle);
        if (how == kComma) count_pairs(left, middle + 1, true);
        if (how == kAnd || (how == kTo && left.begin > begin_ && link(left.begin - 1) == kFrom)) {
            count_pairs(left, middle + 1, false);
            count_pairs(left, middle + 2, false);  // the left and *the* right
        } else if (link(middle + 1) == kAnd) {
            count_pairs(left, middle + 2, false);  // late *19th* and early 20th
        }
    }

    // The pairs of a phrase with those that begin at a token.
    void count_pairs(const Found& left, std::int64_t at, bool list) {
        if (at >= end_) return;
        const auto& pairs = evidence_.pairs_;
        for (const Found& right : starts_[at - begin_]) {
            // "X, Y" counts inside a list only: another comma, "and" or "or" must follow.
            if (list && (right.end >= end_ || !(link(right.end) & (kAnd | kComma)))) continue;
            const std::uint64_t h = pair_key(left.phrase, right.phrase);
            std::size_t slot = mix64(h) & (pairs.size() - 1);
            while (pairs[slot].value >= 0 && pairs[slot].hash != h) slot = (slot + 1) & (pairs.size() - 1);
            if (pairs[slot].value >= 0) ++counts_.together[pairs[slot].value];
        }
    }

    const Evidence& evidence_;
    const Batch& batch_;
    Counts& counts_;
    std::vector<std::uint64_t> hashes_;
    std::vector<std::uint8_t> link_;
    std::vector<std::vector<Found>> starts_;  // by token: the phrases that begin there
    std::int64_t begin_ = 0, end_ = 0;
};

Evidence::Counts Evidence::count(const Batch& batch) const {
    Counts counts{std::vector<std::int64_t>(phrases_.size()), std::vector<std::int64_t>(pair_count_)};
    Sentence sentence(*this, batch, counts);
    for (std::int64_t s = 0; s < batch.sentences(); ++s)
        sentence.count(batch.sentence_offsets[s], batch.sentence_offsets[s + 1]);
    return counts;
}

}  // namespace likewise::mine
