// Text -> tokens -> tags -> the five sanity checks of SPEC 6.2.
#include <algorithm>
#include <unordered_set>

#include "mine.hpp"
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
    while (english_.size() <= id) english_.push_back(is_english_sign(tagger_.words().view(english_.size())));
    return english_[id] != 0;
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
    if (checks.tagged) {
        // Words that the dictionary settles decide many sentences without tagging; in others tagging stops as soon as
        // both checks are decided. The answer is the same.
        bool verb = false, small = false;
        if (!tagged_already) {
            for (const std::uint32_t id : ids) {
                const int tag = tagger_.fixed(id);
                if (tag < 0) continue;
                verb |= (verb_[tag] & kFullVerb) != 0;
                small |= !verb_[tag] && (tagger_.flags(id) & penn::kLowerFirst);
            }
            if (checks.keep_tags) {
                tags.resize(ids.size());
                tagger_.tag(ids, tags.data());
                tagged_already = true;
            } else if (!verb || !small) {
                tags.resize(ids.size());
                tagger_.tag_while(ids, tags.data(), [&](std::size_t i, std::uint8_t tag) {
                    verb |= (verb_[tag] & kFullVerb) != 0;
                    small |= !verb_[tag] && (tagger_.flags(ids[i]) & penn::kLowerFirst);
                    return !verb || !small;
                });
            }
        }
        if (tagged_already) {
            for (std::size_t i = 0; i < ids.size(); ++i) {
                verb |= (verb_[tags[i]] & kFullVerb) != 0;
                small |= !verb_[tags[i]] && (tagger_.flags(ids[i]) & penn::kLowerFirst);
            }
        }
        if (!verb) return kNoVerb;
        if (!small) return kNoLower;
    }
    if (too_long) return kLongWord;
    if (2 * numbers >= words) return kNumbers;
    return kKept;
}

Kept Analyser::run(std::string_view text, std::span<const std::int64_t> offsets,
                   std::span<const std::int32_t> documents, const Checks& checks, std::span<const std::uint8_t> given) {
    Kept out;
    if (tagger_.forget(300'000)) {
        local_.clear();
        english_.clear();
    }
    std::fill(local_.begin(), local_.end(), 0);
    const std::size_t n = documents.size();
    std::vector<penn::Token> tokens;
    std::vector<std::uint32_t> ids;  // of one document
    std::vector<std::size_t> ends;   // of its sentences
    std::vector<std::uint8_t> tags;
    std::size_t given_at = 0;
    for (std::size_t first = 0; first < n;) {
        std::size_t last = first;
        ids.clear();
        ends.clear();
        while (last < n && documents[last] == documents[first]) {
            tokens.clear();
            penn::tokenise(text, offsets[last], offsets[last + 1], tokens);
            for (const auto& token : tokens)
                ids.push_back(tagger_.words().intern(text.substr(token.start, token.end - token.start)));
            ends.push_back(ids.size());
            ++last;
        }
        out.tokens += static_cast<std::int64_t>(ids.size());
        bool foreign = false;
        if (checks.english) {
            int words = 0, signs = 0;
            for (const std::uint32_t id : ids)
                if (tagger_.flags(id) & penn::kWord) ++words, signs += english(id);
            foreign = words >= kEnglishWords && signs < kEnglishShare * words;
        }
        if (foreign) {
            ++out.foreign_documents;
            out.foreign_sentences += static_cast<std::int64_t>(last - first);
            given_at += given.empty() ? 0 : ids.size();
            first = last;
            continue;
        }
        std::size_t begin = 0;
        for (std::size_t s = 0; s < ends.size(); begin = ends[s], ++s) {
            const std::span<const std::uint32_t> sentence(ids.data() + begin, ends[s] - begin);
            tags.clear();
            if (!given.empty()) {
                tags.assign(given.begin() + given_at, given.begin() + given_at + sentence.size());
                given_at += sentence.size();
            }
            const int fate = this->fate(sentence, checks, tags, !given.empty());
            ++out.fates[fate];
            if (fate != kKept) continue;
            if (local_.size() < tagger_.words().size()) local_.resize(tagger_.words().size(), 0);
            for (const std::uint32_t id : sentence) {
                if (!local_[id]) {
                    out.vocabulary += tagger_.words().view(id);
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
            out.sentences.push_back(static_cast<std::int32_t>(first + s));
        }
        first = last;
    }
    return out;
}

}  // namespace likewise::mine
