"""Bombs: small files that mean very much, and lines, rows and nesting beyond all measure, read as by ``match``.

    python -m tests.fuzz.bombs [NAME ...] [--figures FILE]

Each is read in a process of its own, as documents and as a table. It must end in ``MOST_SECONDS`` of processor time and
take no more than ``MOST_BYTES``, and what is not read is named with a reason. ``EXPANDED`` is what the packed ones
stand for.
"""

import argparse
import base64
import bz2
import io
import json
import multiprocessing
import re
import resource
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.fuzz import seeds

MOST_SECONDS, MOST_BYTES = 60.0, 2 << 30
EXPANDED = 1 << 28
PATIENCE = 300.0
_PIECE = 1 << 20
ROW = b"id,name\n" + b"1,aaaaaaaa\n" * (_PIECE // 11)


def pieces(piece: bytes) -> Iterator[bytes]:
    """Yield the same again and again, so many bytes."""
    for _ in range(EXPANDED // len(piece)):
        yield piece


def gzipped(piece: bytes) -> bytes:
    """Return the same again and again, packed."""
    packer = zlib.compressobj(9, wbits=31)
    return b"".join([*(packer.compress(one) for one in pieces(piece)), packer.flush()])


def _zstd(piece: bytes) -> bytes:
    import zstandard

    packer = zstandard.ZstdCompressor(level=3).compressobj()
    return b"".join([*(packer.compress(one) for one in pieces(piece)), packer.flush()])


def _bzip2(piece: bytes) -> bytes:
    packer = bz2.BZ2Compressor()
    return b"".join([*(packer.compress(one) for one in pieces(piece)), packer.flush()])


def zipped(entries: dict[str, Any], large: str, piece: bytes, before: bytes = b"", after: bytes = b"") -> bytes:
    """Return a ZIP whose entry ``large`` is the same again and again."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            if name != large:
                archive.writestr(name, content)
        with archive.open(large, "w", force_zip64=True) as file:
            file.write(before)
            for one in pieces(piece):
                file.write(one)
            file.write(after)
    return out.getvalue()


def _tar() -> bytes:
    """Return a packed tar of one file; its head is made by hand, since tarfile wants to read what it packs."""
    entry = tarfile.TarInfo("a.txt")
    entry.size = EXPANDED
    packer = zlib.compressobj(9, wbits=31)
    parts = [packer.compress(entry.tobuf()), *(packer.compress(one) for one in pieces(b"word " * 209715 + b"\n"))]
    return b"".join([*parts, packer.compress(bytes(10240)), packer.flush()])


def _pdf(filters: bytes = b"/FlateDecode", pack: Callable[[bytes], bytes] = bytes) -> bytes:
    """Return a PDF whose page is a stream that shows the same text again and again, packed once more by ``pack``."""
    content = pack(zlib.compress(b"".join(pieces(b"BT /F1 9 Tf (word) Tj ET\n" * 40000)), 9))
    parts = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d/Filter[%b]>>stream\n%b\nendstream" % (len(content), filters, content),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    out, places = b"%PDF-1.4\n", []
    for number, part in enumerate(parts, 1):
        places.append(len(out))
        out += b"%d 0 obj%b endobj\n" % (number, part)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 6\n0000000000 65535 f \n%b" % table
    return out + head + b"trailer<</Size 6/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % len(out)


def _parquet() -> bytes:
    """Return a Parquet file of one long text that three million rows repeat."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = io.BytesIO()
    text = pa.DictionaryArray.from_arrays(pa.array([0] * 1_000_000, pa.int32()), pa.array(["word " * 200]))
    table = pa.table({"text": text})
    with pq.ParquetWriter(out, table.schema, compression="zstd") as writer:
        for _ in range(3):
            writer.write_table(table)
    return out.getvalue()


def _arrow() -> bytes:
    import pyarrow as pa

    out = pa.BufferOutputStream()
    table = pa.table({"text": ["word " * 200] * 100_000})
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_file(out, table.schema, options=options) as writer:
        for _ in range(EXPANDED // table.nbytes):
            writer.write_table(table)
    return bytes(out.getvalue().to_pybytes())


def _nested_zip() -> bytes:
    """Return a ZIP of ZIPs of ZIPs, ten in each, of which the innermost is a bomb."""
    inner = zipped({}, "a.txt", b"word " * 200_000)
    for _ in range(3):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(10):
                archive.writestr(f"{number}.zip", inner)
        inner = out.getvalue()
    return inner


def long_record() -> bytes:
    """Return a record of a WARC file, a megabyte of the same."""
    head, _, rest = seeds.RECORD.partition(b"\r\n\r\n")
    return re.sub(rb"Content-Length: \d+", b"Content-Length: %d" % (len(rest) + _PIECE), head) + (
        b"\r\n\r\n" + rest.rstrip() + b" " * _PIECE + rest[len(rest.rstrip()) :]
    )


WORDS = b"word " * 200_000 + b"\n"
CELL = b'<c t="inlineStr"><is><t>' + b"word " * 100 + b"</t></is></c>"
BOMBS: dict[str, Callable[[], bytes]] = {
    "a.txt.gz": lambda: gzipped(WORDS),
    "a.csv.gz": lambda: gzipped(ROW),
    "a.jsonl.gz": lambda: gzipped(b'{"text": "a word"}\n' * 50_000),
    "a.json.gz": lambda: gzipped(b"[" * _PIECE),
    "a.txt.bz2": lambda: _bzip2(WORDS),
    "a.txt.zst": lambda: _zstd(WORDS),
    "a.csv.zst": lambda: _zstd(ROW),
    "a.xml.bz2": lambda: _bzip2(b"<page><title>a</title><text>" + WORDS + b"</text></page>"),
    "a.warc.gz": lambda: gzipped(long_record()),
    "a.warc": lambda: seeds.RECORD.replace(b"Content-Length: ", b"Content-Length: 99999999"),
    "a.tar.gz": _tar,
    "a.zip": lambda: zipped({}, "a.txt", WORDS),
    "nested.zip": _nested_zip,
    "a.docx": lambda: zipped(seeds.DOCX, "word/document.xml", b"<w:p><w:r><w:t>word</w:t></w:r></w:p>" * 20_000),
    "a.odt": lambda: zipped(seeds.ODT, "content.xml", b"<text:p>word</text:p>" * 50_000),
    "a.epub": lambda: zipped(seeds.EPUB, next(name for name in seeds.EPUB if name.endswith("html")), b"<p>word" * 9999),
    "a.xlsx": lambda: _sheet_bomb(),
    "a.ods": lambda: zipped(
        {"mimetype": "application/vnd.oasis.opendocument.spreadsheet"}, "content.xml", b"<table:table-row/>" * 50_000
    ),
    "a.pdf": _pdf,
    "twice.pdf": lambda: _pdf(b"/ASCIIHexDecode/FlateDecode", lambda content: content.hex().encode()),
    "a.parquet": _parquet,
    "a.arrow": _arrow,
    "a.eml": lambda: (
        b"From: a@b.c\nSubject: x\nContent-Type: application/zip; name=a.zip\n"
        b"Content-Transfer-Encoding: base64\n\n" + base64.encodebytes(zipped({}, "a.txt", WORDS))
    ),
    "line.txt": lambda: b"word " * (200 * _PIECE // 5),
    "line.csv": lambda: b"id,name\n1," + b"word " * (200 * _PIECE // 5),
    "line.jsonl": lambda: b'{"text": "' + b"word " * (200 * _PIECE // 5) + b'"}',
    "line.md": lambda: b"*" * (200 * _PIECE),
    "line.html": lambda: b"<p>" + b"word " * (200 * _PIECE // 5),
    "columns.csv": lambda: b",".join(b"c%d" % n for n in range(5_000_000)) + b"\n" + b"," * 4_999_999 + b"\n",
    "columns.jsonl": lambda: b"{" + b",".join(b'"c%d":1' % n for n in range(5_000_000)) + b"}\n",
    "quotes.csv": lambda: b'a,b\n1,"' + b'""' * (20 * _PIECE),
    "deep.json": lambda: b"[" * (20 * _PIECE),
    "deep.html": lambda: b"<div>" * (2 * _PIECE),
    "deep.md": lambda: b"> " * (4 * _PIECE) + b"a",
    "deep.rst": lambda: b"".join(b" " * n + b"* a\n\n" for n in range(3000)),
    "nul.txt": lambda: bytes(100 * _PIECE),
    "wide.utf32.txt": lambda: b"\xff\xfe\0\0" + "word ".encode("utf-32-le") * (2 * _PIECE),
    "lone.utf16.csv": lambda: b"\xff\xfe" + "id,name\n1,".encode("utf-16-le") + b"\x00\xd8" * (2 * _PIECE),
}


def _sheet_bomb() -> bytes:
    with zipfile.ZipFile(io.BytesIO(seeds.workbook(seeds.SHEET))) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    before, after = seeds.SHEET.split(b"</sheetData>")
    return zipped(
        entries, "xl/worksheets/sheet1.xml", b"<row>" + CELL * 100 + b"</row>", before, b"</sheetData>" + after
    )


def tried(path: Path, how: str) -> dict[str, Any]:
    """Read a file in a process of its own; return what came of it."""
    context = multiprocessing.get_context("spawn")  # what this process holds would count
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_tell, args=(theirs, path, how))
    process.start()
    theirs.close()
    try:
        found: dict[str, Any] = ours.recv() if ours.poll(PATIENCE) else {"said": "it did not end"}
    except EOFError:
        found = {"said": "it died"}
    if "seconds" not in found:
        process.kill()
    process.join()
    return found


def _tell(pipe: Connection, path: Path, how: str) -> None:
    pipe.send(_read(path, how))


def _read(path: Path, how: str) -> dict[str, Any]:
    from likewise.errors import LikewiseError
    from likewise.platform import limit_memory, peak_memory
    from likewise.read import documents
    from likewise.read.pdf import PDFS
    from likewise.read.tables import read_table
    from likewise.read.workbooks import WORKBOOKS

    limit_memory(MOST_BYTES)  # the machine is not what is tried
    skipped: list[Any] = []
    rows = 0
    try:
        if how == "table":
            rows = read_table(path).table.num_rows
        else:
            rows = sum(1 for _ in documents(path, on_skip=skipped.append))
        said = "; ".join(sorted({f"{one.reason}: {one.detail}" for one in skipped}))[:120] or "read"
    except LikewiseError as error:
        said = str(error).replace(str(path), path.name)[:120]
    except BaseException as error:
        said = f"{type(error).__name__} was raised: {error}"[:120]
    for apart in (PDFS, WORKBOOKS):
        apart.end()  # what a process took is told when it has ended
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return {
        "seconds": round(sum(one.ru_utime + one.ru_stime for one in both), 1),
        "mb": max(peak_memory(), both[1].ru_maxrss << 10) >> 20,
        "rows": rows,
        "said": said,
    }


def is_bounded(found: dict[str, Any]) -> bool:
    """Whether time and memory were bounded, and what is not read has a word."""
    words = found["said"] not in ("it died", "it did not end") and " was raised" not in found["said"]
    return words and found["seconds"] <= MOST_SECONDS and found["mb"] << 20 <= MOST_BYTES


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--figures", type=Path)
    chosen = parser.parse_args()
    known = chosen.figures is not None and chosen.figures.exists()
    figures: dict[str, Any] = json.loads(chosen.figures.read_text()) if known else {}
    for name in chosen.names or BOMBS:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / name
            path.write_bytes(BOMBS[name]())
            for how in ("documents", "table"):
                found = {"bytes": path.stat().st_size, **tried(path, how)}
                found["bounded"] = is_bounded(found)
                print(name, how, found, flush=True)
                figures[f"{name} {how}"] = found
        if chosen.figures is not None:
            chosen.figures.write_text(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
