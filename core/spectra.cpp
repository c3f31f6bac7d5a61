#include "spectra.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "dispatch.hpp"

namespace likewise {

// Least significant digit first: the lists are short and many, and comparison sorts stumble over branches.
void SpectraBuilder::sort_by_gram() {
    auto &items = items_, &spare = spare_;
    constexpr int kBits = 9;
    constexpr std::uint32_t kMask = (1u << kBits) - 1;
    if (items.size() < 48) {
        std::stable_sort(items.begin(), items.end(), [](auto& a, auto& b) { return a.gram < b.gram; });
        return;
    }
    std::uint32_t largest = 0;
    for (const auto& item : items) largest = std::max(largest, static_cast<std::uint32_t>(item.gram));
    spare.resize(items.size());
    for (int shift = 0; shift < 32 && (largest >> shift); shift += kBits) {
        std::array<std::uint32_t, kMask + 1> starts{};
        for (const auto& item : items) ++starts[(static_cast<std::uint32_t>(item.gram) >> shift) & kMask];
        std::uint32_t sum = 0;
        for (auto& start : starts) sum += std::exchange(start, sum);
        for (const auto& item : items) spare[starts[(static_cast<std::uint32_t>(item.gram) >> shift) & kMask]++] = item;
        items.swap(spare);
    }
}

void SpectraBuilder::add(SpectraTexts& out, std::span<const std::int32_t> terms, std::span<const double> frequencies) {
    auto &items = items_;
    auto &repeated = repeated_;
    items.clear();
    repeated.clear();
    for (std::size_t slot = 0; slot < terms.size(); ++slot) {
        TermEntry entry = term_grams_[terms[slot]];
        double frequency = frequencies.empty() ? 1.0 : frequencies[slot];
        for (std::int32_t i = 0; i < entry.size; ++i)
            items.push_back({entry.grams[i], static_cast<std::int32_t>(slot), i, frequency * entry.weights[i]});
    }
    sort_by_gram();
    double cardinality = 0;
    for (std::size_t begin = 0, end; begin < items.size(); begin = end) {
        double sum = 0;
        for (end = begin; end < items.size() && items[end].gram == items[begin].gram; ++end) sum += items[end].weight;
        auto count = static_cast<std::int32_t>(end - begin);
        double value = sum / count;
        out.grams.push_back(items[begin].gram);
        out.values.push_back(value);
        out.counts.push_back(count);
        cardinality += value;
        if (count > 1)
            for (std::size_t i = begin; i < end; ++i)
                repeated.push_back({items[i].slot, {items[i].position, count, sum}});
    }
    // By term; within a term the positions ascend already, because the q-grams did.
    std::size_t first = out.repeated_indptr.size();
    out.repeated_indptr.resize(first + terms.size(), 0);
    for (const auto& [slot, _] : repeated) ++out.repeated_indptr[first + static_cast<std::size_t>(slot)];
    for (std::size_t i = first; i < out.repeated_indptr.size(); ++i)
        out.repeated_indptr[i] += out.repeated_indptr[i - 1];
    out.repeated.resize(out.repeated.size() + repeated.size());
    std::vector<std::int64_t>& next = cursor_;
    next.assign(out.repeated_indptr.begin() + static_cast<std::ptrdiff_t>(first) - 1,
                out.repeated_indptr.end() - (terms.empty() ? 0 : 1));
    for (const auto& [slot, item] : repeated) out.repeated[static_cast<std::size_t>(next[slot]++)] = item;

    out.terms.insert(out.terms.end(), terms.begin(), terms.end());
    out.frequencies.insert(out.frequencies.end(), frequencies.begin(), frequencies.end());
    out.term_indptr.push_back(static_cast<std::int64_t>(out.terms.size()));
    out.gram_indptr.push_back(static_cast<std::int64_t>(out.grams.size()));
    out.cardinalities.push_back(cardinality);
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
    repeated.clear();
    cardinalities.clear();
}

namespace {

template <class Value>
void append(std::vector<Value>& to, std::vector<Value>& from) {
    if (to.empty()) {
        to = std::move(from);
    } else {
        to.insert(to.end(), from.begin(), from.end());
    }
}

void append_pointers(std::vector<std::int64_t>& to, const std::vector<std::int64_t>& from) {
    std::int64_t base = to.back();
    to.reserve(to.size() + from.size() - 1);
    for (std::size_t i = 1; i < from.size(); ++i) to.push_back(base + from[i]);
}

}  // namespace

SpectraTexts spectra_texts(const TermGrams& term_grams, std::span<const std::int64_t> indptr,
                           std::span<const std::int32_t> terms, std::span<const double> frequencies, int threads,
                           Control& control) {
    constexpr std::int64_t kBlock = 2048;
    auto size = static_cast<std::int64_t>(indptr.size()) - 1;
    std::int64_t blocks = (size + kBlock - 1) / kBlock;
    std::vector<SpectraTexts> parts(static_cast<std::size_t>(blocks));
    parallel_blocks(blocks, threads, control, [&](std::int64_t block, int) {
        SpectraBuilder builder(term_grams);
        for (std::int64_t i = block * kBlock; i < std::min(size, (block + 1) * kBlock); ++i) {
            auto begin = static_cast<std::size_t>(indptr[i]), count = static_cast<std::size_t>(indptr[i + 1]) - begin;
            builder.add(parts[block], terms.subspan(begin, count),
                        frequencies.empty() ? frequencies : frequencies.subspan(begin, count));
        }
    });
    if (blocks == 1) return std::move(parts[0]);
    SpectraTexts all;
    for (SpectraTexts& part : parts) {
        append_pointers(all.term_indptr, part.term_indptr);
        append(all.terms, part.terms);
        append(all.frequencies, part.frequencies);
        append_pointers(all.gram_indptr, part.gram_indptr);
        append(all.grams, part.grams);
        append(all.values, part.values);
        append(all.counts, part.counts);
        append_pointers(all.repeated_indptr, part.repeated_indptr);
        append(all.repeated, part.repeated);
        append(all.cardinalities, part.cardinalities);
        part = SpectraTexts();
    }
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
    thread_local std::vector<Shared> shared;
    shared.clear();
    int terms = 0;
    std::int64_t i = left.term_indptr[a], i_end = left.term_indptr[a + 1];
    std::int64_t j = right.term_indptr[b], j_end = right.term_indptr[b + 1];
    while (i < i_end && j < j_end) {
        std::int32_t x = left.terms[i], y = right.terms[j];
        if (x != y) {
            i += x < y;
            j += y < x;
            continue;
        }
        double tf_a = left.frequencies.empty() ? 1.0 : left.frequencies[i];
        double tf_b = right.frequencies.empty() ? 1.0 : right.frequencies[j];
        const Repeated* at_a = left.repeated.data() + left.repeated_indptr[i];
        const Repeated* end_a = left.repeated.data() + left.repeated_indptr[i + 1];
        const Repeated* at_b = right.repeated.data() + right.repeated_indptr[j];
        const Repeated* end_b = right.repeated.data() + right.repeated_indptr[j + 1];
        ++i;
        ++j;
        if (tf_a == tf_b && at_a == end_a && at_b == end_b) continue;
        ++terms;
        TermEntry entry = term_grams[x];
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
    }
    double sum = 0;
    if (terms <= 1) {
        for (const Shared& item : shared) sum += correction_of(item);
        return sum;
    }
    std::stable_sort(shared.begin(), shared.end(), [](auto& x, auto& y) { return x.gram < y.gram; });
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
    const std::int32_t* x = left.grams.data();
    const std::int32_t* y = right.grams.data();
    std::int64_t i = left.gram_indptr[a], i_end = left.gram_indptr[a + 1];
    std::int64_t j = right.gram_indptr[b], j_end = right.gram_indptr[b + 1];
    double base = 0;
    while (i < i_end && j < j_end) {
        std::int32_t u = x[i], v = y[j];
        if (u == v) base += spectra_base(left.values[i], left.counts[i], right.values[j], right.counts[j]);
        i += u <= v;
        j += v <= u;
    }
    return base == 0 ? 0 : base + spectra_correction(term_grams, left, a, right, b);
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
                for (std::int64_t i = left.term_indptr[a]; i < left.term_indptr[a + 1]; ++i) mark[left.terms[i]] = i + 1;
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
