#include "near.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <vector>

#include "intersect.hpp"
#include "join_candidates.hpp"

namespace likewise::join {

namespace {

// Terms that are in about as many texts are of one class, the rarest of class 0; a term of one text has none. Two
// classes for each time that the number of texts doubles.
constexpr std::uint8_t kAlone = 255;
std::uint8_t class_of(std::uint32_t texts) {
    if (texts < 2) return kAlone;
    int power = std::bit_width(texts) - 1;
    return static_cast<std::uint8_t>(2 * (power - 1) + (texts >> (power - 1) & 1));
}

// The operations of DotScorer::score, in its order.
double score(const ScaledRows& left, std::int64_t a, const ScaledRows& right, std::int64_t b) {
    const std::int32_t* first = left.ids.data() + left.indptr[a];
    double sum = 0;
    intersect(first, left.indptr[a + 1] - left.indptr[a], right.ids.data() + right.indptr[b],
              right.indptr[b + 1] - right.indptr[b], [&](std::int64_t i, std::int64_t) {
                  double scale = left.scale[first[i]];
                  sum += (scale / left.lengths[a]) * (scale / right.lengths[b]);
              });
    return sum;
}

}  // namespace

class NearLists::Near {
public:
    Near(const ScaledRows& rows, std::span<const double> texts, double min_score) : rows_(rows), least_(min_score) {
        classify(texts);
        cuts_ = cut(rows);
        fill();
    }

    // The pairs with others, or, where there are none, among themselves; from a text on, and about so many.
    Some run(const ScaledRows* others, std::int64_t first, std::int64_t most, int threads, Control& control) const;

private:
    static constexpr double kRounding =
        1e-6;  // more than any rounding of double precision, and of a few steps of single

    struct Stretch {
        std::uint32_t at, end;
    };
    // What most pairs need of a text to be told apart, in one place of memory.
    struct Cut {
        float inverse;       // of its length, rounded up
        std::uint8_t place;  // the class of the first term without a list
        std::uint8_t left;   // length of what is left from there on, in 255ths, rounded up
    };
    struct Cuts {
        std::vector<Cut> of;             // by text
        std::vector<std::uint8_t> left;  // text * class_count_ + class: length of what is left after it, as in Cut
    };
    struct Worker {
        std::vector<float> sums;  // by text: of squares of the weights of shared terms, times both lengths
        std::vector<std::int32_t> touched;
        std::vector<Stretch> next;  // by term: from the first in its list after the text at work
        std::int64_t postings = 0, candidates = 0;
    };

    void classify(std::span<const double> texts);
    Cuts cut(const ScaledRows& rows) const;
    void fill();

    // The first terms of a text, which have lists.
    template <class Body>
    void each_listed(const ScaledRows& rows, const Cuts& cuts, std::int64_t text, Body&& body) const {
        std::uint8_t cut = cuts.of[text].place;
        if (!cut) return;
        for (std::int64_t i = rows.indptr[text]; i < rows.indptr[text + 1]; ++i)
            if (classes_[rows.ids[i]] < cut) body(rows.ids[i]);
    }

    void search(Worker& worker, const ScaledRows& rows, const Cuts& cuts, std::int64_t text,
                std::vector<Pair>& found) const;

    const ScaledRows rows_;
    double least_;
    std::vector<std::uint8_t> classes_;  // by term
    int class_count_ = 0;
    Cuts cuts_;
    std::vector<float> squares_;         // of scale, by term
    std::vector<std::uint32_t> starts_;  // by term
    std::vector<std::int32_t> lists_;    // texts, ascending
};

void NearLists::Near::classify(std::span<const double> texts) {
    std::vector<std::uint32_t> counts(rows_.scale.size(), 0);
    if (texts.empty())
        for (std::int32_t id : rows_.ids) ++counts[id];
    for (std::size_t id = 0; id < texts.size(); ++id)
        counts[id] = static_cast<std::uint32_t>(std::clamp(texts[id], 0.0, 4e9));
    classes_.resize(counts.size());
    for (std::size_t id = 0; id < counts.size(); ++id) {
        classes_[id] = rows_.scale[id] > 0 ? class_of(counts[id]) : kAlone;
        if (classes_[id] != kAlone) class_count_ = std::max(class_count_, classes_[id] + 1);
    }
}

NearLists::Near::Cuts NearLists::Near::cut(const ScaledRows& rows) const {
    Cuts cuts;
    cuts.of.resize(static_cast<std::size_t>(rows.size()));
    cuts.left.assign(static_cast<std::size_t>(rows.size()) * class_count_, 0);
    std::vector<double> squares(kAlone + 1);
    for (std::int64_t text = 0; text < rows.size(); ++text) {
        std::fill(squares.begin(), squares.end(), 0.0);
        for (std::int64_t i = rows.indptr[text]; i < rows.indptr[text + 1]; ++i) {
            double scale = rows.scale[rows.ids[i]];
            squares[classes_[rows.ids[i]]] += scale * scale;
        }
        double left = 0;
        cuts.of[text] = {static_cast<float>((1 + kRounding) / rows.lengths[text]), 0, 0};
        for (int from = class_count_; from >= 0; --from) {  // left: of the classes from there on
            double length = std::sqrt(left) / rows.lengths[text] * (1 + kRounding);
            auto rounded = static_cast<std::uint8_t>(std::min(255.0, std::ceil(255 * length)));
            if (length < least_) {
                cuts.of[text].place = static_cast<std::uint8_t>(from);
                cuts.of[text].left = rounded;
            }
            if (!from) break;
            cuts.left[text * class_count_ + from - 1] = rounded;
            left += squares[from - 1];
        }
    }
    return cuts;
}

void NearLists::Near::fill() {
    squares_.resize(rows_.scale.size());
    for (std::size_t id = 0; id < squares_.size(); ++id)  // above 0, because a sum of 0 is of a text not met yet
        squares_[id] = std::max(1e-30f, static_cast<float>(rows_.scale[id] * rows_.scale[id]));
    std::vector<std::uint64_t> sizes(rows_.scale.size(), 0);
    for (std::int64_t text = 0; text < rows_.size(); ++text)
        each_listed(rows_, cuts_, text, [&](std::int32_t id) { ++sizes[id]; });
    starts_.assign(1, 0);
    starts_.reserve(sizes.size() + 1);
    std::uint64_t sum = 0;
    for (std::uint64_t size : sizes) {
        sum += size;
        if (sum > std::numeric_limits<std::uint32_t>::max()) throw std::length_error("more than 4 G postings");
        starts_.push_back(static_cast<std::uint32_t>(sum));
    }
    lists_.resize(sum);
    std::vector<std::uint32_t> at(starts_.begin(), starts_.end() - 1);
    for (std::int64_t text = 0; text < rows_.size(); ++text)
        each_listed(rows_, cuts_, text, [&](std::int32_t id) { lists_[at[id]++] = static_cast<std::int32_t>(text); });
}

// The partners of a text: of one that has lists itself among those after it. Texts come in ascending order.
void NearLists::Near::search(Worker& worker, const ScaledRows& rows, const Cuts& cuts, std::int64_t text,
                             std::vector<Pair>& found) const {
    std::int64_t terms = 0;
    const bool itself = &cuts == &cuts_;
    each_listed(rows, cuts, text, [&](std::int32_t id) {
        Stretch whole{starts_[id], starts_[id + 1]};
        Stretch& rest = itself ? worker.next[id] : whole;
        while (itself && rest.at < rest.end && lists_[rest.at] <= text) ++rest.at;
        float square = squares_[id];
        for (std::uint32_t i = rest.at; i < rest.end; ++i) {
            float& sum = worker.sums[lists_[i]];
            if (sum == 0) worker.touched.push_back(lists_[i]);
            sum += square;
        }
        worker.postings += rest.end - rest.at;
        ++terms;
    });
    // Everything up to the score is in single precision, and rounded up by more than that loses.
    const Cut own = cuts.of[text];
    const float more = own.inverse * (1 + 1.2e-7f * static_cast<float>(terms + 16));
    const float unit = (1 + static_cast<float>(kRounding)) / (255 * 255);
    const auto least = static_cast<float>(least_ * (1 - kRounding));
    const std::uint8_t* left = cuts.left.data() + text * class_count_;
    auto first = static_cast<std::ptrdiff_t>(found.size());
    for (std::int32_t other : worker.touched) {
        const Cut its = cuts_.of[other];
        float common = worker.sums[other] * its.inverse * more;
        worker.sums[other] = 0;
        if (its.place <= own.place) {
            if (common + static_cast<float>(left[its.place - 1] * its.left) * unit < least) continue;
        } else {
            if (common + static_cast<float>(own.left * 255) * unit < least) continue;
            int rest = cuts_.left[other * static_cast<std::int64_t>(class_count_) + own.place - 1];
            if (common + static_cast<float>(own.left * rest) * unit < least) continue;
        }
        ++worker.candidates;
        double scored = score(rows, text, rows_, other);
        if (scored > 0 && scored >= least_) found.push_back({scored, static_cast<std::int32_t>(text), other});
    }
    worker.touched.clear();
    std::sort(found.begin() + first, found.end());
}

NearLists::Some NearLists::Near::run(const ScaledRows* others, std::int64_t first, std::int64_t most, int threads,
                                     Control& control) const {
    constexpr std::int64_t kTogether = 64;  // texts
    const ScaledRows& rows = others ? *others : rows_;
    const Cuts of_others = others ? cut(rows) : Cuts{};
    const Cuts& cuts = others ? of_others : cuts_;
    first = std::clamp<std::int64_t>(first, 0, rows.size());
    std::int64_t blocks = (rows.size() - first + kTogether - 1) / kTogether;
    threads = static_cast<int>(std::clamp<std::int64_t>(blocks, 1, thread_count(threads)));
    std::vector<Worker> workers(static_cast<std::size_t>(threads));
    for (Worker& worker : workers) {
        worker.sums.assign(static_cast<std::size_t>(rows_.size()), 0.f);
        if (others) continue;
        worker.next.resize(starts_.size() - 1);
        for (std::size_t id = 0; id + 1 < starts_.size(); ++id) worker.next[id] = {starts_[id], starts_[id + 1]};
    }
    struct Found {
        std::vector<Pair> pairs;
        std::int64_t next = 0;  // the text after the last that was searched
    };
    std::vector<Found> found(static_cast<std::size_t>(blocks));
    std::atomic<std::int64_t> together{0};
    parallel_blocks(blocks, threads, control, [&](std::int64_t block, int number) {
        Found& own = found[block];
        own.next = first + block * kTogether;
        std::int64_t end = std::min(rows.size(), own.next + kTogether);
        // The first of all is searched in any case, so that every call gets on.
        for (; own.next < end && (own.next == first || together < most); ++own.next) {
            std::size_t before = own.pairs.size();
            search(workers[number], rows, cuts, own.next, own.pairs);
            together += static_cast<std::int64_t>(own.pairs.size() - before);
        }
    });
    Some some;
    for (const Worker& worker : workers) {
        some.pairs.stats.postings += worker.postings;
        some.pairs.stats.candidates += worker.candidates;
    }
    some.pairs.stats.scored = some.pairs.stats.candidates;
    workers.clear();
    // What others found after a text that was left is found again.
    std::size_t whole = 0, size = 0;
    for (some.next = first; whole < found.size(); ++whole) {
        size += found[whole].pairs.size();
        some.next = found[whole].next;
        if (some.next < std::min(rows.size(), first + (static_cast<std::int64_t>(whole) + 1) * kTogether)) break;
    }
    found.resize(std::min(found.size(), whole + 1));
    some.pairs.left.reserve(size);
    some.pairs.right.reserve(size);
    some.pairs.score.reserve(size);
    for (Found& one : found) {
        for (const Pair& pair : one.pairs) {
            some.pairs.left.push_back(others ? pair.right : pair.left);
            some.pairs.right.push_back(others ? pair.left : pair.right);
            some.pairs.score.push_back(pair.score);
        }
        std::vector<Pair>().swap(one.pairs);
    }
    return some;
}

NearLists::NearLists(const ScaledRows& rows, std::span<const double> texts, double min_score) {
    if (rows.size() > std::numeric_limits<std::int32_t>::max()) throw std::length_error("more than 2 G texts");
    near_ = std::make_unique<const Near>(rows, texts, min_score);
}

NearLists::~NearLists() = default;

NearLists::Some NearLists::among_themselves(std::int64_t first, std::int64_t most, int threads,
                                            Control& control) const {
    return near_->run(nullptr, first, most, threads, control);
}

NearLists::Some NearLists::with(const ScaledRows& others, std::int64_t first, std::int64_t most, int threads,
                                Control& control) const {
    if (others.size() > std::numeric_limits<std::int32_t>::max()) throw std::length_error("more than 2 G texts");
    return near_->run(&others, first, most, threads, control);
}

Result near_pairs(const ScaledRows& rows, double min_score, int threads, Control& control) {
    constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();
    return NearLists(rows, {}, min_score).among_themselves(0, kAll, threads, control).pairs;
}

}  // namespace likewise::join
