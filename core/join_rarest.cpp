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
#include "join_found.hpp"
#include "join_mass.hpp"
#include "join_sketch.hpp"
#include "portable.hpp"

namespace likewise::join {

namespace {

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
    };
    // Texts of nearly the same size, and the most that one of them has.
    struct Band {
        double smallest;
        Has most;
    };
    struct Texts {
        std::vector<std::int32_t> texts;  // by position
        std::vector<Class> classes;
        std::vector<Band> bands;
    };
    struct Posting {
        std::int32_t position;
        float rest;  // mass of the text from this feature on, rounded up
        Bits bits;   // of the features of the text from this one on

        // The last eight bits of the mass, which do not matter to it, tell the heaviest of those features: its share of
        // the mass in parts of 256, rounded up, less one.
        Posting(std::int64_t position, double mass, double heaviest, const Bits& bits)
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
    // Postings of one list, the largest rest first, to be looked at as long as they have so much.
    struct Stretch {
        const Posting *first, *last;
        float mass, need;  // what the text at work has from there on, and what both need
        std::int32_t rank;
    };
    struct Worker {
        std::vector<Feature> features;
        std::vector<double> needs;  // by class
        std::vector<Stretch> stretches;
        std::vector<std::int32_t> open;
        Masks masks;
        SketchTable table;
        std::int64_t postings = 0, candidates = 0, scored = 0;
    };
    // The postings of a list that are of one class.
    struct Run {
        float most;           // the largest rest among them
        std::uint32_t first;  // from the start of the list
    };

    const Texts& lefts() const { return options_.self_join ? right_ : left_; }
    double need(double left, double right) const {
        return masses_.need(options_.min_score, left, right) * (1 - kRounding);
    }
    void count();
    void classify(Side side, Texts& out) const;
    void fill();
    void sort_lists();
    void features_of(Side side, std::int64_t text, std::vector<Feature>& out) const;
    std::vector<double> least_rests() const;
    std::int64_t run_of(std::int32_t rank) const { return (rank - dense_) * (std::ssize(right_.classes) + 1); }
    void plan(Worker& worker, std::int64_t own, const Has& rest, std::int32_t rank) const;
    void walk(Worker& worker, const Stretch& stretch, std::int64_t position) const;
    void search(Worker& worker, std::int64_t row) const;
    void sift(Worker& worker) const;
    void complete(Worker& worker, std::int64_t left, std::vector<Pair>& found) const;

    const Masses& masses_;
    const Options& options_;
    std::int64_t stride_;
    const Control& control_;
    std::vector<std::int32_t> ranks_;   // by key, or -1
    std::vector<std::int64_t> counts_;  // by rank: right texts
    Texts left_, right_;
    std::vector<std::int64_t> starts_;  // by rank
    HugeVector<Posting> lists_;
    // Features from this rank on have so many texts that their lists are by class.
    std::int32_t dense_ = 0;
    HugeVector<Run> runs_;  // (rank - dense_) * (classes + 1) + class
    Sketches sketches_;     // by position
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
        if (ranks_[key] >= 0 && mass > 0) out.push_back({ranks_[key], masses_.has(key, mass)});
    });
    std::sort(out.begin(), out.end(), [](const Feature& a, const Feature& b) { return a.rank < b.rank; });
}

// Texts by size, in classes whose sizes differ by a few parts in a hundred.
void Rarest::classify(Side side, Texts& out) const {
    constexpr double kSpread = 1.03, kNarrow = 1.01;
    constexpr std::int64_t kClasses = 96;  // at most; few texts have fewer
    std::int64_t size = side == left_side ? masses_.scorer.left_size() : masses_.scorer.right_size();
    for (std::int64_t text = 0; text < size; text += stride_)
        if (masses_.size(side, text) > 0) out.texts.push_back(static_cast<std::int32_t>(text));
    std::stable_sort(out.texts.begin(), out.texts.end(),
                     [&](auto a, auto b) { return masses_.size(side, a) < masses_.size(side, b); });
    auto count = static_cast<std::int64_t>(out.texts.size()), fewest = std::max<std::int64_t>(count / kClasses, 16);
    for (std::int64_t position = 0; position < count; ++position) {
        double text_size = masses_.size(side, out.texts[position]);
        std::int64_t first = out.classes.size() < 2 ? 0 : out.classes[out.classes.size() - 2].end;
        if (out.classes.empty() || (position - first >= fewest && text_size > kSpread * out.classes.back().smallest))
            out.classes.push_back({position, text_size});
        out.classes.back().end = position + 1;
        if (out.bands.empty() || text_size > kNarrow * out.bands.back().smallest) out.bands.push_back({text_size, {}});
        Has whole{};
        masses_.each(side, out.texts[position], [&](std::int32_t key, double mass) {
            if (ranks_[key] >= 0) whole += masses_.has(key, mass);
        });
        out.bands.back().most.raise(whole);
    }
}

// By class of the right side: what a text must have from a feature on for any left text to find it there.
std::vector<double> Rarest::least_rests() const {
    std::vector<double> out;
    for (const Class& right : right_.classes) {
        double least = std::numeric_limits<double>::infinity();
        double largest = masses_.size(right_side, right_.texts[right.end - 1]);
        for (const Band& left : lefts().bands) {
            if (options_.self_join && left.smallest > largest) break;  // the smaller text looks for the larger
            double wanted = need(left.smallest, right.smallest);
            if (left.most.reach * (1 + kRounding) >= wanted)
                least = std::min(least, wanted - left.most.mass * (1 + kRounding));
        }
        out.push_back(least);
    }
    return out;
}

void Rarest::fill() {
    std::vector<double> least = least_rests();
    std::vector<Feature> features;
    auto each = [&](auto&& text, auto&& visit) {
        std::int64_t position = 0;
        for (std::size_t number = 0; number < right_.classes.size(); ++number)
            for (; position < right_.classes[number].end; ++position) {
                if (position % 4096 == 0 && control_.stop) throw Stopped();
                features_of(right_side, right_.texts[position], features);
                text();
                double rest = 0, heaviest = 0;
                Bits bits(number, masses_.plain(right_.texts[position]));
                for (auto feature = features.rbegin(); feature != features.rend(); ++feature) {
                    rest += feature->has.mass;
                    heaviest = std::max(heaviest, feature->has.mass);
                    bits.set(feature->rank);
                    if (rest >= least[number]) visit(feature->rank, Posting(position, rest, heaviest, bits));
                }
            }
    };
    starts_.assign(counts_.size() + 1, 0);
    std::size_t size = 0;
    each([&] { size += features.size(); }, [&](std::int32_t rank, const Posting&) { ++starts_[rank + 1]; });
    std::partial_sum(starts_.begin(), starts_.end(), starts_.begin());
    lists_.resize(static_cast<std::size_t>(starts_.back()));
    std::vector<std::int64_t> next(starts_.begin(), starts_.end() - 1);
    sketches_.reserve(right_.texts.size(), size);
    each([&] { sketches_.add(features); },
         [&](std::int32_t rank, const Posting& posting) { lists_[next[rank]++] = posting; });
    sort_lists();
}

// Lists by rest, the largest first; long ones by class before.
void Rarest::sort_lists() {
    auto by_rest = [](const Posting& a, const Posting& b) { return a.rest > b.rest; };
    std::int64_t longest = 4 * std::ssize(right_.classes) * stride_;
    dense_ = static_cast<std::int32_t>(std::lower_bound(counts_.begin(), counts_.end(), longest) - counts_.begin());
    runs_.reserve(static_cast<std::size_t>(run_of(static_cast<std::int32_t>(counts_.size()))));
    for (std::int32_t rank = 0; rank < std::ssize(counts_); ++rank) {
        auto start = lists_.begin() + starts_[rank], at = start, end = lists_.begin() + starts_[rank + 1];
        if (rank < dense_) {
            std::sort(start, end, by_rest);
            continue;
        }
        auto add_run = [&](float most) { runs_.push_back({most, static_cast<std::uint32_t>(at - start)}); };
        for (const Class& one : right_.classes) {
            auto last = std::partition_point(at, end, [&](const Posting& it) { return it.position < one.end; });
            std::sort(at, last, by_rest);
            add_run(at < last ? at->rest : 0);
            at = last;
        }
        add_run(0);
    }
}

// The stretches of a feature's list that are worth a look: texts for which it may be the rarest feature that they share
// with the text at work, which has `rest` from there on.
void Rarest::plan(Worker& worker, std::int64_t own, const Has& rest, std::int32_t rank) const {
    const Posting* list = lists_.data() + starts_[rank];
    auto add = [&](const Posting* first, const Posting* last, double need) {
        for (std::int64_t i = 0; i < 12; i += 4)
            prefetch(first, i);  // hardly any is longer, or memory follows by itself
        worker.stretches.push_back({first, last, round_up(rest.mass), static_cast<float>(need), rank});
    };
    if (rest.reach < worker.needs[own]) return;
    if (rank < dense_) return add(list, lists_.data() + starts_[rank + 1], worker.needs[own]);
    const Run* runs = runs_.data() + run_of(rank);
    for (auto number = static_cast<std::size_t>(own); number < worker.needs.size(); ++number) {
        double need = worker.needs[number];
        if (rest.reach < need) break;  // the larger a text, the more is needed
        if (runs[number].most >= static_cast<float>(need - rest.mass))
            add(list + runs[number].first, list + runs[number + 1].first, need);
    }
}

// Texts of a stretch that may have enough in common with the text at work, as far as their bits tell.
void Rarest::walk(Worker& worker, const Stretch& stretch, std::int64_t position) const {
    bool mixed = stretch.rank < dense_;  // a short list has texts of all classes
    const Posting* one = stretch.first;
    for (; one < stretch.last && one->rest + stretch.mass >= stretch.need; ++one) {
        float need = mixed ? static_cast<float>(worker.needs[one->bits.number()]) : stretch.need;
        if (one->rest + stretch.mass < need || one->position <= position) continue;
        std::uint64_t sums = worker.masks.with(one->bits);
        if (worker.masks.mass(sums) + one->mass_of(Masks::count(sums)) >= need &&
            worker.masks.reach(sums, one->bits.plain()) >= need)
            worker.open.push_back(one->position);
    }
    worker.postings += one - stretch.first;
}

void Rarest::search(Worker& worker, std::int64_t row) const {
    std::int64_t left = lefts().texts[row], position = options_.self_join ? row : -1, own = 0;
    auto& features = worker.features;
    worker.open.clear();
    features_of(left_side, left, features);
    if (features.empty()) return;
    double size = masses_.size(left_side, left);
    Has whole{}, rest{};
    for (const Feature& feature : features) {
        prefetch(starts_.data(), feature.rank);
        if (feature.rank >= dense_) prefetch(runs_.data(), run_of(feature.rank));
        whole += feature.has;
    }
    worker.needs.clear();
    for (const Class& one : right_.classes) {
        if (position >= one.end) ++own;
        worker.needs.push_back(need(size, one.smallest));
    }
    if (own == std::ssize(right_.classes)) return;
    worker.stretches.clear();
    for (auto feature = features.rbegin(); feature != features.rend(); ++feature)
        plan(worker, own, rest += feature->has, feature->rank);
    if (worker.stretches.empty()) return;
    worker.masks.clear(whole);
    auto stretch = worker.stretches.begin();
    for (auto feature = features.rbegin(); feature != features.rend(); ++feature) {
        worker.masks.add(feature->rank, feature->has);
        for (; stretch < worker.stretches.end() && stretch->rank == feature->rank; ++stretch)
            walk(worker, *stretch, position);
    }
    std::sort(worker.open.begin(), worker.open.end());
    worker.open.erase(std::unique(worker.open.begin(), worker.open.end()), worker.open.end());
    worker.candidates += std::ssize(worker.open);
    sift(worker);
    worker.scored += std::ssize(worker.open);
}

// Keeps those that can reach the score by what their sketches say.
void Rarest::sift(Worker& worker) const {
    constexpr std::size_t kSoon = 16, kNext = 8;
    auto& open = worker.open;
    auto soon = [&](std::size_t i) {
        if (i < open.size()) sketches_.expect_soon(open[i]);
    };
    auto next = [&](std::size_t i) {
        if (i < open.size()) sketches_.expect(open[i]);
    };
    for (std::size_t i = 0; i < kSoon; ++i) soon(i);
    for (std::size_t i = 0; i < kNext; ++i) next(i);
    worker.table.put(worker.features);
    std::size_t kept = 0, number = 0;
    for (std::size_t i = 0; i < open.size(); ++i) {
        soon(i + kSoon);
        next(i + kNext);
        while (open[i] >= right_.classes[number].end) ++number;
        open[kept] = open[i];
        kept += worker.table.common(sketches_[open[i]]) >= worker.needs[number];
    }
    open.resize(kept);
    worker.table.take_out(worker.features);
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
        result.stats.scored += worker.scored;
    }
    put_sorted(found, masses_.scorer.left_size(), result);
    return result;
}

bool Rarest::pays(std::int64_t rows) const {
    // What they cost, where a posting costs one in a join that adds all of them up block by block, longer lists as
    // columns, which cost as much as so small a part of the block.
    constexpr std::int64_t kPosting = 3, kCandidate = 220, kColumn = 32;
    std::int64_t longest = masses_.scorer.right_size() / kColumn, others = 0;
    Worker worker;
    auto size = static_cast<std::int64_t>(lefts().texts.size());
    for (std::int64_t row = 0; row < size; row += std::max<std::int64_t>(1, size / rows)) {
        search(worker, row);
        for (const Feature& feature : worker.features)
            others += std::min(counts_[feature.rank], longest) / stride_ / (options_.self_join ? 2 : 1);
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
