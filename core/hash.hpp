// Hashes of bytes and numbers.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace likewise {

// Multiply-and-mix over eight bytes at a time. Nothing that is kept depends on it, so it may change.
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

inline std::uint64_t mix64(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    return x;
}

// Part of two file formats, the tagger's weights and the tables of a mining run, so it never changes. The same on every
// little-endian machine (the only ones we build for).
inline std::uint64_t tag_hash(std::string_view text, std::uint64_t seed = 0) {
    std::uint64_t h = seed ^ (text.size() * 0x9e3779b97f4a7c15ull);
    const char* at = text.data();
    std::size_t left = text.size();
    for (; left >= 8; at += 8, left -= 8) {
        std::uint64_t part;
        std::memcpy(&part, at, 8);
        h = (std::rotl(h, 23) ^ part) * 0x9fb21c651e98df25ull;
    }
    std::uint64_t part = 0;
    if (left) std::memcpy(&part, at, left);
    return mix64((std::rotl(h, 23) ^ part) * 0x9fb21c651e98df25ull);
}

}  // namespace likewise
