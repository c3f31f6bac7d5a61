"""Copies of a site keep what its pages use."""

import likewise as lw
from likewise.results.copies import outdated

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)
PAGE = """<html><head><title>Page {0}</title><link rel="stylesheet" href="../css/all.css"></head><body><h1>Soup {0}</h1>
<p>Clear soup number {0} is boiled from bones and roots for many long hours in the kitchen.</p>
<p><img src="../img/pot%201.png?v=2"> <a href="../../secret.txt">no</a> <a href="https://example.org/img/x.png">no</a>
<a href="page{1}.html">the other</a></p></body></html>"""


def test_pictures_and_style_sheets_come_along(tmp_path):
    site = tmp_path / "site"
    for folder in ("pages", "css", "img"):
        (site / folder).mkdir(parents=True)
    for number in (1, 2):
        (site / "pages" / f"page{number}.html").write_text(PAGE.format(number, 3 - number))
    (site / "css" / "all.css").write_text("@import 'more.css'; body { background: url('../img/paper.png') }")
    for name in ("pot 1", "paper", "unused"):
        (site / "img" / f"{name}.png").write_bytes(PNG + name.encode())
    (site / "css" / "more.css").write_text("")
    (tmp_path / "secret.txt").write_text("not of the site")
    found = lw.link(site)
    found.to_folder(tmp_path / "copies")
    there = sorted(str(path.relative_to(tmp_path / "copies")) for path in (tmp_path / "copies").rglob("*.*"))
    assert [name for name in there if not name.startswith(".")] == [
        "css/all.css",
        "css/more.css",
        "img/paper.png",
        "img/pot 1.png",
        "pages/page1.html",
        "pages/page2.html",
    ]
    assert (tmp_path / "copies/img/paper.png").read_bytes() == PNG + b"paper"
    assert outdated(found, tmp_path / "copies") == []
    (site / "img" / "paper.png").write_bytes(PNG + b"new")
    assert outdated(found, tmp_path / "copies") == ["img/paper.png"]
    # A second run removes what no page uses any more, and the sources stay as they were.
    (site / "css" / "all.css").write_text("body { color: black }")
    lw.link(site).to_folder(tmp_path / "copies")
    assert not (tmp_path / "copies/img/paper.png").exists()
    assert (site / "img" / "paper.png").exists()


def test_pictures_come_along_however_they_are_named(tmp_path):
    names = ["two words.png", "pic(1).png", "ref.png", "one&two.png", "bare.png", "sub/rooted.png", "drawn.svg"]
    (tmp_path / "in" / "sub").mkdir(parents=True)
    for name in names:
        (tmp_path / "in" / name).write_bytes(PNG)
    (tmp_path / "in" / "big.zip").write_bytes(b"PK")
    (tmp_path / "in" / "a.md").write_text(
        "![x](<two words.png>) ![y](pic(1).png) ![z][r] [d](big.zip)\n\n[r]: ref.png\n\n"
        '<img src="one&amp;two.png"> <img alt="b" src=bare.png> <a href="big.zip">all</a>\n'
    )
    (tmp_path / "in" / "sub" / "b.rst").write_text(".. image:: /sub/rooted.png\n\n.. figure:: ../drawn.svg\n\n   It.\n")
    lw.link(tmp_path / "in").to_folder(tmp_path / "out")
    there = [
        path for path in (tmp_path / "out").rglob("*") if path.is_file() and path.suffix in (".png", ".svg", ".zip")
    ]
    assert sorted(path.relative_to(tmp_path / "out").as_posix() for path in there) == sorted(names)


def test_what_is_included_is_not_read_as_a_document_of_the_copies(tmp_path):
    (tmp_path / "in").mkdir()
    page = "Soup\n====\n\nClear soup is boiled from bones and roots for many hours.\n\n.. include:: NOTES.txt\n"
    (tmp_path / "in" / "soup.rst").write_text(page)
    (tmp_path / "in" / "NOTES.txt").write_text("Bread is baked of flour and water, and of salt.\n")
    for source, target in (("in", "one"), ("one", "two"), ("two", "two-again")):
        lw.link(tmp_path / source).to_folder(tmp_path / target)
    found = [
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()} for name in ("one", "two", "two-again")
    ]
    assert {*found[0]} == {".likewise-copies.json", "soup.rst", "NOTES.txt", "NOTES.txt.md"}
    assert found[0] == found[1] == found[2]


def test_the_old_index_does_not_come_along_over_the_new_one(tmp_path):
    (tmp_path / "in").mkdir()
    page = (
        '<h1>Rye bread</h1><iframe src="subject-index.html"></iframe>'
        + "<p>Rye bread is good, and rye bread lasts.</p>" * 2
    )
    (tmp_path / "in" / "a.html").write_text(page)
    lw.link(tmp_path / "in", index_terms=5).to_folder(tmp_path / "one")
    index = (tmp_path / "one" / "subject-index.html").read_text()
    assert "ye bread" in index
    (tmp_path / "one" / "subject-index.html").write_text(index.replace("ye bread", "old"))
    found = lw.link(tmp_path / "one", index_terms=5)
    found.to_folder(tmp_path / "two")
    assert (tmp_path / "two" / "subject-index.html").read_text() == index
    assert outdated(found, tmp_path / "two") == []
