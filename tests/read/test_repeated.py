"""Pages of one piece over and over: what is opened a hundred thousand times and never closed takes no square of time.

Nothing here looks at a clock: each of these took minutes to years, and would run into the limit of a test.
"""

import pytest

from likewise.read import documents

# Ending of the file, what stands before, and what is repeated up to SIZE characters.
SIZE = 300_000
CASES = [
    (".rst", "", ":"),
    (".rst", "`", " "),
    (".rst", ":a:`", " "),
    (".rst", "", "a."),
    (".rst", "", " *a"),
    (".rst", "", "``a"),
    (".adoc", "= a", " "),
    (".adoc", "", "<<"),
    (".adoc", "", "link:"),
    (".adoc", "", "http://"),
    (".adoc", "", "[["),
    (".adoc", "", " *a"),
    (".tex", "", "\\begin{verbatim}"),
    (".tex", "\\part", " "),
    (".tex", "", "\\label["),
    (".tex", "", "\\item["),
    (".tex", "", "\\section{}"),
    (".tex", "", "\\cline{"),
    (".man", ".TH a 1\n", "\\f["),
    (".man", ".TH a 1\n.Op ", "Fl a "),
    (".md", "", "{a="),
    (".md", "---\ntitle: a", " "),
    (".csv", "a,b\n", "\t"),
    (".csv", "a,b\n", "\n"),
    (".csv", "", "1"),
    (".wiki", "<doc ", "a"),
]


@pytest.mark.parametrize(("ending", "before", "piece"), CASES)
def test_a_page_of_one_piece(tmp_path, ending, before, piece):
    (tmp_path / f"a{ending}").write_text(before + piece * (SIZE // len(piece)) + "\nx\n", encoding="utf-8")
    skipped = []
    assert list(documents(tmp_path, on_skip=skipped.append)) or skipped


@pytest.mark.parametrize("comment", ["<!---->", "<!DOCTYPE svg><!---->"])
@pytest.mark.parametrize("name", ["a.txt", "a.html", "a"])
def test_many_comments_before_no_element(tmp_path, name, comment):
    (tmp_path / name).write_text(comment * 60 + "x", encoding="utf-8")  # there are 2 ** 60 ways to cut them
    skipped = []
    assert list(documents(tmp_path, on_skip=skipped.append)) or skipped


def test_environments_within_each_other_end_somewhere(tmp_path):
    (tmp_path / "a.tex").write_text("\\begin{a}" * 600, encoding="utf-8")
    skipped = []
    assert not list(documents(tmp_path, on_skip=skipped.append))
    assert [one.reason for one in skipped] == ["too deep"]
