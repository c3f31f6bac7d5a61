// Texts to term ids: tokenise, intern, and apply what Python decided once per distinct word.
//
// A word is a run of letters, marks and numbers as written; a term is what Python made of it (folded, stemmed), or
// nothing (a stop word). Python is asked only for words never seen before: tokenise() leaves them pending, resolve()
// takes the answers, terms() then maps a batch.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "parallel.hpp"
#include "stable.hpp"
#include "strings.hpp"

namespace likewise::analyse {

// A batch of texts: one UTF-8 buffer, and where each text begins and ends.
struct Buffer {
    std::string_view bytes;
    std::span<const std::int64_t> starts, ends;

    std::int64_t size() const { return static_cast<std::int64_t>(starts.size()); }
    std::string_view operator[](std::int64_t i) const {
        return bytes.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(ends[i] - starts[i]));
    }
};

struct TokeniseOptions {
    bool chains = false;   // also intern words joined by apostrophes ("don't"), for stop-word look-up
    bool bigrams = false;  // cut runs of letters of scripts without spaces into pairs of neighbours
    bool spans = false;    // keep where each word stands
    bool lower = false;  // ASCII words may be taken in lower case, because the term of a word is that of its lower case
};

// Words of a batch, by position.
struct Tokens {
    std::uint64_t made_by = 0;  // identity() of the vocabulary
    std::vector<std::int64_t> indptr{0};
    std::vector<std::int32_t> words;
    std::vector<std::int32_t> chains;  // the chain a word is part of, or -1; empty without TokeniseOptions::chains
    // Where a word stands, in characters of its text. Empty without TokeniseOptions::spans.
    std::vector<std::int64_t> char_starts, char_ends;
};

// Terms of a batch: what is left of the words.
struct Terms {
    std::vector<std::int64_t> indptr{0};
    std::vector<std::int32_t> terms;
    std::vector<std::int64_t> tokens;  // position of each term in Tokens
};

inline constexpr std::int32_t kDropped = -1;

// Words may be added by one thread while others look up what is there.
class Vocabulary {
public:
    Vocabulary();
    Tokens tokenise(const Buffer& texts, const TokeniseOptions& options, int threads, Control& control);

    // The words and chains that wait for resolve_*() are those from here to the end of words() and chains().
    std::int32_t resolved_words() const { return term_of_.size(); }
    std::int32_t resolved_chains() const { return stopped_.size(); }

    // The terms of the next unresolved words (nothing: dropped), and whether the next unresolved chains are stop words.
    void resolve_words(std::span<const std::optional<std::string_view>> terms);
    // The same where a word in plain ASCII letters becomes a term by lower case alone: the terms of the other words.
    void resolve_others(std::span<const std::string_view> terms);
    void resolve_chains(const std::vector<bool>& stopped);

    // All words of the tokens, which are this vocabulary's, must be resolved.
    Terms terms_of(const Tokens& tokens, bool positions) const;
    void check_resolved(const Tokens& tokens) const;

    // Calls take(term, place of the token) for what is left of a text; what check_resolved() says must hold.
    template <class Take>
    void each_term(const Tokens& tokens, std::size_t text, Take&& take) const {
        for (std::int64_t i = tokens.indptr[text]; i < tokens.indptr[text + 1]; ++i) {
            if (!tokens.chains.empty() && tokens.chains[i] >= 0 && stopped_[tokens.chains[i]]) continue;
            std::int32_t term = term_of_[tokens.words[i]];
            if (term != kDropped) take(term, i);
        }
    }

    // The terms of one text, if all of its words and chains are resolved; else false.
    bool known_terms(std::string_view text, const TokeniseOptions& options, std::vector<std::int32_t>& out) const;

    std::int32_t intern_term(std::string_view term);
    void reserve_terms(std::size_t count) {
        std::lock_guard lock(adding_);
        terms_.reserve(count);
    }
    // Forgets which words became which terms; terms stay. Not while others read, and tokens from before are refused.
    void forget_words();
    const StringTable& words() const { return words_; }
    const StringTable& chains() const { return chains_; }
    const StringTable& terms() const { return terms_; }

private:
    struct Part;
    void tokenise_part(const Buffer& texts, std::int64_t first, std::int64_t last, const TokeniseOptions& options,
                       Part& part) const;
    void find_words(const Buffer& texts, std::int64_t first, std::int64_t last, const TokeniseOptions& options,
                    Part& part) const;
    void take_up(Part& part, Tokens& all);
    bool known_words(std::string_view text, const TokeniseOptions& options, std::vector<std::int32_t>& out) const;
    bool known_unstopped(std::string_view text, const TokeniseOptions& options, std::vector<std::int32_t>& out) const;

    std::uint64_t identity_;
    std::mutex adding_;
    StringTable words_, chains_, terms_;
    StableVector<std::int32_t> term_of_;
    StableVector<std::uint8_t> stopped_;
};

// Each row's ids in ascending order, each once, with how often it occurred.
struct Counts {
    std::vector<std::int64_t> indptr{0};
    std::vector<std::int32_t> ids;
    std::vector<double> counts;
};
Counts count_rows(std::span<const std::int64_t> indptr, std::span<const std::int32_t> ids);

}  // namespace likewise::analyse
