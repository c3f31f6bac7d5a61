#include "join.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#if __has_include("spectra.cpp")
#include "spectra.hpp"
#endif

namespace likewise {

namespace {

struct Pair {
    double score;
    std::int64_t left, right;

    // The order of every list of pairs: better first, then by ids.
    bool operator<(const Pair& other) const {
        if (score != other.score) return score > other.score;
        if (left != other.left) return left < other.left;
        return right < other.right;
    }
};

}  // namespace

// Inverted lists: id -> the right texts that have it.
class JoinIndex {
public:
    std::int64_t size = 0;
    std::vector<std::int64_t> indptr{0};
    std::vector<std::int32_t> texts;
};

namespace {

struct Side {
    std::span<const std::int64_t> indptr;
    std::span<const std::int32_t> ids;
};

// The ids through which two texts of a family meet; a pair that shares none has score 0.
std::pair<Side, Side> sides_of(const PairScorer& scorer, const DotScorer* bound) {
#if __has_include("spectra.cpp")
    if (auto* spectra = dynamic_cast<const SpectraScorer*>(&scorer))
        return {{spectra->left.gram_indptr, spectra->left.grams}, {spectra->right.gram_indptr, spectra->right.grams}};
#endif
    auto* dot = bound ? bound : dynamic_cast<const DotScorer*>(&scorer);
    if (!dot) throw std::invalid_argument("this scorer needs a bound");
    return {{dot->left.indptr, dot->left.ids}, {dot->right.indptr, dot->right.ids}};
}

bool same(const Rows& a, const Rows& b) {
    return std::ranges::equal(a.indptr, b.indptr) && std::ranges::equal(a.ids, b.ids) &&
           std::ranges::equal(a.weights, b.weights);
}

// Whether a self-join may score one direction only. The kernels of both families give the same bits for (a, b) and
// (b, a) as long as both sides have the same weights.
bool is_symmetric(const PairScorer& scorer, const JoinOptions& options) {
    if (!options.self_join) return false;
    if (options.symmetric) return *options.symmetric;
#if __has_include("spectra.cpp")
    if (auto* spectra = dynamic_cast<const SpectraScorer*>(&scorer))
        return &spectra->left == &spectra->right && spectra->coefficient.kind != Coefficient::Kind::coverage;
#endif
    auto* dot = dynamic_cast<const DotScorer*>(&scorer);
    return dot && same(dot->left, dot->right);
}

// The n best pairs seen so far, as a heap whose worst is on top.
struct Best {
    std::int64_t count;
    std::vector<Pair> pairs;

    void add(const Pair& pair) {
        if (static_cast<std::int64_t>(pairs.size()) < count) {
            pairs.push_back(pair);
            std::push_heap(pairs.begin(), pairs.end());
        } else if (pair < pairs.front()) {
            std::pop_heap(pairs.begin(), pairs.end());
            pairs.back() = pair;
            std::push_heap(pairs.begin(), pairs.end());
        }
    }
};

}  // namespace

std::shared_ptr<const JoinIndex> join_index(const PairScorer& scorer, const DotScorer* bound, int, Control&) {
    Side right = sides_of(scorer, bound).second;
    auto index = std::make_shared<JoinIndex>();
    index->size = static_cast<std::int64_t>(right.indptr.size()) - 1;
    std::int32_t top = -1;
    for (std::int32_t id : right.ids) top = std::max(top, id);
    index->indptr.assign(static_cast<std::size_t>(top) + 2, 0);
    for (std::int32_t id : right.ids) ++index->indptr[id + 1];
    for (std::size_t id = 1; id < index->indptr.size(); ++id) index->indptr[id] += index->indptr[id - 1];
    index->texts.resize(right.ids.size());
    std::vector<std::int64_t> at(index->indptr.begin(), index->indptr.end());
    for (std::int64_t text = 0; text < index->size; ++text)
        for (std::int64_t i = right.indptr[text]; i < right.indptr[text + 1]; ++i)
            index->texts[at[right.ids[i]]++] = static_cast<std::int32_t>(text);
    return index;
}

JoinResult join(const PairScorer& scorer, const DotScorer* bound, const JoinIndex* index, const JoinOptions& options,
                Control& control) {
    std::shared_ptr<const JoinIndex> made;
    if (!index) index = (made = join_index(scorer, bound, options.threads, control)).get();
    Side left = sides_of(scorer, bound).first;
    using Mode = JoinOptions::Mode;
    constexpr std::int64_t rows_per_block = 64;
    std::int64_t rows = scorer.left_size(), blocks = (rows + rows_per_block - 1) / rows_per_block;
    int threads = thread_count(options.threads);
    struct Worker {
        std::vector<bool> seen;
        std::vector<std::int32_t> touched;
        Best best;
        JoinStats stats;
    };
    const bool symmetric = is_symmetric(scorer, options);
    std::vector<Worker> workers(threads);
    for (auto& worker : workers) {
        worker.seen.resize(index->size);
        worker.best.count = options.count;
    }
    std::vector<std::vector<Pair>> found(blocks);
    parallel_blocks(blocks, threads, control, [&](std::int64_t block, int number) {
        Worker& worker = workers[number];
        std::int64_t end = std::min(rows, (block + 1) * rows_per_block);
        for (std::int64_t a = block * rows_per_block; a < end; ++a) {
            if (control.stop) throw Stopped();
            for (std::int64_t i = left.indptr[a]; i < left.indptr[a + 1]; ++i) {
                std::int32_t id = left.ids[i];
                if (static_cast<std::size_t>(id) + 1 >= index->indptr.size()) continue;
                for (std::int64_t j = index->indptr[id]; j < index->indptr[id + 1]; ++j) {
                    std::int32_t b = index->texts[j];
                    if (!worker.seen[b]) worker.touched.push_back(b), worker.seen[b] = true;
                }
                worker.stats.postings += index->indptr[id + 1] - index->indptr[id];
            }
            Best row{options.count, {}};
            for (std::int32_t b : worker.touched) {
                worker.seen[b] = false;
                if (options.self_join && a == b) continue;
                bool once = options.self_join && options.mode != Mode::top;
                if (once && symmetric && b < a) continue;
                double score = scorer.score(a, b);
                ++worker.stats.candidates;
                if (!(score > 0) || score < options.min_score) continue;
                if (once && !symmetric) {
                    double other = scorer.score(b, a);
                    if (other > score || (other == score && b < a)) continue;
                }
                Pair pair{score, a, b};
                if (options.mode == Mode::top) row.add(pair);
                else if (options.mode == Mode::best) worker.best.add(pair);
                else row.pairs.push_back(pair);
            }
            worker.touched.clear();
            std::sort(row.pairs.begin(), row.pairs.end());
            found[block].insert(found[block].end(), row.pairs.begin(), row.pairs.end());
        }
    });
    if (options.mode == Mode::best) {
        Best all{options.count, {}};
        for (auto& worker : workers)
            for (auto& pair : worker.best.pairs) all.add(pair);
        std::sort(all.pairs.begin(), all.pairs.end());
        found.assign(1, std::move(all.pairs));
    }
    JoinResult result;
    for (auto& pairs : found)
        for (auto& pair : pairs) {
            result.left.push_back(pair.left);
            result.right.push_back(pair.right);
            result.score.push_back(pair.score);
        }
    for (auto& worker : workers) {
        result.stats.postings += worker.stats.postings;
        result.stats.candidates += worker.stats.candidates;
    }
    return result;
}

}  // namespace likewise
