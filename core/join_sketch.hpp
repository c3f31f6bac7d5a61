// What texts have in their features, in four bytes each: it bounds what two texts have in common, next to exactly.
//
// A scorer asks for nine places in memory to score a pair; of the pairs that share a rare feature nine in ten can be
// told apart from one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "huge.hpp"
#include "join_index.hpp"
#include "join_kernel.hpp"
#include "join_mass.hpp"
#include "portable.hpp"
#include "upper.hpp"

namespace likewise::join {

class Sketches {
public:
    // Of a text's feature the last bits of its rank, then its mass, rounded up.
    static constexpr int kBits = 12;
    static std::uint32_t tag(std::int32_t rank) { return static_cast<std::uint32_t>(rank) & ((1u << kBits) - 1); }

    void reserve(std::size_t texts, std::size_t features) {
        starts_.reserve(texts + 1);
        entries_.reserve(features);
    }
    void add(std::span<const Feature> features) {
        for (const Feature& feature : features)
            entries_.push_back(tag(feature.rank) << 16 | upper::code(round_up(feature.has.mass)));
        starts_.push_back(std::ssize(entries_));
    }
    std::span<const std::uint32_t> operator[](std::int64_t text) const {
        return std::span(entries_).subspan(static_cast<std::size_t>(starts_[text]),
                                           static_cast<std::size_t>(starts_[text + 1] - starts_[text]));
    }
    void expect_soon(std::int64_t text) const { prefetch(starts_.data(), text); }
    void expect(std::int64_t text) const {
        for (std::int64_t at = starts_[text]; at < starts_[text + 1]; at += 16) prefetch(entries_.data(), at);
    }

private:
    HugeVector<std::int64_t> starts_{0};
    HugeVector<std::uint32_t> entries_;
};

// One text, laid out to be compared with the sketches of others.
class SketchTable {
public:
    void put(std::span<const Feature> features) {
        for (const Feature& feature : features) {
            float& mass = masses_[Sketches::tag(feature.rank)];
            mass = round_up(mass + feature.has.mass);
        }
    }
    void take_out(std::span<const Feature> features) {
        for (const Feature& feature : features) masses_[Sketches::tag(feature.rank)] = 0;
    }
    // What the text and another have in common, at most.
    double common(std::span<const std::uint32_t> sketch) const {
        constexpr double kRounding = 1.0 / (1 << 23);  // twice what adding a float can lose
        auto size = std::ssize(sketch);
        return sum_of_shared(masses_.data(), sketch.data(), size) * (1 + kRounding * static_cast<double>(size));
    }

private:
    std::vector<float> masses_ = std::vector<float>(std::size_t{1} << Sketches::kBits);
};

}  // namespace likewise::join
