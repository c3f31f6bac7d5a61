// N-grams, anchors and pruning (SPEC 6.3 to 6.6).
#include "mine.hpp"

#include <algorithm>
#include <unordered_map>

#include "mine_anchor.hpp"

namespace likewise::mine {

namespace {

inline std::uint64_t chain(std::uint64_t h, std::uint64_t word) {
    return (std::rotl(h, 27) ^ word) * 0x9fb21c651e98df25ull;
}

// Counts up to a limit. Lost races are no option here, for a count must never be too small.
inline void count_up(std::atomic<std::uint8_t>& slot, std::uint8_t limit) {
    std::uint8_t now = slot.load(std::memory_order_relaxed);
    while (now < limit &&
           !slot.compare_exchange_weak(now, static_cast<std::uint8_t>(now + 1), std::memory_order_relaxed)) {
    }
}

void join(const Batch& batch, std::int64_t begin, std::int64_t end, std::string& out) {
    for (std::int64_t i = begin; i < end; ++i) {
        if (i > begin) out += ' ';
        out += batch.word(batch.ids[i]);
    }
}

}  // namespace

TagKinds::TagKinds(std::span<const std::string> names) {
    for (std::size_t t = 0; t < names.size() && t < kind.size(); ++t) {
        const std::string& name = names[t];
        if (name == "NNP" || name == "NNPS") kind[t] |= proper;
        if (name == "MD" || name.starts_with("VB")) kind[t] |= verb;
        if (name == "PRP" || name == "PRP$") kind[t] |= pronoun;
    }
}

Pruner::Pruner(Shape shape, TagKinds kinds, int support, int bits)
    : shape_(shape),
      kinds_(kinds),
      support_(static_cast<std::uint8_t>(std::clamp(support, 1, 255))),
      bits_(bits),
      candidates_(std::make_unique<std::atomic<std::uint8_t>[]>(std::size_t{1} << bits)),
      anchors_(std::make_unique<std::atomic<std::uint8_t>[]>(std::size_t{1} << bits)) {}

std::span<std::uint8_t> Pruner::table(bool anchors) {
    static_assert(sizeof(std::atomic<std::uint8_t>) == 1);
    return {reinterpret_cast<std::uint8_t*>((anchors ? anchors_ : candidates_).get()), std::size_t{1} << bits_};
}

void Pruner::add_table(bool anchors, std::span<const std::uint8_t> other) {
    const auto mine = table(anchors);
    for (std::size_t i = 0; i < std::min(mine.size(), other.size()); ++i)
        mine[i] = static_cast<std::uint8_t>(std::min(255, mine[i] + other[i]));
}

// Every row of a batch whose candidate is wanted: want(hash of the candidate), asked once per row, then
// visit(sentence, first token of the n-gram, length of the variable part, hash of the anchor, attachment). The rows of
// a sentence go through in two waves, so that the table's slots are on their way from memory when they are asked for.
template <class Want, class Visit>
void Pruner::each_row(const Batch& batch, Want want, Visit visit) const {
    struct Row {
        std::int64_t at;
        int length;
        std::uint64_t candidate;
        Attachment attachment;
    };
    const int side = shape_.context;
    std::vector<std::uint64_t> hashes(batch.words());
    for (std::int32_t id = 0; id < batch.words(); ++id) hashes[id] = hash_bytes(batch.word(id));
    AnchorFinder finder(batch, kinds_, shape_);
    std::vector<std::uint64_t> sides;
    std::vector<Row> rows;
    for (std::int64_t s = 0; s < batch.sentences(); ++s) {
        const std::int64_t begin = batch.sentence_offsets[s], end = batch.sentence_offsets[s + 1];
        const std::int64_t length = end - begin;
        if (length < 2 * side + shape_.min_phrase) continue;
        if (!finder.enter(begin, end)) continue;
        rows.clear();
        for (std::int64_t i = 0; i + 2 * side + shape_.min_phrase <= length; ++i) {
            std::uint64_t candidate = 2;
            for (int v = 1; v <= shape_.max_phrase && i + 2 * side + v <= length; ++v) {
                candidate = chain(candidate, hashes[batch.ids[begin + i + side + v - 1]]);
                if (v < shape_.min_phrase) continue;
                Row row{begin + i, v, mix64(candidate), {}};
                if (!finder.attach(row.at, v, row.attachment)) continue;
                __builtin_prefetch(&slot(candidates_, row.candidate));
                rows.push_back(row);
            }
        }
        bool sides_known = false;
        for (const Row& row : rows) {
            if (!want(s, row.candidate)) continue;
            if (!sides_known) {
                sides.assign(length, 0);  // hash of the `side` tokens from here on
                for (std::int64_t i = 0; i + side <= length; ++i) {
                    std::uint64_t h = 1;
                    for (int k = 0; k < side; ++k) h = chain(h, hashes[batch.ids[begin + i + k]]);
                    sides[i] = h;
                }
                sides_known = true;
            }
            const std::int64_t i = row.at - begin;
            std::uint64_t anchor = mix64(sides[i] + std::rotl(sides[i + side + row.length], 31));
            if (shape_.anchors != Anchors::ngram) {
                for (const auto& [from, to] : row.attachment.parts) {
                    for (std::int64_t k = from; k < to; ++k) anchor = chain(anchor, hashes[batch.ids[k]]);
                    anchor = chain(anchor, 0x5bd1e995);
                }
            }
            visit(s, row.at, row.length, mix64(anchor), row.attachment);
        }
    }
}

void Pruner::count_candidates(const Batch& batch) {
    const auto want = [&](std::int64_t, std::uint64_t candidate) {
        count_up(slot(candidates_, candidate), support_);
        return false;
    };
    each_row(batch, want, [](auto&&...) {});
}

void Pruner::count_anchors(const Batch& batch) {
    const auto want = [&](std::int64_t, std::uint64_t candidate) {
        return slot(candidates_, candidate).load(std::memory_order_relaxed) >= support_;
    };
    each_row(batch, want, [&](std::int64_t, std::int64_t, int, std::uint64_t anchor, const Attachment&) {
        count_up(slot(anchors_, anchor), 2);
    });
}

Pruner::Rows Pruner::emit(const Batch& batch) const {
    Rows out;
    std::int64_t last = -1;
    const int side = shape_.context;
    const auto want = [&](std::int64_t s, std::uint64_t candidate) {
        ++out.ngrams;
        if (s != last) ++out.anchored, last = s;
        return slot(candidates_, candidate).load(std::memory_order_relaxed) >= support_;
    };
    each_row(batch, want,
             [&](std::int64_t s, std::int64_t at, int v, std::uint64_t anchor, const Attachment& attachment) {
                 if (slot(anchors_, anchor).load(std::memory_order_relaxed) < 2) return;
                 join(batch, at, at + side, out.contexts);
                 out.contexts += '\t';
                 join(batch, at + side + v, at + 2 * side + v, out.contexts);
                 join(batch, at + side, at + side + v, out.candidates);
                 if (shape_.anchors != Anchors::ngram) {
                     const std::size_t parts = shape_.anchors == Anchors::entity ? 2 : 3;
                     for (std::size_t p = 0; p < parts; ++p) {
                         if (p) out.attached += '\t';
                         join(batch, attachment.parts[p].first, attachment.parts[p].second, out.attached);
                     }
                 }
                 out.context_ends.push_back(static_cast<std::int32_t>(out.contexts.size()));
                 out.attached_ends.push_back(static_cast<std::int32_t>(out.attached.size()));
                 out.candidate_ends.push_back(static_cast<std::int32_t>(out.candidates.size()));
                 out.sentences.push_back(static_cast<std::int32_t>(s));
             });
    return out;
}

Evidence::Evidence(std::span<const std::string> phrases, std::span<const std::int32_t> pairs, int longest)
    : phrases_(phrases.begin(), phrases.end()), longest_(longest) {
    const auto sized = [](std::size_t entries) {
        std::size_t size = 16;
        while (size < entries * 2) size *= 2;
        return std::vector<Slot>(size);
    };
    slots_ = sized(phrases_.size());
    for (std::size_t p = 0; p < phrases_.size(); ++p) {
        std::uint64_t h = 2;
        std::string_view rest = phrases_[p];
        while (true) {
            const std::size_t blank = rest.find(' ');
            h = chain(h, hash_bytes(rest.substr(0, blank)));
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
        const std::uint64_t h = std::uint64_t(std::min(pairs[2 * p], pairs[2 * p + 1])) << 32 |
                                std::uint32_t(std::max(pairs[2 * p], pairs[2 * p + 1]));
        std::size_t slot = mix64(h) & (pairs_.size() - 1);
        while (pairs_[slot].value >= 0) slot = (slot + 1) & (pairs_.size() - 1);
        pairs_[slot] = {h, static_cast<std::int32_t>(p)};
    }
}

std::int32_t Evidence::find(const Batch& batch, std::uint64_t h, std::int64_t begin, std::int64_t end) const {
    for (std::size_t slot = h & (slots_.size() - 1); slots_[slot].value >= 0; slot = (slot + 1) & (slots_.size() - 1)) {
        if (slots_[slot].hash != h) continue;
        std::string text;
        join(batch, begin, end, text);
        if (text == phrases_[slots_[slot].value]) return slots_[slot].value;
    }
    return -1;
}

void Evidence::count(const Batch& batch, std::span<std::int64_t> occurrences, std::span<std::int64_t> together) const {
    std::vector<std::uint64_t> hashes(batch.words());
    std::vector<std::uint8_t> link(batch.words());  // 1: and, or; 2: to; 4: comma; 8: from
    for (std::int32_t id = 0; id < batch.words(); ++id) {
        const std::string_view word = batch.word(id);
        hashes[id] = hash_bytes(word);
        link[id] = word == "and" || word == "or" ? 1 : word == "to" ? 2 : word == "," ? 4 : word == "from" ? 8 : 0;
    }
    struct Found {
        std::int32_t phrase;
        std::int64_t begin, end;
    };
    std::vector<std::vector<Found>> starts;
    for (std::int64_t s = 0; s < batch.sentences(); ++s) {
        const std::int64_t begin = batch.sentence_offsets[s], end = batch.sentence_offsets[s + 1];
        starts.resize(std::max<std::size_t>(starts.size(), end - begin + 1));
        for (std::int64_t i = begin; i < end; ++i) {
            auto& here = starts[i - begin];
            here.clear();
            std::uint64_t h = 2;
            for (int v = 1; v <= longest_ && i + v <= end; ++v) {
                h = chain(h, hashes[batch.ids[i + v - 1]]);
                const std::int32_t phrase = find(batch, mix64(h), i, i + v);
                if (phrase < 0) continue;
                ++occurrences[phrase];
                here.push_back({phrase, i, i + v});
            }
        }
        const auto beside = [&](const Found& left, std::int64_t at, bool list) {
            if (at >= end) return;
            for (const Found& right : starts[at - begin]) {
                // "X, Y" counts inside a list only: another comma, "and" or "or" must follow.
                if (list && (right.end >= end || !(link[batch.ids[right.end]] & 5))) continue;
                const std::uint64_t h = std::uint64_t(std::min(left.phrase, right.phrase)) << 32 |
                                        std::uint32_t(std::max(left.phrase, right.phrase));
                for (std::size_t slot = mix64(h) & (pairs_.size() - 1); pairs_[slot].value >= 0;
                     slot = (slot + 1) & (pairs_.size() - 1)) {
                    if (pairs_[slot].hash == h) {
                        ++together[pairs_[slot].value];
                        break;
                    }
                }
            }
        };
        for (std::int64_t i = begin; i < end; ++i) {
            for (const Found& left : starts[i - begin]) {
                const std::int64_t middle = left.end;
                if (middle + 1 >= end) continue;
                const std::uint8_t how = link[batch.ids[middle]];
                if (how == 4) beside(left, middle + 1, true);
                if (how == 1 || (how == 2 && i > begin && link[batch.ids[i - 1]] == 8)) {
                    beside(left, middle + 1, false);
                    beside(left, middle + 2, false);  // the left and *the* right
                } else if (link[batch.ids[middle + 1]] == 1) {
                    beside(left, middle + 2, false);  // late *19th* and early 20th
                }
            }
        }
    }
}

}  // namespace likewise::mine
