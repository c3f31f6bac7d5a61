"""The one table of formats: what a file is by its name and its first bytes, and who reads it.

A new format is a line in :data:`FORMATS` and a module with its reader. Readers come in four shapes:

==========  =============================================================  ==================
shape       signature                                                      gives
==========  =============================================================  ==================
page        ``(page: str, options: ReadOptions)``                          :class:`Content`
bytes       ``(data: bytes, options: ReadOptions)``                        :class:`Content`
documents   ``(source, options, on_skip, piece)``                          many documents
table       read by :mod:`~likewise.read.tables`; each row a document     rows
==========  =============================================================  ==================
"""

import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from typing import Any

from likewise.read.encoding import is_binary
from likewise.read.open import PACKED
from likewise.read.skipped import SkipError


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file: ``endings`` of its names, ``magic`` with which its bytes begin, and the reader."""

    name: str
    shape: str
    reader: str
    endings: tuple[str, ...] = ()
    magic: tuple[bytes, ...] = ()
    table: bool = False  # can be read as a table, too
    said: str = ""  # what people call it, if that is not its name in capitals

    def read(self, *arguments: Any) -> Any:
        """Call the reader, which is imported now: few runs need more than one."""
        module, _, name = self.reader.partition(":")
        return getattr(import_module(f"likewise.read.{module}"), name)(*arguments)


FORMATS = (
    Format("text", "documents", "text:read_text", (".txt", ".text"), said="Plain text"),
    Format("markdown", "page", "markdown:read_markdown", (".md", ".markdown", ".mdown", ".mkd"), said="Markdown"),
    Format("html", "page", "html:read_html", (".html", ".htm", ".xhtml")),
    Format("rst", "page", "rst:read_rst", (".rst", ".rest"), said="reStructuredText"),
    Format("asciidoc", "page", "asciidoc:read_asciidoc", (".adoc", ".asciidoc"), said="AsciiDoc"),
    Format("latex", "page", "latex:read_latex", (".tex", ".latex"), said="LaTeX"),
    Format("man", "page", "man:read_man", (".man", ".mdoc"), said="manual pages"),
    Format("notebook", "page", "notebook:read_notebook", (".ipynb",), said="notebooks"),
    Format("pdf", "bytes", "pdf:read_pdf", (".pdf",), (b"%PDF-",)),
    Format("docx", "bytes", "office:read_docx", (".docx",)),
    Format("odt", "bytes", "office:read_odt", (".odt",)),
    Format("epub", "documents", "epub:read_epub", (".epub",)),
    Format("warc", "documents", "warc:read_warc", (".warc",), (b"WARC/",)),
    Format("arc", "documents", "arc:read_arc", (), (b"filedesc://",)),
    Format("wiki", "documents", "wiki:read_wiki"),
    Format("mail", "documents", "mail:read_mail", (".mbox", ".eml"), said="mail"),
    Format("zip", "documents", "archive:read_zip", (".zip",), said="ZIP"),
    Format("tar", "documents", "archive:read_tar", (".tar", ".tgz")),
    Format("jsonl", "documents", "rows:read_jsonl", (".jsonl", ".ndjson"), table=True, said="JSON lines"),
    Format("parquet", "documents", "rows:read_parquet", (".parquet", ".pq"), (b"PAR1",), table=True, said="Parquet"),
    Format("arrow", "table", "rows:read_rows", (".arrow", ".feather"), (b"ARROW1",), table=True, said="Arrow"),
    Format("csv", "table", "rows:read_rows", (".csv",), table=True),
    Format("tsv", "table", "rows:read_rows", (".tsv", ".tab"), table=True),
    Format("json", "table", "rows:read_rows", (".json",), table=True),
    Format(
        "sheet",
        "table",
        "rows:read_rows",
        (".xlsx", ".ods", ".xls", ".xlsb", ".xlsm"),
        table=True,
        said="Excel and OpenDocument",
    ),
)
BY_NAME = {one.name: one for one in FORMATS}
_BY_ENDING = {ending: one for one in FORMATS for ending in one.endings}
DOCUMENT_FORMATS = tuple(one.name for one in FORMATS)
TABLE_FORMATS = (*(one.name for one in FORMATS if one.table), "lines")

ZIP = b"PK\x03\x04"
# A workbook is a ZIP archive, or the container that Excel used before.
WORKBOOK = (ZIP, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
# A comment that was taken is not given back: what follows many of them could be cut into comments in too many ways.
_HTML_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*+<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_SVG_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:(?:<!--.*?-->|<!doctype\s+svg[^>]*>)\s*)*+<(?:svg:)?svg\b", re.I | re.S
)
# A manual page is named by a macro, and its file ends in the number of its section.
_MAN_NAME, _MAN_START = re.compile(r"\.[1-9]\w{0,3}(?:\.\w+)?$"), re.compile(rb"^\.\s*(?:TH|Dd)\s", re.M)
_WIKI_START = re.compile(rb"\s*<doc [^>\n]*>")
# The line before each message of a box: who sent it, and when. A sentence that begins with From has no such time.
_FROM = re.compile(rb"From \S.*\d\d?:\d\d.*\d{4}")
_LONGEST_FROM = 400
# Headers that programs write and people do not, and those that notes may have, too: From, Date and To of a letter.
_HEADER = re.compile(rb"[!-9;-~]+:")
_OF_PROGRAMS = {b"message-id", b"received", b"return-path", b"delivered-to", b"mime-version"}
_OF_MAIL = _OF_PROGRAMS | {b"from", b"to", b"date", b"subject", b"content-type"}
# Formats that only their first bytes give away; what is merely named so is none of them.
_CERTAIN = ("epub", "warc", "parquet", "arrow", "pdf", "docx", "odt", "zip", "sheet")
_OF_A_SITE = (".css", ".scss", ".less", ".js", ".mjs", ".map")
# What begins so is no text, though it may look like it.
_REFUSED = {
    b"{\\rtf": "RTF; save it as .docx or .odt",
    b"%!PS": "PostScript; make a PDF of it",
    b"/* XPM */": "XPM, a picture",
    WORKBOOK[1]: "a document of the old Office; save it as .docx or .xlsx",
}


def endings(*, tables: bool = False, documents: bool = False) -> tuple[str, ...]:
    """Return the endings of the files that can be read as tables, as documents, or as either.

    >>> endings(tables=True)[:7]
    ('.jsonl', '.ndjson', '.parquet', '.pq', '.arrow', '.feather', '.csv')
    """
    wanted = [one for one in FORMATS if (tables and one.table) or (documents and one.shape != "table")]
    return tuple(ending for one in wanted for ending in one.endings)


def formats_said(*, tables: bool = False) -> str:
    """Return what files can be given to people who are asked for one: tables, or documents.

    >>> formats_said(tables=True)
    'JSON lines, Parquet, Arrow, CSV, TSV, JSON, Excel and OpenDocument'
    """
    wanted = [one for one in FORMATS if one.endings and one.table == tables]
    return ", ".join(one.said or one.name.upper() for one in wanted)


def by_ending(name: str) -> Format | None:
    """Return the format that a file's name promises, compressed or not.

    >>> by_ending("films.CSV.gz").name, by_ending("README")
    ('csv', None)
    """
    suffixes = [suffix.lower() for suffix in PurePath(name).suffixes]
    while suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    if suffixes[-2:-1] == [".rst"] and suffixes[-1] == ".txt":
        suffixes.pop()  # as Sphinx keeps its sources
    return _BY_ENDING.get(suffixes[-1]) if suffixes else None


def is_table(name: str) -> bool:
    """Say whether a file is a table and nothing else: its rows are the texts."""
    found = by_ending(name)
    return found is not None and found.shape == "table"


def begins_message(line: bytes) -> bool:
    """Say whether a line stands before a message of a box.

    >>> begins_message(b"From a@b.org Mon Jan  5 10:00:00 2026"), begins_message(b"From 10:00 on it was hot.")
    (True, False)
    """
    return line.startswith(b"From ") and _FROM.match(line[:_LONGEST_FROM]) is not None


def is_mail(start: bytes) -> bool:
    """Say whether a file that begins so is a box or a message: a line with From and a time, or headers of mail.

    >>> is_mail(b"From: a@b.org\\nDate: Mon, 5 Jan 2026 10:00:00 +0000\\n\\nHello"), is_mail(b"From: here to there\\n")
    (True, False)
    """
    lines = start.split(b"\n", 101)[:100]
    if begins_message(lines[0]):
        return len(lines) > 1 and _HEADER.match(lines[1]) is not None
    names = set()
    for line in lines:
        found = _HEADER.match(line)
        if found is None and not line.startswith((b" ", b"\t")):
            break
        if found is not None:
            names.add(found[0][:-1].lower())
    known = len(names & _OF_MAIL)
    return known > 2 or (known == 2 and (not names.isdisjoint(_OF_PROGRAMS) or {b"from", b"date"} <= names))


def check_name(name: str) -> None:
    """Refuse what no first bytes are needed for: what makes a site work or look as it does is no document of it."""
    if PurePath(name).suffix.lower() in _OF_A_SITE:
        raise SkipError("no document", "a style sheet or script; --format text reads it")


def sniff(name: str, head: bytes) -> Format:
    """Return the format of a file with this name and these first bytes (decompressed).

    >>> heads = {"a.txt": b"Plain.", "part-000": b'<doc id="1" title="A">', "x.md": b"%PDF-1.7", "a.rst.txt": b"A"}
    >>> [sniff(name, head).name for name, head in heads.items()]
    ['text', 'wiki', 'pdf', 'rst']
    """
    for one in FORMATS:
        if one.magic and head.startswith(one.magic):
            return one
    named = by_ending(name)
    if named and named.name == "sheet" and head.startswith(WORKBOOK[1]):
        return named
    for start, what in _REFUSED.items():
        if head.startswith(start):
            raise SkipError("binary", what)
    check_name(name)
    if head.startswith(ZIP):
        return BY_NAME["zip"]  # what is in it says what it is
    if head[257:262] == b"ustar":
        return BY_NAME["tar"]
    if named and named.name in _CERTAIN:
        raise SkipError("broken", f"not {named.name}, though its name says so")
    if is_binary(head):
        raise SkipError("binary")
    if _SVG_START.match(head[:4096]):
        raise SkipError("binary", "SVG, a picture")
    if _WIKI_START.match(head):
        return BY_NAME["wiki"]
    if (named is None or named.name == "text") and is_mail(head):
        return BY_NAME["mail"]
    if named:
        return named
    if _MAN_NAME.search(name) and _MAN_START.search(head):
        return BY_NAME["man"]
    return BY_NAME["html" if _HTML_START.match(head[:4096]) else "text"]
