#include "join.hpp"

#include <algorithm>
#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "join_block.hpp"
#include "join_complete.hpp"
#include "join_index.hpp"
#include "join_top.hpp"
#include "spectra.hpp"

namespace likewise {

namespace {

using Mode = JoinOptions::Mode;

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
        : scorer_(scorer),
          spectra_(bound ? nullptr : dynamic_cast<const SpectraScorer*>(&scorer)),
          dot_(dot_of(scorer, bound)),
          index_(index),
          options_(options),
          symmetric_(is_symmetric(scorer, options)),
          once_(options.self_join && options.mode != Mode::top),
          bounds_are_scores_(!bound && (spectra_ || dot_)),
          need_{index.family == JoinIndex::Family::product, spectra_ ? spectra_->coefficient : Coefficient{}},
          rows_(options.self_join ? static_cast<std::int64_t>(index.texts.size()) : scorer.left_size()),
          top_count_(std::min(options.count, index.right_size)) {}

    JoinResult run(Control& control);

private:
    // Left texts that are taken together: they go over the right side block by block, so that a block is read from
    // memory once for all of them.
    static constexpr std::int64_t chunk_size = 128;
    struct Chunk {
        std::int64_t first, end;  // rows
        std::int64_t size() const { return end - first; }
    };

    // A candidate for the list of a text.
    struct Offer {
        std::int32_t text;
        TopLists::Candidate candidate;
    };

    struct Worker {
        BlockSearch search;
        Completer completer;
        std::vector<JoinRow> rows;                    // of the chunk
        std::vector<std::vector<std::int32_t>> open;  // by row: positions to be completed
        std::unique_ptr<TopLists> top;                // by row of the chunk
        Best best;
        BlockNeeds needs;
        std::vector<float> shares, least;
        std::vector<Offer> offers, other_offers;  // to the texts of the chunk, to those of a block
        std::int64_t scored = 0;

        explicit Worker(const Join& join)
            : search(join.index_, join.need_, join.options_.mode != Mode::top),
              completer(join.index_, join.spectra_, join.bounds_are_scores_ ? join.dot_ : nullptr),
              rows(chunk_size),
              open(chunk_size),
              best{join.options_.count, {}} {}
    };

    // The left texts in the order they are worked on; in a self-join that of the positions.
    std::int64_t left_of(std::int64_t row) const { return options_.self_join ? index_.texts[row] : row; }
    std::int64_t first_of(std::int64_t row) const { return once_ && symmetric_ ? row + 1 : 0; }
    std::int64_t blocks() const { return static_cast<std::int64_t>(index_.blocks.size()); }

    // The longer texts are, the larger is the index, and the more may lists of candidates have beside it.
    std::int64_t top_room() const {
        auto features = static_cast<std::int64_t>(index_.rows.size() / std::max<std::size_t>(index_.texts.size(), 1));
        return std::min(3 * top_count_ + std::clamp<std::int64_t>(3 * (features - 16), 8, 200), index_.right_size);
    }

    void load(JoinRow& row, std::int64_t left) const {
        if (spectra_)
            row.load(index_, *spectra_, left);
        else if (dot_)
            row.load(index_, *dot_, left);
    }
    void load(Worker& worker, Chunk chunk) const {
        for (std::int64_t row = chunk.first; row < chunk.end; ++row) {
            load(worker.rows[row - chunk.first], left_of(row));
            worker.rows[row - chunk.first].order();
            worker.rows[row - chunk.first].rewind(index_);
        }
    }

    double score_of(double common, double left, double right) const {
        return spectra_ ? spectra_->coefficient(common, left, right) : common;
    }

    // The scores of both bounds, with room for rounding.
    JoinBounds scores_of(const JoinBounds& common, double left, double right) const {
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

    // Computes the score of a candidate of `left`, the completer's text, and hands the pair to take if it is to be
    // reported. Stops on the way where the score cannot reach `least`.
    template <class Take>
    void complete(Worker& worker, std::int64_t left, std::int64_t position, double least, Take&& take) const {
        std::int64_t right = index_.texts[position];
        if (options_.self_join && left == right) return;
        double size = spectra_ ? spectra_->left.cardinalities[left] : 0;
        double other_size = bounds_are_scores_ ? index_.sizes[position] : 0;
        if (once_ && symmetric_ && right < left) std::swap(left, right);
        double score;
        if (bounds_are_scores_) {
            auto common = worker.completer.common(position);
            double sum = common.base;
            if (!common.exact && sum != 0) {
                if (common.high < size + other_size && score_of(common.high, size, other_size) * (1 + 1e-9) < least)
                    return;
                ++worker.scored;
                // The same expression as in SpectraScorer::common.
                sum += spectra_correction(spectra_->term_grams, spectra_->left, left, spectra_->right, right);
            }
            score = score_of(sum, size, other_size);
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

    template <class Threshold, class Take>
    void complete_open(Worker& worker, std::int64_t row, std::int64_t place, Threshold&& threshold, Take&& take) const;
    template <class Threshold, class Take>
    void walk(Worker& worker, Chunk chunk, const Control& control, Threshold&& threshold, Take&& take) const;
    void seed(Worker& worker, Chunk chunk, const std::function<void(const Pair&)>& take) const;

    template <class Candidates>
    void complete_best(Worker& worker, std::int64_t left, Candidates&& open, Best& best) const;
    void offer(Worker& worker, TopLists& top, std::int64_t text, const TopLists::Candidate& candidate,
               std::int64_t left) const;
    void top_home(Worker& worker, TopLists& top, std::int64_t text, JoinRow& row, std::int64_t left,
                  std::int64_t block) const;
    void top_rows(Worker& worker, Chunk chunk, const Control& control, std::vector<Pair>& out) const;
    void top_scored(Worker& worker, Chunk chunk, const Control& control, std::vector<Pair>& out) const;
    void top_halves(Worker& worker, Chunk chunk, const Control& control, TopLists& top) const;
    void hand_out(Worker& worker, TopLists& top, std::vector<Offer>& offers) const;
    void take_best(Worker& worker, TopLists& top, std::int64_t text, std::int64_t left, std::vector<Pair>& out) const;

    void raise(double score);
    void collect(std::vector<std::vector<Pair>>& found, JoinResult& result) const;

    const PairScorer& scorer_;
    const SpectraScorer* spectra_;
    const DotScorer* dot_;
    const JoinIndex& index_;
    const JoinOptions& options_;
    bool symmetric_, once_;
    bool bounds_are_scores_;  // nothing but rounding, and loose features, is between bound and score
    JoinNeed need_;
    std::int64_t rows_;
    std::int64_t top_count_;
    std::atomic<double> floor_{0};  // best: no pair below it can be among the best
    // Which texts' lists a thread may touch, while several work on both halves of top.
    static constexpr int lock_bits = 14;
    mutable std::vector<std::mutex> locks_;
};

// above and best: what was found of a row is completed at a time, while its features are at hand.
template <class Threshold, class Take>
void Join::complete_open(Worker& worker, std::int64_t row, std::int64_t place, Threshold&& threshold,
                         Take&& take) const {
    auto& open = worker.open[place];
    if (open.empty()) return;
    std::int64_t left = left_of(row);
    worker.completer.begin(left);
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (bounds_are_scores_) {
            if (i + 12 < open.size()) worker.completer.expect_soon(open[i + 12]);
            if (i + 5 < open.size()) worker.completer.expect(open[i + 5]);
        }
        complete(worker, left, open[i], threshold(), take);
    }
    worker.completer.end();
    open.clear();
}

// Hands every pair of the chunk that reaches threshold(), which take may raise, to take.
template <class Threshold, class Take>
void Join::walk(Worker& worker, Chunk chunk, const Control& control, Threshold&& threshold, Take&& take) const {
    constexpr std::size_t many = 4096;
    constexpr std::int64_t some = 8;  // rows after which the search learns what they have cost
    load(worker, chunk);
    if (index_.family == JoinIndex::Family::any) {
        for (std::int64_t row = chunk.first; row < chunk.end; ++row) {
            if (control.stop) throw Stopped();
            for (auto position = first_of(row); position < index_.right_size; ++position)
                complete(worker, left_of(row), position, 0, take);
        }
        return;
    }
    for (auto block = std::max<std::int64_t>(index_.block_of(first_of(chunk.first)), 0); block < blocks(); ++block) {
        if (control.stop) throw Stopped();
        std::int64_t postings = worker.search.postings, hits = 0;
        for (std::int64_t row = chunk.first; row < chunk.end; ++row) {
            std::int64_t place = row - chunk.first, first = first_of(row);
            if (index_.blocks[block].end <= first) continue;
            auto& open = worker.open[place];
            worker.search.search(worker.rows[place], block, threshold(), nullptr,
                                 [&](std::int64_t position, const JoinBounds&) {
                                     if (position < first) return;
                                     open.push_back(static_cast<std::int32_t>(position));
                                     ++hits;
                                 });
            if (open.size() >= many) complete_open(worker, row, place, threshold, take);
            if (place % some == some - 1) {
                worker.search.adapt(worker.search.postings - postings, hits, worker.rows[place].entries.size());
                postings = worker.search.postings, hits = 0;
            }
        }
    }
    for (std::int64_t row = chunk.first; row < chunk.end; ++row)
        complete_open(worker, row, row - chunk.first, threshold, take);
}

// A few promising partners of each text, to learn a score below which nothing matters.
void Join::seed(Worker& worker, Chunk chunk, const std::function<void(const Pair&)>& take) const {
    if (index_.family == JoinIndex::Family::any) return;
    for (std::int64_t row = chunk.first; row < chunk.end; ++row) {
        JoinRow& features = worker.rows[0];
        std::int64_t left = left_of(row);
        load(features, left);
        features.order();
        worker.completer.begin(left);
        for (std::int32_t position : worker.completer.seeds(features, first_of(row), 4))
            complete(worker, left, position, 0, take);
        worker.completer.end();
    }
}

// Adds the scores of a text's candidates to the best, as far as they can be among them.
template <class Candidates>
void Join::complete_best(Worker& worker, std::int64_t left, Candidates&& open, Best& best) const {
    std::sort(open.begin(), open.end(),
              [](auto& a, auto& b) { return a.high != b.high ? a.high > b.high : a.position < b.position; });
    if (bounds_are_scores_)
        for (std::size_t i = 0; i < std::min<std::size_t>(open.size(), 6); ++i)
            worker.completer.expect(open[i].position);
    worker.completer.begin(left);
    for (std::size_t i = 0; i < open.size() && open[i].at_most() >= best.worst(); ++i) {
        if (bounds_are_scores_) {
            if (i + 12 < open.size()) worker.completer.expect_soon(open[i + 12].position);
            if (i + 6 < open.size()) worker.completer.expect(open[i + 6].position);
        }
        complete(worker, left, open[i].position, best.worst(), [&](const Pair& pair) { best.add(pair); });
    }
    worker.completer.end();
}

// Adds a candidate. Where there is no room for it, the best are found out and kept.
void Join::offer(Worker& worker, TopLists& top, std::int64_t text, const TopLists::Candidate& candidate,
                 std::int64_t left) const {
    top.add(text, candidate, [&](std::int64_t full) {
        Best best{top_count_, {}};
        complete_best(worker, left, top.open(full), best);
        std::vector<TopLists::Candidate> kept;
        for (const Pair& pair : best.pairs) kept.emplace_back(index_.positions[pair.right], pair.score, pair.score);
        top.keep(full, kept);
    });
}

void Join::take_best(Worker& worker, TopLists& top, std::int64_t text, std::int64_t left,
                     std::vector<Pair>& out) const {
    Best best{top_count_, {}};
    best.pairs.swap(worker.best.pairs);
    best.pairs.clear();
    top.tighten(text);
    complete_best(worker, left, top.open(text), best);
    std::sort(best.pairs.begin(), best.pairs.end());
    out.insert(out.end(), best.pairs.begin(), best.pairs.end());
    worker.best.pairs.swap(best.pairs);
}

// The first block of a text, where it learns what scores there are: with a good threshold most work is never begun.
void Join::top_home(Worker& worker, TopLists& top, std::int64_t text, JoinRow& row, std::int64_t left,
                    std::int64_t block) const {
    auto& found = worker.offers;
    auto find = [&](std::int64_t position, double low, double high) { found.push_back({0, {position, low, high}}); };
    Best best{top_count_, {}};
    auto rate = [&](std::int64_t position) {
        complete(worker, left, position, 0, [&](const Pair& pair) {
            best.add(pair);
            find(position, pair.score, pair.score);
        });
        return TopLists::down(best.worst());
    };
    auto visit = [&](std::int64_t position, const JoinBounds& common) {
        if (options_.self_join && index_.texts[position] == left) return;
        auto score = scores_of(common, row.size, index_.sizes[position]);
        find(position, score.low, score.high);
    };
    worker.completer.begin(left);
    worker.search.search_first(row, block, options_.min_score, top_count_, rate, visit);
    worker.completer.end();
    for (const Offer& given : found) offer(worker, top, text, given.candidate, left);
    found.clear();
    top.tighten(text);
}

// Every row by itself.
void Join::top_rows(Worker& worker, Chunk chunk, const Control& control, std::vector<Pair>& out) const {
    if (!blocks()) return;
    load(worker, chunk);
    if (!worker.top) worker.top = std::make_unique<TopLists>(chunk_size, top_count_, top_room(), options_.min_score);
    TopLists& top = *worker.top;
    for (std::int64_t place = 0; place < chunk.size(); ++place) {
        JoinRow& row = worker.rows[place];
        top.restart(place);
        top_home(worker, top, place, row, left_of(chunk.first + place), worker.search.likely_block(row));
        row.rewind(index_);
    }
    for (std::int64_t block = 0; block < blocks(); ++block) {
        if (control.stop) throw Stopped();
        for (std::int64_t place = 0; place < chunk.size(); ++place) {
            JoinRow& row = worker.rows[place];
            std::int64_t left = left_of(chunk.first + place);
            if (block == worker.search.likely_block(row)) continue;
            auto visit = [&](std::int64_t position, const JoinBounds& common) {
                if (options_.self_join && index_.texts[position] == left) return;
                auto score = scores_of(common, row.size, index_.sizes[position]);
                offer(worker, top, place, {position, score.low, score.high}, left);
            };
            worker.search.search(row, block, top.least()[place], nullptr, visit);
        }
    }
    for (std::int64_t place = 0; place < chunk.size(); ++place)
        take_best(worker, top, place, left_of(chunk.first + place), out);
}

// The same where bounds are far from scores, or where there are none: candidates are scored block by block, the most
// promising first, to have a threshold for the next.
void Join::top_scored(Worker& worker, Chunk chunk, const Control& control, std::vector<Pair>& out) const {
    load(worker, chunk);
    std::vector<TopLists::Candidate> open;
    for (std::int64_t row = chunk.first; row < chunk.end; ++row) {
        if (control.stop) throw Stopped();
        Best best{top_count_, {}};
        std::int64_t left = left_of(row);
        if (index_.family == JoinIndex::Family::any)
            for (std::int64_t position = 0; position < index_.right_size; ++position)
                complete(worker, left, position, 0, [&](const Pair& pair) { best.add(pair); });
        for (std::int64_t block = 0; block < blocks(); ++block) {
            open.clear();
            auto visit = [&](std::int64_t position, const JoinBounds& common) {
                open.emplace_back(position, 0, common.high);
            };
            double least = std::max(options_.min_score, best.worst());
            worker.search.search(worker.rows[row - chunk.first], block, least, nullptr, visit);
            complete_best(worker, left, open, best);
        }
        std::sort(best.pairs.begin(), best.pairs.end());
        out.insert(out.end(), best.pairs.begin(), best.pairs.end());
    }
}

// Rows against the blocks after their own: a pair that is found counts for both of its texts.
void Join::top_halves(Worker& worker, Chunk chunk, const Control& control, TopLists& top) const {
    load(worker, chunk);
    double smallest = std::numeric_limits<double>::infinity(), norm = 0;
    for (std::int64_t place = 0; place < chunk.size(); ++place) {
        smallest = std::min(smallest, worker.rows[place].size);
        norm = std::max(norm, worker.rows[place].size);
    }
    std::vector<float> own(chunk.size());
    auto &shares = worker.shares, &least = worker.least;
    auto copy = [&](std::int64_t first, std::int64_t end, float* out) {
        for (std::int64_t from = first, to; from < end; from = to) {
            to = std::min(end, ((from >> lock_bits) + 1) << lock_bits);
            std::lock_guard lock(locks_[from >> lock_bits]);
            std::copy(top.least() + from, top.least() + to, out + (from - first));
        }
    };
    for (std::int64_t block = index_.block_of(chunk.first) + 1; block < blocks(); ++block) {
        if (control.stop) throw Stopped();
        const auto& info = index_.blocks[block];
        least.resize(info.end - info.first);
        shares.resize(least.size());
        copy(chunk.first, chunk.end, own.data());
        copy(info.first, info.end, least.data());
        std::transform(least.begin(), least.end(), shares.begin(), [&](float score) { return need_.share(score); });
        worker.search.set_needs(block, shares.data(), smallest, norm, worker.needs);
        for (std::int64_t place = 0; place < chunk.size() && chunk.first + place < info.first; ++place) {
            JoinRow& row = worker.rows[place];
            auto text = static_cast<std::int32_t>(chunk.first + place);
            auto visit = [&](std::int64_t position, const JoinBounds& common) {
                auto score = scores_of(common, row.size, index_.sizes[position]);
                TopLists::Candidate here(position, score.low, score.high), there = here;
                there.position = text;
                if (here.at_most() >= own[place]) worker.offers.push_back({text, here});
                if (here.at_most() >= least[position - info.first])
                    worker.other_offers.push_back({here.position, there});
            };
            worker.search.search(row, block, own[place], &worker.needs, visit);
        }
        hand_out(worker, top, worker.offers);
        hand_out(worker, top, worker.other_offers);
    }
}

void Join::hand_out(Worker& worker, TopLists& top, std::vector<Offer>& offers) const {
    std::unique_lock<std::mutex> lock;
    for (std::size_t i = 0; i < offers.size(); ++i) {
        if (i + 16 < offers.size()) top.expect(offers[i + 16].text);
        std::int32_t text = offers[i].text;
        auto& needed = locks_[text >> lock_bits];
        if (lock.mutex() != &needed) {
            if (lock) lock.unlock();
            lock = std::unique_lock(needed);
        }
        offer(worker, top, text, offers[i].candidate, index_.texts[text]);
    }
    offers.clear();
}

void Join::raise(double score) {
    double seen = floor_.load(std::memory_order_relaxed);
    while (seen < score && !floor_.compare_exchange_weak(seen, score, std::memory_order_relaxed)) {
    }
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
    std::int64_t chunks = (rows_ + chunk_size - 1) / chunk_size;
    auto most = static_cast<int>(std::clamp<std::int64_t>(chunks, 1, std::numeric_limits<int>::max()));
    int threads = std::min(thread_count(options_.threads), most);
    std::vector<Worker> workers;
    for (int i = 0; i < threads; ++i) workers.emplace_back(*this);
    std::vector<std::vector<Pair>> found(options_.mode == Mode::best ? 1 : chunks);
    // The lists of all texts are as large as a full result: no more than that for a k with which little can be pruned.
    constexpr std::int64_t most_halved = 100;
    bool halves =
        options_.mode == Mode::top && symmetric_ && bounds_are_scores_ && blocks() > 1 && top_count_ <= most_halved;
    std::int64_t passes = halves ? 3 : options_.mode == Mode::best ? 2 : 1;
    control.total += passes * chunks;  // from the start, so that what is done never seems to shrink
    auto each_chunk = [&](auto&& body) {
        control.total -= chunks;
        parallel_blocks(chunks, threads, control, [&](std::int64_t chunk, int number) {
            body(workers[number], Chunk{chunk * chunk_size, std::min(rows_, (chunk + 1) * chunk_size)}, chunk);
        });
    };
    if (options_.mode == Mode::top && top_count_ > 0) {
        if (halves) {
            TopLists top(rows_, top_count_, top_room(), options_.min_score);
            locks_ = std::vector<std::mutex>((rows_ >> lock_bits) + 1);
            each_chunk([&](Worker& worker, Chunk chunk, std::int64_t) {
                load(worker, chunk);
                for (std::int64_t row = chunk.first; row < chunk.end; ++row)
                    top_home(worker, top, row, worker.rows[row - chunk.first], left_of(row), index_.block_of(row));
            });
            each_chunk([&](Worker& worker, Chunk chunk, std::int64_t) { top_halves(worker, chunk, control, top); });
            each_chunk([&](Worker& worker, Chunk chunk, std::int64_t number) {
                for (std::int64_t row = chunk.first; row < chunk.end; ++row)
                    take_best(worker, top, row, left_of(row), found[number]);
            });
        } else {
            each_chunk([&](Worker& worker, Chunk chunk, std::int64_t number) {
                if (bounds_are_scores_)
                    top_rows(worker, chunk, control, found[number]);
                else
                    top_scored(worker, chunk, control, found[number]);
            });
        }
    } else if (options_.mode == Mode::above) {
        each_chunk([&](Worker& worker, Chunk chunk, std::int64_t number) {
            walk(
                worker, chunk, control, [&] { return options_.min_score; },
                [&](const Pair& pair) { found[number].push_back(pair); });
        });
    } else if (options_.mode == Mode::best) {
        auto merge = [&] {
            Best all{options_.count, {}};
            for (auto& worker : workers) {
                for (auto& pair : worker.best.pairs) all.add(pair);
                worker.best.pairs.clear();
            }
            return all;
        };
        auto take_for = [&](Worker& worker) {
            return [&](const Pair& pair) {
                worker.best.add(pair);
                if (worker.best.full()) raise(worker.best.worst());
            };
        };
        each_chunk([&](Worker& worker, Chunk chunk, std::int64_t) { seed(worker, chunk, take_for(worker)); });
        raise(merge().worst());
        each_chunk([&](Worker& worker, Chunk chunk, std::int64_t) {
            auto threshold = [&] { return std::max(options_.min_score, floor_.load(std::memory_order_relaxed)); };
            walk(worker, chunk, control, threshold, take_for(worker));
        });
        found[0] = merge().pairs;
    }
    JoinResult result;
    for (auto& worker : workers) {
        result.stats.postings += worker.search.postings + worker.completer.postings;
        result.stats.candidates += worker.completer.candidates;
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
