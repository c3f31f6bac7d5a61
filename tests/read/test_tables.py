import bz2
import gzip
import io
import json
import lzma
import re
import shutil
import subprocess
from uuid import UUID

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likewise as lw
from likewise.errors import ColumnError, FormatError, InputError, OptionError, StorageError
from likewise.read.dialect import detect_dialect
from likewise.read.drawn import is_drawn
from likewise.read.tables import TableOptions, read_table, texts_of

CSV = 'id,name,city\n1,Zoë Müller,Köln\n2,"Smith, John",\n3,O\'Brien,Cork\n'
ROWS = [
    {"id": "1", "name": "Zoë Müller", "city": "Köln"},
    {"id": "2", "name": "Smith, John", "city": None},
    {"id": "3", "name": "O'Brien", "city": "Cork"},
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", "\t", ";", "|"])
@pytest.mark.parametrize("packed", [False, True])
def test_detects_how_a_file_is_written(tmp_path, encoding, delimiter, packed):
    content = CSV.replace("Smith, John", "Smith; John | , \t x").replace(",", delimiter)
    content = content.replace('"Smith; John | ' + delimiter, '"Smith; John | ' + delimiter).encode(encoding)
    path = tmp_path / ("t.csv.gz" if packed else "t.csv")
    path.write_bytes(gzip.compress(content) if packed else content)
    records = read_table(path)
    assert records.table.column_names == ["id", "name", "city"]
    assert records.table["name"].to_pylist()[0] == "Zoë Müller"
    assert records.table["city"].to_pylist() == ["Köln", None, "Cork"]
    assert "header" in records.notes[0]


def test_the_same_rows_from_every_format(tmp_path):
    import json

    table = pa.Table.from_pylist(ROWS)
    (tmp_path / "t.csv").write_text(CSV, encoding="utf-8")
    (tmp_path / "t.tsv").write_text(
        "id\tname\tcity\n1\tZoë Müller\tKöln\n2\tSmith, John\t\n3\tO'Brien\tCork\n", "utf-8"
    )
    (tmp_path / "t.jsonl").write_text("\n".join(json.dumps(row) for row in ROWS), "utf-8")
    (tmp_path / "t.json").write_text(json.dumps(ROWS), "utf-8")
    pq.write_table(table, tmp_path / "t.parquet")
    for path in sorted(tmp_path.iterdir()):
        assert read_table(path).table.to_pylist() == ROWS, path


def test_the_same_rows_from_every_object():
    pandas = pytest.importorskip("pandas")
    polars = pytest.importorskip("polars")
    columns = {key: [row[key] for row in ROWS] for key in ROWS[0]}
    for source in (
        ROWS,
        columns,
        pa.table(columns),
        pa.table(columns).to_batches()[0],
        pandas.DataFrame(ROWS),
        polars.DataFrame(ROWS),
    ):
        assert read_table(source).table.to_pylist() == ROWS, type(source)
    names = columns["name"]
    for source in (
        names,
        tuple(names),
        np.array(names),
        pa.array(names),
        pandas.Series(names),
        polars.Series(names),
        (name for name in names),
    ):
        assert read_table(source).table.to_pylist() == [{"text": name} for name in names], type(source)


@pytest.mark.parametrize(
    ("content", "names", "first"),
    [
        ("name,year\nAda,1815\n", ["name", "year"], "Ada"),
        ("Name,Year\nAda,1815\nGrace,1906\n", ["Name", "Year"], "Ada"),
        ("Ada,1815\nGrace,1906\n", ["column1", "column2"], "Ada"),
        ("Ada Lovelace\nGrace Hopper\n", ["text"], "Ada Lovelace"),
        ("name\nAda Lovelace\nGrace Hopper\n", ["name"], "Ada Lovelace"),
        ("paris\nlondon\n", ["text"], "paris"),
        ("Company,Town\nAcme Ltd,Leeds\nFoo Inc,York\n", ["Company", "Town"], "Acme Ltd"),
        ("Acme Ltd,Leeds\nFoo Inc,York\n", ["column1", "column2"], "Acme Ltd"),
        ("rec_id, given_name\nrec-1, ada\nrec-2, \n", ["rec_id", "given_name"], "rec-1"),
        ("a b,c d,\nx,y,\n", ["column1", "column2", "column3"], "a b"),
    ],
)
def test_header(tmp_path, content, names, first):
    path = tmp_path / "t.csv"
    path.write_text(content)
    table = read_table(path).table
    assert table.column_names == names
    assert table[names[0]][0].as_py() == first


GROUPED = [
    ("{},2023,2023,2024,2024\ncity,sales,costs,sales,costs\nRome,4,3,5,4\nOslo,7,5,8,6\n", "2023 sales"),
    ("{},2023,,2024,\ncity,sales,costs,sales,costs\nRome,4,3,5,4\nOslo,7,5,8,6\n", "2023 sales"),
    ("Today\n{};Buyer;Buyer;Seller;Seller\nid;name;city;name;city\n" + "7;Ada;Rome;Eve;Oslo\n" * 9, "Buyer name"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "second"), GROUPED)
@pytest.mark.parametrize("first", ["", "Place"])
def test_a_row_of_groups_above_the_header(tmp_path, content, second, first):
    (tmp_path / "t.csv").write_text(content.format(first))
    records = read_table(tmp_path / "t.csv")
    assert records.table.column_names[1] == second
    assert "a row of groups above the header, first row is the header" in records.notes[0]
    assert len(records) == content.count("\n") - 2 - content.startswith("Today")


def test_a_frame_with_columns_in_groups(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("python_calamine")
    columns = [("", "name"), ("where", "city"), ("where", "country"), ("money", "sales")]
    rows = [(f"Ada {number}", "Rome", "Italy", number) for number in range(9)]
    frame = pandas.DataFrame(rows, columns=pandas.MultiIndex.from_tuples(columns))
    frame.to_csv(tmp_path / "plain.csv", index=False)
    frame.to_csv(tmp_path / "index.csv")
    frame.to_excel(tmp_path / "index.xlsx")
    for name in ("plain.csv", "index.csv", "index.xlsx"):
        records = read_table(tmp_path / name)
        assert records.columns == ["name", "city", "country", "sales"]
        assert records.table["name"].to_pylist() == [row[0] for row in rows]


@pytest.mark.parametrize(
    "content",
    [
        "Rome,,Rome\nOslo,Norway,x\nBonn,Germany,y\n",  # rows, of which the first lacks a cell
        "name,name,city\nAda,Grace,Rome\nEve,Emmy,Oslo\nIda,Ada,Bonn\n",  # names that come again
        "4,4,5\n7,8,9\n1,2,3\n",
        "a,a,b\nb,a,c\nc,b,a\na,a,a\n",
    ],
)
def test_what_is_no_row_of_groups(content):
    assert detect_dialect(content, "t.csv").groups == ()


DRAWN = [
    "| name | born |\n|------|-----:|\n| Ada \\| Byron | 1815 |\n|  | 1906 |\n",
    "name | born\n--- | ---\nAda / Byron | 1815\n | 1906\n",
    "+------+------+\n| name | born |\n+------+------+\n| Ada / Byron | 1815 |\n|      | 1906 |\n+------+------+\n",
    "┌──────┬──────┐\n│ name │ born │\n├──────┼──────┤\n│ Ada / Byron │ 1815 │\n│      │ 1906 │\n└──────┴──────┘\n",
    "    name     | born \n-------------+------\n Ada / Byron | 1815\n             | 1906\n",
]


@pytest.mark.parametrize("content", DRAWN)
@pytest.mark.parametrize("name", ["t.txt", "t.csv", "t.dat"])
def test_tables_drawn_with_lines(tmp_path, content, name):
    (tmp_path / name).write_bytes(content.encode())
    records = read_table(tmp_path / name)
    assert records.table.to_pylist() == [{"name": "Ada / Byron", "born": "1815"}, {"name": None, "born": "1906"}]
    assert "drawn with lines, 2 rows" in records.notes[0]
    (tmp_path / name).write_bytes(content.encode() + b"| Grace | 1906 | x |\n")
    [left_out] = read_table(tmp_path / name).skipped
    assert left_out.line == content.count("\n") + 1


@pytest.mark.parametrize("content", ["Ada\n---\nGrace\n", "a|b\nc|d\ne|f\n", "---\ntitle: x\n---\na | b\n"])
def test_what_is_not_drawn(content):
    assert not is_drawn(content)


R_TABLE = '"name" "born"\n"1" "Ada Byron" 1815\n"2" "Emmy Noether" 1882\n"3" "Sofia Kovalevskaya" NA\n'


@pytest.mark.parametrize("name", ["t.txt", "t.tab", "t.csv", "t.dat", "t"])
@pytest.mark.parametrize("numbered", [True, False])
def test_cells_parted_by_spaces_as_r_writes_them(tmp_path, name, numbered):
    content = R_TABLE if numbered else re.sub(r'(?m)^"\d" ', "", R_TABLE)
    (tmp_path / name).write_text(content)
    records = read_table(tmp_path / name)
    assert records.columns == ["name", "born"]
    assert records.table["name"].to_pylist() == ["Ada Byron", "Emmy Noether", "Sofia Kovalevskaya"]
    assert "space, utf-8" in records.notes[0]


@pytest.mark.parametrize("line", ['say "yes" now\n"Ada" is here\nno quotes\n', 'a "b c\n' * 3, '"Ada Byron"\n' * 3])
def test_texts_with_quotation_marks_stay_texts(tmp_path, line):
    (tmp_path / "t.txt").write_text(line)
    assert read_table(tmp_path / "t.txt").table.column_names == ["text"]


def test_a_wanted_column_tells_the_header(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("Full Name of 2024\nAda\n")
    assert read_table(path).table.column_names == ["text"]
    assert read_table(path, wanted=["Full Name of 2024"]).table.column_names == ["Full Name of 2024"]
    assert read_table(path, TableOptions(header=True)).table.num_rows == 1


def test_blanks_after_the_delimiter_do_not_count(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('id, name, city\n1, ada, \n2, "b, c", x\n')
    assert read_table(path).table.to_pylist() == [
        {"id": "1", "name": "ada", "city": None},
        {"id": "2", "name": "b, c", "city": "x"},
    ]


def test_tab_file_without_quoting(tmp_path):
    path = tmp_path / "t.tsv"
    path.write_text('id\ttext\n1\t"an opening quote\n2\tplain\n3\t"another\n')
    assert read_table(path).table["text"].to_pylist() == ['"an opening quote', "plain", '"another']


def test_lines(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text('name\nSmith, "J"\n\nx\n')
    assert read_table(path).table["text"].to_pylist() == ["name", 'Smith, "J"', "x"]


def test_ragged_rows_are_reported_and_skipped(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,name\n1,a\n2,b,c\n3\n4,d\n5,e\n")
    records = read_table(path)
    assert records.table["id"].to_pylist() == ["1", "4", "5"]
    assert [(item.line, item.reason, item.detail) for item in records.skipped] == [
        (3, "ragged", "3 cells where 2 are expected"),
        (4, "ragged", "1 cells where 2 are expected"),
    ]
    assert "skipped 2 rows (line 3, 4)" in records.notes[-1]
    with pytest.raises(FormatError, match="line 3: 3 cells where 2 are expected"):
        read_table(path, TableOptions(strict=True))


def test_values_become_texts():
    table = pa.table(
        {
            "f": [4011.0, float("nan"), 1.5],
            "i": [7, None, 8],
            "d": pa.array(["x", None, "x"]).dictionary_encode(),
            "n": pa.nulls(3),
            "b": [True, False, None],
            "l": [[1], [2], None],
        }
    )
    assert texts_of(table, "f").to_pylist() == ["4011", None, "1.5"]
    assert texts_of(table, "i").to_pylist() == ["7", None, "8"]
    assert texts_of(table, "d").to_pylist() == ["x", None, "x"]
    assert texts_of(table, "n").to_pylist() == [None] * 3
    assert texts_of(table, "b").to_pylist() == ["true", "false", None]
    with pytest.raises(ColumnError, match="column 'l' holds list"):
        texts_of(table, "l")


def test_mixed_values_in_a_column():
    pandas = pytest.importorskip("pandas")
    mixed = ["a", 7, 4.0, None, float("nan")]
    for source in ([{"x": value} for value in mixed], {"x": mixed}, pandas.DataFrame({"x": mixed})):
        assert texts_of(read_table(source).table, "x").to_pylist() == ["a", "7", "4", None, None]


def test_ids():
    rows = [{"k": "b", "x": "1"}, {"k": "a", "x": "2"}]
    assert read_table(rows, id="k").ids.to_pylist() == ["b", "a"]
    assert read_table(rows, id="k").columns == ["x"]
    assert read_table(rows).ids.to_pylist() == [0, 1]
    with pytest.raises(InputError, match=r"id 'b' in column 'k' occurs more than once \(row 0 and row 2\)$"):
        read_table([*rows, rows[0]], id="k")
    with pytest.raises(InputError, match="row 1 has no id in column 'k'"):
        read_table([rows[0], {"k": None}], id="k")


@pytest.mark.parametrize("large", [1, 1 << 30])
def test_a_parquet_file_whose_text_is_no_utf_8_is_refused(tmp_path, monkeypatch, large):
    """As other writers make them, of Latin-1: Arrow believes them, and what looked at such a text failed."""
    monkeypatch.setattr("likewise.read.parquet.LARGE", large)
    texts = pa.StringArray.from_buffers(1, pa.py_buffer(np.array([0, 4], np.int32)), pa.py_buffer(b"Jos\xe9"))
    pq.write_table(pa.table({"name": texts}), tmp_path / "t.parquet")
    with pytest.raises(FormatError, match=r"it holds other than it says: .*UTF8"):
        read_table(tmp_path / "t.parquet")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ('{"fields": ["name", "born"], "data": [["Ada", 1815], ["Grace", 1906]]}', "the records under 'data'"),
        ('{"fields": [{"id": "name"}, {"id": "born"}], "records": [["Ada", 1815], ["Grace", 1906]]}', "'records'"),
        ('{"columns": [{"name": "name"}, {"name": "born"}], "rows": [["Ada", 1815], ["Grace", 1906]]}', "'rows'"),
        (
            '{"fields": [{"id": "name"}], "data": [{"name": "Ada", "born": 1815}, {"name": "Grace", "born": 1906}]}',
            "'data'",
        ),
        ('[["name", "born"], ["Ada", 1815], ["Grace", 1906]]', "first row is the header"),
    ],
)
def test_names_of_columns_beside_rows_in_json(tmp_path, content, said):
    (tmp_path / "t.json").write_text(content)
    records = read_table(tmp_path / "t.json")
    assert records.table.to_pylist() == [{"name": "Ada", "born": 1815}, {"name": "Grace", "born": 1906}]
    assert said in records.notes[0]


_TWO = '[{"name": "Ada"}, {"name": "Grace"}]'


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f'{{"data": {{"items": {_TWO}, "total": 2}}, "status": "ok"}}', "the records under 'data.items'"),
        (f'{{"took": 3, "a": {{"b": {{"c": {{"d": {_TWO}}}}}}}}}', "the records under 'a.b.c.d'"),
        (f'{{"data": {{"items": [{{}}, {_TWO[1:-1]}], "total": 3}}, "meta": {{"total": 3}}}}', "under 'data.items'"),
        (f'{{"found": {{"header": ["name"], "rows": [["Ada"], ["Grace"]]}}, "in": {_TWO}}}', "the records under 'in'"),
        ('{"found": {"header": ["name"], "rows": [["Ada"], ["Grace"]]}}', "the records under 'found.rows'"),
        ('{"found": {"name": ["Ada", "Grace"]}, "count": 2}', "in columns, under 'found'"),
        (f"[{_TWO}]", "the records of the lists in it"),
        ('[[{"name": "Ada"}], [], [{"name": "Grace"}]]', "the records of the lists in it"),
    ],
)
def test_records_of_json_are_found_at_any_depth(tmp_path, content, said):
    (tmp_path / "t.json").write_text(content)
    records = read_table(tmp_path / "t.json")
    assert [name for name in records.table["name"].to_pylist() if name] == ["Ada", "Grace"]
    assert said in records.notes[0]


def test_records_under_a_key_each_at_any_depth(tmp_path):
    entities = {f"Q{number}": {"label": f"name {number}", "in": [{"a": 1}] * (number == 7)} for number in range(30)}
    (tmp_path / "t.json").write_text(json.dumps({"success": 1, "entities": entities}))
    records = read_table(tmp_path / "t.json")
    assert records.table["key"].to_pylist() == list(entities)
    assert "the key of each record in 'key', under 'entities', 30 rows" in records.notes[0]
    few = {**entities, "Q1": {"in": []}, "Q2": {}}  # some lack the field that the others have
    (tmp_path / "t.json").write_text(json.dumps(few))
    assert read_table(tmp_path / "t.json").table["label"].to_pylist()[:4] == ["name 0", None, None, "name 3"]


@pytest.mark.parametrize(
    ("content", "places"),
    [
        (f'{{"a": {_TWO}, "b": {_TWO}}}', "'a', 'b'"),
        (f'{{"x": {{"a": {_TWO}}}, "y": {{"b": {_TWO}}}}}', "'x.a', 'y.b'"),
    ],
)
def test_several_lists_of_records_are_named(tmp_path, content, places):
    (tmp_path / "t.json").write_text(content)
    with pytest.raises(FormatError, match=f"there are several, under {places};"):
        read_table(tmp_path / "t.json")


def _persons():
    for number in range(40):
        yield {
            "id": number,
            "name": {"first": f"Ada {number}", "last": {"birth": "Byron"} if number else None},
            "home": {"street": f"Road {number}", "city": "Rome"} if number % 4 == 0 else None,
            "sold": {str(1900 + number): number},
            "names": {code: {"official": f"{code} {number}"} for code in ("de", "fr", "it", "es", "pt")},
            "bill": {"to": {"city": "Oslo"}}, "ship": {"to": {"city": "Bonn"}},
        }  # fmt: skip


def test_objects_in_records_are_columns(tmp_path):
    (tmp_path / "t.json").write_text(json.dumps({"persons": list(_persons())}))
    (tmp_path / "t.jsonl").write_text("".join(f"{json.dumps(person)}\n" for person in _persons()))
    wanted = {"id", "name.first", "name.last.birth", "home.street", "home.city", "bill.to.city", "ship.to.city"}
    for source in (tmp_path / "t.json", tmp_path / "t.jsonl", list(_persons())):
        records = read_table(source)
        assert set(records.comparable) == wanted
        assert records.table["name.last.birth"].to_pylist()[:2] == [None, "Byron"]
        assert records.table["home.city"].to_pylist()[:5] == ["Rome", None, None, None, "Rome"]
        assert {"sold", "names"} <= set(records.table.column_names)  # whose keys are data
    assert "objects as columns (name.first, ...)" in read_table(tmp_path / "t.json").notes[0]
    (tmp_path / "one").mkdir()
    for number, person in enumerate(_persons()):
        (tmp_path / "one" / f"{number:02}.json").write_text(json.dumps(person))
    assert set(read_table(tmp_path / "one").comparable) == wanted
    found = lw.match(tmp_path / "t.json", list(_persons()), id="id", on="name.first", top=1)
    assert [(match.left, match.right) for match in found] == [(number, number) for number in range(40)]


def test_an_object_whose_column_is_there_already_stays(tmp_path):
    rows = [{"name": {"first": "Ada"}, "name.first": "Grace"}]
    assert read_table(rows).table.to_pylist() == rows


def test_objects_that_one_record_has_do_not_fill_the_memory(tmp_path):
    many = [{"name": "Ada", "held": {str(number): number for number in range(9000)}}]
    (tmp_path / "t.json").write_text(json.dumps(many + [{"name": "Grace"}] * 9000))
    with pytest.raises(FormatError, match="are its keys data"):
        read_table(tmp_path / "t.json")


def test_rows_in_json_without_names_keep_their_first(tmp_path):
    (tmp_path / "t.json").write_text('[["Ada", 1815], ["Grace", 1906]]')
    assert read_table(tmp_path / "t.json").table.column("column1").to_pylist() == ["Ada", "Grace"]


def test_a_row_with_more_cells_than_names_is_not_cut(tmp_path):
    (tmp_path / "t.json").write_text('{"fields": ["name", "born"], "data": [["Ada", 1815, "London"]]}')
    with pytest.raises(FormatError, match="a list of records is wanted"):
        read_table(tmp_path / "t.json")


def test_files_of_one_json_object_each_are_records(tmp_path):
    for name, born in (("Ada", 1815), ("Grace", 1906)):
        (tmp_path / f"{name}.json").write_text(json.dumps({"name": name, "born": born}))
    for source in (tmp_path, tmp_path / "*.json"):
        records = read_table(source)
        assert records.table.to_pylist() == [{"name": "Ada", "born": 1815}, {"name": "Grace", "born": 1906}]
        assert records.notes == (f"{source}: a record in each of 2 JSON files",)
    (tmp_path / "last.json").write_text('{"name": ')
    with pytest.raises(FormatError, match=r"last\.json does not hold one JSON object, as .*Ada\.json does"):
        read_table(tmp_path)


BAD_FILES = [
    ("t.csv", b"name\nJos\xe9\nZo\xc3\xab\n", FormatError, "mixes encodings: line 3 is UTF-8, line 2 is not"),
    ("t.csv", b"name\nJos\x81\n", FormatError, "its words do not tell its encoding: cp850 reads 'Josü'"),
    ("t.csv", b"", FormatError, "is empty"),
    ("t.csv", b"a,b\x00\n1\x00,2\n", FormatError, "NUL bytes"),
    ("t.csv", b'a,b\n1,"never\nclosed\n', FormatError, "quote opened in line 2 is never closed"),
    ("t.csv.gz", gzip.compress(b"a,b\n" * 1000)[:-9], FormatError, "cannot be read to its end"),
    ("t.jsonl", b"1\n2\n", FormatError, "no JSON records"),
    ("t.jsonl", b'{"a": 1}\n"x"\n', FormatError, "some lines are objects"),
    ("t.json", b'{"a": 1}', FormatError, "a list of records is wanted"),
    ("t.parquet", b"PAR1nonsense", FormatError, "not a Parquet file"),
    ("t.xyz", b"a", FormatError, "Known endings: .arrow, .csv"),
    ("t.log", b"10:02 started, waiting\n10:03 stopped\n10:04 a, b, c\n", FormatError, "Known endings: .arrow, .csv"),
    ("t.xml", b"<a>1,2</a>\n<a>3,4</a>\n", FormatError, "Known endings: .arrow, .csv"),
    ("t.duckdb", b"\1\2\3\4\5\6\7\x08DUCK\x40", FormatError, "a DuckDB database; save a table of it"),
    ("t.orc", b"ORC\x03", FormatError, "an ORC file; save it as Parquet"),
    ("t.rds", gzip.compress(b"X\n\x00\x00\x00\x03"), FormatError, "an R object; save it as CSV"),
    ("t.pkl", b"\x80\x05\x95\x0b", FormatError, "a pickle, which is not opened"),
    ("t.csv", b"<table><tr><td>1", FormatError, "a Web page, not a table"),
    ("t.db", b"SQLite format 3\x00\x10", FormatError, "an SQLite database; save a table of it as CSV"),
]


@pytest.mark.parametrize(
    ("name", "content", "columns"),
    [
        ("t.dat", b"Africa;Annaba;DABB\nAfrica;Batna;DABT\n", ["column1", "column2", "column3"]),
        ("t.data", b"id,name\n1,Ada\n2,Grace\n", ["id", "name"]),
        ("t", b'[{"name": "Ada"}]', ["name"]),
        ("t.txt", b"id\tname\n1\tAda\n2\tGrace\n", ["id", "name"]),
        ("t.txt", b"1;Ada;x\n" * 5, ["column1", "column2", "column3"]),
        ("t.txt", b"Lovelace, Ada\nHopper, Grace\n", ["text"]),
        ("t.txt", b"no tab\none\ttab\none\ttab\n", ["text"]),
        ("t.txt", b"one; two\nthree; four\n" * 5, ["text"]),
        ("t.txt", b"a\tb\n", ["text"]),
    ],
)
def test_tables_under_any_name(tmp_path, name, content, columns):
    (tmp_path / name).write_bytes(content)
    assert read_table(tmp_path / name).table.column_names == columns


def test_what_looks_like_a_table_is_a_list_of_texts_if_asked(tmp_path):
    (tmp_path / "t.txt").write_bytes(b"1\tAda\n2\tGrace\n")
    assert read_table(tmp_path / "t.txt", TableOptions(format="lines")).table.to_pylist() == [
        {"text": "1\tAda"},
        {"text": "2\tGrace"},
    ]


@pytest.mark.parametrize(("name", "content", "error", "message"), BAD_FILES)
def test_bad_files(tmp_path, name, content, error, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(error, match=message):
        read_table(tmp_path / name)


def test_bad_requests(tmp_path):
    with pytest.raises(StorageError, match="does not exist"):
        read_table(tmp_path / "absent.csv")
    with pytest.raises(StorageError, match="does not exist"):
        read_table(tmp_path / "absent.parquet")
    with pytest.raises(OptionError, match="format must be one of"):
        TableOptions(format="xls")
    (tmp_path / "t.csv").write_text("a\n")
    with pytest.raises(OptionError, match=r"encoding must be the name of .* not 'utf-9'"):
        TableOptions(encoding="utf-9")
    (tmp_path / "twice.csv").write_text("a,a\n1,2\n")
    with pytest.raises(FormatError, match="column 'a' occurs more than once"):
        read_table(tmp_path / "twice.csv", wanted=["a"])
    with pytest.raises(OptionError, match="delimiter must be one character"):
        read_table(tmp_path / "t.csv", TableOptions(delimiter="ab"))
    with pytest.raises(ColumnError, match=r"no column 'nme'; did you mean 'name'\? its columns: 'name', 'city'"):
        texts_of(pa.table({"name": ["a"], "city": ["b"]}), "nme", "left")
    with pytest.raises(InputError, match="must be a list of texts"):
        read_table(7)
    with pytest.raises(InputError, match="item 1 must be a text, not bytes"):
        read_table(["a", b"b"])
    with pytest.raises(InputError, match="item 1 is str, the others are dicts"):
        read_table([{"a": 1}, "b"])
    with pytest.raises(InputError, match="columns differ in length"):
        read_table({"a": [1], "b": [1, 2]})


@pytest.mark.parametrize("source", [["a\ud800"], [{"x": "a\ud800"}], {"x": ["a\ud800", 7]}])
def test_half_a_character(source):
    with pytest.raises(InputError, match="table: an unpaired surrogate"):
        read_table(source)


def test_half_a_character_in_a_file(tmp_path):
    (tmp_path / "t.jsonl").write_text('{"x": "a\\ud800"}')
    with pytest.raises(InputError, match="unpaired surrogate"):
        read_table(tmp_path / "t.jsonl")


def test_wrong_encoding_named_by_the_user(tmp_path):
    (tmp_path / "t.csv").write_bytes("\nname\nZoë\n".encode("cp1252"))
    with pytest.raises(FormatError, match="line 3: not utf-8"):
        read_table(tmp_path / "t.csv", TableOptions(encoding="utf-8"))


@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_a_packed_table_that_grows_out_of_proportion_is_refused(tmp_path, ending):
    content = b"a,b\n" + bytes(b"x" * (80 << 20))
    if ending == "zst":
        content = pytest.importorskip("zstandard").ZstdCompressor(level=3).compress(content)
    else:
        content = gzip.compress(content, 9)
    (tmp_path / f"t.csv.{ending}").write_bytes(content)
    with pytest.raises(FormatError, match=r"bomb .more than 250 times its compressed size"):
        read_table(tmp_path / f"t.csv.{ending}")


def test_a_gigabyte_packed_by_xz_is_refused(tmp_path):
    packer = lzma.LZMACompressor(preset=0)
    parts = [packer.compress(b"a,b\n"), *(packer.compress(bytes(1 << 24)) for _ in range(64)), packer.flush()]
    (tmp_path / "t.csv.xz").write_bytes(b"".join(parts))
    with pytest.raises(FormatError, match=r"bomb .more than 250 times its compressed size"):
        read_table(tmp_path / "t.csv.xz")


def test_xz_that_is_damaged_cut_or_wants_much_memory_is_refused(tmp_path):
    content = lzma.compress(CSV.encode())
    wants = lzma.compress(CSV.encode(), filters=[{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 29}])
    damaged = content[:40] + bytes([content[40] ^ 255]) + content[41:]
    for packed, said in ((content[:-30], "ends too early"), (damaged, "[Cc]orrupt"), (wants, "[Mm]emory")):
        (tmp_path / "t.csv.xz").write_bytes(packed)
        with pytest.raises(FormatError, match=rf"t\.csv\.xz cannot be read to its end.*{said}"):
            read_table(tmp_path / "t.csv.xz")


@pytest.mark.skipif(shutil.which("xz") is None, reason="no xz")
def test_what_xz_writes(tmp_path):
    """Several streams one after the other, with zeros between, are one file; so are blocks of several threads."""
    rows = CSV + "".join(f"{place},name {place},a city\n" for place in range(4, 40_000))
    (tmp_path / "a.csv").write_text(rows, "utf-8")
    packed = subprocess.run(["xz", "-9", "-T2", "--block-size=65536", "-c", tmp_path / "a.csv"], capture_output=True)
    (tmp_path / "t.csv.xz").write_bytes(packed.stdout + bytes(8) + lzma.compress(b"0,last,\n") + bytes(4))
    found = read_table(tmp_path / "t.csv.xz").table.to_pylist()
    assert found[:3] == ROWS
    assert len(found) == 40_000
    assert found[-1] == {"id": "0", "name": "last", "city": None}


@pytest.mark.parametrize("ending", ["gz", "zst", "bz2", "xz"])
def test_packed_tables(tmp_path, ending):
    pack = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}.get(ending)
    if pack is None:
        pack = pytest.importorskip("zstandard").ZstdCompressor().compress
    (tmp_path / f"t.csv.{ending}").write_bytes(pack(CSV.encode()))
    assert read_table(tmp_path / f"t.csv.{ending}").table.to_pylist() == ROWS


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("ending", ["txt", "txt.gz", "txt.bz2", "txt.xz", "txt.zst"])
def test_a_text_with_columns_is_a_table_however_long_it_is(tmp_path, ending, encoding):
    """Its beginning may be cut within a line: that line has fewer."""
    rows = "".join(f"{place}|name of {place}|a place\n" for place in range(2000))
    data = f"nr|name|place\n{rows}".encode(encoding)
    pack = {"txt": bytes, "txt.gz": gzip.compress, "txt.bz2": bz2.compress, "txt.xz": lzma.compress}.get(ending)
    if pack is None:
        pack = pytest.importorskip("zstandard").ZstdCompressor().compress
    (tmp_path / f"t.{ending}").write_bytes(pack(data))
    records = read_table(tmp_path / f"t.{ending}")
    assert records.table.column_names == ["nr", "name", "place"]
    assert len(records) == 2000


_SEVEN, _EIGHT = str(UUID(int=7)), str(UUID(int=8))


def _odd_columns():
    kinds = ["x", "y", None, "x"]
    runs = pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3, 4], pa.int32()), pa.array(kinds))
    bools = pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, 0, None, 1], pa.int8()))
    views = pa.DictionaryArray.from_arrays(
        pa.array([0, 1, None, 0], pa.uint32()), pa.array(["x", "y"], pa.string_view())
    )
    of_runs = pa.RunEndEncodedArray.from_arrays(pa.array([1, 2, 3, 4], pa.int32()), pa.array(kinds, pa.string_view()))
    return {
        "category of views": (views, kinds),
        "runs": (runs, kinds),
        "runs of views": (of_runs, kinds),
        "booleans in bytes": (bools, ["true", "false", None, "true"]),
        "views": (pa.array(kinds, pa.string_view()), kinds),
        "values of JSON": (pa.array(kinds, pa.json_()), kinds),
        "UUIDs": (pa.array([UUID(int=7), UUID(int=8), None, UUID(int=7)], pa.uuid()), [_SEVEN, _EIGHT, None, _SEVEN]),
    }


@pytest.mark.parametrize("what", _odd_columns())
def test_columns_that_arrow_has_few_functions_for_are_made_plain(what):
    column, wanted = _odd_columns()[what]
    table = pa.table(
        {
            "kind": pa.chunked_array([column.slice(1), column, column.slice(3)]),
            "name": [f"name {place}" for place in range(8)],
        }
    )
    assert texts_of(read_table(table).table, "kind").to_pylist() == [*wanted[1:], *wanted, wanted[3]]
    joined = lw.match(table, table, on="name", min_score=0.9).join(columns=["kind"])
    assert len(list(joined.rows())) == 8
    merged = lw.dedupe(table, on="name", min_score=0.9, survivor="newest", newest_by="kind").merged
    assert len(merged) == 8


@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_a_parquet_file_with_uuids(tmp_path, engine):
    keys = [UUID(int=number << 100) for number in (200, 201, 255)]  # sixteen bytes that are no UTF-8
    picture = pa.ExtensionArray.from_storage(pa.opaque(pa.binary(), "picture", "camera"), pa.array([b"\xff"] * 3))
    table = pa.table({"key": pa.array(keys, pa.uuid()), "name": ["Ada", "Adda", "Grace"], "picture": picture})
    pq.write_table(table, tmp_path / "t.parquet")
    found = lw.match(tmp_path / "t.parquet", id="key", on=["key", "name"], min_score=0.1, top=1, engine=engine)
    assert {found.to_arrow()["left"].to_pylist()[0], found.to_arrow()["right"].to_pylist()[0]} <= set(map(str, keys))
    with pytest.raises(ColumnError, match="column 'picture' holds bytes"):
        lw.match(tmp_path / "t.parquet", on="picture", top=1, engine=engine)


@pytest.mark.parametrize("kind", ["Categorical", "Enum"])
def test_categories_of_polars(tmp_path, kind):
    polars = pytest.importorskip("polars")
    made = polars.Categorical if kind == "Categorical" else polars.Enum(["x", "y"])
    frame = polars.DataFrame({"kind": polars.Series(["x", "y", None, "x"], dtype=made), "name": list("abcd")})
    frame.write_ipc(tmp_path / "t.arrow")
    for source in (frame, frame.lazy(), tmp_path / "t.arrow"):
        assert texts_of(read_table(source).table, "kind").to_pylist() == ["x", "y", None, "x"]
        assert len(lw.dedupe(source, equal_on="kind", on="name", min_score=0.9)) == 4


@pytest.mark.parametrize("compression", [None, "lz4", "zstd"])
def test_arrow_files_as_pandas_and_polars_write_them(tmp_path, compression):
    feather = pytest.importorskip("pyarrow.feather")
    table = pa.table({"name": ["Zoë", "Ada"], "kind": pa.array(["x", "y"]).dictionary_encode(), "born": [1815, None]})
    feather.write_feather(table, tmp_path / "t.feather", compression=compression or "uncompressed")
    (tmp_path / "t.dat").write_bytes((tmp_path / "t.feather").read_bytes())
    for name in ("t.feather", "t.dat"):
        records = read_table(tmp_path / name)
        assert records.table.column("name").to_pylist() == ["Zoë", "Ada"]
        assert records.table.column("kind").to_pylist() == ["x", "y"]
    whole = (tmp_path / "t.feather").read_bytes()
    (tmp_path / "t.feather").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(FormatError, match="not an Arrow file"):
        read_table(tmp_path / "t.feather")


PLACES = """{
"type": "FeatureCollection",
"name": "places",
"crs": { "type": "name", "properties": { "name": "urn:ogc:def:crs:OGC:1.3:CRS84" } },
"features": [
{ "type": "Feature", "id": 7, "properties": { "name": "Basel", "people": 177595, "tags": ["a"] }, "geometry": { "type": "Point", "coordinates": [ 7.59, 47.56, 260.0 ] } },
{ "type": "Feature", "id": 8, "properties": { "name": "Bern", "people": null }, "geometry": { "type": "Polygon", "coordinates": [ [ [ 7.4, 46.9 ], [ 7.5, 46.9 ], [ 7.5, 47.0 ], [ 7.4, 46.9 ] ] ] } },
{ "type": "Feature", "id": 9, "properties": null, "geometry": null },
{ "type": "Feature", "id": 5, "properties": { "name": "Basel", "people": 177595 }, "geometry": { "type": "Point", "coordinates": [ 7.59, 47.56 ] } }
]
}
"""  # noqa: E501 - as GDAL writes it


@pytest.mark.parametrize("name", ["a.geojson", "a.json", "a.geojson.gz", "one-line.json", "one-line.jsonl", "a.jsonl"])
def test_features_of_geojson_are_records_of_their_properties(tmp_path, name):
    """All were equal, since `type` was the only column that could be compared."""
    features = json.loads(PLACES)["features"]
    content = PLACES if name[2:] in ("geojson", "json", "geojson.gz") else json.dumps(json.loads(PLACES))
    content = "\n".join(map(json.dumps, features)) if name == "a.jsonl" else content
    data = content.encode()
    (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    records = read_table(tmp_path / name)
    assert records.table.column_names == ["id", "name", "people", "tags", "latitude", "longitude"]
    assert records.table["id"].to_pylist() == [7, 8, 9, 5]
    assert records.table["name"].to_pylist() == ["Basel", "Bern", None, "Basel"]
    assert records.table["latitude"].to_pylist() == [47.56, None, None, 47.56]
    assert records.table["longitude"].to_pylist() == [7.59, None, None, 7.59]
    assert "properties of GeoJSON features; 1 geometry that is no point left out, 4 rows" in records.notes[0]
    clusters = lw.dedupe(tmp_path / name, id="id", min_score=1.0)
    assert {cluster.ids for cluster in clusters if len(cluster.ids) > 1} == {(7, 5)}


def test_properties_that_tell_the_id_and_the_place_of_a_feature_are_not_told_again(tmp_path):
    point = {"type": "Point", "coordinates": [7.59, 47.56]}
    feature = {"type": "Feature", "id": 7, "properties": {"id": "x", "Lat": "47°", "lon": "7°"}, "geometry": point}
    (tmp_path / "a.json").write_text(json.dumps([feature, feature]))
    assert read_table(tmp_path / "a.json").table.column_names == ["id", "Lat", "lon"]
    other = {"type": "Feature", "properties": {"a": 1}, "title": "A wish, and no GeoJSON"}
    (tmp_path / "a.json").write_text(json.dumps([other, other]))
    assert read_table(tmp_path / "a.json").comparable == ["type", "properties.a", "title"]


def test_geojson_by_standard_input(monkeypatch):
    for content in (PLACES, json.dumps(json.loads(PLACES))):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(content.encode())))
        assert read_table("-").table["name"].to_pylist() == ["Basel", "Bern", None, "Basel"]
