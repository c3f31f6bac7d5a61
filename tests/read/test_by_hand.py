"""Small decisions of the readers at their borders: where a table begins, how deep a page is, what is a title."""

import io
import tracemalloc
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from likewise.errors import FormatError, InputError
from likewise.read.depth import _depth, too_deep, too_wide
from likewise.read.dialect import Dialect, _optional, _regularity, detect_dialect, has_index, with_plain_quotes
from likewise.read.encoding import decode, detect_encoding, is_binary
from likewise.read.options import TableOptions
from likewise.read.order import in_reading_order
from likewise.read.pdf import _blocks
from likewise.read.pdf_furniture import without_furniture
from likewise.read.pdf_lines import PdfLine, joined
from likewise.read.pdf_outline import Bookmark, Outline, _numbering
from likewise.read.sheets import _above, read_sheet
from likewise.read.skipped import SkipError
from likewise.read.table_documents import _as, _kind, table_documents
from likewise.read.tables import read_table


@pytest.mark.parametrize(
    ("html", "depth"),
    [
        ("", 0),
        ("<div>", 1),
        ("<div><div></div><div>", 2),
        ("<div><!-- <div><div> --><div>", 2),
        ("<div><!--><div>", 2),  # a comment that is empty
        ("<div><!-- <div><div>", 1),  # ... or that never ends
        ("<!-- a --!><div>", 1),
        ("-->" + "<!-- --><div>", 1),
        ("<b><b><b><b><b>", 3),  # of copies of one tag three are kept open
        ("<b><b><b><b><b></b></b></b>", 3),
        ('<b><b class="x">', 2),
        ("<b></b><i></i>", 1),
        ("<br><br><img><div>", 1),
        ("<script><div><div></script><div>", 1),
        ("<div></span></div><div>", 1),
        ("<svg><g/><g><div><div>", 2),  # html breaks out of a drawing
        ("<svg><g><g>", 3),
    ],
)
def test_how_deep_a_page_is(html, depth):
    assert _depth(html, 100) == depth


def test_too_deep_and_too_wide():
    assert not too_deep("<div>" * 10, 10)
    assert too_deep("<div>" * 11, 10)
    assert not too_wide("<a" + " x" * 10 + ">", 10)
    assert too_wide("<a" + " x" * 11 + ">", 10)
    assert not too_wide(" x" * 30 + ">", 10), "words are no attributes"
    assert too_wide("<" + " x" * 30, 10)
    assert too_wide("<p>" + " x" * 20 + "<a" + "/x" * 11 + ">", 10)


@pytest.mark.parametrize(
    ("lines", "share", "width", "above"),
    [
        (["a,b", "1,2", "3,4"], 1.0, 2, 0),
        (["a,b", "1,2", "3,4", "5"], 3 / 4, 2, 0),
        (["Prices", "", "a,b", "1,2", "3,4"], 1.0, 2, 2),
        (["# note", "a,b", "1,2"], 1.0, 2, 1),
        # the header lacks the name of the first column: half a row
        (["b,c", "1,2,3", "4,5,6"], 2.5 / 3, 3, 0),
        (["b", "1,2", "4,5"], 1.0, 2, 1),
        ([], 0.0, 1, 0),
    ],
)
def test_how_regular_a_reading_is(lines, share, width, above):
    assert _regularity(lines, Dialect(",", None)) == (pytest.approx(share), width, above)


def test_the_last_cell_may_be_absent():
    tab = Dialect("\t", None)
    assert _optional(["a\tb\tc"] * 6 + ["a\tb"] * 6, tab) == 3
    assert _optional(["a\tb\tc"] * 6 + ["a\tb"], tab) == 0, "one row is a mistake"
    assert _optional(["a\tb"] * 6 + ["a"] * 6, tab) == 0, "two columns are a table of their own"
    assert _optional(["a\tb\tc"] * 6, tab) == 0


def test_an_index_has_no_name():
    assert has_index([["b", "c"], ["0", "1", "2"]])
    assert has_index([["", "b"], ["0", "x"], ["1", "y"]])
    assert not has_index([["", "b"], ["0", "x"], ["y", "y"]])
    assert not has_index([["a", "b"], ["0", "x"]])
    assert not has_index([["a", " "], ["0", "x", "y"]])
    assert not has_index([["a"], ["0", "x"]])
    assert not has_index([["a", "b"]])


@pytest.mark.parametrize(
    ("content", "name", "said"),
    [
        ("a,b\n1,2\n", "x.csv", "comma, utf-8, first row is the header"),
        ("a;b\n1,5;2\n2,5;3\n", "x.csv", "semicolon, utf-8, first row is the header"),
        ("a,b\tc,d\n1,2\t3,4\n", "x.tsv", "tab, utf-8, first row is the header"),
        ("a,b\tc,d\n1,2\t3,4\n", "x.tab.gz", "tab, utf-8, first row is the header"),
        ("a|b\n1|2\n", "x.txt", "bar, utf-8, first row is the header"),
        ("1,2\n3,4\n", "x.csv", "comma, utf-8, no header"),
        ("a, b\n1, 2\n", "x.csv", "comma, utf-8, first row is the header"),
        ("name\nJose\nZoe\n", "x.csv", "no delimiter, utf-8, first row is the header"),
        (
            "'a','b'\n'1,5','2'\n'3','4,5'\n",
            "x.csv",
            "comma, utf-8, single quotes, first row is the header",
        ),
        (
            'a,b\n"say \\"x\\"",2\n"y",3\n',
            "x.csv",
            "comma, utf-8, quotes escaped by a backslash, first row is the header",
        ),
    ],
)
def test_how_a_table_is_written(content, name, said):
    assert detect_dialect(content, name).said("utf-8") == said


ENCODINGS = ("utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")
MARKED = ("utf-8-sig", "utf-16", "utf-32")
TABLE = "name,town\nJosé,Köln\nZoë,Zürich\n"


@pytest.mark.parametrize("encoding", [*ENCODINGS[:3], *MARKED])
def test_unicode_in_all_its_forms(encoding):
    data = TABLE.encode(encoding)
    found = detect_encoding(data, "t.csv")
    assert data.decode(found.codec).lstrip("\ufeff") == TABLE
    if encoding in MARKED:
        assert decode(data) == TABLE


@pytest.mark.parametrize("encoding", ["utf-32-le", "utf-32-be"])
def test_four_bytes_a_letter_without_a_mark_are_refused_in_words(encoding):
    with pytest.raises(FormatError, match="NUL bytes"):
        detect_encoding(TABLE.encode(encoding), "t.csv")
    with pytest.raises(SkipError, match="binary"):
        decode(TABLE.encode(encoding))


def test_lines_with_a_fault_are_named():
    with pytest.raises(FormatError, match=r"mixes encodings: line 2 is UTF-8, line 4 is not"):
        detect_encoding("a\nJosé\nb\n".encode() + "Zoë\n".encode("cp1252"), "t.csv")


def test_nul_is_no_text():
    assert is_binary(b"a\x00b")
    assert not is_binary(b"plain text")
    assert decode(b"a" * 8192 + b"\x00") == "a" * 8192 + "\x00", "looked for at the beginning"
    with pytest.raises(SkipError, match="binary"):
        decode(b"a" * 8191 + b"\x00")


def lines(*texts, page=0, height=10.0):
    return [PdfLine(text, 800.0 - 20 * n, 800.0 - 20 * n - height, 50.0, page) for n, text in enumerate(texts)]


WORDS = ("salt", "bones", "roots", "fire", "time", "flour")


def left(pages):
    return [[line.text for line in page] for page in without_furniture(pages, 12.0)]


def test_what_comes_again_or_counts_pages_at_an_edge_is_furniture():
    pages = [lines("Soups", f"page {n}", "text", f"It needs {word}.", "Bottom", page=n) for n, word in enumerate(WORDS)]
    assert left(pages) == [[f"It needs {word}."] for word in WORDS], "three lines above, one below"
    assert left(pages[:2]) == [[line.text for line in page] for page in pages[:2]], "two pages tell nothing"
    assert left([lines("Soups", page=n) for n in range(4)]) == [["Soups"]] * 4, "something must be left"


def test_running_titles_of_left_and_right_pages_and_of_sections_of_one_page_are_furniture():
    heads = ["10 Chapter 2. Soups", "2.1. Broth 11", "12 Chapter 2. Soups", "2.2. Clear soup 13", "14 Chapter 2. Soups"]
    pages = [lines(head, f"It needs {WORDS[n]}.", page=n) for n, head in enumerate(heads)]
    assert left(pages) == [[f"It needs {word}."] for word in WORDS[:5]]
    roman = [lines(f"It needs {WORDS[n]}.", number, page=n) for n, number in enumerate(("iii", "iv", "v"))]
    assert left(roman) == [[f"It needs {word}."] for word in WORDS[:3]]


def test_titles_and_first_lines_of_pages_are_no_furniture():
    half = [
        lines("Soups" if n % 4 == 0 else f"Other {word}", f"It needs {word}.", page=n) for n, word in enumerate(WORDS)
    ]
    assert left(half) == [[one.text for one in page] for page in half], "two of six is not most"
    chapters = [lines(f"{n + 1} {word}", f"It needs {word}.", page=n, height=15.0) for n, word in enumerate(WORDS)]
    assert left(chapters) == [[one.text for one in page] for page in chapters], "chapters of a page each count pages"
    slides = [lines(WORDS[n // 2], f"Step {WORDS[n]}", page=n, height=15.0) for n in range(6)]
    assert left(slides) == [[one.text for one in page] for page in slides], "a title stays on while a slide builds up"
    label = [lines("CHAPTER" if n % 5 == 0 else f"All need {n} {'x' * n}", f"End {'y' * n}", page=n) for n in range(15)]
    assert left(label) == [[one.text for one in page] for page in label], "three pages of fifteen repeat a word"


def test_a_title_is_one_of_the_outline():
    page = lines("7", "Soups", "Hot ones", "text", "text two")
    outline = Outline([page], [Bookmark("Soups", 1, 0, None), Bookmark("1.2 Hot ones", 2, 0, None)])
    assert [(at, one.text, one.level, one.lines) for at in range(5) for one in outline.at(0, at)] == [
        (1, "Soups", 1, 1),
        (2, "Hot ones", 2, 1),
    ]
    assert outline.deepest == 2
    two = Outline([page], [Bookmark("Soups hot ones", 1, 0, None)])
    assert [(one.text, one.lines) for one in two.at(0, 1)] == [("Soups Hot ones", 2)]
    again = Outline([lines("Soups", "text", "Soups")], [Bookmark("Soups", 1, 0, 761.0), Bookmark("Soups", 1, 0, 761.0)])
    assert [at for at in range(3) for _ in again.at(0, at)] == [0, 2], "a line is taken once"
    names = Outline([page], [Bookmark("slide 1", 1, 0, None), Bookmark("Soups", 1, 0, None)])
    assert names.deepest == 0, "half of them are no titles"
    below = Outline(
        [page], [Bookmark("gone", 1, 0, 765.0), Bookmark("Soups", 1, 0, None), Bookmark("text", 1, 0, None)]
    )
    assert [one.text for one in below.at(0, 2)] == ["gone"], "the first line below its place"
    assert [_numbering(*pair) for pair in (("1soups", "soups"), ("soups", "soups"), ("asoup", "soups"))] == [1, 0, None]
    assert _numbering("1234a", "a") is None, "more than twice as long as what is numbered"


def test_large_lines_are_titles_and_paragraphs_go_on_over_the_page():
    first = [*lines("Soups", height=16.0), PdfLine("They are hot", 700, 690, 50, 0), PdfLine("and go", 688, 678, 50, 0)]
    second = [PdfLine("on here.", 800, 790, 50, 1), PdfLine("Next.", 788, 778, 50, 1), PdfLine("Far.", 700, 690, 50, 1)]
    content = _blocks([first, second], 10.0, Outline([first, second], [])).content("")
    assert [(block.kind, block.level, block.span.of(content.text)) for block in content.blocks] == [
        ("title", 2, "Soups"),
        ("paragraph", 0, "They are hot and go on here. Next."),
        ("paragraph", 0, "Far."),
    ]
    assert joined(["Vege-", "tables"]) == "Vegetables"
    assert joined(["A-", "B"]) == "A- B"
    assert joined(["vege-", "Tables"]) == "vege- Tables"
    assert joined(["soft\xad", "ened"]) == "softened"


def test_rows_above_a_table_in_a_sheet():
    table = [["a", "b", "c"], ["1", "2", "3"], ["4", "5", "6"]]
    assert _above(table) == 0
    assert _above([["Prices", "", ""], ["", "", ""], *table]) == 2
    assert _above([["a", "b"], ["1", "2"], ["1", ""]]) == 0
    assert _above([["Title", ""], ["a", "b"], ["1", "2"]]) == 1
    assert _above([["x"], ["y"]]) == 0


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["1", None, "-20"], [1, None, -20]),
        (["1", "2.5"], [1.0, 2.5]),
        (["007", "1"], ["007", "1"]),
        (["1", "x"], ["1", "x"]),
        (["0", "0.5"], [0.0, 0.5]),
        ([None], [None]),
        ([1, 2], [1, 2]),
        (["1" * 19], [float("1" * 19)]),
    ],
)
def test_a_column_of_numbers(values, expected):
    found = _as(_kind(iter(values)), values)
    assert found == expected
    assert [type(one) for one in found] == [type(one) for one in expected]


def test_rows_as_documents(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("name,note,age\nAda,first,36\nKurt,,71\n", encoding="utf-8")
    ada, kurt = table_documents(path)
    assert (ada.text, ada.fields) == ("Ada\nfirst", {"name": "Ada", "note": "first", "age": 36})
    assert (kurt.text, kurt.fields) == ("Kurt", {"name": "Kurt", "age": 71})
    (one, _) = table_documents(path, ["note"])
    assert (one.text, one.fields) == ("first", {"name": "Ada", "age": 36})
    assert [document.id for document in table_documents(path, id="name")] == ["Ada", "Kurt"]
    path.write_text("a,b\n1,2\n3,4\n", encoding="utf-8")
    with pytest.raises(InputError, match="has no text column; name the columns to search"):
        list(table_documents(path))


def test_rows_as_documents_are_not_held(tmp_path):
    # All texts of a table were made values at once, and its columns again: ten times the bytes of the file.
    path = tmp_path / "t.parquet"
    texts = [f"{n:08d}" * 250 for n in range(20_000)]
    pq.write_table(pa.table({"text": texts, "n": range(20_000), "code": ["1"] * 19_999 + ["x"]}), path)
    tracemalloc.start()
    for row, document in enumerate(table_documents(path, ["text"])):
        assert (document.text, document.fields) == (texts[row], {"n": row, "code": "x" if row == 19_999 else "1"})
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert row == 19_999
    assert peak < 4 << 20


def test_the_order_of_a_table_of_contents(tmp_path):
    names = ["README.md", "a.md", "b.md", "c.md", "index.md"]
    (tmp_path / "SUMMARY.md").write_text("[B](b.md)\n[A](a.md)\n", encoding="utf-8")
    found = in_reading_order(tmp_path, [*names, "SUMMARY.md"])
    assert found == ["index.md", "README.md", "b.md", "a.md", "c.md", "SUMMARY.md"]
    (tmp_path / "SUMMARY.md").write_text("[B](b.md)\n", encoding="utf-8")
    assert in_reading_order(tmp_path, [*names, "SUMMARY.md"]) == [*names, "SUMMARY.md"], "one is no order"
    (tmp_path / "SUMMARY.md").write_text("[I](index.md)\n[C](c.md)\n[Out](../x.md)\n", encoding="utf-8")
    assert in_reading_order(tmp_path, [*names, "SUMMARY.md"])[:3] == ["README.md", "index.md", "c.md"]


def test_millions_of_columns_are_refused_before_they_are_made(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_bytes(b",".join(b"c%d" % at for at in range(100_001)) + b"\n" + b"1," * 100_000 + b"1\n")
    with pytest.raises(FormatError, match="has 100,001 columns in its first row; at most 100,000 are read"):
        read_table(path)


def test_a_workbook_that_expands_out_of_proportion_is_refused():
    """The library that reads workbooks unpacks a sheet whole; of one of gigabytes it ended the process."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(65 << 20))
    with pytest.raises(SkipError, match="bomb"):
        read_sheet(data.getvalue(), "b.xlsx", TableOptions(), ())


def test_quotation_marks_of_one_line_are_left_as_they_are():
    """Lines of an old Macintosh are one to whoever looks for others."""
    dialect = Dialect("\t", header=True)
    assert with_plain_quotes(b'a\tb\r1\t"x\r2\ty\r3\tz"\r', dialect) is dialect
    assert with_plain_quotes(b'a\tb\n1\t"x\n2\ty\n3\tz"\n', dialect).quote is None
