// The best partners of many texts while they are being found: candidates with bounds on both sides of their scores.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <vector>

#include "best.hpp"
#include "huge.hpp"
#include "join_kernel.hpp"
#include "portable.hpp"

namespace likewise::join {

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

using BestPairs = Best<Pair>;

// What a pair must reach to be among the best: 0 as long as there is room for any.
inline double least_of(const BestPairs& best) { return best.full() && !best.empty() ? best.worst().score : 0; }

// Candidates of each text, with bounds on both sides of their scores, so that exact scores can wait until all
// candidates are there. Until then the k-th best lower bound is a score below which nothing matters. A text has room
// for some more than k: if even that is not enough, `settle` has to leave the k best.
class TopLists {
public:
    // Bounds of a score take two bytes each: six bits for the exponent, ten for the rest.
    struct Candidate {
        std::int32_t position;
        std::uint16_t low, high;

        Candidate() = default;
        Candidate(std::int64_t position, double low, double high)
            : position(static_cast<std::int32_t>(position)), low(code(down(low), 0)), high(code(up(high), step - 1)) {}
        static float at_least(std::uint16_t low) { return low ? value(low) : 0; }
        float at_least() const { return at_least(low); }
        float at_most() const { return high == 65535 ? std::numeric_limits<float>::infinity() : value(high); }

    private:
        static constexpr std::int64_t step = 1 << 13, base = std::int64_t{95} << 23;  // the bits of 2^-32
        static std::uint16_t code(float score, std::int64_t round) {
            auto bits = static_cast<std::int64_t>(std::bit_cast<std::uint32_t>(score));
            return static_cast<std::uint16_t>(std::clamp<std::int64_t>((bits - base + round) / step, 0, 65535));
        }
        static float value(std::uint16_t code) {
            return std::bit_cast<float>(static_cast<std::uint32_t>(base + code * step));
        }
    };

    // room: candidates that a text can have at a time, `count` at least.
    TopLists(std::int64_t texts, std::int64_t count, std::int64_t room, double min_score)
        : count_(static_cast<std::size_t>(count)),
          room_(static_cast<std::size_t>(room)),
          floor_(down(min_score)),
          sizes_(texts, 0),
          least_(texts, floor_) {
        open_.resize(static_cast<std::size_t>(texts) * room_);
    }

    // A little room for rounding.
    static float down(double score) { return static_cast<float>(score * (1 - 2e-7)); }
    static float up(double score) { return static_cast<float>(score * (1 + 2e-7)); }

    const float* least() const { return least_.data(); }  // by text: what does not reach it can be forgotten
    std::span<Candidate> open(std::int64_t text) { return {open_.data() + text * room_, sizes_[text]}; }

    // add() will be called soon: first what is known of the text, then where its next candidate goes.
    void expect_soon(std::int64_t text) const {
        prefetch(least_.data(), text);
        prefetch(sizes_.data(), text);
    }
    void expect(std::int64_t text) const {
        prefetch(open_.data(), static_cast<std::int64_t>(static_cast<std::size_t>(text) * room_ + sizes_[text]));
    }

    // Something is known of the text from elsewhere: what it needs at least.
    void raise(std::int64_t text, double least) { least_[text] = std::max(least_[text], down(least)); }

    // Adds a candidate. settle(text) is called where telling candidates apart takes their exact scores; it leaves
    // `count` at most, by keep().
    template <class Settle>
    void add(std::int64_t text, const Candidate& candidate, Settle&& settle) {
        if (candidate.at_most() < least_[text]) return;
        if (sizes_[text] == room_) {
            tighten(text);
            if (sizes_[text] > room_ - room_ / 8 || sizes_[text] == room_) settle(text);
            if (candidate.at_most() < least_[text]) return;
        }
        open_[text * room_ + sizes_[text]++] = candidate;
    }

    // Learns the threshold from the candidates and drops those below it.
    void tighten(std::int64_t text) {
        if (sizes_[text] < count_) return;
        constexpr std::size_t kLanes = 16;  // values at a time; zeros are not among the largest
        thread_local std::vector<std::uint16_t> lows;
        lows.assign((sizes_[text] + kLanes - 1) / kLanes * kLanes, 0);
        std::ranges::transform(open(text), lows.begin(), &Candidate::low);
        auto low = nth_largest(lows.data(), std::ssize(lows), static_cast<std::int64_t>(count_));
        least_[text] = std::max(least_[text], Candidate::at_least(low));
        auto left = open(text);
        auto below = [&](const Candidate& one) { return one.at_most() < least_[text]; };
        auto end = std::remove_if(left.begin(), left.end(), below);
        sizes_[text] = static_cast<std::uint32_t>(end - left.begin());
    }

    // Makes these, whose scores are exact, the candidates of the text.
    void keep(std::int64_t text, std::span<const Candidate> best) {
        std::copy(best.begin(), best.end(), open_.begin() + static_cast<std::ptrdiff_t>(text * room_));
        sizes_[text] = static_cast<std::uint32_t>(best.size());
        if (best.size() < count_) return;
        auto worst = std::ranges::min_element(best, {}, &Candidate::low);
        least_[text] = std::max(least_[text], worst->at_least());
    }

    // Forgets a text's candidates; what they must reach is known from elsewhere, or 0.
    void restart(std::int64_t text, double least) {
        sizes_[text] = 0;
        least_[text] = std::max(floor_, down(least));
    }

private:
    std::size_t count_, room_;
    float floor_;
    HugeVector<Candidate> open_;  // text * room_
    std::vector<std::uint32_t> sizes_;
    std::vector<float> least_;
};

}  // namespace likewise::join
