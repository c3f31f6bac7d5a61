// One join at work, of any mode: what join.cpp (above, best) and join_top.cpp (top) share.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "join.hpp"
#include "join_block.hpp"
#include "join_candidates.hpp"
#include "join_complete.hpp"
#include "join_found.hpp"
#include "join_index.hpp"
#include "spectra.hpp"

namespace likewise::join {

using Mode = Options::Mode;

// How many candidates ahead memory is asked for while they are completed: where a text begins, and the text.
inline constexpr std::size_t kSoon = 12, kNext = 6;

// One join: what all threads share.
class Join {
public:
    Join(const PairScorer& scorer, const DotScorer* bound, const Index& index, const Options& options)
        : scorer_(scorer),
          spectra_(bound ? nullptr : scorer.family().spectra),
          dot_(bound ? bound : scorer.family().dot),
          index_(index),
          options_(options),
          // Whether a self-join may score one direction only.
          symmetric_(options.self_join && options.symmetric.value_or(scorer.symmetric())),
          once_(options.self_join && options.mode != Mode::top),
          bounds_are_scores_(!bound && (spectra_ || dot_)),
          need_{index.family == Index::Family::product, spectra_ ? spectra_->coefficient : Coefficient{}},
          rows_(options.self_join ? static_cast<std::int64_t>(index.texts.size()) : scorer.left_size()),
          chunk_(rows_ >= kManyRows ? kLargeChunk : kChunk),
          top_count_(std::min(options.count, index.right_size)) {}

    Result run(Control& control);

private:
    // Left texts that are taken together: they go over the right side block by block, so that a block is read from
    // memory once for all of them. Few rows make smaller chunks, so that all threads have some.
    static constexpr std::int64_t kChunk = 128, kLargeChunk = 512, kManyRows = 65536;
    struct Chunk {
        std::int64_t first, end;  // rows
        std::int64_t size() const { return end - first; }
    };

    // A candidate for the list of a text.
    struct Offer {
        std::int32_t text;
        TopLists::Candidate candidate;
    };

    // A candidate whose score is known but for the correction for shared terms.
    struct Uncorrected {
        std::int32_t position;
        double base;
    };

    struct Worker {
        BlockSearch search;
        Completer completer;
        std::vector<Row> rows;                        // of the chunk
        std::vector<std::vector<std::int32_t>> open;  // by row: positions to be completed
        std::vector<Uncorrected> uncorrected;         // of the row that is being completed
        std::unique_ptr<TopLists> top;                // by row of the chunk
        BestPairs best;
        std::vector<Pair> found;  // of the chunk
        BlockNeeds needs;
        std::vector<float> shares, least;
        std::vector<Offer> offers, other_offers;            // to the texts of the chunk, to those of a block
        std::vector<std::pair<std::int32_t, Bounds>> near;  // long texts: candidates of a text with their scores
        std::int64_t scored = 0;

        explicit Worker(const Join& join)
            : search(join.index_, join.need_, join.options_.mode != Mode::top),
              completer(join.index_, join.spectra_, join.bounds_are_scores_ ? join.dot_ : nullptr),
              rows(join.chunk_),
              open(join.chunk_),
              best(join.options_.count) {}
    };

    // The left texts in the order they are worked on; in a self-join that of the positions.
    std::int64_t left_of(std::int64_t row) const { return options_.self_join ? index_.texts[row] : row; }
    std::int64_t first_of(std::int64_t row) const { return once_ && symmetric_ ? row + 1 : 0; }
    double floor_of(std::int64_t left) const { return options_.floors ? options_.floors[left] : 0; }
    std::int64_t blocks() const { return static_cast<std::int64_t>(index_.blocks.size()); }

    // The longer texts are, the larger is the index, and the more may lists of candidates have beside it: room for
    // three times the best, and three for each feature that a text has more than 16, within reason.
    std::int64_t top_room() const {
        std::size_t all = index_.with_terms ? index_.spectra_source->grams.size() : index_.rows.size();
        auto features = static_cast<std::int64_t>(all / std::max<std::size_t>(index_.texts.size(), 1));
        return std::min(3 * top_count_ + std::clamp<std::int64_t>(3 * (features - 16), 8, 200), index_.right_size);
    }

    float* shared_of(std::int64_t left) { return shared_.data() + spectra_->left.term_indptr[left]; }
    const float* shared_of(std::int64_t left) const {
        return shared_.empty() ? nullptr : shared_.data() + spectra_->left.term_indptr[left];
    }
    void load(Row& row, std::int64_t left) const {
        if (spectra_)
            row.load(index_, *spectra_, left, shared_of(left));
        else if (dot_)
            row.load(index_, *dot_, left);
    }
    // Rows of a self-join are texts in another order, each in a place of its own in memory.
    void expect_rows(std::int64_t after, std::int64_t end) const {
        if (!options_.self_join) return;
        auto soon = after + static_cast<std::int64_t>(kSoon), next = after + static_cast<std::int64_t>(kNext);
        if (soon < end) scorer_.expect_pair_soon(left_of(soon), left_of(soon));
        if (next < end) scorer_.expect_pair(left_of(next), left_of(next));
    }
    void load(Worker& worker, Chunk chunk) const {
        for (std::int64_t row = chunk.first; row < chunk.end; ++row) {
            expect_rows(row, chunk.end);
            load(worker.rows[row - chunk.first], left_of(row));
            worker.rows[row - chunk.first].order();
            worker.rows[row - chunk.first].rewind(index_);
        }
    }

    double score_of(double common, double left, double right) const {
        return spectra_ ? spectra_->coefficient(common, left, right) : common;
    }

    bool cannot_reach(double high, double left, double right, double least) const {
        return high < left + right && score_of(high, left, right) * (1 + 1e-9) < least;
    }

    // The scores of both bounds, with room for rounding.
    Bounds scores_of(const Bounds& common, double left, double right) const {
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

    // Long texts: the score of a candidate of the completer's text, but for rounding.
    Bounds near_score(Worker& worker, double size, std::int64_t position) const {
        ++worker.completer.candidates;
        return scores_of(worker.completer.around(position), size, index_.sizes[position]);
    }

    // What two texts have in common: the same expression as in SpectraScorer::common.
    double whole(Worker& worker, std::int64_t left, std::int64_t right, const Completer::Common& common) const {
        if (common.exact || common.base == 0) return common.base;
        ++worker.scored;
        return common.base + spectra_correction(spectra_->term_grams, spectra_->left, left, spectra_->right, right);
    }

    // Computes the score of a candidate of `left`, the completer's text, and hands the pair to take if it is to be
    // reported. Stops on the way where the score cannot reach `least`. What is still to be corrected goes to `later`,
    // where that is given, for correct().
    template <class Take>
    void complete(Worker& worker, std::int64_t left, std::int64_t position, double least, Take&& take,
                  std::vector<Uncorrected>* later = nullptr) const {
        std::int64_t right = index_.texts[position];
        if (options_.self_join && left == right) return;
        if (!bounds_are_scores_) {
            if (once_ && symmetric_ && right < left) std::swap(left, right);
            ++worker.scored;
            return report(worker, left, right, scorer_.score(left, right, std::max(least, options_.min_score)), take);
        }
        ++worker.completer.candidates;
        double size = spectra_ ? spectra_->left.cardinalities[left] : 0, other_size = index_.sizes[position];
        Completer::Common common;
        if (index_.with_terms) {
            if (cannot_reach(worker.completer.around(position).high, size, other_size, least)) return;
            common = {worker.completer.base(position), false, 0};
        } else {
            common = worker.completer.common(position);
            if (!common.exact && cannot_reach(common.high, size, other_size, least)) return;
            if (later && !common.exact && common.base != 0) {
                spectra_->expect_terms_soon(right);
                return later->push_back({static_cast<std::int32_t>(position), common.base});
            }
        }
        correct(worker, left, position, common, take);
    }

    // The rest of complete().
    template <class Take>
    void correct(Worker& worker, std::int64_t left, std::int64_t position, const Completer::Common& common,
                 Take&& take) const {
        std::int64_t right = index_.texts[position];
        double size = spectra_ ? spectra_->left.cardinalities[left] : 0;
        if (once_ && symmetric_ && right < left) std::swap(left, right);
        report(worker, left, right, score_of(whole(worker, left, right, common), size, index_.sizes[position]), take);
    }

    template <class Take>
    void report(Worker& worker, std::int64_t left, std::int64_t right, double score, Take&& take) const {
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
    void narrow(Worker& worker, std::int64_t left, Candidates&& open, const BestPairs& best) const;
    void complete_near(Worker& worker, std::int64_t left, BestPairs& best) const;
    template <class Candidates>
    void complete_best(Worker& worker, std::int64_t left, Candidates&& open, BestPairs& best,
                       std::vector<TopLists::Candidate>* kept = nullptr) const;
    void offer(Worker& worker, TopLists& top, std::int64_t text, const TopLists::Candidate& candidate,
               std::int64_t left) const;
    void top_home(Worker& worker, TopLists& top, std::int64_t text, Row& row, std::int64_t left, std::int64_t block,
                  std::mutex* guard) const;
    void top_rows(Worker& worker, Chunk chunk, const Control& control, std::vector<Pair>& out) const;
    void top_scored(Worker& worker, Chunk chunk, const Control& control, std::vector<Pair>& out) const;
    void top_halves(Worker& worker, Chunk chunk, const Control& control, TopLists& top) const;
    void hand_out(Worker& worker, TopLists& top, std::vector<Offer>& offers, bool tighten) const;
    void take_best(Worker& worker, TopLists& top, std::int64_t text, std::int64_t left, std::vector<Pair>& out) const;

    void raise(double score);
    template <class Body>
    void each_chunk(std::vector<Worker>& workers, Control& control, Body&& body) const;
    std::int64_t chunks() const { return (rows_ + chunk_ - 1) / chunk_; }
    Chunk chunk_of(std::int64_t number) const { return {number * chunk_, std::min(rows_, (number + 1) * chunk_)}; }
    bool halves() const;
    void run_top(std::vector<Worker>& workers, Control& control, Found& found);
    void run_above(std::vector<Worker>& workers, Control& control, Found& found);
    void run_best(std::vector<Worker>& workers, Control& control, Found& found);
    void collect_top(Found& found, std::vector<std::int64_t>& next, Result& result) const;
    void collect(Found& found, Result& result) const;

    const PairScorer& scorer_;
    const SpectraScorer* spectra_;
    const DotScorer* dot_;
    const Index& index_;
    const Options& options_;
    bool symmetric_, once_;
    bool bounds_are_scores_;  // nothing but rounding, and loose features, is between bound and score
    Need need_;
    std::int64_t rows_;
    std::int64_t chunk_;  // rows
    std::int64_t top_count_;
    HugeVector<float> shared_;      // long texts: what shared_terms() gives, by place of the term
    std::atomic<double> floor_{0};  // best: no pair below it can be among the best
    // Which texts' lists a thread may touch, while several work on both halves of top.
    static constexpr int kLockBits = 14;
    mutable std::vector<std::mutex> locks_;
};

template <class Body>
void Join::each_chunk(std::vector<Worker>& workers, Control& control, Body&& body) const {
    control.total -= chunks();  // they were counted at the start, so that what is done never seems to shrink
    parallel_blocks(chunks(), static_cast<int>(workers.size()), control,
                    [&](std::int64_t chunk, int number) { body(workers[number], chunk_of(chunk), chunk); });
}

}  // namespace likewise::join
