"""Small inputs of every kind that mutations begin with, made here and not kept as files."""

import bz2
import gzip
import io
import json
import tarfile
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
from tests.fuzz.workbooks import BINARY_CELLS, OLD_CELLS, binary_workbook, old_workbook
from tests.read.test_formats import DOCX, ODT, PAGES, pdf
from tests.read.test_fuzz import PAGE, RECORD
from tests.read.test_mail import BOX, MESSAGE
from tests.read.test_man import MAN, MDOC

TEXT = b"A soup is hot.\n\nClear soup is boiled from bones. It was sold in 1947, they say.\n"
ARC = (
    b"filedesc://a.arc 0.0.0.0 20200101000000 text/plain 20\n1 0 Example\nURL IP\n\n\n"
    b"http://e.org/ 1.2.3.4 20200101000000 text/html 60\nHTTP/1.1 200 OK\nContent-Type: text/html\n\n"
    b"<p>Soup is hot.</p>\n\n"
)
WIKI = (
    b'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/"><page><title>Soup</title><ns>0</ns><id>1</id>'
    b"<revision><id>2</id><text>'''Soup''' is [[hot food|hot]]. {{cite|a}} == Kinds ==\n* Clear soup</text>"
    b"</revision></page></mediawiki>"
)
# What the extractor of Wikipedia's text writes; WIKI is the dump that it takes.
EXTRACTED = b"""<doc id="1" url="https://e.org/?curid=1" title="Soup">
Soup

Soup is hot &amp; good.
</doc>
<doc id="2" title="Bread">
</doc>
"""
GLOSSARY = b""".. _words:

Words
=====

.. glossary::
   :sorted:

   soup
   broth : hot
      What is boiled, see :term:`bread`.

   bread
      *Not* hot.
"""
UNDER_A_KEY = b'{"total": 2, "next": null, "people": [{"id": 1, "name": "Ada"}, {"id": 2, "name": null, "n": 1.5}]}'
ROWS = b'id,name,city\n1,Ada Lovelace,London\n2,"Hopper, Grace",New York\n3,Alan Turing,\n'
JSONL = b'{"id": 1, "text": "soup is hot"}\n{"id": "b", "text": "bread", "more": [1, {"a": null}]}\n'
NOTEBOOK = json.dumps(
    {"cells": [{"cell_type": "markdown", "source": ["# A\n", "text"]}, {"cell_type": "code", "source": "x = 1"}],
     "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
).encode()  # fmt: skip
CHAPTER = b"<html xmlns='http://www.w3.org/1999/xhtml'><body><h1>Soup</h1><p>It is hot.</p></body></html>"
EPUB = {
    "mimetype": b"application/epub+zip",
    "META-INF/container.xml": b'<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    b'<rootfile full-path="o.opf" media-type="application/oebps-package+xml"/></rootfiles></container>',
    "o.opf": b'<package xmlns="http://www.idpf.org/2007/opf"><metadata/><manifest><item id="a" href="a.xhtml" '
    b'media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>',
    "a.xhtml": CHAPTER,
}


def zipped(files: dict[str, bytes | str]) -> bytes:
    """Return a zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return out.getvalue()


def tarred(files: dict[str, bytes]) -> bytes:
    """Return a tar archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return out.getvalue()


def parquet() -> bytes:
    """Return a Parquet file."""
    out = io.BytesIO()
    pq.write_table(pa.table({"id": ["a", "b"], "text": ["soup is hot", None], "n": [1, 2], "l": [[1], []]}), out)
    return out.getvalue()


def arrow() -> bytes:
    """Return an Arrow file."""
    out = io.BytesIO()
    table = pa.table({"id": ["a", "b"], "text": ["soup is hot", None], "l": [[1], []]})
    with pa.ipc.new_file(out, table.schema) as writer:
        writer.write_table(table)
    return out.getvalue()


CELLS = (
    b'<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    b'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    b'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
    b'<table:table table:name="A"><table:table-row><table:table-cell office:value-type="string"><text:p>id</text:p>'
    b'</table:table-cell><table:table-cell office:value-type="string"><text:p>name</text:p></table:table-cell>'
    b'</table:table-row><table:table-row table:number-rows-repeated="2"><table:table-cell office:value-type="float" '
    b'office:value="1"><text:p>1</text:p></table:table-cell><table:table-cell office:value-type="string">'
    b"<text:p>Ada</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body>"
    b"</office:document-content>"
)


def ods(cells: bytes = CELLS) -> bytes:
    """Return a workbook of OpenDocument."""
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>'
    )
    return zipped({"mimetype": kind, "META-INF/manifest.xml": manifest, "content.xml": cells})


_SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TOLD = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKED = "http://schemas.openxmlformats.org/package/2006"
SHEET = (
    f'<worksheet xmlns="{_SHEETS}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>id</t></is></c>'
    '<c r="B1" t="inlineStr"><is><t>name</t></is></c></row><row r="2"><c r="A2"><v>1</v></c><c r="B2" t="inlineStr">'
    '<is><t>Ada</t></is></c></row><row r="3"><c r="A3"><v>2.5</v></c><c r="B3" t="b"><v>1</v></c></row></sheetData>'
    '<mergeCells><mergeCell ref="A2:A3"/></mergeCells></worksheet>'
).encode()


def workbook(cells: bytes = SHEET) -> bytes:
    """Return a workbook of Excel with these cells."""
    main = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    kinds = {"/xl/workbook.xml": "sheet.main", "/xl/worksheets/sheet1.xml": "worksheet"}
    parts = "".join(f'<Override PartName="{name}" ContentType="{main}.{kind}+xml"/>' for name, kind in kinds.items())
    told = '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'

    def leading_to(kind: str, target: str) -> str:
        one = f'<Relationship Id="r1" Type="{_TOLD}/{kind}" Target="{target}"/>'
        return f'<Relationships xmlns="{_PACKED}/relationships">{one}</Relationships>'

    return zipped(
        {
            "[Content_Types].xml": f'<Types xmlns="{_PACKED}/content-types">{told}{parts}</Types>',
            "_rels/.rels": leading_to("officeDocument", "xl/workbook.xml"),
            "xl/workbook.xml": f'<workbook xmlns="{_SHEETS}" xmlns:r="{_TOLD}"><sheets>'
            '<sheet name="A" sheetId="1" r:id="r1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": leading_to("worksheet", "worksheets/sheet1.xml"),
            "xl/worksheets/sheet1.xml": cells,
        }
    )


def sheet() -> bytes:
    """Return a workbook."""
    import openpyxl

    book = openpyxl.Workbook()
    for row in (["id", "name", "when"], [1, "Ada", 3.5], [2, "Grace", None]):
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def readers() -> dict[str, list[bytes]]:
    """Return seeds by the name that their file has."""
    seeds: dict[str, list[bytes]] = {name: [content.encode()] for name, (content, _, _) in PAGES.items()}
    more = {
        "a.txt": TEXT, "a.md": b"# Soup\n\n* hot\n* `cold`\n\n> said\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
        "a.man": MAN.encode(), "a.mdoc": MDOC.encode(),
        "a.html": PAGE, "a.ipynb": NOTEBOOK, "a.pdf": pdf([(10, 10, "One line"), (10, 30, "another")]),
        "a.docx": zipped(DOCX), "a.odt": zipped(ODT), "a.epub": zipped(EPUB), "a.warc": RECORD * 2,
        "a.warc.gz": gzip.compress(RECORD, mtime=0) * 2, "a.arc": ARC, "a.xml": WIKI, "a.mbox": BOX, "a.eml": MESSAGE,
        "a.message": MESSAGE, "a.wiki": EXTRACTED,  # known by what they begin with: a file of a Maildir has no ending
        "a.zip": zipped({"b.md": "# B", "c.txt": TEXT}), "a.tar": tarred({"b.md": b"# B", "c.txt": TEXT}),
        "a.jsonl": JSONL, "a.parquet": parquet(), "a.arrow": arrow(), "a.csv": ROWS, "a.tsv": ROWS.replace(b",", b"\t"),
        "a.json": b'[{"id": 1, "name": "Ada"}, {"id": 2, "name": null, "more": {"a": [1, 2]}}]', "a.xlsx": sheet(),
        "a.ods": ods(), "a.xls": old_workbook(), "a.xlsb": binary_workbook(),
        "a.txt.gz": gzip.compress(TEXT, mtime=0), "a.txt.bz2": bz2.compress(TEXT),
        "a.csv.gz": gzip.compress(ROWS, mtime=0),
        "a.txt.zst": _zstd(TEXT),
    }  # fmt: skip
    for name, content in (*more.items(), ("a.rst", GLOSSARY), ("a.json", UNDER_A_KEY)):
        seeds.setdefault(name, []).append(content)
    return seeds


def _zstd(data: bytes) -> bytes:
    import zstandard

    return zstandard.ZstdCompressor().compress(data)


# Containers whose checksums would refuse nearly every mutation: mutate what is inside, and pack it anew.
INSIDE = {
    "a.docx": (DOCX["word/document.xml"].encode(), lambda data: zipped({**DOCX, "word/document.xml": data})),
    "a.odt": (ODT["content.xml"].encode(), lambda data: zipped({**ODT, "content.xml": data})),
    "a.ods": (CELLS, ods),
    "a.xlsx": (SHEET, workbook),
    "a.xls": (OLD_CELLS, old_workbook),
    "a.xlsb": (BINARY_CELLS, binary_workbook),
    "a.epub": (CHAPTER, lambda data: zipped({**EPUB, "a.xhtml": data})),
    "a.zip": (CHAPTER, lambda data: zipped({"a.html": data, "b.md": data, "c.csv": data})),
    "a.warc.gz": (RECORD, lambda data: gzip.compress(data, 1, mtime=0)),
    "a.csv.gz": (ROWS, lambda data: gzip.compress(data, 1, mtime=0)),
}
TOKENS = [
    *(
        b"\x00",
        b"\xff\xfe",
        b"\xef\xbb\xbf",
        b"\xed\xa0\x80",
        b"<!--",
        b"]]>",
        b"<![CDATA[",
        b"<svg>",
        b"<table><tr><td>",
    ),
    *(
        b"&#x110000;",
        b"\\begin{",
        b"}",
        b"{{",
        b"[[",
        b".. ",
        b"::",
        b"|===",
        b"`",
        b"====\n",
        b"$$",
        b"<w:p>",
        b'"',
        b"'",
    ),
    *(
        b",",
        b"\t",
        b"\r",
        b"\n\n",
        b"[",
        b"(",
        b"|",
        b"-",
        b":",
        b"..",
        b"1e999",
        b"NaN",
        b"-1",
        b"9" * 25,
        b"null",
        b"true",
    ),
    *(b"{}", b"Content-Length: 99999999\r\n", b"%PDF-", b"PK\x03\x04", b"sep=;\n", b";", b"\\", b"# "),
    *(b"<template>", b"<math display=block>", b"<pre>", b"<select><option>", b"<plaintext>", b"<script>"),
]
