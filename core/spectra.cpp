#include "spectra.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "dispatch.hpp"
#include "intersect.hpp"

namespace likewise {

// Least significant digit first: the lists are short and many, and comparison sorts stumble over branches. A key is the
// gram in the upper half and the place in items_ in the lower.
void SpectraBuilder::sort_keys(std::uint32_t largest) {
    if (keys_.size() < 24) {
        std::sort(keys_.begin(), keys_.end());
        return;
    }
    spare_.resize(keys_.size());
    // As few digits as the largest id needs, none longer than the list is worth.
    int width = std::bit_width(largest), most = keys_.size() < 1000 ? 8 : 11;
    int passes = (width + most - 1) / most, bits = passes ? (width + passes - 1) / passes : 0;
    std::uint32_t mask = (1u << bits) - 1;
    for (int pass = 0; pass < passes; ++pass) {
        int shift = 32 + pass * bits;
        std::array<std::uint32_t, 1 << 11> starts;
        std::fill_n(starts.begin(), mask + 1, 0);
        for (std::uint64_t key : keys_) ++starts[(key >> shift) & mask];
        std::uint32_t sum = 0;
        for (std::uint32_t digit = 0; digit <= mask; ++digit) sum += std::exchange(starts[digit], sum);
        for (std::uint64_t key : keys_) spare_[starts[(key >> shift) & mask]++] = key;
        keys_.swap(spare_);
    }
}

void SpectraBuilder::add(SpectraTexts& out, std::span<const std::int32_t> terms, std::span<const double> frequencies) {
    std::size_t size = 0;
    for (std::int32_t term : terms) {
        TermEntry entry = term_grams_[term];
        size += static_cast<std::size_t>(entry.size);
        for (std::int32_t i = 0; i < entry.size; i += 8) {  // asked for together, the terms' lists arrive together
            __builtin_prefetch(entry.weights + i);
            if (i % 16 == 0) __builtin_prefetch(entry.grams + i);
        }
    }
    keys_.resize(size);
    items_.resize(size);
    repeated_.clear();
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
    sort_keys(largest);
    std::size_t first_gram = out.grams.size(), base = first_gram;
    out.grams.resize(base + size);
    out.values.resize(base + size);
    out.counts.resize(base + size);
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
        if (count > 1)
            for (std::size_t i = begin; i < end; ++i)
                repeated_.push_back({item_of(i).slot, {item_of(i).position, count, sum}});
    }
    out.grams.resize(base);
    out.values.resize(base);
    out.counts.resize(base);
    out.mark_several(first_gram);
    // By term; within a term the positions ascend already, because the q-grams did.
    std::size_t first = out.repeated_indptr.size();
    out.repeated_indptr.resize(first + terms.size(), 0);
    for (const auto& [slot, _] : repeated_) ++out.repeated_indptr[first + static_cast<std::size_t>(slot)];
    for (std::size_t i = first; i < out.repeated_indptr.size(); ++i)
        out.repeated_indptr[i] += out.repeated_indptr[i - 1];
    out.repeated.resize(out.repeated.size() + repeated_.size());
    std::vector<std::int64_t>& next = cursor_;
    next.assign(out.repeated_indptr.begin() + static_cast<std::ptrdiff_t>(first) - 1,
                out.repeated_indptr.end() - (terms.empty() ? 0 : 1));
    for (const auto& [slot, item] : repeated_) out.repeated[static_cast<std::size_t>(next[slot]++)] = item;

    out.terms.insert(out.terms.end(), terms.begin(), terms.end());
    out.frequencies.insert(out.frequencies.end(), frequencies.begin(), frequencies.end());
    out.term_indptr.push_back(static_cast<std::int64_t>(out.terms.size()));
    out.gram_indptr.push_back(static_cast<std::int64_t>(out.grams.size()));
    out.cardinalities.push_back(cardinality);
}

void SpectraTexts::mark_several(std::size_t from) {
    several.resize(counts.size() / 64 + 1, 0);
    for (std::size_t i = from; i < counts.size(); ++i)
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
        parts[0].grams.reserve(grams), parts[0].values.reserve(grams), parts[0].counts.reserve(grams);
    }
    parallel_blocks(blocks, threads, control, [&](std::int64_t block, int) {
        SpectraBuilder builder(term_grams);
        for (std::int64_t i = block * kBlock; i < std::min(size, (block + 1) * kBlock); ++i) {
            auto begin = static_cast<std::size_t>(indptr[i]), count = static_cast<std::size_t>(indptr[i + 1]) - begin;
            builder.add(parts[alone ? 0 : block], terms.subspan(begin, count),
                        frequencies.empty() ? frequencies : frequencies.subspan(begin, count));
        }
    });
    if (parts.size() == 1) return std::move(parts[0]);
    SpectraTexts all;
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
    all.mark_several(0);
    return all;
}

namespace {

// What a q-gram of shared terms is in the two texts and in the part they share (C).
struct Shared {
    std::int32_t gram;
    std::int32_t count_a, count_b, count_c;
    double sum_a, sum_b, sum_c;
};

double correction_of(const Shared& s) {
    double sum = s.sum_a + s.sum_b;
    std::int32_t count = s.count_a + s.count_b;
    return sum / count - (sum - s.sum_c) / (count - s.count_c);
}

}  // namespace

double spectra_correction(const TermGrams& term_grams, const SpectraTexts& left, std::int64_t a,
                          const SpectraTexts& right, std::int64_t b) {
    thread_local std::vector<Shared> scratch;
    std::vector<Shared>& shared = scratch;  // a thread_local is looked up at every use
    shared.clear();
    int terms = 0;
    std::int64_t a_begin = left.term_indptr[a], b_begin = right.term_indptr[b];
    intersect(left.terms.data() + a_begin, left.term_indptr[a + 1] - a_begin, right.terms.data() + b_begin,
              right.term_indptr[b + 1] - b_begin, [&](std::int64_t i, std::int64_t j) {
                  i += a_begin;
                  j += b_begin;
                  double tf_a = left.frequencies.empty() ? 1.0 : left.frequencies[i];
                  double tf_b = right.frequencies.empty() ? 1.0 : right.frequencies[j];
                  const Repeated* at_a = left.repeated.data() + left.repeated_indptr[i];
                  const Repeated* end_a = left.repeated.data() + left.repeated_indptr[i + 1];
                  const Repeated* at_b = right.repeated.data() + right.repeated_indptr[j];
                  const Repeated* end_b = right.repeated.data() + right.repeated_indptr[j + 1];
                  if (tf_a == tf_b && at_a == end_a && at_b == end_b) return;
                  ++terms;
                  TermEntry entry = term_grams[left.terms[i]];
                  double tf_c = std::min(tf_a, tf_b);
                  std::int32_t position = 0;
                  while (position < entry.size) {
                      std::int32_t next_a = at_a < end_a ? at_a->position : entry.size;
                      std::int32_t next_b = at_b < end_b ? at_b->position : entry.size;
                      // Where tf differs every q-gram of the term needs correcting, else only repeated ones.
                      if (tf_a == tf_b) position = std::min(next_a, next_b);
                      if (position == entry.size) break;
                      double weight = entry.weights[position];
                      Shared item{entry.grams[position], 1, 1, 1, tf_a * weight, tf_b * weight, tf_c * weight};
                      if (next_a == position) {
                          item.count_a = at_a->count;
                          item.sum_a = at_a->sum;
                          ++at_a;
                      }
                      if (next_b == position) {
                          item.count_b = at_b->count;
                          item.sum_b = at_b->sum;
                          ++at_b;
                      }
                      shared.push_back(item);
                      ++position;
                  }
              });
    double sum = 0;
    if (terms <= 1) {
        for (const Shared& item : shared) sum += correction_of(item);
        return sum;
    }
    if (shared.size() > 32) {
        std::stable_sort(shared.begin(), shared.end(), [](auto& x, auto& y) { return x.gram < y.gram; });
    } else {  // what std::stable_sort does, without first asking for memory
        for (std::size_t i = 1; i < shared.size(); ++i)
            for (std::size_t j = i; j > 0 && shared[j].gram < shared[j - 1].gram; --j)
                std::swap(shared[j], shared[j - 1]);
    }
    for (std::size_t begin = 0, end; begin < shared.size(); begin = end) {
        Shared item = shared[begin];
        for (end = begin + 1; end < shared.size() && shared[end].gram == item.gram; ++end) {
            item.count_c += shared[end].count_c;
            item.sum_c += shared[end].sum_c;
        }
        sum += correction_of(item);
    }
    return sum;
}

double SpectraScorer::common(std::int64_t a, std::int64_t b) const {
    std::int64_t a_begin = left.gram_indptr[a], b_begin = right.gram_indptr[b];
    const double *value_a = left.values.data() + a_begin, *value_b = right.values.data() + b_begin;
    double base = 0;
    std::int32_t most = 1;
    intersect(left.grams.data() + a_begin, left.gram_indptr[a + 1] - a_begin, right.grams.data() + b_begin,
              right.gram_indptr[b + 1] - b_begin, [&](std::int64_t i, std::int64_t j) {
                  std::int32_t count_a = left.count(a_begin + i), count_b = right.count(b_begin + j);
                  base += spectra_base(value_a[i], count_a, value_b[j], count_b);
                  most = std::max({most, count_a, count_b});
              });
    return needs_correction(base, most) ? base + spectra_correction(term_grams, left, a, right, b) : base;
}

void SpectraScorer::prefetch_pointers(std::int64_t a, std::int64_t b) const {
    auto touch = [](const SpectraTexts& texts, std::int64_t text) {
        __builtin_prefetch(&texts.gram_indptr[text]);
        __builtin_prefetch(&texts.term_indptr[text]);
        __builtin_prefetch(&texts.cardinalities[text]);
    };
    touch(left, a);
    touch(right, b);
}

void SpectraScorer::prefetch(std::int64_t a, std::int64_t b) const {
    auto touch = [](const SpectraTexts& texts, std::int64_t text) {
        std::int64_t begin = texts.gram_indptr[text], end = std::min(texts.gram_indptr[text + 1], begin + 192);
        for (std::int64_t i = begin; i < end; i += 16) {
            __builtin_prefetch(&texts.grams[i]);
            __builtin_prefetch(&texts.values[i]);
            __builtin_prefetch(&texts.values[i] + 8);
        }
        __builtin_prefetch(&texts.several[begin >> 6]);
        __builtin_prefetch(&texts.terms[texts.term_indptr[text]]);
        __builtin_prefetch(&texts.repeated_indptr[texts.term_indptr[text]]);
    };
    touch(left, a);
    touch(right, b);
}

bool SpectraPair::add(std::string_view text) {
    if (!vocabulary_.known_terms(text, options_, terms_)) return false;
    std::sort(terms_.begin(), terms_.end());
    frequencies_.clear();
    std::size_t kept = 0;
    for (std::size_t begin = 0, end; begin < terms_.size(); begin = end) {
        for (end = begin + 1; end < terms_.size() && terms_[end] == terms_[begin];) ++end;
        terms_[kept++] = terms_[begin];
        if (with_frequencies_) frequencies_.push_back(static_cast<double>(end - begin));
    }
    terms_.resize(kept);
    if (!terms_.empty() && terms_.back() >= term_grams_.size()) return false;
    builder_.add(texts_, terms_, frequencies_);
    return true;
}

std::optional<double> SpectraPair::score(std::string_view left, std::string_view right) {
    if (!ready_ || vocabulary_.busy) return std::nullopt;
    texts_.clear();
    if (!add(left) || !add(right)) return std::nullopt;
    return SpectraScorer(term_grams_, texts_, texts_, coefficient_).score(0, 1);
}

double SpectraScorer::score(std::int64_t a, std::int64_t b) const {
    return coefficient(common(a, b), left.cardinalities[a], right.cardinalities[b]);
}

namespace {

// The right side's q-grams turned around for a block of columns. Those that are in one term of their text come first,
// because they need no division.
struct Inverted {
    std::vector<std::int64_t> starts, middles;  // per gram; the stretch of gram g is [starts[g], starts[g + 1])
    std::vector<std::int32_t> columns;
    std::vector<double> values;
    std::vector<std::int32_t> counts;

    Inverted(const SpectraTexts& texts, std::int64_t begin, std::int64_t end, std::int32_t grams)
        : starts(static_cast<std::size_t>(grams) + 1, 0), middles(static_cast<std::size_t>(grams), 0) {
        std::int64_t from = texts.gram_indptr[begin], to = texts.gram_indptr[end];
        for (std::int64_t k = from; k < to; ++k) {
            ++starts[static_cast<std::size_t>(texts.grams[k]) + 1];
            middles[texts.grams[k]] += texts.counts[k] == 1;
        }
        for (std::size_t g = 0; g + 1 < starts.size(); ++g) {
            starts[g + 1] += starts[g];
            middles[g] += starts[g];
        }
        columns.resize(static_cast<std::size_t>(to - from));
        values.resize(columns.size());
        counts.resize(columns.size());
        std::vector<std::int64_t> single(starts.begin(), starts.end() - 1), several(middles);
        for (std::int64_t text = begin; text < end; ++text)
            for (std::int64_t k = texts.gram_indptr[text]; k < texts.gram_indptr[text + 1]; ++k) {
                std::int32_t gram = texts.grams[k];
                auto at = static_cast<std::size_t>(texts.counts[k] == 1 ? single[gram]++ : several[gram]++);
                columns[at] = static_cast<std::int32_t>(text - begin);
                values[at] = texts.values[k];
                counts[at] = texts.counts[k];
            }
    }
};

LIKEWISE_DISPATCH
void add_row(const SpectraTexts& left, std::int64_t a, const Inverted& right, double* row) {
    auto known = static_cast<std::int32_t>(right.middles.size());
    for (std::int64_t i = left.gram_indptr[a]; i < left.gram_indptr[a + 1]; ++i) {
        std::int32_t gram = left.grams[i];
        if (gram >= known) continue;
        double value = left.values[i];
        std::int32_t count = left.counts[i];
        std::int64_t k = right.starts[gram], middle = right.middles[gram], end = right.starts[gram + 1];
        if (count == 1) {
            for (; k < middle; ++k) row[right.columns[k]] += (value + right.values[k]) * 0.5;
        }
        for (; k < end; ++k) row[right.columns[k]] += spectra_base(value, count, right.values[k], right.counts[k]);
    }
}

}  // namespace

void spectra_matrix(const SpectraScorer& scorer, double* out, int threads, Control& control) {
    constexpr std::int64_t kRows = 32, kColumns = 4096;
    const SpectraTexts &left = scorer.left, &right = scorer.right;
    std::int64_t width = right.size();
    std::int32_t grams = 0;
    for (std::int32_t gram : right.grams) grams = std::max(grams, gram + 1);
    std::int32_t terms = 0;
    for (std::int32_t term : left.terms) terms = std::max(terms, term + 1);
    std::int64_t row_blocks = (left.size() + kRows - 1) / kRows;
    for (std::int64_t begin = 0; begin < width; begin += kColumns) {
        std::int64_t end = std::min(width, begin + kColumns);
        Inverted inverted(right, begin, end, grams);
        std::vector<std::vector<std::int64_t>> marks(static_cast<std::size_t>(thread_count(threads)));
        parallel_blocks(row_blocks, threads, control, [&](std::int64_t block, int worker) {
            // For each term the place of (this row's text, term) plus one; 0 where the row has no such term.
            std::vector<std::int64_t>& mark = marks[worker];
            mark.resize(static_cast<std::size_t>(terms), 0);
            for (std::int64_t a = block * kRows; a < std::min(left.size(), (block + 1) * kRows); ++a) {
                double* row = out + a * width + begin;
                std::fill(row, row + (end - begin), 0.0);
                add_row(left, a, inverted, row);
                for (std::int64_t i = left.term_indptr[a]; i < left.term_indptr[a + 1]; ++i)
                    mark[left.terms[i]] = i + 1;
                for (std::int64_t b = begin; b < end; ++b) {
                    double& cell = row[b - begin];
                    if (cell == 0) continue;
                    for (std::int64_t j = right.term_indptr[b]; j < right.term_indptr[b + 1]; ++j) {
                        if (right.terms[j] >= terms || !mark[right.terms[j]]) continue;
                        std::int64_t i = mark[right.terms[j]] - 1;
                        bool same = left.frequencies.empty() || left.frequencies[i] == right.frequencies[j];
                        if (same && left.repeated_indptr[i] == left.repeated_indptr[i + 1] &&
                            right.repeated_indptr[j] == right.repeated_indptr[j + 1])
                            continue;
                        cell += spectra_correction(scorer.term_grams, left, a, right, b);
                        break;
                    }
                    cell = scorer.coefficient(cell, left.cardinalities[a], right.cardinalities[b]);
                }
                for (std::int64_t i = left.term_indptr[a]; i < left.term_indptr[a + 1]; ++i) mark[left.terms[i]] = 0;
            }
        });
    }
}

}  // namespace likewise
