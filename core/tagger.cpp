#include "tagger.hpp"

#include <cstring>
#include <stdexcept>

#include "hash.hpp"
#include "penn.hpp"
#include "tagger_features.hpp"

namespace likewise {

namespace {

constexpr std::string_view kMagic = "LWTAG01\n";

struct Reader {
    std::string_view rest;

    template <class T>
    T number() {
        if (rest.size() < sizeof(T)) throw std::invalid_argument("the tagger's weights are cut short");
        T value;
        std::memcpy(&value, rest.data(), sizeof(T));
        rest.remove_prefix(sizeof(T));
        return value;
    }
    std::string_view bytes(std::size_t count) {
        if (rest.size() < count) throw std::invalid_argument("the tagger's weights are cut short");
        const std::string_view part = rest.substr(0, count);
        rest.remove_prefix(count);
        return part;
    }
};

inline void plus(TagScores& sum, const TagScores& other) {
    for (int t = 0; t < kMostTags; ++t) sum[t] = static_cast<std::int16_t>(sum[t] + other[t]);
}

}  // namespace

TaggerModel::TaggerModel(std::string_view serialised) {
    Reader in{serialised};
    if (serialised.substr(0, kMagic.size()) != kMagic) throw std::invalid_argument("these are no tagger weights");
    in.bytes(kMagic.size());
    const auto tags = in.number<std::uint32_t>();
    if (tags == 0 || tags > kMostTags)
        throw std::invalid_argument("the tagger's weights have an impossible number of tags");
    for (std::uint32_t t = 0; t < tags; ++t) names_.emplace_back(in.bytes(in.number<std::uint8_t>()));
    const auto tag = [&] {
        const auto number = in.number<std::uint8_t>();
        if (number >= tags) throw std::invalid_argument("the tagger's weights name a tag that does not exist");
        return number;
    };
    for (auto left = in.number<std::uint32_t>(); left; --left) {
        const auto hash = in.number<std::uint64_t>();
        dictionary_[hash] = tag();
    }
    for (auto left = in.number<std::uint32_t>(); left; --left) {
        const auto hash = in.number<std::uint32_t>();
        ambiguity_[hash] = in.number<std::uint16_t>();
    }
    const auto features = in.number<std::uint32_t>();
    if (features > in.rest.size()) throw std::invalid_argument("the tagger's weights are cut short");
    std::size_t size = 1024;
    while (size < features * 2ull) size *= 2;
    slots_.resize(size);
    for (std::uint32_t f = 0; f < features; ++f) {
        const auto key = in.number<std::uint32_t>();
        const auto count = in.number<std::uint8_t>();
        std::size_t slot = key & (size - 1);
        while (slots_[slot].count) slot = (slot + 1) & (size - 1);
        slots_[slot] = {key, static_cast<std::uint32_t>(entries_.size()), count};
        for (int e = 0; e < count; ++e) {
            const auto number = tag();
            entries_.emplace_back(number, in.number<std::int16_t>());
        }
    }
    const std::size_t states = tags + 1;
    const auto table = [&](std::size_t rows, std::vector<TagScores>& out) {
        out.assign(rows, TagScores{});
        for (auto& row : out)
            for (std::uint32_t t = 0; t < tags; ++t) row[t] = in.number<std::int16_t>();
    };
    table(states, after_one_);
    after_two_.assign(states * states, TagScores{});
    for (auto left = in.number<std::uint32_t>(); left; --left) {
        const auto row = in.number<std::uint16_t>();
        if (row >= after_two_.size()) throw std::invalid_argument("the tagger's weights are damaged");
        auto& weight = after_two_[row][tag()];
        weight = in.number<std::int16_t>();
    }
}

void TaggerModel::add(std::uint32_t key, TagScores& scores) const {
    std::size_t slot = key & (slots_.size() - 1);
    while (slots_[slot].count) {
        if (slots_[slot].key == key) {
            for (std::uint32_t e = 0; e < slots_[slot].count; ++e) {
                const auto& [tag, weight] = entries_[slots_[slot].first + e];
                scores[tag] = static_cast<std::int16_t>(scores[tag] + weight);
            }
            return;
        }
        slot = (slot + 1) & (slots_.size() - 1);
    }
}

int TaggerModel::dictionary(std::string_view word) const {
    const auto found = dictionary_.find(tag_hash(word));
    return found == dictionary_.end() ? -1 : found->second;
}

std::uint16_t TaggerModel::ambiguity(std::string_view small) const {
    const auto found = ambiguity_.find(static_cast<std::uint32_t>(tag_hash(small)));
    return found == ambiguity_.end() ? 0 : found->second;
}

Tagger::Entry& Tagger::entry(std::uint32_t id) {
    while (entries_.size() <= id) {
        const std::string_view word = words_[static_cast<std::int32_t>(entries_.size())];
        const std::string small = penn::lower(word);
        Entry made;
        made.flags = penn::flags_of(word);
        made.fixed = static_cast<std::int16_t>(model_->dictionary(word));
        made.lower_hash = static_cast<std::uint32_t>(tag_hash(small));
        made.ambiguity = model_->ambiguity(small);
        made.shape = features::shape_class(word);
        entries_.push_back(made);
    }
    return entries_[id];
}

template <class Fill>
const TagScores& Tagger::sums(std::int32_t& row, Fill fill) {
    if (row < 0) {
        row = static_cast<std::int32_t>(sums_.size());
        sums_.emplace_back(TagScores{});
        fill(sums_.back());
    }
    return sums_[row];
}

bool Tagger::forget(std::int32_t limit) {
    if (words_.size() <= limit) return false;
    words_ = StringTable();
    entries_.clear();
    sums_.clear();
    return true;
}

void Tagger::tag_while(std::span<const std::uint32_t> ids, std::uint8_t* out, const More& more) {
    const auto tags = static_cast<int>(model_->names_.size());
    const auto start = static_cast<std::uint8_t>(tags);
    const std::size_t n = ids.size();
    for (const std::uint32_t id : ids) entry(id);
    std::uint8_t before = start, before2 = start;
    const auto neighbour = [&](std::uint32_t id, features::Role role, std::int32_t Entry::* row) -> const TagScores& {
        return sums(entries_[id].*row, [&](TagScores& into) {
            const std::string_view word = words_[static_cast<std::int32_t>(id)];
            const std::string small = penn::lower(word);
            features::neighbour(role, word, small, entries_[id].ambiguity,
                                [&](std::uint32_t key) { model_->add(key, into); });
        });
    };
    for (std::size_t i = 0; i < n; ++i) {
        const Entry& now = entries_[ids[i]];
        std::uint8_t best;
        if (now.fixed >= 0) {
            best = static_cast<std::uint8_t>(now.fixed);
        } else {
            TagScores scores = sums(entries_[ids[i]].current, [&](TagScores& into) {
                const std::string_view word = words_[static_cast<std::int32_t>(ids[i])];
                const std::string small = penn::lower(word);
                features::current(word, small, entries_[ids[i]].ambiguity,
                                  [&](std::uint32_t key) { model_->add(key, into); });
            });
            if (i > 0) plus(scores, neighbour(ids[i - 1], features::kBefore, &Entry::before));
            if (i > 1) plus(scores, neighbour(ids[i - 2], features::kBefore2, &Entry::before2));
            if (i + 1 < n) plus(scores, neighbour(ids[i + 1], features::kAfter, &Entry::after));
            if (i + 2 < n) plus(scores, neighbour(ids[i + 2], features::kAfter2, &Entry::after2));
            plus(scores, model_->after_one_[before]);
            plus(scores, model_->after_two_[before2 * (tags + 1) + before]);
            features::Around at{};
            at.small = now.lower_hash;
            at.small_before = i > 0 ? entries_[ids[i - 1]].lower_hash : 0;
            at.small_after = i + 1 < n ? entries_[ids[i + 1]].lower_hash : 0;
            at.class_before = i > 0 ? entries_[ids[i - 1]].ambiguity : 0xFFFF;
            at.class_now = now.ambiguity;
            at.class_after = i + 1 < n ? entries_[ids[i + 1]].ambiguity : 0xFFFF;
            at.shape = now.shape;
            at.tag_before = before;
            at.tag_before2 = before2;
            at.first = i == 0;
            features::around(at, [&](std::uint32_t key) { model_->add(key, scores); });
            best = 0;
            for (int t = 1; t < tags; ++t)
                if (scores[t] > scores[best]) best = static_cast<std::uint8_t>(t);
        }
        out[i] = best;
        if (more && !more(i, best)) return;
        before2 = before;
        before = best;
    }
}

}  // namespace likewise
