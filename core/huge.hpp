// Vectors for large arrays that are read at random: on huge pages where the system gives them, and not cleared first.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace likewise {

template <class T>
struct HugeAllocator {
    using value_type = T;
    static constexpr std::size_t kPage = std::size_t{1} << 21;

    HugeAllocator() = default;
    template <class U>
    HugeAllocator(const HugeAllocator<U>&) {}

    T* allocate(std::size_t count) {
        std::size_t bytes = count * sizeof(T);
        bool large = bytes >= 2 * kPage;
        void* memory = large ? std::aligned_alloc(kPage, (bytes + kPage - 1) / kPage * kPage) : std::malloc(bytes);
        if (!memory) throw std::bad_alloc();
#if defined(__linux__)
        // Without it, a pair of random texts spends more time on page-table walks than on its q-grams.
        if (large) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t) { std::free(memory); }

    template <class U>
    void construct(U* at) {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... Args>
    void construct(U* at, Args&&... args) {
        ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
    }
    friend bool operator==(const HugeAllocator&, const HugeAllocator&) { return true; }
};

template <class T>
using HugeVector = std::vector<T, HugeAllocator<T>>;

}  // namespace likewise
