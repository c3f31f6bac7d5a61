// What compilers and systems do not agree on, in one place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#if defined(_WIN32) || defined(__GLIBC__)
#include <malloc.h>
#endif
#if defined(__linux__)
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#endif

// Hot kernels are compiled for several instruction sets and chosen when the library loads. Contraction is off, so every
// variant computes the same bits. Sanitizers look at memory before the choice can be made.
#if defined(__x86_64__) && defined(__ELF__) && !defined(LIKEWISE_SANITIZED) && \
    ((defined(__GNUC__) && !defined(__clang__)) || (defined(__clang__) && __clang_major__ >= 14))
#define LIKEWISE_DISPATCH __attribute__((target_clones("avx2", "default")))
#else
#define LIKEWISE_DISPATCH
#endif

// Kernels written for AVX2 and AVX-512, with their own choice at run time.
#if defined(__x86_64__) && defined(__GNUC__)
#define LIKEWISE_AVX 1
#else
#define LIKEWISE_AVX 0
#endif

namespace likewise {

// base[index] will be read soon. It need not exist: an address is all that is made of it.
template <class T>
inline void prefetch(const T* base, std::int64_t index = 0) {
#if defined(__GNUC__)
    __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(base) +
                                                     static_cast<std::uintptr_t>(index) * sizeof(T)));
#else
    (void)base;
    (void)index;
#endif
}

// Memory that begins at a multiple of `alignment` (a power of two).
inline void* allocate_aligned(std::size_t bytes, std::size_t alignment) {
#if defined(_WIN32)
    void* memory = _aligned_malloc(bytes, alignment);
#else
    void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
#endif
    if (!memory) throw std::bad_alloc();
    return memory;
}

inline void free_aligned(void* memory) {
#if defined(_WIN32)
    _aligned_free(memory);
#else
    std::free(memory);
#endif
}

// Gives memory that was freed back to the system, which the C library keeps in small pieces otherwise.
inline void release_memory() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

// Lets all others go first, from now on: this thread gets what they leave. There is no way back without a right to it.
// A low priority alone is not enough: who wakes up would wait until such a thread has had its slice, some milliseconds,
// and threads that pass on the lock of an interpreter wake up hundreds of times a second.
inline void let_others_first() {
#if defined(__linux__)
    sched_param none{};
    pthread_setschedparam(pthread_self(), SCHED_IDLE, &none);
#endif
}

// Asks for huge pages where the system has them: without, a pair of random texts spends more time on page-table walks
// than on its q-grams.
inline void advise_huge_pages(void* memory, std::size_t bytes) {
#if defined(__linux__)
    madvise(memory, bytes, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)bytes;
#endif
}

}  // namespace likewise
