// What the join through rarest features knows of texts: masses, which bound what two texts have in common.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "join_block.hpp"
#include "spectra.hpp"

namespace likewise::join {

enum Side { left_side, right_side };

inline constexpr std::int64_t kLongest = 30000;  // features of a text, at most

// What a text has in features.
struct Has {
    double mass, reach, plain_reach;

    Has& operator+=(const Has& other) {
        mass += other.mass;
        reach += other.reach;
        plain_reach += other.plain_reach;
        return *this;
    }
    void raise(const Has& other) {
        mass = std::max(mass, other.mass);
        reach = std::max(reach, other.reach);
        plain_reach = std::max(plain_reach, other.plain_reach);
    }
};

// A text is a list of q-grams with *masses*: through some of them two texts have in common at most the sum of the
// masses that both have there.
//
// A q-gram that one term of each text has adds (v_A + v_B) / 2, or less. If several terms of one text have it, it adds
// at most v of the other and a third of that one's; if several terms of both have it, v_A + v_B at most. Half of v, and
// for several terms half of the largest v of any text on top, is enough for all of these.
struct Masses {
    const SpectraScorer& scorer;
    struct Gram {
        double half = 0;      // of the largest v of any text
        double single = 0;    // the same, of right texts in which one term has the q-gram
        double several = -1;  // the largest v / (1 + K) of those in which several have it, or -1
    };
    std::vector<Gram> grams;

    explicit Masses(const SpectraScorer& scorer) : scorer(scorer) {
        look(scorer.right, true);
        if (&scorer.left != &scorer.right) look(scorer.left, false);
    }
    void look(const SpectraTexts& texts, bool right) {
        for (std::int64_t i = 0; i < std::ssize(texts.grams); ++i) {
            auto number = static_cast<std::size_t>(texts.grams[i]);
            if (number >= grams.size()) grams.resize(std::max(number + 1, 2 * grams.size()));
            Gram& gram = grams[number];
            gram.half = std::max(gram.half, texts.values[i] / 2);
            if (!right) continue;
            if (texts.count(i) == 1)
                gram.single = std::max(gram.single, texts.values[i] / 2);
            else
                gram.several = std::max(gram.several, texts.values[i] / (1 + texts.count(i)));
        }
    }

    std::int64_t keys() const { return std::ssize(grams); }
    // The most that a q-gram of this mass adds, whatever right text it meets: any, or a plain one, each of whose
    // q-grams is in one term.
    double plain_reach(std::int32_t key, double mass) const { return mass + grams[key].single; }
    double reach(std::int32_t key, double mass) const {
        return std::max(plain_reach(key, mass), grams[key].several < 0 ? 0 : 2 * mass + grams[key].several);
    }
    Has has(std::int32_t key, double mass) const { return {mass, reach(key, mass), plain_reach(key, mass)}; }
    bool plain(std::int64_t right) const {
        for (std::int64_t i = scorer.right.gram_indptr[right]; i < scorer.right.gram_indptr[right + 1]; ++i)
            if (scorer.right.count(i) > 1) return false;
        return true;
    }
    // Whether sums of the masses of a text can be told in 16 bits, and as floats.
    bool fit() const {
        constexpr double kSmallest = 1e-20, kLargest = 1e20;
        for (const SpectraTexts* side : {&scorer.left, &scorer.right})
            for (std::int64_t text = 0; text < side->size(); ++text) {
                double size = side->cardinalities[text];
                if (side->gram_indptr[text + 1] - side->gram_indptr[text] > kLongest || size > kLargest ||
                    (size > 0 && size < kSmallest))
                    return false;
            }
        return true;
    }
    const SpectraTexts& texts(Side side) const { return side == left_side ? scorer.left : scorer.right; }
    double size(Side side, std::int64_t text) const { return texts(side).cardinalities[text]; }
    template <class Visit>
    void each(Side side, std::int64_t text, Visit&& visit) const {
        const SpectraTexts& from = texts(side);
        for (std::int64_t i = from.gram_indptr[text]; i < from.gram_indptr[text + 1]; ++i) {
            double value = from.values[i];
            visit(from.grams[i], from.count(i) == 1 ? value / 2 : value / 2 + grams[from.grams[i]].half);
        }
    }
    double need(double score, double left, double right) const {
        return Need{false, scorer.coefficient}(score, left, right);
    }
};

// A q-gram of a text.
struct Feature {
    std::int32_t rank;  // 0 is the rarest
    Has has;
};

// What an entry of a list tells of its text: a bit for each feature, several features a bit, and in the last byte the
// class of the text and whether one of its q-grams is in several terms.
class Bits {
public:
    static constexpr int kFeatures = 120;

    Bits() = default;
    Bits(std::size_t number, bool plain) : words_{0, (number | (plain ? 0 : kNotPlain)) << 56} {}
    void set(std::int32_t rank) {
        int bit = bit_of(rank);
        words_[bit >> 6] |= std::uint64_t{1} << (bit & 63);
    }
    std::size_t number() const { return words_[1] >> 56 & (kNotPlain - 1); }
    bool plain() const { return !(words_[1] >> 56 & kNotPlain); }
    std::uint64_t word(int place) const { return words_[place]; }
    static int bit_of(std::int32_t rank) { return rank % kFeatures; }

private:
    static constexpr std::uint64_t kNotPlain = 128;
    std::array<std::uint64_t, 2> words_;
};

// What a text has in those features that another may have, by the bits of the other: a table for each byte.
// The three sums and the number of features are in one number, 16 bits each; sums are rounded up.
class Masks {
public:
    void clear(const Has& whole) {
        for (auto& table : tables_) table.fill(0);
        mass_ = kFull / whole.mass;
        reach_ = kFull / whole.reach;
        mass_inverse_ = static_cast<float>(1 / mass_);
        reach_inverse_ = static_cast<float>(1 / reach_);
    }
    void add(std::int32_t rank, const Has& feature) {
        int bit = Bits::bit_of(rank);
        auto& table = tables_[bit >> 3];
        auto units = [](double value) { return static_cast<std::uint64_t>(value + 1); };
        std::uint64_t more = units(feature.mass * mass_) | units(feature.reach * reach_) << 16 |
                             units(feature.plain_reach * reach_) << 32 | std::uint64_t{1} << 48;
        for (int step = 1 << (bit & 7), begin = step; begin < 256; begin += 2 * step)
            for (int value = begin; value < begin + step; ++value) table[value] += more;
    }
    std::uint64_t with(const Bits& bits) const {
        std::uint64_t sum = 0;
        std::uint64_t first = bits.word(0), second = bits.word(1);
        for (std::size_t byte = 0; byte < 7; ++byte)
            sum += tables_[byte][first >> 8 * byte & 255] + tables_[byte + 8][second >> 8 * byte & 255];
        return sum + tables_[7][first >> 56];
    }
    float mass(std::uint64_t sums) const { return static_cast<float>(sums & 65535) * mass_inverse_; }
    float reach(std::uint64_t sums, bool plain) const {
        return static_cast<float>(sums >> (plain ? 32 : 16) & 65535) * reach_inverse_;
    }
    static float count(std::uint64_t sums) { return static_cast<float>(sums >> 48); }

private:
    static constexpr double kFull = 65535 - kLongest;  // each feature is rounded up
    std::array<std::array<std::uint64_t, 256>, Bits::kFeatures / 8> tables_{};
    double mass_ = 1, reach_ = 1;
    float mass_inverse_ = 1, reach_inverse_ = 1;
};

}  // namespace likewise::join
