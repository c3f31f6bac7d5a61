#include "mine_anchor.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "penn.hpp"

namespace likewise::mine {

namespace {

enum : std::uint16_t {
    kWh = 1,
    kOpens = 2,
    kCloses = 4,
    kMonth = 8,
    kDay = 16,
    kYear = 32,
    kComma = 64,
    kStop = 128,
    kIso = 256
};

bool all_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

int number(std::string_view digits) {
    int value = 0;
    for (const char c : digits) value = value * 10 + (c - '0');
    return value;
}

bool is_month(std::string_view word) {
    static constexpr std::array<std::string_view, 12> full = {"january",   "february", "march",    "april",
                                                              "may",       "june",     "july",     "august",
                                                              "september", "october",  "november", "december"};
    static constexpr std::array<std::string_view, 12> brief = {"jan.", "feb.",  "mar.", "apr.", "jun.", "jul.",
                                                               "aug.", "sept.", "sep.", "oct.", "nov.", "dec."};
    const std::string small = penn::lower(word);
    // "may" and "march" in small letters are a modal and a verb.
    if (small == word && (small == "may" || small == "march")) return false;
    return std::find(full.begin(), full.end(), small) != full.end() ||
           std::find(brief.begin(), brief.end(), small) != brief.end();
}

std::uint16_t kinds_of(std::string_view word) {
    std::uint16_t kinds = 0;
    if (word == "who" || word == "when" || word == "which" || word == "where") kinds |= kWh;
    const bool dash = word == "-" || word == "--" || word == "\xE2\x80\x93" || word == "\xE2\x80\x94";
    if (word == "," || dash || word == "(") kinds |= kOpens;
    if (word == "," || dash || word == ")" || word == ".") kinds |= kCloses;
    if (word == ",") kinds |= kComma;
    if (word == "." || word == "!" || word == "?") kinds |= kStop;
    if (is_month(word)) kinds |= kMonth;
    std::string_view day = word;
    for (const std::string_view suffix : {"st", "nd", "rd", "th"})
        if (day.size() > 2 && day.ends_with(suffix)) {
            day.remove_suffix(2);
            break;
        }
    if (day.size() <= 2 && all_digits(day) && number(day) >= 1 && number(day) <= 31) kinds |= kDay;
    std::string_view year = word;
    if (year.size() == 5 && year.back() == 's') year.remove_suffix(1);
    if (year.size() == 4 && all_digits(year) && number(year) >= 1000 && number(year) <= 2100) kinds |= kYear;
    if (word.size() == 10 && word[4] == '-' && word[7] == '-' && all_digits(word.substr(0, 4)) &&
        all_digits(word.substr(5, 2)) && all_digits(word.substr(8, 2)))
        kinds |= kIso;
    return kinds;
}

}  // namespace

AnchorFinder::AnchorFinder(const Batch& batch, const TagKinds& kinds, const Shape& shape)
    : batch_(&batch), kinds_(&kinds), shape_(shape) {
    if (shape.anchors == Anchors::relative) {
        word_.resize(batch.words());
        for (std::int32_t id = 0; id < batch.words(); ++id) word_[id] = kinds_of(batch.word(id));
    }
}

bool AnchorFinder::enter(std::int64_t begin, std::int64_t end) {
    begin_ = begin;
    end_ = end;
    if (shape_.anchors == Anchors::ngram) return true;
    if (shape_.anchors == Anchors::relative) {
        find_clauses(begin, end);
        return !clauses_.empty();
    }
    // Runs of proper nouns. before_[i]: the last run that begins before token i; after_[i]: the first that ends after
    // it.
    const std::size_t n = end - begin;
    before_.assign(n + 1, {-1, -1});
    after_.assign(n + 1, {-1, -1});
    bool any = false;
    for (std::size_t i = 0; i < n;) {
        if (!proper(begin + i)) {
            ++i;
            continue;
        }
        std::size_t j = i;
        while (j < n && proper(begin + j)) ++j;
        const std::pair<std::int64_t, std::int64_t> run(begin + i, begin + j);
        for (std::size_t k = i + 1; k <= n; ++k) before_[k] = run;
        for (std::size_t k = j; k > 0 && after_[k - 1].first < 0; --k) after_[k - 1] = run;
        any = true;
        i = j;
    }
    return any;
}

bool AnchorFinder::attach(std::int64_t at, int length, Attachment& out) const {
    if (shape_.anchors == Anchors::ngram) return true;
    const std::int64_t stop = at + 2 * shape_.context + length;  // end of the n-gram
    if (shape_.anchors == Anchors::entity) {
        // A run that straddles an edge begins before the n-gram, or ends after it, and so counts, in full.
        const auto& before = before_[at - begin_];
        if (before.first < 0 || stop >= end_) return false;
        const auto& after = after_[stop - begin_];
        if (after.first < 0 || before == after) return false;
        out.parts[0] = before;
        out.parts[1] = after;
        return true;
    }
    const std::int64_t from = at + shape_.context, to = from + length;
    for (auto clause = clauses_.rbegin(); clause != clauses_.rend(); ++clause) {  // the innermost first
        if (from <= clause->wh || to > clause->end) continue;
        out.parts[0] = clause->head;
        out.parts[1] = {clause->wh, std::max(clause->wh, std::min(at, clause->end))};
        out.parts[2] = {std::min(stop, clause->end), clause->end};
        return true;
    }
    return false;
}

// First token of the longest date whose last token is `last`, or -1.
std::int64_t AnchorFinder::date_start(std::int64_t begin, std::int64_t last) const {
    const auto has = [&](std::int64_t token, std::uint16_t what) { return token >= begin && is(token, what); };
    if (is(last, kIso)) return last;
    if (is(last, kYear)) {
        std::int64_t at = last - 1;
        if (has(at, kComma)) --at;  // May 5 , 1990; also May , 1990
        if (has(at, kDay) && has(at - 1, kMonth)) return at - 1;
        if (has(at, kMonth)) return has(at - 1, kDay) ? at - 1 : at;  // 5 May 1990, May 1990
        return last;
    }
    if (is(last, kDay) && has(last - 1, kMonth)) return last - 1;
    if (is(last, kMonth)) return has(last - 1, kDay) ? last - 1 : last;
    return -1;
}

void AnchorFinder::find_clauses(std::int64_t begin, std::int64_t end) {
    clauses_.clear();
    // The sentence end counts as ".": marks that end the sentence are no part of a clause.
    std::int64_t limit = end;
    while (limit > begin && is(limit - 1, kStop)) --limit;
    for (std::int64_t wh = begin + 1; wh < limit; ++wh) {
        if (!is(wh, kWh)) continue;
        std::int64_t head = wh - 1;
        if (is(head, kOpens)) --head;
        if (head < begin) continue;
        Clause clause{{0, 0}, wh, 0};
        if (const std::int64_t date = date_start(begin, head); date >= 0) {
            clause.head = {date, head + 1};
        } else if (proper(head)) {
            std::int64_t first = head;
            while (first > begin && proper(first - 1)) --first;
            clause.head = {first, head + 1};
        } else {
            continue;
        }
        bool verb = false, pronoun = false;
        std::int64_t at = wh + 1;
        for (; at < limit; ++at) {
            if (is(at, kCloses) && verb) break;  // without a verb yet, the clause goes on to the right
            const std::uint8_t kind = kinds_->kind[batch_->tags[at]];
            verb |= (kind & TagKinds::verb) != 0;
            pronoun |= (kind & TagKinds::pronoun) != 0;
        }
        clause.end = at;
        if (verb && !pronoun) clauses_.push_back(clause);
    }
}

}  // namespace likewise::mine
