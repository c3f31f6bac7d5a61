#include "join_rarest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "huge.hpp"
#include "join_block.hpp"
#include "join_found.hpp"
#include "spectra.hpp"

namespace likewise::join {

namespace {

enum Side { left_side, right_side };

constexpr std::int64_t kLongest = 30000;  // features of a text, at most

// A text is a list of q-grams with *masses*: through some of them two texts have in common at most the sum of the
// masses that both have there.
//
// A q-gram that one term of each text has adds (v_A + v_B) / 2, or less. If several terms of one text have it, it adds
// at most v of the other and a third of that one's; if several terms of both have it, v_A + v_B at most. Half of v, and
// for several terms half of the largest v of any text on top, is enough for all of these.
struct Masses {
    const SpectraScorer& scorer;
    struct Gram {
        double half = 0;      // of the largest v of any text
        double single = 0;    // the same, of right texts in which one term has the q-gram
        double several = -1;  // the largest v / (1 + K) of those in which several have it, or -1
    };
    std::vector<Gram> grams;

    explicit Masses(const SpectraScorer& scorer) : scorer(scorer) {
        look(scorer.right, true);
        if (&scorer.left != &scorer.right) look(scorer.left, false);
    }
    void look(const SpectraTexts& texts, bool right) {
        for (std::int64_t i = 0; i < std::ssize(texts.grams); ++i) {
            auto number = static_cast<std::size_t>(texts.grams[i]);
            if (number >= grams.size()) grams.resize(std::max(number + 1, 2 * grams.size()));
            Gram& gram = grams[number];
            gram.half = std::max(gram.half, texts.values[i] / 2);
            if (!right) continue;
            if (texts.count(i) == 1)
                gram.single = std::max(gram.single, texts.values[i] / 2);
            else
                gram.several = std::max(gram.several, texts.values[i] / (1 + texts.count(i)));
        }
    }

    std::int64_t keys() const { return std::ssize(grams); }
    // The most that a q-gram of this mass adds, whatever right text it meets: any, or a plain one, each of whose
    // q-grams is in one term.
    double plain_reach(std::int32_t key, double mass) const { return mass + grams[key].single; }
    double reach(std::int32_t key, double mass) const {
        return std::max(plain_reach(key, mass), grams[key].several < 0 ? 0 : 2 * mass + grams[key].several);
    }
    bool plain(std::int64_t right) const {
        for (std::int64_t i = scorer.right.gram_indptr[right]; i < scorer.right.gram_indptr[right + 1]; ++i)
            if (scorer.right.count(i) > 1) return false;
        return true;
    }
    // Whether sums of the masses of a text can be told in 16 bits, and as floats.
    bool fit() const {
        constexpr double kSmallest = 1e-20, kLargest = 1e20;
        for (const SpectraTexts* side : {&scorer.left, &scorer.right})
            for (std::int64_t text = 0; text < side->size(); ++text) {
                double size = side->cardinalities[text];
                if (side->gram_indptr[text + 1] - side->gram_indptr[text] > kLongest || size > kLargest ||
                    (size > 0 && size < kSmallest))
                    return false;
            }
        return true;
    }
    const SpectraTexts& texts(Side side) const { return side == left_side ? scorer.left : scorer.right; }
    double size(Side side, std::int64_t text) const { return texts(side).cardinalities[text]; }
    template <class Visit>
    void each(Side side, std::int64_t text, Visit&& visit) const {
        const SpectraTexts& from = texts(side);
        for (std::int64_t i = from.gram_indptr[text]; i < from.gram_indptr[text + 1]; ++i) {
            double value = from.values[i];
            visit(from.grams[i], from.count(i) == 1 ? value / 2 : value / 2 + grams[from.grams[i]].half);
        }
    }
    double need(double score, double left, double right) const {
        return Need{false, scorer.coefficient}(score, left, right);
    }
};

// What a text has in features.
struct Has {
    double mass, reach, plain_reach;

    Has& operator+=(const Has& other) {
        mass += other.mass;
        reach += other.reach;
        plain_reach += other.plain_reach;
        return *this;
    }
};

// What a text has in those features that another may have, by 64 bits of the other: eight tables, one for each byte.
// The three sums and the number of features are in one number, 16 bits each; sums are rounded up.
class Masks {
public:
    void clear(const Has& whole) {
        for (auto& table : tables_) table.fill(0);
        mass_ = kFull / whole.mass;
        reach_ = kFull / whole.reach;
        mass_inverse_ = static_cast<float>(1 / mass_);
        reach_inverse_ = static_cast<float>(1 / reach_);
    }
    void add(int bit, const Has& feature) {
        auto& table = tables_[bit >> 3];
        auto units = [](double value) { return static_cast<std::uint64_t>(value + 1); };
        std::uint64_t more = units(feature.mass * mass_) | units(feature.reach * reach_) << 16 |
                             units(feature.plain_reach * reach_) << 32 | std::uint64_t{1} << 48;
        for (int step = 1 << (bit & 7), begin = step; begin < 256; begin += 2 * step)
            for (int value = begin; value < begin + step; ++value) table[value] += more;
    }
    std::uint64_t with(std::uint64_t bits) const {
        std::uint64_t sum = 0;
        for (auto& table : tables_) {
            sum += table[bits & 255];
            bits >>= 8;
        }
        return sum;
    }
    float mass(std::uint64_t sums) const { return static_cast<float>(sums & 65535) * mass_inverse_; }
    float reach(std::uint64_t sums, bool plain) const {
        return static_cast<float>(sums >> (plain ? 32 : 16) & 65535) * reach_inverse_;
    }
    static float count(std::uint64_t sums) { return static_cast<float>(sums >> 48); }

private:
    static constexpr double kFull = 65535 - kLongest;  // each feature is rounded up
    std::array<std::array<std::uint64_t, 256>, 8> tables_{};
    double mass_ = 1, reach_ = 1;
    float mass_inverse_ = 1, reach_inverse_ = 1;
};

class Rarest {
public:
    // Every `stride`-th text of both sides.
    Rarest(const Masses& masses, const Options& options, std::int64_t stride, const Control& control)
        : masses_(masses), options_(options), stride_(stride), control_(control) {
        count();
        classify(right_side, right_);
        if (!options.self_join) classify(left_side, left_);
        fill();
    }

    Result run(int threads, Control& control) const;

    // Whether some of the texts, so many, say that this is less work than to walk all lists.
    bool pays(std::int64_t rows) const;

private:
    static constexpr double kRounding = 1e-6;  // more than any rounding
    static constexpr std::int64_t kChunk = 128;

    // Texts of about the same size; they come one after the other.
    struct Class {
        std::int64_t end;  // position
        double smallest;   // size
        double mass;       // the largest
    };
    struct Texts {
        std::vector<std::int32_t> texts;  // by position
        std::vector<Class> classes;
    };
    struct Feature {
        std::int32_t rank;  // 0 is the rarest
        Has has;
    };
    struct Posting {
        std::int32_t position;
        float rest;          // mass of the text from this feature on, rounded up
        std::uint64_t bits;  // one is set for each feature of the text from this one on

        // The last eight bits of the mass, which do not matter to it, tell the heaviest of those features: its share of
        // the mass in parts of 256, rounded up, less one.
        Posting(std::int64_t position, double mass, double heaviest, std::uint64_t bits)
            : position(static_cast<std::int32_t>(position)), bits(bits) {
            auto share = static_cast<std::uint32_t>(std::clamp(std::ceil(256 * heaviest / mass), 1.0, 256.0)) - 1;
            rest = std::bit_cast<float>(((std::bit_cast<std::uint32_t>(round_up(mass)) + 255) & ~255u) | share);
        }
        Posting() = default;
        // What so many of the features have at most.
        float mass_of(float count) const {
            float heaviest = rest * static_cast<float>((std::bit_cast<std::uint32_t>(rest) & 255) + 1) * (1 / 256.0f);
            return std::min(rest, count * heaviest);
        }
    };
    struct Worker {
        std::vector<Feature> features;
        std::vector<double> needs;  // by class
        std::vector<std::int32_t> open;
        Masks masks;
        std::int64_t postings = 0, candidates = 0;
    };

    static constexpr std::uint64_t kNotPlain = std::uint64_t{1} << 63;
    static int bit_of(std::int32_t rank) { return rank % 63; }
    const Texts& lefts() const { return options_.self_join ? right_ : left_; }
    double need(double left, double right) const {
        return masses_.need(options_.min_score, left, right) * (1 - kRounding);
    }
    void count();
    void classify(Side side, Texts& out) const;
    void fill();
    void features_of(Side side, std::int64_t text, std::vector<Feature>& out) const;
    std::vector<double> least_rests() const;
    void walk(Worker& worker, std::int64_t position, std::int64_t own, const Has& rest, std::int32_t rank) const;
    void search(Worker& worker, std::int64_t row) const;
    void complete(Worker& worker, std::int64_t left, std::vector<Pair>& found) const;

    const Masses& masses_;
    const Options& options_;
    std::int64_t stride_;
    const Control& control_;
    std::vector<std::int32_t> ranks_;   // by key, or -1
    std::vector<std::int64_t> counts_;  // by rank: right texts
    Texts left_, right_;
    std::vector<std::int64_t> starts_;  // by rank
    HugeVector<Posting> lists_;         // by class; within one by rest, the largest first, from dense_ on
    // Features from this rank on have so many texts that it pays to know where the classes of their lists begin.
    std::int32_t dense_ = 0;
    std::vector<std::int64_t> runs_;  // (rank - dense_) * (classes + 1) + class
};

// Ranks by the texts that have a feature. One that a single text has joins nothing in a self-join.
void Rarest::count() {
    auto keys = static_cast<std::size_t>(masses_.keys());
    std::vector<std::int64_t> counts(keys, 0);
    std::int64_t texts = masses_.scorer.right_size();
    for (std::int64_t text = 0; text < texts; ++text) {
        if (masses_.size(right_side, text) > 0)
            masses_.each(right_side, text, [&](std::int32_t key, double mass) {
                if (mass > 0) ++counts[key];
            });
    }
    std::vector<std::int32_t> order;
    for (std::size_t key = 0; key < keys; ++key)
        if (counts[key] > (options_.self_join ? 1 : 0)) order.push_back(static_cast<std::int32_t>(key));
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return counts[a] < counts[b]; });
    ranks_.assign(keys, -1);
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        ranks_[order[rank]] = static_cast<std::int32_t>(rank);
        counts_.push_back(counts[order[rank]]);
    }
}

void Rarest::features_of(Side side, std::int64_t text, std::vector<Feature>& out) const {
    out.clear();
    masses_.each(side, text, [&](std::int32_t key, double mass) {
        if (ranks_[key] >= 0 && mass > 0)
            out.push_back({ranks_[key], {mass, masses_.reach(key, mass), masses_.plain_reach(key, mass)}});
    });
    std::sort(out.begin(), out.end(), [](const Feature& a, const Feature& b) { return a.rank < b.rank; });
}

// Texts by size, in classes whose sizes differ by a few parts in a hundred.
void Rarest::classify(Side side, Texts& out) const {
    constexpr double kSpread = 1.03;
    constexpr std::int64_t kClasses = 96;  // at most; few texts have fewer
    std::int64_t size = side == left_side ? masses_.scorer.left_size() : masses_.scorer.right_size();
    for (std::int64_t text = 0; text < size; text += stride_)
        if (masses_.size(side, text) > 0) out.texts.push_back(static_cast<std::int32_t>(text));
    std::stable_sort(out.texts.begin(), out.texts.end(),
                     [&](auto a, auto b) { return masses_.size(side, a) < masses_.size(side, b); });
    auto count = static_cast<std::int64_t>(out.texts.size()), fewest = std::max<std::int64_t>(count / kClasses, 16);
    for (std::int64_t position = 0; position < count; ++position) {
        double text_size = masses_.size(side, out.texts[position]), mass = 0;
        std::int64_t first = out.classes.size() < 2 ? 0 : out.classes[out.classes.size() - 2].end;
        if (out.classes.empty() || (position - first >= fewest && text_size > kSpread * out.classes.back().smallest))
            out.classes.push_back({position, text_size, 0});
        masses_.each(side, out.texts[position], [&](std::int32_t key, double more) {
            if (ranks_[key] >= 0) mass += more;
        });
        out.classes.back().end = position + 1;
        out.classes.back().mass = std::max(out.classes.back().mass, mass);
    }
}

// By class of the right side: what a text must have from a feature on for any left text to find it there.
std::vector<double> Rarest::least_rests() const {
    std::vector<double> out;
    for (const Class& right : right_.classes) {
        double least = std::numeric_limits<double>::infinity();
        for (const Class& left : lefts().classes) {
            if (options_.self_join && left.smallest > right.smallest) break;  // those come first
            least = std::min(least, need(left.smallest, right.smallest) - left.mass * (1 + kRounding));
        }
        out.push_back(least);
    }
    return out;
}

void Rarest::fill() {
    std::vector<double> least = least_rests();
    std::vector<Feature> features;
    auto each = [&](auto&& visit) {
        std::int64_t position = 0;
        for (std::size_t number = 0; number < right_.classes.size(); ++number)
            for (; position < right_.classes[number].end; ++position) {
                if (position % 4096 == 0 && control_.stop) throw Stopped();
                features_of(right_side, right_.texts[position], features);
                double rest = 0, heaviest = 0;
                std::uint64_t bits = masses_.plain(right_.texts[position]) ? 0 : kNotPlain;
                for (auto feature = features.rbegin(); feature != features.rend(); ++feature) {
                    rest += feature->has.mass;
                    heaviest = std::max(heaviest, feature->has.mass);
                    bits |= std::uint64_t{1} << bit_of(feature->rank);
                    if (rest >= least[number]) visit(feature->rank, Posting(position, rest, heaviest, bits));
                }
            }
    };
    starts_.assign(counts_.size() + 1, 0);
    each([&](std::int32_t rank, const Posting&) { ++starts_[rank + 1]; });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    lists_.resize(static_cast<std::size_t>(starts_.back()));
    std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
    each([&](std::int32_t rank, const Posting& posting) { lists_[next[rank]++] = posting; });
    auto classes = static_cast<std::int64_t>(right_.classes.size());
    dense_ = static_cast<std::int32_t>(std::lower_bound(counts_.begin(), counts_.end(), 4 * classes * stride_) -
                                       counts_.begin());
    for (auto rank = static_cast<std::size_t>(dense_); rank < counts_.size(); ++rank) {
        auto at = lists_.begin() + starts_[rank], end = lists_.begin() + starts_[rank + 1];
        for (const Class& one : right_.classes) {
            runs_.push_back(at - lists_.begin());
            auto first = at;
            while (at < end && at->position < one.end) ++at;
            std::sort(first, at, [](const Posting& a, const Posting& b) { return a.rest > b.rest; });
        }
        runs_.push_back(at - lists_.begin());
    }
}

// Texts for which this may be the rarest feature that they share with the text at work, which has `rest` from there on.
void Rarest::walk(Worker& worker, std::int64_t position, std::int64_t own, const Has& rest, std::int32_t rank) const {
    const auto& classes = right_.classes;
    auto look = [&](const Posting& posting, float need) {
        std::uint64_t sums = worker.masks.with(posting.bits);
        float possible = worker.masks.mass(sums), most = worker.masks.reach(sums, !(posting.bits & kNotPlain));
        if (possible + posting.mass_of(Masks::count(sums)) < need || most < need) return;
        if (posting.position > position) worker.open.push_back(posting.position);
    };
    if (rest.reach < worker.needs[own]) return;
    const Posting *at = lists_.data() + starts_[rank], *end = lists_.data() + starts_[rank + 1];
    if (rank < dense_) {
        worker.postings += end - at;
        for (auto number = static_cast<std::size_t>(own); at < end; ++at) {
            if (at->position <= position) continue;
            while (at->position >= classes[number].end) ++number;
            if (at->rest + rest.mass >= worker.needs[number]) look(*at, static_cast<float>(worker.needs[number]));
        }
        return;
    }
    const std::int64_t* runs = runs_.data() + (rank - dense_) * static_cast<std::int64_t>(classes.size() + 1);
    for (auto number = static_cast<std::size_t>(own); number < classes.size(); ++number) {
        double need = worker.needs[number];
        if (rest.reach < need) break;  // the larger a text, the more is needed
        auto least = static_cast<float>(need - rest.mass), whole = static_cast<float>(need);
        const Posting *first = lists_.data() + runs[number], *last = lists_.data() + runs[number + 1];
        const Posting* one = first;
        for (; one < last && one->rest >= least; ++one) look(*one, whole);
        worker.postings += one - first;
    }
}

void Rarest::search(Worker& worker, std::int64_t row) const {
    std::int64_t left = lefts().texts[row], position = options_.self_join ? row : -1, own = 0;
    auto& features = worker.features;
    worker.open.clear();
    features_of(left_side, left, features);
    if (features.empty()) return;
    double size = masses_.size(left_side, left);
    Has whole{}, rest{};
    for (const Feature& feature : features) whole += feature.has;
    worker.needs.clear();
    for (const Class& one : right_.classes) {
        if (position >= one.end) ++own;
        worker.needs.push_back(need(size, one.smallest));
    }
    if (own == std::ssize(right_.classes)) return;
    worker.masks.clear(whole);
    for (auto feature = features.rbegin(); feature != features.rend(); ++feature) {
        rest += feature->has;
        worker.masks.add(bit_of(feature->rank), feature->has);
        walk(worker, position, own, rest, feature->rank);
    }
    std::sort(worker.open.begin(), worker.open.end());
    worker.open.erase(std::unique(worker.open.begin(), worker.open.end()), worker.open.end());
    worker.candidates += static_cast<std::int64_t>(worker.open.size());
}

void Rarest::complete(Worker& worker, std::int64_t left, std::vector<Pair>& found) const {
    constexpr std::size_t kSoon = 12, kNext = 6;  // as in the other joins
    const auto& open = worker.open;
    // Candidates are few: the first ones are fetched together before any is scored.
    auto soon = [&](std::size_t i) {
        if (i < open.size()) masses_.scorer.expect_pair_soon(left, right_.texts[open[i]]);
    };
    auto next = [&](std::size_t i) {
        if (i < open.size()) masses_.scorer.expect_pair(left, right_.texts[open[i]]);
    };
    for (std::size_t i = 0; i < kSoon; ++i) soon(i);
    for (std::size_t i = 0; i < kNext; ++i) next(i);
    for (std::size_t i = 0; i < open.size(); ++i) {
        soon(i + kSoon);
        next(i + kNext);
        std::int64_t a = left, b = right_.texts[open[i]];
        if (options_.self_join && b < a) std::swap(a, b);
        double score = masses_.scorer.score(a, b, options_.min_score);
        if (score >= options_.min_score)
            found.push_back({score, static_cast<std::int32_t>(a), static_cast<std::int32_t>(b)});
    }
}

Result Rarest::run(int threads, Control& control) const {
    auto rows = static_cast<std::int64_t>(lefts().texts.size()), chunks = (rows + kChunk - 1) / kChunk;
    std::vector<Worker> workers(static_cast<std::size_t>(thread_count(threads)));
    Found found(static_cast<std::size_t>(chunks));
    parallel_blocks(chunks, threads, control, [&](std::int64_t chunk, int number) {
        for (std::int64_t row = chunk * kChunk; row < std::min(rows, (chunk + 1) * kChunk); ++row) {
            search(workers[number], row);
            complete(workers[number], lefts().texts[row], found[chunk]);
        }
    });
    Result result;
    for (const Worker& worker : workers) {
        result.stats.postings += worker.postings;
        result.stats.candidates += worker.candidates;
        result.stats.scored += worker.candidates;
    }
    put_columns(sorted_by_left(found, masses_.scorer.left_size()), result);
    return result;
}

bool Rarest::pays(std::int64_t rows) const {
    // What they cost, where a posting costs one in a join that adds all of them up block by block.
    constexpr std::int64_t kPosting = 3, kCandidate = 150;
    Worker worker;
    auto size = static_cast<std::int64_t>(lefts().texts.size());
    std::int64_t others = 0;
    for (std::int64_t row = 0; row < size; row += std::max<std::int64_t>(1, size / rows)) {
        search(worker, row);
        for (const Feature& feature : worker.features)
            others += counts_[feature.rank] / stride_ / (options_.self_join ? 2 : 1);
    }
    return kPosting * worker.postings + kCandidate * worker.candidates < others;
}

}  // namespace

std::optional<Result> join_rarest(const PairScorer& scorer, const Options& options, Control& control) {
    constexpr std::int64_t kSample = 8192, kRows = 512;
    const SpectraScorer* spectra = scorer.family().spectra;
    if (!spectra || (options.self_join && !options.symmetric.value_or(scorer.symmetric()))) return std::nullopt;
    Masses masses(*spectra);
    if (!masses.fit()) return std::nullopt;
    std::int64_t stride = std::max<std::int64_t>(1, std::max(scorer.left_size(), scorer.right_size()) / kSample);
    if (!options.rarest && !Rarest(masses, options, stride, control).pays(kRows)) return std::nullopt;
    return Rarest(masses, options, 1, control).run(options.threads, control);
}

}  // namespace likewise::join
