// What two ascending lists of ids share.
#pragma once

#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace likewise {

// Calls found(i, j) for every a[i] == b[j], in ascending order; the ids of each list are distinct. Blocks of four are
// compared all with all, because a merge step by step spends its time on branches that cannot be predicted.
template <class Found>
inline void intersect(const std::int32_t* a, std::int64_t a_size, const std::int32_t* b, std::int64_t b_size,
                      Found&& found) {
    std::int64_t i = 0, j = 0;
#if defined(__SSE2__)
    while (i + 4 <= a_size && j + 4 <= b_size) {
        __m128i x = _mm_loadu_si128(reinterpret_cast<const __m128i*>(a + i));
        __m128i y = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b + j));
        __m128i same = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi32(x, y), _mm_cmpeq_epi32(x, _mm_shuffle_epi32(y, _MM_SHUFFLE(0, 3, 2, 1)))),
            _mm_or_si128(_mm_cmpeq_epi32(x, _mm_shuffle_epi32(y, _MM_SHUFFLE(1, 0, 3, 2))),
                         _mm_cmpeq_epi32(x, _mm_shuffle_epi32(y, _MM_SHUFFLE(2, 1, 0, 3)))));
        auto hits = static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(same)));
        for (; hits; hits &= hits - 1) {
            int lane = std::countr_zero(hits);
            __m128i where = _mm_cmpeq_epi32(y, _mm_set1_epi32(a[i + lane]));
            found(i + lane, j + std::countr_zero(static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(where)))));
        }
        std::int32_t last_a = a[i + 3], last_b = b[j + 3];
        i += (last_a <= last_b) * 4;
        j += (last_b <= last_a) * 4;
    }
#endif
    while (i < a_size && j < b_size) {
        std::int32_t x = a[i], y = b[j];
        if (x == y) found(i, j);
        i += x <= y;
        j += y <= x;
    }
}

}  // namespace likewise
