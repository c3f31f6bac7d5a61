// What the tagger looks at, in one place for training and tagging. A feature is a 32-bit key.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "hash.hpp"
#include "penn.hpp"

namespace likewise::features {

enum Role : std::uint64_t { kCurrent = 1, kBefore, kAfter, kBefore2, kAfter2, kPair };

inline std::uint32_t key(std::uint64_t role, std::uint64_t kind, std::uint64_t value) {
    return static_cast<std::uint32_t>(mix64(value ^ mix64(role << 8 | kind)) >> 32);
}
inline std::uint32_t key(std::uint64_t role, std::uint64_t kind, std::string_view value) {
    return key(role, kind, tag_hash(value, 7));
}

// Runs of capitals, small letters, digits, marks: "McX-12" -> "XxX-d".
inline std::string shape_of(std::string_view word) {
    std::string shape;
    for (std::size_t i = 0; i < word.size() && shape.size() < 8;) {
        const std::uint32_t c = penn::decode(word, i);
        char sign;
        switch (penn::kind_of(c)) {
            case penn::Kind::digit:
                sign = 'd';
                break;
            case penn::Kind::letter:
                sign = penn::to_lower(c) != c ? 'X' : 'x';
                break;
            default:
                sign = c < 0x80 ? static_cast<char>(c) : '?';
        }
        if (shape.empty() || shape.back() != sign) shape += sign;
    }
    return shape;
}

// A coarse class of the shape: what matters at the start of a sentence and for neighbours.
inline std::uint8_t shape_class(std::string_view word) {
    const std::string shape = shape_of(word);
    if (shape == "x") return 1;
    if (shape == "Xx") return 2;
    if (shape == "X") return word.size() == 1 ? 3 : 4;
    if (shape == "d") return 5;
    if (shape.find('d') != shape.npos) return 6;
    if (shape.find('X') != shape.npos) return shape[0] == 'X' ? 7 : 8;
    return shape.find('x') != shape.npos ? 9 : 10;
}

template <class Emit>
void current(std::string_view word, std::string_view small, std::uint16_t ambiguity, Emit emit) {
    emit(key(kCurrent, 0, 0));
    emit(key(kCurrent, 1, word));
    emit(key(kCurrent, 2, small));
    const std::string shape = shape_of(word);
    emit(key(kCurrent, 3, shape));
    const std::size_t n = small.size();
    for (std::size_t length = 1; length <= 5 && length < n; ++length)
        emit(key(kCurrent, 10 + length, small.substr(n - length)));
    for (std::size_t length = 1; length <= 3 && length < n; ++length)
        emit(key(kCurrent, 20 + length, small.substr(0, length)));
    emit(key(kCurrent, 4, std::string(small.substr(n - std::min<std::size_t>(n, 3))) + "/" + shape));
    emit(key(kCurrent, 5, ambiguity));
    if (const std::size_t hyphen = small.rfind('-'); hyphen != small.npos && hyphen > 0 && hyphen + 1 < n) {
        emit(key(kCurrent, 6, small.substr(hyphen + 1)));
        emit(key(kCurrent, 7, small.substr(0, hyphen)));
    }
}

template <class Emit>
void neighbour(Role role, std::string_view word, std::string_view small, std::uint16_t ambiguity, Emit emit) {
    emit(key(role, 2, small));
    emit(key(role, 5, ambiguity));
    if (role == kBefore || role == kAfter) {
        emit(key(role, 3, shape_class(word)));
        emit(key(role, 13, small.substr(small.size() - std::min<std::size_t>(small.size(), 3))));
    }
}

// Features of several tokens at once, given hashes of the lower-cased words, ambiguity classes and the tag before.
struct Around {
    std::uint32_t small, small_before, small_after;
    std::uint16_t class_before, class_now, class_after;
    std::uint8_t shape;
    std::uint8_t tag_before, tag_before2;
    bool first;
};

template <class Emit>
void around(const Around& at, Emit emit) {
    const std::uint64_t now = at.small;
    emit(key(kPair, 1, now << 8 | at.tag_before));
    emit(key(kPair, 2, std::uint64_t{at.class_now} << 16 | at.class_after));
    emit(key(kPair, 3, std::uint64_t{at.class_now} << 40 | std::uint64_t{at.class_after} << 16 | at.tag_before));
    emit(key(kPair, 4, now << 32 | at.small_before));
    emit(key(kPair, 5, now << 32 | at.small_after));
    emit(key(kPair, 6, std::uint64_t{at.shape} << 16 | std::uint64_t{at.first} << 8 | at.tag_before));
    emit(key(kPair, 7, std::uint64_t{at.class_now} << 16 | std::uint64_t{at.first} << 8 | at.shape));
}

}  // namespace likewise::features
