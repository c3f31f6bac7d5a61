"""Formats that other programs write: text, structure and roles; and what is no text at all."""

import io
import json
import tarfile
import zipfile

import pytest

from likewise.read import ReadOptions, documents
from likewise.read.formats import FORMATS, by_ending
from likewise.segment import passages


def read(path, **options):
    skipped = []
    return list(documents(path, options=ReadOptions(**options), on_skip=skipped.append)), skipped


def blocks(document):
    return [(block.kind, block.role, block.span.of(document.text)) for block in document.blocks]


def pack(path, files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
PARAGRAPH = '<w:p><w:pPr><w:pStyle w:val="{style}"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>'
DOCX = {
    "word/styles.xml": f'<w:styles {W}><w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="B"><w:name w:val="caption"/></w:style></w:styles>',
    "word/document.xml": f"<w:document {W}><w:body>"
    + PARAGRAPH.format(style="berschrift1", text="Soups")
    + "<w:p><w:r><w:t>Clear soup</w:t></w:r><w:r><w:br/><w:t>is hot.</w:t></w:r><w:del><w:r><w:delText>x</w:delText></w:r></w:del></w:p>"  # noqa: E501
    + PARAGRAPH.format(style="B", text="A pot.")
    + "<w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>salt</w:t></w:r></w:p>"
    + "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc></w:tr></w:tbl>"  # noqa: E501
    + "</w:body></w:document>",
    "docProps/core.xml": '<x xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>On soup</dc:title></x>',
}  # fmt: skip


def test_docx(tmp_path):
    (document,), skipped = read(pack(tmp_path / "a.docx", DOCX))
    assert not skipped
    assert (document.title, document.format) == ("On soup", "docx")
    assert blocks(document) == [
        ("title", "heading", "Soups"),
        ("paragraph", "body", "Clear soup is hot."),
        ("paragraph", "caption", "A pot."),
        ("item", "body", "salt"),
        ("table", "table", "a\tb"),
    ]


ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:'
    'text:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
)
ODT = {
    "mimetype": "application/vnd.oasis.opendocument.text",
    "content.xml": f'<office:document-content {ODF}><office:body><office:text><text:table-of-content><text:index-body><text:p>Soups 1'  # noqa: E501
    '</text:p></text:index-body></text:table-of-content><text:h text:outline-level="1">Soups</text:h><text:p>Clear<text:s/>soup'  # noqa: E501
    '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body></text:note>'  # noqa: E501
    " is hot.</text:p><text:list><text:list-item><text:p>salt</text:p></text:list-item></text:list><table:table><table:table-row>"  # noqa: E501
    "<table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell>"
    "</table:table-row></table:table></office:text></office:body></office:document-content>",
}  # fmt: skip


def test_odt(tmp_path):
    (document,), skipped = read(pack(tmp_path / "a.odt", ODT))
    assert not skipped
    assert blocks(document) == [
        ("paragraph", "contents", "Soups 1"),
        ("title", "heading", "Soups"),
        ("paragraph", "body", "Clear soup is hot."),
        ("paragraph", "footnote", "A note."),
        ("item", "body", "salt"),
        ("table", "table", "a\tb"),
    ]


def pdf(*pages, outline=()):
    """A PDF file as small as it gets: lines are (size, distance from the top, text).

    Entries of the outline are (title, page, distance from the top, entries below).
    """
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", ""]
    kids = []
    for lines in pages:
        stream = "".join(f"BT /F1 {size} Tf 50 {800 - top} Td ({text}) Tj ET\n" for size, top, text in lines)
        objects.append(f"<< /Length {len(stream)} >>\nstream\n{stream}endstream")
        font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"
        content = f"/Contents {len(objects)} 0 R /MediaBox [0 0 600 850] /Resources << /Font << /F1 {font} >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R {content} >>")
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"

    def add_entries(parent, entries):
        """Number the entries from the next object on, those below them behind them."""
        first = len(objects) + 1
        objects.extend([""] * len(entries))
        for number, (title, page, top, below) in enumerate(entries, first):
            place = f"/Dest [{kids[page]} /XYZ 50 {800 - top} null]" if page < len(kids) else ""
            following = f"/Next {number + 1} 0 R" if number < first + len(entries) - 1 else ""
            ends = add_entries(number, below) if below else ""
            objects[number - 1] = f"<< /Title ({title}) /Parent {parent} 0 R {place} {following} {ends} >>"
        return f"/First {first} 0 R /Last {first + len(entries) - 1} 0 R /Count {len(entries)}"

    if outline:
        objects.append("")
        root = len(objects)
        objects[root - 1] = f"<< /Type /Outlines {add_entries(root, outline)} >>"
        objects[0] = f"<< /Type /Catalog /Pages 2 0 R /Outlines {root} 0 R >>"
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, 2)
    places = []
    for number, content in enumerate(objects, 1):
        places.append(out.tell())
        out.write(f"{number} 0 obj\n{content}\nendobj\n".encode())
    start = out.tell()
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode())
    out.write(f"trailer << /Size {len(objects) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF".encode())
    return out.getvalue()


def test_pdf(tmp_path):
    pytest.importorskip("pypdfium2")
    page = [(10, 10, "The Soup Book"), (18, 60, "Clear soups"), (10, 100, "Clear soup is boiled from bones and vege-"),
            (10, 112, "tables for many hours."), (10, 150, "Bread needs no bones.")]  # fmt: skip
    other = [(10, 10, "The Soup Book"), (10, 100, "Dough rises.")]
    (tmp_path / "soup.txt").write_bytes(pdf(page, other, other))
    (document,), skipped = read(tmp_path / "soup.txt")
    assert not skipped
    assert document.format == "pdf"
    assert "The Soup Book" not in document.text
    assert blocks(document)[:3] == [
        ("title", "heading", "Clear soups"),
        ("paragraph", "body", "Clear soup is boiled from bones and vegetables for many hours."),
        ("paragraph", "body", "Bread needs no bones."),
    ]


def pdf_titles(folder, *pages, outline):
    pytest.importorskip("pypdfium2")
    (folder / "a.pdf").write_bytes(pdf(*pages, outline=outline))
    (document,), skipped = read(folder / "a.pdf")
    assert not skipped
    return [(one.level, one.span.of(document.text)) for one in document.blocks if one.kind == "title"]


SOUPS = [(10, 10, "7"), (10, 70, "Soups of"), (10, 82, "the north"), (10, 112, "Soup is hot."),
         (18, 150, "salt   a spoon"), (10, 190, "1.1 Broth"), (10, 220, "Broth is clear.")]  # fmt: skip
BREAD = [(10, 10, "Bread"), (10, 400, "Bread is dry."), (10, 440, "Bread"), (10, 480, "Dough rises.")]


def test_titles_of_a_pdf_are_those_of_its_outline(tmp_path):
    broth = ("Broth", 0, 175, ())
    outline = [("Soups of the north", 0, 35, [broth]), ("Bread", 1, 425, ()), ("Notes", 1, 600, ()), ("x", 9, 0, ())]
    assert pdf_titles(tmp_path, SOUPS, BREAD, outline=outline) == [
        (1, "Soups of the north"),
        (2, "1.1 Broth"),
        (1, "Bread"),  # not that of the top of the page
        (1, "Notes"),  # a place that the page gives no name
    ]


def test_large_lines_are_titles_where_the_outline_has_chapters_only_or_names_of_pages(tmp_path):
    words = ("salt", "bones", "roots", "fire", "time")
    pages = [
        [(10, 10, "Soups"), (10, 40, f"All need {word}."), (18, 80, "Broth"), (10, 120, f"It needs {word}."),
         (10, 160, f"Much {word} is good.")]
        for word in words
    ]  # fmt: skip
    pages[0][1] = (10, 40, "Soups")
    chapter = [("Soups", 0, 0, ())]
    assert pdf_titles(tmp_path, *pages[:4], outline=chapter) == [(1, "Soups")]
    assert pdf_titles(tmp_path, *pages, outline=chapter) == [(1, "Soups"), *[(2, "Broth")] * 5]
    names = [(f"Page {n}", n, 0, ()) for n in range(5)]
    assert pdf_titles(tmp_path, *pages, outline=names) == [(2, "Broth")] * 5


RST = """
Soups
=====

.. _soup:

Clear soup is *hot*, see :ref:`there <x>` and :class:`~a.Pot`, ``x*y``::

    pour(soup)

.. figure:: pot.png

   A pot of soup.

.. note:: Mind it.

.. toctree::

   other

* salt
* pepper, which
  is black

* .. _pot:

| One line
| and another.

term
    What it means.

.. [#f] A note.

.. math:: x = y

=====  =====
a      b
=====  =====
1      2
=====  =====

Bread
-----

Dough rises [#f]_.
"""
ADOC = """= Soups
:toc:

Clear soup is *hot*, see <<x,there>> and https://e.org[the guide].

.A pot
image::pot.png[]

[source,c]
----
pour();
----

* salt
** pepper

term:: What it means.

|===
|a |b
|1 |2
|===

NOTE: Mind it.

== Bread
Dough rises.
"""
TEX = r"""\documentclass{book}
\title{\phantomsection%
  On \emph{soup}%
}
\begin{document}
% A line that is a comment
\chapter{Soups}\label{c}
Caf\'e soup is \textbf{hot} \cite{x}, see~Section~\ref{y}. % not this
It has $x^2$ salts\footnote{A note.}.

\begin{itemize}
\item salt
\item pepper
\end{itemize}
\begin{equation} x = y \end{equation}
\begin{figure}\includegraphics{pot}\caption{A pot.}\end{figure}
\begin{tabular}{ll} a & b \\ \hline 1 & 2 \end{tabular}
\begin{exercise} Cook. \end{exercise}
\begin{verbatim}
5 % 2
\end{verbatim}
\end{document}
"""
NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# Soups\n", "\n", "It is *hot*."]},
        {"cell_type": "code", "source": "pour()\n", "outputs": [{"text": "no"}]},
        {"cell_type": "raw", "source": "no"},
    ]
}
PAGES = {
    "a.rst": (RST, "Soups", [
        ("title", "heading", "Soups"),
        ("paragraph", "body", "Clear soup is hot, see there and a.Pot, x*y:"),
        ("code", "code", "pour(soup)"),
        ("paragraph", "caption", "A pot of soup."),
        ("paragraph", "body", "Mind it."),
        ("item", "body", "salt"),
        ("item", "body", "pepper, which is black"),
        ("paragraph", "body", "One line and another."),
        ("item", "body", "term: What it means."),
        ("paragraph", "footnote", "A note."),
        ("formula", "formula", "x = y"),
        ("table", "table", "a\tb\n1\t2"),
        ("title", "heading", "Bread"),
        ("paragraph", "body", "Dough rises."),
    ]),
    "a.adoc": (ADOC, "Soups", [
        ("title", "heading", "Soups"),
        ("paragraph", "body", "Clear soup is hot, see there and the guide."),
        ("paragraph", "caption", "A pot"),
        ("code", "code", "pour();"),
        ("item", "body", "salt"),
        ("item", "body", "pepper"),
        ("item", "body", "term: What it means."),
        ("table", "table", "a\tb\n1\t2"),
        ("paragraph", "body", "Mind it."),
        ("title", "heading", "Bread"),
        ("paragraph", "body", "Dough rises."),
    ]),
    "a.tex": (TEX, "On soup", [
        ("title", "heading", "Soups"),
        ("paragraph", "body", "Café soup is hot , see Section . It has x^2 salts."),
        ("paragraph", "footnote", "A note."),
        ("item", "body", "salt"),
        ("item", "body", "pepper"),
        ("formula", "formula", "x = y"),
        ("paragraph", "caption", "A pot."),
        ("table", "table", "a\tb\n1\t2"),
        ("paragraph", "exercise", "Cook."),
        ("code", "code", "5 % 2"),
    ]),
    "a.ipynb": (json.dumps(NOTEBOOK), "Soups", [
        ("title", "heading", "Soups"),
        ("paragraph", "body", "It is hot."),
        ("code", "code", "pour()"),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_marked_up_text(tmp_path, name):
    content, title, expected = PAGES[name]
    (tmp_path / name).write_text(content, encoding="utf-8")
    (document,), skipped = read(tmp_path / name)
    assert not skipped
    assert document.title == title
    assert blocks(document) == expected


@pytest.mark.parametrize("packed", ["zip", "tar", "tar.gz"])
def test_archives(tmp_path, packed):
    files = {"book/a.md": "# A\n\nOne.", "book/b.docx": pack(tmp_path / "b.docx", DOCX).read_bytes(), "book/.x": "no",
             "c.bin": bytes(99)}  # fmt: skip
    path = tmp_path / f"book.{packed}"
    if packed == "zip":
        pack(path, files)
    else:
        with tarfile.open(path, "w:gz" if packed.endswith("gz") else "w") as archive:
            for name, content in files.items():
                data = content.encode() if isinstance(content, str) else content
                entry = tarfile.TarInfo(name)
                entry.size = len(data)
                archive.addfile(entry, io.BytesIO(data))
    found, skipped = read(path)
    assert [(document.id, document.format) for document in found] == [
        (f"book.{packed}/book/a.md", "markdown"),
        (f"book.{packed}/book/b.docx", "docx"),
    ]
    assert [(skip.source.rpartition("/")[2], skip.reason) for skip in skipped] == [("c.bin", "binary")]


NO_TEXT = {
    "a.txt": (b"{\\rtf1 Soup}", "RTF"),
    "b.md": (b"%!PS-Adobe\n(Soup) show", "PostScript"),
    "logo.xpm": (b'/* XPM */\nstatic char * logo_xpm[] = {\n"28 24 17 1",\n', "XPM, a picture"),
    "logo.svg": (b'<?xml version="1.0"?>\n<!-- drawn -->\n<svg xmlns="x"><text>Soup</text></svg>', "SVG"),
    "c.doc": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old Office"),
    "d.docx": (b"Plain text.", "not docx"),
    "e.pdf": (b"Plain text.", "not pdf"),
    "f.zip": (b"PK\x03\x04nonsense", "not a ZIP archive"),
    "g.ipynb": (b"{}", "not a notebook"),
    "h.odt": (b"PK\x03\x04" + bytes(90), "not a ZIP archive"),
}


@pytest.mark.parametrize("name", NO_TEXT)
def test_what_is_no_text_is_never_read_as_text(tmp_path, name):
    content, words = NO_TEXT[name]
    (tmp_path / name).write_bytes(content)
    found, skipped = read(tmp_path)
    assert not found
    assert words in skipped[0].detail


def test_rows_of_a_delimited_file_are_documents(tmp_path):
    (tmp_path / "a.csv").write_text("id,text,year\n7,One fish.,1927\n8,Two fish.,1930\n")
    found, _ = read(tmp_path / "a.csv", id="id")
    assert [(one.id, one.text, one.fields) for one in found] == [
        ("7", "One fish.", {"id": "7", "year": "1927"}),
        ("8", "Two fish.", {"id": "8", "year": "1930"}),
    ]
    (tmp_path / "b.csv").write_text("name,city\nAda,London\n")
    found, skipped = read(tmp_path / "b.csv")
    assert not found
    assert skipped[0].detail == "no column 'text' (text_column); there are name, city"


def test_sections_give_roles(tmp_path):
    (tmp_path / "a.md").write_text(
        "# A\n\nText.\n\nFigure 1: A pot.\n\nFigure 1 shows a pot.\n\n## References\n\n* Brown\n\n## Glossary\n\nPot\n: A vessel.\n"  # noqa: E501
    )
    (document,), _ = read(tmp_path / "a.md")
    assert [(one.role) for one in passages(document) if one.kind != "title"] == [
        "body", "caption", "body", "bibliography", "glossary",
    ]  # fmt: skip


def test_one_table_of_formats():
    endings = [ending for one in FORMATS for ending in one.endings]
    assert len(endings) == len(set(endings))
    assert by_ending("a.RST.gz").name == "rst"
