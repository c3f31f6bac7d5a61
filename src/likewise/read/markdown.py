"""Markdown to text and blocks: a small block parser, and inline markup taken off.

It knows what books and documentation are written in (CommonMark's blocks, tables, front matter, ``$$`` formulas,
directives of static-site tools) and goes for the reader's text: link targets, emphasis marks, comments and reference
definitions leave no trace in it. Every block keeps its span in the source as ``origin``.
"""

import html as entities
import re
from collections.abc import Iterator
from dataclasses import dataclass

from likewise.read.content import Blocks, Content
from likewise.read.deadline import Clock
from likewise.read.document import Span
from likewise.read.options import ReadOptions

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$")
_ITEM = re.compile(r"([ \t]*)(?:[-*+]|\d{1,9}[.)])[ \t]+(\[[ xX]\][ \t]+)?")
_QUOTE = re.compile(r" {0,3}>[ ]?")
_TABLE_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_DEFINITION = re.compile(r" {0,3}\[[^\]]+\]:[ \t]*\S")
_DIRECTIVE = re.compile(r"[ \t]*(\{\{[#%].*\}\}|\{%.*%\}|\[TOC\]|\\(?:newpage|pagebreak))[ \t]*$")
_CODE_INDENT = re.compile(r"(?: {4}|\t)")

# None of these can run past its own closing mark by much, so that marks without a partner cost no more than it.
_CODE_SPAN = re.compile(r"(?<!`)(`)(?!`)([^`]{1,4000})`(?!`)|(?<!`)(``)(?!`)(.{1,500}?)(?<!`)``(?!`)", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_IMAGE = re.compile(r"!\[([^\]\[]*)\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)?(?:[ \t\n]+[\"'][^\"']*[\"'])?\)|\[[^\]]*\])?")
_LINK = re.compile(r"\[([^\]\[]*)\](?:\([^()\s]*(?:\([^()]*\)[^()\s]*)?(?:\s+(?:\"[^\"]*\"|'[^']*'))?\)|\[[^\]]*\])")
_REFERENCE = re.compile(r"\[(?!\^)([^\]\[]+)\](?![(\[:])")
_FOOTNOTE = re.compile(r"\[\^[^\]]+\]:?")
_AUTOLINK = re.compile(r"<((?:https?|ftp|mailto):[^<>\s]*)>")
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_EMPHASIS = re.compile(r"(?<![\w*])(\*{1,3})(?=[^\s*])([^*]{1,1000})(?<=\S)\1(?![\w*])")
_UNDERSCORE = re.compile(r"(?<!\w)(_{1,3})(?=[^\s_])((?:[^_]|(?<=\w)_(?=\w)){1,1000})(?<=[^\s_])\1(?!\w)")
_STRONG_INSIDE = re.compile(r"(\*{2,3})(?=[^\s*])([^*]{1,1000})(?<=\S)\1")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_SPACE = re.compile(r"\s+")


def read_markdown(source: str, options: ReadOptions | None = None) -> Content:
    """Return text, blocks and title (the first heading) of Markdown.

    >>> page = read_markdown("# Soup\\n\\nIt is **hot**, see [there](a.md).\\n\\n    1 + 1\\n")
    >>> page.text
    'Soup\\n\\nIt is hot, see there.\\n\\n1 + 1'
    >>> [(block.kind, block.level) for block in page.blocks]
    [('title', 1), ('paragraph', 0), ('code', 0)]
    """
    page = Blocks()
    title = ""
    clock = Clock((options or ReadOptions()).max_seconds)
    for found in _parse(source):
        clock.check()
        content = found.content if found.kind == "code" else inline(found.content)
        if found.kind == "table":
            content = _table(found.content)
        page.add(found.kind, content, found.level, Span(found.start, found.end))
        if found.kind == "title":
            title = title or content
    return page.content(title)


def inline(text: str) -> str:
    """Take inline markup off: what a reader of the page would see, white space collapsed.

    >>> inline("See [`Vec<T>`](vec.html) and *all* of snake_case_names, 2 * 3 * 4")
    'See Vec<T> and all of snake_case_names, 2 * 3 * 4'
    """
    codes: list[str] = []

    def keep(match: re.Match[str]) -> str:
        codes.append((match[2] or match[4]).strip())
        return f"\x00{len(codes) - 1}\x00"

    text = _CODE_SPAN.sub(keep, text.replace("\x00", ""))
    text = _COMMENT.sub("", text)
    text = _FOOTNOTE.sub("", text)
    text = _IMAGE.sub(r"\1", text)
    text = _LINK.sub(r"\1", text)
    text = _REFERENCE.sub(r"\1", text)
    text = _AUTOLINK.sub(r"\1", text)
    text = _TAG.sub("", text)
    for _ in range(2):
        text = _UNDERSCORE.sub(r"\2", _EMPHASIS.sub(r"\2", text))
    text = _STRONG_INSIDE.sub(r"\2", text)
    text = _ESCAPE.sub(r"\1", text)
    text = entities.unescape(text)
    text = re.sub(r"\x00(\d+)\x00", lambda match: codes[int(match[1])], text)
    return _SPACE.sub(" ", text).strip()


def _table(source: str) -> str:
    rows = [line for line in source.split("\n") if line.strip() and not _TABLE_RULE.match(line)]
    return "\n".join(" ".join(inline(cell) for cell in row.strip().strip("|").split("|")).strip() for row in rows)


@dataclass(slots=True)
class _Found:
    kind: str
    content: str
    start: int
    end: int
    level: int = 0


def _parse(source: str) -> Iterator[_Found]:
    lines = source.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)

    def found(kind: str, first: int, last: int, content: str, level: int = 0) -> _Found:
        return _Found(kind, content, starts[first], min(starts[last] + len(lines[last]), len(source)), level)

    at = _front_matter(lines)
    in_list = False
    while at < len(lines):
        line = lines[at]
        first = at
        if not line.strip() or _DIRECTIVE.match(line):
            at += 1
        elif fence := _FENCE.match(line.lstrip() if in_list else line):
            at = _fence_end(lines, at, fence[1])
            indent = len(line) - len(line.lstrip())
            body = [text[indent:] if not text[:indent].strip() else text for text in lines[first + 1 : at]]
            yield found("code", first, min(at, len(lines) - 1), "\n".join(body))
            at += 1
        elif line.strip().startswith("$$"):
            at += 1
            if line.strip() == "$$" or not line.strip().endswith("$$"):
                while at < len(lines) and "$$" not in lines[at] and lines[at].strip():
                    at += 1
                at += at < len(lines) and "$$" in lines[at]
            yield found("formula", first, at - 1, "\n".join(lines[first:at]).replace("$$", ""))
        elif heading := _HEADING.match(line):
            in_list = False
            yield found("title", at, at, heading[2] or "", len(heading[1]))
            at += 1
        elif _RULE.match(line):
            in_list = False
            at += 1
        elif line.lstrip().startswith("<!--"):
            while at < len(lines) and "-->" not in lines[at]:
                at += 1
            at += 1
        elif _DEFINITION.match(line) and not line.lstrip().startswith("[^"):
            at += 1
        elif "|" in line and at + 1 < len(lines) and "-" in lines[at + 1] and _TABLE_RULE.match(lines[at + 1]):
            in_list = False
            while at < len(lines) and "|" in lines[at]:
                at += 1
            yield found("table", first, at - 1, "\n".join(lines[first:at]))
        elif _CODE_INDENT.match(line) and not in_list:
            while at < len(lines) and (_CODE_INDENT.match(lines[at]) or not lines[at].strip()):
                at += 1
            last = at - 1
            while not lines[last].strip():
                last -= 1
            body = [_CODE_INDENT.sub("", text, count=1) for text in lines[first : last + 1]]
            yield found("code", first, last, "\n".join(body))
        elif item := _ITEM.match(line):
            in_list = True
            at = _text_end(lines, at + 1)
            yield found("item", first, at - 1, "\n".join([line[item.end() :], *lines[first + 1 : at]]))
        elif _QUOTE.match(line):
            at += 1
            while at < len(lines) and lines[at].strip() and (_QUOTE.match(lines[at]) or not _starts_block(lines, at)):
                at += 1
            yield from _quoted(lines, starts, first, at)
        else:
            if not line.startswith((" ", "\t")):
                in_list = False
            at = _text_end(lines, at + 1)
            rule = _UNDERLINE.match(lines[at]) if at < len(lines) else None
            if rule:
                level = 1 if rule[1][0] == "=" else 2
                yield found("title", first, at, "\n".join(lines[first:at]), level)
                at += 1
            else:
                yield found("item" if in_list else "paragraph", first, at - 1, "\n".join(lines[first:at]))


def _quoted(lines: list[str], starts: list[int], first: int, end: int) -> Iterator[_Found]:
    """A quotation's paragraphs; an admonition (``> **Note**``, ``> ## Title``) reads like any other text."""
    group: list[str] = []
    begin = first
    for at in range(first, end + 1):
        text = _QUOTE.sub("", lines[at], count=1) if at < end else ""
        item = _ITEM.match(text) if group or text.strip() else None
        if item and group and not _FENCE.match(group[0]):
            yield _Found("quote", "\n".join(group), starts[begin], starts[at] - 1)
            group = []
        if text.strip():
            text = text[item.end() :] if item and not group else text
            if not group:
                begin = at
            group.append(text)
        elif group:
            heading = _HEADING.match(group[0])
            content = "\n".join([heading[2] or "", *group[1:]]) if heading else "\n".join(group)
            if _FENCE.match(group[0]):
                yield _Found("code", "\n".join(group[1:]), starts[begin], starts[at] - 1)
            else:
                yield _Found("quote", content, starts[begin], starts[at] - 1)
            group = []


def _front_matter(lines: list[str]) -> int:
    if lines and lines[0].rstrip() in ("---", "+++"):
        for at in range(1, min(len(lines), 200)):
            if lines[at].rstrip() == lines[0].rstrip():
                return at + 1
    return 0


def _fence_end(lines: list[str], at: int, fence: str) -> int:
    closing = re.compile(rf"[ \t]*{re.escape(fence[0])}{{{len(fence)},}}[ \t]*$")
    for end in range(at + 1, len(lines)):
        if closing.match(lines[end]):
            return end
    return len(lines)


def _text_end(lines: list[str], at: int) -> int:
    while at < len(lines) and lines[at].strip() and not _starts_block(lines, at):
        at += 1
    return at


def _starts_block(lines: list[str], at: int) -> bool:
    line = lines[at]
    return bool(
        _FENCE.match(line.lstrip())
        or _HEADING.match(line)
        or _UNDERLINE.match(line)
        or _RULE.match(line)
        or _QUOTE.match(line)
        or _DIRECTIVE.match(line)
        or (_ITEM.match(line) and not line.lstrip()[0].isdigit())
        or re.match(r"[ \t]*1[.)][ \t]", line)
        or (_ITEM.match(line) and _ITEM.match(lines[at - 1]))
    )
