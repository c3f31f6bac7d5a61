#include "join_kernel.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <vector>

#include "dispatch.hpp"

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace likewise {

namespace {

std::int32_t collect_plain(std::uint16_t* cells, std::int32_t from, std::int32_t to, std::uint16_t limit,
                           JoinHit* hits) {
    std::int32_t count = 0;
    for (; from < to; from += 64) {
        std::uint16_t any = 0;
        for (std::int32_t i = from; i < from + 64; ++i)
            any = static_cast<std::uint16_t>(any | (cells[i] > limit ? 0xffff : 0));
        if (any)
            for (std::int32_t i = from; i < from + 64; ++i)
                if (cells[i] > limit) hits[count++] = {static_cast<std::uint16_t>(i), cells[i]};
        std::memset(cells + from, 0, 128);
    }
    return count;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) std::int32_t collect_avx2(std::uint16_t* cells, std::int32_t from, std::int32_t to,
                                                          std::uint16_t limit, JoinHit* hits) {
    std::int32_t count = 0;
    const __m256i bar = _mm256_set1_epi16(static_cast<short>(limit)), zero = _mm256_setzero_si256();
    for (; from < to; from += 64) {
        auto* at = reinterpret_cast<__m256i*>(cells + from);
        // A saturating difference is above 0 exactly where the cell is above the limit.
        __m256i a = _mm256_subs_epu16(_mm256_loadu_si256(at), bar);
        __m256i b = _mm256_subs_epu16(_mm256_loadu_si256(at + 1), bar);
        __m256i c = _mm256_subs_epu16(_mm256_loadu_si256(at + 2), bar);
        __m256i d = _mm256_subs_epu16(_mm256_loadu_si256(at + 3), bar);
        __m256i any = _mm256_or_si256(_mm256_or_si256(a, b), _mm256_or_si256(c, d));
        if (!_mm256_testz_si256(any, any)) {
            const __m256i parts[4] = {a, b, c, d};
            for (int i = 0; i < 4; ++i) {
                auto mask = ~static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_cmpeq_epi16(parts[i], zero)));
                while (mask) {
                    int bit = __builtin_ctz(mask), place = from + 16 * i + bit / 2;
                    hits[count++] = {static_cast<std::uint16_t>(place), cells[place]};
                    mask &= ~(3u << bit);
                }
            }
        }
        for (int i = 0; i < 4; ++i) _mm256_storeu_si256(at + i, zero);
    }
    return count;
}
#endif

void add_plain(std::uint16_t* cells, std::int32_t to, const JoinList& list, bool product) {
    for (std::int32_t i = 0; i < to; ++i) {
        std::uint32_t weight = static_cast<std::uint32_t>(list.column[i]) << list.shift;
        if (!weight) continue;
        if (product) accumulate_one<true, true>(cells[i], list.x, weight);
        else accumulate_one<false, true>(cells[i], list.x, weight);
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
// Up to four columns in one pass, so that the cells are read and written once for all of them.
template <bool Product, int Count>
__attribute__((target("avx2"))) void add_avx2(std::uint16_t* cells, std::int32_t to, const JoinList* const* lists) {
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
            if constexpr (Product) sum = _mm256_add_epi16(_mm256_mulhi_epu16(x[k], weight), one);
            else sum = _mm256_adds_epu16(x[k], weight);
            total = _mm256_adds_epu16(total, _mm256_andnot_si256(none, sum));
        }
        _mm256_storeu_si256(at, total);
    }
}

template <bool Product>
void add_groups(std::uint16_t* cells, std::int32_t to, const std::vector<const JoinList*>& lists) {
    std::size_t i = 0;
    for (; i + 4 <= lists.size(); i += 4) add_avx2<Product, 4>(cells, to, lists.data() + i);
    if (lists.size() - i == 3) add_avx2<Product, 3>(cells, to, lists.data() + i);
    if (lists.size() - i == 2) add_avx2<Product, 2>(cells, to, lists.data() + i);
    if (lists.size() - i == 1) add_avx2<Product, 1>(cells, to, lists.data() + i);
}
#endif

LIKEWISE_DISPATCH
void largest_of_groups(const std::uint16_t* cells, std::int32_t groups, std::uint16_t* largest) {
    for (std::int32_t group = 0; group < groups; ++group) {
        std::uint16_t most = 0;
        for (std::int32_t i = 64 * group; i < 64 * group + 64; ++i) most = std::max(most, cells[i]);
        largest[group] = most;
    }
}

}  // namespace

void add_columns(std::uint16_t* cells, std::int32_t to, std::span<const JoinList> lists, bool product) {
    thread_local std::vector<const JoinList*> chosen;
    auto& columns = chosen;
    columns.clear();
    for (const JoinList& list : lists)
        if (list.column) columns.push_back(&list);
#if defined(__x86_64__) && defined(__GNUC__)
    static const bool avx2 = __builtin_cpu_supports("avx2");
    if (avx2) return product ? add_groups<true>(cells, to, columns) : add_groups<false>(cells, to, columns);
#endif
    for (const JoinList* list : columns) add_plain(cells, to, *list, product);
}

std::int32_t collect_above(std::uint16_t* cells, std::int32_t from, std::int32_t to, std::uint16_t limit,
                           JoinHit* hits) {
#if defined(__x86_64__) && defined(__GNUC__)
    static const bool avx2 = __builtin_cpu_supports("avx2");
    if (avx2) return collect_avx2(cells, from, to, limit, hits);
#endif
    return collect_plain(cells, from, to, limit, hits);
}

std::uint16_t likely_limit(const std::uint16_t* cells, std::int32_t to, std::int64_t count) {
    std::array<std::uint16_t, JoinIndex::block_size / 64> largest;
    std::int32_t groups = (to + 63) / 64;
    if (2 * count > 3 * groups) return 0;
    count = std::min<std::int64_t>(count, groups);
    largest_of_groups(cells, groups, largest.data());
    std::nth_element(largest.begin(), largest.begin() + (count - 1), largest.begin() + groups, std::greater<>());
    return largest[count - 1];
}

}  // namespace likewise
