// Words as numbers: each distinct word is kept once, in the order in which it was first seen.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace likewise {

inline std::uint64_t mix64(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    return x;
}

// Eight bytes at a time; the same on every little-endian machine (the only ones we build for).
inline std::uint64_t hash_bytes(std::string_view text, std::uint64_t seed = 0) {
    std::uint64_t h = seed ^ (text.size() * 0x9e3779b97f4a7c15ull);
    const char* p = text.data();
    std::size_t n = text.size();
    for (; n >= 8; p += 8, n -= 8) {
        std::uint64_t part;
        std::memcpy(&part, p, 8);
        h = (std::rotl(h, 23) ^ part) * 0x9fb21c651e98df25ull;
    }
    std::uint64_t part = 0;
    std::memcpy(&part, p, n);
    return mix64((std::rotl(h, 23) ^ part) * 0x9fb21c651e98df25ull);
}

class Words {
public:
    Words() : slots_(1 << 12, 0) {}

    std::uint32_t size() const { return static_cast<std::uint32_t>(views_.size()); }
    std::string_view view(std::uint32_t id) const { return views_[id]; }
    std::uint64_t hash(std::uint32_t id) const { return hashes_[id]; }

    std::uint32_t intern(std::string_view word) {
        const std::uint64_t h = hash_bytes(word);
        std::size_t slot = h & (slots_.size() - 1);
        while (slots_[slot]) {
            const std::uint32_t id = slots_[slot] - 1;
            if (hashes_[id] == h && views_[id] == word) return id;
            slot = (slot + 1) & (slots_.size() - 1);
        }
        views_.push_back(store(word));
        hashes_.push_back(h);
        slots_[slot] = size();
        if (views_.size() * 2 > slots_.size()) grow();
        return size() - 1;
    }

    void clear() { *this = Words(); }

private:
    std::string_view store(std::string_view word) {
        if (chunks_.empty() || chunks_.back().size() + word.size() > chunks_.back().capacity()) {
            chunks_.emplace_back();
            chunks_.back().reserve(std::max<std::size_t>(1 << 16, word.size()));
        }
        std::string& chunk = chunks_.back();
        const std::size_t at = chunk.size();
        chunk.append(word);
        return {chunk.data() + at, word.size()};
    }

    void grow() {
        std::vector<std::uint32_t> wider(slots_.size() * 2, 0);
        for (std::uint32_t id = 0; id < size(); ++id) {
            std::size_t slot = hashes_[id] & (wider.size() - 1);
            while (wider[slot]) slot = (slot + 1) & (wider.size() - 1);
            wider[slot] = id + 1;
        }
        slots_.swap(wider);
    }

    std::vector<std::uint32_t> slots_;  // id + 1; 0 is empty
    std::vector<std::string_view> views_;
    std::vector<std::uint64_t> hashes_;
    std::deque<std::string> chunks_;  // never moved, so that the views stay valid
};

}  // namespace likewise
