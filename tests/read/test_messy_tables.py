"""Files as people have them: what must come out of each. None was made by Likewise."""

import csv
import io
import random
import sys
import time
import zipfile

import pyarrow as pa
import pyarrow.csv
import pytest
from tests.fuzz.run import mutate
from tests.fuzz.seeds import CELLS, SHEET, ods, workbook

from likewise.errors import FormatError, InputError, LikewiseError
from likewise.read import documents
from likewise.read.cells import Spanned
from likewise.read.encoding import detect_encoding
from likewise.read.tables import TableOptions, read_table

PEOPLE = [["Zoë", "Köln"], ["Jürgen", "Zürich"], ["François", "Besançon"]]
HEAD = ["name", "city"]


def text(rows, between=","):
    return "".join(between.join(row) + "\n" for row in rows)


# name of the case: bytes of the file, its columns, its first rows, a word of the note
MESSY: dict[str, tuple] = {
    "excel sep": (b"sep=;\r\nname;city\r\nAda;London\r\n", HEAD, [["Ada", "London"]], "semicolon"),
    "excel semicolons cp1252": (text([HEAD, *PEOPLE], ";").encode("cp1252"), HEAD, PEOPLE, "cp1252"),
    "excel unicode text": (text([HEAD, *PEOPLE], "\t").encode("utf-16"), HEAD, PEOPLE, "tab, utf-16"),
    "title line": (
        b"Customers of 2024\nname,city\nAda,London\nGrace,York\n",
        HEAD, [["Ada", "London"]], "1 line above",
    ),
    "title, blank, header": (b"Report\n\nname,city\nAda,London\nGrace,York\n", HEAD, [["Ada", "London"]], "above"),
    "title with empty cells": (b"Report;;\nname;city;id\nAda;London;1\nEve;Rome;2\n", [*HEAD, "id"], None, "above"),
    "comment lines": (
        b"# made by x\n# on 3 May, 2024\nname,city\nAda,London\nG,York\n",
        HEAD, [["Ada", "London"]], "2 lines",
    ),
    "comments, and a last cell that may be absent": (
        b"# zones\n#\n" + b"# said of it\n" * 40 + b"#codes\tplace\tzone\tcomments\nAD\t+42\tEurope/Andorra\n"
        b"AR\t-34\tAmerica/Lima\tmost areas\n# more\nAS\t-14\tPacific/Apia\nAU\t-31\tAustralia/Perth\tWest\n",
        ["#codes", "place", "zone", "comments"],
        [["AD", "+42", "Europe/Andorra", None], ["AR", "-34", "America/Lima", "most areas"]], "may be absent",
    ),
    "names below comments, with a hash": (
        b"# countries\n#\n#code\tname of it\nAD\tAndorra\nAE\tEmirates\n",
        ["#code", "name of it"], [["AD", "Andorra"]], "2 lines above",
    ),
    "header with a hash": (b"#id,name\n1,Ada\n2,Grace\n", ["#id", "name"], [["1", "Ada"]], "header"),
    "german header": (
        "Kunde;Stadt;Straße\nMeyer;Köln;Ring\nHuber;Graz;Weg\n".encode(),
        ["Kunde", "Stadt", "Straße"], None, "header",
    ),
    "french header": (
        "Nom,Prénom,Ville\nDurand,Anne,Lyon\nPetit,Luc,Nice\n".encode(),
        ["Nom", "Prénom", "Ville"], None, "header",
    ),
    "russian header": ("Фамилия,Город\nИванов,Москва\nПетров,Казань\n".encode(), ["Фамилия", "Город"], None, "header"),
    "japanese header": ("名前,住所\n山田太郎,東京都\n佐藤花子,大阪市\n".encode(), ["名前", "住所"], None, "header"),
    "header of another shape": (
        b"Wer,Was\nAda Lovelace,x 1\nGrace Hopper,y 2\nEve Low,z 3\nBob Kay,u 4\nAnn Lee,v 5\n",
        ["Wer", "Was"], None, "header",
    ),
    "no header": (
        b"Ada Lovelace,London\nGrace Hopper,New York\nEve Low,Rome\n",
        ["column1", "column2"], [["Ada Lovelace", "London"]], "no header",
    ),
    "pandas index": (b",name,city\n0,Ada,London\n1,Grace,York\n", ["index", *HEAD], [[0, "Ada", "London"]], "header"),
    "a delimiter behind every row": (
        b"name,city\nAda,London,\nGrace,York,\n", [*HEAD, "column3"], [["Ada", "London", None]], "header",
    ),
    "a column without a name": (
        b"name,born,\nAda,1815,\nGrace,1906,sic\nKurt,1906,\n",
        ["name", "born", "column3"], [["Ada", "1815", None]], "header",
    ),
    "long names above numbers": (
        b"State,Montgomery GI Bill - Selective Reserve of the National Guard,All\nALABAMA,1728,3\nALASKA,154,2\n",
        ["State", "Montgomery GI Bill - Selective Reserve of the National Guard", "All"], [["ALABAMA", "1728", "3"]],
        "header",
    ),
    "R row names": (
        b"name\tcity\tage\n1\tAda\tLondon\t36\n2\tGrace\tYork\t85\n",
        ["index", *HEAD, "age"], [[1, "Ada", "London", "36"]], "tab",
    ),
    "backslash escapes": (
        b'name,city\n"Ada \\"the Countess\\", L.",London\n"x, \\"y\\"",York\n',
        HEAD, [['Ada "the Countess", L.', "London"]], "backslash",
    ),
    "single quotes": (
        b"name,city\n'Lovelace, Ada','London'\n'Hopper, Grace','York'\n",
        HEAD, [["Lovelace, Ada", "London"]], "single quotes",
    ),
    "apostrophes": (b"name,city\nO'Brien,Cork\nD'Arcy,L'Aquila\n", HEAD, [["O'Brien", "Cork"]], "comma"),
    "quoted everything": (
        b'"name","city"\n"Ada","London"\n"Grace, H.","York"\n',
        HEAD, [["Ada", "London"], ["Grace, H.", "York"]], "comma",
    ),
    "line end in a cell": (
        b'name,city\n"Ada\nLovelace",London\nGrace,York\n',
        HEAD, [["Ada\nLovelace", "London"]], "comma",
    ),
    "blanks after commas": (
        b'name, city\nAda, London\n"Grace, H", York\n',
        HEAD, [["Ada", "London"], ["Grace, H", "York"]], "comma",
    ),
    "decimal commas": (b"name;price\nAda;1,50\nGrace;2,30\n", ["name", "price"], [["Ada", "1,50"]], "semicolon"),
    "bars": (b"name|city\nAda|London\nGrace|York\n", HEAD, [["Ada", "London"]], "bar"),
    "old Macintosh lines": (
        b"name,city\rAda,London\rGrace,York\r",
        HEAD, [["Ada", "London"], ["Grace", "York"]], "comma",
    ),
    "mixed line ends": (
        b"name,city\r\nAda,London\nGrace,York\r\n",
        HEAD, [["Ada", "London"], ["Grace", "York"]], "comma",
    ),
    "empty lines between": (
        b"name,city\n\nAda,London\n\n\nGrace,York\n",
        HEAD, [["Ada", "London"], ["Grace", "York"]], "2 rows",
    ),
    "byte-order mark": ("\ufeffname,city\nZoë,Köln\n".encode(), HEAD, [["Zoë", "Köln"]], "utf-8-sig"),
    "no line end at the end": (b"name,city\nAda,London", HEAD, [["Ada", "London"]], "1 row"),
    "stray quotes": (b'name\tsaid\nAda\t"never\nEve\tso\nBob\t"again\n', ["name", "said"], [["Ada", '"never']], "tab"),
    "polish cp1250": (
        text([HEAD, ["Wałęsa", "Gdańsk"], ["Żółty", "Łódź"], ["Święty", "Poznań"]]).encode("cp1250"),
        HEAD, [["Wałęsa", "Gdańsk"]], "cp1250",
    ),
    "russian cp1251": (
        text([HEAD, ["Иванов", "Москва"], ["Петров", "Казань"]]).encode("cp1251"),
        HEAD, [["Иванов", "Москва"]], "cp1251",
    ),
    "chinese GBK": (
        text([HEAD, ["张伟", "北京市"], ["王芳", "上海"], ["李娜", "广州大学"]]).encode("gbk"),
        HEAD, [["张伟", "北京市"]], "gb18030",
    ),
    "japanese Shift-JIS": (
        text([HEAD, ["山田太郎", "東京都"], ["さとう", "大阪市"]]).encode("shift_jis"),
        HEAD, [["山田太郎", "東京都"]], "cp932",
    ),
    "german Mac Roman": (
        text([HEAD, ["Müller", "Köln"], ["Größe", "Österreich"], ["Bäcker", "Zürich"]]).encode("mac_roman"),
        HEAD, [["Müller", "Köln"]], "mac_roman",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", MESSY)
def test_messy_files(tmp_path, case):
    content, columns, first, note = MESSY[case]
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    records = read_table(path)
    assert records.table.column_names == columns
    if first is not None:
        rows = [[row[name] for name in columns] for row in records.table.slice(0, len(first)).to_pylist()]
        assert rows == first
    assert note in records.notes[0]
    assert not records.skipped


def people(delimiter, first, second):
    """A table that is longer than what its quoting is guessed from, with two cells at its end."""
    rows = [["id", "name", "town"], *([f"{at}", f"Ada {at}", "London"] for at in range(6000))]
    rows[-2000][1], rows[-1000][1] = first, second
    return "".join(delimiter.join(row) + "\n" for row in rows).encode()


@pytest.mark.parametrize(
    ("delimiter", "first", "second", "plain"),
    [
        ("\t", '"kfijld', 'T"rnovo', True),  # GeoNames writes so
        ("\t", '"kfijld', 'Tirnovo"', True),
        (",", '"kfijld', 'T"rnovo', True),
        (",", '"kfijld"', '"Ada\nLovelace"', False),
        ("\t", '"Ada\tX"', '"Ada\nLovelace"', False),
    ],
)
def test_quotes_far_down_that_would_swallow_rows_are_text(tmp_path, delimiter, first, second, plain):
    path = tmp_path / "t.csv"
    path.write_bytes(people(delimiter, first, second))
    records = read_table(path)
    assert len(records) == 6000
    assert ("quotation marks are text" in records.notes[0]) == plain
    assert records.table["name"][-1000].as_py() == (second if plain else "Ada\nLovelace")
    assert not records.skipped


# Signs that belong to numbers are the only bytes beyond ASCII, as in price lists and tables of measures.
SIGNS = "12,50 €|12,50€|12,– €|1\xa0234,50 €|€ 12|£12|12 ¥|5 °C|20°C|1½|3×4|3 × 4|±5|§ 5|5 µm|Nº 5|n° 5|10 m²|Ø 12 mm"
SIGNS += "|1990–1995|© 2020|Acme®|Office™|1ª|25 ‰|(€)|;€;"


@pytest.mark.parametrize("sign", SIGNS.split("|"))
@pytest.mark.parametrize("rows", [1, 1000])
def test_signs_beside_numbers_tell_the_encoding(sign, rows):
    content = ("a;b;c\n" + f"{sign}\n" * rows).encode("cp1252")
    assert content.decode(detect_encoding(content, "t.csv").codec) == content.decode("cp1252")


@pytest.mark.parametrize(
    ("written", "encoding"), [("12 €", "mac_roman"), ("A;Ä\nB;Ö", "mac_roman"), ("5 ó 6", "cp1252")]
)
def test_letters_and_other_encodings_are_not_taken_for_signs(written, encoding):
    content = written.encode(encoding)
    with pytest.raises(FormatError, match="encoding"):
        detect_encoding(content, "t.csv")


SHORT = {
    # The second name of each is valid UTF-8 as well: ƽԭ, ȭõ.
    "gb18030": ["北京", "平原", "上海", "广州", "深圳", "天津", "重庆", "成都", "武汉", "西安"],
    "cp949": ["서울", "화천", "부산", "대구", "인천", "광주", "대전", "울산", "수원", "고성"],
}


@pytest.mark.parametrize("codec", SHORT)
def test_short_names_in_pairs_of_bytes_may_be_utf8_by_chance(codec):
    content = ("id,name\n" + "".join(f"{row},{name}\n" for row, name in enumerate(SHORT[codec]))).encode(codec)
    assert content.split(b"\n")[2].decode("utf-8")
    assert detect_encoding(content, "t.csv").codec == codec


@pytest.mark.parametrize("codec", SHORT)
@pytest.mark.parametrize("name", ["北京", "서울", "José"])
def test_lines_of_utf8_among_pairs_of_bytes_are_refused(codec, name):
    content = "".join(f"{row},{name}\n" for row, name in enumerate(SHORT[codec])).encode(codec)
    with pytest.raises(FormatError, match="mixes encodings: line 11 is UTF-8, line 1 is not"):
        detect_encoding(content + f"10,{name}\n".encode(), "t.csv")


REFUSED = {
    "a doubtful encoding": ("name\nJosü\n".encode("cp850"), "its words do not tell its encoding: cp850 reads 'Josü'"),
    "half of it UTF-8": (b"name\nJos\xe9\nZo\xc3\xab\n", "mixes encodings"),
    "a quote never closed": (b'a,b\n1,"never\nclosed\n', "quote opened in line 2 is never closed"),
    "a PDF": (b"%PDF-1.4\n1 0 obj\n", "a PDF file, which is not a table"),
    "the same name twice": (b"name,name\nAda,Eve\n", "column 'name' occurs more than once"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused_in_words(tmp_path, case):
    content, words = REFUSED[case]
    (tmp_path / "t.csv").write_bytes(content)
    with pytest.raises(FormatError, match=words):
        read_table(tmp_path / "t.csv")


def test_a_workbook_with_notes_above_and_an_index(tmp_path):
    pytest.importorskip("python_calamine")
    book = pytest.importorskip("openpyxl").Workbook()
    for row in (["Lots of people", "write"], ["notes"], ["here", None, "too"], [None, "name", "born", "died", "city"]):
        book.active.append(row)
    for row in ([4, "Ada", 1815, 1852, "London"], [7, "Kurt", 1906, 1978, "Brno"], [9, "Emmy", 1882, 1935, "Erlangen"]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    records = read_table(tmp_path / "t.xlsx")
    assert records.ids.to_pylist() == [4, 7, 9]
    assert records.columns == ["name", "born", "died", "city"]
    assert "3 rows above the table left out, first row is the header" in records.notes[0]


def test_columns_of_a_workbook_that_are_called_the_same_have_the_heading_that_spans_them(tmp_path):
    pytest.importorskip("python_calamine")
    book = pytest.importorskip("openpyxl").Workbook()
    for row in (["Places"], ["Place", None, None, "Time"], ["Name", "Lat", "Lon", "Name"]):
        book.active.append(row)
    book.active.merge_cells("A2:C2")
    for row in (["Aachen", "50° 46'", "6° 06'", "EU"], ["Bern", "46° 57'", "7° 26'", "EU"]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    records = read_table(tmp_path / "t.xlsx")
    assert records.table.column_names == ["Place Name", "Lat", "Lon", "Time Name"]
    assert records.table["Place Name"].to_pylist() == ["Aachen", "Bern"]


@pytest.mark.parametrize("ending", ["xlsx", "ods"])
def test_workbooks(tmp_path, ending):
    pytest.importorskip("python_calamine")
    pandas = pytest.importorskip("pandas")
    pytest.importorskip({"xlsx": "openpyxl", "ods": "odf"}[ending])
    frame = pandas.DataFrame({"name": ["Zoë", "Jürgen"], "born": [1815, 1906], "price": [1.5, None]})
    path = tmp_path / f"t.{ending}"
    with pandas.ExcelWriter(path) as book:
        frame.to_excel(book, sheet_name="People", index=False, startrow=2)
        frame.to_excel(book, sheet_name="Again", index=False)
    records = read_table(path)
    assert records.table.to_pylist() == [
        {"name": "Zoë", "born": "1815", "price": "1.5"},
        {"name": "Jürgen", "born": "1906", "price": None},
    ]
    assert "sheet 'People' (of 2)" in records.notes[0]
    assert read_table(path, TableOptions(sheet="2")).table.num_rows == 2
    with pytest.raises(InputError, match="no sheet 'x'; its sheets: 'People', 'Again'"):
        read_table(path, TableOptions(sheet="x"))


def test_a_workbook_that_is_none(tmp_path):
    pytest.importorskip("python_calamine")
    with zipfile.ZipFile(tmp_path / "t.xlsx", "w") as book:
        book.writestr("xl/workbook.xml", "<x")
    with pytest.raises(FormatError, match="not a workbook that can be read"):
        read_table(tmp_path / "t.xlsx")
    skipped = []
    assert list(documents(tmp_path, on_skip=skipped.append)) == []
    assert [(one.reason, one.detail[:14]) for one in skipped] == [("broken", "not a workbook")]


@pytest.mark.parametrize("content", [b"name,city\nAda,London\n", b'{"name": "Ada", "city": "London"}\n'])
def test_standard_input(monkeypatch, content):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    records = read_table("-")
    assert records.table.to_pylist() == [{"name": "Ada", "city": "London"}]
    assert records.notes[0].startswith("standard input: ")


def test_several_files_are_one_table(tmp_path):
    (tmp_path / "a.csv").write_text("name,city\nAda,London\n")
    (tmp_path / "b.csv").write_text("city,name,age\nYork,Grace,85\n")
    records = read_table(str(tmp_path / "*.csv"))
    assert [row["name"] for row in records.table.to_pylist()] == ["Ada", "Grace"]
    assert records.ids.to_pylist() == [0, 1]
    assert "not every file has the columns age" in records.notes[-1]
    (tmp_path / "c.csv").write_text("x,y\n1,2\n3,4\n")
    with pytest.raises(FormatError, match=r"c\.csv has no column of"):
        read_table(str(tmp_path / "*.csv"))
    with pytest.raises(LikewiseError, match="no file matches"):
        read_table(str(tmp_path / "*.tsv"))


def test_quick_and_careful_reading_agree(tmp_path):
    """pyarrow reads what is regular; with one ragged row more, Python's reader reads the same rows."""
    rng = random.Random(5)
    cells = ["Ada", "", "a,b", 'say "hi"', "two\nlines", " x ", "Zoë", "'q'", "a;b", "0", "-"]
    for _ in range(60):
        rows = [[rng.choice(cells) for _ in range(3)] for _ in range(rng.randrange(1, 12))]
        out = io.StringIO()
        csv.writer(out).writerows([["name", "city", "note"], *rows])
        (tmp_path / "a.csv").write_text(out.getvalue(), encoding="utf-8", newline="")
        (tmp_path / "b.csv").write_text(out.getvalue() + "only one cell\r\n", encoding="utf-8", newline="")
        options = TableOptions(delimiter=",", header=True)
        quick, careful = (read_table(tmp_path / name, options) for name in ("a.csv", "b.csv"))
        assert quick.table.to_pylist() == careful.table.to_pylist()
        assert len(careful.skipped) == 1


def test_a_thousand_mutated_tables_are_read_or_refused_in_words(tmp_path):
    chance = random.Random(3)
    seeds = [content for content, *_ in MESSY.values()] + [b'{"a": 1}\n{"a": "x"}\n', b'[{"a": 1}]']
    endings = ("csv", "csv", "tsv", "jsonl", "json", "txt", "csv.gz", "parquet", "xlsx")
    for _ in range(1000):
        target = tmp_path / f"t.{chance.choice(endings)}"
        target.write_bytes(mutate(chance.choice(seeds), seeds, chance))
        try:
            table = read_table(target).table
        except LikewiseError:
            continue
        assert isinstance(table, pa.Table)
        for column in table.columns:
            column.validate(full=True)


@pytest.mark.timing
def test_three_hundred_thousand_rows_take_at_most_twice_the_time_of_pyarrow(tmp_path):
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefghij", k=rng.randrange(3, 12))) for _ in range(5000)]
    with open(tmp_path / "t.csv", "w", encoding="utf-8") as file:
        file.write("id,name,city,street\n")
        for number in range(300_000):
            file.write(
                f'{number},{rng.choice(words)} {rng.choice(words)},{rng.choice(words)},"{rng.choice(words)}, 7"\n'
            )

    def best(call):
        times = []
        for _ in range(5):
            started = time.perf_counter()
            call()
            times.append(time.perf_counter() - started)
        return min(times)

    options = pyarrow.csv.ConvertOptions(column_types=dict.fromkeys(("id", "name", "city", "street"), pa.string()))
    parse = pyarrow.csv.ParseOptions(newlines_in_values=True)
    theirs = best(lambda: pyarrow.csv.read_csv(tmp_path / "t.csv", convert_options=options, parse_options=parse))
    assert best(lambda: read_table(tmp_path / "t.csv")) <= 2 * theirs


def test_a_workbook_whose_table_never_ends_is_refused(tmp_path):
    """The library that reads workbooks looked for its end for ever, and could not be interrupted."""
    path = tmp_path / "a.ods"
    path.write_bytes(ods(CELLS.replace(b"</table:table>", b"</table:tabne>")))
    with pytest.raises(FormatError, match=r"content\.xml is not XML: mismatched tag"):
        read_table(path)
    path.write_bytes(ods())
    assert read_table(path).table.to_pylist() == [{"id": "1", "name": "Ada"}] * 2


@pytest.mark.parametrize(
    ("repeated", "refused"),
    [(b'rows-repeated="3000000"', True), (b'columns-repeated="16384" table:number-rows-repeated="3"', False)],
)
def test_a_workbook_whose_cells_repeat_out_of_proportion_is_refused(tmp_path, repeated, refused):
    path = tmp_path / "a.ods"
    path.write_bytes(ods(CELLS.replace(b'rows-repeated="2"', repeated)))
    if refused:
        with pytest.raises(FormatError, match="its 4 cells stand for 6,000,002"):
            read_table(path)
    else:
        assert read_table(path).table.num_rows == 3


@pytest.mark.parametrize(
    ("last", "stand"),
    [
        (b"B1048576", None),
        (b"XFD3", None),
        (b"XFD1048576", "6 cells stand for 17,179,869,184"),
        (b"xfd1048576", "6 cells stand for 17,179,869,184"),
        (b"ZZ99999", "6 cells stand for 70,199,298"),
        (b"ZZZ9999999", "6 cells stand for 182,779,981,722"),
        (b"B" * 50 + b"1", f"a cell or a row is at '{'B' * 20}'"),
        (b"B" + b"9" * 5000, "a cell or a row is at"),
    ],
)
def test_a_workbook_whose_few_cells_are_far_apart_is_refused(tmp_path, last, stand):
    """The library makes all cells between them; where there was no room for them it ended the process."""
    path = tmp_path / "a.xlsx"
    path.write_bytes(workbook(SHEET.replace(b'r="B3"', b'r="' + last + b'"')))
    if stand is None:
        assert read_table(path).table.num_rows == 3
    else:
        with pytest.raises(FormatError, match=stand):
            read_table(path)


@pytest.mark.parametrize("spoilt", ["damaged", "packed"])
def test_another_part_that_cannot_be_read_hides_no_far_cells(tmp_path, spoilt):
    path, made = tmp_path / "a.xlsx", workbook(SHEET.replace(b'r="B3"', b'r="XFD1048576"'))
    with zipfile.ZipFile(path, "w") as archive, zipfile.ZipFile(io.BytesIO(made)) as sound:
        archive.writestr("xl/media/first.png", b"picture" * 9)
        for name in sound.namelist():
            archive.writestr(name, sound.read(name))
    whole = bytearray(path.read_bytes())
    if spoilt == "damaged":
        whole[whole.index(b"picture")] ^= 1
    else:
        whole[whole.index(b"PK\x01\x02") + 10] = 9  # a packing method that no workbook has
    path.write_bytes(whole)
    with pytest.raises(FormatError, match=r"stand for|packed in a way that workbooks are not"):
        read_table(path)


@pytest.mark.parametrize(
    ("elements", "meant"),
    [
        ([], 0),
        ([("row", "9")], 0),
        ([("row", ""), ("c", ""), ("c", ""), ("row", "9"), ("c", "")], 18),
        ([("x:row", ""), ("x:c", ""), ("x:c", ""), ("x:row", "9"), ("x:c", "")], 18),
        ([("row", "5"), ("c", "C7"), ("c", ""), ("v", "ZZ99"), ("row", ""), ("c", "b8")], 6),
        ([("c", "AA1"), ("c", "A1")], 27),
        ([("c", "A1"), ("row", ""), ("c", "")], 2),
    ],
)
def test_cells_that_do_not_say_where_they_are_follow_those_before(elements, meant):
    spanned = Spanned()
    for name, place in elements:
        spanned.begin(name, {"r": place} if place else {})
    assert spanned.meant == meant


PEOPLE = "".join(f"Name {place};City {place % 7};{1900 + place}\n" for place in range(100))


@pytest.mark.parametrize(
    ("above", "lines"),
    [("Report; 2024\nMade by: us\n\n", 3), ("Report; 2024\n", 1),
     ("Report; 2024; May\n\n", 2), ("A;B;C;D;E\n;;;;\n", 2),
     ("Report; 2024; May\nMade by: us\n\n", 3), ("Report;;\nMade; by us;\n;;\n", 3), ("area;sum\nNorth;5\n\n", 3)],
)  # fmt: skip
def test_lines_above_a_table_that_have_the_delimiter_in_them(tmp_path, above, lines):
    """They were refused, "is semicolon the delimiter?", or were rows without a word."""
    (tmp_path / "t.csv").write_text(above + "name;city;born\n" + PEOPLE)
    records = read_table(tmp_path / "t.csv")
    assert records.table.column_names == ["name", "city", "born"]
    assert len(records) == 100
    said = "1 line" if lines == 1 else f"{lines} lines"
    assert f"semicolon, utf-8, {said} above the table left out, first row is the header" in records.notes[0]


def test_lines_above_a_table_as_pandas_and_the_world_bank_write_them(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"Country Name": [f"Land {place}" for place in range(50)], "Code": range(50), "x": "y, z"})
    with open(tmp_path / "t.csv", "w") as file:
        file.write("Data Source,World Development Indicators\n\nLast Updated Date,2024-05-30\n\n")
        frame.to_csv(file, index=False)
    records = read_table(tmp_path / "t.csv")
    assert records.table.column_names == ["Country Name", "Code", "x"]
    assert records.table["x"].to_pylist() == ["y, z"] * 50


@pytest.mark.parametrize(
    "content",
    ["name;city\n" + PEOPLE.replace(";19", ";x;y;19"), "a;b;c\n" + "1;2\n" * 9, "Ada;Ulm\nIda;Rom\n" + PEOPLE[:99]],
)
def test_rows_that_do_not_fit_a_header_are_not_passed_over(tmp_path, content):
    (tmp_path / "t.csv").write_text(content)
    with pytest.raises(FormatError, match="is semicolon the delimiter"):
        read_table(tmp_path / "t.csv")


def test_a_header_above_ragged_rows_or_one_without_the_name_of_the_index_stays(tmp_path):
    for above in ("id;name;city\n1;2\n", "id;name;city\n\n1;2\n", "name;city\n", "Report;\nname;city;born\nA;B\n"):
        (tmp_path / "t.csv").write_text(above + PEOPLE)
        records = read_table(tmp_path / "t.csv")
        assert len(records) == 100
        assert records.table.column_names[-2:] == above.strip().split("\n")[-2 if "B" in above else 0].split(";")[-2:]
