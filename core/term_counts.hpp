// Which terms texts have, and how often: rows of ids that grow a batch at a time, and what is counted over all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <utility>
#include <vector>

#include "analyse.hpp"

namespace likewise::analyse {

// An array of numbers that grows where it is, if the system can: a vector would hold all twice while it grows.
template <class T>
class Growing {
public:
    Growing() = default;
    Growing(const Growing&) = delete;
    Growing& operator=(const Growing&) = delete;
    ~Growing() { std::free(data_); }

    std::size_t size() const { return size_; }
    // Room for so many more, which the caller fills.
    T* add(std::size_t count) {
        if (size_ + count > room_) grow_to(size_ + count + size_ / 2);
        size_ += count;
        return data_ + (size_ - count);
    }
    // What it holds, to be freed by std::free; it is empty afterwards.
    T* release() {
        if (size_) grow_to(size_);
        room_ = size_ = 0;
        return std::exchange(data_, nullptr);
    }

private:
    void grow_to(std::size_t room) {
        auto* wider = static_cast<T*>(std::realloc(data_, room * sizeof(T)));
        if (!wider) throw std::bad_alloc();
        data_ = wider;
        room_ = room;
    }

    T* data_ = nullptr;
    std::size_t size_ = 0, room_ = 0;
};

class TermCounter {
public:
    // Whether how often a term is in a text is kept for each text, or only over all.
    explicit TermCounter(bool counts) : counts_wanted_(counts) {}

    // Adds a row for each text. A text stands for `repeats` of them, or for one.
    void add(const Vocabulary& vocabulary, const Tokens& tokens, std::span<const std::int64_t> repeats);

    std::vector<std::int64_t> indptr{0};
    Growing<std::int32_t> ids;  // ascending within a row, each once
    Growing<double> counts;
    std::vector<double> document_frequencies, occurrences;  // by term, with repeats
    std::int64_t texts = 0, words = 0;                      // with repeats

private:
    bool counts_wanted_;
    std::vector<std::uint32_t> seen_;  // by term: how often in the text at work
    std::vector<std::int32_t> row_;
};

}  // namespace likewise::analyse
