// Penn-style tokens of one sentence, and what can be said of a word by looking at its letters.
//
// Punctuation marks are tokens; clitics ('s, n't, ...) are split off as in the Penn and EWT treebanks; hyphenated
// words, numbers with points and commas, abbreviations, addresses stay whole. Offsets are bytes of the UTF-8 input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace likewise::penn {

struct Token {
    std::uint32_t start;
    std::uint32_t end;
};

// Appends the tokens of text[begin, end) to out.
void tokenise(std::string_view text, std::size_t begin, std::size_t end, std::vector<Token>& out);

enum Flag : std::uint8_t {
    kWord = 1,        // has a letter or a digit
    kNumber = 2,      // has a digit and no letter
    kLowerFirst = 4,  // begins with a lower-case letter
    kLong = 8,        // longer than 30 characters
    kUpperFirst = 16,
};

std::uint8_t flags_of(std::string_view word);

// The next code point at position i, which is moved on; a broken byte counts as a mark (U+FFFD).
std::uint32_t decode(std::string_view text, std::size_t& i);

// What a code point is to the tokeniser; by Unicode category, marks on letters being letters.
enum class Kind : std::uint8_t { space, letter, digit, mark };
Kind kind_of(std::uint32_t code);

// Lower case for the alphabets that have it and are likely in English text: Latin, Greek, Cyrillic. Others stay.
std::uint32_t to_lower(std::uint32_t code);
std::string lower(std::string_view word);

}  // namespace likewise::penn
