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
    (tmp_path / "secret.txt").write_text("not of the site")
    found = lw.link(site)
    found.to_folder(tmp_path / "copies")
    there = sorted(str(path.relative_to(tmp_path / "copies")) for path in (tmp_path / "copies").rglob("*.*"))
    assert [name for name in there if not name.startswith(".")] == [
        "css/all.css",
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
