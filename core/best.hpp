// The best of what has been seen.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace likewise {

// The `count` best items, as a heap whose worst is on top. Of two items the smaller (by <) is the better.
template <class Item>
class Best {
public:
    explicit Best(std::int64_t count = 0) : count_(count) {}

    bool empty() const { return items_.empty(); }
    bool full() const { return static_cast<std::int64_t>(items_.size()) >= count_; }
    const Item& worst() const { return items_.front(); }  // not of an empty one
    std::vector<Item>& items() { return items_; }
    void clear(std::int64_t count) {
        items_.clear();
        count_ = count;
    }
    void add(const Item& item) {
        if (!full()) {
            items_.push_back(item);
        } else if (items_.empty() || !(item < items_.front())) {
            return;
        } else {
            std::pop_heap(items_.begin(), items_.end());
            items_.back() = item;
        }
        std::push_heap(items_.begin(), items_.end());
    }
    // In order; the heap is none until the next clear().
    std::vector<Item>& sorted() {
        std::sort(items_.begin(), items_.end());
        return items_;
    }

private:
    std::int64_t count_;
    std::vector<Item> items_;
};

// Keeps the best `count` of all items, in order.
template <class Item>
void keep_best(std::vector<Item>& items, std::int64_t count) {
    if (static_cast<std::int64_t>(items.size()) > count) {
        std::nth_element(items.begin(), items.begin() + count, items.end());
        items.resize(static_cast<std::size_t>(count));
    }
    std::sort(items.begin(), items.end());
}

}  // namespace likewise
