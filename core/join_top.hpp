// The best partners of many texts while they are being found: candidates with bounds on both sides of their scores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace likewise {

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

// A text's partners: exact scores can wait until all candidates are there. Until then the k-th best lower bound is a
// score below which nothing matters.
class TopLists {
public:
    struct Candidate {
        std::int32_t position;
        float low, high;  // of the score
    };

    TopLists(std::int64_t texts, std::int64_t count, double min_score)
        : count_(static_cast<std::size_t>(count)), lists_(texts), least_(texts, down(min_score)) {}

    static float down(double score) { return static_cast<float>(score * (1 - 2e-7)); }
    static float up(double score) { return static_cast<float>(score * (1 + 2e-7)); }

    const float* least() const { return least_.data(); }  // by text: what does not reach it can be forgotten
    std::vector<Candidate>& open(std::int64_t text) { return lists_[text].open; }
    std::vector<Pair>& sure(std::int64_t text) { return lists_[text].sure; }  // a heap of exact scores

    // add() will be called soon.
    void expect(std::int64_t text) const { __builtin_prefetch(&lists_[text]), __builtin_prefetch(&least_[text]); }

    // False if there are so many candidates that telling them apart takes their exact scores.
    bool add(std::int64_t text, const Candidate& candidate) {
        if (candidate.high < least_[text]) return true;
        auto& list = lists_[text];
        if (list.open.capacity() == 0) list.open.reserve(std::min<std::size_t>(2 * count_, 32));
        list.open.push_back(candidate);
        if (list.open.size() < std::max<std::size_t>(list.enough, 2 * count_)) return true;
        tighten(text);
        list.enough = static_cast<std::uint32_t>(list.open.size() + list.open.size() / 2 + 4);
        return list.open.size() < 8 * count_ + 64;
    }

    // Learns the threshold from the candidates and drops those below it.
    void tighten(std::int64_t text) {
        auto& list = lists_[text];
        thread_local std::vector<float> lows;
        lows.clear();
        for (const Candidate& candidate : list.open) lows.push_back(candidate.low);
        for (const Pair& pair : list.sure) lows.push_back(down(pair.score));
        if (lows.size() < count_) return;
        std::nth_element(lows.begin(), lows.begin() + static_cast<std::ptrdiff_t>(count_ - 1), lows.end(), std::greater<>());
        raise(text, lows[count_ - 1]);
        std::erase_if(list.open, [&](const Candidate& candidate) { return candidate.high < least_[text]; });
    }
    void raise(std::int64_t text, float score) { least_[text] = std::max(least_[text], score); }

    // Forgets a text's candidates, and the threshold.
    void restart(std::int64_t text, double min_score) {
        lists_[text].open.clear(), lists_[text].sure.clear(), lists_[text].enough = 0;
        least_[text] = down(min_score);
    }
    void release(std::int64_t text) { lists_[text] = {}; }

private:
    struct List {
        std::vector<Candidate> open;
        std::vector<Pair> sure;
        std::uint32_t enough = 0;  // candidates before the list is tightened again
    };
    std::size_t count_;
    std::vector<List> lists_;
    std::vector<float> least_;
};

}  // namespace likewise
