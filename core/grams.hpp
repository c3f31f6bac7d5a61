// Terms to q-grams: once per distinct term, weights included.
#pragma once

#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "stable.hpp"
#include "strings.hpp"

namespace likewise {

enum class Padding { none, single, full };

// The q-grams of one term, in ascending order of ids, with their weights w(t, j).
struct TermEntry {
    const std::int32_t* grams;
    const double* weights;
    std::int32_t size;
};

// All terms seen so far with their q-grams. Terms are only ever added, and what is there stays in place: others may
// read while one adds.
class TermGrams {
public:
    // q = 0: the whole term is its one q-gram. context: a q-gram weighs 1/|a^[q]| in a term that has |a^[q]| of that
    // length (part `c` of the scheme).
    TermGrams(int q_from, int q_to, Padding padding, bool context);

    // Weights of terms and q-grams by id; ids beyond count as `unseen`. To be set once, before others read what is
    // here.
    void set_weights(std::vector<double> terms, double unseen_term, std::vector<double> grams, double unseen_gram);

    // Adds the terms of a vocabulary that are not here yet.
    void add(const StringTable& terms);

    std::int32_t size() const { return entries_.size(); }
    TermEntry operator[](std::int32_t term) const { return entries_[term]; }
    const StringTable& grams() const { return table_; }
    std::int32_t intern_gram(std::string_view key);
    // For each q-gram the sum of the given counts of the terms that contain it.
    std::vector<double> gram_sums(std::span<const double> term_counts) const;

    // No other object of this process has the same.
    std::uint64_t identity() const { return identity_; }

    // Key of a q-gram in grams(): q in one byte, then each character as three bytes. kLeft and kRight are the marks.
    static constexpr std::uint32_t kLeft = 0x110000, kRight = 0x110001;

private:
    struct Scratch;
    TermEntry make_entry(std::int32_t term, std::string_view text, Scratch& scratch);

    std::mutex adding_;
    std::uint64_t identity_;
    int q_from_, q_to_;
    Padding padding_;
    bool context_;
    std::vector<double> term_weights_, gram_weights_;
    double unseen_term_ = 1, unseen_gram_ = 1;
    StringTable table_;
    StableVector<TermEntry> entries_;
    StableArena<std::int32_t> gram_arena_;
    StableArena<double> weight_arena_;
};

}  // namespace likewise
