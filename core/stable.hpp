// Storage that only grows and never moves what it holds, so that readers need no lock while a writer appends.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace likewise {

template <class T>
class StableVector {
    static constexpr int kBits = 14;
    static constexpr std::size_t kChunk = std::size_t{1} << kBits;

public:
    StableVector() : chunks_(std::make_unique<std::unique_ptr<T[]>[]>(kChunks)) {}

    std::int32_t size() const { return size_; }
    const T& operator[](std::int32_t i) const {
        return chunks_[static_cast<std::size_t>(i) >> kBits][i & (kChunk - 1)];
    }
    void push_back(const T& value) {
        auto& chunk = chunks_[static_cast<std::size_t>(size_) >> kBits];
        if (!chunk) chunk = std::make_unique<T[]>(kChunk);
        chunk[size_ & (kChunk - 1)] = value;
        ++size_;
    }

private:
    static constexpr std::size_t kChunks = (std::size_t{1} << 31) >> kBits;
    std::unique_ptr<std::unique_ptr<T[]>[]> chunks_;  // untouched pages of it cost no memory
    std::int32_t size_ = 0;
};

// Gives out stretches of T that stay where they are.
template <class T>
class StableArena {
public:
    T* take(std::size_t count) {
        if (count > left_) {
            left_ = std::max<std::size_t>(count, 1 << 16);
            blocks_.push_back(std::make_unique<T[]>(left_));
            at_ = blocks_.back().get();
        }
        T* given = at_;
        at_ += count;
        left_ -= count;
        return given;
    }

private:
    std::vector<std::unique_ptr<T[]>> blocks_;
    T* at_ = nullptr;
    std::size_t left_ = 0;
};

}  // namespace likewise
