#include "join_kernel.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <vector>

#include "portable.hpp"
#include "upper.hpp"

#if LIKEWISE_AVX
#include <immintrin.h>
#endif

namespace likewise::join {

namespace {

// What the cells of a text are held against.
struct Bar {
    std::uint16_t limit;
    const std::uint16_t* needs;
    std::uint16_t lowered;

    bool below(std::uint16_t cell, std::int32_t place) const {
        int own = needs ? std::max(0, needs[place] - lowered) : limit;
        return cell > std::min<int>(limit, own);
    }
};

template <bool Clear, class Cells>
std::int32_t above_plain(Cells* cells, std::int32_t from, std::int32_t to, Bar bar, Hit* hits) {
    std::int32_t count = 0;
    for (std::int32_t i = from; i < to; ++i)
        if (bar.below(cells[i], i)) hits[count++] = {static_cast<std::uint16_t>(i), cells[i]};
    if constexpr (Clear) std::memset(cells + from, 0, (to - from) * sizeof(*cells));
    return count;
}

#if LIKEWISE_AVX
template <bool Clear, bool Needs, class Cells>
__attribute__((target("avx2"))) std::int32_t above_avx2(Cells* cells, std::int32_t from, std::int32_t to, Bar bar,
                                                        Hit* hits) {
    std::int32_t count = 0;
    const __m256i limit = _mm256_set1_epi16(static_cast<short>(bar.limit)), zero = _mm256_setzero_si256();
    const __m256i lowered = _mm256_set1_epi16(static_cast<short>(bar.lowered));
    for (; from < to; from += 64) {
        __m256i parts[4], any = zero;
        for (int i = 0; i < 4; ++i) {
            __m256i least = limit;
            if constexpr (Needs) {
                auto* needs = reinterpret_cast<const __m256i*>(bar.needs + from + 16 * i);
                least = _mm256_min_epu16(least, _mm256_subs_epu16(_mm256_loadu_si256(needs), lowered));
            }
            // A saturating difference is above 0 exactly where the cell is above the limit.
            auto* at = reinterpret_cast<const __m256i*>(cells + from + 16 * i);
            parts[i] = _mm256_subs_epu16(_mm256_loadu_si256(at), least);
            any = _mm256_or_si256(any, parts[i]);
        }
        if (!_mm256_testz_si256(any, any)) {
            for (int i = 0; i < 4; ++i) {
                auto mask = ~static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi16(parts[i], zero)));
                while (mask) {
                    int bit = std::countr_zero(mask), place = from + 16 * i + bit / 2;
                    hits[count++] = {static_cast<std::uint16_t>(place), cells[place]};
                    mask &= ~(3u << bit);
                }
            }
        }
        if constexpr (Clear)
            for (int i = 0; i < 4; ++i) _mm256_storeu_si256(reinterpret_cast<__m256i*>(cells + from + 16 * i), zero);
    }
    return count;
}

template <bool Clear, bool Needs, class Cells>
__attribute__((target("avx512bw"))) std::int32_t above_avx512(Cells* cells, std::int32_t from, std::int32_t to, Bar bar,
                                                              Hit* hits) {
    std::int32_t count = 0;
    const __m512i limit = _mm512_set1_epi16(static_cast<short>(bar.limit));
    const __m512i lowered = _mm512_set1_epi16(static_cast<short>(bar.lowered));
    for (; from < to; from += 64) {
        std::uint64_t mask = 0;
        for (int i = 0; i < 2; ++i) {
            __m512i least = limit;
            if constexpr (Needs)
                least =
                    _mm512_min_epu16(least, _mm512_subs_epu16(_mm512_loadu_si512(bar.needs + from + 32 * i), lowered));
            std::uint64_t half = _mm512_cmpgt_epu16_mask(_mm512_loadu_si512(cells + from + 32 * i), least);
            mask |= half << (32 * i);
        }
        for (; mask; mask &= mask - 1) {
            int place = from + std::countr_zero(mask);
            hits[count++] = {static_cast<std::uint16_t>(place), cells[place]};
        }
        if constexpr (Clear)
            for (int i = 0; i < 2; ++i) _mm512_storeu_si512(cells + from + 32 * i, _mm512_setzero_si512());
    }
    return count;
}

enum class Vectors { none, avx2, avx512 };
const Vectors vectors = __builtin_cpu_supports("avx512bw") ? Vectors::avx512
                        : __builtin_cpu_supports("avx2")   ? Vectors::avx2
                                                           : Vectors::none;
#endif

#if LIKEWISE_AVX
// In sketches of names there are some dozens of features: branches on whether they are shared would be taken wrongly.
__attribute__((target("avx2"))) float shared_avx2(const float* masses, const std::uint32_t* sketch,
                                                  std::int64_t count) {
    const __m256i low = _mm256_set1_epi32(65535), places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    __m256 sum = _mm256_setzero_ps();
    for (std::int64_t i = 0; i < count; i += 8) {
        __m256i there =
            _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(std::min<std::int64_t>(8, count - i))), places);
        __m256i entries = _mm256_maskload_epi32(reinterpret_cast<const int*>(sketch + i), there);
        __m256 mass = _mm256_mask_i32gather_ps(_mm256_setzero_ps(), masses, _mm256_srli_epi32(entries, 16),
                                               _mm256_castsi256_ps(there), 4);
        __m256 own = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_and_si256(entries, low), upper::kCut));
        own = _mm256_and_ps(own, _mm256_cmp_ps(mass, _mm256_setzero_ps(), _CMP_GT_OQ));
        sum = _mm256_add_ps(sum, _mm256_add_ps(mass, own));
    }
    __m128 half = _mm_add_ps(_mm256_castps256_ps128(sum), _mm256_extractf128_ps(sum, 1));
    half = _mm_add_ps(half, _mm_movehl_ps(half, half));
    return _mm_cvtss_f32(_mm_add_ss(half, _mm_movehdup_ps(half)));
}

__attribute__((target("avx512bw"))) float shared_avx512(const float* masses, const std::uint32_t* sketch,
                                                        std::int64_t count) {
    const __m512i low = _mm512_set1_epi32(65535);
    __m512 sum = _mm512_setzero_ps();
    for (std::int64_t i = 0; i < count; i += 16) {
        auto there = static_cast<__mmask16>((1u << std::min<std::int64_t>(16, count - i)) - 1);
        __m512i entries = _mm512_maskz_loadu_epi32(there, sketch + i);
        __m512 mass = _mm512_mask_i32gather_ps(_mm512_setzero_ps(), there, _mm512_srli_epi32(entries, 16), masses, 4);
        __m512 own = _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_and_si512(entries, low), upper::kCut));
        __mmask16 shared = _mm512_cmp_ps_mask(mass, _mm512_setzero_ps(), _CMP_GT_OQ);
        sum = _mm512_add_ps(sum, _mm512_mask_add_ps(mass, shared, mass, own));
    }
    return _mm512_reduce_add_ps(sum);
}
#endif

template <bool Clear, class Cells>
std::int32_t above(Cells* cells, std::int32_t from, std::int32_t to, Bar bar, Hit* hits) {
#if LIKEWISE_AVX
    if (vectors == Vectors::avx512)
        return bar.needs ? above_avx512<Clear, true>(cells, from, to, bar, hits)
                         : above_avx512<Clear, false>(cells, from, to, bar, hits);
    if (vectors == Vectors::avx2)
        return bar.needs ? above_avx2<Clear, true>(cells, from, to, bar, hits)
                         : above_avx2<Clear, false>(cells, from, to, bar, hits);
#endif
    return above_plain<Clear>(cells, from, to, bar, hits);
}

void add_plain(std::uint16_t* cells, std::int32_t to, const List& list, bool product) {
    for (std::int32_t i = 0; i < to; ++i) {
        std::uint32_t weight = static_cast<std::uint32_t>(list.column[i]) << list.shift;
        if (!weight) continue;
        if (product)
            accumulate_one<true, true>(cells[i], list.x, weight);
        else
            accumulate_one<false, true>(cells[i], list.x, weight);
    }
}

#if LIKEWISE_AVX
// Up to four columns in one pass, so that the cells are read and written once for all of them.
template <bool Product, int Count>
__attribute__((target("avx2"))) void add_avx2(std::uint16_t* cells, std::int32_t to, const List* const* lists) {
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi16(1);
    __m256i x[Count];
    __m128i shift[Count];
    for (int k = 0; k < Count; ++k) {
        x[k] = _mm256_set1_epi16(static_cast<short>(std::min(lists[k]->x, 65535u)));
        shift[k] = _mm_cvtsi32_si128(lists[k]->shift);
    }
    for (std::int32_t i = 0; i < to; i += 16) {
        auto* at = reinterpret_cast<__m256i*>(cells + i);
        __m256i total = _mm256_loadu_si256(at);
        for (int k = 0; k < Count; ++k) {
            __m256i weight =
                _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(lists[k]->column + i)));
            __m256i none = _mm256_cmpeq_epi16(weight, zero), sum;
            weight = _mm256_sll_epi16(weight, shift[k]);
            if constexpr (Product)
                sum = _mm256_add_epi16(_mm256_mulhi_epu16(x[k], weight), one);
            else
                sum = _mm256_adds_epu16(x[k], weight);
            total = _mm256_adds_epu16(total, _mm256_andnot_si256(none, sum));
        }
        _mm256_storeu_si256(at, total);
    }
}

template <bool Product, int Count>
__attribute__((target("avx512bw"))) void add_avx512(std::uint16_t* cells, std::int32_t to, const List* const* lists) {
    const __m512i one = _mm512_set1_epi16(1);
    __m512i x[Count];
    __m128i shift[Count];
    for (int k = 0; k < Count; ++k) {
        x[k] = _mm512_set1_epi16(static_cast<short>(std::min(lists[k]->x, 65535u)));
        shift[k] = _mm_cvtsi32_si128(lists[k]->shift);
    }
    for (std::int32_t i = 0; i < to; i += 32) {
        __m512i total = _mm512_loadu_si512(cells + i);
        for (int k = 0; k < Count; ++k) {
            __m512i weight =
                _mm512_cvtepu8_epi16(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(lists[k]->column + i)));
            __mmask32 there = _mm512_test_epi16_mask(weight, weight);
            __m512i sum;
            weight = _mm512_sll_epi16(weight, shift[k]);
            if constexpr (Product)
                sum = _mm512_add_epi16(_mm512_mulhi_epu16(x[k], weight), one);
            else
                sum = _mm512_adds_epu16(x[k], weight);
            total = _mm512_mask_adds_epu16(total, there, total, sum);
        }
        _mm512_storeu_si512(cells + i, total);
    }
}

template <bool Product, int Count>
void add_vectors(std::uint16_t* cells, std::int32_t to, const List* const* lists) {
    if (vectors == Vectors::avx512)
        add_avx512<Product, Count>(cells, to, lists);
    else
        add_avx2<Product, Count>(cells, to, lists);
}

template <bool Product>
void add_groups(std::uint16_t* cells, std::int32_t to, const std::vector<const List*>& lists) {
    std::size_t i = 0;
    for (; i + 4 <= lists.size(); i += 4) add_vectors<Product, 4>(cells, to, lists.data() + i);
    if (lists.size() - i == 3) add_vectors<Product, 3>(cells, to, lists.data() + i);
    if (lists.size() - i == 2) add_vectors<Product, 2>(cells, to, lists.data() + i);
    if (lists.size() - i == 1) add_vectors<Product, 1>(cells, to, lists.data() + i);
}
#endif

}  // namespace

void add_columns(std::uint16_t* cells, std::int32_t to, std::span<const List> lists, bool product) {
    thread_local std::vector<const List*> chosen;
    auto& columns = chosen;
    columns.clear();
    for (const List& list : lists)
        if (list.column) columns.push_back(&list);
#if LIKEWISE_AVX
    if (vectors != Vectors::none)
        return product ? add_groups<true>(cells, to, columns) : add_groups<false>(cells, to, columns);
#endif
    for (const List* list : columns) add_plain(cells, to, *list, product);
}

std::int32_t collect_above(std::uint16_t* cells, std::int32_t from, std::int32_t to, std::uint16_t limit,
                           const std::uint16_t* needs, std::uint16_t lowered, Hit* hits) {
    return above<true>(cells, from, to, {limit, needs, lowered}, hits);
}

std::int32_t find_above(const std::uint16_t* cells, std::int32_t to, std::uint16_t limit, Hit* hits) {
    return above<false>(cells, 0, to, {limit, nullptr, 0}, hits);
}

LIKEWISE_DISPATCH
float limits_from(const float* shares, std::int32_t count, float factor, std::uint16_t* limits) {
    float least = std::numeric_limits<float>::infinity();
    for (std::int32_t i = 0; i < count; ++i) {
        least = std::min(least, shares[i]);
        float limit = std::min(shares[i] * factor, 65534.f);
        limits[i] = static_cast<std::uint16_t>(std::max(static_cast<std::int32_t>(limit) - 2, 0));
    }
    return least;
}

LIKEWISE_DISPATCH
void harmonic_bounds(const std::uint16_t* cells, const double* sizes, std::int64_t count, float left, float unit,
                     float more, std::uint16_t* out) {
    float twice = 2 * left;
    for (std::int64_t i = 0; i < count; ++i) {
        auto right = static_cast<float>(sizes[i]);
        float bound = (static_cast<float>(cells[i]) * unit + more) * (left + right) / (twice * right);
        out[i] = upper::code(cells[i], bound);
    }
}

LIKEWISE_DISPATCH
void plain_bounds(const std::uint16_t* cells, std::int64_t count, float unit, float more, std::uint16_t* out) {
    for (std::int64_t i = 0; i < count; ++i) out[i] = upper::code(cells[i], static_cast<float>(cells[i]) * unit + more);
}

float sum_of_shared(const float* masses, const std::uint32_t* sketch, std::int64_t count) {
#if LIKEWISE_AVX
    if (vectors == Vectors::avx512) return shared_avx512(masses, sketch, count);
    if (vectors == Vectors::avx2) return shared_avx2(masses, sketch, count);
#endif
    float sum = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        float mass = masses[sketch[i] >> 16];
        sum += mass + (mass > 0 ? upper::value(static_cast<std::uint16_t>(sketch[i])) : 0.0f);
    }
    return sum;
}

// Bit by bit, from the uppermost on: vectors count, and no branch depends on a value.
LIKEWISE_DISPATCH
std::uint16_t nth_largest(const std::uint16_t* values, std::int64_t size, std::int64_t count) {
    constexpr std::int64_t kPart = 32768;  // counted in 16 bits
    int found = 0;
    for (int bit = 1 << 15; bit; bit >>= 1) {
        auto least = static_cast<std::uint16_t>(found | bit);
        std::int64_t reach = 0;
        for (std::int64_t first = 0; first < size; first += kPart) {
            std::uint16_t some = 0;
            for (std::int64_t i = first; i < std::min(size, first + kPart); ++i)
                some = static_cast<std::uint16_t>(some + (values[i] >= least));
            reach += some;
        }
        found |= reach >= count ? bit : 0;
    }
    return static_cast<std::uint16_t>(found);
}

LIKEWISE_DISPATCH
void largest_of_groups(const std::uint16_t* cells, std::int32_t groups, std::uint16_t* largest) {
    for (std::int32_t group = 0; group < groups; ++group) {
        std::uint16_t most = 0;
        for (std::int32_t i = 64 * group; i < 64 * group + 64; ++i) most = std::max(most, cells[i]);
        largest[group] = most;
    }
}

std::uint16_t likely_limit(const std::uint16_t* cells, std::int32_t to, std::int64_t count) {
    std::array<std::uint16_t, Index::kBlock / 64> largest;
    std::int32_t groups = (to + 63) / 64;
    if (2 * count > 3 * groups) return 0;
    count = std::min<std::int64_t>(count, groups);
    largest_of_groups(cells, groups, largest.data());
    return nth_largest(largest.data(), groups, count);
}

}  // namespace likewise::join
