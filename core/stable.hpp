// Storage that only grows and never moves what it holds: one thread may append while others read, without a lock.
//
// A reader may look at what it has been told of: places below a size() it has read, or ids that another thread handed
// over. Writers see to it that there is one of them at a time.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace likewise {

// Chunks double in size, so that an empty vector costs a few pointers and a full one 2^31 places.
template <class T>
class StableVector {
public:
    StableVector() = default;
    StableVector(StableVector&& other) noexcept { swap(other); }
    StableVector& operator=(StableVector&& other) noexcept {
        StableVector(std::move(other)).swap(*this);
        return *this;
    }
    ~StableVector() {
        for (auto& chunk : chunks_) delete[] chunk.load(std::memory_order_relaxed);
    }

    std::int32_t size() const { return size_.load(std::memory_order_acquire); }
    const T& operator[](std::int32_t i) const {
        auto [chunk, place] = where(i);
        return chunks_[chunk].load(std::memory_order_relaxed)[place];
    }
    void push_back(const T& value) {
        std::int32_t size = size_.load(std::memory_order_relaxed);
        auto [chunk, place] = where(size);
        T* values = chunks_[chunk].load(std::memory_order_relaxed);
        if (!values) {
            values = new T[std::size_t{1} << (chunk + kFirst)];
            chunks_[chunk].store(values, std::memory_order_relaxed);
        }
        values[place] = value;
        size_.store(size + 1, std::memory_order_release);
    }
    // Not while others read.
    void swap(StableVector& other) noexcept {
        for (std::size_t i = 0; i < kChunks; ++i)
            chunks_[i].store(other.chunks_[i].exchange(chunks_[i].load(std::memory_order_relaxed)));
        size_.store(other.size_.exchange(size_.load(std::memory_order_relaxed)));
    }

private:
    static constexpr std::uint32_t kFirst = 8;  // the first chunk holds 2^8
    static constexpr std::size_t kChunks = 32 - kFirst;
    struct Where {
        std::uint32_t chunk, place;
    };
    static Where where(std::int32_t i) {
        std::uint32_t number = static_cast<std::uint32_t>(i) + (1u << kFirst);
        auto top = static_cast<std::uint32_t>(std::bit_width(number | 1u)) - 1;
        return {top - kFirst, number ^ (1u << top)};
    }

    std::array<std::atomic<T*>, kChunks> chunks_{};
    std::atomic<std::int32_t> size_{0};
};

// Gives out stretches of T that stay where they are. For writers only.
template <class T>
class StableArena {
public:
    T* take(std::size_t count) {
        if (count > left_) {
            next_ = std::min<std::size_t>(2 * next_, std::size_t{1} << 16);
            left_ = std::max(count, next_);
            blocks_.push_back(std::make_unique_for_overwrite<T[]>(left_));
            at_ = blocks_.back().get();
        }
        T* given = at_;
        at_ += count;
        left_ -= count;
        return given;
    }
    void swap(StableArena& other) noexcept {
        blocks_.swap(other.blocks_);
        std::swap(at_, other.at_);
        std::swap(left_, other.left_);
        std::swap(next_, other.next_);
    }

private:
    std::vector<std::unique_ptr<T[]>> blocks_;
    T* at_ = nullptr;
    std::size_t left_ = 0, next_ = 512;
};

}  // namespace likewise
