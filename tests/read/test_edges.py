"""Small decisions of readers, each of which a changed source once got wrong without a test that noticed."""

import gzip
import io
import zipfile
import zlib
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.fuzz import seeds
from tests.read.test_formats import DOCX, ODT

from likewise.errors import FormatError, InputError, OptionError, StorageError
from likewise.read import ReadOptions, documents
from likewise.read import encoding as encoding_module
from likewise.read.arrow import written
from likewise.read.asciidoc import read_asciidoc
from likewise.read.cells import Repeated
from likewise.read.delimited import read_delimited
from likewise.read.depth import too_deep
from likewise.read.dialect import Dialect, _well_quoted, detect_dialect, has_index
from likewise.read.encoding import detect_encoding
from likewise.read.formats import by_ending, is_mail
from likewise.read.guess import guess
from likewise.read.header import is_header
from likewise.read.html import read_html
from likewise.read.man import read_man
from likewise.read.markdown import read_markdown
from likewise.read.markup import read_page
from likewise.read.order import in_reading_order
from likewise.read.pdf import _blocks
from likewise.read.pdf_lines import PdfLine
from likewise.read.pdf_outline import Bookmark, Outline
from likewise.read.responses import _decompress
from likewise.read.rst import read_rst
from likewise.read.skipped import Skipped, told
from likewise.read.table_files import row_place
from likewise.read.tables import read_table


def test_a_number_is_written_whole_as_long_as_every_whole_number_is_one():
    assert (written(2.0**53 - 1), written(2.0**53)) == ("9007199254740991", "9007199254740992.0")


@pytest.mark.parametrize("packed", [zlib.compress(b"soup"), zlib.compress(b"soup", wbits=-15)])
def test_deflate_comes_with_and_without_a_header(packed):
    assert _decompress(packed, "deflate", 99) == b"soup"


@pytest.mark.parametrize("level", [1, 2, 5])
def test_the_level_of_a_title_is_the_number_of_its_signs(level):
    (block,) = read_asciidoc("=" * level + " Soup is hot\n", ReadOptions()).blocks
    assert block.level == level


def test_sources_of_sphinx_may_have_more_points_in_their_names():
    assert [by_ending(name).name for name in ("a.rst.txt", "a.b.rst.txt", "a.b.txt")] == ["rst", "rst", "text"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["a", "b"], ["1", "x", "y"]], True),
        ([["a", "b"]], False),
        ([["a"], ["1", "x"]], False),
        ([["", "a"], ["7", "y"]], True),
        ([["", "a"], ["x", "y"]], False),
    ],
)
def test_an_index_is_a_cell_more_than_the_header_or_numbers_without_a_name(rows, expected):
    assert has_index(rows) == expected


def test_names_that_repeat_are_a_header_if_half_of_them_are_usual_ones():
    body = [["Ada", "b", "c", "Rome"]]
    assert is_header([["name", "foo", "foo", "city"], *body])
    assert not is_header([["name", "foo", "foo", "bar"], *body])


def test_a_page_says_how_it_is_encoded(tmp_path):
    (tmp_path / "a.html").write_bytes('<meta charset="windows-1251"><p>Суп горячий.</p>'.encode("cp1251"))
    assert [document.text for document in documents(tmp_path)] == ["Суп горячий."]


def blocks(content):
    return [(block.kind, block.span.of(content.text)) for block in content.blocks]


@pytest.mark.parametrize("container", ["<container/>", "<container><rootfile/></container>"])
def test_a_book_that_names_no_package_is_said_to(tmp_path, container):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("META-INF/container.xml", container)
    (tmp_path / "a.epub").write_bytes(data.getvalue())
    skipped = []
    assert list(documents(tmp_path / "a.epub", on_skip=skipped.append)) == []
    assert [(one.reason, one.detail) for one in skipped] == [("broken", "META-INF/container.xml names no package file")]


@pytest.mark.parametrize(("cells", "header"), [("#1\t2", True), ("1\t#2", False), ("1\t2", False)])
def test_below_a_comment_a_hash_before_the_first_cell_names_columns(cells, header):
    assert detect_dialect(f"# made today\n{cells}\n3\t4\n#5\t6\n", "t.tsv").header == header


def test_the_lines_of_a_table_are_told_with_the_header_that_ids_need(tmp_path):
    (tmp_path / "t.csv").write_text("7,8\n1,2\n1,3\n")
    with pytest.raises(InputError, match=r"\(line 2 and line 3\)"):
        read_table(tmp_path / "t.csv", id="7")


def test_manual_pages_leave_out_macros_and_the_formats_of_tables():
    page = ".TH A 1\n.SH B\n.de Foo END\nbad\n.END\ngood\n.TS\nl l.\na\tb\n.T&\nr\nl l.\nc\td\n.sp\n.TE\n"
    assert blocks(read_man(page, ReadOptions())) == [("title", "B"), ("paragraph", "good"), ("table", "a\tb\nc\td")]


def test_lists_in_lists_end_where_they_end():
    found = blocks(read_html("<ul><li>a<ul><li>b</ul>c</ul></ul><p>d<ul><li>e</ul><p>f", ReadOptions()))
    assert found == [
        (kind, text) for text, kind in zip("abcdef", ["item"] * 3 + ["paragraph", "item", "paragraph"], strict=True)
    ]


@pytest.mark.parametrize(("attribute", "count"), [("", 1), (' display="inline"', 1), (' display="block"', 3)])
def test_a_formula_is_a_block_where_it_is_displayed_as_one(attribute, count):
    assert len(read_page(f"<p>so <math{attribute}><mi>y</mi></math> it <b display='block'>is</b></p>").blocks) == count


def test_a_plus_alone_is_passed_over():
    assert blocks(read_asciidoc("a\n\n+\n\nb\n", ReadOptions())) == [("paragraph", "a"), ("paragraph", "b")]


def test_formatting_that_is_repeated_more_than_three_times_ends_without_being_counted():
    assert too_deep("<b>" * 4 + "</b>" + "<div>" * 4, 6)
    assert not too_deep("<b>" * 4 + "</b>" * 2 + "<div>" * 4, 6)
    assert too_deep("<b>" * 5 + "</b>" * 2 + "<div>" * 4, 6)


@pytest.mark.parametrize(("name", "encoding"), [("utf-8", "utf-8"), ("latin-1", "cp1252")])
def test_large_files_are_looked_at_as_small_ones_are(monkeypatch, name, encoding):
    monkeypatch.setattr(encoding_module, "_LARGE", 4)
    assert detect_encoding("Die Küche öffnet für Gäste aus Köln.\n".encode(name), "a.csv").said == encoding


@pytest.mark.parametrize(("height", "kind"), [(23.0, "paragraph"), (23.1, "title")])
def test_a_line_of_a_pdf_is_a_title_if_it_is_larger_than_usual_by_a_sixth(height, kind):
    pages = [[PdfLine("Soup is hot", height, 0.0, 0.0, 0)]]
    assert [block.kind for block in _blocks(pages, 20.0, Outline(pages, [])).content("").blocks] == [kind]


def test_the_order_of_pages_is_their_own_and_not_that_of_sources_beside_them(tmp_path):
    contents = {"index.rst": ("z", "a"), "_sources/index.rst.txt": ("a", "z")}
    (tmp_path / "_sources").mkdir()
    for name, listed in contents.items():
        (tmp_path / name).write_text(".. toctree::\n\n   " + "\n   ".join(listed) + "\n")
    assert in_reading_order(tmp_path, ["a.rst", "z.rst", *contents])[:3] == ["index.rst", "z.rst", "a.rst"]


@pytest.mark.parametrize(
    ("source", "origins"),
    [
        ("Said[^1].\n\n[^1]: Not\n    quite.\n", ["Said[^1].", "Not\n    quite."]),
        ("Term\n: Meaning *of* it\n", ["Meaning *of* it"]),
        ("- [x] done\n", ["[x] done"]),
        ("> quoted\n> more\n", ["quoted\n> more"]),
    ],
)
def test_a_block_of_markdown_stands_behind_its_signs(source, origins):
    assert [source[block.origin.start : block.origin.end] for block in read_markdown(source).blocks] == origins


def test_files_that_do_not_fit_together_are_named_by_the_first(tmp_path):
    for name, value in (("a", 1), ("b", [1])):
        pq.write_table(pa.table({"x": [value]}), tmp_path / f"{name}.parquet")
    with pytest.raises(FormatError, match=r"a\.parquet and the others do not fit together"):
        read_table(str(tmp_path / "*.parquet"))


@pytest.mark.parametrize(("last", "whole"), [("'it is\nhot'", True), ("'it is\nhot", False), ("'it is\nhot''", False)])
def test_a_quote_that_is_never_closed_is_told_whichever_it_is(last, whole):
    data = f"id,said\n1,'so, so'\n2,'well, no'\n3,{last}\n".encode()
    dialect = replace(detect_dialect("id,said\n1,'so, so'\n2,'well, no'\n", "t.csv"), quote="'")
    if whole:
        assert read_delimited(data, "t.csv", dialect, [])["said"].to_pylist() == ["so, so", "well, no", "it is\nhot"]
    else:
        with pytest.raises(FormatError, match="a quote opened in line 4 is never closed"):
            read_delimited(data, "t.csv", dialect, [])


@pytest.mark.parametrize("page", ["====\nSoup\n====", "====\nSoup\n====\n", "Soup\n===="])
def test_a_title_may_be_the_last_of_a_page(page):
    content = read_rst(page, ReadOptions())
    assert (content.title, blocks(content)) == ("Soup", [("title", "Soup")])


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("soup.txt", r"soup\.txt: no such file or folder$"),
        ("It is hot.", r"no such file or folder; texts, not paths, go into a list$"),
    ],
)
def test_what_is_no_file_is_told_by_what_it_looks_like(source, said):
    with pytest.raises(InputError, match=said):
        list(documents(source))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("red soup.csv", "does not exist$"),
        ("soup", "does not exist$"),
        ("red soup", "does not exist; texts, not paths, go into a list$"),
    ],
)
def test_a_table_that_is_no_file_is_told_by_what_it_looks_like(source, said):
    with pytest.raises(StorageError, match=said):
        read_table(source)


def test_an_address_is_told_to_be_one():
    with pytest.raises(StorageError, match=r"^https://soup\.example/a\.csv is an address; only files are read"):
        read_table("https://soup.example/a.csv")


@pytest.mark.parametrize(("away", "found"), [(30, "Soups"), (40, "1 Soups")])
def test_a_title_without_its_number_is_better_than_one_with_it_that_is_a_bit_nearer(away, found):
    page = [PdfLine("1 Soups", 500, 490, 50, 0), PdfLine("Soups", 500 - away, 490 - away, 50, 0)]
    outline = Outline([page], [Bookmark("Soups", 1, 0, 500.0)])
    assert [one.text for line in (0, 1) for one in outline.at(0, line)] == [found]


def test_half_a_character_is_shown_with_ten_on_each_side():
    with pytest.raises(InputError) as error:
        read_table(["0123456789abcdef\ud800ghijklmnopqrst"])
    assert str(error.value) == r"table: an unpaired surrogate in the text '6789abcdef\ud800ghijklmnop'"


@pytest.mark.parametrize(("rows", "header"), [(20, False), (21, True)])
def test_more_than_twenty_values_that_come_again_and_again_are_below_a_header(rows, header):
    body = [["Rot", "Blau"] if row % 2 else ["Gelb", "Rosa"] for row in range(rows)]
    assert is_header([["Alpha", "Beta"], *body]) == header


@pytest.mark.parametrize(
    ("names", "mail"),
    [
        (["Subject", "To"], False),
        (["Subject", "To", "From"], True),
        (["Subject", "Soup"], False),
        (["From", "Date"], True),
        (["Message-ID", "To"], True),
        (["Message-ID"], False),
    ],
)
def test_a_file_is_mail_if_its_headers_are_those_of_mail(names, mail):
    assert is_mail("".join(f"{name}: soup\n" for name in names).encode() + b"\nIt is hot.\n") == mail


def test_a_packed_text_that_is_large_but_in_proportion_is_no_bomb(tmp_path, monkeypatch):
    monkeypatch.setattr("likewise.read.open.BOMB_BYTES", 1 << 10)
    text = " ".join(f"word {number * 7919 % 10007}" for number in range(10_000))
    (tmp_path / "soup.txt.gz").write_bytes(gzip.compress(text.encode()))
    (found,) = documents(tmp_path / "soup.txt.gz")
    assert found.text == text


def test_a_cell_of_an_open_document_stands_for_those_that_repeat_it():
    cells = Repeated()
    for rows, columns in (("3", "2"), (None, None), ("4", None), (None, "5")):
        cells.begin("table:table-row", {"table:number-rows-repeated": rows} if rows else {})
        repeated = {"table:number-columns-repeated": columns} if columns else {}
        cells.begin("table:table-cell", {"office:value-type": "string", **repeated})
        cells.begin("table:table-cell", repeated)  # nothing in it
        cells.end("table:table-row")
    assert (cells.written, cells.meant) == (4, 3 * 2 + 1 + 4 + 5)


@pytest.mark.parametrize(
    ("last", "before", "cut", "well"),
    [
        ('c,"open\n', 10_000, True, True),  # it is closed behind the sample, maybe
        ('c,"open\n', 10_000, False, False),
        ('c,"open\n', 10, True, False),
        ('c,"Ada" was here\n', 10_000, True, False),
    ],
)
def test_a_quote_that_is_open_where_a_long_sample_ends_is_no_stray_one(last, before, cut, well):
    assert _well_quoted(["a,b\n"] * before + [last], Dialect(), cut) == well


@pytest.mark.parametrize(
    ("encoding", "towns"),
    [
        ("cp1251", "МОСКВА, САНКТ-ПЕТЕРБУРГ, НОВОСИБИРСК, ЕКАТЕРИНБУРГ, КАЗАНЬ"),
        ("koi8_r", "МОСКВА, САНКТ-ПЕТЕРБУРГ, НОВОСИБИРСК, ЕКАТЕРИНБУРГ, КАЗАНЬ"),
        ("koi8_r", "москва, санкт-петербург, новосибирск"),
        ("cp1251", "СОФИЯ, ПЛОВДИВ, ВАРНА"),
        ("cp1253", "ΑΘΗΝΑ, ΘΕΣΣΑΛΟΝΙΚΗ, ΠΑΤΡΑ"),
        ("cp1252", "MÜNCHEN, KÖLN, NÜRNBERG, DÜSSELDORF"),
        ("mac_roman", "MÁLAGA, CÓRDOBA, CÁDIZ, LEÓN, JOSÉ NÚÑEZ"),
    ],
)
def test_a_list_in_capitals_is_read_by_the_letters_of_its_language(encoding, towns):
    found = guess(towns.encode(encoding))
    assert found is not None
    assert (found.encoding, found.sure) == (encoding, True)


@pytest.mark.parametrize("names", [("TH Soup 1", "SH", "SS"), ("Dd today", "Sh", "Ss")])
def test_sections_of_a_manual_page_stand_below_its_name_and_their_parts_below_them(names):
    begin, section, part = names
    page = f".{begin}\n.{section} Soups\nhot\n.{part} Broth\nhotter\n"
    titles = [block.level for block in read_man(page, ReadOptions()).blocks if block.kind == "title"]
    assert titles == [2, 3]


def test_a_book_without_a_word_is_said_to_be_one(tmp_path):
    rootfile = '<rootfile full-path="b.opf"/>'
    listed = '<item id="a" href="a.xhtml" media-type="text/html"/>'
    package = f'<package><manifest>{listed}</manifest><spine><itemref idref="a"/></spine></package>'
    with zipfile.ZipFile(tmp_path / "book.epub", "w") as archive:
        archive.writestr("mimetype", "application/epub+zip")
        archive.writestr("META-INF/container.xml", f"<container>{rootfile}</container>")
        archive.writestr("b.opf", package)
        archive.writestr("a.xhtml", "<html><body><img src='cover.png'/></body></html>")
    skipped = []
    assert list(documents(tmp_path / "book.epub", on_skip=skipped.append)) == []
    assert [(one.reason, one.detail) for one in skipped] == [("no text", "no chapter has any")]


def test_a_file_of_comments_begins_at_its_beginning():
    assert detect_dialect("# soup\n# broth\n", "t.csv").above == 0


def test_two_that_were_left_out_for_one_reason_are_told_together():
    two = [Skipped(name, None, "no text") for name in ("a.1", "b.1")]
    assert told(two) == "2 skipped, all as no text (nothing readable in it), such as a.1"
    assert told(two[:1]) == "skipped a.1: no text"


@pytest.mark.parametrize(
    ("name", "content", "place"),
    [
        ("t.jsonl", '{"x": "a"}\n', "line 1"),
        ("t.jsonl", '\n{"x": "a"}\n{"x": "b"}\n', "line 2"),
        ("t.json", '[\n{"x": "a"}\n]\n', "row 1"),
        ("t.json", '{"x": "a"}\n{"x": "b"}\n', "line 1"),
    ],
)
def test_records_of_json_have_a_line_where_each_has_its_own(tmp_path, name, content, place):
    (tmp_path / name).write_text(content)
    assert row_place(tmp_path / name, 0) == place


def test_a_break_before_all_words_does_not_make_the_next_one_the_second():
    content = read_html("<p><br>a<br>b<br><br>c</p>", ReadOptions())
    assert content.text == "a b\n\nc"


@pytest.mark.parametrize("name", ["max_bytes", "max_depth"])
def test_limits_of_reading_begin_at_one(name):
    assert getattr(ReadOptions(**{name: 1}), name) == 1
    with pytest.raises(OptionError, match=f"{name} must be 1 or more, not 0"):
        ReadOptions(**{name: 0})


@pytest.mark.parametrize(("letters", "reasons"), [(50, []), (51, ["too large"])])
def test_a_text_of_a_row_may_have_so_many_bytes_not_letters(tmp_path, letters, reasons):
    pq.write_table(pa.table({"text": ["é" * letters]}), tmp_path / "t.parquet")
    skipped = []
    found = list(documents(tmp_path / "t.parquet", options=ReadOptions(max_bytes=100), on_skip=skipped.append))
    assert (len(found), [one.reason for one in skipped]) == (1 - len(reasons), reasons)


LEVELS = [("x", 1), ("", 1), ("1e9", 1), ("-5", 1), ("9" * 5000, 1), ("3", 3), ("12", 12)]


@pytest.mark.parametrize(("said", "level"), LEVELS)
def test_the_level_of_a_title_of_open_document_may_be_anything(tmp_path, said, level):
    """What is no number was a traceback."""
    content = ODT["content.xml"].replace('outline-level="1"', f'outline-level="{said}"')
    (tmp_path / "a.odt").write_bytes(seeds.zipped({**ODT, "content.xml": content}))
    (document,) = documents(tmp_path / "a.odt")
    assert [one.level for one in document.blocks if one.kind == "title"] == [level]


@pytest.mark.parametrize("encoding", ["hex", "idna", "undefined", "utf_7", "punycode", "x" * 5000])
def test_an_encoding_that_xml_cannot_have_is_named(tmp_path, encoding):
    """Python knows some that are no encodings of text, or of other sizes: each failed in a way of its own."""
    document = f"<?xml version='1.0' encoding='{encoding}'?>" + DOCX["word/document.xml"].partition("?>")[2]
    (tmp_path / "a.docx").write_bytes(seeds.zipped({**DOCX, "word/document.xml": document}))
    (tmp_path / "b.txt").write_text("Soup is hot.")
    skipped = []
    assert [one.text for one in documents(tmp_path, on_skip=skipped.append)] == ["Soup is hot."]
    assert [(one.reason, one.detail.partition(":")[0]) for one in skipped] == [("broken", "word/document.xml")]


def test_a_size_of_thousands_of_digits_begins_no_record(tmp_path):
    (tmp_path / "a.arc").write_bytes(seeds.ARC.replace(b"text/html 60", b"text/html " + b"9" * 5000))
    skipped = []
    assert list(documents(tmp_path / "a.arc", on_skip=skipped.append)) == []
    assert [one.reason for one in skipped] == ["broken"]
