// Strings interned to consecutive ids: one arena of bytes, one open-addressing table.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace likewise {

// Multiply-and-mix over eight bytes at a time. Ids never depend on it, so it may change.
inline std::uint64_t hash_bytes(std::string_view text) {
    constexpr std::uint64_t k = 0x9E3779B97F4A7C15ull;
    std::uint64_t h = text.size() * k;
    const char* at = text.data();
    std::size_t left = text.size();
    auto mix = [&](std::uint64_t word) {
        h = (h ^ word) * k;
        h ^= h >> 29;
    };
    for (; left >= 8; at += 8, left -= 8) {
        std::uint64_t word;
        std::memcpy(&word, at, 8);
        mix(word);
    }
    if (left) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, left);
        mix(word);
    }
    return h ^ (h >> 32);
}

class StringTable {
public:
    StringTable() : slots_(64) {}

    std::int32_t size() const { return static_cast<std::int32_t>(offsets_.size()) - 1; }
    std::string_view operator[](std::int32_t id) const {
        return {bytes_.data() + offsets_[id], static_cast<std::size_t>(offsets_[id + 1] - offsets_[id])};
    }
    const std::vector<char>& bytes() const { return bytes_; }
    const std::vector<std::int64_t>& offsets() const { return offsets_; }

    // The id of text, or -1.
    std::int32_t find(std::string_view text) const { return slots_[slot_of(text, hash_bytes(text))].id; }

    // The id of text, which is added if it is new.
    std::int32_t intern(std::string_view text) {
        std::uint64_t hash = hash_bytes(text);
        std::size_t at = slot_of(text, hash);
        if (slots_[at].id >= 0) return slots_[at].id;
        if (size() == INT32_MAX - 1) throw std::length_error("more than two billion distinct strings");
        std::int32_t id = size();
        bytes_.insert(bytes_.end(), text.begin(), text.end());
        offsets_.push_back(static_cast<std::int64_t>(bytes_.size()));
        slots_[at] = {static_cast<std::uint32_t>(hash), id};
        if (static_cast<std::size_t>(size()) * 2 > slots_.size()) grow();
        return id;
    }

private:
    struct Slot {
        std::uint32_t hash = 0;
        std::int32_t id = -1;
    };

    std::size_t slot_of(std::string_view text, std::uint64_t hash) const {
        std::size_t mask = slots_.size() - 1;
        auto tag = static_cast<std::uint32_t>(hash);
        for (std::size_t at = (hash * 0xD6E8FEB86659FD93ull >> 32) & mask;; at = (at + 1) & mask) {
            const Slot& slot = slots_[at];
            if (slot.id < 0 || (slot.hash == tag && (*this)[slot.id] == text)) return at;
        }
    }

    void grow() {
        std::vector<Slot> old(slots_.size() * 4);
        old.swap(slots_);
        std::size_t mask = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.id < 0) continue;
            std::size_t at = (hash_bytes((*this)[slot.id]) * 0xD6E8FEB86659FD93ull >> 32) & mask;
            while (slots_[at].id >= 0) at = (at + 1) & mask;
            slots_[at] = slot;
        }
    }

    std::vector<char> bytes_;
    std::vector<std::int64_t> offsets_{0};
    std::vector<Slot> slots_;  // size is a power of two
};

}  // namespace likewise
