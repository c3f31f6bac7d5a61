#include "analyse.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

#include "runs.hpp"
#include "unicode.hpp"

namespace likewise::analyse {

namespace {

struct Word {
    std::size_t byte_start, byte_end, char_start, char_end;
    bool joined;  // only an apostrophe stands between this word and the one before, with letters on both sides
};

bool is_apostrophe(std::uint32_t code) { return code == '\'' || code == 0x2019; }

bool is_unspaced_letter(std::uint8_t kind) { return (kind & kUnspaced) && (kind & kKind) == kLetter; }

// Calls emit(word) for each word of the text.
//
// With `bigrams`, a run of letters of a script without spaces gives every pair of neighbours, and every Chinese
// character also by itself, since many a word is just one: 東京 gives 東, 東京, 京. A lone letter is a word.
template <class Emit>
void each_word(std::string_view text, bool bigrams, Emit&& emit) {
    std::size_t at = 0, character = 0;
    Word word{}, before{};  // before: the letter without spaces that was read last
    bool inside = false, last_letter = false;
    bool could_join = false;  // the text just left a word by an apostrophe after a letter
    while (at < text.size()) {
        std::size_t start = at;
        std::uint32_t code = next_code(text, at);
        std::uint8_t kind = class_of(code);
        if (!kind) {
            if (inside) emit(word);
            could_join = inside && last_letter && is_apostrophe(code);
            inside = false;
        } else if (bigrams && is_unspaced_letter(kind)) {
            if (inside) emit(word);
            inside = could_join = false;
            word = {start, at, character, character + 1, false};
            // Marks that follow (Thai vowels, for example) belong to the letter.
            std::uint8_t next = 0;
            for (std::size_t peek = at; peek < text.size();) {
                next = class_of(next_code(text, peek));
                if ((next & kKind) != kMark) break;
                next = 0;
                at = word.byte_end = peek;
                word.char_end = ++character + 1;
            }
            bool paired = before.byte_end == start && start > 0;
            if (paired) emit(Word{before.byte_start, at, before.char_start, word.char_end, false});
            if ((kind & kHan) || !(paired || is_unspaced_letter(next))) emit(word);
            before = word;
        } else {
            if (!inside) word = {start, at, character, character + 1, could_join && (kind & kKind) == kLetter};
            inside = true;
            word.byte_end = at;
            word.char_end = character + 1;
            last_letter = (kind & kKind) == kLetter;
        }
        ++character;
    }
    if (inside) emit(word);
}

std::uint64_t next_identity() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

// The id of a known text, or one below 0 for a fresh one.
std::int32_t id_of(const StringTable& known, StringTable& fresh, std::string_view text) {
    std::int32_t id = known.find(text);
    return id >= 0 ? id : -1 - fresh.intern(text);
}

// What an ASCII byte is to a word; other bytes take a closer look.
enum Byte : std::uint8_t { kSeparates, kInWord, kOther };
constexpr std::array<Byte, 256> kBytes = [] {
    std::array<Byte, 256> kinds{};
    for (int byte = 0; byte < 256; ++byte) {
        bool in_word = (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
        kinds[byte] = byte >= 128 ? kOther : in_word ? kInWord : kSeparates;
    }
    return kinds;
}();
Byte kind_of(char byte) { return kBytes[static_cast<std::uint8_t>(byte)]; }

// Calls ascii(word) for each word of ASCII letters and digits that stands by itself, other(word) for every other. A run
// between two ASCII separators, which no word crosses, takes the longer way if it has anything but ASCII in it. Where
// runs begin and end is found for 64 bytes together, because a branch for each byte is foreseen too seldom.
template <class Ascii, class Other>
void each_plain_word(std::string_view text, bool bigrams, Ascii&& ascii, Other&& other) {
    constexpr std::size_t kStep = 64;
    bool plain = is_ascii(text), inside = false;
    std::size_t start = 0;
    auto take = [&](std::size_t end) {
        std::string_view run = text.substr(start, end - start);
        if (plain || is_ascii(run)) return ascii(run);
        each_word(run, bigrams,
                  [&](const Word& word) { other(run.substr(word.byte_start, word.byte_end - word.byte_start)); });
    };
    for (std::size_t first = 0; first < text.size(); first += kStep) {
        std::uint64_t runs = 0;
        for (std::size_t i = 0, size = std::min(kStep, text.size() - first); i < size; ++i)
            runs |= static_cast<std::uint64_t>(kind_of(text[first + i]) != kSeparates) << i;
        std::uint64_t edges = runs ^ (runs << 1 | static_cast<std::uint64_t>(inside));
        for (; edges; edges &= edges - 1, inside = !inside) {
            std::size_t at = first + static_cast<std::size_t>(std::countr_zero(edges));
            if (inside)
                take(at);
            else
                start = at;
        }
    }
    if (inside) take(text.size());
}

// A word of at most 16 bytes: they, then zeros. No word is all zeros.
struct ShortWord {
    static constexpr std::size_t kLongest = 16;
    std::uint64_t low = 0, high = 0;

    ShortWord() = default;
    // There are at least 16 bytes to read. Letters differ from those in lower case by one bit, which digits have.
    ShortWord(const char* bytes, std::size_t size, bool lower) {
        std::memcpy(&low, bytes, 8);
        std::memcpy(&high, bytes + 8, 8);
        std::uint64_t more = lower ? 0x2020202020202020u : 0;
        low = (low | more) & kMasks[std::min<std::size_t>(size, 8)];
        high = (high | more) & kMasks[std::max<std::size_t>(size, 8) - 8];
    }
    std::string_view view(std::size_t size) const { return {reinterpret_cast<const char*>(this), size}; }
    std::size_t slot(int bits) const {
        return ((low ^ high * 0xD6E8FEB86659FD93ull) * 0x9E3779B97F4A7C15ull) >> (64 - bits);
    }
    bool operator==(const ShortWord&) const = default;

private:
    static constexpr std::array<std::uint64_t, 9> kMasks = [] {
        std::array<std::uint64_t, 9> masks{};
        for (int size = 1; size < 9; ++size) masks[size] = ~std::uint64_t{0} >> (64 - 8 * size);
        return masks;
    }();
};

// Finds the ids of words, in their order; new ones are fresh and have ids below 0. Most words of a text are among a few
// thousand short ones that were looked up of late, which fit a near cache, where the table of all words does not;
// others wait until several are looked up together.
class WordFinder {
public:
    WordFinder(const StringTable& known, StringTable& fresh, std::string_view buffer, bool lower,
               std::vector<std::int32_t>& ids)
        : known_(known), fresh_(fresh), end_(buffer.data() + buffer.size()), lower_(lower), ids_(ids), slots_(kSlots) {}

    // A word of ASCII letters and digits.
    void add(std::string_view word) {
        constexpr auto kLongest = static_cast<std::ptrdiff_t>(ShortWord::kLongest);
        if (std::ssize(word) > kLongest || end_ - word.data() < kLongest) {
            if (lower_) {
                longer_.assign(word);
                for (char& letter : longer_) letter = static_cast<char>(letter | 0x20);
                word = longer_;
            }
            return add_other(word);
        }
        ShortWord key(word.data(), word.size(), lower_);
        const Slot& slot = slots_[key.slot(kBits)];
        if (slot.word == key) {
            ids_.push_back(slot.id);
            return;
        }
        waiting_[count_] = key;
        sizes_[count_] = static_cast<std::uint8_t>(word.size());
        places_[count_] = ids_.size();
        ids_.push_back(0);
        if (++count_ == kWaiting) find_waiting();
    }

    // Any word, as it is.
    void add_other(std::string_view word) {
        find_waiting();
        ids_.push_back(id_of(known_, fresh_, word));
    }

    void find_waiting() {
        std::array<std::string_view, kWaiting> words;
        std::array<std::int32_t, kWaiting> found;
        for (std::size_t i = 0; i < count_; ++i) words[i] = waiting_[i].view(sizes_[i]);
        known_.find(std::span(words).first(count_), found.data());
        for (std::size_t i = 0; i < count_; ++i) {
            std::int32_t id = found[i] >= 0 ? found[i] : -1 - fresh_.intern(words[i]);
            ids_[places_[i]] = id;
            slots_[waiting_[i].slot(kBits)] = {waiting_[i], id};
        }
        count_ = 0;
    }

private:
    static constexpr int kBits = 15;
    static constexpr std::size_t kSlots = std::size_t{1} << kBits, kWaiting = StringTable::kTogether;
    struct Slot {
        ShortWord word;
        std::int32_t id = 0;
    };
    const StringTable& known_;
    StringTable& fresh_;
    const char* end_;
    bool lower_;
    std::vector<std::int32_t>& ids_;
    std::vector<Slot> slots_;
    std::array<ShortWord, kWaiting> waiting_;
    std::array<std::uint8_t, kWaiting> sizes_;
    std::array<std::size_t, kWaiting> places_;
    std::size_t count_ = 0;
    std::string longer_;
};

template <class Value>
void append(std::vector<Value>& to, const std::vector<Value>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

// What one block of texts gives before its new words have ids: new ones count down from -1.
struct Vocabulary::Part {
    Tokens tokens;
    StringTable words, chains;
};

Vocabulary::Vocabulary() : identity_(next_identity()) {}

void Vocabulary::tokenise_part(const Buffer& texts, std::int64_t first, std::int64_t last,
                               const TokeniseOptions& options, Part& part) const {
    Tokens& out = part.tokens;
    std::string chain;
    for (std::int64_t i = first; i < last; ++i) {
        std::string_view text = texts[i];
        std::size_t chain_begin = out.words.size();
        auto close_chain = [&] {
            if (out.words.size() - chain_begin < 2) return;
            // Chains need a marker of their own for "none", so new ones count down from -2.
            std::int32_t id = id_of(chains_, part.chains, chain);
            std::fill(out.chains.begin() + static_cast<std::ptrdiff_t>(chain_begin), out.chains.end(),
                      id >= 0 ? id : id - 1);
        };
        each_word(text, options.bigrams, [&](const Word& word) {
            std::string_view bytes = text.substr(word.byte_start, word.byte_end - word.byte_start);
            if (options.chains) {
                if (word.joined) {
                    chain.push_back('\'');
                } else {
                    close_chain();
                    chain_begin = out.words.size();
                    chain.clear();
                }
                chain.append(bytes);
                out.chains.push_back(-1);
            }
            out.words.push_back(id_of(words_, part.words, bytes));
            if (options.spans) {
                out.char_starts.push_back(static_cast<std::int64_t>(word.char_start));
                out.char_ends.push_back(static_cast<std::int64_t>(word.char_end));
            }
        });
        if (options.chains) close_chain();
        out.indptr.push_back(static_cast<std::int64_t>(out.words.size()));
    }
}

// The same where only the words themselves are wanted; ASCII words are found by their bytes.
void Vocabulary::find_words(const Buffer& texts, std::int64_t first, std::int64_t last, const TokeniseOptions& options,
                            Part& part) const {
    Tokens& out = part.tokens;
    WordFinder words(words_, part.words, texts.bytes, options.lower, out.words);
    for (std::int64_t i = first; i < last; ++i) {
        each_plain_word(
            texts[i], options.bigrams, [&](std::string_view word) { words.add(word); },
            [&](std::string_view word) { words.add_other(word); });
        out.indptr.push_back(static_cast<std::int64_t>(out.words.size()));
    }
    words.find_waiting();
}

// Gives the new words of a part their ids and adds its tokens to all.
void Vocabulary::take_up(Part& part, Tokens& all) {
    std::vector<std::int32_t> words(part.words.size()), chains(part.chains.size());
    for (std::int32_t i = 0; i < part.words.size(); ++i) words[i] = words_.intern(part.words[i]);
    for (std::int32_t i = 0; i < part.chains.size(); ++i) chains[i] = chains_.intern(part.chains[i]);
    for (auto& word : part.tokens.words)
        if (word < 0) word = words[-1 - word];
    for (auto& chain : part.tokens.chains)
        if (chain < -1) chain = chains[-2 - chain];
    std::int64_t base = all.indptr.back();
    for (std::size_t i = 1; i < part.tokens.indptr.size(); ++i) all.indptr.push_back(base + part.tokens.indptr[i]);
    append(all.words, part.tokens.words);
    append(all.chains, part.tokens.chains);
    append(all.char_starts, part.tokens.char_starts);
    append(all.char_ends, part.tokens.char_ends);
    part = Part();
}

Tokens Vocabulary::tokenise(const Buffer& texts, const TokeniseOptions& options, int threads, Control& control) {
    constexpr std::int64_t kBlockBytes = 1 << 22;
    std::vector<std::int64_t> starts{0};  // blocks of whole texts, by size, so that one long text does not hold up many
    std::int64_t bytes = 0;
    for (std::int64_t i = 0; i < texts.size(); ++i) {
        bytes += texts.ends[i] - texts.starts[i];
        if (bytes < kBlockBytes) continue;
        starts.push_back(i + 1);
        bytes = 0;
    }
    if (starts.back() != texts.size()) starts.push_back(texts.size());
    auto blocks = static_cast<std::int64_t>(starts.size()) - 1;
    std::vector<Part> parts(static_cast<std::size_t>(blocks));
    parallel_blocks(blocks, threads, control, [&](std::int64_t block, int) {
        if (options.chains || options.spans)
            tokenise_part(texts, starts[block], starts[block + 1], options, parts[block]);
        else
            find_words(texts, starts[block], starts[block + 1], options, parts[block]);
    });
    // Ids in the order of first appearance, whatever the blocks were and whoever took them.
    std::lock_guard lock(adding_);
    Tokens all;
    all.made_by = identity_;
    for (Part& part : parts) take_up(part, all);
    return all;
}

void Vocabulary::resolve_words(std::span<const std::optional<std::string_view>> terms) {
    std::lock_guard lock(adding_);
    if (terms.size() > static_cast<std::size_t>(words_.size() - term_of_.size()))
        throw std::invalid_argument("more terms than words that wait for one");
    for (const auto& term : terms) term_of_.push_back(term ? terms_.intern(*term) : kDropped);
}

void Vocabulary::resolve_others(std::span<const std::string_view> terms) {
    std::lock_guard lock(adding_);
    std::string lower;
    auto other = terms.begin();
    while (term_of_.size() < words_.size()) {
        std::string_view word = words_[term_of_.size()];
        if (is_ascii(word)) {
            lower.assign(word);
            for (char& letter : lower)
                if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
            word = lower;
        } else {
            if (other == terms.end()) throw std::invalid_argument("fewer terms than words that wait for one");
            word = *other++;
        }
        term_of_.push_back(terms_.intern(word));
    }
    if (other != terms.end()) throw std::invalid_argument("more terms than words that wait for one");
}

void Vocabulary::resolve_chains(const std::vector<bool>& stopped) {
    std::lock_guard lock(adding_);
    if (stopped.size() > static_cast<std::size_t>(chains_.size() - stopped_.size()))
        throw std::invalid_argument("more answers than chains that wait for one");
    for (bool one : stopped) stopped_.push_back(one);
}

std::int32_t Vocabulary::intern_term(std::string_view term) {
    std::lock_guard lock(adding_);
    return terms_.intern(term);
}

void Vocabulary::forget_words() {
    std::lock_guard lock(adding_);
    words_ = StringTable();
    chains_ = StringTable();
    term_of_ = StableVector<std::int32_t>();
    stopped_ = StableVector<std::uint8_t>();
    identity_ = next_identity();
}

void Vocabulary::check_resolved(const Tokens& tokens) const {
    if (tokens.made_by != identity_) throw std::invalid_argument("the tokens are of another vocabulary");
    auto unresolved = [](const std::vector<std::int32_t>& ids, std::int32_t known) {
        return std::any_of(ids.begin(), ids.end(), [&](std::int32_t id) { return id >= known; });
    };
    if (unresolved(tokens.words, resolved_words()) || unresolved(tokens.chains, resolved_chains()))
        throw std::invalid_argument("words of the tokens are still to be resolved");
}

Terms Vocabulary::terms_of(const Tokens& tokens, bool positions) const {
    check_resolved(tokens);
    Terms out;
    out.indptr.reserve(tokens.indptr.size());
    out.terms.reserve(tokens.words.size());
    for (std::size_t text = 0; text + 1 < tokens.indptr.size(); ++text) {
        each_term(tokens, text, [&](std::int32_t term, std::int64_t place) {
            out.terms.push_back(term);
            if (positions) out.tokens.push_back(place);
        });
        out.indptr.push_back(static_cast<std::int64_t>(out.terms.size()));
    }
    return out;
}

bool Vocabulary::known_terms(std::string_view text, const TokeniseOptions& options,
                             std::vector<std::int32_t>& out) const {
    return options.chains ? known_unstopped(text, options, out) : known_words(text, options, out);
}

// A thread keeps the terms of a few thousand short words that were looked up of late, of any vocabulary: what a word
// became stays so.
bool Vocabulary::known_words(std::string_view text, const TokeniseOptions& options,
                             std::vector<std::int32_t>& out) const {
    constexpr int kBits = 15;
    struct Slot {
        ShortWord word;
        std::uint64_t vocabulary = 0;
        std::int32_t term = 0;
    };
    struct Scratch {
        std::string bytes;
        std::vector<Slot> slots = std::vector<Slot>(std::size_t{1} << kBits);
    };
    thread_local Scratch scratch_of_thread;
    Scratch& scratch = scratch_of_thread;  // a thread_local is looked up at every use
    bool known = true;
    auto find = [&](std::string_view word) {
        std::int32_t id = words_.find(word);
        if (id < 0 || id >= resolved_words()) {
            known = false;
            return kDropped;
        }
        return term_of_[id];
    };
    auto add = [&](std::int32_t term) {
        if (term != kDropped) out.push_back(term);
    };
    auto add_ascii = [&](std::string_view word) {
        if (word.size() > ShortWord::kLongest) return add(find(word));
        ShortWord key(word.data(), word.size(), false);
        Slot& slot = scratch.slots[key.slot(kBits)];
        if (slot.word == key && slot.vocabulary == identity_) return add(slot.term);
        std::int32_t term = find(word);
        if (known) slot = {key, identity_, term};
        add(term);
    };
    scratch.bytes.assign(text).append(ShortWord::kLongest, ' ');
    if (options.lower)
        for (char& byte : scratch.bytes)
            byte = static_cast<char>(byte + (static_cast<std::uint8_t>(byte - 'A') < 26) * 0x20);
    std::string_view bytes(scratch.bytes.data(), text.size());
    out.clear();
    each_plain_word(bytes, options.bigrams, add_ascii, [&](std::string_view word) {
        add(find(text.substr(static_cast<std::size_t>(word.data() - bytes.data()), word.size())));
    });
    return known;
}

// Where words joined by apostrophes may be stop words together.
bool Vocabulary::known_unstopped(std::string_view text, const TokeniseOptions& options,
                                 std::vector<std::int32_t>& out) const {
    out.clear();
    bool known = true;
    thread_local std::string chain;
    std::size_t chain_begin = 0, pieces = 0;
    auto close_chain = [&] {
        if (pieces < 2) return;
        std::int32_t id = chains_.find(chain);
        if (id < 0 || id >= resolved_chains()) {
            known = false;
        } else if (stopped_[id]) {
            out.resize(chain_begin);
        }
    };
    each_word(text, options.bigrams, [&](const Word& word) {
        std::string_view bytes = text.substr(word.byte_start, word.byte_end - word.byte_start);
        if (word.joined) {
            chain.push_back('\'');
            ++pieces;
        } else {
            close_chain();
            chain.clear();
            chain_begin = out.size();
            pieces = 1;
        }
        chain.append(bytes);
        std::int32_t id = words_.find(bytes);
        if (id < 0 || id >= resolved_words()) {
            known = false;
        } else if (term_of_[id] != kDropped) {
            out.push_back(term_of_[id]);
        }
    });
    close_chain();
    return known;
}

Counts count_rows(std::span<const std::int64_t> indptr, std::span<const std::int32_t> ids) {
    Counts out;
    out.indptr.reserve(indptr.size());
    out.ids.reserve(ids.size());
    out.counts.reserve(ids.size());
    std::vector<std::int32_t> row;
    for (std::size_t i = 0; i + 1 < indptr.size(); ++i) {
        row.assign(ids.begin() + indptr[i], ids.begin() + indptr[i + 1]);
        count_terms(row, [&](std::int32_t id, std::size_t count) {
            out.ids.push_back(id);
            out.counts.push_back(static_cast<double>(count));
        });
        out.indptr.push_back(static_cast<std::int64_t>(out.ids.size()));
    }
    return out;
}

}  // namespace likewise::analyse
