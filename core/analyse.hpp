// Texts to term ids: tokenise, intern, and apply what Python decided once per distinct word.
//
// A word is a run of letters, marks and numbers as written; a term is what Python made of it (folded, stemmed), or
// nothing (a stop word). Python is asked only for words never seen before: tokenise() leaves them pending, resolve()
// takes the answers, terms() then maps a batch.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "parallel.hpp"
#include "strings.hpp"

namespace likewise {

// A batch of texts: one UTF-8 buffer and where each text begins.
struct Buffer {
    std::string_view bytes;
    std::span<const std::int64_t> offsets;  // size texts + 1

    std::int64_t size() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
    std::string_view operator[](std::int64_t i) const {
        return bytes.substr(static_cast<std::size_t>(offsets[i]),
                            static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
    }
};

struct TokeniseOptions {
    bool chains = false;    // also intern words joined by apostrophes ("don't"), for stop-word look-up
    bool unspaced = false;  // every letter of a script written without spaces is a word of its own
    bool spans = false;     // keep where each word stands
};

// Words of a batch, by position.
struct Tokens {
    std::vector<std::int64_t> indptr{0};
    std::vector<std::int32_t> words;
    std::vector<std::int32_t> chains;  // the chain a word is part of, or -1; empty without TokeniseOptions::chains
    // Where a word stands: in bytes and in characters of its text. Empty without TokeniseOptions::spans.
    std::vector<std::int64_t> byte_starts, byte_ends, char_starts, char_ends;
};

// Terms of a batch: what is left of the words.
struct Terms {
    std::vector<std::int64_t> indptr{0};
    std::vector<std::int32_t> terms;
    std::vector<std::int64_t> tokens;  // position of each term in Tokens
};

inline constexpr std::int32_t kDropped = -1;

class Vocabulary {
public:
    Tokens tokenise(const Buffer& texts, const TokeniseOptions& options, int threads, Control& control);

    // How many words and chains wait for resolve(): those from here to the end of words() and chains().
    std::int32_t resolved_words() const { return static_cast<std::int32_t>(term_of_.size()); }
    std::int32_t resolved_chains() const { return static_cast<std::int32_t>(stopped_.size()); }

    // The term of the next unresolved word (dropped: no term), or whether the next unresolved chain is a stop word.
    void resolve_word(std::string_view term) { term_of_.push_back(terms_.intern(term)); }
    void drop_word() { term_of_.push_back(kDropped); }
    void resolve_chain(bool stopped) { stopped_.push_back(stopped); }

    Terms terms_of(const Tokens& tokens, bool positions) const;

    // The terms of one text, if all of its words and chains are resolved; else false.
    bool known_terms(std::string_view text, const TokeniseOptions& options, std::vector<std::int32_t>& out) const;

    std::int32_t intern_term(std::string_view term) { return terms_.intern(term); }
    const StringTable& words() const { return words_; }
    const StringTable& chains() const { return chains_; }
    const StringTable& terms() const { return terms_; }
    std::int32_t term_of(std::int32_t word) const { return term_of_[word]; }
    bool stopped(std::int32_t chain) const { return stopped_[chain]; }

    // Set while words are added without the interpreter's lock: then nobody may read them (known_terms).
    bool busy = false;

private:
    StringTable words_, chains_, terms_;
    std::vector<std::int32_t> term_of_;
    std::vector<std::uint8_t> stopped_;
};

// Each row's ids in ascending order, each once, with how often it occurred.
struct Counts {
    std::vector<std::int64_t> indptr{0};
    std::vector<std::int32_t> ids;
    std::vector<double> counts;
};
Counts count_rows(std::span<const std::int64_t> indptr, std::span<const std::int32_t> ids);

}  // namespace likewise
