#include "join_sums.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "huge.hpp"
#include "join_candidates.hpp"
#include "join_found.hpp"
#include "spectra.hpp"

namespace likewise::join {

namespace {

// Room for the rounding of a bound.
constexpr double kLess = 1 - 1e-9, kMore = 1 + 1e-9;

// Right texts by q-gram: those where one term has it, and those where several have.
struct Lists {
#pragma pack(push, 4)
    struct Single {
        std::int32_t text;
        double value;
    };
#pragma pack(pop)
    struct Several {
        std::int32_t text, count;
        double value;
    };
    std::vector<std::int64_t> single_start, several_start;  // by q-gram
    HugeVector<Single> single;
    HugeVector<Several> several;

    explicit Lists(const SpectraTexts& texts);

    std::int64_t grams() const { return std::ssize(single_start) - 1; }
    std::span<const Single> single_of(std::int32_t gram) const {
        return {single.data() + single_start[gram], single.data() + single_start[gram + 1]};
    }
    std::span<const Several> several_of(std::int32_t gram) const {
        return {several.data() + several_start[gram], several.data() + several_start[gram + 1]};
    }
    std::int64_t size(std::int32_t gram) const {
        return gram >= grams()
                   ? 0
                   : single_start[gram + 1] - single_start[gram] + several_start[gram + 1] - several_start[gram];
    }
};

Lists::Lists(const SpectraTexts& texts) {
    std::int32_t last = texts.grams.empty() ? -1 : *std::ranges::max_element(texts.grams);
    single_start.assign(static_cast<std::size_t>(last) + 2, 0);
    several_start = single_start;
    auto each = [&](auto&& take) {
        for (std::int64_t text = 0; text < texts.size(); ++text) {
            if (!(texts.cardinalities[text] > 0)) continue;
            for (std::int64_t i = texts.gram_indptr[text]; i < texts.gram_indptr[text + 1]; ++i)
                take(static_cast<std::int32_t>(text), i);
        }
    };
    each([&](std::int32_t, std::int64_t i) {
        ++(texts.count(i) > 1 ? several_start : single_start)[texts.grams[i] + 1];
    });
    std::partial_sum(single_start.begin(), single_start.end(), single_start.begin());
    std::partial_sum(several_start.begin(), several_start.end(), several_start.begin());
    single.resize(static_cast<std::size_t>(single_start.back()));
    several.resize(static_cast<std::size_t>(several_start.back()));
    std::vector<std::int64_t> single_at(single_start), several_at(several_start);
    each([&](std::int32_t text, std::int64_t i) {
        std::int32_t gram = texts.grams[i], count = texts.count(i);
        if (count > 1)
            several[several_at[gram]++] = {text, count, texts.values[i]};
        else
            single[single_at[gram]++] = {text, texts.values[i]};
    });
}

class Sums {
public:
    Sums(const SpectraScorer& scorer, const Options& options, const Lists& lists)
        : scorer_(scorer), options_(options), lists_(lists), count_(std::min(options.count, scorer.right_size())) {
        if (harmonic())
            for (double size : scorer.right.cardinalities) inverse_.push_back(0.5 / size);
    }

    Result run(Control& control) const;

private:
    struct Worker {
        HugeVector<double> sums;   // by right text; 0 between rows
        std::vector<double> more;  // the same: what corrections can add, above 0 for every text of `loose`
        std::vector<std::int32_t> touched, loose;
        std::vector<double> common, scores;  // by place in `touched`
        std::vector<double> set_aside;       // by place in `loose`: its sum
        std::vector<double> largest;         // scores of groups
        Stats stats;

        explicit Worker(std::int64_t texts) : more(static_cast<std::size_t>(texts), 0.0) {
            sums.resize(static_cast<std::size_t>(texts), 0.0);
        }
    };

    bool harmonic() const { return scorer_.coefficient.kind == Coefficient::Kind::mean && scorer_.coefficient.p == -1; }
    void fill(Worker& worker, std::int64_t left) const;
    double least_score(Worker& worker) const;
    template <class Rate>
    void choose(Worker& worker, std::int64_t left, BestPairs& best, Rate&& rate) const;
    void row(Worker& worker, std::int64_t left, std::vector<Pair>& out) const;

    const SpectraScorer& scorer_;
    const Options& options_;
    const Lists& lists_;
    std::int64_t count_;
    std::vector<double> inverse_;  // half of 1 / size, by right text
};

void Sums::fill(Worker& worker, std::int64_t left) const {
    const SpectraTexts& texts = scorer_.left;
    std::int64_t first = texts.gram_indptr[left], last = texts.gram_indptr[left + 1], postings = 0;
    for (std::int64_t i = first; i < last; ++i) postings += lists_.size(texts.grams[i]);
    worker.stats.postings += postings;
    worker.touched.resize(static_cast<std::size_t>(postings) + 1);
    std::int32_t* touched = worker.touched.data();
    double* sums = worker.sums.data();
    std::size_t count = 0;
    // Written whether or not the text was met before: half of them were, which nobody can guess.
    auto add = [&](std::int32_t text, double base) {
        double sum = sums[text];
        touched[count] = text;
        count += sum == 0;
        sums[text] = sum + base;
    };
    for (std::int64_t i = first; i < last; ++i) {
        std::int32_t gram = texts.grams[i], own = texts.count(i);
        if (gram >= lists_.grams()) continue;
        double value = texts.values[i];
        // The operations of Completer::common.
        auto add_loose = [&](std::int32_t text, double other, std::int32_t others) {
            double base = spectra_base(value, own, other, others);
            double most = own > 1 && others > 1 ? value + other : own == 1 ? value : other;
            add(text, base);
            if (worker.more[text] == 0) worker.loose.push_back(text);
            worker.more[text] += std::max(most - base, std::numeric_limits<double>::min());
        };
        if (own == 1)
            for (const auto& one : lists_.single_of(gram)) add(one.text, (value + one.value) * 0.5);
        else
            for (const auto& one : lists_.single_of(gram)) add_loose(one.text, one.value, 1);
        for (const auto& one : lists_.several_of(gram)) add_loose(one.text, one.value, one.count);
    }
    worker.touched.resize(count);
}

// A score that `count_` texts reach, if so many were touched: dealt out to some groups in turn, of each the largest.
double Sums::least_score(Worker& worker) const {
    const auto& scores = worker.scores;
    auto groups = static_cast<std::size_t>(std::max<std::int64_t>(64, 4 * count_));
    if (std::ssize(scores) < count_) return 0;
    auto& largest = worker.largest;
    largest.assign(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(std::min(groups, scores.size())));
    for (std::size_t first = groups; first < scores.size(); first += groups) {
        const double* round = scores.data() + first;
        std::size_t count = std::min(groups, scores.size() - first);
        for (std::size_t i = 0; i < count; ++i) largest[i] = std::max(largest[i], round[i]);
    }
    std::nth_element(largest.begin(), largest.begin() + (count_ - 1), largest.end(), std::greater<>());
    return largest[count_ - 1];
}

// Adds what can be among the best. rate(common, text): the score of what is common, but for rounding.
template <class Rate>
void Sums::choose(Worker& worker, std::int64_t left, BestPairs& best, Rate&& rate) const {
    double size = scorer_.left.cardinalities[left];
    const auto& sizes = scorer_.right.cardinalities;
    auto add = [&](std::int32_t text, double common) {
        ++worker.stats.candidates;
        double score = scorer_.coefficient(common, size, sizes[text]);
        if (score > 0 && score >= options_.min_score) best.add({score, static_cast<std::int32_t>(left), text});
    };
    // Those of `loose` wait, and are 0 among the others.
    worker.set_aside.clear();
    for (std::int32_t text : worker.loose) worker.set_aside.push_back(std::exchange(worker.sums[text], 0.0));
    std::size_t count = worker.touched.size();
    worker.common.resize(count);
    worker.scores.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        // A text that a weight of 0 was added to stands here twice; it is 0 the second time.
        std::int32_t text = worker.touched[i];
        worker.common[i] = std::exchange(worker.sums[text], 0.0);
        worker.scores[i] = rate(worker.common[i], text);
    }
    // Above 0: what has nothing in common with the text is no candidate.
    double least = std::max({least_score(worker), options_.min_score, std::numeric_limits<double>::min()}) * kLess;
    for (std::size_t i = 0; i < count; ++i)
        if (worker.scores[i] >= least) add(worker.touched[i], worker.common[i]);
    for (std::size_t i = 0; i < worker.loose.size(); ++i) {
        std::int32_t text = worker.loose[i];
        double sum = worker.set_aside[i], more = std::exchange(worker.more[text], 0.0);
        if (sum == 0 || rate(sum + more, text) * kMore < std::max(least, least_of(best))) continue;
        ++worker.stats.scored;
        add(text, sum + spectra_correction(scorer_.term_grams, scorer_.left, left, scorer_.right, text));
    }
    worker.loose.clear();
}

void Sums::row(Worker& worker, std::int64_t left, std::vector<Pair>& out) const {
    double size = scorer_.left.cardinalities[left];
    if (!(size > 0)) return;
    fill(worker, left);
    if (options_.self_join) worker.sums[left] = 0;
    BestPairs best(count_);
    if (harmonic()) {
        double inverse = 0.5 / size;
        choose(worker, left, best,
               [&](double common, std::int32_t text) { return common * (inverse + inverse_[text]); });
    } else {
        bool jaccard = scorer_.coefficient.kind == Coefficient::Kind::jaccard;
        const auto& sizes = scorer_.right.cardinalities;
        choose(worker, left, best, [&](double common, std::int32_t text) {
            // A bound may be more than two texts can have in common.
            if (jaccard && common >= size + sizes[text]) return std::numeric_limits<double>::infinity();
            return scorer_.coefficient(common, size, sizes[text]);
        });
    }
    const auto& pairs = best.sorted();
    out.insert(out.end(), pairs.begin(), pairs.end());
}

Result Sums::run(Control& control) const {
    constexpr std::int64_t kChunk = 128;
    std::int64_t rows = count_ > 0 ? scorer_.left_size() : 0, chunks = (rows + kChunk - 1) / kChunk;
    int threads = static_cast<int>(std::clamp<std::int64_t>(chunks, 1, thread_count(options_.threads)));
    std::vector<Worker> workers(static_cast<std::size_t>(threads), Worker(scorer_.right_size()));
    Found found(static_cast<std::size_t>(chunks));
    parallel_blocks(chunks, threads, control, [&](std::int64_t chunk, int number) {
        for (std::int64_t left = chunk * kChunk; left < std::min(rows, (chunk + 1) * kChunk); ++left)
            row(workers[number], left, found[chunk]);
    });
    Result result;
    for (const Worker& worker : workers) {
        result.stats.postings += worker.stats.postings;
        result.stats.candidates += worker.stats.candidates;
        result.stats.scored += worker.stats.scored;
    }
    for (const auto& pairs : found) put_columns(pairs, result);
    return result;
}

// What all left texts meet in lists of the right side.
std::int64_t postings_of(const SpectraScorer& scorer) {
    std::vector<std::int64_t> lengths;
    auto each = [&](const SpectraTexts& texts, auto&& visit) {
        for (std::int32_t gram : texts.grams) visit(static_cast<std::size_t>(gram));
    };
    each(scorer.right, [&](std::size_t gram) {
        if (gram >= lengths.size()) lengths.resize(2 * gram + 1, 0);
        ++lengths[gram];
    });
    std::int64_t postings = 0;
    each(scorer.left, [&](std::size_t gram) { postings += gram < lengths.size() ? lengths[gram] : 0; });
    return postings;
}

}  // namespace

std::optional<Result> join_sums(const PairScorer& scorer, const Options& options, bool prepared, Control& control) {
    // Postings for each left text up to which whole sums are less work than blocks.
    constexpr std::int64_t kFew = 3000;
    const SpectraScorer* spectra = scorer.family().spectra;
    if (!spectra || !spectra->left.frequencies.empty() || !spectra->right.frequencies.empty()) return std::nullopt;
    std::int64_t lefts = scorer.left_size(), rights = scorer.right_size();
    if (!options.sums && (options.floors || (prepared && 4 * lefts < rights))) return std::nullopt;
    if (!options.sums && postings_of(*spectra) > kFew * lefts) return std::nullopt;
    Lists lists(spectra->right);
    return Sums(*spectra, options, lists).run(control);
}

}  // namespace likewise::join
