"""Blocks of plain text from its layout alone: empty lines, indentation, underlined and numbered titles, bullets.

Every rule asks for more than one sign: a wrong title, or a paragraph taken for code, costs more than a missed one.
"""

import re
from collections.abc import Iterator

from likewise.read.document import Block, Span

_RULE = re.compile(r"\s*([=\-~^\"'*#+_])\1{2,}\s*$")
_CHAPTER = re.compile(
    r"\s*(?:chapter|part|book|appendix|section)\s+(?:[ivxlcdm]+|\d+|[a-z]|one|two|three|four|five)\b", re.I
)
_NUMBERED = re.compile(r"\s*(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+([A-Z].*)$")
_BULLET = re.compile(r"\s*(?:[*•◦‣+-]|\d{1,3}[.)]|\([a-z0-9]{1,3}\))\s+\S")
_SIGN = re.compile(r"[*•◦‣+-]\s+")
_PROMPT = re.compile(r"\s*(?:>>>|\.\.\.|\$|#|%|In \[\d+\]:)\s")
_CODE_LINE = re.compile(
    r"[;{}]\s*$"
    r"|^\s*(?:def|class|import|from|return|if|for|while|try|except|else|elif|finally|with|let|fn|int|void|var)\b.*[:;({=]"
    r"|^\s*(?:import|return|del|raise|pass|break)\b[^.]*$"
    r"|^\s*[\w.\[\]]+\s*[-+*/|&]?=\s*\S|\s::=\s"
)
_CALL = re.compile(r"\w\(")
_COLUMNS = re.compile(r"\S(?: {3,}|\t+)\S|^\s*[=+-]{2,}(?:\s+[=+-]{2,})+\s*$")
_FORMULA = re.compile(r"\s*(?:\\\[|\\begin\{(?:equation|align|math)|\$\$)")
# What a change log writes over the changes of a release: Debian's line, GNU's day and author, a version and its day.
_RELEASE = re.compile(
    r"[a-z0-9][a-z0-9+.-]+ \([^\s()]+\)[\w .-]*; *\w+=\S.*$"
    r"|\d{4}-\d\d-\d\d\s+\S[^<>]*<[^<>\s]+>\s*$"
    r"|(?:[A-Za-z][\w-]* |[Vv])?(?:[Vv]ersion |[Rr]elease )?\d+\.\d+[\w.~+-]*[\s:,/(-]+"
    r"[^.!?]*\b(?:19|20)\d\d\b[^.!?]{0,20}$"
)
_SENTENCE_END = tuple(".!?:;,")
_MOST_TITLE_WORDS, _LONGEST_RELEASE = 12, 120
# A title and the line under it differ by so many characters at most, where such lines stand around blocks, too.
_NEARLY = 2


def lines_as_blocks(text: str) -> tuple[Block, ...]:
    """Blocks of text with a paragraph a line (Wikipedia-extractor): the first line and short bare lines are titles."""
    blocks: list[Block] = []
    for start, line in _lines(text):
        content = line.strip()
        if not content:
            continue
        span = Span(start + line.index(content[0]), start + line.index(content[0]) + len(content))
        words = content.split()
        # Section titles stand on their own line and end in a full stop there: "Etymology and terminology."
        bare = (
            len(words) <= 8 and len(content) < 60 and content.count(".") <= 1 and not content.endswith((":", ";", ","))
        )
        if not blocks:
            blocks.append(Block("title", span, 1))
        elif bare and content[0].isupper() and not _has_verb_ending(words):
            # The full stop is the extractor's.
            blocks.append(Block("title", Span(span.start, span.end - content.endswith(".")), 2))
        else:
            blocks.append(Block("item" if _BULLET.match(content) else "paragraph", span))
    return tuple(blocks)


def _has_verb_ending(words: list[str]) -> bool:
    """A guess that a short line is a sentence and no title: it has a finite form of to be, to have or to do."""
    return any(
        word.lower() in ("is", "are", "was", "were", "has", "have", "had", "did", "does", "be") for word in words
    )


def layout_blocks(text: str) -> tuple[Block, ...]:
    """Blocks of plain text.

    >>> text = "1. Soup\\n\\nIt is hot,\\nand good:\\n\\n    pour(soup);\\n\\n* one\\n* two"
    >>> for block in layout_blocks(text):
    ...     print(block.kind, repr(block.span.of(text)))
    title '1. Soup'
    paragraph 'It is hot,\\nand good:'
    code 'pour(soup);'
    item 'one'
    item 'two'
    """
    groups = list(_groups(text))
    base = _base_indent([line for group in groups for _, line in group])
    marks: dict[str, int] = {}
    blocks: list[Block] = []
    previous = ""
    fences = {lines[0].strip() for lines in ([line for _, line in group] for group in groups) if _is_fenced(lines)}
    for number, group in enumerate(groups):
        title = _title(group, marks, base, number + 1 < len(groups), fences)
        if title is None and number == 0 and len(groups) > 1:
            title = _heading(group)
        if title is not None:
            level, first, last, rest = title
            blocks.append(Block("title", _span(group[first : last + 1]), level))
            group = group[rest:]
            if not group:
                previous = ""
                continue
        lines = [line for _, line in group]
        kind = _kind(lines, base, previous)
        if kind == "paragraph":
            blocks.extend(_items(group))
        else:
            blocks.append(Block(kind, _span(group)))
        previous = lines[-1].rstrip()
    return tuple(blocks)


def _lines(text: str) -> Iterator[tuple[int, str]]:
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


def _groups(text: str) -> Iterator[list[tuple[int, str]]]:
    """Lines between empty lines, and between those that part the sayings of a file of fortunes."""
    group: list[tuple[int, str]] = []
    entries = "\n%\n" in text
    for start, line in _lines(text):
        if line.strip() and not (entries and line == "%"):
            group.append((start, line))
        elif group:
            yield group
            group = []
    if group:
        yield group


def _span(group: list[tuple[int, str]]) -> Span:
    first_start, first = group[0]
    last_start, last = group[-1]
    return Span(first_start + _indent(first), last_start + len(last.rstrip()))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _base_indent(lines: list[str]) -> int:
    """The indentation of most of the text: books indent every line, manuals none."""
    counts: dict[int, int] = {}
    for line in lines:
        if len(line) > 40:
            counts[_indent(line)] = counts.get(_indent(line), 0) + 1
    return max(counts, key=lambda indent: (counts[indent], -indent)) if counts else 0


def _is_fenced(lines: list[str]) -> bool:
    """Whether a rule stands above several lines, as around a listing of AsciiDoc, and is no line over a title."""
    return len(lines) > 1 and _RULE.match(lines[0]) is not None and not (len(lines) > 2 and _RULE.match(lines[2]))


def _encloses(lines: list[str], title: int, rule: int, fences: set[str]) -> bool:
    """Whether a rule beside code or a line of another length is the edge of a block, in this place or in others."""
    sign, line = lines[rule].strip(), lines[title]
    is_code = _PROMPT.match(line) or _is_code_line(line)
    if not is_code and abs(len(sign) - len(line.strip())) <= _NEARLY:
        return False
    return sign in fences or any(line.strip() == sign for line in lines[rule + 1 :])


# What ends a line is looked for at its end: one pattern for both ends would be tried from every sign in between.
def _is_code_line(line: str) -> bool:
    """Whether a line ends or begins as code does.

    >>> [_is_code_line(line) for line in ("pour(soup) ", "pour(soup) now", "pour soup;", "return (hot)", "pour ()")]
    [True, False, True, True, False]
    """
    return _CODE_LINE.search(line) is not None or (line.rstrip().endswith(")") and _CALL.search(line) is not None)


def _is_table_line(line: str) -> bool:
    """Whether a line has bars at its end and before, or columns.

    >>> [_is_table_line(line) for line in ("| soup | hot |", "hot |", "soup    hot", "=== ===", "a | b")]
    [True, False, True, True, False]
    """
    line = line.rstrip()
    return (line.endswith(("|", "+")) and not {"|", "+"}.isdisjoint(line[:-1])) or _COLUMNS.search(line) is not None


def _is_release(lines: list[str], followed: bool) -> bool:
    """Whether the first line names a release, and what follows is set apart from it.

    >>> _is_release(["soup (1.2-3) unstable; urgency=medium"], True), _is_release(["Soup 1.2 of 2026", "is hot."], True)
    (True, False)
    """
    if len(lines[0]) > _LONGEST_RELEASE or not (followed or lines[1:]) or not _RELEASE.match(lines[0]):
        return False
    return all(_indent(line) or _BULLET.match(line) for line in lines[1:])


def _title(
    group: list[tuple[int, str]], marks: dict[str, int], base: int, followed: bool, fences: set[str]
) -> tuple[int, int, int, int] | None:
    """Level, first and last line of a title at the head of ``group``, and the line at which other text begins."""
    lines = [line for _, line in group]
    if _is_release(lines, followed):
        return marks.setdefault("release", len(marks) + 1), 0, 0, 1
    if len(lines) >= 3 and _RULE.match(lines[0]) and _RULE.match(lines[2]) and not _RULE.match(lines[1]):
        if _encloses(lines, 1, 2, fences):
            return None
        return marks.setdefault("over" + lines[0].strip()[0], len(marks) + 1), 1, 1, 3
    if len(lines) >= 2 and not _RULE.match(lines[0]):
        rule = None if _encloses(lines, 0, 1, fences) else _RULE.match(lines[1])
        if rule and len(lines[1].strip()) * 2 >= len(lines[0].strip()) and not lines[0].rstrip().endswith((",", ";")):
            return marks.setdefault(rule[1], len(marks) + 1), 0, 0, 2
    if len(lines) > 2 or not followed:
        return None
    content = " ".join(line.strip() for line in lines)
    words = content.split()
    if len(words) > _MOST_TITLE_WORDS or content.endswith(_SENTENCE_END[1:]):
        return None
    letters = [letter for letter in content if letter.isalpha()]
    if _CHAPTER.match(content) and not (content.endswith(".") and len(words) > 5):
        marks.setdefault("chapter", 1)
        return 1, 0, len(lines) - 1, len(lines)
    if len(lines) > 1 or content.endswith(".") or not letters:
        return None
    if numbered := _NUMBERED.match(content):
        return numbered[1].count(".") + 1, 0, 0, 1
    if len(letters) >= 3 and all(letter.isupper() for letter in letters) and _indent(lines[0]) <= base + 20:
        return 2, 0, 0, 1
    long_words = [word for word in words if len(word) > 3 and word[0].isalpha()]
    if (
        long_words
        and all(word[0].isupper() for word in long_words)
        and content[0].isupper()
        and _indent(lines[0]) <= base
    ):
        return 3, 0, 0, 1
    return None


def _heading(group: list[tuple[int, str]]) -> tuple[int, int, int, int] | None:
    """A document's first lines are its title if they are few, short and bare."""
    lines = [line.strip() for _, line in group]
    bare = all(
        len(line.split()) <= 8 and not line.endswith(_SENTENCE_END) and not _BULLET.match(line) for line in lines
    )
    if len(lines) > 3 or not bare or not any(letter.isalpha() for letter in lines[0]) or _is_code_line(lines[0]):
        return None
    return 1, 0, len(lines) - 1, len(lines)


def _kind(lines: list[str], base: int, previous: str) -> str:
    if _FORMULA.match(lines[0]):
        return "formula"
    if any("::=" in line for line in lines[:2]):
        return "code"
    if len(lines) >= 2 and sum(map(_is_table_line, lines)) * 10 >= len(lines) * 7:
        return "table"
    indented = all(_indent(line) >= base + 2 for line in lines)
    text = "".join(lines)
    letters = sum(letter.isalpha() for letter in text)
    signs = sum(letter in "=+-*/^<>∑∫√≤≥∈" for letter in text)
    if (
        len(lines) <= 3
        and indented
        and " = " in text
        and letters < 3 * signs + 6
        and not re.search(r"[\[;\"'#_]", text)
    ):
        return "formula"
    prompts = sum(bool(_PROMPT.match(line)) for line in lines)
    if lines[0].lstrip().startswith(">>> ") or (indented and prompts * 2 >= len(lines)):
        return "code"
    codes = sum(map(_is_code_line, lines))
    if indented and (codes * 2 >= len(lines) or (previous.endswith("::") and codes)):
        return "code"
    if codes * 10 >= len(lines) * 8 and len(lines) >= 3 and not lines[-1].rstrip().endswith("."):
        return "code"
    return "paragraph"


def _items(group: list[tuple[int, str]]) -> Iterator[Block]:
    """A paragraph, or the items of a list if its lines begin with bullets (with an introduction, perhaps)."""
    starts = [number for number, (_, line) in enumerate(group) if _BULLET.match(line)]
    # A dash or a number at the start of one wrapped line is chance, unless the group begins so.
    if not starts or (starts[0] != 0 and len(starts) < 2):
        yield Block("paragraph", _span(group))
        return
    if starts[0] > 0:
        yield Block("paragraph", _span(group[: starts[0]]))
    for start, end in zip(starts, [*starts[1:], len(group)], strict=True):
        span = _span(group[start:end])
        # A number belongs to the item; a sign that only says "here is one" does not.
        sign = _SIGN.match(group[start][1].lstrip())
        yield Block("item", Span(span.start + (sign.end() if sign else 0), span.end))
