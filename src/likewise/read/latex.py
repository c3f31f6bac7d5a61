"""LaTeX to text and blocks: sections, environments, notes; commands leave what a reader of the page would see."""

import re

from likewise.read.content import Blocks, Content
from likewise.read.options import ReadOptions
from likewise.read.skipped import SkipError

# A comment goes with the end of its line, so that words before and after it are one, unless a blank line follows.
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*(?=\S))?")
_NAME_BEFORE = re.compile(r"(\\[a-zA-Z]+)(?=%)")  # the name of a command ends where its comment begins
_VERB = re.compile(r"\\verb\*?([^\w\s*])([^\n]{0,500}?)\1")  # what it holds is as it stands, a sign of a comment, too
_SIGN = re.compile(r"[%&_#${}~]")
_COMMENT_LINE = re.compile(r"^[ \t]*%[^\n]*(?:\n|$)", re.MULTILINE)
_SECTIONS = {"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5}
# What is opened is closed within so many characters, or it is text: a page of what opens must not take forever.
_BRACKETS = r"\s*+(?:\[[^\]]{0,500}\]\s*+)?"
_PIECE = re.compile(
    rf"\\(?P<section>part|chapter|section|subsection|subsubsection|paragraph)\*?{_BRACKETS}(?=\{{)"
    r"|\\(?P<edge>begin|end)\s*\{(?P<name>[\w*]{1,100})\}(?:\[[^\]]{0,500}\])?"
    rf"|\\(?P<caption>caption|footnote)\*?{_BRACKETS}(?=\{{)"
    r"|(?P<item>\\item\b\s*(?:\[(?P<label>[^\]]{0,500})\])?|\\bibitem(?:\[[^\]]{0,500}\])?\{[^}]{0,500}\})"
    r"|(?P<math>\\\[|\$\$)"
    r"|(?P<break>\n[ \t]*\n|\\par\b)"
)
_VERBATIM = ("verbatim", "lstlisting", "minted", "Verbatim", "alltt", "tikzpicture", "algorithmic")
_CODE = re.compile(rf"\\begin\{{(?:{'|'.join(_VERBATIM)})\*?\}}")
_FORMULAS = ("equation", "align", "gather", "multline", "eqnarray", "displaymath", "math", "alignat")
_TABLES = ("tabular", "tabularx", "longtable", "array", "tabulary")
_EXERCISES = ("exercise", "problem", "question")
_ENVIRONMENT_ROLES = {"thebibliography": "bibliography", **dict.fromkeys(_EXERCISES, "exercise")}
_SILENT = re.compile(
    r"\\(?:label|cite[tp]?|nocite|index|pagestyle|thispagestyle|vspace|hspace|includegraphics|bibliography|input|include"
    r"|bibliographystyle|usepackage|documentclass|newcommand|renewcommand|setlength|setcounter|addcontentsline|hypersetup"
    r"|pagenumbering|graphicspath|definecolor|author|date|thanks|centering)\*?\s*(?:\[[^\]]{0,500}\])*(?:\{[^{}]*\})*"
)
_RULES = re.compile(r"\\(?:hline|toprule|midrule|bottomrule|cline\{[^}]{0,100}\})")
_REFERENCE = re.compile(r"\\(?:ref|eqref|autoref|cref|Cref|pageref)\*?\{[^{}]*\}")
_HREF = re.compile(r"\\href\s*\{[^{}]*\}\s*\{([^{}]*)\}")
_ACCENT = re.compile(
    r"\\([`'^\"~=.])\s*(?:\{\\?([a-zA-Z])\}|\\?([a-zA-Z]))|\\([uvHcdbrk])(?:\s*\{([a-zA-Z])\}|\s+([a-zA-Z]))"
)
_COMBINING = {
    "`": "\u0300",
    "'": "\u0301",
    "^": "\u0302",
    '"': "\u0308",
    "~": "\u0303",
    "=": "\u0304",
    ".": "\u0307",
    "u": "\u0306",
    "v": "\u030c",
    "H": "\u030b",
    "c": "\u0327",
    "d": "\u0323",
    "b": "\u0331",
    "r": "\u030a",
    "k": "\u0328",
}
_LETTERS = {
    "ss": "ß",
    "ae": "æ",
    "AE": "Æ",
    "oe": "œ",
    "OE": "Œ",
    "aa": "å",
    "AA": "Å",
    "o": "ø",
    "O": "Ø",
    "l": "ł",
    "L": "Ł",
    "i": "ı",
    "ldots": "…",
    "dots": "…",
    "LaTeX": "LaTeX",
    "TeX": "TeX",
    "S": "§",
    "copyright": "©",
}
_SIGNS = {"$": "\x01", "{": "\x00{", "}": "\x00}", "\\": " ", ",": " ", ";": " ", "!": ""}
_COMMAND = re.compile(r"\\([a-zA-Z]+)\*?\s?|\\([%&_#${}~ ,;!\\])")


def read_latex(page: str, options: ReadOptions) -> Content:
    """Return text, blocks and title of a LaTeX file.

    >>> source = r"\\section{Soup} It is \\emph{hot}\\footnote{Mind it.}. \\begin{itemize}\\item salt\\end{itemize}"
    >>> [(b.kind, b.role, b.span.of(c.text)) for c in [read_latex(source, ReadOptions())] for b in c.blocks]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('title', 'heading', 'Soup'), ('paragraph', 'body', 'It is hot.'), ('paragraph', 'footnote', 'Mind it.'),
     ('item', 'body', 'salt')]
    """
    page = _uncommented(page)
    named = re.search(rf"\\title{_BRACKETS}(?=\{{)", page)
    title = plain(_braces(page, named.end())[0]) if named else ""
    start = page.find("\\begin{document}")
    body = page[start + len("\\begin{document}") :] if start >= 0 else page
    body = body.split("\\end{document}")[0]
    reader = _Reader(body, options.max_depth)
    reader.read()
    return reader.page.content(title or reader.title)


def _uncommented(source: str) -> str:
    """Take comments out, but not what looks like one in code."""
    pieces, at = [], 0
    while (code := _CODE.search(source, at)) and (end := source.find("\\end{", code.end())) >= 0:
        pieces += [_without_comments(source[at : code.start()]), source[code.start() : end]]
        at = end
    return "".join([*pieces, _without_comments(source[at:])])


def _without_comments(text: str) -> str:
    text = _VERB.sub(lambda found: _SIGN.sub(r"\\\g<0>", found[2].replace("\\", "")), text)
    return _COMMENT.sub(r"\1", _NAME_BEFORE.sub(r"\1 ", _COMMENT_LINE.sub("", text)))


class _Reader:
    def __init__(self, source: str, max_depth: int) -> None:
        self.page = Blocks()
        self.title = ""
        self._source = source
        self._max_depth = max_depth
        self._text: list[str] = []
        self._within: list[str] = []
        self._notes: list[str] = []
        self._item = False

    def read(self) -> None:
        at = 0
        while match := _PIECE.search(self._source, at):
            self._text.append(self._source[at : match.start()])
            at = self._take(match)
        self._text.append(self._source[at:])
        self._flush()

    def _take(self, match: re.Match[str]) -> int:
        if match["section"]:
            self._flush()
            name, end = _braces(self._source, match.end())
            text = plain(name)
            self.title = self.title or text
            self.page.add("title", text, _SECTIONS[match["section"]])
            return end
        if match["caption"]:
            content, end = _braces(self._source, match.end())
            if match["caption"] == "footnote":
                self._notes.append(plain(content))
            else:
                self._flush()
                self.page.add("paragraph", plain(content), role="caption")
            return end
        if match["edge"]:
            return self._environment(match)
        self._flush()
        if match["item"]:
            self._item = True
            self._text.append(f"{match['label']}: " if match["label"] else "")
        elif match["math"]:
            closing = "\\]" if match["math"] == "\\[" else "$$"
            end = self._source.find(closing, match.end())
            end = end if end >= 0 else len(self._source)
            self.page.add("formula", self._source[match.end() : end].strip())
            return end + len(closing)
        return match.end()

    def _environment(self, match: re.Match[str]) -> int:
        self._flush()
        name = match["name"].rstrip("*")
        if match["edge"] == "end":
            if name in self._within:
                while self._within.pop() != name:
                    pass
            self._item = False
            return match.end()
        kind = "code" if name in _VERBATIM else "formula" if name in _FORMULAS else "table" if name in _TABLES else ""
        if not kind:
            self._within.append(name)
            if len(self._within) > self._max_depth:
                raise SkipError("too deep", f"nested deeper than {self._max_depth}")
            return match.end()
        closing = f"\\end{{{match['name']}}}"
        end = self._source.find(closing, match.end())
        end = end if end >= 0 else len(self._source)
        body = self._source[match.end() : end]
        if kind == "table":
            body = _table(body[_braces(body, 0)[1] :] if body.startswith("{") else body)
        self.page.add(kind, body.strip("\n") if kind == "code" else body.strip())
        return end + len(closing)

    def _flush(self) -> None:
        text = plain("".join(self._text))
        self._text.clear()
        role = next((_ENVIRONMENT_ROLES[name] for name in reversed(self._within) if name in _ENVIRONMENT_ROLES), "")
        listed = any(name in ("itemize", "enumerate", "description") for name in self._within)
        quoted = any(name in ("quote", "quotation") for name in self._within)
        self.page.add("item" if listed and self._item else "quote" if quoted else "paragraph", text, role=role)
        for note in self._notes:
            self.page.add("paragraph", note, role="footnote")
        self._notes.clear()


def _table(body: str) -> str:
    rows = (re.split(r"(?<!\\)&", _RULES.sub("", row)) for row in body.split("\\\\"))
    return "\n".join("\t".join(plain(cell) for cell in row) for row in rows)


def _braces(source: str, at: int) -> tuple[str, int]:
    """Return what stands in the braces that open at ``at``, and where they end."""
    depth = 0
    for place in range(at, len(source)):
        if source[place] == "{" and source[place - 1 : place] != "\\":
            depth += 1
        elif source[place] == "}" and source[place - 1 : place] != "\\":
            depth -= 1
            if not depth:
                return source[at + 1 : place], place + 1
    return source[at + 1 :], len(source)


def plain(text: str) -> str:
    """Take commands off: what a reader would see.

    >>> plain(r"\\textbf{Caf\\'e} costs 5\\,\\$ --- see~\\ref{x}, ``now''")
    'Café costs 5 $ — see , “now”'
    >>> plain(r"\\raggedright \\c{c}a, Erd\\H{o}s, \\v Cech")
    'ça, Erdős, Čech'
    """
    import unicodedata

    text = _REFERENCE.sub("", _SILENT.sub("", _HREF.sub(r"\1", text)))
    text = _ACCENT.sub(_accented, text)
    text = _COMMAND.sub(_shown, text)
    text = text.replace("---", "—").replace("--", "–").replace("``", "“").replace("''", "”").replace("~", " ")
    text = re.sub(r"(?<!\x00)[{}]", "", text.replace("$", "") if text.count("$") % 2 == 0 else text)
    return unicodedata.normalize("NFC", " ".join(text.replace("\x00", "").replace("\x01", "$").split()))


def _accented(match: re.Match[str]) -> str:
    letter = match[2] or match[3] or match[5] or match[6]
    return letter + _COMBINING[match[1] or match[4]]


def _shown(match: re.Match[str]) -> str:
    if match[2]:
        return {"$": "\x01", "{": "\x00{", "}": "\x00}", "\\": " ", ",": " ", ";": " ", "!": "", "~": "~"}.get(
            match[2], match[2]
        )
    return _LETTERS.get(match[1], "")
