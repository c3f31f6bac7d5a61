"""reStructuredText to text and blocks: titles by their underlines, directives by what they hold, and roles."""

import re

from likewise.read.content import Blocks, Content
from likewise.read.options import ReadOptions

_RULE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")
DIRECTIVE = re.compile(r"\.\.\s+([\w:+.-]+)::\s*(.*)$")
_TARGET = re.compile(r"\.\.\s+(?:_[^:]*:|\[[^\]]+\]|\|[^|]+\|\s+\w+::|[^\s]|$)")
_NOTE = re.compile(r"\.\.\s+\[(?:#?[\w-]*|\*|\d+)\]\s+(.*)$")
_ITEM = re.compile(r"(?:[-*+•]|#\.|\d+[.)]|\([a-z0-9]+\))\s+")
_FIELD = re.compile(r":[\w -]+:(?:\s|$)")
_BAR = re.compile(r"^(\s*)\| ")
_TABLE = re.compile(r"(?:=+\s+)+=+\s*$|\+[-=+]+\+\s*$")
# What is opened is closed within so many characters, or it is text: a page of what opens must not take forever.
_ROLE = re.compile(r":[\w:+.-]{1,60}:`(?:[^`<]{0,500}<([^>`]{1,500})>|~?([^`]{1,500}))`")
_NAMED_ROLE = re.compile(r":[\w:+.-]{1,60}:`([^`<]{1,500})<[^>`]{1,500}>`")
_LINK = re.compile(r"`([^`<]{1,500})<[^>`]{1,500}>`__?|`([^`]{1,500})`__?")
_INLINE = re.compile(
    r"``(.{1,300}?)``|\*\*(.{1,300}?)\*\*|(?<!\w)\*(\S(?:.{0,300}?\S)?)\*(?!\w)|\|(\S[^|]{0,300})\|"
    r"|(?<!\w)(\w[\w.-]{0,100})__?(?!\w)"
)
_FOOTNOTE_SIGN = re.compile(r"\s?\[(?:#[\w-]*|\*|\d+)\]_")

# Directive -> kind and role of what stands below it; what is not listed is text like any other.
CODE = (
    *("code", "code-block", "sourcecode", "literalinclude", "doctest", "testcode", "parsed-literal", "highlight"),
    *("prompt", "productionlist", "raw", "graphviz", "ipython", "plot"),
)
_SILENT = (
    *("toctree", "index", "contents", "only", "meta", "include", "image", "currentmodule", "module", "default-role"),
    *("role", "replace", "tabularcolumns", "cssclass", "automodule", "autoclass", "autofunction", "bibliography"),
)
_TABLES = ("csv-table", "list-table", "table")
_ROLES = {"figure": "caption", "glossary": "glossary", "footnote": "footnote", "exercise": "exercise"}


def read_rst(page: str, options: ReadOptions) -> Content:
    """Return text, blocks and title (the first one) of reStructuredText.

    >>> page = read_rst("Soup\\n====\\n\\nIt is *hot*, see :ref:`there <x>`::\\n\\n    pour()\\n", ReadOptions())
    >>> page.text
    'Soup\\n\\nIt is hot, see there:\\n\\npour()'
    """
    reader = _Reader(page.expandtabs(8).split("\n"))
    reader.read(0, len(reader.lines), 0, "")
    return reader.page.content(reader.title)


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self.page = Blocks()
        self.title = ""
        self._marks: list[str] = []
        self._announced = 0

    def read(self, start: int, end: int, indent: int, role: str) -> None:
        """Read the lines of one block and everything below it."""
        at = start
        literal = False
        while at < end:
            if not self.lines[at].strip():
                at += 1
                continue
            stop = self._group(at, end)
            first = self.lines[at].strip()
            if literal and _indent(self.lines[at]) > self._announced:
                stop = self._below(at, end, self._announced)
                self.page.add("code", _dedented(self.lines[at:stop]))
                literal, at = False, stop
                continue
            literal = False
            if first.startswith("..") and (first == ".." or first[2:3].isspace()):
                at = self._explicit(at, end)
                continue
            if (title := self._title_at(at, end)) is not None:
                at = title
                continue
            if _TABLE.match(first):
                stop = self._table_end(at, end)
                rows = (line.strip() for line in self.lines[at:stop] if not _TABLE.match(line.strip()))
                cells = (re.split(r"\s{2,}|\s*\|\s*", row.strip("| ")) for row in rows)
                self.page.add("table", "\n".join("\t".join(map(plain, row)) for row in cells if any(row)))
            elif first.startswith(">>> "):
                self.page.add("code", _dedented(self.lines[at:stop]))
            elif _RULE.match(first) and stop == at + 1:
                pass  # a line across the page
            else:
                literal = self._paragraphs(at, stop, end, role)
                stop = self._next
            at = stop

    def _paragraphs(self, at: int, stop: int, end: int, role: str) -> bool:
        """Write a paragraph, or the items of a list; say whether code follows."""
        # Lines that begin with a bar keep their ends, which is nothing to us.
        lines = [_BAR.sub(r"\1", line) for line in self.lines[at:stop]]
        first = lines[0].strip()
        self._next = stop
        item = _ITEM.match(first)
        # Code that this announces stands deeper than its text.
        self._announced = max(_indent(lines[-1]), _indent(lines[0]) + len(item[0]) if item else 0)
        starts = [place for place, line in enumerate(lines) if _ITEM.match(line.strip())]
        if starts and starts[0] == 0:
            for place, following in zip(starts, [*starts[1:], len(lines)], strict=True):
                text = " ".join(line.strip() for line in lines[place:following])
                text = _ITEM.sub("", text, count=1)
                if not _TARGET.match(text):
                    self.page.add("item", plain(text).removesuffix("::"), role=role)
        elif _FIELD.match(first):
            self.page.add("item", plain(" ".join(line.strip() for line in lines)), role=role)
        elif len(lines) > 1 and all(_indent(line) > _indent(lines[0]) for line in lines[1:]):
            # A term and what it means.
            text = " ".join(line.strip() for line in lines[1:])
            self.page.add("item", f"{plain(first)}: {plain(text)}".removesuffix(":"), role=role)
        else:
            text = " ".join(line.strip() for line in lines)
            kind = "quote" if _indent(lines[0]) and not role else "paragraph"
            if text.endswith("::"):
                text = text[:-1] if text != "::" else ""
                self.page.add(kind, plain(text), role=role)
                return True
            self.page.add(kind, plain(text), role=role)
        return lines[-1].rstrip().endswith("::")

    def _explicit(self, at: int, end: int) -> int:
        """A directive, a note, a target or a comment."""
        first = self.lines[at].strip()
        indent = _indent(self.lines[at])
        stop = self._below(at + 1, end, indent)
        if note := _NOTE.match(first):
            text = " ".join([note[1], *(line.strip() for line in self.lines[at + 1 : stop])])
            self.page.add("paragraph", plain(text), role="footnote")
            return stop
        directive = DIRECTIVE.match(first)
        if directive is None:
            return stop if _TARGET.match(first) or first == ".." else at + 1
        name, argument = directive[1].rpartition(":")[2], directive[2]
        body = at + 1
        while body < stop and (_FIELD.match(self.lines[body].strip()) or not self.lines[body].strip()):
            body += 1
        if name in _SILENT:
            return stop
        if name in CODE:
            self.page.add("code", _dedented(self.lines[body:stop]))
        elif name == "math":
            self.page.add("formula", "\n".join([argument, _dedented(self.lines[body:stop])]).strip())
        elif name in _TABLES:
            self.page.add("paragraph", plain(argument), role="caption")
            text = _dedented(self.lines[body:stop])
            rows = [re.split(r"\s{2,}|,\s*", line.strip(" *-|+=")) for line in text.split("\n")]
            self.page.add("table", "\n".join("\t".join(map(plain, row)) for row in rows if any(row)))
        else:
            if name not in ("figure",) and argument and not argument.endswith((".png", ".svg", ".jpg", ".gif")):
                self.page.add("item" if ":" in directive[1] else "paragraph", plain(argument))
            inner = min((_indent(line) for line in self.lines[body:stop] if line.strip()), default=indent + 3)
            self.read(body, stop, inner, _ROLES.get(name, ""))
        return stop

    def _title_at(self, at: int, end: int) -> int | None:
        lines = self.lines
        over = _RULE.match(lines[at].strip())
        if over and at + 2 < end and lines[at + 1].strip() and lines[at + 2].strip() == lines[at].strip():
            return self._heading("over" + over[1], lines[at + 1], at + 3)
        under = _RULE.match(lines[at + 1]) if at + 1 < end and lines[at].strip() and not over else None
        if under and len(lines[at + 1].rstrip()) >= len(lines[at].rstrip()) and not lines[at].startswith(" "):
            return self._heading(under[1], lines[at], at + 2)
        return None

    def _heading(self, mark: str, line: str, after: int) -> int:
        if mark not in self._marks:
            self._marks.append(mark)
        text = plain(line.strip())
        self.title = self.title or text
        self.page.add("title", text, self._marks.index(mark) + 1)
        return after

    def _group(self, at: int, end: int) -> int:
        while at < end and self.lines[at].strip():
            at += 1
        return at

    def _below(self, at: int, end: int, indent: int) -> int:
        """The first line from ``at`` that is not deeper than ``indent``."""
        last = at
        while at < end and (not self.lines[at].strip() or _indent(self.lines[at]) > indent):
            at += 1
            if self.lines[at - 1].strip():
                last = at
        return last

    def _table_end(self, at: int, end: int) -> int:
        rules = 0
        simple = not self.lines[at].strip().startswith("+")
        for place in range(at, end):
            line = self.lines[place].strip()
            rules += bool(_TABLE.match(line))
            if (not line and (not simple or rules >= 3)) or (simple and rules == 3):
                return place + int(bool(line))
        return end


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _dedented(lines: list[str]) -> str:
    least = min((_indent(line) for line in lines if line.strip()), default=0)
    return "\n".join(line[least:].rstrip() for line in lines).strip("\n")


def plain(text: str) -> str:
    """Take inline markup off.

    >>> plain("See :func:`open <io.open>`, `the guide <g.html>`_ and ``x*y``, **now** [1]_.")
    'See open, the guide and x*y, now.'
    """
    text = _FOOTNOTE_SIGN.sub("", text)
    text = _NAMED_ROLE.sub(lambda match: match[1].rstrip(), text)
    text = _ROLE.sub(lambda match: (match[2] or match[1]).lstrip("~!"), text)
    text = _LINK.sub(lambda match: (match[1] or match[2]).rstrip(), text)
    text = _INLINE.sub(lambda match: next(group for group in match.groups() if group is not None), text)
    return " ".join(re.sub(r"\\(.)", r"\1", text.replace("\\ ", "")).split())
