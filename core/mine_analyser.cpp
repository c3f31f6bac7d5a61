#include "mine_analyser.hpp"

#include <algorithm>
#include <stdexcept>
#include <unordered_set>

#include "penn.hpp"

namespace likewise::mine {

namespace {

constexpr std::uint8_t kVerb = 1, kFullVerb = 2;

// Frequent English words that are rare or absent in the languages that share its letters. Running English has about a
// third of its words from this list; other languages stay far below a tenth.
bool is_english_sign(std::string_view word) {
    static const std::unordered_set<std::string_view> signs = {
        "the", "of",   "and",  "to",   "is",   "that", "for",   "it",  "was",  "with", "by",  "not",   "his",   "at",
        "are", "this", "have", "from", "had",  "they", "which", "you", "were", "her",  "she", "there", "would", "their",
        "we",  "been", "has",  "who",  "will", "an",   "be",    "or",  "as",   "on",   "its", "but",   "he",    "if",
        "my",  "your", "can",  "The",  "In",   "It",   "This",  "He",  "She",  "They", "We",  "You",   "A",
    };
    return signs.contains(word);
}
constexpr int kEnglishWords = 50;  // a shorter document is taken as it is
constexpr double kEnglishShare = 0.10;

}  // namespace

Analyser::Analyser(const TaggerModel& model) : tagger_(model) {
    for (std::size_t t = 0; t < model.names().size(); ++t) {
        const std::string& name = model.names()[t];
        if (name == "MD" || name == "VBG")
            verb_[t] = kVerb;
        else if (name.starts_with("VB"))
            verb_[t] = kVerb | kFullVerb;
    }
}

bool Analyser::english(std::uint32_t id) {
    while (english_.size() <= id)
        english_.push_back(is_english_sign(tagger_.words()[static_cast<std::int32_t>(english_.size())]));
    return english_[id] != 0;
}

// Checks 2 and 3. Words that the dictionary settles decide many sentences without tagging; in others tagging stops as
// soon as both checks are decided. The answer is the same.
bool Analyser::has_verb_and_lower(std::span<const std::uint32_t> ids, const Checks& checks,
                                  std::vector<std::uint8_t>& tags, bool tagged_already, int& fate) {
    bool verb = false, small = false;
    const auto look = [&](std::uint32_t id, int tag) {
        verb |= (verb_[tag] & kFullVerb) != 0;
        small |= !verb_[tag] && (tagger_.flags(id) & penn::kLowerFirst);
    };
    if (!tagged_already) {
        for (const std::uint32_t id : ids)
            if (const int tag = tagger_.fixed(id); tag >= 0) look(id, tag);
        if (checks.keep_tags) {
            tags.resize(ids.size());
            tagger_.tag(ids, tags.data());
            tagged_already = true;
        } else if (!verb || !small) {
            tags.resize(ids.size());
            tagger_.tag_while(ids, tags.data(), [&](std::size_t i, std::uint8_t tag) {
                look(ids[i], tag);
                return !verb || !small;
            });
        }
    }
    if (tagged_already)
        for (std::size_t i = 0; i < ids.size(); ++i) look(ids[i], tags[i]);
    if (!verb) fate = kNoVerb;
    if (verb && !small) fate = kNoLower;
    return verb && small;
}

int Analyser::fate(std::span<const std::uint32_t> ids, const Checks& checks, std::vector<std::uint8_t>& tags,
                   bool tagged_already) {
    int words = 0, numbers = 0;
    bool too_long = false;
    for (const std::uint32_t id : ids) {
        const std::uint8_t flags = tagger_.flags(id);
        if (!(flags & penn::kWord)) continue;
        ++words;
        numbers += (flags & penn::kNumber) != 0;
        too_long |= (flags & penn::kLong) != 0;
    }
    if (words < checks.min_words) return kShort;
    if (words > checks.max_words) return kLong;
    if (int failed = kKept; checks.tagged && !has_verb_and_lower(ids, checks, tags, tagged_already, failed))
        return failed;
    if (too_long) return kLongWord;
    if (2 * numbers >= words) return kNumbers;
    return kKept;
}

bool Analyser::is_foreign(const Document& document) {
    int words = 0, signs = 0;
    for (const std::uint32_t id : document.ids) {
        if (!(tagger_.flags(id) & penn::kWord)) continue;
        ++words;
        signs += english(id);
    }
    return words >= kEnglishWords && signs < kEnglishShare * words;
}

void Analyser::keep(std::span<const std::uint32_t> sentence, const Checks& checks, std::vector<std::uint8_t>& tags,
                    Kept& out) {
    const auto words = static_cast<std::size_t>(tagger_.words().size());
    if (local_.size() < words) local_.resize(words, 0);
    for (const std::uint32_t id : sentence) {
        if (!local_[id]) {
            out.vocabulary += tagger_.words()[static_cast<std::int32_t>(id)];
            out.word_offsets.push_back(static_cast<std::int32_t>(out.vocabulary.size()));
            local_[id] = static_cast<std::uint32_t>(out.word_offsets.size()) - 1;
        }
        out.ids.push_back(static_cast<std::int32_t>(local_[id]) - 1);
    }
    if (checks.keep_tags) {
        tags.resize(sentence.size());
        out.tags.insert(out.tags.end(), tags.begin(), tags.end());
    }
    out.sentence_offsets.push_back(static_cast<std::int32_t>(out.ids.size()));
}

Kept Analyser::run(std::string_view text, std::span<const std::int64_t> offsets,
                   std::span<const std::int32_t> documents, const Checks& checks, std::span<const std::uint8_t> given) {
    Kept out;
    if (tagger_.forget(300'000)) {
        local_.clear();
        english_.clear();
    }
    std::fill(local_.begin(), local_.end(), 0);
    std::vector<penn::Token> tokens;
    Document document;
    std::size_t given_at = 0;
    for (std::size_t first = 0, last; first < documents.size(); first = last) {
        document.ids.clear();
        document.ends.clear();
        for (last = first; last < documents.size() && documents[last] == documents[first]; ++last) {
            tokens.clear();
            penn::tokenise(text, offsets[last], offsets[last + 1], tokens);
            for (const auto& token : tokens)
                document.ids.push_back(tagger_.intern(text.substr(token.start, token.end - token.start)));
            document.ends.push_back(document.ids.size());
        }
        out.tokens += static_cast<std::int64_t>(document.ids.size());
        if (!given.empty() && given_at + document.ids.size() > given.size())
            throw std::invalid_argument("fewer tags than tokens");
        if (checks.english && is_foreign(document)) {
            ++out.foreign_documents;
            out.foreign_sentences += static_cast<std::int64_t>(last - first);
            given_at += document.ids.size();
            continue;
        }
        std::size_t begin = 0;
        for (std::size_t s = 0; s < document.ends.size(); begin = document.ends[s], ++s) {
            const auto sentence = std::span<const std::uint32_t>(document.ids).subspan(begin, document.ends[s] - begin);
            tags_.clear();
            if (!given.empty()) {
                const auto part = given.subspan(given_at, sentence.size());
                tags_.assign(part.begin(), part.end());
                given_at += sentence.size();
            }
            const int fate = this->fate(sentence, checks, tags_, !given.empty());
            ++out.fates[fate];
            if (fate != kKept) continue;
            keep(sentence, checks, tags_, out);
            out.sentences.push_back(static_cast<std::int32_t>(first + s));
        }
    }
    return out;
}

}  // namespace likewise::mine
