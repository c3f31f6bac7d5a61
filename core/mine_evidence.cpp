#include "mine_evidence.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "hash.hpp"
#include "mine_phrase.hpp"

namespace likewise::mine {

namespace {

constexpr std::size_t kMaybeBits = 1 << 21;

enum Link : std::uint8_t { kAnd = 1, kOr = 2, kComma = 4, kTo = 8, kFrom = 16, kBetween = 32 };

// The same in German, French and Spanish. "de" is also "of", but only before "X a Y" does it count.
std::uint8_t foreign_link_of(std::string_view word) {
    if (word == "und" || word == "et" || word == "y") return kAnd;
    if (word == "oder" || word == "ou" || word == "o") return kOr;
    if (word == "bis" || word == "zu" || word == "nach" || word == "à" || word == "a" || word == "hasta") return kTo;
    if (word == "von" || word == "Von" || word == "vom" || word == "de" || word == "De" || word == "desde")
        return kFrom;
    if (word == "zwischen" || word == "Zwischen" || word == "entre" || word == "Entre") return kBetween;
    return 0;
}

std::uint8_t link_of(std::string_view word, bool english) {
    if (!english)
        if (const std::uint8_t link = foreign_link_of(word)) return link;
    if (word == "and") return kAnd;
    if (word == "or") return kOr;
    if (word == ",") return kComma;
    if (word == "to") return kTo;
    if (word == "from" || word == "From") return kFrom;
    if (word == "between" || word == "Between") return kBetween;
    return 0;
}

std::uint64_t pair_hash(std::int32_t left, std::int32_t right) {
    return static_cast<std::uint64_t>(std::min(left, right)) << 32 | static_cast<std::uint32_t>(std::max(left, right));
}

// Counts of keys in a table that grows.
class Tally {
public:
    void add(std::uint64_t key) {
        if (2 * used_ >= slots_.size()) grow();
        auto& slot = at(key);
        if (!slot.second) slot.first = key, ++used_;
        ++slot.second;
    }
    std::vector<std::pair<std::uint64_t, std::int32_t>> sorted() const {
        std::vector<std::pair<std::uint64_t, std::int32_t>> out;
        out.reserve(used_);
        for (const auto& slot : slots_)
            if (slot.second) out.push_back(slot);
        std::sort(out.begin(), out.end());
        return out;
    }

private:
    std::pair<std::uint64_t, std::int32_t>& at(std::uint64_t key) {
        std::size_t place = mix64(key) & (slots_.size() - 1);
        while (slots_[place].second && slots_[place].first != key) place = (place + 1) & (slots_.size() - 1);
        return slots_[place];
    }
    void grow() {
        auto before = std::move(slots_);
        slots_.assign(before.size() * 2, {});
        for (const auto& slot : before)
            if (slot.second) at(slot.first) = slot;
    }
    std::vector<std::pair<std::uint64_t, std::int32_t>> slots_{1 << 12};
    std::size_t used_ = 0;
};

}  // namespace

// The phrases of one sentence: by their first token, and as one list.
struct Evidence::Sentence {
    std::int64_t number = 0, begin = 0, end = 0;
    std::vector<std::vector<Found>> starts;
    std::vector<Found> all;
    std::vector<std::int32_t> single;  // the phrase that a token is by itself, or -1
};

Evidence::Evidence(std::span<const std::string> phrases, std::span<const std::int32_t> pairs, int longest, bool english)
    : phrases_(phrases.begin(), phrases.end()), maybe_(kMaybeBits / 64), longest_(longest), english_(english) {
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
        const std::uint64_t h = pair_hash(pairs[2 * p], pairs[2 * p + 1]), mixed = mix64(h);
        std::size_t slot = mixed & (pairs_.size() - 1);
        while (pairs_[slot].value >= 0) slot = (slot + 1) & (pairs_.size() - 1);
        pairs_[slot] = {h, static_cast<std::int32_t>(p)};
        maybe_[(mixed >> 32) % kMaybeBits / 64] |= std::uint64_t{1} << ((mixed >> 32) % 64);
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

std::int32_t Evidence::pair_of(std::int32_t left, std::int32_t right) const {
    const std::uint64_t h = pair_hash(left, right), mixed = mix64(h);
    if (!(maybe_[(mixed >> 32) % kMaybeBits / 64] >> ((mixed >> 32) % 64) & 1)) return -1;
    for (std::size_t slot = mixed & (pairs_.size() - 1); pairs_[slot].value >= 0;
         slot = (slot + 1) & (pairs_.size() - 1))
        if (pairs_[slot].hash == h) return pairs_[slot].value;
    return -1;
}

void Evidence::find_all(const Batch& batch, std::span<const std::uint64_t> hashes, Sentence& sentence) const {
    const std::int64_t length = sentence.end - sentence.begin;
    sentence.starts.resize(std::max<std::size_t>(sentence.starts.size(), length + 1));
    sentence.single.assign(length, -1);
    sentence.all.clear();
    for (std::int64_t i = sentence.begin; i < sentence.end; ++i) {
        auto& here = sentence.starts[i - sentence.begin];
        here.clear();
        std::uint64_t h = kPhraseSeed;
        for (int v = 1; v <= longest_ && i + v <= sentence.end; ++v) {
            h = chain(h, hashes[batch.ids[i + v - 1]]);
            const std::int32_t phrase = find(batch, mix64(h), i, i + v);
            if (phrase < 0) continue;
            if (v == 1) sentence.single[i - sentence.begin] = phrase;
            here.push_back({phrase, i, i + v});
            sentence.all.push_back(here.back());
        }
    }
}

void Evidence::count_beside(const Batch& batch, std::span<const std::uint8_t> links, const Sentence& sentence,
                            Counts& counts) const {
    const std::int64_t begin = sentence.begin, end = sentence.end;
    const auto link = [&](std::int64_t i) { return i >= begin && i < end ? links[batch.ids[i]] : std::uint8_t{0}; };
    const auto beside = [&](const Found& left, std::int64_t at, std::vector<std::int64_t>& where, bool list) {
        if (at >= end) return;
        for (const Found& right : sentence.starts[at - begin]) {
            // "X, Y" counts inside a list only: another comma, "and" or "or" must follow.
            if (list && !(link(right.end) & (kComma | kAnd | kOr))) continue;
            const std::int32_t pair = pair_of(left.phrase, right.phrase);
            if (pair >= 0) ++where[pair];
        }
    };
    for (const Found& left : sentence.all) {
        const std::int64_t middle = left.end;
        const std::uint8_t how = link(middle), before = link(left.begin - 1);
        const bool range = (how == kTo && before == kFrom) || (how == kAnd && before == kBetween);
        if (how == kComma) beside(left, middle + 1, counts.listed, true);
        if (range || how == kAnd || how == kOr) {
            auto& where = range ? counts.contrast : how == kOr ? counts.either : counts.listed;
            beside(left, middle + 1, where, false);
            beside(left, middle + 2, where, false);  // the left and *the* right
        } else if (link(middle + 1) & (kAnd | kOr)) {
            beside(left, middle + 2, link(middle + 1) == kOr ? counts.either : counts.listed,
                   false);  // late *19th* and
        }
    }
}

void Evidence::count_both(const Sentence& sentence, std::vector<std::int64_t>& last, Counts& counts) const {
    for (std::size_t i = 0; i < sentence.all.size(); ++i) {
        for (std::size_t j = i + 1; j < sentence.all.size(); ++j) {
            if (sentence.all[j].begin < sentence.all[i].end) continue;
            const std::int32_t pair = pair_of(sentence.all[i].phrase, sentence.all[j].phrase);
            if (pair < 0 || last[pair] == sentence.number) continue;
            last[pair] = sentence.number;
            ++counts.both[pair];
        }
    }
}

Evidence::Counts Evidence::count(const Batch& batch, Neighbours& neighbours) const {
    std::vector<std::uint64_t> hashes(batch.words());
    std::vector<std::uint8_t> links(batch.words());
    for (std::int32_t id = 0; id < batch.words(); ++id) {
        hashes[id] = tag_hash(batch.word(id));
        links[id] = link_of(batch.word(id), english_);
    }
    std::size_t pairs = 0;
    for (const Slot& slot : pairs_) pairs += slot.value >= 0;
    Counts counts;
    counts.occurrences.resize(phrases_.size());
    for (auto* column : {&counts.listed, &counts.either, &counts.contrast, &counts.both}) column->resize(pairs);
    std::vector<std::int64_t> last(pairs, -1);
    Tally tally;
    Sentence sentence;
    for (std::int64_t s = 0; s < batch.sentences(); ++s) {
        sentence.number = s;
        sentence.begin = batch.sentence_offsets[s];
        sentence.end = batch.sentence_offsets[s + 1];
        find_all(batch, hashes, sentence);
        count_beside(batch, links, sentence, counts);
        count_both(sentence, last, counts);
        const auto single = [&](std::int64_t i) {
            return i < sentence.begin || i >= sentence.end ? -1 : sentence.single[i - sentence.begin];
        };
        for (const Found& found : sentence.all) {
            ++counts.occurrences[found.phrase];
            const std::int64_t around[4] = {found.begin - 2, found.begin - 1, found.end, found.end + 1};
            for (int place = 0; place < 4; ++place) {
                const std::int32_t word = single(around[place]);
                if (word >= 0)
                    tally.add(static_cast<std::uint64_t>(found.phrase) << 32 |
                              static_cast<std::uint32_t>(word * 4 + place));
            }
        }
    }
    for (const auto& [key, count] : tally.sorted()) {
        neighbours.phrase.push_back(static_cast<std::int32_t>(key >> 32));
        neighbours.word.push_back(static_cast<std::int32_t>(key));
        neighbours.count.push_back(count);
    }
    return counts;
}

std::vector<double> row_products(std::span<const std::int64_t> offsets, std::span<const std::int32_t> columns,
                                 std::span<const double> values, std::span<const std::int32_t> pairs) {
    std::vector<double> out(pairs.size() / 2);
    for (std::size_t p = 0; p < out.size(); ++p) {
        std::int64_t left = offsets[pairs[2 * p]], right = offsets[pairs[2 * p + 1]];
        const std::int64_t left_end = offsets[pairs[2 * p] + 1], right_end = offsets[pairs[2 * p + 1] + 1];
        double sum = 0;
        while (left < left_end && right < right_end) {
            if (columns[left] == columns[right])
                sum += values[left++] * values[right++];
            else if (columns[left] < columns[right])
                ++left;
            else
                ++right;
        }
        out[p] = sum;
    }
    return out;
}

}  // namespace likewise::mine
