#include "penn.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "unicode.hpp"

namespace likewise::penn {

std::uint32_t decode(std::string_view text, std::size_t& i) { return next_code(text, i); }

Kind kind_of(std::uint32_t c) {
    if (c < 0x80) {
        if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') return Kind::letter;
        if (c >= '0' && c <= '9') return Kind::digit;
        return c <= ' ' || c == 0x7F ? Kind::space : Kind::mark;
    }
    const std::uint8_t kind = class_of(c) & likewise::kKind;
    if (kind) return kind == likewise::kNumber ? Kind::digit : Kind::letter;
    const bool space = c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200B) || c == 0x2028 ||
                       c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000 || c == 0xFEFF;
    return space ? Kind::space : Kind::mark;
}

std::uint32_t to_lower(std::uint32_t c) {
    if (c < 0x80) return c >= 'A' && c <= 'Z' ? c + 32 : c;
    if (c >= 0xC0 && c <= 0xDE && c != 0xD7) return c + 32;
    if (c == 0x130 || c == 0x131 || c == 0x138 || c == 0x149 || c == 0x17F) return c;
    if (c == 0x178) return 0xFF;
    if (c >= 0x100 && c <= 0x137) return c | 1;
    if (c >= 0x139 && c <= 0x148) return c & 1 ? c + 1 : c;
    if (c >= 0x14A && c <= 0x177) return c | 1;
    if (c >= 0x179 && c <= 0x17E) return c & 1 ? c + 1 : c;
    if (c >= 0x391 && c <= 0x3A9 && c != 0x3A2) return c + 32;
    if (c >= 0x410 && c <= 0x42F) return c + 32;
    if (c >= 0x400 && c <= 0x40F) return c + 80;
    if (c >= 0x1E00 && c <= 0x1EFF && !(c >= 0x1E96 && c <= 0x1E9F)) return c | 1;
    return c;
}

namespace {

void encode(std::uint32_t c, std::string& out) {
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | c >> 6);
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | c >> 12);
        out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | c >> 18);
        out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
        out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    }
}

bool is_lower_letter(std::uint32_t c) {
    if (c < 0x80) return c >= 'a' && c <= 'z';
    if (c >= 0xDF && c <= 0xFF) return c != 0xF7;
    if (c >= 0x100 && c <= 0x17F) return to_lower(c) == c && c != 0x130;
    if (c >= 0x3AC && c <= 0x3CE) return true;
    if (c >= 0x430 && c <= 0x45F) return true;
    return c >= 0x1E00 && c <= 0x1EFF && to_lower(c) == c;
}

// Words that end in a point though no sentence ends there. Lower case, without the point, sorted.
constexpr std::array<std::string_view, 75> kAbbreviations = {
    "adj", "adm",  "al",   "apr",  "approx", "art",    "assoc", "aug",  "ave",  "bldg", "blvd", "bros", "c",
    "ca",  "capt", "cf",   "co",   "col",    "corp",   "dec",   "dept", "dr",   "ed",   "eds",  "est",  "esp",
    "etc", "feb",  "fig",  "figs", "ft",     "gen",    "gov",   "hon",  "hwy",  "inc",  "jan",  "jr",   "jul",
    "jun", "lt",   "ltd",  "maj",  "mar",    "messrs", "mr",    "mrs",  "ms",   "mt",   "no",   "nos",  "nov",
    "oct", "op",   "pp",   "prof", "pt",     "rd",     "rep",   "rev",  "sen",  "sept", "sep",  "sgt",  "sr",
    "st",  "ste",  "univ", "viz",  "vol",    "vols",   "vs",    "v",    "pres", "supt",
};

bool is_abbreviation(std::string_view word) {
    std::array<char, 8> small{};
    if (word.size() > small.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
        const char c = word[i];
        small[i] = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }
    const std::string_view key(small.data(), word.size());
    return std::find(kAbbreviations.begin(), kAbbreviations.end(), key) != kAbbreviations.end();
}

bool is_alnum(Kind kind) { return kind == Kind::letter || kind == Kind::digit; }
bool ascii_letter(char c) { return ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); }
bool ascii_digit(char c) { return c >= '0' && c <= '9'; }

// Bytes that an apostrophe takes at i: ' is one, the typographic one is three; 0 when there is none.
std::size_t apostrophe(std::string_view text, std::size_t i, std::size_t end) {
    if (i < end && text[i] == '\'') return 1;
    return i + 3 <= end && text.substr(i, 3) == "\xE2\x80\x99" ? 3 : 0;
}

bool equals_lower(std::string_view text, std::string_view small) {
    if (text.size() != small.size()) return false;
    for (std::size_t i = 0; i < text.size(); ++i)
        if ((text[i] | 0x20) != small[i]) return false;
    return true;
}

bool is_clitic(std::string_view tail) {  // what follows the apostrophe
    return equals_lower(tail, "s") || equals_lower(tail, "m") || equals_lower(tail, "d") || equals_lower(tail, "re") ||
           equals_lower(tail, "ve") || equals_lower(tail, "ll");
}

// Emits text[begin, end), a word without surrounding marks, with its clitics split off.
void emit_word(std::string_view text, std::size_t begin, std::size_t end, std::vector<Token>& out) {
    const auto add = [&](std::size_t a, std::size_t b) {
        if (a < b) out.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)});
    };
    for (std::size_t i = end; i-- > begin;) {
        const std::size_t width = apostrophe(text, i, end);
        if (!width) continue;
        const std::string_view tail = text.substr(i + width, end - i - width);
        if (is_clitic(tail)) {
            if (i > begin) emit_word(text, begin, i, out);
            add(i, end);
            return;
        }
        if (equals_lower(tail, "t") && i > begin + 1 && (text[i - 1] | 0x20) == 'n') {
            add(begin, i - 1);
            add(i - 1, end);
            return;
        }
        break;
    }
    if (equals_lower(text.substr(begin, end - begin), "cannot")) {
        add(begin, begin + 3);
        begin += 3;
    }
    add(begin, end);
}

// The end of an address (scheme://, www., name@host) that begins at i, or i.
std::size_t address_end(std::string_view text, std::size_t i, std::size_t end) {
    std::size_t stop = i;
    while (stop < end && static_cast<std::uint8_t>(text[stop]) > ' ' && text[stop] != '"' && text[stop] != '<' &&
           text[stop] != '>')
        ++stop;
    const std::string_view run = text.substr(i, stop - i);
    bool address = run.starts_with("http://") || run.starts_with("https://") || run.starts_with("www.") ||
                   run.starts_with("ftp://");
    if (!address) {
        const std::size_t at = run.find('@');
        address = at != run.npos && at > 0 && at + 1 < run.size() && run.find('.', at) != run.npos &&
                  ascii_letter(run[at + 1]);
    }
    if (!address) return i;
    while (stop > i && std::string_view(".,;:!?)'\"]").find(text[stop - 1]) != std::string_view::npos) --stop;
    return stop;
}

// The end of a path (/usr/lib/x, ~/notes, usr/share/doc) that begins at i, or i: its parts are words of no sentence.
std::size_t path_end(std::string_view text, std::size_t i, std::size_t end) {
    std::size_t stop = i, slashes = 0;
    bool letter = false;
    for (; stop < end && static_cast<std::uint8_t>(text[stop]) > ' '; ++stop) {
        if (std::string_view("\"'`<>()[]{},;").find(text[stop]) != std::string_view::npos) break;
        slashes += text[stop] == '/';
        letter |= ascii_letter(text[stop]);
    }
    const bool rooted = text[i] == '/' || text.substr(i, 2) == "~/";
    if (!letter || slashes + rooted < 2) return i;
    while (stop > i && std::string_view(".:!?").find(text[stop - 1]) != std::string_view::npos) --stop;
    return stop;
}

}  // namespace

std::string lower(std::string_view word) {
    std::string out;
    out.reserve(word.size());
    for (std::size_t i = 0; i < word.size();) encode(to_lower(decode(word, i)), out);
    return out;
}

std::uint8_t flags_of(std::string_view word) {
    bool letter = false, digit = false, first = true;
    std::uint8_t flags = 0;
    int length = 0;
    for (std::size_t i = 0; i < word.size(); ++length) {
        const std::uint32_t c = decode(word, i);
        const Kind kind = kind_of(c);
        letter |= kind == Kind::letter;
        digit |= kind == Kind::digit;
        if (first) {
            if (is_lower_letter(c)) flags |= kLowerFirst;
            if (to_lower(c) != c) flags |= kUpperFirst;
        }
        first = false;
    }
    if (letter || digit) flags |= kWord;
    if (digit && !letter) flags |= kNumber;
    if (length > 30) flags |= kLong;
    return flags;
}

namespace {

// Walks over one sentence.
class Tokeniser {
public:
    Tokeniser(std::string_view text, std::size_t begin, std::vector<Token>& out)
        : text_(text), begin_(begin), end_(text.size()), at_(begin), out_(out) {
        may_hold_address_ = text.find("://", begin) != text.npos || text.find('@', begin) != text.npos ||
                            text.find("www.", begin) != text.npos;
        may_hold_path_ = text.find('/', begin) != text.npos;
    }

    void run() {
        while (at_ < end_) {
            std::size_t next = at_;
            const std::uint32_t code = decode(text_, next);
            const Kind kind = kind_of(code);
            if (kind == Kind::space) {
                at_ = next;
            } else if (is_alnum(kind)) {
                if (!take_address() && !take_path()) take_word(kind, next);
            } else if ((code == '/' || code == '~') && take_path()) {
                continue;
            } else if (!take_clitic()) {
                take_marks(code, next);
            }
        }
    }

private:
    bool take(std::size_t stop) {
        out_.push_back({static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(stop)});
        at_ = stop;
        return true;
    }

    bool take_address() {
        if (!may_hold_address_ || (at_ != begin_ && ascii_letter(text_[at_ - 1]))) return false;
        const std::size_t stop = address_end(text_, at_, end_);
        return stop > at_ && take(stop);
    }

    // At the beginning of a word only.
    bool take_path() {
        if (!may_hold_path_ || (at_ != begin_ && std::string_view(" \t\"'`([{").find(text_[at_ - 1]) == text_.npos))
            return false;
        const std::size_t stop = path_end(text_, at_, end_);
        return stop > at_ && take(stop);
    }

    // Whether the mark at i, whose end is `after`, joins the letters and digits on its two sides.
    bool joins(std::size_t i, std::size_t after, bool digits_only) const {
        std::size_t peek = after;
        const Kind follow = kind_of(decode(text_, peek));
        const char mark = text_[i];
        const bool before_digit = ascii_digit(text_[i - 1]);
        return ((mark == '-' || mark == '&' || mark == '_') && is_alnum(follow)) ||
               ((mark == '.' || mark == ',') && before_digit && follow == Kind::digit) ||
               (mark == ':' && digits_only && follow == Kind::digit && before_digit) ||
               (mark == '.' && follow == Kind::letter && !before_digit) ||
               (apostrophe(text_, i, end_) && is_alnum(follow));
    }

    void take_word(Kind kind, std::size_t i) {
        bool point_inside = false;  // as in U.S. and e.g.
        bool digits_only = kind == Kind::digit;
        while (i < end_) {
            const char ahead = text_[i];
            std::size_t after = i;
            const Kind here = kind_of(decode(text_, after));
            if (is_alnum(here)) {
                digits_only &= here == Kind::digit;
            } else {
                if (here == Kind::space || after >= end_ || !joins(i, after, digits_only)) break;
                point_inside |= ahead == '.' && !ascii_digit(text_[i - 1]);
                digits_only &= ahead == ':' || ahead == '.' || ahead == ',';
            }
            i = after;
        }
        if (i < end_ && text_[i] == '.' && has_point(i, point_inside)) ++i;
        emit_word(text_, at_, i, out_);
        at_ = i;
    }

    // Whether the point at i belongs to the word before it: an abbreviation, an initial, or a word that has points
    // already. Two points are an ellipsis.
    bool has_point(std::size_t i, bool point_inside) const {
        if (i + 1 < end_ && text_[i + 1] == '.') return false;
        const std::string_view word = text_.substr(at_, i - at_);
        if (point_inside) return word[word.size() - 2] == '.' || word.size() <= 4;
        std::size_t rest = i + 1;
        while (rest < end_ && kind_of(static_cast<std::uint8_t>(text_[rest])) == Kind::space) ++rest;
        const bool initial = word.size() == 1 && word[0] >= 'A' && word[0] <= 'Z' && word[0] != 'I';
        return rest < end_ && (initial || is_abbreviation(word));
    }

    // 's after a mark or at the start of a word.
    bool take_clitic() {
        const std::size_t width = apostrophe(text_, at_, end_);
        if (!width || at_ == begin_ || text_[at_ - 1] == ' ') return false;
        std::size_t stop = at_ + width;
        while (stop < end_ && ascii_letter(text_[stop])) ++stop;
        return stop > at_ + width && is_clitic(text_.substr(at_ + width, stop - at_ - width)) && take(stop);
    }

    // Equal marks in a row (..., --, !!!) are one token.
    void take_marks(std::uint32_t code, std::size_t stop) {
        if (code < 0x80 && std::string_view(".-!?*=_~#'`").find(static_cast<char>(code)) != std::string_view::npos) {
            const std::size_t limit = code == '\'' || code == '`' ? 2 : 64;
            while (stop < end_ && static_cast<std::uint8_t>(text_[stop]) == code && stop - at_ < limit) ++stop;
        }
        take(stop);
    }

    std::string_view text_;
    std::size_t begin_, end_, at_;
    std::vector<Token>& out_;
    bool may_hold_address_, may_hold_path_;
};

}  // namespace

void tokenise(std::string_view text, std::size_t begin, std::size_t end, std::vector<Token>& out) {
    Tokeniser(text.substr(0, end), begin, out).run();
}

}  // namespace likewise::penn
