#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "portable.hpp"
#include "spectra.hpp"

#if LIKEWISE_AVX
#include <immintrin.h>
#endif

namespace likewise {

namespace {

constexpr std::int64_t kLanes = 16;

// Writes the places of the grams that are present, ascending, to `shared`, where there is room for all and kLanes more.
// Returns how many there are.
std::size_t find_plain(const std::int32_t* grams, std::int64_t size, const std::uint32_t* present,
                       std::int32_t* shared) {
    std::size_t found = 0;
    for (std::int64_t place = 0; place < size; ++place) {
        shared[found] = static_cast<std::int32_t>(place);
        found += present[grams[place] >> 5] >> (grams[place] & 31) & 1;
    }
    return found;
}

#if LIKEWISE_AVX
#if !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // about GCC's own header
#endif
__attribute__((target("avx512f"))) std::size_t find_avx512(const std::int32_t* grams, std::int64_t size,
                                                           const std::uint32_t* present, std::int32_t* shared) {
    std::size_t found = 0;
    __m512i places = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    const __m512i one = _mm512_set1_epi32(1), low = _mm512_set1_epi32(31), step = _mm512_set1_epi32(kLanes);
    for (std::int64_t at = 0; at < size; at += kLanes, places = _mm512_add_epi32(places, step)) {
        auto lanes = static_cast<__mmask16>(size - at < kLanes ? (1u << (size - at)) - 1 : 0xffffu);
        __m512i gram = _mm512_maskz_loadu_epi32(lanes, grams + at);
        __m512i words =
            _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), lanes, _mm512_srli_epi32(gram, 5), present, 4);
        __m512i bits = _mm512_sllv_epi32(one, _mm512_and_si512(gram, low));
        __mmask16 hits = _mm512_test_epi32_mask(words, bits);
        _mm512_storeu_si512(shared + found, _mm512_maskz_compress_epi32(hits, places));
        found += static_cast<std::size_t>(std::popcount(static_cast<unsigned>(hits)));
    }
    return found;
}
#if !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#endif

std::size_t find_shared(const std::int32_t* grams, std::int64_t size, const std::uint32_t* present,
                        std::int32_t* shared) {
#if LIKEWISE_AVX
    static const bool avx512 = __builtin_cpu_supports("avx512f");
    if (avx512) return find_avx512(grams, size, present, shared);
#endif
    return find_plain(grams, size, present, shared);
}

// What a thread keeps between rows.
struct Scratch {
    std::vector<std::uint32_t> present;  // by gram, a bit: the left text has it. Small enough for the first cache
    std::vector<std::uint8_t> slots;     // by gram: if so, its place in the left text
    std::vector<std::int32_t> counts;    // by place
    std::vector<std::int32_t> shared;    // places in the right texts of a batch
};

}  // namespace

void SpectraScorer::expect_soon(std::int64_t b) const {
    prefetch(right.gram_indptr.data(), b);
    prefetch(right.term_indptr.data(), b);
    prefetch(right.cardinalities.data(), b);
}

void SpectraScorer::expect(std::int64_t b) const {
    std::int64_t begin = right.gram_indptr[b], end = std::min(right.gram_indptr[b + 1], begin + kExpected);
    for (std::int64_t i = begin; i < end; i += 16) prefetch(right.grams.data(), i);
    prefetch(right.several.data(), begin >> 6);
}

// The left text's q-grams are put into a table; each right text looks its own up there. Right texts are taken in
// batches: first what they share is found, which touches their grams alone, while the values that will be needed are on
// their way.
void SpectraScorer::scores(std::int64_t a, std::span<const std::int64_t> rights, double* out) const {
    constexpr std::size_t kBatch = 8, kSlots = 255;
    thread_local Scratch scratch_of_thread;
    Scratch& scratch = scratch_of_thread;  // a thread_local is looked up at every use
    std::int64_t a_begin = left.gram_indptr[a], a_size = left.gram_indptr[a + 1] - a_begin;
    if (rights.size() < 3 || a_size > static_cast<std::int64_t>(kSlots)) return PairScorer::scores(a, rights, out);
    auto grams = static_cast<std::size_t>(term_grams.grams().size());
    if (scratch.slots.size() < grams) {
        scratch.slots.resize(grams);
        scratch.present.resize(grams / 32 + 1, 0);
    }
    scratch.counts.resize(kSlots);
    std::uint8_t* slots = scratch.slots.data();
    std::uint32_t* present = scratch.present.data();
    const double* values = left.values.data() + a_begin;
    for (std::int64_t i = 0; i < a_size; ++i) {
        std::int32_t gram = left.grams[a_begin + i];
        present[gram >> 5] |= 1u << (gram & 31);
        slots[gram] = static_cast<std::uint8_t>(i);
        scratch.counts[i] = left.count(a_begin + i);
    }
    for (std::size_t begin = 0; begin < rights.size(); begin += kBatch) {
        std::size_t end = std::min(begin + kBatch, rights.size()), found = 0, ends[kBatch];
        for (std::size_t i = begin; i < end; ++i) {
            std::int64_t b_begin = right.gram_indptr[rights[i]], size = right.gram_indptr[rights[i] + 1] - b_begin;
            scratch.shared.resize(found + static_cast<std::size_t>(size + kLanes));
            std::int32_t* shared = scratch.shared.data();
            std::size_t first = found;
            found += find_shared(right.grams.data() + b_begin, size, present, shared + found);
            ends[i - begin] = found;
            for (std::size_t k = first; k < found; ++k) prefetch(right.values.data(), b_begin + shared[k]);
            prefetch(right.terms.data(), right.term_indptr[rights[i]]);
            prefetch(right.repeated_indptr.data(), right.term_indptr[rights[i]]);
        }
        for (std::size_t i = begin, k = 0; i < end; ++i) {
            std::int64_t b = rights[i], b_begin = right.gram_indptr[b];
            double base = 0;
            std::int32_t most = 1;
            for (; k < ends[i - begin]; ++k) {
                std::int64_t place = b_begin + scratch.shared[k];
                std::uint8_t slot = slots[right.grams[place]];
                std::int32_t count_a = scratch.counts[slot], count_b = right.count(place);
                // spectra_base() without its short cut, which cannot be foreseen here: the same bits.
                base +=
                    (count_b * values[slot] + count_a * right.values[place]) / static_cast<double>(count_a + count_b);
                most = std::max({most, count_a, count_b});
            }
            double common = base;
            if (needs_correction(base, most)) common = base + spectra_correction(term_grams, left, a, right, b);
            out[i] = coefficient(common, left.cardinalities[a], right.cardinalities[b]);
        }
    }
    for (std::int64_t i = 0; i < a_size; ++i) present[left.grams[a_begin + i] >> 5] = 0;
}

}  // namespace likewise
