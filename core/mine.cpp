#include "mine.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "hash.hpp"
#include "mine_anchor.hpp"
#include "mine_phrase.hpp"
#include "portable.hpp"

namespace likewise::mine {

namespace {

// Counts up to a limit. Lost races are no option here, for a count must never be too small.
inline void count_up(std::atomic<std::uint8_t>& slot, std::uint8_t limit) {
    std::uint8_t now = slot.load(std::memory_order_relaxed);
    while (now < limit &&
           !slot.compare_exchange_weak(now, static_cast<std::uint8_t>(now + 1), std::memory_order_relaxed)) {
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

std::string Pruner::table(Counts which) const {
    static_assert(sizeof(std::atomic<std::uint8_t>) == 1);
    std::unique_lock lock(using_);
    const Table& table = which == Counts::anchors ? anchors_ : candidates_;
    return {reinterpret_cast<const char*>(table.get()), std::size_t{1} << bits_};
}

void Pruner::add_table(Counts which, std::string_view other) {
    if (other.size() != std::size_t{1} << bits_) throw std::invalid_argument("the table has another size");
    std::unique_lock lock(using_);
    auto* mine = reinterpret_cast<std::uint8_t*>((which == Counts::anchors ? anchors_ : candidates_).get());
    for (std::size_t i = 0; i < other.size(); ++i)
        mine[i] = static_cast<std::uint8_t>(std::min(255, mine[i] + static_cast<std::uint8_t>(other[i])));
}

// The rows of one sentence that can have an anchor.
struct Pruner::Sentence {
    struct Row {
        std::int64_t at;
        int length;
        std::uint64_t candidate;
        Attachment attachment;
    };
    std::vector<Row> rows;
    std::vector<std::uint64_t> sides;  // hash of the `context` tokens from here on

    // Finds the rows of the tokens [begin, end); expected(candidate) is called for each.
    template <class Expected>
    void find_rows(const Batch& batch, const Shape& shape, const AnchorFinder& finder,
                   std::span<const std::uint64_t> hashes, std::int64_t begin, std::int64_t end, Expected expected) {
        rows.clear();
        const std::int64_t length = end - begin, sides_length = 2 * std::int64_t{shape.context};
        for (std::int64_t i = 0; i + sides_length + shape.min_phrase <= length; ++i) {
            std::uint64_t candidate = kPhraseSeed;
            for (int v = 1; v <= shape.max_phrase && i + sides_length + v <= length; ++v) {
                candidate = chain(candidate, hashes[batch.ids[begin + i + shape.context + v - 1]]);
                if (v < shape.min_phrase) continue;
                Row row{begin + i, v, mix64(candidate), {}};
                if (!finder.attach(row.at, v, row.attachment)) continue;
                expected(row.candidate);
                rows.push_back(row);
            }
        }
    }

    void find_sides(const Batch& batch, int context, std::span<const std::uint64_t> hashes, std::int64_t begin,
                    std::int64_t end) {
        sides.assign(static_cast<std::size_t>(end - begin + 1), kContextSeed);
        for (std::int64_t i = 0; i + context <= end - begin; ++i) {
            std::uint64_t h = kContextSeed;
            for (int k = 0; k < context; ++k) h = chain(h, hashes[batch.ids[begin + i + k]]);
            sides[i] = h;
        }
    }

    std::uint64_t anchor_of(const Batch& batch, const Shape& shape, std::span<const std::uint64_t> hashes,
                            std::int64_t begin, const Row& row) const {
        constexpr std::uint64_t kPartEnd = 0x5bd1e995;
        const std::int64_t i = row.at - begin;
        std::uint64_t anchor = mix64(sides[i] + std::rotl(sides[i + shape.context + row.length], 31));
        if (shape.anchors != Anchors::ngram) {
            for (const auto& [from, to] : row.attachment.parts) {
                for (std::int64_t k = from; k < to; ++k) anchor = chain(anchor, hashes[batch.ids[k]]);
                anchor = chain(anchor, kPartEnd);
            }
        }
        return mix64(anchor);
    }
};

// Every row of a batch whose candidate is wanted: want(hash of the candidate), asked once per row, then
// visit(sentence, row, hash of the anchor). The rows of a sentence go through in two waves, so that the table's slots
// are on their way from memory when they are asked for.
template <class Want, class Visit>
void Pruner::each_row(const Batch& batch, Want want, Visit visit) const {
    std::shared_lock lock(using_);
    std::vector<std::uint64_t> hashes(batch.words());
    for (std::int32_t id = 0; id < batch.words(); ++id) hashes[id] = tag_hash(batch.word(id));
    AnchorFinder finder(batch, kinds_, shape_);
    Sentence sentence;
    for (std::int64_t s = 0; s < batch.sentences(); ++s) {
        const std::int64_t begin = batch.sentence_offsets[s], end = batch.sentence_offsets[s + 1];
        if (end - begin < 2 * std::int64_t{shape_.context} + shape_.min_phrase) continue;
        if (!finder.enter(begin, end)) continue;
        sentence.find_rows(batch, shape_, finder, hashes, begin, end,
                           [&](std::uint64_t candidate) { prefetch(&slot(candidates_, candidate)); });
        bool sides_known = false;
        for (const auto& row : sentence.rows) {
            if (!want(s, row.candidate)) continue;
            if (!sides_known) sentence.find_sides(batch, shape_.context, hashes, begin, end);
            sides_known = true;
            visit(s, row, sentence.anchor_of(batch, shape_, hashes, begin, row));
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
    each_row(batch, want,
             [&](std::int64_t, const auto&, std::uint64_t anchor) { count_up(slot(anchors_, anchor), 2); });
}

Pruner::Hashes Pruner::hashes(const Batch& batch) const {
    Hashes out;
    const auto want = [&](std::int64_t, std::uint64_t candidate) {
        return slot(candidates_, candidate).load(std::memory_order_relaxed) >= support_;
    };
    each_row(batch, want, [&](std::int64_t, const auto& row, std::uint64_t anchor) {
        if (slot(anchors_, anchor).load(std::memory_order_relaxed) < 2) return;
        out.anchors.push_back(static_cast<std::int64_t>(anchor));
        out.candidates.push_back(static_cast<std::int64_t>(row.candidate));
    });
    return out;
}

Pruner::Rows Pruner::emit(const Batch& batch) const {
    Rows out;
    std::int64_t last = -1;
    const int side = shape_.context;
    const auto want = [&](std::int64_t s, std::uint64_t candidate) {
        ++out.ngrams;
        out.anchored += s != last;
        last = s;
        return slot(candidates_, candidate).load(std::memory_order_relaxed) >= support_;
    };
    each_row(batch, want, [&](std::int64_t s, const auto& row, std::uint64_t anchor) {
        if (slot(anchors_, anchor).load(std::memory_order_relaxed) < 2) return;
        const std::int64_t at = row.at, v = row.length;
        append_words(batch, at, at + side, out.contexts);
        out.contexts += '\t';
        append_words(batch, at + side + v, at + 2 * side + v, out.contexts);
        append_words(batch, at + side, at + side + v, out.candidates);
        if (shape_.anchors != Anchors::ngram) {
            const std::size_t parts = shape_.anchors == Anchors::entity ? 2 : 3;
            for (std::size_t p = 0; p < parts; ++p) {
                if (p) out.attached += '\t';
                append_words(batch, row.attachment.parts[p].first, row.attachment.parts[p].second, out.attached);
            }
        }
        out.context_ends.push_back(static_cast<std::int32_t>(out.contexts.size()));
        out.attached_ends.push_back(static_cast<std::int32_t>(out.attached.size()));
        out.candidate_ends.push_back(static_cast<std::int32_t>(out.candidates.size()));
        out.sentences.push_back(static_cast<std::int32_t>(s));
    });
    return out;
}

}  // namespace likewise::mine
