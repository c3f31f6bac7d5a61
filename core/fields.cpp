#include "fields.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <map>
#include <numeric>

#include "best.hpp"
#include "lists.hpp"

namespace likewise::fields {

namespace {

// Bounds are sums in another order than scores; a pair is dropped only when its bound is below the threshold by more
// than rounding can explain.
constexpr double kSlack = 1e-9;

struct Found {
    double score;
    std::int64_t right;
    bool operator<(const Found& other) const {  // the better comes first
        return score != other.score ? score > other.score : right < other.right;
    }
};

// The best `count` so far (count 0: all), and what a newcomer must reach.
class BestOf {
public:
    void reset(std::int64_t count, double min_score) {
        best_.clear(count > 0 ? count : std::numeric_limits<std::int64_t>::max());
        min_score_ = min_score;
    }
    double threshold() const {
        return best_.full() && !best_.empty() ? std::max(min_score_, best_.worst().score) : min_score_;
    }
    void add(double score, std::int64_t right) {
        if (score > 0 && score >= min_score_) best_.add({score, right});
    }
    std::vector<Found> take() { return best_.sorted(); }

private:
    Best<Found> best_;
    double min_score_ = 0;
};

// Which fields right records have: records with the same ones share a pattern.
struct Patterns {
    std::vector<std::int32_t> of;        // right record -> pattern
    std::vector<std::vector<char>> has;  // pattern -> field -> present

    explicit Patterns(const Scorer& scorer) : of(scorer.rights) {
        std::map<std::vector<char>, std::int32_t> numbers;
        std::vector<char> key(scorer.fields.size());
        for (std::int64_t r = 0; r < scorer.rights; ++r) {
            for (std::size_t f = 0; f < key.size(); ++f) key[f] = scorer.fields[f].right[r] >= 0;
            auto [place, added] = numbers.try_emplace(key, static_cast<std::int32_t>(has.size()));
            if (added) has.push_back(key);
            of[r] = place->second;
        }
    }
};

// Right value -> the records that have it, by pattern.
struct Postings {
    std::vector<std::int64_t> indptr;
    std::vector<std::int32_t> records;

    Postings(const Field& field, const Patterns& patterns) {
        std::vector<std::int32_t> order(field.right.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::int32_t x, std::int32_t y) { return patterns.of[x] < patterns.of[y]; });
        records.resize(order.size());
        auto each = [&](auto&& visit) {
            for (std::int32_t record : order)
                if (field.right[record] >= 0) visit(static_cast<std::size_t>(field.right[record]), record);
        };
        indptr = into_lists(static_cast<std::size_t>(field.scorer->right_size()), each,
                            [&](std::size_t at, std::int32_t record) { records[at] = record; });
    }
    std::span<const std::int32_t> of(std::int64_t value) const {
        return {records.data() + indptr[value], static_cast<std::size_t>(indptr[value + 1] - indptr[value])};
    }
};

// One left record at a time; the arrays are kept between records.
class Worker {
public:
    Worker(const Scorer& scorer, std::span<const Neighbours> neighbours, const Patterns& patterns,
           const std::vector<Postings>& postings, const Options& options)
        : scorer_(scorer),
          neighbours_(neighbours),
          patterns_(patterns),
          postings_(postings),
          options_(options),
          gained_(scorer.rights, 0),
          seen_(scorer.rights, 0),
          base_(patterns.has.size()),
          scale_(patterns.has.size()),
          skipped_(patterns.has.size()) {}

    // Returns whether the result is final.
    bool join(std::int64_t left, std::vector<Found>& out) {
        best_.reset(options_.count, options_.min_score);
        collect(left);
        if (options_.count > 0) seed(left);
        choose();
        accumulate();
        bool sure = verify(left);
        sure = sure && (options_.floor == 0 || best_.threshold() >= options_.floor * (1 + kSlack));
        if (sure) out = best_.take();
        return sure;
    }

    std::int64_t candidates = 0;

private:
    struct Part {  // a field that the left record has
        std::size_t field;
        std::int64_t begin, end;  // its neighbours
        double weight;
        double most;          // no value scores more
        std::int64_t length;  // records in the lists
    };

    void collect(std::int64_t left) {
        parts_.clear();
        for (std::size_t f = 0; f < scorer_.fields.size(); ++f) {
            std::int32_t value = scorer_.fields[f].left[left];
            if (value < 0) continue;
            const Neighbours& near = neighbours_[f];
            Part part{f, near.indptr[value], near.indptr[value + 1], scorer_.fields[f].weight, options_.floor, 0};
            for (std::int64_t e = part.begin; e < part.end; ++e) {
                part.most = std::max(part.most, near.scores[e]);
                part.length += static_cast<std::int64_t>(postings_[f].of(near.values[e]).size());
            }
            parts_.push_back(part);
        }
        // The longest lists first: those one would rather not read.
        std::stable_sort(parts_.begin(), parts_.end(),
                         [](const Part& x, const Part& y) { return x.length > y.length; });
    }

    // A few exact scores along the shortest list raise the threshold before the work begins.
    void seed(std::int64_t left) {
        std::int64_t wanted = options_.count * 2 + 16;
        for (auto part = parts_.rbegin(); part != parts_.rend() && wanted > 0; ++part) {
            const Neighbours& near = neighbours_[part->field];
            order_.resize(part->end - part->begin);
            std::iota(order_.begin(), order_.end(), part->begin);
            std::stable_sort(order_.begin(), order_.end(),
                             [&](std::int64_t x, std::int64_t y) { return near.scores[x] > near.scores[y]; });
            for (std::int64_t e : order_) {
                for (std::int32_t record : postings_[part->field].of(near.values[e])) {
                    if (wanted-- <= 0) return;
                    score(left, record);
                }
            }
        }
    }

    // For each pattern of the right side: how many of the longest lists need not be read, and the bound that a record
    // starts from. A record that no list names scores less than the threshold.
    void choose() {
        double threshold = best_.threshold();
        for (std::size_t p = 0; p < base_.size(); ++p) {
            double total = 0, bound = 0;
            for (const Part& part : parts_)
                if (patterns_.has[p][part.field]) total += part.weight;
            scale_[p] = total > 0 ? 1 / total : 0;
            bound = options_.floor * total;
            std::size_t skipped = 0;
            for (const Part& part : parts_) {
                double more = patterns_.has[p][part.field] ? part.weight * (part.most - options_.floor) : 0;
                if (!((bound + more) * scale_[p] * (1 + kSlack) < threshold)) break;
                bound += more;
                ++skipped;
            }
            base_[p] = bound * scale_[p];
            skipped_[p] = static_cast<std::int32_t>(skipped);
        }
        most_skipped_ = *std::max_element(skipped_.begin(), skipped_.end());
        least_skipped_ = *std::min_element(skipped_.begin(), skipped_.end());
    }

    void accumulate() {
        for (std::size_t i = static_cast<std::size_t>(least_skipped_); i < parts_.size(); ++i) {
            const Part& part = parts_[i];
            const Neighbours& near = neighbours_[part.field];
            bool all = static_cast<std::int32_t>(i) >= most_skipped_;
            for (std::int64_t e = part.begin; e < part.end; ++e) {
                double gain = part.weight * (near.scores[e] - options_.floor);
                std::span<const std::int32_t> records = postings_[part.field].of(near.values[e]);
                if (all) {
                    for (std::int32_t record : records) add(record, gain);
                    continue;
                }
                // Only the patterns that do not skip this list; a list is sorted by pattern.
                for (std::size_t at = 0; at < records.size();) {
                    std::int32_t pattern = patterns_.of[records[at]];
                    bool skip = skipped_[pattern] > static_cast<std::int32_t>(i);
                    std::size_t end = end_of(records, at, pattern);
                    if (!skip)
                        for (std::size_t n = at; n < end; ++n) add(records[n], gain);
                    at = end;
                }
            }
        }
    }

    // The end of a run of records with the same pattern, found by doubling steps.
    std::size_t end_of(std::span<const std::int32_t> records, std::size_t at, std::int32_t pattern) const {
        std::size_t step = 1, low = at;
        while (low + step < records.size() && patterns_.of[records[low + step]] == pattern) {
            low += step;
            step *= 2;
        }
        std::size_t high = std::min(low + step, records.size());
        auto end = std::partition_point(records.begin() + low + 1, records.begin() + high,
                                        [&](std::int32_t record) { return patterns_.of[record] == pattern; });
        return static_cast<std::size_t>(end - records.begin());
    }

    void add(std::int32_t record, double gain) {
        if (!(seen_[record] & kTouched)) {
            seen_[record] |= kTouched;
            touched_.push_back(record);
        }
        gained_[record] += gain;
    }

    // Returns false where there were too many candidates to look at.
    bool verify(std::int64_t left) {
        bounds_.clear();
        double threshold = best_.threshold();
        for (std::int32_t record : touched_) {
            std::int32_t pattern = patterns_.of[record];
            double bound = (gained_[record] * scale_[pattern] + base_[pattern]) * (1 + kSlack);
            gained_[record] = 0;
            bool open = !(seen_[record] & kScored);
            seen_[record] &= ~kTouched;
            if (open && bound >= threshold) bounds_.push_back({bound, record});
        }
        touched_.clear();
        bool patient = options_.patience == 0 || static_cast<std::int64_t>(bounds_.size()) <= options_.patience;
        if (!patient) bounds_.clear();
        // The most promising first, so that the threshold rises early; only of use where the best are asked for.
        if (options_.count > 0) std::sort(bounds_.begin(), bounds_.end());
        for (const Found& item : bounds_) {
            if (item.score < best_.threshold()) {
                if (options_.count > 0) break;
                continue;
            }
            score(left, static_cast<std::int32_t>(item.right));
        }
        for (std::int32_t record : scored_) seen_[record] &= ~kScored;
        scored_.clear();
        return patient;
    }

    void score(std::int64_t left, std::int32_t record) {
        if (seen_[record] & kScored) return;
        seen_[record] |= kScored;
        scored_.push_back(record);
        if (options_.self_join && record == left) return;
        ++candidates;
        best_.add(scorer_.score(left, record, best_.threshold()), record);
    }

    static constexpr char kTouched = 1, kScored = 2;

    const Scorer& scorer_;
    std::span<const Neighbours> neighbours_;
    const Patterns& patterns_;
    const std::vector<Postings>& postings_;
    const Options& options_;
    std::vector<Part> parts_;
    std::vector<double> gained_;  // right record -> weighted scores above the floor, from the lists that were read
    std::vector<char> seen_;
    std::vector<std::int32_t> touched_, scored_;
    std::vector<double> base_, scale_;   // pattern -> bound that a record starts from, 1 / weight of the shared fields
    std::vector<std::int32_t> skipped_;  // pattern -> how many of the longest lists it does not read
    std::int32_t most_skipped_ = 0, least_skipped_ = 0;
    std::vector<std::int64_t> order_;
    std::vector<Found> bounds_;
    BestOf best_;
};

void append(Result& result, std::int64_t left, const std::vector<Found>& found) {
    for (const Found& item : found) {
        result.left.push_back(left);
        result.right.push_back(item.right);
        result.score.push_back(item.score);
    }
}

}  // namespace

Result join(const Scorer& scorer, std::span<const Neighbours> neighbours, std::span<const std::int64_t> lefts,
            const Options& options, Control& control) {
    Result result;
    if (scorer.rights == 0 || lefts.empty()) return result;
    Patterns patterns(scorer);
    std::vector<Postings> postings;
    postings.reserve(scorer.fields.size());
    for (const Field& field : scorer.fields) postings.emplace_back(field, patterns);
    constexpr std::int64_t kBlock = 64;
    std::int64_t size = static_cast<std::int64_t>(lefts.size());
    std::int64_t blocks = (size + kBlock - 1) / kBlock;
    auto threads = static_cast<int>(std::min<std::int64_t>(thread_count(options.threads), blocks));
    std::vector<Worker> workers;
    workers.reserve(threads);
    for (int t = 0; t < threads; ++t) workers.emplace_back(scorer, neighbours, patterns, postings, options);
    std::vector<std::vector<Found>> found(lefts.size());
    std::vector<char> sure(lefts.size());
    parallel_blocks(blocks, threads, control, [&](std::int64_t block, int worker) {
        for (std::int64_t i = block * kBlock; i < std::min(size, (block + 1) * kBlock); ++i)
            sure[i] = workers[worker].join(lefts[i], found[i]);
    });
    for (std::int64_t i = 0; i < size; ++i) {
        append(result, lefts[i], found[i]);
        if (!sure[i]) result.unfinished.push_back(lefts[i]);
    }
    for (const Worker& worker : workers) result.candidates += worker.candidates;
    return result;
}

Result join_rows(const Scorer& scorer, std::span<const Rows> rows, std::span<const std::int64_t> lefts,
                 const Options& options, Control& control) {
    Result result;
    std::int64_t size = static_cast<std::int64_t>(lefts.size());
    int threads = thread_count(options.threads);
    struct Sums {
        std::vector<double> sum, total;
        BestOf best;
    };
    std::vector<Sums> workers(threads);
    std::vector<std::vector<Found>> found(lefts.size());
    parallel_blocks(size, threads, control, [&](std::int64_t i, int worker) {
        auto& [sum, total, best] = workers[worker];
        sum.assign(scorer.rights, 0);
        total.assign(scorer.rights, 0);
        // The sums of Scorer::score, in its order.
        for (std::size_t f = 0; f < scorer.fields.size(); ++f) {
            const Field& field = scorer.fields[f];
            std::int32_t value = field.left[lefts[i]];
            if (value < 0) continue;
            const double* scores = rows[f].scores.data() + rows[f].place[value] * field.scorer->right_size();
            for (std::int64_t r = 0; r < scorer.rights; ++r) {
                std::int32_t other = field.right[r];
                if (other < 0) continue;
                sum[r] += field.weight * scores[other];
                total[r] += field.weight;
            }
        }
        best.reset(options.count, options.min_score);
        double threshold = best.threshold();
        for (std::int64_t r = 0; r < scorer.rights; ++r) {
            if (!(sum[r] > 0) || (options.self_join && r == lefts[i])) continue;
            double score = sum[r] / total[r];
            if (score < threshold) continue;
            best.add(score, r);
            threshold = best.threshold();
        }
        found[i] = best.take();
    });
    for (std::int64_t i = 0; i < size; ++i) append(result, lefts[i], found[i]);
    return result;
}

Result join_blocks(const PairScorer& scorer, std::span<const std::int64_t> left_indptr,
                   std::span<const std::int64_t> left_rows, std::span<const std::int64_t> right_indptr,
                   std::span<const std::int64_t> right_rows, const Options& options, Control& control) {
    Result result;
    std::int64_t blocks = static_cast<std::int64_t>(left_indptr.size()) - 1;
    std::vector<std::vector<Found>> found(left_rows.size());
    std::atomic<std::int64_t> candidates{0};
    parallel_blocks(blocks, options.threads, control, [&](std::int64_t k, int) {
        BestOf best;
        for (std::int64_t i = left_indptr[k]; i < left_indptr[k + 1]; ++i) {
            if (control.stop) throw Stopped();
            best.reset(options.count, options.min_score);
            for (std::int64_t j = right_indptr[k]; j < right_indptr[k + 1]; ++j) {
                if (options.self_join && left_rows[i] == right_rows[j]) continue;
                best.add(scorer.score(left_rows[i], right_rows[j], best.threshold()), right_rows[j]);
            }
            candidates += right_indptr[k + 1] - right_indptr[k];
            found[i] = best.take();
        }
    });
    for (std::size_t i = 0; i < found.size(); ++i) append(result, left_rows[i], found[i]);
    result.candidates = candidates;
    return result;
}

}  // namespace likewise::fields
