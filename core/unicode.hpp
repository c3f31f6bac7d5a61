// Unicode categories and UTF-8, as much as tokenising needs. Folding and normalising run in Python, per distinct word.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace likewise {

#include "unicode_table.inc"

// Classes of code points: 0 separates words; the low two bits tell letter, mark and number apart. kUnspaced: of a
// script written without spaces between words, or Korean, whose words end in particles; kHan: a Chinese character.
inline constexpr std::uint8_t kLetter = 1, kMark = 2, kNumber = 3, kKind = 3, kUnspaced = 4, kHan = 8;

inline std::uint8_t class_of(std::uint32_t code) {
    return code < 0x110000 ? unicode_class[unicode_index[code >> 8]][code & 255] : 0;
}

// Reads the code point at text[at] and moves past it. A byte that begins no valid sequence counts as one separator
// (U+FFFD), so broken input never stops the reader.
inline std::uint32_t next_code(std::string_view text, std::size_t& at) {
    auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    std::uint32_t lead = byte(at);
    if (lead < 0x80) return ++at, lead;
    int extra = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4 || at + extra >= text.size()) return ++at, 0xFFFD;
    std::uint32_t code = lead & (0x3F >> extra);
    for (int i = 1; i <= extra; ++i) {
        std::uint32_t next = byte(at + i);
        if ((next & 0xC0) != 0x80) return ++at, 0xFFFD;
        code = (code << 6) | (next & 0x3F);
    }
    at += extra + 1;
    return code;
}

inline bool is_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char byte) { return static_cast<std::uint8_t>(byte) < 128; });
}

// Whether a text is nothing but what Python's str.strip() takes off.
inline bool is_blank(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        std::uint32_t code = next_code(text, at);
        bool space = code == ' ' || (code >= 9 && code <= 13) || (code >= 28 && code <= 31) || code == 0x85 ||
                     code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
                     code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
        if (!space) return false;
    }
    return true;
}

}  // namespace likewise
