#include "soft.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <string_view>

#include "unicode.hpp"

namespace likewise {

namespace {

constexpr std::int64_t kLook = 64;  // terms between two looks at whether to stop

}  // namespace

void JaroWinkler::add(const StringTable& terms) {
    std::lock_guard lock(adding_);
    std::vector<std::uint32_t> codes;
    for (std::int32_t term = terms_.size(); term < terms.size(); ++term) {
        codes.clear();
        std::string_view text = terms[term];
        for (std::size_t at = 0; at < text.size();) codes.push_back(next_code(text, at));
        std::uint32_t* kept = arena_.take(codes.size());
        std::copy(codes.begin(), codes.end(), kept);
        std::uint64_t mask = 0;
        for (std::uint32_t code : codes) mask |= std::uint64_t{1} << (code & 63);
        terms_.push_back({kept, static_cast<std::int32_t>(codes.size()), mask});
    }
}

namespace {

double jaro(const std::uint32_t* a, std::int32_t a_size, const std::uint32_t* b, std::int32_t b_size) {
    if (a_size == 0 || b_size == 0) return 0;
    thread_local std::vector<std::uint8_t> taken_a, taken_b;
    taken_a.assign(static_cast<std::size_t>(a_size), 0);
    taken_b.assign(static_cast<std::size_t>(b_size), 0);
    std::int32_t window = std::max(0, std::max(a_size, b_size) / 2 - 1);
    std::int32_t matches = 0;
    for (std::int32_t i = 0; i < a_size; ++i)
        for (std::int32_t j = std::max(0, i - window); j < std::min(b_size, i + window + 1); ++j)
            if (!taken_b[j] && a[i] == b[j]) {
                taken_a[i] = taken_b[j] = 1;
                ++matches;
                break;
            }
    if (matches == 0) return 0;
    std::int32_t crossed = 0;
    for (std::int32_t i = 0, j = 0; i < a_size; ++i) {
        if (!taken_a[i]) continue;
        while (!taken_b[j]) ++j;
        crossed += a[i] != b[j];
        ++j;
    }
    const std::int32_t transpositions = crossed / 2;
    double m = matches;
    return (m / a_size + m / b_size + (m - transpositions) / m) / 3;
}

}  // namespace

double JaroWinkler::winkler(const Letters& x, const Letters& y, double jaro) const {
    if (jaro <= boost_) return jaro;
    int prefix = 0, limit = std::min<int>({max_prefix_, x.size, y.size});
    while (prefix < limit && x.codes[prefix] == y.codes[prefix]) ++prefix;
    return jaro + prefix * prefix_weight_ * (1 - jaro);
}

double JaroWinkler::operator()(std::int32_t a, std::int32_t b) const {
    if (a == b) return 1;
    const Letters &x = terms_[a], &y = terms_[b];
    return winkler(x, y, jaro(x.codes, x.size, y.codes, y.size));
}

double JaroWinkler::above(std::int32_t a, std::int32_t b, double cut) const {
    if (a == b) return 1;
    const Letters &x = terms_[a], &y = terms_[b];
    // Every distinct letter that only one side has is a letter that cannot match: a bound on Jaro by two popcounts.
    int most = std::min(x.size - std::popcount(x.mask & ~y.mask), y.size - std::popcount(y.mask & ~x.mask));
    if (most <= 0) return 0;
    double bound = (static_cast<double>(most) / x.size + static_cast<double>(most) / y.size + 1) / 3;
    if (winkler(x, y, bound) <= cut) return 0;
    return winkler(x, y, jaro(x.codes, x.size, y.codes, y.size));
}

double GramJaccard::operator()(std::int32_t a, std::int32_t b) const {
    if (a == b) return 1;
    TermEntry x = grams_[a], y = grams_[b];
    std::int32_t i = 0, j = 0, shared = 0;
    while (i < x.size && j < y.size) {
        std::int32_t u = x.grams[i], v = y.grams[j];
        shared += u == v;
        i += u <= v;
        j += v <= u;
    }
    std::int32_t all = x.size + y.size - shared;
    return all ? static_cast<double>(shared) / all : 0;
}

double SimilarityTable::operator()(std::int32_t a, std::int32_t b) const {
    if (a == b) return 1;
    if (a < 0 || static_cast<std::size_t>(a) + 1 >= indptr_.size()) return 0;
    auto begin = terms_.begin() + indptr_[a], end = terms_.begin() + indptr_[a + 1];
    auto at = std::lower_bound(begin, end, b);
    return at != end && *at == b ? values_[static_cast<std::size_t>(at - terms_.begin())] : 0;
}

SimilarTerms similar_terms(const TermSimilarity& similarity, std::int32_t size, double cut, int threads,
                           Control& control) {
    constexpr std::int32_t kBlock = 64;
    std::int64_t blocks = (size + kBlock - 1) / kBlock;
    struct Part {
        std::vector<std::int64_t> sizes;
        std::vector<std::int32_t> terms;
        std::vector<double> values;
    };
    std::vector<Part> parts(static_cast<std::size_t>(blocks));
    parallel_blocks(blocks, threads, control, [&](std::int64_t block, int) {
        Part& part = parts[block];
        auto begin = static_cast<std::int32_t>(block * kBlock);
        for (std::int32_t a = begin; a < std::min(size, begin + kBlock); ++a) {
            if (control.stop) throw Stopped();
            std::size_t before = part.terms.size();
            for (std::int32_t b = 0; b < size; ++b) {
                double value = similarity.above(a, b, cut);
                if (value <= cut) continue;
                part.terms.push_back(b);
                part.values.push_back(value);
            }
            part.sizes.push_back(static_cast<std::int64_t>(part.terms.size() - before));
        }
    });
    SimilarTerms all;
    for (Part& part : parts) {
        for (std::int64_t count : part.sizes) all.indptr.push_back(all.indptr.back() + count);
        all.terms.insert(all.terms.end(), part.terms.begin(), part.terms.end());
        all.values.insert(all.values.end(), part.values.begin(), part.values.end());
    }
    return all;
}

double SoftTfIdfScorer::score(std::int64_t a, std::int64_t b, double cutoff) const {
    // What the left terms still to come can add at most, for each of their weights.
    bool bounded = cutoff > 0;
    double rest = 0, each = 0;
    if (bounded) {
        for (std::int64_t i = left.indptr[a]; i < left.indptr[a + 1]; ++i) rest += std::max(left.weights[i], 0.0);
        for (std::int64_t j = right.indptr[b]; j < right.indptr[b + 1]; ++j) {
            double weight = std::max(right.weights[j], 0.0);
            each = best ? std::max(each, weight) : each + weight;
        }
        each *= similarity.most();
    }
    double sum = 0;
    for (std::int64_t i = left.indptr[a]; i < left.indptr[a + 1]; ++i) {
        if (bounded && (sum + rest * each) * (1 + 1e-9) < cutoff) return 0;
        double top = cut, weight = 0;
        if (i % kLook == kLook - 1) stop_if_asked();
        for (std::int64_t j = right.indptr[b]; j < right.indptr[b + 1]; ++j) {
            double value = similarity.above(left.ids[i], right.ids[j], cut);
            if (value <= cut) continue;
            if (!best) {
                sum += left.weights[i] * right.weights[j] * value;
            } else if (value > top || (value == top && right.weights[j] > weight)) {
                top = value;
                weight = right.weights[j];
            }
        }
        if (best) sum += left.weights[i] * weight * top;
        rest -= std::max(left.weights[i], 0.0);
    }
    return sum;
}

double SoftCardinalityScorer::raised(std::int32_t a, std::int32_t b) const {
    double value = similarity(a, b);
    if (value < cut || value == 0) return 0;
    return softness == 2 ? value * value : std::pow(value, softness);
}

double SoftCardinalityScorer::score(std::int64_t a, std::int64_t b, double) const {
    std::int64_t a_begin = left.indptr[a], a_size = left.indptr[a + 1] - a_begin;
    std::int64_t b_begin = right.indptr[b], b_size = right.indptr[b + 1] - b_begin;
    // How similar each term is to its own text, and to what the other text adds to that.
    thread_local std::vector<double> own_a, own_b, other_a, other_b;
    thread_local std::vector<std::int64_t> partner;  // of a left term: the same term on the right, or -1
    own_a.assign(static_cast<std::size_t>(a_size), 1);
    other_a.assign(static_cast<std::size_t>(a_size), 0);
    own_b.assign(static_cast<std::size_t>(b_size), 1);
    other_b.assign(static_cast<std::size_t>(b_size), 0);
    partner.assign(static_cast<std::size_t>(a_size), -1);
    const std::int32_t *terms_a = left.ids.data() + a_begin, *terms_b = right.ids.data() + b_begin;
    const double *weights_a = left.weights.data() + a_begin, *weights_b = right.weights.data() + b_begin;
    intersect(terms_a, a_size, terms_b, b_size, [&](std::int64_t i, std::int64_t j) { partner[i] = j; });
    auto add_own = [&](const std::int32_t* terms, std::int64_t size, std::vector<double>& own) {
        for (std::int64_t i = 0; i < size; ++i) {
            if (i % kLook == kLook - 1) stop_if_asked();
            for (std::int64_t j = i + 1; j < size; ++j) {
                double value = raised(terms[i], terms[j]);
                own[i] += value;
                own[j] += value;
            }
        }
    };
    add_own(terms_a, a_size, own_a);
    add_own(terms_b, b_size, own_b);
    thread_local std::vector<std::uint8_t> right_shared;
    right_shared.assign(static_cast<std::size_t>(b_size), 0);
    for (std::int64_t i = 0; i < a_size; ++i)
        if (partner[i] >= 0) right_shared[partner[i]] = 1;
    // What the other side adds to a term's neighbourhood: the other side's terms that its own side does not have.
    for (std::int64_t i = 0; i < a_size; ++i) {
        if (i % kLook == kLook - 1) stop_if_asked();
        for (std::int64_t j = 0; j < b_size; ++j) {
            if (partner[i] == j) continue;
            bool j_new = !right_shared[j], i_new = partner[i] < 0;
            if (!j_new && !i_new) continue;
            double value = raised(terms_a[i], terms_b[j]);
            if (j_new) other_a[i] += value;
            if (i_new) other_b[j] += value;
        }
    }
    double size_a = 0, size_b = 0, size_union = 0;
    for (std::int64_t i = 0; i < a_size; ++i) {
        size_a += weights_a[i] / own_a[i];
        double weight = partner[i] >= 0 ? std::max(weights_a[i], weights_b[partner[i]]) : weights_a[i];
        size_union += weight / (own_a[i] + other_a[i]);
    }
    for (std::int64_t j = 0; j < b_size; ++j) {
        size_b += weights_b[j] / own_b[j];
        if (!right_shared[j]) size_union += weights_b[j] / (own_b[j] + other_b[j]);
    }
    return coefficient(size_a + size_b - size_union, size_a, size_b);
}

}  // namespace likewise
