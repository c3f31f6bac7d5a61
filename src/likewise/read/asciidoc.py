"""AsciiDoc to text and blocks: titles, lists, listings, tables, admonitions; attributes and macros taken off."""

import re

from likewise.read.content import Blocks, Content
from likewise.read.options import ReadOptions

# What is opened is closed within so many characters, or it is text: a page of what opens must not take forever.
_TITLE = re.compile(r"(={1,6}|#{1,6})\s+(\S.*?)(?:(?<!\s)\s+=+)?$")
_FENCE = re.compile(r"(-{4,}|={4,}|\.{4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|```\w*)$")
_ATTRIBUTE = re.compile(
    r":!?[\w-]+!?:(?:\s|$)|\[[^\]]*\]$|\[\[[^\]]+\]\]$|(?:include|image|toc|ifdef|ifndef|endif|video)::"
)
_ITEM = re.compile(r"(?:[*.-]+|\d+\.|<\.?\d*>)\s+(?=\S)")
_TERM = re.compile(r"(\S.*?)(?:::|;;)\s*(.*)$")
_ADMONITION = re.compile(r"(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+")
_MACRO = re.compile(
    r"(?:link|xref|mailto|kbd|btn|menu|footnote|stem|pass|image|icon):[^\[\s]{0,300}\[([^\]]{0,1000})\]"
)
_URL = re.compile(r"(https?://[^\s\[\]]{1,500})\[([^\]]{0,500})\]")
_XREF = re.compile(r"<<[^,>]{1,300}(?:,([^>]{0,300}))?>>")
_ANCHOR = re.compile(r"\[\[[^\]]{0,300}\]\]|\[[#.][^\]]{0,300}\](?=[#*_`])|\{nbsp\}|\(\(\([^)]{0,300}\)\)\)")
_INLINE = re.compile(r"(?<!\w)(?:\*\*|__|``|##|[*_`#^~])(\S(?:.{0,300}?\S)?)(?:\*\*|__|``|##|[*_`#^~])(?!\w)")
_KINDS = {"-": "code", ".": "code", "`": "code", "_": "quote", "+": "", "/": ""}


def read_asciidoc(page: str, options: ReadOptions) -> Content:
    """Return text, blocks and title of AsciiDoc.

    >>> read_asciidoc("= Soup\\n\\nIt is *hot*, see <<x,there>>.\\n\\n----\\npour()\\n----\\n", ReadOptions()).text
    'Soup\\n\\nIt is hot, see there.\\n\\npour()'
    """
    found = Blocks()
    lines = page.split("\n")
    title = ""
    at = 0
    while at < len(lines):
        line = lines[at].rstrip()
        heading = _TITLE.match(line)
        fence = _FENCE.match(line)
        if not line.strip() or _ATTRIBUTE.match(line) or (line.startswith("//") and not fence):
            at += 1
        elif heading:
            text = plain(heading[2])
            title = title or text
            found.add("title", text, len(heading[1]))
            at += 1
        elif line.startswith("|==="):
            at = _table(lines, at, found)
        elif fence and (line[0] in _KINDS) and line != "--":
            at = _delimited(lines, at, line, found)
        elif fence or line in ("+", "'''", "<<<"):
            at += 1  # an example or a sidebar is text like the rest; a line across, a new page
        elif line.startswith(".") and line[1:2].isalnum():
            found.add("paragraph", plain(line[1:]), role="caption")
            at += 1
        else:
            at = _paragraph(lines, at, found)
    return found.content(title)


def _delimited(lines: list[str], at: int, fence: str, found: Blocks) -> int:
    closing = fence if fence[0] != "`" else "```"
    end = next((place for place in range(at + 1, len(lines)) if lines[place].rstrip() == closing), len(lines))
    kind = _KINDS[fence[0]]
    body = "\n".join(line.rstrip() for line in lines[at + 1 : end])
    if kind == "code":
        found.add("code", body.strip("\n"))
    elif kind:
        found.add(kind, plain(body))
    return end + 1


def _table(lines: list[str], at: int, found: Blocks) -> int:
    end = next((place for place in range(at + 1, len(lines)) if lines[place].startswith("|===")), len(lines))
    rows = (re.split(r"\s*(?:\d+\+)?[aehlmsd]?\|", line)[1:] for line in lines[at + 1 : end])
    found.add("table", "\n".join("\t".join(map(plain, row)) for row in rows if any(row)))
    return end + 1


def _paragraph(lines: list[str], at: int, found: Blocks) -> int:
    end = at
    while end < len(lines) and (text := lines[end].rstrip()) and not _FENCE.match(text) and text != "+":
        if end > at and (_ITEM.match(text.lstrip()) or _TITLE.match(text) or _ATTRIBUTE.match(text)):
            break
        end += 1
    text = " ".join(line.strip() for line in lines[at:end])
    term = _TERM.match(text)
    if lines[at].startswith(" ") and not _ITEM.match(text):
        found.add("code", "\n".join(line.rstrip() for line in lines[at:end]).strip("\n"))
    elif _ITEM.match(text):
        found.add("item", plain(_ITEM.sub("", text, count=1)))
    elif term:
        found.add("item", plain(f"{term[1]}: {term[2]}" if term[2] else term[1]))
    else:
        found.add("paragraph", plain(_ADMONITION.sub("", text)))
    return end  # beyond the first line, which was looked at before


def plain(text: str) -> str:
    """Take inline markup off."""
    text = _ANCHOR.sub("", text)
    text = _MACRO.sub(r"\1", text)
    text = _URL.sub(lambda match: match[2].rstrip("^") or match[1], text)
    text = _XREF.sub(lambda match: (match[1] or "").lstrip(), text)
    for _ in range(2):
        text = _INLINE.sub(r"\1", text)
    return " ".join(re.sub(r"\s\+$", "", text).split())
