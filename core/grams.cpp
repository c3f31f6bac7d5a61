#include "grams.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <utility>

#include "unicode.hpp"

namespace likewise {

namespace {

std::uint64_t next_identity() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

double weight_of(const std::vector<double>& known, std::int32_t id, double unseen) {
    return static_cast<std::size_t>(id) < known.size() ? known[static_cast<std::size_t>(id)] : unseen;
}

}  // namespace

// What making an entry needs room for, kept from word to word.
struct TermGrams::Scratch {
    std::vector<std::uint32_t> codes;
    std::string packed;  // three bytes a character, marks included
    std::string key;
    std::vector<std::int32_t> found;
    std::vector<std::pair<std::int32_t, double>> all;
};

TermGrams::TermGrams(int q_from, int q_to, Padding padding, bool context)
    : identity_(next_identity()), q_from_(q_from), q_to_(q_to), padding_(padding), context_(context) {}

void TermGrams::set_weights(std::vector<double> terms, double unseen_term, std::vector<double> grams,
                            double unseen_gram) {
    std::lock_guard lock(adding_);
    term_weights_ = std::move(terms);
    gram_weights_ = std::move(grams);
    unseen_term_ = unseen_term;
    unseen_gram_ = unseen_gram;
    for (std::int32_t term = 0; term < size(); ++term) {
        const TermEntry entry = entries_[term];
        auto* weights = const_cast<double*>(entry.weights);  // of weight_arena_
        const double of_term = weight_of(term_weights_, term, unseen_term_);
        for (std::int32_t i = 0; i < entry.size; ++i)
            weights[i] = weights[i] * of_term * weight_of(gram_weights_, entry.grams[i], unseen_gram_);
    }
}

std::int32_t TermGrams::intern_gram(std::string_view key) {
    std::lock_guard lock(adding_);
    return table_.intern(key);
}

void TermGrams::add(const StringTable& terms) {
    std::lock_guard lock(adding_);
    Scratch scratch;
    for (std::int32_t term = size(), end = terms.size(); term < end; ++term)
        entries_.push_back(make_entry(term, terms[term], scratch));
}

TermEntry TermGrams::make_entry(std::int32_t term, std::string_view text, Scratch& scratch) {
    auto& codes = scratch.codes;
    auto& packed = scratch.packed;
    auto& key = scratch.key;
    auto& found = scratch.found;
    auto& all = scratch.all;
    codes.clear();
    for (std::size_t at = 0; at < text.size();) codes.push_back(next_code(text, at));
    all.clear();
    for (int q = q_from_; q <= q_to_; ++q) {
        int marks = q <= 1 || padding_ == Padding::none ? 0 : padding_ == Padding::single ? 1 : q - 1;
        packed.clear();
        auto put = [&](std::uint32_t code) {
            packed.push_back(static_cast<char>(code >> 16));
            packed.push_back(static_cast<char>(code >> 8));
            packed.push_back(static_cast<char>(code));
        };
        for (int i = 0; i < marks; ++i) put(kLeft);
        for (std::uint32_t code : codes) put(code);
        for (int i = 0; i < marks; ++i) put(kRight);
        std::size_t length = packed.size() / 3, width = length;
        if (q > 0) width = std::min(static_cast<std::size_t>(q), length);
        found.clear();
        for (std::size_t start = 0; start + width <= length; ++start) {
            key.assign(1, static_cast<char>(q));
            key.append(packed, start * 3, width * 3);
            found.push_back(table_.intern(key));
            if (width == 0) break;
        }
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        double share = context_ ? 1.0 / static_cast<double>(found.size()) : 1.0;
        for (std::int32_t gram : found) all.emplace_back(gram, share);
    }
    std::sort(all.begin(), all.end());
    std::int32_t* grams = gram_arena_.take(all.size());
    double* weights = weight_arena_.take(all.size());
    double of_term = weight_of(term_weights_, term, unseen_term_);
    for (std::size_t i = 0; i < all.size(); ++i) {
        grams[i] = all[i].first;
        weights[i] = all[i].second * of_term * weight_of(gram_weights_, all[i].first, unseen_gram_);
    }
    return {grams, weights, static_cast<std::int32_t>(all.size())};
}

std::vector<double> TermGrams::gram_sums(std::span<const double> term_counts) const {
    std::int32_t terms = size();  // before the q-grams are counted: they all have one
    std::vector<double> sums(static_cast<std::size_t>(table_.size()), 0.0);
    for (std::int32_t term = 0; term < terms && static_cast<std::size_t>(term) < term_counts.size(); ++term) {
        TermEntry entry = (*this)[term];
        for (std::int32_t i = 0; i < entry.size; ++i) sums[entry.grams[i]] += term_counts[term];
    }
    return sums;
}

}  // namespace likewise
