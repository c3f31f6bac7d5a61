#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "join_work.hpp"

namespace likewise::join {

// Long texts: the score of every candidate is found out nearly to the bit. Those that can be among the best are in
// worker.near then.
template <class Candidates>
void Join::narrow(Worker& worker, std::int64_t left, Candidates&& open, const BestPairs& best) const {
    double size = spectra_->left.cardinalities[left];
    auto& near = worker.near;
    near.clear();
    BestPairs lows(top_count_);
    auto least = [&] { return std::max(least_of(lows), least_of(best)); };
    for (std::size_t i = 0; i < open.size() && open[i].at_most() >= least(); ++i) {
        if (i + kSoon < open.size()) worker.completer.expect_soon(open[i + kSoon].position);
        if (i + kNext < open.size()) worker.completer.expect(open[i + kNext].position);
        std::int32_t position = open[i].position;
        auto score = near_score(worker, size, position);
        if (score.high < least()) continue;
        lows.add({score.low, static_cast<std::int32_t>(left), index_.texts[position]});
        near.emplace_back(position, score);
    }
    std::erase_if(near, [&](const auto& one) { return one.second.high < least(); });
}

void Join::complete_near(Worker& worker, std::int64_t left, BestPairs& best) const {
    double size = spectra_->left.cardinalities[left];
    for (const auto& [position, bounds] : worker.near) {
        if (bounds.high < least_of(best)) continue;
        std::int32_t right = index_.texts[position];
        Completer::Common common{worker.completer.base(position), false, 0};
        double score = score_of(whole(worker, left, right, common), size, index_.sizes[position]);
        if (score > 0 && score >= options_.min_score) best.add({score, static_cast<std::int32_t>(left), right});
    }
}

// Adds the scores of a text's candidates to the best, as far as they can be among them. Where bounds tell enough of
// them apart, `kept` gets those that are left instead.
template <class Candidates>
void Join::complete_best(Worker& worker, std::int64_t left, Candidates&& open, BestPairs& best,
                         std::vector<TopLists::Candidate>* kept) const {
    std::sort(open.begin(), open.end(),
              [](auto& a, auto& b) { return a.high != b.high ? a.high > b.high : a.position < b.position; });
    if (bounds_are_scores_)
        for (std::size_t i = 0; i < std::min(open.size(), kNext); ++i) worker.completer.expect(open[i].position);
    worker.completer.begin(left);
    if (index_.with_terms) {
        narrow(worker, left, open, best);
        if (kept && std::ssize(worker.near) <= 2 * top_count_) {
            for (const auto& [position, score] : worker.near) kept->emplace_back(position, score.low, score.high);
        } else {
            complete_near(worker, left, best);
        }
        return worker.completer.end();
    }
    for (std::size_t i = 0; i < open.size() && open[i].at_most() >= least_of(best); ++i) {
        if (bounds_are_scores_) {
            if (i + kSoon < open.size()) worker.completer.expect_soon(open[i + kSoon].position);
            if (i + kNext < open.size()) worker.completer.expect(open[i + kNext].position);
        }
        complete(worker, left, open[i].position, least_of(best), [&](const Pair& pair) { best.add(pair); });
    }
    worker.completer.end();
}

// Adds a candidate. Where there is no room for it, the best are found out and kept.
void Join::offer(Worker& worker, TopLists& top, std::int64_t text, const TopLists::Candidate& candidate,
                 std::int64_t left) const {
    top.add(text, candidate, [&](std::int64_t full) {
        BestPairs best(top_count_);
        std::vector<TopLists::Candidate> kept;
        complete_best(worker, left, top.open(full), best, &kept);
        for (const Pair& pair : best.items()) kept.emplace_back(index_.positions[pair.right], pair.score, pair.score);
        top.keep(full, kept);
    });
}

void Join::take_best(Worker& worker, TopLists& top, std::int64_t text, std::int64_t left,
                     std::vector<Pair>& out) const {
    BestPairs best(top_count_);
    best.items().swap(worker.best.items());
    best.items().clear();
    top.tighten(text);
    complete_best(worker, left, top.open(text), best);
    const auto& pairs = best.sorted();
    out.insert(out.end(), pairs.begin(), pairs.end());
    worker.best.items().swap(best.items());
}

// The first block of a text, where it learns what scores there are: with a good threshold most work is never begun.
// Other threads may have candidates for the text meanwhile, where `guard` is its lock.
void Join::top_home(Worker& worker, TopLists& top, std::int64_t text, Row& row, std::int64_t left, std::int64_t block,
                    std::mutex* guard) const {
    // Bounds as far apart as this are worth the exact score.
    constexpr double kNear = 1 - 1.0 / 64;
    auto& found = worker.offers;
    auto find = [&](std::int64_t position, double low, double high) { found.push_back({0, {position, low, high}}); };
    BestPairs best(top_count_);
    bool begun = false;
    auto rate = [&](std::int64_t position, const Bounds& common) {
        std::int32_t right = index_.texts[position];
        if (options_.self_join && right == left) return TopLists::down(least_of(best));
        auto score = scores_of(common, row.size, index_.sizes[position]);
        if (score.low >= kNear * score.high) {
            best.add({score.low, static_cast<std::int32_t>(left), right});
            find(position, score.low, score.high);
            return TopLists::down(least_of(best));
        }
        if (!std::exchange(begun, true)) worker.completer.begin(left);
        if (index_.with_terms) {
            score = near_score(worker, row.size, position);
            best.add({score.low, static_cast<std::int32_t>(left), right});
            find(position, score.low, score.high);
        } else {
            complete(worker, left, position, 0, [&](const Pair& pair) {
                best.add(pair);
                find(position, pair.score, pair.score);
            });
        }
        return TopLists::down(least_of(best));
    };
    auto visit = [&](std::int64_t position, const Bounds& common) {
        if (options_.self_join && index_.texts[position] == left) return;
        auto score = scores_of(common, row.size, index_.sizes[position]);
        find(position, score.low, score.high);
    };
    worker.search.search_first(row, block, options_.min_score, top_count_, rate, visit);
    if (begun) worker.completer.end();
    std::unique_lock<std::mutex> lock;
    if (guard) lock = std::unique_lock(*guard);
    top.raise(text, least_of(best));
    for (const Offer& given : found) offer(worker, top, text, given.candidate, left);
    found.clear();
    top.tighten(text);
}

// Every row by itself.
void Join::top_rows(Worker& worker, Chunk chunk, const Control& control, std::vector<Pair>& out) const {
    if (!blocks()) return;
    load(worker, chunk);
    if (!worker.top) worker.top = std::make_unique<TopLists>(chunk_, top_count_, top_room(), options_.min_score);
    TopLists& top = *worker.top;
    for (std::int64_t place = 0; place < chunk.size(); ++place) {
        Row& row = worker.rows[place];
        std::int64_t left = left_of(chunk.first + place);
        top.restart(place, floor_of(left));
        if (floor_of(left) > 0) continue;
        top_home(worker, top, place, row, left, worker.search.likely_block(row), nullptr);
        row.rewind(index_);
    }
    for (std::int64_t block = 0; block < blocks(); ++block) {
        if (control.stop) throw Stopped();
        for (std::int64_t place = 0; place < chunk.size(); ++place) {
            Row& row = worker.rows[place];
            std::int64_t left = left_of(chunk.first + place);
            if (!(floor_of(left) > 0) && block == worker.search.likely_block(row)) continue;
            auto visit = [&](std::int64_t position, const Bounds& common) {
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
        BestPairs best(top_count_);
        std::int64_t left = left_of(row);
        if (index_.family == Index::Family::any)
            for (std::int64_t position = 0; position < index_.right_size; ++position)
                complete(worker, left, position, least_of(best), [&](const Pair& pair) { best.add(pair); });
        for (std::int64_t block = 0; block < blocks(); ++block) {
            open.clear();
            auto visit = [&](std::int64_t position, const Bounds& common) {
                open.emplace_back(position, 0, common.high);
            };
            double least = std::max({options_.min_score, floor_of(left), least_of(best)});
            worker.search.search(worker.rows[row - chunk.first], block, least, nullptr, visit);
            complete_best(worker, left, open, best);
        }
        const auto& pairs = best.sorted();
        out.insert(out.end(), pairs.begin(), pairs.end());
    }
}

// Rows against their own block, then against those after it: a pair that is found there counts for both of its texts.
// The last rows come first, so that the texts of the blocks after know by then what they need.
void Join::top_halves(Worker& worker, Chunk chunk, const Control& control, TopLists& top) const {
    load(worker, chunk);
    for (std::int64_t row = chunk.first; row < chunk.end; ++row) {
        top_home(worker, top, row, worker.rows[row - chunk.first], left_of(row), index_.block_of(row),
                 &locks_[row >> kLockBits]);
    }
    double smallest = std::numeric_limits<double>::infinity(), norm = 0;
    for (std::int64_t place = 0; place < chunk.size(); ++place) {
        smallest = std::min(smallest, worker.rows[place].size);
        norm = std::max(norm, worker.rows[place].size);
    }
    std::vector<float> own(chunk.size());
    auto &shares = worker.shares, &least = worker.least;
    auto copy = [&](std::int64_t first, std::int64_t end, float* out) {
        for (std::int64_t from = first, to; from < end; from = to) {
            to = std::min(end, ((from >> kLockBits) + 1) << kLockBits);
            std::lock_guard lock(locks_[from >> kLockBits]);
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
            Row& row = worker.rows[place];
            auto text = static_cast<std::int32_t>(chunk.first + place);
            auto visit = [&](std::int64_t position, const Bounds& common) {
                auto score = scores_of(common, row.size, index_.sizes[position]);
                TopLists::Candidate here(position, score.low, score.high), there = here;
                there.position = text;
                if (here.at_most() >= own[place]) worker.offers.push_back({text, here});
                if (here.at_most() >= least[position - info.first])
                    worker.other_offers.push_back({here.position, there});
            };
            worker.search.search(row, block, own[place], &worker.needs, visit);
        }
        hand_out(worker, top, worker.offers, true);
        hand_out(worker, top, worker.other_offers, false);
    }
}

// tighten: whether what a text needs shall be known after its last offer (those of a text are together then).
void Join::hand_out(Worker& worker, TopLists& top, std::vector<Offer>& offers, bool tighten) const {
    std::unique_lock<std::mutex> lock;
    for (std::size_t i = 0; i < offers.size(); ++i) {
        if (i + 2 * kSoon < offers.size()) top.expect_soon(offers[i + 2 * kSoon].text);
        std::int32_t text = offers[i].text;
        auto& needed = locks_[text >> kLockBits];
        if (lock.mutex() != &needed) {
            if (lock) lock.unlock();
            lock = std::unique_lock(needed);
        }
        // Where the candidate goes may be asked for a text of the same lock only.
        if (i + kSoon < offers.size() && offers[i + kSoon].text >> kLockBits == text >> kLockBits)
            top.expect(offers[i + kSoon].text);
        offer(worker, top, text, offers[i].candidate, index_.texts[text]);
        if (tighten && (i + 1 == offers.size() || offers[i + 1].text != text)) top.tighten(text);
    }
    offers.clear();
}

// The lists of all texts are as large as a full result: no more than that for a k with which little can be pruned.
bool Join::halves() const {
    constexpr std::int64_t kMost = 100;
    return options_.mode == Mode::top && symmetric_ && bounds_are_scores_ && blocks() > 1 && top_count_ <= kMost;
}

void Join::run_top(std::vector<Worker>& workers, Control& control, Found& found) {
    if (top_count_ <= 0) return;
    if (!halves()) {
        each_chunk(workers, control, [&](Worker& worker, Chunk chunk, std::int64_t number) {
            if (bounds_are_scores_)
                top_rows(worker, chunk, control, found[number]);
            else
                top_scored(worker, chunk, control, found[number]);
        });
        return;
    }
    TopLists top(rows_, top_count_, top_room(), options_.min_score);
    locks_ = std::vector<std::mutex>((rows_ >> kLockBits) + 1);
    each_chunk(workers, control, [&](Worker& worker, Chunk, std::int64_t number) {
        top_halves(worker, chunk_of(chunks() - 1 - number), control, top);
    });
    each_chunk(workers, control, [&](Worker& worker, Chunk chunk, std::int64_t number) {
        for (std::int64_t row = chunk.first; row < chunk.end; ++row) {
            expect_rows(row, chunk.end);
            take_best(worker, top, row, left_of(row), found[number]);
        }
    });
}

}  // namespace likewise::join
