"""Decisions of readers at their borders: one more or one less is another answer."""

import io
import json
import zipfile
from types import SimpleNamespace

import pytest

from likewise import dedupe
from likewise.errors import ColumnError, FormatError
from likewise.read import ReadOptions, documents, table_files
from likewise.read import delimited as delimited_module
from likewise.read import encoding as encoding_module
from likewise.read.asciidoc import read_asciidoc
from likewise.read.cells import chosen
from likewise.read.delimited import column_names, read_delimited
from likewise.read.depth import too_deep, too_wide
from likewise.read.dialect import Dialect, detect_dialect
from likewise.read.encoding import detect_encoding, is_binary
from likewise.read.header import is_header
from likewise.read.html import read_html
from likewise.read.latex import read_latex
from likewise.read.markdown import read_markdown
from likewise.read.order import in_reading_order
from likewise.read.pdf_lines import lines_of
from likewise.read.pdf_outline import bookmarks_of
from likewise.read.rst import read_rst
from likewise.read.tables import TableOptions, read_table
from likewise.read.text import parts


@pytest.mark.parametrize(("controls", "binary"), [(4, False), (5, False), (6, True)])
def test_a_file_is_no_text_if_more_than_one_character_in_twenty_is_a_control(controls, binary):
    assert is_binary(b"\x01" * controls + b"a" * (100 - controls)) == binary


def test_sheets_have_names_and_numbers_from_one():
    assert [chosen(["first", "last"], wanted) for wanted in ("1", "2", "last")] == ["first", "last", "last"]
    assert [chosen(["first", "last"], wanted) for wanted in ("0", "3", "-1", "x")] == [None] * 4


@pytest.mark.parametrize(
    ("page", "limit", "deep"),
    [
        ("<div>" * 3, 3, False),
        ("<div>" * 4, 3, True),
        ("<b>" * 9 + "<i>" + "<div>" * 2, 6, False),  # the same three times counts, not more often
        ("<b>" * 9 + "<i>" + "<div>" * 3, 6, True),
        ("<b></b>" * 5 + "<b>" * 4 + "</b>" * 4 + "<div>" * 6, 6, False),
        ("<svg><title><div><p/>" + "<div>" * 3, 6, False),
        ("<svg>" + "<g/>" * 9, 3, False),  # nothing opens in svg by a tag that ends itself
        ("<svg><desc>" + "<div/>" * 9, 8, True),  # in HTML inside it does
        ("<svg><g>" + "<div>" * 3, 3, False),  # HTML leads out of svg
        ("<!-- " + "<div>" * 9 + "-->" + "<div>" * 3, 3, False),
        ("<script>" + "<div>" * 9 + "</script>" + "<div>" * 3, 3, False),
    ],
)
def test_how_deep_elements_nest(page, limit, deep):
    assert too_deep(page + "<br>" * limit, limit) == deep


@pytest.mark.parametrize(("attributes", "wide"), [(9, False), (10, False), (11, True)])
def test_how_many_attributes_a_tag_has(attributes, wide):
    assert too_wide("<a" + " bcd" * attributes + ">", 10) == wide


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        ([["Zug"], ["17"]], False),  # one number proves nothing
        ([["Zug"], ["17"], ["18"]], True),
        ([["Zug"], ["17"], ["x"]], False),
        ([["Zug"]], False),
        ([["Zug", "Ort"]], True),
    ],
)
def test_one_word_above_numbers_is_a_header_if_there_are_two(rows, header):
    assert is_header(rows) == header


def test_columns_are_read_up_to_a_number(monkeypatch):
    monkeypatch.setattr(delimited_module, "MOST_COLUMNS", 3)
    assert column_names(["a", "b", "c"], Dialect(header=True), "t.csv") == ["a", "b", "c"]
    with pytest.raises(FormatError, match="4 columns in its first row; at most 3"):
        column_names(["a", "b", "c", "d"], Dialect(header=True), "t.csv")


@pytest.mark.parametrize("name", ["a.jsonl", "a.json", "parts"])
def test_keys_of_json_that_are_data_are_no_columns(tmp_path, monkeypatch, name):
    """A megabyte of records with a key of its own each took hours, and five million keys of one all memory."""
    monkeypatch.setattr(table_files, "_MOST_CELLS", 1000)
    records = [{f"k{n}": n} for n in range(300)]
    if name == "parts":
        (tmp_path / name).mkdir()
        for n, record in enumerate(records):
            (tmp_path / name / f"{n}.json").write_text(json.dumps(record))
    else:
        text = json.dumps(records) if name == "a.json" else "\n".join(map(json.dumps, records))
        (tmp_path / name).write_text(text)
    with pytest.raises(FormatError, match="300 values for 300 columns in 300 records: are its keys data"):
        read_table(tmp_path / name)
    monkeypatch.setattr(table_files, "MOST_COLUMNS", 299)
    with pytest.raises(FormatError, match="has 300 columns in its records; at most 299 are read"):
        read_table(tmp_path / name)


def test_half_a_character_is_no_name_of_a_column():
    with pytest.raises(ColumnError, match="has no column"):
        dedupe([{"name": "Ada"}, {"name": "Eve"}], on="\ud800")


@pytest.mark.parametrize(
    ("bad", "refused"),
    [(1, False), (2, False), (3, True)],  # as many rows as fit are enough
)
def test_a_table_of_which_most_rows_do_not_fit_is_refused(bad, refused):
    data = b"a,b\n" + b"1,2\n" * 2 + b"1,2,3\n" * bad
    skipped = []
    if refused:
        with pytest.raises(FormatError, match=r"3 of 5 rows do not have the 2 cells of the first \(line 4 is one\)"):
            read_delimited(data, "t.csv", Dialect(header=True), skipped)
    else:
        assert len(read_delimited(data, "t.csv", Dialect(header=True), skipped)) == 2
        assert [one.line for one in skipped] == [4, 5][:bad]


def test_a_name_with_a_line_end_in_it():
    table = read_delimited(b'"a\nb",c\n1,2\n', "t.csv", Dialect(header=True), [])
    assert table.to_pylist() == [{"a\nb": "1", "c": "2"}]
    table = read_delimited(b'"a""b",c\n1,2\n', "t.csv", Dialect(header=True), [])
    assert table.to_pylist() == [{'a"b': "1", "c": "2"}]


def test_a_quote_that_is_never_closed_is_named_with_its_line():
    with pytest.raises(FormatError, match="a quote opened in line 3 is never closed"):
        read_delimited(b'a,b\n1,2\n3,"4\n5,6\n', "t.csv", Dialect(header=True), [])


@pytest.mark.parametrize(
    ("content", "quote"),
    [
        ('"Ada"\n"Grace"\n', '"'),
        ('"Ada" was here\nand "Grace"\n', None),  # quotes inside a text are its own
        ('""\nAda\n', '"'),
        ("Ada\nGrace\n", None),
    ],
)
def test_a_list_is_quoted_if_a_line_is(content, quote):
    assert detect_dialect(content, "t.txt").quote == quote


def test_rows_of_tabs_may_lack_the_last_cell():
    rows = ["a\tb\tc"] + ["1\t2\t3", "1\t2"] * 6
    found = detect_dialect("\n".join(rows) + "\n", "t.tsv")
    assert (found.optional, found.above) == (3, 0)
    titled = detect_dialect("\n".join(["All of it", *rows]) + "\n", "t.tsv")
    assert (titled.optional, titled.above) == (3, 1)
    short = detect_dialect("\n".join(["a\tb", *rows[1:]]) + "\n", "t.tsv")
    assert (short.optional, short.above) == (3, 0)  # a first row that lacks the last is no title


def test_where_a_byte_is_not_of_the_encoding(monkeypatch):
    monkeypatch.setattr(encoding_module, "guess", lambda _: SimpleNamespace(sure=True, encoding="cp1252"))
    with pytest.raises(FormatError, match="line 3: byte 0x81 is not cp1252"):
        detect_encoding(b"M\xfcde\nSch\xf6n\nein \x81 Loch\n", "t.txt")


def test_files_that_do_not_fit_together_are_named(tmp_path):
    (tmp_path / "a.csv").write_text("name,city\nAda,London\n")
    (tmp_path / "b.csv").write_text("size,shape\n1,round\n")
    with pytest.raises(FormatError, match=r"b\.csv has no column of .*a\.csv: size, shape against name, city"):
        read_table(tmp_path)


def test_the_index_of_a_frame_is_no_id_where_its_column_is_asked_for(tmp_path):
    (tmp_path / "t.csv").write_text(",name\n0,Ada\n1,Grace\n")
    plain = read_table(tmp_path / "t.csv")
    first = plain.table.column_names[0]
    assert any("numbers the rows" in note for note in plain.notes)
    asked = read_table(tmp_path / "t.csv", wanted=[first])
    assert not any("numbers the rows" in note for note in asked.notes)


def test_parts_of_a_text_end_where_a_paragraph_does():
    data = b"one two\n\nthree\n\nfour five six\n"
    found = list(parts(io.BytesIO(data), 17))
    assert [(at, number) for at, number, _ in found] == [(0, 1), (16, 2)]
    assert b"".join(piece for _, _, piece in found) == data
    assert [number for _, number, _ in parts(io.BytesIO(data), len(data))] == [0]
    assert [number for _, number, _ in parts(io.BytesIO(data), len(data) - 1)] == [1, 2]


def test_no_more_of_a_text_is_held_than_a_part():
    class Counting(io.BytesIO):
        asked = 0

        def read(self, size=-1):
            self.asked = max(self.asked, size)
            return super().read(size)

    stream = Counting(b"one two three\n" * 20)
    assert sum(len(piece) for _, _, piece in parts(stream, 40)) == 20 * 14
    assert stream.asked == 41


def _warc(body):
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.b/\r\nContent-Length: {len(http)}\r\n"
    head += "Content-Type: application/http; msgtype=response\r\n\r\n"
    return head.encode() + http + b"\r\n\r\n"


@pytest.mark.parametrize(("over", "read"), [(0, True), (1, False)])
def test_a_page_may_have_so_many_bytes(tmp_path, over, read):
    body = b"<p>" + b"soup " * 50 + b"</p>"
    (tmp_path / "a.warc").write_bytes(_warc(body))
    skipped = []
    found = list(
        documents(tmp_path / "a.warc", options=ReadOptions(max_bytes=len(body) - over), on_skip=skipped.append)
    )
    assert (len(found), [one.reason for one in skipped]) == ((1, []) if read else (0, ["too large"]))


@pytest.mark.parametrize(
    ("mode", "position", "top"),
    [
        (1, [10.0, 700.0, 0.0], 700.0),  # XYZ
        (2, [], None),  # Fit
        (3, [600.0], 600.0),  # FitH
        (4, [50.0], None),  # FitV: a left edge
        (5, [1.0, 2.0, 3.0, 500.0], 500.0),  # FitR
        (6, [1.0], None),  # FitB
        (7, [400.0], 400.0),  # FitBH
        (1, [10.0, 0.0], None),
    ],
)
def test_where_an_entry_of_an_outline_leads(mode, position, top):
    (mark,) = bookmarks_of([("Soup", 1, 0, mode, position)], 1)
    assert (mark.title, mark.level, mark.page, mark.top) == ("Soup", 2, 0, top)


def test_pages_of_sphinx_follow_their_sources(tmp_path):
    (tmp_path / "_sources").mkdir()
    (tmp_path / "_sources" / "index.rst.txt").write_text("Soup\n====\n\n.. toctree::\n\n   zest\n   apple\n")
    names = ["_sources/index.rst.txt", "_sources/zest.rst.txt", "_sources/apple.rst.txt", "apple.html", "index.html"]
    names.append("zest.html")
    for name in names[1:]:
        (tmp_path / name).write_text("x")
    assert [name for name in in_reading_order(tmp_path, names) if name.endswith(".html")] == [
        "index.html",
        "zest.html",
        "apple.html",
    ]


def test_front_matter_below_blank_lines():
    page = read_markdown("\n\n---\ntitle: Soup\n---\n\nIt is hot.\n\n---\nnote: x\n---\n")
    assert page.title == "Soup"
    assert page.text.startswith("It is hot.")


def test_where_a_block_of_markdown_stands():
    source = "> quoted soup\n> is hot\n\n- an item\n\nplain\n"
    page = read_markdown(source)
    assert [source[block.origin.start : block.origin.end] for block in page.blocks] == [
        "quoted soup\n> is hot",
        "an item",
        "plain",
    ]


def test_braces_that_are_written_are_no_braces():
    page = read_latex(r"\section{A \{set\} of soups} It is \emph{hot \} and \{ cold}.", ReadOptions())
    assert page.text == "A {set} of soups\n\nIt is hot } and { cold."


def test_what_stands_as_a_title_above_a_note_is_none():
    page = read_html('<h1>Soup</h1><div class="note"><h3 class="title">Note</h3><p>It is hot.</p></div>', ReadOptions())
    assert [(block.kind, block.level) for block in page.blocks] == [("title", 1), ("paragraph", 0), ("paragraph", 0)]


def test_blocks_of_rst_below_each_other():
    page = read_rst("Soup\n====\n\nfirst\n\n    quoted\n\nlast\n", ReadOptions())
    assert page.text.split("\n\n") == ["Soup", "first", "quoted", "last"]
    assert [block.kind for block in page.blocks] == ["title", "paragraph", "quote", "paragraph"]


def test_a_simple_table_of_rst_ends_with_its_last_rule():
    rule = "=====  =====\n"
    page = read_rst(f"{rule}one    two\n{rule}red    blue\n{rule}last\n", ReadOptions())
    assert [block.kind for block in page.blocks] == ["table", "paragraph"]
    assert page.text.endswith("\n\nlast")


@pytest.mark.parametrize(("source", "text"), [("soup:: hot", "soup: hot"), ("soup::", "soup")])
def test_a_term_of_asciidoc_with_and_without_what_it_means(source, text):
    page = read_asciidoc(source + "\n", ReadOptions())
    assert ([block.kind for block in page.blocks], page.text) == (["item"], text)


@pytest.mark.parametrize("source", ["a \\[x^2", "a \\[x^2\\] b", "a $$x^2$$"])
def test_a_formula_that_is_not_closed_goes_to_the_end(source):
    page = read_latex(source, ReadOptions())
    assert [page.text[block.span.start : block.span.end] for block in page.blocks if block.kind == "formula"] == ["x^2"]


def test_a_formula_of_nothing():
    assert "formula" not in [block.kind for block in read_latex("\\[\\] b", ReadOptions()).blocks]


@pytest.mark.parametrize(
    ("line", "why"),
    [(b'{"a": 1 2}', "not JSON: Expecting ',' delimiter at column 9"), (b'{"a": "\xff"}', "not UTF-8")],
)
def test_why_a_line_is_not_json(tmp_path, line, why):
    (tmp_path / "a.jsonl").write_bytes(b'{"text": "soup"}\n' + line + b"\n")
    skipped = []
    assert len(list(documents(tmp_path / "a.jsonl", options=ReadOptions(), on_skip=skipped.append))) == 1
    assert [(one.line, one.detail) for one in skipped] == [(2, why)]


def test_a_line_of_json_that_is_too_deep(tmp_path):
    (tmp_path / "a.jsonl").write_bytes(b'{"text": "soup"}\n' + b"[" * 200_000 + b"\n")
    skipped = []
    assert len(list(documents(tmp_path / "a.jsonl", options=ReadOptions(), on_skip=skipped.append))) == 1
    assert [(one.line, one.detail) for one in skipped] == [(2, "nested too deeply")]


@pytest.mark.parametrize(
    ("parts_of_it", "text"),
    [
        (["soup", ", hot"], "soup, hot"),
        (["soup", "hot"], "soup hot"),
        (["left-", "overs"], "left-overs"),
        (["soup (hot", ") is"], "soup (hot) is"),
    ],
)
def test_parts_of_a_line_of_pdf_are_put_together(parts_of_it, text):
    pieces = [(text, 10.0, 0.0, 10.0 * at) for at, text in enumerate(parts_of_it)]
    assert [line.text for line in lines_of(pieces, 1)] == [text]


def test_entries_of_an_outline_that_lead_nowhere_are_left_out():
    entries = [(f"Soup {page}", 0, page, 2, []) for page in (0, 1, 2, None)]
    assert [mark.page for mark in bookmarks_of(entries, 2)] == [0, 1]


def test_lines_of_a_table_are_decoded_one_by_one(monkeypatch):
    asked = []
    monkeypatch.setattr(delimited_module, "BytesIO", lambda data: asked.append(type(data)) or io.BytesIO(data))
    table = read_delimited("a,b\r\nü,\u20282\rx,3\n1\n".encode(), "t.csv", Dialect(header=True), [])
    assert table.to_pylist() == [{"a": "ü", "b": "\u20282"}, {"a": "x", "b": "3"}]
    assert asked == [bytes]  # and not as a string, which would take four bytes for each character


def test_a_cell_may_have_so_many_characters(monkeypatch):
    monkeypatch.setattr(delimited_module, "_CELL_LIMIT", 1 << 20)
    for size in (1 << 20, (1 << 20) + 1):
        data = b"a,b\n1\n2,%s\n" % (b"x" * size)
        if size > 1 << 20:
            with pytest.raises(FormatError, match="line 3: a cell of more than 1 MB"):
                read_delimited(data, "t.csv", Dialect(header=True), [])
        else:
            assert len(read_delimited(data, "t.csv", Dialect(header=True), [])) == 1


def test_a_line_of_a_list_has_no_more_characters_than_a_cell(monkeypatch):
    # 200 MB in one line went on to dedupe, which took 2 GB.
    monkeypatch.setattr(delimited_module, "_CELL_LIMIT", 1 << 20)
    plain = Dialect(delimiter=None, quote=None)
    assert len(read_delimited(b"red\n%s\n" % (b"x" * (1 << 20)), "t.txt", plain, [])) == 2
    with pytest.raises(FormatError, match="line 2: a text of more than 1 MB in one line"):
        read_delimited(b"red\n%s\n" % (b"x" * ((1 << 20) + 1)), "t.txt", plain, [])


def test_below_comments_a_line_with_a_hash_names_the_columns():
    rows = "#Nom X,Lieu Y\nJean Q,Lyon Z\nPaul R,Nice W\n"
    assert detect_dialect(f"# all of it\n{rows}", "t.csv").header
    assert not detect_dialect(f"# all of it\n{rows[1:]}", "t.csv").header


@pytest.mark.parametrize(
    ("comments", "header", "names", "rows"),
    [
        ("# name;city\n", None, ["name", "city"], 3),
        ("# made today\n#\n# name;city\n", None, ["name", "city"], 3),
        ("# name;city\n", True, ["name", "city"], 3),
        ("# name;city\n", False, ["column1", "column2"], 3),
        ("# name;city;zip\n", None, ["column1", "column2"], 3),
        ("# made by hand; 3.4.2021\n", None, ["column1", "column2"], 3),
        ("# who;where\nname;city\n", None, ["name", "city"], 3),
    ],
)
def test_the_comment_above_the_rows_may_name_the_columns(tmp_path, comments, header, names, rows):
    (tmp_path / "t.csv").write_text(f"{comments}Jean Q;Lyon Z\n# later\nPaul R;Nice W\nEve S;Nizza V\n")
    found = read_table(tmp_path / "t.csv", TableOptions(header=header))
    assert found.table.column_names == names
    assert found.table.num_rows == rows
    assert ("the comment above the rows is the header" in found.notes[0]) == (
        "# name;city\n" in comments and names[0] == "name"
    )


def test_a_book_says_where_its_parts_are_listed(tmp_path):
    for number, listed in enumerate(('<rootfile full-path=""/>', "<rootfile/>", "")):
        path = tmp_path / f"{number}.epub"
        with zipfile.ZipFile(path, "w") as book:
            book.writestr("META-INF/container.xml", f"<container><rootfiles>{listed}</rootfiles></container>")
        skipped = []
        assert list(documents(path, options=ReadOptions(), on_skip=skipped.append)) == []
        assert len(skipped) == 1
