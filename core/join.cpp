#include "join.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <utility>

#include "join_codes.hpp"
#include "join_found.hpp"
#include "join_rarest.hpp"
#include "join_sums.hpp"
#include "join_work.hpp"

namespace likewise::join {

// above and best: what was found of a row is completed at a time, while its features are at hand.
template <class Threshold, class Take>
void Join::complete_open(Worker& worker, std::int64_t row, std::int64_t place, Threshold&& threshold,
                         Take&& take) const {
    auto& open = worker.open[place];
    if (open.empty()) return;
    std::int64_t left = left_of(row);
    worker.completer.begin(left);
    // What is fetched ahead goes on with the candidates of the next row.
    std::span<const std::int32_t> next;
    if (place + 1 < chunk_) next = worker.open[place + 1];
    auto ahead = [&](std::size_t i, auto&& expect) {
        if (i < open.size())
            expect(open[i]);
        else if (i - open.size() < next.size())
            expect(next[i - open.size()]);
    };
    for (std::size_t i = 0; i < open.size(); ++i) {
        if (bounds_are_scores_) {
            ahead(i + kSoon, [&](std::int32_t position) { worker.completer.expect_soon(position); });
            ahead(i + kNext, [&](std::int32_t position) { worker.completer.expect(position); });
        }
        complete(worker, left, open[i], threshold(), take, &worker.uncorrected);
    }
    // A correction reads places of memory that most candidates need not be asked for.
    auto& uncorrected = worker.uncorrected;
    auto right_of = [&](std::size_t i) { return index_.texts[uncorrected[i].position]; };
    for (std::size_t i = 0; i < uncorrected.size(); ++i) {
        if (i + kSoon < uncorrected.size()) spectra_->expect_terms(right_of(i + kSoon));
        if (i + kNext < uncorrected.size()) spectra_->expect_repeated(right_of(i + kNext));
        correct(worker, left, uncorrected[i].position, {uncorrected[i].base, false, 0}, take);
    }
    uncorrected.clear();
    worker.completer.end();
    open.clear();
}

// Hands every pair of the chunk that reaches threshold(), which take may raise, to take.
template <class Threshold, class Take>
void Join::walk(Worker& worker, Chunk chunk, const Control& control, Threshold&& threshold, Take&& take) const {
    constexpr std::size_t kMany = 4096;
    constexpr std::int64_t kSome = 8;  // rows after which the search learns what they have cost
    load(worker, chunk);
    if (index_.family == Index::Family::any) {
        for (std::int64_t row = chunk.first; row < chunk.end; ++row) {
            if (control.stop) throw Stopped();
            for (auto position = first_of(row); position < index_.right_size; ++position)
                complete(worker, left_of(row), position, threshold(), take);
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
                                 [&](std::int64_t position, const Bounds&) {
                                     if (position < first) return;
                                     open.push_back(static_cast<std::int32_t>(position));
                                     ++hits;
                                 });
            if (open.size() >= kMany) complete_open(worker, row, place, threshold, take);
            if (place % kSome == kSome - 1) {
                worker.search.adapt(worker.search.postings - postings, hits, worker.rows[place].entries.size());
                postings = worker.search.postings;
                hits = 0;
            }
        }
    }
    for (std::int64_t row = chunk.first; row < chunk.end; ++row)
        complete_open(worker, row, row - chunk.first, threshold, take);
}

// A few promising partners of each text, to learn a score below which nothing matters.
void Join::seed(Worker& worker, Chunk chunk, const std::function<void(const Pair&)>& take) const {
    if (index_.family == Index::Family::any) return;
    for (std::int64_t row = chunk.first; row < chunk.end; ++row) {
        Row& features = worker.rows[0];
        std::int64_t left = left_of(row);
        load(features, left);
        features.order();
        worker.completer.begin(left);
        for (std::int32_t position : worker.completer.seeds(features, first_of(row), 4))
            complete(worker, left, position, 0, take);
        worker.completer.end();
    }
}

void Join::raise(double score) {
    double seen = floor_.load(std::memory_order_relaxed);
    while (seen < score && !floor_.compare_exchange_weak(seen, score, std::memory_order_relaxed)) {
    }
}

void Join::run_above(std::vector<Worker>& workers, Control& control, Found& found) {
    each_chunk(workers, control, [&](Worker& worker, Chunk chunk, std::int64_t number) {
        auto threshold = [&] { return options_.min_score; };
        walk(worker, chunk, control, threshold, [&](const Pair& pair) { worker.found.push_back(pair); });
        found[number] = worker.found;  // and no room for more
        worker.found.clear();
    });
}

void Join::run_best(std::vector<Worker>& workers, Control& control, Found& found) {
    auto merge = [&] {
        BestPairs all(options_.count);
        for (auto& worker : workers) {
            for (auto& pair : worker.best.items()) all.add(pair);
            worker.best.items().clear();
        }
        return all;
    };
    auto take_for = [&](Worker& worker) {
        return [&](const Pair& pair) {
            worker.best.add(pair);
            raise(least_of(worker.best));
        };
    };
    each_chunk(workers, control,
               [&](Worker& worker, Chunk chunk, std::int64_t) { seed(worker, chunk, take_for(worker)); });
    raise(least_of(merge()));
    each_chunk(workers, control, [&](Worker& worker, Chunk chunk, std::int64_t) {
        auto threshold = [&] { return std::max(options_.min_score, floor_.load(std::memory_order_relaxed)); };
        walk(worker, chunk, control, threshold, take_for(worker));
    });
    found[0] = std::move(merge().items());
}

// The pairs of a row are together and in order.
void Join::collect_top(Found& found, std::vector<std::int64_t>& next, Result& result) const {
    auto size = static_cast<std::size_t>(next.back());
    result.left.resize(size);
    result.right.resize(size);
    result.score.resize(size);
    for (auto& pairs : found) {
        for (auto& pair : pairs) {
            std::int64_t place = next[pair.left]++;
            result.left[place] = pair.left;
            result.right[place] = pair.right;
            result.score[place] = pair.score;
        }
        std::vector<Pair>().swap(pairs);
    }
}

// Columns from the lists of the chunks, which are freed on the way.
void Join::collect(Found& found, Result& result) const {
    if (options_.mode == Mode::top) {
        std::vector<std::int64_t> next(scorer_.left_size() + 1, 0);
        for (auto& pairs : found)
            for (auto& pair : pairs) ++next[pair.left + 1];
        std::partial_sum(next.begin(), next.end(), next.begin());
        return collect_top(found, next, result);
    }
    if (options_.mode == Mode::above) return put_sorted(found, scorer_.left_size(), result);
    std::sort(found[0].begin(), found[0].end());
    put_columns(found[0], result);
}

Result Join::run(Control& control) {
    auto most = static_cast<int>(std::clamp<std::int64_t>(chunks(), 1, std::numeric_limits<int>::max()));
    int threads = std::min(thread_count(options_.threads), most);
    if (index_.with_terms) shared_.resize(spectra_->left.terms.size());
    std::vector<Worker> workers;
    workers.reserve(static_cast<std::size_t>(threads));
    for (int i = 0; i < threads; ++i) workers.emplace_back(*this);
    Found found(options_.mode == Mode::best ? 1 : chunks());
    control.total += chunks() * ((halves() || options_.mode == Mode::best ? 2 : 1) + (index_.with_terms ? 1 : 0));
    if (index_.with_terms)
        each_chunk(workers, control, [&](Worker&, Chunk chunk, std::int64_t) {
            for (std::int64_t row = chunk.first; row < chunk.end; ++row)
                shared_terms(index_, *spectra_, left_of(row), shared_of(left_of(row)));
        });
    switch (options_.mode) {
        case Mode::top:
            run_top(workers, control, found);
            break;
        case Mode::above:
            run_above(workers, control, found);
            break;
        case Mode::best:
            run_best(workers, control, found);
            break;
    }
    Result result;
    for (auto& worker : workers) {
        result.stats.postings += worker.search.postings + worker.completer.postings;
        result.stats.candidates += worker.completer.candidates;
        result.stats.scored += worker.scored;
    }
    workers.clear();
    collect(found, result);
    return result;
}

Result join(const PairScorer& scorer, const DotScorer* bound, const Index* index, const Options& options,
            Control& control) {
    std::shared_ptr<const Index> made;
    const PairScorer& bounded = bound ? *bound : scorer;
    if (index && !index->is_of(bounded)) throw std::invalid_argument("the index is of another right side");
    if (bound && (bound->left_size() != scorer.left_size() || bound->right_size() != scorer.right_size()))
        throw std::invalid_argument("the bound is of other texts than the scorer");
    if (options.self_join && scorer.left_size() != scorer.right_size())
        throw std::invalid_argument("a self-join has the same texts on both sides");
    if (std::max(scorer.left_size(), scorer.right_size()) > std::numeric_limits<std::int32_t>::max())
        throw std::length_error("more than 2 G texts on one side");
    if (options.mode == Mode::above && options.min_score > 0 && !bound && options.rarest.value_or(true))
        if (auto found = join_rarest(scorer, options, control)) return std::move(*found);
    if (options.mode == Mode::top && !bound && !options.sums)
        if (auto found = join_codes(scorer, options, index, control)) return std::move(*found);
    if (options.mode == Mode::top && !bound && options.sums.value_or(true))
        if (auto found = join_sums(scorer, options, index, control)) return std::move(*found);
    if (!index) index = (made = bounded.lists()).get();
    return Join(scorer, bound, *index, options).run(control);
}

}  // namespace likewise::join
