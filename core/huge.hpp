// Vectors for large arrays that are read at random: on huge pages where the system gives them, and not cleared first.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <new>
#include <utility>
#include <vector>

#include "portable.hpp"

namespace likewise {

template <class T>
struct HugeAllocator {
    using value_type = T;
    static constexpr std::size_t kPage = std::size_t{1} << 21;

    HugeAllocator() = default;
    template <class U>
    HugeAllocator(const HugeAllocator<U>&) {}

    T* allocate(std::size_t count) {
        if (count > (std::numeric_limits<std::size_t>::max() - kPage) / sizeof(T)) throw std::bad_alloc();
        std::size_t bytes = count * sizeof(T);
        if (!is_large(count)) {
            void* memory = std::malloc(bytes ? bytes : 1);
            if (!memory) throw std::bad_alloc();
            return static_cast<T*>(memory);
        }
        void* memory = allocate_aligned(bytes, kPage);
        advise_huge_pages(memory, bytes);
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) { is_large(count) ? free_aligned(memory) : std::free(memory); }
    static bool is_large(std::size_t count) { return count * sizeof(T) >= 2 * kPage; }

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
