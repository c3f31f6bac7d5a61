#include "fields.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <numeric>

#include "best.hpp"
#include "fields_near.hpp"
#include "lists.hpp"
#include "upper.hpp"

namespace likewise::fields {

namespace {

// Bounds are sums in another order than scores; a pair is dropped only when its bound is below the threshold by more
// than rounding can explain.
constexpr double kSlack = 1e-9;

struct Found {
    double rank;  // the score, less the price where there is one
    std::int64_t right;
    double score;
    bool operator<(const Found& other) const {  // the better comes first
        return rank != other.rank ? rank > other.rank : right < other.right;
    }
};

// The best `count` so far (count 0: all), and what a newcomer must reach.
class BestOf {
public:
    void reset(std::int64_t count, double least) {
        best_.clear(count > 0 ? count : std::numeric_limits<std::int64_t>::max());
        least_ = least;
    }
    double threshold() const { return best_.full() && !best_.empty() ? std::max(least_, best_.worst().rank) : least_; }
    void add(const Found& found) { best_.add(found); }
    std::vector<Found> take() { return best_.sorted(); }

private:
    Best<Found> best_;
    double least_ = 0;
};

// Which fields right records have: records with the same ones share a pattern.
struct Patterns {
    std::vector<std::int32_t> of;                  // right record -> pattern
    std::vector<std::vector<char>> has;            // pattern -> field -> present
    std::vector<std::vector<std::int32_t>> lists;  // pattern -> its records
    std::vector<std::int32_t> order;               // patterns, those of most records first

    explicit Patterns(const Scorer& scorer) : of(scorer.rights) {
        std::map<std::vector<char>, std::int32_t> numbers;
        std::vector<char> key(scorer.fields.size());
        for (std::int64_t r = 0; r < scorer.rights; ++r) {
            for (std::size_t f = 0; f < key.size(); ++f) key[f] = scorer.fields[f].right[r] >= 0;
            auto [place, added] = numbers.try_emplace(key, static_cast<std::int32_t>(has.size()));
            if (added) {
                has.push_back(key);
                lists.emplace_back();
            }
            of[r] = place->second;
            lists[place->second].push_back(static_cast<std::int32_t>(r));
        }
        order.resize(has.size());
        std::iota(order.begin(), order.end(), 0);
        std::stable_sort(order.begin(), order.end(), [&](auto x, auto y) { return lists[x].size() > lists[y].size(); });
    }
};

// Place -> the records that have it, by pattern.
struct Postings {
    std::vector<std::int64_t> indptr;
    std::vector<std::int32_t> records;

    Postings(const Places& places, const Patterns& patterns) : records(places.of.size()) {
        auto each = [&](auto&& visit) {
            for (const auto& list : patterns.lists)
                for (std::int32_t record : list) visit(static_cast<std::size_t>(places.of[record]), record);
        };
        indptr =
            into_lists(places.records.size(), each, [&](std::size_t at, std::int32_t record) { records[at] = record; });
    }
    // The records of a place that have the pattern.
    std::span<const std::int32_t> of(std::int32_t place, std::int32_t pattern, const Patterns& patterns) const {
        auto first = records.begin() + indptr[place], last = records.begin() + indptr[place + 1];
        auto begin = std::partition_point(first, last, [&](std::int32_t r) { return patterns.of[r] < pattern; });
        auto end = std::partition_point(begin, last, [&](std::int32_t r) { return patterns.of[r] == pattern; });
        return {begin, end};
    }
};

// The right side of all fields, and the values of the left that several records have, worked out once.
class Sides {
public:
    Sides(const Scorer& scorer, std::span<const std::int64_t> lefts, const Options& options, Control& control)
        : scorer(scorer), patterns(scorer) {
        places.reserve(scorer.fields.size());
        postings.reserve(scorer.fields.size());
        for (const Field& field : scorer.fields) {
            places.emplace_back(field);
            postings.emplace_back(places.back(), patterns);
        }
        rows.resize(static_cast<std::size_t>(scorer.rights) * places.size());
        for (std::size_t f = 0; f < places.size(); ++f)
            for (std::int64_t r = 0; r < scorer.rights; ++r) rows[r * places.size() + f] = places[f].of[r];
        kept.resize(scorer.fields.size());
        std::size_t budget = kMemory;
        for (std::size_t f = 0; f < scorer.fields.size(); ++f) budget -= keep(f, lefts, budget, options, control);
    }

    const Scorer& scorer;
    Patterns patterns;
    std::vector<Places> places;
    std::vector<Postings> postings;
    std::vector<std::int32_t> rows;                        // places again, record by record
    std::vector<std::vector<std::unique_ptr<Near>>> kept;  // field -> left value; empty where they are not kept

private:
    // Bytes that kept values may take.
    static constexpr std::size_t kMemory = std::size_t{1} << 27;

    // Works out the values of a field where they come again and fit. Returns the bytes that they take.
    std::size_t keep(std::size_t f, std::span<const std::int64_t> lefts, std::size_t budget, const Options& options,
                     Control& control) {
        const Field& field = scorer.fields[f];
        std::vector<char> used(static_cast<std::size_t>(field.scorer->left_size()), 0);
        std::size_t records = 0;
        std::vector<std::int32_t> values;
        for (std::int64_t left : lefts) {
            std::int32_t value = field.left[left];
            if (value < 0) continue;
            ++records;
            if (!used[value]) values.push_back(value);
            used[value] = 1;
        }
        std::size_t each = 4 * places[f].records.size() + 4096;
        if (records < 2 * values.size() || values.size() * each > budget) return 0;
        kept[f].resize(used.size());
        std::vector<std::unique_ptr<NearMaker>> makers(static_cast<std::size_t>(thread_count(options.threads)));
        auto make = [&](std::int64_t i, int worker) {
            if (!makers[worker]) makers[worker] = std::make_unique<NearMaker>(field, places[f]);
            kept[f][values[i]] = std::make_unique<Near>();
            makers[worker]->make(values[i], options.min_score, *kept[f][values[i]]);
        };
        parallel_blocks(static_cast<std::int64_t>(values.size()), options.threads, control, make);
        return values.size() * each;
    }
};

// One left record at a time; the arrays are kept between records.
class Worker {
public:
    Worker(const Sides& sides, const Options& options)
        : sides_(sides), options_(options), near_(sides.scorer.fields.size()), seen_(sides.scorer.rights, 0) {
        for (std::size_t f = 0; f < near_.size(); ++f) makers_.emplace_back(sides.scorer.fields[f], sides.places[f]);
    }

    std::vector<Found> join(std::int64_t left) {
        left_ = left;
        ++stamp_;
        best_.reset(options_.count, options_.least.empty() ? options_.min_score : options_.least[left]);
        parts_.clear();
        for (std::size_t f = 0; f < near_.size(); ++f) {
            std::int32_t value = sides_.scorer.fields[f].left[left];
            if (value >= 0) parts_.push_back({f, &near(f, value), sides_.scorer.fields[f].weight, 0});
        }
        for (std::int32_t pattern : sides_.patterns.order) search(pattern);
        return best_.take();
    }

    std::int64_t candidates = 0;

private:
    struct Part {  // a field that the left record has
        std::size_t field;
        const Near* near;
        double weight;
        std::size_t group;  // the next to be read
        float next() const { return near->bound_after(group); }
    };

    const Near& near(std::size_t f, std::int32_t value) {
        if (!sides_.kept[f].empty()) return *sides_.kept[f][value];
        if (near_[f].value != value || near_[f].score > bar()) makers_[f].make(value, bar(), near_[f]);
        return near_[f];
    }

    // What a pair must reach at least, whatever its price.
    double bar() const { return std::max(options_.min_score, best_.threshold()); }

    // Right records of one pattern. Fields are read from the best values down, until records not named yet cannot
    // reach the bar; or, where that would take a good part of the records, all of them are looked at.
    void search(std::int32_t pattern) {
        constexpr std::size_t kFew = 32;
        const auto& records = sides_.patterns.lists[pattern];
        shared_.clear();
        double weight = 0;
        for (const Part& part : parts_) {
            if (!sides_.patterns.has[pattern][part.field]) continue;
            shared_.push_back(part);
            weight += part.weight;
        }
        if (shared_.empty()) return;
        scale_ = (1 + kSlack) / weight;
        batch_ = static_cast<std::size_t>(std::min<std::int64_t>(options_.count, 1 << 20)) + 16;
        std::size_t visited = records.size() <= kFew ? records.size() : 0;
        while (visited < records.size() / 4) {
            double sum = 0;
            for (const Part& part : shared_) sum += part.weight * part.next();
            if (!(sum > 0) || sum * scale_ < bar()) break;
            Part* part = cheapest();
            if (!part) {
                visited = records.size();
                break;
            }
            visited += read(*part, pattern);
        }
        if (visited >= records.size() / 4)
            for (std::int32_t record : records) visit(record);
        settle();
    }

    // The field whose next group lowers what others can reach the most, for each record that it names.
    Part* cheapest() {
        Part* found = nullptr;
        double most = -1;
        for (Part& part : shared_) {
            if (part.group == part.near->groups.size()) continue;
            double drop = part.next() - part.near->bound_after(part.group + 1);
            double gain = part.weight * drop / static_cast<double>(part.near->groups[part.group].records + 1);
            if (!(gain > most)) continue;
            most = gain;
            found = &part;
        }
        return found;
    }

    std::size_t read(Part& part, std::int32_t pattern) {
        const Near& near = *part.near;
        std::size_t visited = 0;
        for (std::int32_t e = part.group ? near.groups[part.group - 1].end : 0; e < near.groups[part.group].end; ++e) {
            auto records = sides_.postings[part.field].of(near.order[e], pattern, sides_.patterns);
            visited += records.size() + 1;
            for (std::int32_t record : records) visit(record);
        }
        ++part.group;
        return visited;
    }

    void visit(std::int32_t record) {
        if (seen_[record] == stamp_) return;
        seen_[record] = stamp_;
        double bound = 0;
        const std::int32_t* places = sides_.rows.data() + static_cast<std::size_t>(record) * near_.size();
        for (const Part& part : shared_) bound += part.weight * upper::value(part.near->bounds[places[part.field]]);
        bound *= scale_;
        if (!(bound > 0) || bound < options_.min_score || bound - price(record) < best_.threshold()) return;
        open_.push_back({bound - price(record), record, bound});
        if (open_.size() >= batch_) settle();
    }

    double price(std::int32_t record) const { return options_.prices.empty() ? 0 : options_.prices[record]; }

    // Scores what is open: the most promising first, so that the threshold rises early.
    void settle() {
        if (options_.count > 0) std::sort(open_.begin(), open_.end());
        for (const Found& item : open_) {
            if (item.rank < best_.threshold()) break;
            score(static_cast<std::int32_t>(item.right));
        }
        batch_ *= 2;
        open_.clear();
    }

    void score(std::int32_t record) {
        if (options_.self_join && record == left_) return;
        ++candidates;
        double price = this->price(record);
        double cutoff = std::max(options_.min_score, (best_.threshold() + price) * (1 - kSlack));
        double score = sides_.scorer.score(left_, record, cutoff);
        if (!(score > 0) || score < options_.min_score) return;
        if (!options_.least.empty() && !(score - price > options_.least[left_])) return;
        best_.add({score - price, record, score});
    }

    const Sides& sides_;
    const Options& options_;
    std::vector<NearMaker> makers_;  // by field
    std::vector<Near> near_;         // by field: the value at work
    std::int64_t left_ = 0;
    std::vector<Part> parts_, shared_;  // fields of the left record; those that the pattern has, too
    double scale_ = 0;                  // one over their weight
    std::vector<std::uint32_t> seen_;   // right record -> the last left record that met it
    std::uint32_t stamp_ = 0;
    std::vector<Found> open_;  // candidates: rank and score are bounds
    std::size_t batch_ = 0;
    BestOf best_;
};

void append(Result& result, std::int64_t left, const std::vector<Found>& found) {
    for (const Found& item : found) {
        result.left.push_back(left);
        result.right.push_back(item.right);
        result.score.push_back(item.score);
    }
}

// The order in which left records are worked on: records with the same value of the field whose values come again most
// often, of those that are not kept, stand together.
std::vector<std::int64_t> order_of(const Sides& sides, std::span<const std::int64_t> lefts) {
    std::vector<std::int64_t> order(lefts.size());
    std::iota(order.begin(), order.end(), 0);
    const Field* chosen = nullptr;
    for (std::size_t f = 0; f < sides.kept.size(); ++f) {
        const Field& field = sides.scorer.fields[f];
        if (!sides.kept[f].empty()) continue;
        if (!chosen || field.scorer->left_size() < chosen->scorer->left_size()) chosen = &field;
    }
    if (chosen)
        std::stable_sort(order.begin(), order.end(),
                         [&](auto x, auto y) { return chosen->left[lefts[x]] < chosen->left[lefts[y]]; });
    return order;
}

}  // namespace

Result join(const Scorer& scorer, std::span<const std::int64_t> lefts, const Options& options, Control& control) {
    Result result;
    if (scorer.rights == 0 || lefts.empty()) return result;
    constexpr std::int64_t kBlock = 64;
    std::int64_t size = static_cast<std::int64_t>(lefts.size());
    std::int64_t blocks = (size + kBlock - 1) / kBlock;
    auto threads = static_cast<int>(std::min<std::int64_t>(thread_count(options.threads), blocks));
    Sides sides(scorer, lefts, options, control);
    std::vector<std::int64_t> order = order_of(sides, lefts);
    std::vector<std::unique_ptr<Worker>> workers(static_cast<std::size_t>(threads));
    std::vector<std::vector<Found>> found(lefts.size());
    parallel_blocks(blocks, threads, control, [&](std::int64_t block, int worker) {
        if (!workers[worker]) workers[worker] = std::make_unique<Worker>(sides, options);
        for (std::int64_t i = block * kBlock; i < std::min(size, (block + 1) * kBlock); ++i)
            found[order[i]] = workers[worker]->join(lefts[order[i]]);
    });
    for (std::int64_t i = 0; i < size; ++i) append(result, lefts[i], found[i]);
    for (const auto& worker : workers) result.candidates += worker ? worker->candidates : 0;
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
                double score = scorer.score(left_rows[i], right_rows[j], best.threshold());
                if (score > 0 && score >= options.min_score) best.add({score, right_rows[j], score});
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
