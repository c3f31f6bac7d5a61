"""Manual pages (roff with the macros ``man`` or ``mdoc``) to text and blocks; what lays out the page is left out."""

import re
import shlex
import unicodedata
from collections import deque
from collections.abc import Iterator

from likewise.read.content import Blocks, Content
from likewise.read.options import ReadOptions

_ESCAPE = re.compile(
    r"""\\(?:
      f(?:\[[^\]]{0,99}\]|\(..|.)                        # fonts
    | s(?:[+-]?\d{1,2}|\[[^\]]{0,99}\]|\([+-]?..)        # sizes
    | [mMkF](?:\[[^\]]{0,99}\]|\(..|.)                   # colours, places
    | [hvwloDLXYNbZxAC]'[^']*'                       # moves and drawings
    | \[(?P<long>[^\]]{0,99})\] | \((?P<two>..)
    | \*(?:\[(?P<name>[^\]]{0,99})\]|\((?P<pair>..)|(?P<sign>.))
    | (?P<one>.) )""",
    re.X,
)
# The signs that have a name of two letters, and behind it the sign.
_NAMED = """Aq' aq' dq" lq“ rq” oq‘ cq’ Lq“ Rq” bu• em— en– hy- mi- co© rg® tm™ ha^ ti~ ga` rs\\ sh# at@ Do$ lB[ rB]
lC{ rC} la< ra> ->→ <-← mu× >=≥ <=≤ !=≠ ssß +-± de° sc§"""
_SIGNS = {entry[:2]: entry[2:] for entry in _NAMED.split()}
_ACCENTS = {":": "\u0308", "'": "\u0301", "`": "\u0300", "^": "\u0302", "~": "\u0303", ",": "\u0327", "o": "\u030a"}
_ONE = {"-": "-", "e": "\\", "\\": "\\", " ": " ", "~": " ", "0": " ", "'": "'", "`": "`", ".": ".", "t": "\t"}
_FONTS = {"B", "I", "R", "SM", "SB"}
_MIXED = {"BR", "BI", "RB", "RI", "IB", "IR"}
# Tables, equations and pictures are languages of their own; definitions say nothing to a reader.
_INSETS = {"TS": "TE", "EQ": "EN", "PS": "PE", "de": ".", "de1": ".", "am": ".", "am1": ".", "ig": "."}
_FORMAT_AGAIN = re.compile(r"^\.T&.*?\.[ \t]*$\n?", re.MULTILINE | re.DOTALL)  # of the rows that follow
_TITLES = {"SH": 2, "SS": 3, "Sh": 2, "Ss": 3}
_BREAKS = {"PP", "LP", "P", "Pp", "HP", "sp", "RS", "RE", "Bl", "El", "YS"}
_CODE = {"nf": True, "EX": True, "Bd": True, "fi": False, "EE": False, "Ed": False}
# Macros of mdoc that stand before words and among them; some put signs around what follows.
_AROUND = {"Op": "[]", "Dq": "“”", "Sq": "‘’", "Ql": "‘’", "Pq": "()", "Bq": "[]", "Aq": "<>", "Qq": '""', "Brq": "{}"}
_PLAIN = "Fl Ar Cm Ic Li Pa Sy Em Ev Va Fa Ft Fn Dv Er Tn Nm Nd An Lk Mt Ad No Ns Ap Fo Fc Cd In St At Bx"
_MDOC = {*_PLAIN.split(), *_AROUND}


def read_man(page: str, options: ReadOptions) -> Content:
    r"""Return text, blocks and title of a manual page.

    >>> page = '.TH SOUP 1\n.SH NAME\nsoup \\- cook \\fBhot\\fR things\n.TP\n.BR \\-s , " \\-\\-salt"\nAdd salt.\n'
    >>> found = read_man(page, ReadOptions())
    >>> found.text, found.title
    ('NAME\n\nsoup - cook hot things\n\n-s, --salt\n\nAdd salt.', 'soup(1)')
    """
    return _Page().read(page)


class _Page:
    def __init__(self) -> None:
        self._found = Blocks()
        self._words: list[str] = []
        self._kind = "paragraph"
        self._code = False
        self._term = False
        self._title = ""
        self._name = ""

    def read(self, page: str) -> Content:
        lines = _Lines(page.split("\n"))
        for line in lines:
            if line[:1] not in (".", "'"):
                self._text(line)
                continue
            macro, _, rest = line[1:].strip().partition(" ")
            if macro in ("ie", "if") and rest.startswith("n ."):  # what holds on a terminal
                macro, _, rest = rest[3:].partition(" ")
            if macro in _INSETS:
                self._end()
                inside = lines.until(_inset_end(macro, rest))
                if macro == "TS":
                    self._found.add("table", _table(inside))
            else:
                self._macro(macro, rest)
        self._end()
        return self._found.content(self._title)

    def _text(self, line: str) -> None:
        if not line.strip() and not self._code:
            self._end()
            return
        self._words.append(plain(line))
        if self._term:
            self._end()

    def _macro(self, macro: str, rest: str) -> None:
        words = _words(rest)
        if macro in ("TH", "Dt") and words:
            self._title = words[0].lower() + (f"({words[1]})" if len(words) > 1 else "")
        elif macro in _TITLES:
            self._end()
            self._found.add("title", " ".join(words), _TITLES[macro])
        elif macro in _CODE:
            self._end()
            self._code = _CODE[macro]
        elif macro in _BREAKS:
            self._end()
        elif macro == "TP":
            self._end()
            self._term = True
        elif macro in ("IP", "It"):
            self._end()
            term = " ".join(words[:1]) if macro == "IP" else _mdoc(words, self._name)
            if any(letter.isalnum() for letter in term):
                self._found.add("item", term)
            self._kind = "item"
        elif macro in _FONTS and words:
            self._text(" ".join(words))
        elif macro in _MIXED and words:
            self._text("".join(words))
        elif macro in ("UR", "MT") and words:
            self._text(words[0])
        elif macro in _MDOC or macro == "Xr":
            if macro == "Nm" and words:
                self._name = self._name or words[0]
            self._text(_mdoc([macro, *words], self._name))

    def _end(self) -> None:
        """Close the paragraph, the term or the listing at hand."""
        kind = "item" if self._term else "code" if self._code else self._kind
        text = "\n".join(self._words).strip("\n") if kind == "code" else " ".join(" ".join(self._words).split())
        if text:
            self._found.add(kind, text)
            self._kind = "item" if self._term else "paragraph"
        self._words, self._term = [], False


class _Lines:
    """The lines of a page from the first to the last, and the rows up to a macro."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._at = 0
        self._absent: set[str] = set()

    def __iter__(self) -> Iterator[str]:
        while self._at < len(self._lines):
            self._at += 1
            yield self._lines[self._at - 1]

    def until(self, end: str) -> list[str]:
        """Return the lines before a macro and step behind it; none if the page does not have it, which loses nothing.

        >>> lines = _Lines(["  ad l", ".  .", "soup", ".."])
        >>> lines.until("."), lines.until("TE"), next(iter(lines))
        (['  ad l'], [], 'soup')
        """
        for at in range(self._at, 0 if end in self._absent else len(self._lines)):
            line = self._lines[at]
            if line[:1] in (".", "'") and line[1:].split(maxsplit=1)[:1] == [end]:
                inside, self._at = self._lines[self._at : at], at + 1
                return inside
        self._absent.add(end)
        return []


def _inset_end(macro: str, rest: str) -> str:
    """Return the macro that ends what another one begins; who defines a macro may name one."""
    named = rest.split()[0 if macro == "ig" else 1 :][:1] if _INSETS[macro] == "." else []
    return named[0] if named and not named[0].startswith("\\") else _INSETS[macro]


def _table(lines: list[str]) -> str:
    """Return the rows of a table: behind options and the format, which ends in a point, cells between tabs."""
    first = next((at for at, line in enumerate(lines) if line.rstrip().endswith(".")), len(lines) - 1) + 1
    sign = re.search(r"tab\s*\((.)\)", " ".join(lines[:first]))
    body = _FORMAT_AGAIN.sub("", "\n".join(lines[first:]))
    body = re.sub(r"T\{\n|\nT\}", "", "\n".join(line for line in body.split("\n") if line[:1] != "."))
    rows = (line.split(sign[1] if sign else "\t") for line in body.split("\n") if line.strip("_= "))
    return "\n".join("\t".join(" ".join(plain(cell).split()) for cell in row) for row in rows)


def _words(rest: str) -> list[str]:
    """Return the arguments of a macro: quotes hold words together."""
    reader = shlex.shlex(re.sub(r'(?:^|\s)\\".*', "", rest), posix=True)
    reader.whitespace_split, reader.quotes, reader.escape, reader.commenters = True, '"', "", ""
    try:
        return [plain(word) for word in reader]
    except ValueError:  # a quote that nobody closed
        return [plain(word) for word in rest.replace('"', "").split()]


def _mdoc(words: list[str], name: str) -> str:
    """Return words with macros among them as they are read."""
    said: list[str] = []
    around: list[str] = []
    left = deque(words)
    while left:
        word = left.popleft()
        if word == "Xr" and left:
            said.append(left.popleft() + (f"({left.popleft()})" if left and left[0].isalnum() else ""))
        elif word == "Nm" and (not left or left[0] in _MDOC):
            said.append(name)
        elif word == "Fl":
            dashes = 1
            while left and left[0] == "Fl":
                dashes += bool(left.popleft())
            said.append("-" * dashes + (left.popleft() if left and left[0] not in _MDOC else ""))
        elif word in _AROUND:
            said.append(_AROUND[word][0])
            around.append(_AROUND[word][1])
        elif word not in _MDOC:
            said.append(word)
    text = " ".join(filter(None, said)) + "".join(reversed(around))
    return re.sub(r"(?<=[\[(<{“‘]) | (?=[\])>},.;:”’])", "", text)


def plain(text: str) -> str:
    r"""Return a line without what roff reads as commands.

    >>> plain(r"\fB\-\-all\fR, caf\['e] \(em see \*(lqthere\*(rq")
    '--all, café — see “there”'
    """
    return _ESCAPE.sub(_read, re.sub(r'\\["#].*', "", text)) if "\\" in text else text


def _read(escape: re.Match[str]) -> str:
    if escape["one"] is not None:
        return _ONE.get(escape["one"], "")
    name = next((found for found in escape.group("long", "two", "name", "pair", "sign") if found), "")
    if name in _SIGNS:
        return _SIGNS[name]
    if re.fullmatch(r"u[0-9A-F]{4,6}(?:_[0-9A-F]{4,6})*", name):
        codes = "".join(chr(min(int(code, 16), 0x10FFFF)) for code in name[1:].split("_"))
        return codes.encode("utf-8", "replace").decode()  # halves of surrogate pairs are no characters
    if len(name) == 2 and name[0] in _ACCENTS and name[1].isalpha():
        return unicodedata.normalize("NFC", name[1] + _ACCENTS[name[0]])
    return ""
