"""Copies with "See also": in every format the source stays as it was, a second run changes nothing, nothing is lost."""

import contextlib
import json
import re
import subprocess
import sys

import pytest
from tests.results.kitchen import BREAD, LOOSE, SOUP, added, written

from likewise.errors import StorageError
from likewise.jobs.link import link
from likewise.read import Document
from likewise.results.copies import folder, outdated
from likewise.results.copies.elements import elements
from likewise.results.copies.folder import MARKER
from likewise.targets import is_ours


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


def test_programs_and_settings_stay_as_they_are(book, tmp_path):
    settings = '# For stock, take bones and roots; strain the soup and serve it with bread.\r\nproject = "soup"\r\n'
    (book / "conf.py").write_text(settings, encoding="utf-8", newline="")
    (book / "Makefile").write_text("all:\n\techo strain the soup and serve it with bread\n", encoding="utf-8")
    found = link(book, **LOOSE)
    assert any("conf.py" in document.id for document in found.book.documents)
    found.to_folder(tmp_path / "out")
    copied = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"conf.py", "Makefile"} <= copied
    assert "conf.py.md" not in copied
    assert (tmp_path / "out" / "conf.py").read_bytes() == settings.encode()
    assert not any("conf.py" in path.read_text(encoding="utf-8") for path in (tmp_path / "out").glob("*.md"))
    assert outdated(link(book, **LOOSE), tmp_path / "out") == []


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


def test_copies_that_were_not_finished_are_no_documents_and_can_be_written_again(book, tmp_path, monkeypatch):
    """A run that was killed left a folder that nobody owned: it was refused, and read as documents."""
    found = link(book, **LOOSE)
    first = next(folder.copies(found))
    monkeypatch.setattr(folder, "copies", lambda links: iter([first, None]))
    with pytest.raises(AttributeError):
        found.to_folder(tmp_path / "out")
    assert not (tmp_path / "out").exists()  # what fails clears away what it made
    monkeypatch.setattr(folder, "all_or_nothing", lambda target: contextlib.nullcontext([]))  # what is killed does not
    with pytest.raises(AttributeError):
        found.to_folder(tmp_path / "out")
    monkeypatch.undo()
    assert (tmp_path / "out" / first.name).read_bytes() == first.content
    assert is_ours(tmp_path / "out")
    found.to_folder(tmp_path / "out")
    assert outdated(found, tmp_path / "out") == []


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
    soup = "Soup\n====\n\nClear soup is boiled from bones and\nvegetables for many hours.\n\nServe it.\n"
    stock = "Stock\n=====\n\nFor stock, bones and vegetables are boiled for many hours, like clear soup.\n"
    place = written(tmp_path / "doc", {"soup.rst": soup, "stock.rst": stock})
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
