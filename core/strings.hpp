// Strings interned to consecutive ids. One thread may intern while others look up, without a lock (see stable.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "hash.hpp"
#include "portable.hpp"
#include "stable.hpp"

namespace likewise {

class StringTable {
public:
    StringTable() { use(64); }
    StringTable(StringTable&& other) noexcept { swap(other); }
    StringTable& operator=(StringTable&& other) noexcept {
        StringTable(std::move(other)).swap(*this);
        return *this;
    }

    std::int32_t size() const { return strings_.size(); }
    std::string_view operator[](std::int32_t id) const { return strings_[id]; }

    // The id of text, or -1.
    std::int32_t find(std::string_view text) const {
        const Slots* slots = slots_.load(std::memory_order_acquire);
        return slots ? id_of(slots->values[slot_of(*slots, text, hash_bytes(text))].load(std::memory_order_acquire))
                     : -1;
    }

    // The ids of several texts, or -1. What each has to wait for in memory is waited for together.
    static constexpr std::size_t kTogether = 32;
    void find(std::span<const std::string_view> texts, std::int32_t* ids) const {
        const Slots* slots = slots_.load(std::memory_order_acquire);
        if (!slots) std::fill_n(ids, texts.size(), -1);
        for (std::size_t first = 0; slots && first < texts.size(); first += kTogether) {
            std::array<std::uint64_t, kTogether> hashes;
            auto some = texts.subspan(first, std::min(kTogether, texts.size() - first));
            for (std::size_t i = 0; i < some.size(); ++i) {
                hashes[i] = hash_bytes(some[i]);
                prefetch(slots->values.get(), static_cast<std::int64_t>(first_of(*slots, hashes[i])));
            }
            for (std::size_t i = 0; i < some.size(); ++i) {
                std::uint64_t value = slots->values[first_of(*slots, hashes[i])].load(std::memory_order_acquire);
                if (value) prefetch(&strings_[id_of(value)]);
            }
            for (std::size_t i = 0; i < some.size(); ++i) {
                std::uint64_t value = slots->values[first_of(*slots, hashes[i])].load(std::memory_order_acquire);
                if (value) prefetch(strings_[id_of(value)].data());
            }
            for (std::size_t i = 0; i < some.size(); ++i)
                ids[first + i] =
                    id_of(slots->values[slot_of(*slots, some[i], hashes[i])].load(std::memory_order_acquire));
        }
    }

    // The id of text, which is added if it is new.
    std::int32_t intern(std::string_view text) {
        if (tables_.empty()) use(64);  // moved from
        std::uint64_t hash = hash_bytes(text);
        const Slots* slots = slots_.load(std::memory_order_relaxed);
        std::size_t at = slot_of(*slots, text, hash);
        std::int32_t id = id_of(slots->values[at].load(std::memory_order_relaxed));
        if (id >= 0) return id;
        id = size();
        if (id == std::numeric_limits<std::int32_t>::max() - 1)
            throw std::length_error("more than two billion distinct strings");
        char* kept = bytes_.take(text.size());
        std::copy(text.begin(), text.end(), kept);
        strings_.push_back({kept, text.size()});
        slots->values[at].store(slot(hash, id), std::memory_order_release);
        if (static_cast<std::size_t>(id + 1) * 2 > slots->size) grow();
        return id;
    }

    // Not while others read.
    void swap(StringTable& other) noexcept {
        bytes_.swap(other.bytes_);
        strings_.swap(other.strings_);
        tables_.swap(other.tables_);
        slots_.store(other.slots_.exchange(slots_.load()));
    }

private:
    // Open addressing; the size is a power of two. A slot is 0, or has a part of the hash above and id + 1 below.
    struct Slots {
        std::size_t size;
        std::unique_ptr<std::atomic<std::uint64_t>[]> values;
    };
    static std::uint64_t slot(std::uint64_t hash, std::int32_t id) {
        return hash << 32 | static_cast<std::uint32_t>(id + 1);
    }
    static std::int32_t id_of(std::uint64_t slot) { return static_cast<std::int32_t>(slot & 0xffffffffu) - 1; }
    static std::size_t first_of(const Slots& slots, std::uint64_t hash) {
        return (hash * 0xD6E8FEB86659FD93ull >> 32) & (slots.size - 1);
    }

    std::size_t slot_of(const Slots& slots, std::string_view text, std::uint64_t hash) const {
        for (std::size_t at = first_of(slots, hash);; at = (at + 1) & (slots.size - 1)) {
            std::uint64_t value = slots.values[at].load(std::memory_order_acquire);
            if (!value || (value >> 32 == (hash & 0xffffffffu) && (*this)[id_of(value)] == text)) return at;
        }
    }

    // Readers may still be in the tables before: they stay, and take a third of what the last one takes.
    void use(std::size_t size) {
        tables_.push_back(std::make_unique<Slots>(Slots{size, std::make_unique<std::atomic<std::uint64_t>[]>(size)}));
        slots_.store(tables_.back().get(), std::memory_order_release);
    }

    void grow() {
        const Slots& old = *tables_.back();
        auto wider =
            std::make_unique<Slots>(Slots{old.size * 4, std::make_unique<std::atomic<std::uint64_t>[]>(old.size * 4)});
        for (std::size_t i = 0; i < old.size; ++i) {
            std::uint64_t value = old.values[i].load(std::memory_order_relaxed);
            if (!value) continue;
            std::size_t at = first_of(*wider, hash_bytes((*this)[id_of(value)]));
            while (wider->values[at].load(std::memory_order_relaxed)) at = (at + 1) & (wider->size - 1);
            wider->values[at].store(value, std::memory_order_relaxed);
        }
        tables_.push_back(std::move(wider));
        slots_.store(tables_.back().get(), std::memory_order_release);
    }

    StableArena<char> bytes_;
    StableVector<std::string_view> strings_;
    std::vector<std::unique_ptr<Slots>> tables_;
    std::atomic<const Slots*> slots_{nullptr};
};

}  // namespace likewise
