"""Copies of EPUBs: a whole book comes out, with its index inside and its own chapters kept."""

import re
import zipfile
from xml.etree import ElementTree

import pytest
from tests.results.kitchen import LOOSE, indexed

from likewise.jobs.link import link
from likewise.results.copies import outdated
from likewise.results.copies.folder import MARKER


def make_epub(path, pages, folder=""):
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    )
    items = "".join(f'<item id="{n}" href="{folder}{n}.xhtml" media-type="application/xhtml+xml"/>' for n in pages)
    package = (
        f'<package xmlns="http://www.idpf.org/2007/opf"><manifest>{items}</manifest>'
        f'<spine>{"".join(f"""<itemref idref="{n}"/>""" for n in pages)}</spine></package>'
    )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr(zipfile.ZipInfo("mimetype"), "application/epub+zip")
        book.writestr("META-INF/container.xml", container)
        book.writestr("OEBPS/book.opf", package)
        book.writestr("OEBPS/pot.png", b"\x89PNG picture")
        for name, body in pages.items():
            page = f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{name}</title></head><body>{body}</body></html>'
            book.writestr(f"OEBPS/{folder}{name}.xhtml", f'<?xml version="1.0" encoding="utf-8"?>\n{page}')


def test_an_epub_comes_out_whole(tmp_path):
    pages = {
        "soup": "<h1>Soup</h1><p>Clear soup is boiled from bones<br/> and vegetables for many hours.</p><hr/>",
        "stock": "<h1>Stock</h1><p>For stock, bones and vegetables are boiled for many hours, like a clear soup.</p>"
        '<p><img src="pot.png" alt="A pot"/></p>',
    }
    make_epub(tmp_path / "kitchen.epub", pages)
    found = link(tmp_path / "kitchen.epub", **LOOSE)
    found.to_folder(tmp_path / "out")
    out = tmp_path / "out" / "kitchen.epub"
    with zipfile.ZipFile(tmp_path / "kitchen.epub") as before, zipfile.ZipFile(out) as after:
        assert after.namelist() == before.namelist()
        assert after.read("OEBPS/pot.png") == before.read("OEBPS/pot.png")
        soup = after.read("OEBPS/soup.xhtml").decode()
        target = re.search(r'<em>See also:</em> <a href="stock.xhtml#(see-[0-9a-f]{8})">', soup)[1]
        assert f'<a id="{target}"></a>For stock' in after.read("OEBPS/stock.xhtml").decode()
        for name in ("soup", "stock"):
            ElementTree.fromstring(after.read(f"OEBPS/{name}.xhtml"))
        assert (
            re.sub(r"<div class=.see-also-by-likewise.>.*?</div>|<a id=.see-.{8}.></a>", "", soup)
            == before.read("OEBPS/soup.xhtml").decode()
        )
    link(out, **LOOSE).to_folder(tmp_path / "again")
    assert (tmp_path / "again" / "kitchen.epub").read_bytes() == out.read_bytes()
    assert outdated(found, tmp_path / "out") == []
    found.to_html(tmp_path / "book.html")
    assert 'src="data:image/png;base64,' in (tmp_path / "book.html").read_text(encoding="utf-8")


def test_an_epub_gets_its_index_inside(tmp_path):
    source = tmp_path / "books"
    source.mkdir()
    pages = {
        "a": "<h1>Clear soup</h1><p>A clear soup is boiled from bones for hours.</p>",
        "b": "<h1>Stock</h1><p>Stock is a clear soup of bones, boiled for hours.</p>",
    }
    make_epub(source / "soups.epub", pages, "text/")
    first = indexed(source, tmp_path / "one")
    with zipfile.ZipFile(tmp_path / "one" / "soups.epub") as book:
        assert book.namelist()[-1] == "OEBPS/text/subject-index.xhtml"
        page = ElementTree.fromstring(book.read("OEBPS/text/subject-index.xhtml"))
        targets = [one.get("href") for one in page.iter("{http://www.w3.org/1999/xhtml}a")]
        path, _, anchor = targets[0].partition("#")
        assert f'<a id="{anchor}"></a>' in book.read(f"OEBPS/text/{path}").decode()
        listed = ElementTree.fromstring(book.read("OEBPS/book.opf"))
    names = [one.get("href") or one.get("idref") for one in listed.iter() if one.tag.endswith(("}item", "}itemref"))]
    assert names == ["text/a.xhtml", "text/b.xhtml", "text/subject-index.xhtml", "a", "b", "subject-index-by-likewise"]
    assert indexed(tmp_path / "one", tmp_path / "two") == first


def epub_of(path, encoding="utf-8", chapter="b.xhtml", prefix=""):
    package = (
        f'<?xml version="1.0" encoding="{encoding}"?><{prefix}package xmlns{":" * bool(prefix)}{prefix[:-1]}='
        f'"http://www.idpf.org/2007/opf"><{prefix}manifest>'
        f'<{prefix}item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
        f'<{prefix}item id="b" href="{chapter}" media-type="application/xhtml+xml"/></{prefix}manifest>'
        f'<!-- Küche --><{prefix}spine><{prefix}itemref idref="a"/>'
        f'<{prefix}itemref idref="b"/></{prefix}spine></{prefix}package>'
    )
    head = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>T</title></head><body><h1>Clear soup</h1>'
    page = head + "<p>{}</p></body></html>"
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr("META-INF/container.xml", '<container><rootfile full-path="content.opf"/></container>')
        book.writestr("content.opf", package.encode(encoding))
        book.writestr("a.xhtml", page.format("A clear soup is boiled from bones for many hours."))
        book.writestr(chapter, page.format("For stock a clear soup of bones is boiled, too."))


@pytest.mark.parametrize("terms", [0, 5])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "iso-8859-1"])
def test_an_epub_keeps_its_own_chapters_and_its_list(tmp_path, encoding, terms):
    epub_of(tmp_path / "soup.epub", encoding, "subject-index.xhtml")
    found = link(tmp_path / "soup.epub", index_terms=terms, **LOOSE)
    found.to_folder(tmp_path / "out")
    with zipfile.ZipFile(tmp_path / "soup.epub") as before, zipfile.ZipFile(tmp_path / "out" / "soup.epub") as after:
        added = ["subject-index-.xhtml"] if terms and encoding == "utf-8" else []
        assert after.namelist() == [*before.namelist(), *added]
        assert b"is boiled, too" in after.read("subject-index.xhtml")
        assert added or after.read("content.opf") == before.read("content.opf")
    link(tmp_path / "out" / "soup.epub", index_terms=terms, **LOOSE).to_folder(tmp_path / "again")
    assert (tmp_path / "again" / "soup.epub").read_bytes() == (tmp_path / "out" / "soup.epub").read_bytes()


def test_the_index_is_listed_with_the_prefix_of_the_list(tmp_path):
    epub_of(tmp_path / "soup.epub", prefix="opf:")
    link(tmp_path / "soup.epub", index_terms=5, **LOOSE).to_folder(tmp_path / "out")
    with zipfile.ZipFile(tmp_path / "out" / "soup.epub") as book:
        listed = ElementTree.fromstring(book.read("content.opf"))
    names = [one.get("href") for one in listed.iter("{http://www.idpf.org/2007/opf}item")]
    assert names == ["a.xhtml", "b.xhtml", "subject-index.xhtml"]
    assert len(list(listed.iter("{http://www.idpf.org/2007/opf}itemref"))) == 3


def test_no_index_page_without_entries(tmp_path):
    (tmp_path / "in").mkdir()
    epub_of(tmp_path / "in" / "soup.epub")
    (tmp_path / "in" / "ships.md").write_text("Ahoy.\n")
    link(tmp_path / "in", index_terms=5, **LOOSE).to_folder(tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir() if path.name != MARKER) == [
        "ships.md",
        "soup.epub",
    ]
