#include "spectra.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "intersect.hpp"
#include "lists.hpp"
#include "portable.hpp"
#include "radix.hpp"

namespace likewise {

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

// One side of a shared term: how often the text has it, and its q-grams that other terms of the text have, too.
struct Side {
    double tf;
    const Repeated *at, *end;

    Side(const SpectraTexts& texts, std::int64_t place)
        : tf(texts.frequency(place)),
          at(texts.repeated.data() + texts.repeated_indptr[place]),
          end(texts.repeated.data() + texts.repeated_indptr[place + 1]) {}
    std::int32_t next(std::int32_t none) const { return at < end ? at->position : none; }
    // If this is the next repeated q-gram, gives its count and sum, and goes on.
    void take(std::int32_t position, std::int32_t& count, double& sum) {
        if (at == end || at->position != position) return;
        count = at->count;
        sum = at->sum;
        ++at;
    }
};

// The q-grams of a shared term that need correcting: all where tf differs, else the repeated ones.
void add_shared(const TermEntry& entry, Side a, Side b, std::vector<Shared>& out) {
    double tf_c = std::min(a.tf, b.tf);
    for (std::int32_t position = 0; position < entry.size; ++position) {
        if (a.tf == b.tf) position = std::min(a.next(entry.size), b.next(entry.size));
        if (position == entry.size) break;
        double weight = entry.weights[position];
        Shared item{entry.grams[position], 1, 1, 1, a.tf * weight, b.tf * weight, tf_c * weight};
        a.take(position, item.count_a, item.sum_a);
        b.take(position, item.count_b, item.sum_b);
        out.push_back(item);
    }
}

void sort_by_gram(std::vector<Shared>& shared) {
    if (shared.size() > 32) {
        thread_local std::vector<std::uint64_t> keys, spare;
        thread_local std::vector<Shared> ordered;
        keys.clear();
        std::int32_t largest = 0;
        for (std::size_t i = 0; i < shared.size(); ++i) {
            largest = std::max(largest, shared[i].gram);
            keys.push_back(static_cast<std::uint64_t>(shared[i].gram) << 32 | i);
        }
        sort_by_upper(keys, spare, static_cast<std::uint32_t>(largest));
        ordered.clear();
        for (std::uint64_t key : keys) ordered.push_back(shared[static_cast<std::uint32_t>(key)]);
        shared.swap(ordered);
        return;
    }
    // What std::stable_sort does, without first asking for memory.
    for (std::size_t i = 1; i < shared.size(); ++i)
        for (std::size_t j = i; j > 0 && shared[j].gram < shared[j - 1].gram; --j) std::swap(shared[j], shared[j - 1]);
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
                  Side side_a(left, a_begin + i), side_b(right, b_begin + j);
                  if (side_a.tf == side_b.tf && side_a.at == side_a.end && side_b.at == side_b.end) return;
                  ++terms;
                  add_shared(term_grams[left.terms[a_begin + i]], side_a, side_b, shared);
              });
    double sum = 0;
    if (terms <= 1) {
        for (const Shared& item : shared) sum += correction_of(item);
        return sum;
    }
    sort_by_gram(shared);
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

void SpectraScorer::expect_pair_soon(std::int64_t a, std::int64_t b) const {
    auto touch = [](const SpectraTexts& texts, std::int64_t text) {
        prefetch(texts.gram_indptr.data(), text);
        prefetch(texts.term_indptr.data(), text);
        prefetch(texts.cardinalities.data(), text);
    };
    touch(left, a);
    touch(right, b);
}

void SpectraScorer::expect_pair(std::int64_t a, std::int64_t b) const {
    auto touch = [](const SpectraTexts& texts, std::int64_t text) {
        std::int64_t begin = texts.gram_indptr[text], end = std::min(texts.gram_indptr[text + 1], begin + kExpected);
        for (std::int64_t i = begin; i < end; i += 16) {
            prefetch(texts.grams.data(), i);
            prefetch(texts.values.data(), i);
            prefetch(texts.values.data(), i + 8);
        }
        prefetch(texts.several.data(), begin >> 6);
        prefetch(texts.terms.data(), texts.term_indptr[text]);
        prefetch(texts.repeated_indptr.data(), texts.term_indptr[text]);
    };
    touch(left, a);
    touch(right, b);
}

double SpectraScorer::score(std::int64_t a, std::int64_t b, double) const {
    return coefficient(common(a, b), left.cardinalities[a], right.cardinalities[b]);
}

namespace {

// The right side's q-grams turned around for a block of columns. Those that are in one term of their text come first,
// because they need no division.
struct Columns {
    std::vector<std::int64_t>
        starts;  // q-gram g has [starts[2g], starts[2g + 1]) of one term, then up to starts[2g + 2]
    std::vector<std::int32_t> rows;
    std::vector<double> values;
    std::vector<std::int32_t> counts;

    Columns(const SpectraTexts& texts, std::int64_t begin, std::int64_t end, std::int32_t grams)
        : rows(static_cast<std::size_t>(texts.gram_indptr[end] - texts.gram_indptr[begin])),
          values(rows.size()),
          counts(rows.size()) {
        auto each = [&](auto&& visit) {
            for (std::int64_t text = begin; text < end; ++text)
                for (std::int64_t k = texts.gram_indptr[text]; k < texts.gram_indptr[text + 1]; ++k)
                    visit(2 * static_cast<std::size_t>(texts.grams[k]) + (texts.counts[k] > 1), text, k);
        };
        auto put = [&](std::size_t at, std::int64_t text, std::int64_t k) {
            rows[at] = static_cast<std::int32_t>(text - begin);
            values[at] = texts.values[k];
            counts[at] = texts.counts[k];
        };
        starts = into_lists(2 * static_cast<std::size_t>(grams), each, put);
    }
};

LIKEWISE_DISPATCH
void add_row(const SpectraTexts& left, std::int64_t a, const Columns& right, double* row) {
    auto known = static_cast<std::int64_t>(right.starts.size() / 2);
    for (std::int64_t i = left.gram_indptr[a]; i < left.gram_indptr[a + 1]; ++i) {
        std::int64_t gram = left.grams[i];
        if (gram >= known) continue;
        double value = left.values[i];
        std::int32_t count = left.counts[i];
        std::int64_t k = right.starts[2 * gram], middle = right.starts[2 * gram + 1], end = right.starts[2 * gram + 2];
        if (count == 1) {
            for (; k < middle; ++k) row[right.rows[k]] += (value + right.values[k]) * 0.5;
        }
        for (; k < end; ++k) row[right.rows[k]] += spectra_base(value, count, right.values[k], right.counts[k]);
    }
}

// Completes a row of sums over shared q-grams: corrects them for shared terms, and divides.
class RowFinisher {
public:
    RowFinisher(const SpectraScorer& scorer, std::int32_t terms)
        : scorer_(scorer), mark_(static_cast<std::size_t>(terms), 0) {}

    // row[b - begin] for the right texts [begin, end).
    void finish(std::int64_t a, std::int64_t begin, std::int64_t end, double* row) {
        const SpectraTexts &left = scorer_.left, &right = scorer_.right;
        for (std::int64_t i = left.term_indptr[a]; i < left.term_indptr[a + 1]; ++i) mark_[left.terms[i]] = i + 1;
        for (std::int64_t b = begin; b < end; ++b) {
            double& cell = row[b - begin];
            if (cell == 0) continue;
            if (needs_correction(b)) cell += spectra_correction(scorer_.term_grams, left, a, right, b);
            cell = scorer_.coefficient(cell, left.cardinalities[a], right.cardinalities[b]);
        }
        for (std::int64_t i = left.term_indptr[a]; i < left.term_indptr[a + 1]; ++i) mark_[left.terms[i]] = 0;
    }

private:
    // Whether a term that the row's text and b share is not the same in both, or shares q-grams with other terms.
    bool needs_correction(std::int64_t b) const {
        const SpectraTexts &left = scorer_.left, &right = scorer_.right;
        for (std::int64_t j = right.term_indptr[b]; j < right.term_indptr[b + 1]; ++j) {
            if (static_cast<std::size_t>(right.terms[j]) >= mark_.size() || !mark_[right.terms[j]]) continue;
            std::int64_t i = mark_[right.terms[j]] - 1;
            if (left.frequency(i) != right.frequency(j) || left.repeated_indptr[i] != left.repeated_indptr[i + 1] ||
                right.repeated_indptr[j] != right.repeated_indptr[j + 1])
                return true;
        }
        return false;
    }

    const SpectraScorer& scorer_;
    std::vector<std::int64_t> mark_;  // by term: its place in the row's text plus one; 0 where that has no such term
};

}  // namespace

void SpectraScorer::matrix(double* out, int threads, Control& control) const {
    constexpr std::int64_t kRows = 32, kColumns = 4096;
    std::int64_t width = right.size();
    std::int32_t grams = 0, terms = 0;
    for (std::int32_t gram : right.grams) grams = std::max(grams, gram + 1);
    for (std::int32_t term : left.terms) terms = std::max(terms, term + 1);
    std::int64_t row_blocks = (left.size() + kRows - 1) / kRows;
    std::vector<RowFinisher> finishers(static_cast<std::size_t>(thread_count(threads)), RowFinisher(*this, terms));
    for (std::int64_t begin = 0; begin < width; begin += kColumns) {
        std::int64_t end = std::min(width, begin + kColumns);
        Columns columns(right, begin, end, grams);
        parallel_blocks(row_blocks, threads, control, [&](std::int64_t block, int worker) {
            for (std::int64_t a = block * kRows; a < std::min(left.size(), (block + 1) * kRows); ++a) {
                double* row = out + a * width + begin;
                std::fill(row, row + (end - begin), 0.0);
                add_row(left, a, columns, row);
                finishers[worker].finish(a, begin, end, row);
            }
        });
    }
}

}  // namespace likewise
