"""Which format a file has: its first bytes where they are unmistakable, then its name, then how the text looks."""

import re
from pathlib import PurePath

from likewise.read.charset import is_binary
from likewise.read.skipped import SkipError

_SUFFIXES = {
    ".txt": "text",
    ".text": "text",
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".htm": "html",
    ".html": "html",
    ".xhtml": "html",
    ".epub": "epub",
    ".warc": "warc",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".pq": "parquet",
}
_PACKED = (".gz", ".zst", ".bz2")
_HTML_START = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_WIKI_START = re.compile(rb"\s*<doc [^>\n]*>")


def sniff(name: str, head: bytes) -> str:
    """Return the format of a file with this name and these first bytes (decompressed).

    >>> sniff("a.txt", b"Plain."), sniff("part-000", b'<doc id="1" title="A">'), sniff("x.md", b"PK\\x03\\x04mimetype")
    ('text', 'wiki', 'epub')
    """
    if head.startswith(b"WARC/"):
        return "warc"
    if head.startswith(b"filedesc://"):
        return "arc"
    if head.startswith(b"PAR1"):
        return "parquet"
    suffixes = [suffix.lower() for suffix in PurePath(name).suffixes]
    while suffixes and suffixes[-1] in _PACKED:
        suffixes.pop()
    named = _SUFFIXES.get(suffixes[-1]) if suffixes else None
    if head.startswith(b"PK\x03\x04"):
        if named == "epub" or b"mimetype" in head[:64]:
            return "epub"
        raise SkipError("binary", "a ZIP archive")
    if named in ("epub", "parquet"):
        raise SkipError("broken", f"not {'an EPUB' if named == 'epub' else 'a Parquet'} file")
    if named == "warc":
        raise SkipError("broken", "not a WARC file")
    if is_binary(head):
        raise SkipError("binary")
    if _WIKI_START.match(head):
        return "wiki"
    if named:
        return named
    return "html" if _HTML_START.match(head[:4096]) else "text"
