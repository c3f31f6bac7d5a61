"""Pages of one piece over and over: what is opened a hundred thousand times and never closed takes no square of time.

Nothing here looks at a clock: each of these took minutes to years, and would run into the limit of a test.
"""

import pyarrow as pa
import pytest

from likewise.read import documents, guess
from likewise.read.tables import check_columns

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


# None of these bytes is ASCII or UTF-8 throughout, so that an old encoding is looked for.
@pytest.mark.parametrize("data", [b"A" * SIZE + b" \xe9t\xe9", b"\xe9" * SIZE, (b"w\xe9" * 999 + b" ") * (SIZE // 999)])
def test_an_encoding_is_told_by_some_of_the_text(tmp_path, monkeypatch, data):
    looked_at = []
    score = guess._score
    monkeypatch.setattr(guess, "_score", lambda text, letters: looked_at.append(len(text)) or score(text, letters))
    assert guess.guess(data) is not None
    assert max(looked_at) <= guess._MOST_BYTES


def test_what_is_cut_within_a_character_is_read_all_the_same():
    data = "汉字处理信息系统" * 10_000
    assert guess.guess(data.encode("gb18030")).encoding == "gb18030"
    assert guess.guess(b"x" + data.encode("gb18030")).encoding == "gb18030"


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


def test_tens_of_thousands_of_columns_are_looked_up():
    names = [f"c{at}" for at in range(60_000)]
    table = pa.schema([(name, pa.string()) for name in names]).empty_table()
    for name in names:
        check_columns(table, [name], "a.csv")
