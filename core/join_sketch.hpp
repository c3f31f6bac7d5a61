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
        prefetch(entries_.data(), starts_[text]);
        prefetch(entries_.data(), starts_[text] + 16);
    }

private:
    HugeVector<std::int64_t> starts_{0};
    HugeVector<std::uint32_t> entries_;
};

// One text, laid out to be compared with the sketches of others.
class SketchTable {
public:
    void put(std::span<const Feature> features) {
        for (const Feature& feature : features) masses_[Sketches::tag(feature.rank)] += feature.has.mass;
    }
    void take_out(std::span<const Feature> features) {
        for (const Feature& feature : features) masses_[Sketches::tag(feature.rank)] = 0;
    }
    // What the text and another have in common, at most.
    double common(std::span<const std::uint32_t> sketch) const {
        double sum = 0;
        for (std::uint32_t entry : sketch) {
            double mass = masses_[entry >> 16];
            sum += mass > 0 ? mass + static_cast<double>(upper::value(static_cast<std::uint16_t>(entry))) : 0.0;
        }
        return sum;
    }

private:
    std::vector<double> masses_ = std::vector<double>(std::size_t{1} << Sketches::kBits);
};

}  // namespace likewise::join
