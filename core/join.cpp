#include "join.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <stdexcept>
#include <tuple>

#include "join_index.hpp"
#include "join_row.hpp"
#include "spectra.hpp"

namespace likewise {

namespace {

using Mode = JoinOptions::Mode;

struct Pair {
    double score;
    std::int32_t left, right;

    // The order of every list of pairs: better first, then by ids.
    bool operator<(const Pair& other) const {
        if (score != other.score) return score > other.score;
        if (left != other.left) return left < other.left;
        return right < other.right;
    }
};

// The n best pairs seen so far, as a heap whose worst is on top.
struct Best {
    std::int64_t count = 0;
    std::vector<Pair> pairs;

    bool full() const { return static_cast<std::int64_t>(pairs.size()) >= count; }
    double worst() const { return full() && count ? pairs.front().score : 0; }
    void add(const Pair& pair) {
        if (!full()) {
            pairs.push_back(pair);
            std::push_heap(pairs.begin(), pairs.end());
        } else if (pair < pairs.front()) {
            std::pop_heap(pairs.begin(), pairs.end());
            pairs.back() = pair;
            std::push_heap(pairs.begin(), pairs.end());
        }
    }
};

const DotScorer* dot_of(const PairScorer& scorer, const DotScorer* bound) {
    return bound ? bound : dynamic_cast<const DotScorer*>(&scorer);
}

bool same(const Rows& a, const Rows& b) {
    return std::ranges::equal(a.indptr, b.indptr) && std::ranges::equal(a.ids, b.ids) &&
           std::ranges::equal(a.weights, b.weights);
}

// Whether a self-join may score one direction only. The kernels of both families give the same bits for (a, b) and
// (b, a) as long as both sides have the same weights.
bool is_symmetric(const PairScorer& scorer, const JoinOptions& options) {
    if (!options.self_join) return false;
    if (options.symmetric) return *options.symmetric;
    if (auto* spectra = dynamic_cast<const SpectraScorer*>(&scorer))
        return &spectra->left == &spectra->right && spectra->coefficient.kind != Coefficient::Kind::coverage;
    auto* dot = dynamic_cast<const DotScorer*>(&scorer);
    return dot && same(dot->left, dot->right);
}

// One join: what all threads share.
class Join {
public:
    Join(const PairScorer& scorer, const DotScorer* bound, const JoinIndex& index, const JoinOptions& options)
        : scorer_(scorer), spectra_(bound ? nullptr : dynamic_cast<const SpectraScorer*>(&scorer)),
          dot_(dot_of(scorer, bound)), index_(index), options_(options), symmetric_(is_symmetric(scorer, options)),
          once_(options.self_join && options.mode != Mode::top),
          bounds_are_scores_(!bound && (spectra_ || dot_)) {}

    JoinResult run(Control& control);

private:
    static constexpr std::int64_t chunk_size = 128;

    // A right text whose score is between the two.
    struct Candidate {
        std::int32_t position;
        double low, high;
    };

    struct Worker {
        RowSearch search;
        JoinRow row;
        Best best;
        std::vector<double> lows;
        std::vector<Candidate> open;
        std::int64_t scored = 0;
    };

    // The left texts in the order they are worked on; in a self-join that of the positions.
    std::int64_t row_count() const {
        return options_.self_join ? static_cast<std::int64_t>(index_.texts.size()) : scorer_.left_size();
    }
    std::int64_t left_of(std::int64_t row) const { return options_.self_join ? index_.texts[row] : row; }
    std::int64_t first_of(std::int64_t row) const { return once_ && symmetric_ ? row + 1 : 0; }

    void load(Worker& worker, std::int64_t left) const {
        if (spectra_) worker.row.load(index_, *spectra_, left);
        else if (dot_) worker.row.load(index_, *dot_, left);
        worker.search.begin(worker.row);
    }

    double score_of(double common, double left, double right) const {
        return spectra_ ? spectra_->coefficient(common, left, right) : common;
    }

    // The scores of both ends of a range, with room for rounding.
    std::pair<double, double> scores_of(const RowSearch::Range& common, double left, double right) const {
        double inverse = 1;
        if (spectra_) {
            if (spectra_->coefficient.kind == Coefficient::Kind::jaccard) {
                // A bound may be more than two texts can have in common.
                double high = common.high < left + right ? common.high / (left + right - common.high)
                                                         : std::numeric_limits<double>::infinity();
                return {common.low / (left + right - common.low) * (1 - 1e-12), high * (1 + 1e-12)};
            }
            inverse = 1 / spectra_->coefficient.denominator(0, left, right);
        }
        return {common.low * inverse * (1 - 1e-12), common.high * inverse * (1 + 1e-12)};
    }

    // Hands the pair to take if it is to be reported.
    template <class Take>
    void consider(Worker& worker, std::int64_t left, std::int64_t position, const RowSearch::Range& common,
                  Take&& take) const {
        std::int64_t right = index_.texts[position];
        if (options_.self_join && left == right) return;
        if (once_ && symmetric_ && right < left) std::swap(left, right);
        double score;
        if (bounds_are_scores_ && common.completed) {
            double sum = common.base;
            // The same expression as in SpectraScorer::common.
            if (!common.exact && sum != 0) {
                ++worker.scored;
                sum += spectra_correction(spectra_->term_grams, spectra_->left, left, spectra_->right, right);
            }
            score = score_of(sum, worker.row.size, index_.sizes[position]);
        } else {
            ++worker.scored;
            score = scorer_.score(left, right);
        }
        if (!(score > 0) || score < options_.min_score) return;
        if (once_ && !symmetric_) {
            ++worker.scored;
            double other = scorer_.score(right, left);
            if (other > score || (other == score && right < left)) return;
        }
        take(Pair{score, static_cast<std::int32_t>(left), static_cast<std::int32_t>(right)});
    }

    // The same for a range that may come from an accumulator: completes it first, and stops if it cannot reach `least`.
    template <class Take>
    void complete(Worker& worker, std::int64_t left, std::int64_t position, RowSearch::Range common, double least,
                  Take&& take) const {
        if (bounds_are_scores_ && !common.completed) {
            common = worker.search.common(position);
            if (!common.exact && !reaches(common.high, worker.row.size, position, least)) return;
        }
        consider(worker, left, position, common, take);
    }
    bool reaches(double common, double size, std::int64_t position, double least) const {
        double other = index_.sizes[position];
        return common >= size + other || score_of(common, size, other) * (1 + 1e-9) >= least;
    }

    void top_row(Worker& worker, std::int64_t row, std::vector<Pair>& out) const;
    void above_row(Worker& worker, std::int64_t row, std::vector<Pair>& out) const;
    void best_row(Worker& worker, std::int64_t row, bool seeding);
    void raise(double score);
    void collect(std::vector<std::vector<Pair>>& found, JoinResult& result) const;

    const PairScorer& scorer_;
    const SpectraScorer* spectra_;
    const DotScorer* dot_;
    const JoinIndex& index_;
    const JoinOptions& options_;
    bool symmetric_, once_;
    bool bounds_are_scores_;  // nothing but rounding, and loose features, is between bound and score
    std::atomic<double> floor_{0};  // best: no pair below it can be among the best
};

// Bounds on both sides of a score come with a candidate, so exact scores can wait until the row is done: the k best lower
// bounds give the threshold, and only what can still be among the best is scored in the end.
void Join::top_row(Worker& worker, std::int64_t row, std::vector<Pair>& out) const {
    std::int64_t left = left_of(row);
    load(worker, left);
    auto count = std::min<std::int64_t>(options_.count, index_.right_size);
    if (!count) return;
    auto& lows = worker.lows;  // the best lower bounds, the least on top
    auto& open = worker.open;
    lows.clear();
    open.clear();
    double floor = options_.min_score;
    auto threshold = [&] {
        return static_cast<std::int64_t>(lows.size()) < count ? floor : std::max(floor, lows.front());
    };
    auto note = [&](double low) {
        if (low <= 0) return;
        if (static_cast<std::int64_t>(lows.size()) == count) {
            if (low <= lows.front()) return;
            std::pop_heap(lows.begin(), lows.end(), std::greater<>());
            lows.pop_back();
        }
        lows.push_back(low);
        std::push_heap(lows.begin(), lows.end(), std::greater<>());
    };
    auto visit = [&](std::int64_t position, RowSearch::Range common) {
        if (options_.self_join && index_.texts[position] == left) return;
        Candidate candidate{static_cast<std::int32_t>(position), 0, 0};
        if (!bounds_are_scores_ || common.exact) {
            complete(worker, left, position, common, threshold(), [&](const Pair& pair) { candidate.low = pair.score; });
            candidate.high = candidate.low;
            if (candidate.low == 0) return;
        } else {
            std::tie(candidate.low, candidate.high) = scores_of(common, worker.row.size, index_.sizes[position]);
        }
        if (candidate.high < threshold()) return;
        note(candidate.low);
        open.push_back(candidate);
    };
    // With a good threshold from the start, most of the work is never begun.
    std::int64_t block = worker.search.likely_block();
    if (block >= 0 && bounds_are_scores_) {
        worker.search.glance(block, count, [&](std::int64_t position, RowSearch::Range common) {
            if (!options_.self_join || index_.texts[position] != left)
                note(score_of(common.low, worker.row.size, index_.sizes[position]) * (1 - 1e-12));
        });
        floor = threshold();
        lows.clear();
    }
    worker.search.walk(0, threshold, visit);
    Best best{count, {}};
    best.pairs.swap(worker.best.pairs);
    best.pairs.clear();
    double least = threshold();
    std::erase_if(open, [&](const Candidate& candidate) { return candidate.high < least; });
    std::sort(open.begin(), open.end(), [](auto& a, auto& b) {
        return a.low != b.low ? a.low > b.low : a.position < b.position;
    });
    for (const Candidate& candidate : open)
        if (candidate.low != candidate.high) worker.search.expect(candidate.position);
    for (const Candidate& candidate : open) {
        least = std::max(least, best.worst());
        if (candidate.high < least) continue;
        if (candidate.low == candidate.high)
            best.add({candidate.low, static_cast<std::int32_t>(left), index_.texts[candidate.position]});
        else
            complete(worker, left, candidate.position, {0, 0, 0, false, false}, least, [&](const Pair& pair) { best.add(pair); });
    }
    worker.search.end();
    std::sort(best.pairs.begin(), best.pairs.end());
    out.insert(out.end(), best.pairs.begin(), best.pairs.end());
    worker.best.pairs.swap(best.pairs);
}

void Join::above_row(Worker& worker, std::int64_t row, std::vector<Pair>& out) const {
    std::int64_t left = left_of(row);
    load(worker, left);
    auto take = [&](const Pair& pair) { out.push_back(pair); };
    worker.search.walk(first_of(row), [&] { return options_.min_score; },
                       [&](std::int64_t position, RowSearch::Range common) {
                           complete(worker, left, position, common, options_.min_score, take);
                       });
    worker.search.end();
}

void Join::raise(double score) {
    double seen = floor_.load(std::memory_order_relaxed);
    while (seen < score && !floor_.compare_exchange_weak(seen, score, std::memory_order_relaxed)) {
    }
}

// The first round looks at a few promising partners of each text only, to learn a score below which nothing matters.
void Join::best_row(Worker& worker, std::int64_t row, bool seeding) {
    std::int64_t left = left_of(row);
    load(worker, left);
    auto take = [&](const Pair& pair) {
        worker.best.add(pair);
        if (worker.best.full()) raise(worker.best.worst());
    };
    if (seeding) {
        for (std::int32_t position : worker.search.seeds(first_of(row), 4))
            complete(worker, left, position, {0, 0, 0, false, false}, 0, take);
    } else {
        auto threshold = [&] { return std::max(options_.min_score, floor_.load(std::memory_order_relaxed)); };
        worker.search.walk(first_of(row), threshold,
                           [&](std::int64_t position, RowSearch::Range common) {
                           complete(worker, left, position, common, threshold(), take);
                       });
    }
    worker.search.end();
}

// Columns from the lists of the chunks, which are freed on the way.
void Join::collect(std::vector<std::vector<Pair>>& found, JoinResult& result) const {
    std::vector<std::int64_t> starts(scorer_.left_size() + 1, 0);
    for (auto& pairs : found)
        for (auto& pair : pairs) ++starts[pair.left + 1];
    for (std::size_t i = 1; i < starts.size(); ++i) starts[i] += starts[i - 1];
    auto size = static_cast<std::size_t>(starts.back());
    std::vector<std::int64_t> at(starts);
    std::vector<Pair> sorted;
    if (options_.mode == Mode::top) {
        // The pairs of a row are together and in order.
        result.left.resize(size), result.right.resize(size), result.score.resize(size);
        for (auto& pairs : found) {
            for (auto& pair : pairs) {
                std::int64_t place = at[pair.left]++;
                result.left[place] = pair.left, result.right[place] = pair.right, result.score[place] = pair.score;
            }
            std::vector<Pair>().swap(pairs);
        }
        return;
    }
    sorted.resize(size);
    for (auto& pairs : found) {
        for (auto& pair : pairs) sorted[at[pair.left]++] = pair;
        std::vector<Pair>().swap(pairs);
    }
    for (std::size_t i = 0; i + 1 < starts.size(); ++i)
        std::sort(sorted.begin() + starts[i], sorted.begin() + starts[i + 1]);
    if (options_.mode == Mode::best) std::sort(sorted.begin(), sorted.end());
    result.left.reserve(size), result.right.reserve(size), result.score.reserve(size);
    for (auto& pair : sorted) {
        result.left.push_back(pair.left);
        result.right.push_back(pair.right);
        result.score.push_back(pair.score);
    }
}

JoinResult Join::run(Control& control) {
    std::int64_t rows = row_count(), chunks = (rows + chunk_size - 1) / chunk_size;
    auto threads = static_cast<int>(std::min<std::int64_t>(thread_count(options_.threads), std::max<std::int64_t>(chunks, 1)));
    JoinNeed need{index_.family == JoinIndex::Family::product, spectra_ ? spectra_->coefficient : Coefficient{}};
    std::vector<Worker> workers;
    for (int i = 0; i < threads; ++i) workers.push_back({RowSearch(index_, need), {}, {options_.count, {}}, {}, {}, 0});
    std::vector<std::vector<Pair>> found(options_.mode == Mode::best ? 1 : chunks);
    auto each_row = [&](auto&& body) {
        parallel_blocks(chunks, threads, control, [&](std::int64_t chunk, int number) {
            workers[number].search.reset(options_.mode != Mode::top);
            std::int64_t end = std::min(rows, (chunk + 1) * chunk_size);
            for (std::int64_t row = chunk * chunk_size; row < end; ++row) {
                if (control.stop) throw Stopped();
                body(workers[number], row, chunk);
            }
        });
    };
    if (options_.mode == Mode::top) {
        each_row([&](Worker& worker, std::int64_t row, std::int64_t chunk) { top_row(worker, row, found[chunk]); });
    } else if (options_.mode == Mode::above) {
        each_row([&](Worker& worker, std::int64_t row, std::int64_t chunk) { above_row(worker, row, found[chunk]); });
    } else {
        auto merge = [&] {
            Best all{options_.count, {}};
            for (auto& worker : workers) {
                for (auto& pair : worker.best.pairs) all.add(pair);
                worker.best.pairs.clear();
            }
            return all;
        };
        each_row([&](Worker& worker, std::int64_t row, std::int64_t) { best_row(worker, row, true); });
        raise(merge().worst());
        each_row([&](Worker& worker, std::int64_t row, std::int64_t) { best_row(worker, row, false); });
        found[0] = merge().pairs;
    }
    JoinResult result;
    for (auto& worker : workers) {
        result.stats.postings += worker.search.postings;
        result.stats.candidates += worker.search.candidates;
        result.stats.scored += worker.scored;
    }
    workers.clear();
    collect(found, result);
    return result;
}

}  // namespace

std::shared_ptr<const JoinIndex> join_index(const PairScorer& scorer, const DotScorer* bound) {
    auto* spectra = bound ? nullptr : dynamic_cast<const SpectraScorer*>(&scorer);
    if (spectra) return std::make_shared<const JoinIndex>(*spectra);
    auto* dot = dot_of(scorer, bound);
    if (dot) return std::make_shared<const JoinIndex>(*dot);
    return std::make_shared<const JoinIndex>(scorer.right_size());
}

JoinResult join(const PairScorer& scorer, const DotScorer* bound, const JoinIndex* index, const JoinOptions& options,
                Control& control) {
    std::shared_ptr<const JoinIndex> made;
    if (!index) index = (made = join_index(scorer, bound)).get();
    if (index->right_size != scorer.right_size()) throw std::invalid_argument("the index is of another right side");
    if (scorer.left_size() > std::numeric_limits<std::int32_t>::max())
        throw std::length_error("more than 2 G texts on one side");
    return Join(scorer, bound, *index, options).run(control);
}

}  // namespace likewise
