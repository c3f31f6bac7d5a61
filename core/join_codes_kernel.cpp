#include "join_codes_kernel.hpp"

#include <algorithm>

#include "portable.hpp"

#if LIKEWISE_AVX
#include <immintrin.h>
#endif

namespace likewise::join {

#if LIKEWISE_AVX
namespace {

const bool avx512 = __builtin_cpu_supports("avx512bw"), avx2 = __builtin_cpu_supports("avx2");

// A vector of looked-up bytes is two of 16-bit sums. `both` adds the odd bytes 256-fold to the even ones, which is
// taken off again in the end: less work than taking the bytes apart each time.
__attribute__((target("avx512bw"))) void sum_avx512(const std::uint8_t* columns, std::span<const CodeTable> given,
                                                    const std::uint8_t* tables, std::uint16_t* sums) {
    constexpr int kParts = CodeColumn::kBlock / 128;
    const __m512i low = _mm512_set1_epi8(15);
    __m512i both[2 * kParts], odd[2 * kParts];
    for (int i = 0; i < 2 * kParts; ++i) both[i] = odd[i] = _mm512_setzero_si512();
    for (const CodeTable& one : given) {
        const std::uint8_t* column = columns + CodeColumn::kBytes * one.column;
        __m512i table = _mm512_broadcast_i32x4(_mm_loadu_si128(reinterpret_cast<const __m128i*>(tables + one.table)));
        for (int part = 0; part < kParts; ++part) {
            __m512i codes = _mm512_loadu_si512(column + 64 * part);
            __m512i first = _mm512_shuffle_epi8(table, _mm512_and_si512(codes, low));
            __m512i second = _mm512_shuffle_epi8(table, _mm512_and_si512(_mm512_srli_epi16(codes, 4), low));
            both[2 * part] = _mm512_add_epi16(both[2 * part], first);
            odd[2 * part] = _mm512_add_epi16(odd[2 * part], _mm512_srli_epi16(first, 8));
            both[2 * part + 1] = _mm512_add_epi16(both[2 * part + 1], second);
            odd[2 * part + 1] = _mm512_add_epi16(odd[2 * part + 1], _mm512_srli_epi16(second, 8));
        }
    }
    for (int i = 0; i < 2 * kParts; ++i) {
        _mm512_storeu_si512(sums + 64 * i, _mm512_sub_epi16(both[i], _mm512_slli_epi16(odd[i], 8)));
        _mm512_storeu_si512(sums + 64 * i + 32, odd[i]);
    }
}

__attribute__((target("avx2"))) void sum_avx2(const std::uint8_t* columns, std::span<const CodeTable> given,
                                              const std::uint8_t* tables, std::uint16_t* sums) {
    const __m256i low = _mm256_set1_epi8(15);
    for (std::int64_t from = 0; from < CodeColumn::kBytes; from += 64, sums += 128) {
        __m256i both[4], odd[4];
        for (int i = 0; i < 4; ++i) both[i] = odd[i] = _mm256_setzero_si256();
        for (const CodeTable& one : given) {
            const std::uint8_t* column = columns + CodeColumn::kBytes * one.column + from;
            __m256i table =
                _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(tables + one.table)));
            for (int part = 0; part < 2; ++part) {
                __m256i codes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(column + 32 * part));
                __m256i first = _mm256_shuffle_epi8(table, _mm256_and_si256(codes, low));
                __m256i second = _mm256_shuffle_epi8(table, _mm256_and_si256(_mm256_srli_epi16(codes, 4), low));
                both[part] = _mm256_add_epi16(both[part], first);
                odd[part] = _mm256_add_epi16(odd[part], _mm256_srli_epi16(first, 8));
                both[part + 2] = _mm256_add_epi16(both[part + 2], second);
                odd[part + 2] = _mm256_add_epi16(odd[part + 2], _mm256_srli_epi16(second, 8));
            }
        }
        for (int i = 0; i < 4; ++i) {
            std::uint16_t* at = sums + 16 * (i & 1) + 64 * (i >> 1);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(at),
                                _mm256_sub_epi16(both[i], _mm256_slli_epi16(odd[i], 8)));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(at + 32), odd[i]);
        }
    }
}

}  // namespace

bool has_codes() { return avx2; }

void sum_codes(const std::uint8_t* columns, std::span<const CodeTable> given, const std::uint8_t* tables,
               std::uint16_t* sums) {
    avx512 ? sum_avx512(columns, given, tables, sums) : sum_avx2(columns, given, tables, sums);
}
#else
bool has_codes() { return false; }

void sum_codes(const std::uint8_t*, std::span<const CodeTable>, const std::uint8_t*, std::uint16_t*) {}
#endif

// (K_B v_A + K_A v_B) / (K_A + K_B) rises with v_B, and with K_B where v_A is the larger value.
LIKEWISE_DISPATCH
float bases_of(const CodeBook& book, float value, float count, float* out) {
    float counts[CodeColumn::kCodes] = {1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2};
    for (int i = 0; i < CodeBook::kMore; ++i)
        counts[CodeBook::kFirst[2] + i] = value > book.largest[CodeBook::kFirst[2] + i] ? book.most[i] : book.fewest[i];
    for (int code = 0; code < CodeColumn::kCodes; ++code)
        out[code] = (counts[code] * value + count * book.largest[code]) / (count + counts[code]);
    out[0] = 0;
    float most = 0;
    for (int code = 0; code < CodeColumn::kCodes; ++code) most = std::max(most, out[code]);
    return most;
}

LIKEWISE_DISPATCH
void to_units(const float* amounts, float unit, float taken, std::uint8_t* out) {
    for (int code = 0; code < CodeColumn::kCodes; ++code) {
        float units = std::min(std::max(amounts[code] * unit + 1 - taken, 0.0f), 255.0f);
        out[code] = static_cast<std::uint8_t>(static_cast<std::int32_t>(units));
    }
    out[0] = 0;
}

}  // namespace likewise::join
