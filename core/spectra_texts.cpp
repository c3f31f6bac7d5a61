#include "spectra_texts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "portable.hpp"
#include "radix.hpp"

namespace likewise {

// Asks for the terms' lists together, so that they arrive together. Returns how many q-grams they have.
std::size_t SpectraBuilder::expect(std::span<const std::int32_t> terms) const {
    std::size_t size = 0;
    for (std::int32_t term : terms) {
        TermEntry entry = term_grams_[term];
        size += static_cast<std::size_t>(entry.size);
        for (std::int32_t i = 0; i < entry.size; i += 8) {
            prefetch(entry.weights, i);
            if (i % 16 == 0) prefetch(entry.grams, i);
        }
    }
    return size;
}

// Fills items_ and keys_; returns the largest q-gram.
std::uint32_t SpectraBuilder::list_occurrences(std::span<const std::int32_t> terms,
                                               std::span<const double> frequencies) {
    std::size_t size = 0;
    for (std::int32_t term : terms) size += static_cast<std::size_t>(term_grams_[term].size);
    keys_.resize(size);
    items_.resize(size);
    std::uint32_t at = 0, largest = 0;
    for (std::size_t slot = 0; slot < terms.size(); ++slot) {
        TermEntry entry = term_grams_[terms[slot]];
        double frequency = frequencies.empty() ? 1.0 : frequencies[slot];
        for (std::int32_t i = 0; i < entry.size; ++i, ++at) {
            auto gram = static_cast<std::uint32_t>(entry.grams[i]);
            largest = std::max(largest, gram);
            keys_[at] = static_cast<std::uint64_t>(gram) << 32 | at;
            items_[at] = {static_cast<std::int32_t>(slot), i, frequency * entry.weights[i]};
        }
    }
    return largest;
}

// The q-grams of the text from the keys, which are in order; those of several terms go to repeated_. Returns |A|.
double SpectraBuilder::add_grams(SpectraTexts& out) {
    std::size_t size = keys_.size(), base = out.grams.size();
    out.grams.resize(base + size);
    out.values.resize(base + size);
    out.counts.resize(base + size);
    out.several.resize((base + size) / 64 + 1, 0);
    repeated_.clear();
    auto gram_of = [&](std::size_t i) { return static_cast<std::int32_t>(keys_[i] >> 32); };
    auto item_of = [&](std::size_t i) -> const Occurrence& { return items_[static_cast<std::uint32_t>(keys_[i])]; };
    double cardinality = 0;
    for (std::size_t begin = 0, end; begin < size; begin = end, ++base) {
        double sum = item_of(begin).weight;
        for (end = begin + 1; end < size && gram_of(end) == gram_of(begin); ++end) sum += item_of(end).weight;
        auto count = static_cast<std::int32_t>(end - begin);
        double value = count == 1 ? sum : sum / count;
        out.grams[base] = gram_of(begin);
        out.values[base] = value;
        out.counts[base] = count;
        cardinality += value;
        if (count == 1) continue;
        out.several[base >> 6] |= std::uint64_t{1} << (base & 63);
        for (std::size_t i = begin; i < end; ++i)
            repeated_.push_back({item_of(i).slot, {item_of(i).position, count, sum}});
    }
    out.grams.resize(base);
    out.values.resize(base);
    out.counts.resize(base);
    out.several.resize(base / 64 + 1);
    return cardinality;
}

// repeated_ by term; within a term the positions ascend already, because the q-grams did.
void SpectraBuilder::add_repeated(SpectraTexts& out, std::size_t terms) {
    std::size_t first = out.repeated_indptr.size();
    out.repeated_indptr.resize(first + terms, 0);
    for (const auto& [slot, _] : repeated_) ++out.repeated_indptr[first + static_cast<std::size_t>(slot)];
    for (std::size_t i = first; i < out.repeated_indptr.size(); ++i)
        out.repeated_indptr[i] += out.repeated_indptr[i - 1];
    out.repeated.resize(out.repeated.size() + repeated_.size());
    cursor_.assign(out.repeated_indptr.begin() + static_cast<std::ptrdiff_t>(first) - 1,
                   out.repeated_indptr.end() - (terms ? 1 : 0));
    for (const auto& [slot, item] : repeated_) out.repeated[static_cast<std::size_t>(cursor_[slot]++)] = item;
}

// Long texts have so many of all q-grams that a table of these is quicker than sorting: the same sums, in the same
// order.
double SpectraBuilder::add_long(SpectraTexts& out, std::span<const std::int32_t> terms,
                                std::span<const double> frequencies) {
    std::size_t size = 0;
    for (std::size_t slot = 0; slot < terms.size(); ++slot) {
        TermEntry entry = term_grams_[terms[slot]];
        double frequency = frequencies.empty() ? 1.0 : frequencies[slot];
        size += static_cast<std::size_t>(entry.size);
        for (std::int32_t i = 0; i < entry.size; ++i) {
            auto gram = static_cast<std::uint32_t>(entry.grams[i]);
            Sum& sum = sums_[gram];
            sum.sum += frequency * entry.weights[i];
            ++sum.count;
            there_[gram >> 6] |= std::uint64_t{1} << (gram & 63);
        }
    }
    std::size_t base = out.grams.size();
    double cardinality = put_sums(out, size);
    std::size_t at = out.repeated.size();
    out.repeated.resize(at + size);
    for (std::int32_t term : terms) {
        TermEntry entry = term_grams_[term];
        for (std::int32_t i = 0; i < entry.size; ++i) {
            const Sum& sum = sums_[entry.grams[i]];
            out.repeated[at] = {i, sum.count, sum.sum};
            at += sum.count > 1;
        }
        out.repeated_indptr.push_back(static_cast<std::int64_t>(at));
    }
    out.repeated.resize(at);
    for (std::size_t i = base; i < out.grams.size(); ++i) sums_[out.grams[i]] = {};
    return cardinality;
}

// The q-grams that are there, of so many occurrences; none is there any more.
double SpectraBuilder::put_sums(SpectraTexts& out, std::size_t size) {
    std::size_t base = out.grams.size();
    out.grams.resize(base + size);
    out.values.resize(base + size);
    out.counts.resize(base + size);
    out.several.resize((base + size) / 64 + 1, 0);
    double cardinality = 0;
    for (std::size_t word = 0; word < there_.size(); ++word)
        for (std::uint64_t bits = std::exchange(there_[word], 0); bits; bits &= bits - 1, ++base) {
            auto gram = static_cast<std::int32_t>(64 * word) + std::countr_zero(bits);
            const Sum& sum = sums_[gram];
            double value = sum.count == 1 ? sum.sum : sum.sum / sum.count;
            out.grams[base] = gram;
            out.values[base] = value;
            out.counts[base] = sum.count;
            out.several[base >> 6] |= static_cast<std::uint64_t>(sum.count > 1) << (base & 63);
            cardinality += value;
        }
    out.grams.resize(base);
    out.values.resize(base);
    out.counts.resize(base);
    out.several.resize(base / 64 + 1);
    return cardinality;
}

void SpectraBuilder::add(SpectraTexts& out, std::span<const std::int32_t> terms, std::span<const double> frequencies) {
    // Each word of the bits is looked at for each text.
    auto words = static_cast<std::size_t>(term_grams_.grams().size()) / 64 + 1;
    double cardinality;
    if (expect(terms) >= 2 * words) {
        if (there_.size() < words) {
            there_.resize(words, 0);
            sums_.resize(64 * words);
        }
        cardinality = add_long(out, terms, frequencies);
    } else {
        sort_by_upper(keys_, spare_, list_occurrences(terms, frequencies));
        cardinality = add_grams(out);
        add_repeated(out, terms.size());
    }
    out.terms.insert(out.terms.end(), terms.begin(), terms.end());
    out.frequencies.insert(out.frequencies.end(), frequencies.begin(), frequencies.end());
    out.term_indptr.push_back(static_cast<std::int64_t>(out.terms.size()));
    out.gram_indptr.push_back(static_cast<std::int64_t>(out.grams.size()));
    out.cardinalities.push_back(cardinality);
}

void SpectraTexts::mark_several() {
    several.assign(counts.size() / 64 + 1, 0);
    for (std::size_t i = 0; i < counts.size(); ++i)
        several[i >> 6] |= static_cast<std::uint64_t>(counts[i] > 1) << (i & 63);
}

void SpectraTexts::clear() {
    term_indptr.assign(1, 0);
    gram_indptr.assign(1, 0);
    repeated_indptr.assign(1, 0);
    terms.clear();
    frequencies.clear();
    grams.clear();
    values.clear();
    counts.clear();
    several.clear();
    repeated.clear();
    cardinalities.clear();
}

namespace {

// So many parts are so large that memory must not hold a member in parts and as a whole for longer than it is joined.
constexpr std::int64_t kManyParts = 64;

// Joins one member of the parts, freeing them on the way; asks for memory once.
template <class Value>
void join_parts(std::vector<SpectraTexts>& parts, HugeVector<Value> SpectraTexts::* member, SpectraTexts& all) {
    std::size_t size = 0;
    for (SpectraTexts& part : parts) size += (part.*member).size();
    (all.*member).reserve(size);
    for (SpectraTexts& part : parts) {
        (all.*member).insert((all.*member).end(), (part.*member).begin(), (part.*member).end());
        HugeVector<Value>().swap(part.*member);
    }
    if (std::ssize(parts) >= kManyParts) release_memory();
}

// The same for starts, which go on where those of the part before end.
void join_starts(std::vector<SpectraTexts>& parts, HugeVector<std::int64_t> SpectraTexts::* member, SpectraTexts& all) {
    for (SpectraTexts& part : parts) {
        std::int64_t base = (all.*member).back();
        for (std::size_t i = 1; i < (part.*member).size(); ++i) (all.*member).push_back(base + (part.*member)[i]);
        HugeVector<std::int64_t>().swap(part.*member);
    }
}

}  // namespace

SpectraTexts spectra_texts(const TermGrams& term_grams, std::span<const std::int64_t> indptr,
                           std::span<const std::int32_t> terms, std::span<const double> frequencies, int threads,
                           Control& control) {
    constexpr std::int64_t kBlock = 2048;
    auto size = static_cast<std::int64_t>(indptr.size()) - 1;
    // One thread needs no parts that are put together in the end, and knows how much there can be.
    bool alone = thread_count(threads) == 1;
    std::int64_t blocks = (size + kBlock - 1) / kBlock;
    std::vector<SpectraTexts> parts(static_cast<std::size_t>(alone ? 1 : blocks));
    if (alone) {
        std::size_t grams = 0;
        for (std::int32_t term : terms) grams += static_cast<std::size_t>(term_grams[term].size);
        parts[0].grams.reserve(grams);
        parts[0].values.reserve(grams);
        parts[0].counts.reserve(grams);
    }
    parallel_blocks(blocks, threads, control, [&](std::int64_t block, int) {
        SpectraBuilder builder(term_grams);
        for (std::int64_t i = block * kBlock; i < std::min(size, (block + 1) * kBlock); ++i) {
            auto begin = static_cast<std::size_t>(indptr[i]), count = static_cast<std::size_t>(indptr[i + 1]) - begin;
            builder.add(parts[alone ? 0 : block], terms.subspan(begin, count),
                        frequencies.empty() ? frequencies : frequencies.subspan(begin, count));
        }
    });
    if (parts.size() == 1) {
        parts[0].made_from = term_grams.identity();
        return std::move(parts[0]);
    }
    SpectraTexts all;
    all.made_from = term_grams.identity();
    join_starts(parts, &SpectraTexts::term_indptr, all);
    join_parts(parts, &SpectraTexts::terms, all);
    join_parts(parts, &SpectraTexts::frequencies, all);
    join_starts(parts, &SpectraTexts::gram_indptr, all);
    join_parts(parts, &SpectraTexts::grams, all);
    join_parts(parts, &SpectraTexts::values, all);
    join_parts(parts, &SpectraTexts::counts, all);
    join_starts(parts, &SpectraTexts::repeated_indptr, all);
    join_parts(parts, &SpectraTexts::repeated, all);
    join_parts(parts, &SpectraTexts::cardinalities, all);
    all.mark_several();
    return all;
}

}  // namespace likewise
