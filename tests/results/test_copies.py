"""Copies with "See also": in every format the source stays as it was, a second run changes nothing, nothing is lost."""

import json
import re
import subprocess
import sys
import zipfile
from xml.etree import ElementTree

import pytest

from likewise.errors import StorageError
from likewise.jobs.link import link
from likewise.read import Document
from likewise.results.copies import outdated
from likewise.results.copies.elements import elements
from likewise.results.copies.folder import MARKER

LOOSE = {"min_strength": -9.0, "min_matches": 1}
SOUP = """---
title: Soups
---
# Clear soup

Clear *soup* is boiled from bones and vegetables for many hours.

1. Boil the bones and vegetables for many hours in clear water.
2. Strain the soup.
3. Season with salt.

> Bread of dough rises in a warm place over night.

Last line.
"""
STOCK = "# Stock\n\nFor stock, bones and vegetables are boiled for many hours, like a clear soup.\n"
BREAD = "# Bread\n\n- Dough of bread rises in a warm place over night.\n- Bake it.\n"


@pytest.fixture
def book(tmp_path):
    folder = tmp_path / "kitchen"
    folder.mkdir()
    for name, text in {"soup.md": SOUP, "stock.md": STOCK, "bread.md": BREAD}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def added(text):
    """The text without what was added."""
    text = re.sub(r'<a id="see-[0-9a-f]{8}(-\d+)?"></a>', "", text)
    return re.sub(r"\n[ >]*\n[ >]*\*See also:\* [^\n]*", "", text)


def test_markdown_keeps_its_source_and_its_lists(book, tmp_path):
    link(book, **LOOSE).to_folder(tmp_path / "out")
    soup = (tmp_path / "out" / "soup.md").read_text(encoding="utf-8")
    assert "*See also:* [" in soup
    assert added(soup) == SOUP
    assert "\n\n   *See also:* [Stock](stock.md#see-" in soup.split("1. ")[1].split("2. Strain")[0]
    assert re.search(r"\n>\n> \*See also:\* \[Bread\]", soup)
    from markdown_it import MarkdownIt

    tokens = [token.type for token in MarkdownIt().parse(soup.split("---\n", 2)[2])]
    assert tokens.count("ordered_list_open") == 1
    assert tokens.count("list_item_open") == 3
    target = re.search(r"stock\.md#(see-[0-9a-f]{8})", soup)[1]
    assert f'<a id="{target}"></a>For stock' in (tmp_path / "out" / "stock.md").read_text(encoding="utf-8")


def test_a_second_run_changes_nothing(book, tmp_path):
    out, again = tmp_path / "out", tmp_path / "again"
    link(book, **LOOSE).to_folder(out)
    first = {path.name: path.read_bytes() for path in out.iterdir()}
    link(book, **LOOSE).to_folder(out)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == first
    # Linking the copies gives the copies again: what was added is neither read nor doubled.
    link(sorted(out.glob("*.md")), **LOOSE).to_folder(again)
    for name in ("soup.md", "stock.md", "bread.md"):
        assert (again / name).read_text(encoding="utf-8") == first[name].decode()


def test_one_paragraph_more_changes_one_file(book, tmp_path):
    link(book, **LOOSE).to_folder(tmp_path / "one")
    (book / "bread.md").write_text(BREAD + "\nQuite another matter.\n", encoding="utf-8")
    link(book, **LOOSE).to_folder(tmp_path / "two")
    for name in ("soup.md", "stock.md"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_sources_and_the_work_of_others_are_never_touched(book, tmp_path):
    found = link(book, **LOOSE)
    for target in (book, tmp_path):
        with pytest.raises(StorageError, match="holds the source"):
            found.to_folder(target, force=True)
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "soup.md").write_text("my notes", encoding="utf-8")
    with pytest.raises(StorageError, match="not empty"):
        found.to_folder(notes)
    assert (notes / "soup.md").read_text(encoding="utf-8") == "my notes"
    assert sorted(path.name for path in notes.iterdir()) == ["soup.md"]
    found.to_folder(notes, force=True)
    assert "See also" in (notes / "soup.md").read_text(encoding="utf-8")
    assert (book / "soup.md").read_text(encoding="utf-8") == SOUP


def test_copies_of_documents_that_are_gone_go_too(book, tmp_path):
    out = tmp_path / "out"
    link(book, **LOOSE).to_folder(out)
    (out / "mine.txt").write_text("kept", encoding="utf-8")
    (book / "bread.md").unlink()
    found = link(book, **LOOSE)
    assert outdated(found, out) == ["bread.md", "soup.md"]
    found.to_folder(out)
    assert sorted(path.name for path in out.iterdir()) == [MARKER, "mine.txt", "soup.md", "stock.md"]
    assert json.loads((out / MARKER).read_text(encoding="utf-8"))["files"] == ["soup.md", "stock.md"]
    assert outdated(found, out) == []


def test_a_marker_cannot_make_us_remove_what_is_elsewhere(book, tmp_path):
    out, precious = tmp_path / "out", tmp_path / "precious.md"
    link(book, **LOOSE).to_folder(out)
    precious.write_text("kept", encoding="utf-8")
    (out / MARKER).write_text(json.dumps({"files": ["../precious.md", 7]}), encoding="utf-8")
    link(book, **LOOSE).to_folder(out)
    assert precious.read_text(encoding="utf-8") == "kept"


def test_html_and_epub_stay_html(tmp_path):
    place = tmp_path / "site"
    place.mkdir()
    page = "<html><head><title>{0}</title></head><body><h1>{0}</h1><img src='x.png'>"
    page += "<ul><li>{1}</li></ul><p>{2}</p></body></html>"
    soup = "Clear soup is boiled from bones and vegetables for many hours."
    stock = "For stock, bones and vegetables are boiled for many hours, like a <b>clear soup</b>."
    (place / "soup.html").write_text(page.format("Soup", soup, "Serve it in deep plates."), encoding="utf-8")
    (place / "stock.html").write_text(page.format("Stock", "Skim it well.", stock), encoding="utf-8")
    out = tmp_path / "out"
    link(place, **LOOSE).to_folder(out)
    first = (out / "soup.html").read_text(encoding="utf-8")
    assert re.search(r'<em>See also:</em> <a href="stock.html#see-[0-9a-f]{8}">Stock</a></p></li></ul>', first)
    assert "<img" in first
    assert re.search(r'<a id="see-[0-9a-f]{8}"></a>For stock.*<b>clear soup</b>', (out / "stock.html").read_text())
    link([out / "soup.html", out / "stock.html"], **LOOSE).to_folder(tmp_path / "again")
    assert (tmp_path / "again" / "soup.html").read_text(encoding="utf-8") == first


def make_epub(path, pages):
    container = (
        '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
        '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
    )
    items = "".join(f'<item id="{n}" href="{n}.xhtml" media-type="application/xhtml+xml"/>' for n in pages)
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
            book.writestr(f"OEBPS/{name}.xhtml", f'<?xml version="1.0" encoding="utf-8"?>\n{page}')


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


def test_elements_end_where_browsers_end_them():
    source = "<ul><li>One<p>two<li>three</ul><dl><dt>a<dd>b</dl><p>c<div>d<p>e</div><script>if (a<b) x</script><td>f"
    found = [(one.tag, source[one.start : one.end], one.words, one.is_inner) for one in elements(source)]
    assert found == [
        ("li", "One<p>two", "onetwo", False),
        ("p", "two", "two", True),
        ("li", "three", "three", True),
        ("dt", "a", "a", True),
        ("dd", "b", "b", True),
        ("p", "c", "c", True),
        ("div", "d<p>e", "de", False),
        ("p", "e", "e", True),
        ("td", "f", "f", True),
    ]


def test_restructured_text_gets_targets_and_references(tmp_path):
    place = tmp_path / "doc"
    place.mkdir()
    (place / "soup.rst").write_text(
        "Soup\n====\n\nClear soup is boiled from bones and\nvegetables for many hours.\n\nServe it.\n", encoding="utf-8"
    )
    (place / "stock.rst").write_text(
        "Stock\n=====\n\nFor stock, bones and vegetables are boiled for many hours, like clear soup.\n",
        encoding="utf-8",
    )
    out = tmp_path / "out"
    link(place, **LOOSE).to_folder(out)
    soup, stock = ((out / name).read_text(encoding="utf-8") for name in ("soup.rst", "stock.rst"))
    target = re.search(r"\n\n\*See also:\* :ref:`Stock <(see-[0-9a-f]{8})>`\n", soup)[1]
    assert f".. _{target}:\n\nFor stock" in stock
    link([out / "soup.rst", out / "stock.rst"], **LOOSE).to_folder(tmp_path / "again")
    assert (tmp_path / "again" / "soup.rst").read_text(encoding="utf-8") == soup


def test_ids_never_lead_out_of_the_folder(tmp_path):
    text = "Clear soup is boiled from bones and vegetables for hours."
    found = link([Document("../../x", text), Document("/etc/y", text + " Like a stock.")], copies="keep", **LOOSE)
    found.to_folder(tmp_path / "out")
    assert sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.md")) == [
        "out/etc/y.md",
        "out/x.md",
    ]


def test_check_is_for_continuous_integration(book, tmp_path):
    command = [sys.executable, "-m", "likewise", "link", str(book), "-o", str(tmp_path / "out"), "--min-strength=-9"]
    assert subprocess.run([*command, "--check", "--update", str(tmp_path / "kept")]).returncode == 1
    assert not (tmp_path / "kept").exists()
    assert not (tmp_path / "out").exists()
    assert subprocess.run(command).returncode == 0
    assert subprocess.run([*command, "--check"]).returncode == 0


def indexed(source, target, **options):
    link(source, index_terms=8, language="english", **{**LOOSE, **options}).to_folder(target)
    return {str(path.relative_to(target)): path.read_bytes() for path in sorted(target.rglob("*")) if path.is_file()}


def test_the_index_is_a_page_that_leads_to_sections(book, tmp_path):
    first = indexed(book, tmp_path / "one")
    page = first["subject-index.md"].decode()
    assert page.startswith("# Index\n\n*Made by likewise link")
    label, name, anchor = re.search(r"- clear soup: \[([^]]*)\]\((soup\.md)#(see-[0-9a-f]{8})\)", page).groups()
    assert label == "Soups › Clear soup"
    assert f'<a id="{anchor}"></a>Clear *soup*' in first[name].decode()
    assert added(first["soup.md"].decode()) == SOUP
    # Copies of the copies are the copies, and the check agrees.
    assert indexed(tmp_path / "one", tmp_path / "two") == first
    assert outdated(link(book, index_terms=8, language="english", **LOOSE), tmp_path / "one") == []
    # A file of the user's with that name stays what it is.
    (book / "subject-index.md").write_text("# Mine\n\nMy own index of soups.\n", encoding="utf-8")
    third = indexed(book, tmp_path / "three")
    assert third["subject-index.md"].decode().startswith("# Mine")
    assert third["subject-index-.md"].decode().startswith("# Index")


def test_references_lead_to_the_entry_of_a_glossary_that_sphinx_makes(tmp_path):
    source = tmp_path / "docs"
    source.mkdir()
    (source / "glossary.rst").write_text(
        "Glossary\n========\n\n.. glossary::\n   :sorted:\n\n   quota\n      The space that a user may fill.\n\n"
        "   spool folder\n      A folder in which mail waits for a host. It has a quota.\n",
        encoding="utf-8",
    )
    mail = "Mail\n====\n\nMail waits in a spool folder. Look at the spool folder.\n"
    (source / "mail.rst").write_text(mail, encoding="utf-8")
    first = indexed(source, tmp_path / "one")
    said = first["mail.rst"].decode()
    assert said.endswith("\n*See also:* :term:`spool folder (glossary) <spool folder>`\n")
    glossary = first["glossary.rst"].decode()
    assert "      *See also:* :term:`quota (glossary) <quota>`" in glossary.replace("; ", "\n      *See also:* ")
    assert indexed(tmp_path / "one", tmp_path / "two") == first  # its own lines are known again
    assert glossary.count(".. _see-") <= 1  # for the page of the index


def test_places_of_one_name_are_told_apart_in_the_index(tmp_path):
    (tmp_path / "in").mkdir()
    lines = ["# Kitchen"]
    for dish in ("Soups", "Breads"):
        lines += [f"## {dish}", f"{dish} are good.", "### Warm oven", "A warm oven is good. The warm oven stays warm."]
    (tmp_path / "in" / "kitchen.md").write_text("\n\n".join([*lines, ""]), encoding="utf-8")
    (tmp_path / "in" / "cellar.md").write_text("# Cellar\n\nThe cellar is cold.\n", encoding="utf-8")
    page = indexed(tmp_path / "in", tmp_path / "out")["subject-index.md"].decode()
    line = next(line for line in page.splitlines() if line.startswith("- warm oven:"))
    named = re.findall(r"\[([^]]*)\]", line)
    assert named == ["Kitchen › Soups › Warm oven", "Kitchen › Breads › Warm oven"]


def test_restructured_text_keeps_what_two_colons_announce_and_its_glossary(tmp_path):
    source = tmp_path / "docs"
    source.mkdir()
    (source / "glossary.rst").write_text(
        "Glossary\n========\n\nquota\n   The space that a user may fill in a spool folder.\n\n"
        "spool folder\n   A folder in which mail waits for a host.\n",
        encoding="utf-8",
    )
    (source / "mail.rst").write_text(
        "Spool folders\n=============\n\nMail waits in a spool folder. To look at the spool folder, say::\n\n"
        "   ls spool\n\nMore of it.\n",
        encoding="utf-8",
    )
    first = indexed(source, tmp_path / "one")
    mail, glossary, page = (first[name].decode() for name in ("mail.rst", "glossary.rst", "subject-index.rst"))
    assert "say::\n\n   ls spool\n\n*See also:* :ref:`spool folder (glossary) <see-" in mail
    assert re.search(r"in a spool folder\.\n\n   \*See also:\* :ref:`spool folder \(glossary\) <see-", glossary)
    assert page.startswith(":orphan:\n\nIndex\n=====\n")
    targets = set(re.findall(r"^\.\. _(see-[0-9a-f]{8}(?:-\d+)?):$", mail + glossary, re.M))
    assert set(re.findall(r"<(see-[^>]*)>", mail + glossary + page)) <= targets
    assert indexed(tmp_path / "one", tmp_path / "two") == first


def test_an_epub_gets_its_index_inside(tmp_path):
    source = tmp_path / "books"
    source.mkdir()
    chapter = (
        "<html xmlns='http://www.w3.org/1999/xhtml'><head><title>{0}</title></head><body><h1>{0}</h1>{1}</body></html>"
    )
    package = (
        "<package xmlns='http://www.idpf.org/2007/opf' version='3.0'><metadata/><manifest>"
        "<item id='a' href='text/a.xhtml' media-type='application/xhtml+xml'/>"
        "<item id='b' href='text/b.xhtml' media-type='application/xhtml+xml'/></manifest>"
        "<spine><itemref idref='a'/><itemref idref='b'/></spine></package>"
    )
    with zipfile.ZipFile(source / "soups.epub", "w") as made:
        made.writestr("mimetype", "application/epub+zip")
        made.writestr(
            "META-INF/container.xml", "<container><rootfiles><rootfile full-path='OPS/p.opf'/></rootfiles></container>"
        )
        made.writestr("OPS/p.opf", package)
        made.writestr(
            "OPS/text/a.xhtml", chapter.format("Clear soup", "<p>A clear soup is boiled from bones for hours.</p>")
        )
        made.writestr(
            "OPS/text/b.xhtml", chapter.format("Stock", "<p>Stock is a clear soup of bones, boiled for hours.</p>")
        )
    first = indexed(source, tmp_path / "one")
    with zipfile.ZipFile(tmp_path / "one" / "soups.epub") as book:
        assert book.namelist()[-1] == "OPS/text/subject-index.xhtml"
        page = ElementTree.fromstring(book.read("OPS/text/subject-index.xhtml"))
        targets = [one.get("href") for one in page.iter("{http://www.w3.org/1999/xhtml}a")]
        path, _, anchor = targets[0].partition("#")
        assert f'<a id="{anchor}"></a>' in book.read(f"OPS/text/{path}").decode()
        listed = ElementTree.fromstring(book.read("OPS/p.opf"))
    names = [one.get("href") or one.get("idref") for one in listed.iter() if one.tag.endswith(("}item", "}itemref"))]
    assert names == ["text/a.xhtml", "text/b.xhtml", "text/subject-index.xhtml", "a", "b", "subject-index-by-likewise"]
    assert indexed(tmp_path / "one", tmp_path / "two") == first


def test_lines_end_as_in_the_source(tmp_path):
    (tmp_path / "in").mkdir()
    for name, text in {
        "a.md": "Soup is boiled from bones.\r\n\r\nHot.\r\n",
        "b.html": "<p>Bread.\r\n<p>Salt.\r\n",
    }.items():
        (tmp_path / "in" / name).write_bytes(text.encode())
    link(tmp_path / "in").to_folder(tmp_path / "out")
    for name in ("a.md", "b.html"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "in" / name).read_bytes()


def test_nothing_points_to_what_got_no_anchor(tmp_path):
    source = tmp_path / "in"
    source.mkdir()
    same = "Clear soup is boiled from bones and vegetables and herbs for many long hours slowly"
    # An item at the very top has nothing above it that could hold a target; the plain text is no page of Sphinx.
    (source / "a.rst").write_text(f"- {same}.\n\n- Bread.\n\nStocks\n======\n\nStock like {same.lower()}.\n")
    (source / "b.txt").write_text(f"{same}, with salt.\n")
    link(source, **LOOSE, min_terms=2).to_folder(tmp_path / "out")
    text = (tmp_path / "out" / "a.rst").read_text()
    targets = re.findall(r"^ *\.\. _(see-[^:]*):", text, re.M)
    assert set(re.findall(r"<(see-[^>]*)>", text)) <= set(targets)
    assert "a.rst#" in (tmp_path / "out" / "b.txt.md").read_text()


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


def test_no_more_than_five_pointers_behind_a_paragraph(tmp_path):
    (tmp_path / "in").mkdir()
    terms = ["quota", "spool", "relay", "host", "header", "envelope", "queue"]
    entries = "".join(f"**{term}**: what is called so here.\n\n" for term in terms)
    (tmp_path / "in" / "glossary.md").write_text(f"# Glossary\n\n{entries}")
    (tmp_path / "in" / "mail.md").write_text(f"# Mail\n\nThere is a {', a '.join(terms)} for all.\n")
    link(tmp_path / "in", language="english").to_folder(tmp_path / "out")
    assert (tmp_path / "out" / "mail.md").read_text().count("(glossary)") == 5


def test_paragraphs_that_line_ends_part_get_their_own_lines(tmp_path):
    (tmp_path / "in").mkdir()
    page = "<h1>{}</h1><p>{}<br>\nIt is good.<br>\n<font><br/>\n{} for hours.<br><br></font><br>End of all.</p>"
    soup, bread = "Clear soup is boiled from bones and roots", "Rye bread is baked in an oven of stone"
    (tmp_path / "in" / "a.html").write_text(page.format("One", soup + " slowly.", bread))
    (tmp_path / "in" / "b.html").write_text(page.format("Two", bread + " slowly.", soup))
    link(tmp_path / "in", **LOOSE).to_folder(tmp_path / "out")
    made = (tmp_path / "out" / "a.html").read_text()
    line = r'<span class="see-also-by-likewise"><br/><br/><em>See also:</em> '
    line += r'<a href="b.html#(see-[0-9a-f]{8})">Two</a></span>'
    found = re.findall(line, made)
    assert len(set(found)) == 2
    assert all(f'<a id="{name}"></a>' in (tmp_path / "out" / "b.html").read_text() for name in found)
    assert re.search(r"It is good\.<span .*?</span><br>\n<font><br/><a id=", made)
    assert re.sub(line + r"|<a id=[^>]*></a>", "", made) == (tmp_path / "in" / "a.html").read_text()
    link(tmp_path / "out", **LOOSE).to_folder(tmp_path / "again")
    assert (tmp_path / "again" / "a.html").read_text() == made
