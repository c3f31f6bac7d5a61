// Strings interned to consecutive ids. One thread may intern while others look up, without a lock (see stable.hpp).
//
// A string takes its bytes, one for its length (more from 128 bytes on), eight for where it is, and its slots.
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
    std::string_view operator[](std::int32_t id) const { return read(strings_[id]); }

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
                if (value) prefetch(strings_[id_of(value)]);
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
        strings_.push_back(kept(text));
        slots->values[at].store(slot(hash, id), std::memory_order_release);
        if (static_cast<std::size_t>(id + 1) > slots->most) grow();
        return id;
    }

    // Makes room for so many strings (kMost at once), so that none of the tables that a growing one leaves is there.
    void reserve(std::size_t count) {
        constexpr std::size_t kMost = std::size_t{1} << 26;
        if (tables_.empty()) use(64);
        count = std::min(count, kMost);
        std::size_t size = count + count / 2;
        if (count <= tables_.back()->most) return;
        widen(size, size / 4 * 3);
    }

    // Not while others read.
    void swap(StringTable& other) noexcept {
        bytes_.swap(other.bytes_);
        strings_.swap(other.strings_);
        tables_.swap(other.tables_);
        slots_.store(other.slots_.exchange(slots_.load()));
    }

private:
    // Open addressing. A slot is 0, or has a part of the hash above and id + 1 below.
    struct Slots {
        std::size_t size, most;  // strings that it takes
        std::unique_ptr<std::atomic<std::uint64_t>[]> values;
    };
    static std::uint64_t slot(std::uint64_t hash, std::int32_t id) {
        return hash << 32 | static_cast<std::uint32_t>(id + 1);
    }
    static std::int32_t id_of(std::uint64_t slot) { return static_cast<std::int32_t>(slot & 0xffffffffu) - 1; }
    static std::size_t first_of(const Slots& slots, std::uint64_t hash) {
        return (hash * 0xD6E8FEB86659FD93ull >> 32) * slots.size >> 32;
    }
    static std::size_t after(const Slots& slots, std::size_t at) { return at + 1 == slots.size ? 0 : at + 1; }

    std::size_t slot_of(const Slots& slots, std::string_view text, std::uint64_t hash) const {
        for (std::size_t at = first_of(slots, hash);; at = after(slots, at)) {
            std::uint64_t value = slots.values[at].load(std::memory_order_acquire);
            if (!value || (value >> 32 == (hash & 0xffffffffu) && (*this)[id_of(value)] == text)) return at;
        }
    }

    // Its length, seven bits a byte, and its bytes.
    const char* kept(std::string_view text) {
        std::size_t more = 0;
        for (std::size_t rest = text.size() >> 7; rest; rest >>= 7) ++more;
        char* start = bytes_.take(text.size() + 1 + more);
        char* at = start;
        std::size_t length = text.size();
        for (; more; --more, length >>= 7) *at++ = static_cast<char>(0x80 | (length & 0x7f));
        *at++ = static_cast<char>(length);
        std::copy(text.begin(), text.end(), at);
        return start;
    }
    static std::string_view read(const char* at) {
        std::size_t length = 0;
        for (int shift = 0;; shift += 7) {
            auto byte = static_cast<unsigned char>(*at++);
            length |= std::size_t{byte & 0x7fu} << shift;
            if (byte < 0x80) return {at, length};
        }
    }

    // Readers may still be in the tables before: they stay, and take a third of what the last one takes.
    void use(std::size_t size) { put(make(size, size / 2)); }
    static std::unique_ptr<Slots> make(std::size_t size, std::size_t most) {
        return std::make_unique<Slots>(Slots{size, most, std::make_unique<std::atomic<std::uint64_t>[]>(size)});
    }
    void put(std::unique_ptr<Slots> slots) {
        tables_.push_back(std::move(slots));
        slots_.store(tables_.back().get(), std::memory_order_release);
    }
    void grow() {
        std::size_t size = tables_.back()->size * 4;
        widen(size, size / 2);
    }
    void widen(std::size_t size, std::size_t most) {
        const Slots& old = *tables_.back();
        std::unique_ptr<Slots> wider = make(size, most);
        for (std::size_t i = 0; i < old.size; ++i) {
            std::uint64_t value = old.values[i].load(std::memory_order_relaxed);
            if (!value) continue;
            std::size_t at = first_of(*wider, hash_bytes((*this)[id_of(value)]));
            while (wider->values[at].load(std::memory_order_relaxed)) at = after(*wider, at);
            wider->values[at].store(value, std::memory_order_relaxed);
        }
        put(std::move(wider));
    }

    StableArena<char> bytes_;
    StableVector<const char*> strings_;
    std::vector<std::unique_ptr<Slots>> tables_;
    std::atomic<const Slots*> slots_{nullptr};
};

}  // namespace likewise
