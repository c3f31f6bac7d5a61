import gzip
import io
import json
import os
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from likewise.errors import FormatError, InputError, StorageError
from likewise.read.tables import TableOptions, read_table
from likewise.results.parts import Parts
from likewise.results.tables import print_table, write_table

TABLE = pa.table({"left": ["1", "2"], "score": [1 / 3, 1.0], "text": ['Zoë, "x"\ny', None]})


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl", "t.parquet", "t.xlsx", "t.csv.gz", "t.jsonl.gz"])
def test_written_tables_read_back(tmp_path, name):
    write_table(TABLE, tmp_path / name)
    back = read_table(tmp_path / name).table
    assert back["left"].to_pylist() == ["1", "2"]
    assert [float(value) for value in back["score"].to_pylist()] == [1 / 3, 1.0]
    assert back["text"].to_pylist() == ['Zoë, "x"\ny', None]
    first = (tmp_path / name).read_bytes()
    write_table(TABLE, tmp_path / name)
    assert (tmp_path / name).read_bytes() == first


def test_texts_of_a_workbook_stay_texts(tmp_path):
    texts = ["=1+1", "http://x", "007", "-5", "@a", "Inf", None]
    write_table(
        pa.table({"t": texts, "n": [2**60, 1, 2, 3, 4, 5, 6], "f": [float("inf"), 0.1, 0, 0, 0, 0, 0]}),
        tmp_path / "t.xlsx",
    )
    back = read_table(tmp_path / "t.xlsx").table
    assert back["t"].to_pylist() == texts
    assert back["n"].to_pylist()[:2] == [str(2**60), "1"]
    with pytest.raises(InputError, match="column 't': a cell holds 32,767 characters, not 40,000"):
        write_table(pa.table({"t": ["x" * 40_000]}), tmp_path / "u.xlsx")
    assert not (tmp_path / "u.xlsx").exists()


NO_ROOM = """
import resource, sys, pyarrow as pa
from likewise.errors import StorageError
from likewise.results.tables import write_table
table = pa.table({"text": [str(number ** 9) for number in range(3000)]})
resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))
for name in sys.argv[1:]:
    try:
        write_table(table, name)
        print(name, "was written")
    except StorageError as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on the size of files here")
def test_no_room_for_a_table_is_one_line_and_leaves_nothing(tmp_path):
    """A limit on the size of files is a disk that is full: of the table's place, and of the place for passing files."""
    names = ["t.csv", "t.tsv", "t.jsonl", "t.parquet", "t.xlsx", "t.csv.gz"]
    elsewhere = tmp_path / "passing"
    elsewhere.mkdir()
    command = [sys.executable, "-c", NO_ROOM, *names]
    environment = {**os.environ, "TMPDIR": str(elsewhere)}
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    told = done.stdout.splitlines()
    assert [line.split(":")[0] for line in told] == [f"cannot write {name}" for name in names]
    assert all("File too large" in line for line in told)
    assert done.stderr == ""
    assert [path.name for path in tmp_path.rglob("*")] == ["passing"]


def test_an_empty_table_has_its_header(tmp_path):
    write_table(TABLE.slice(0, 0), tmp_path / "t.csv")
    assert (tmp_path / "t.csv").read_text() == "left,score,text\n"
    write_table(TABLE.slice(0, 0), tmp_path / "t.csv.gz")
    assert gzip.decompress((tmp_path / "t.csv.gz").read_bytes()) == b"left,score,text\n"


def test_nothing_half_written(tmp_path):
    (tmp_path / "t.csv").write_text("before")
    with pytest.raises(FormatError, match="cannot tell what to write"):
        write_table(TABLE, tmp_path / "t.xls")
    with pytest.raises(StorageError):
        write_table(TABLE, tmp_path / "t.csv" / "below-a-file.csv")
    assert (tmp_path / "t.csv").read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["t.csv"]


def test_terminal_table_hides_control_characters():
    file = io.StringIO()
    print_table(pa.table({"text": ["a\x1b[31mb", "c", "d"], "score": [0.5, 1.0, 2.0]}), file, rows=2)
    shown = file.getvalue()
    assert "\x1b" not in shown
    assert "0.5000" in shown
    assert "1 more rows" in shown


cells = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\x00") | st.sampled_from(",;|\t\"\n\r '#"), min_size=1
)


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=6), st.sampled_from(["t.csv", "t.tsv", "t.jsonl"]))
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
def test_any_text_survives(tmp_path, rows, name):
    table = pa.table({"first": [row[0] for row in rows], "second": [row[1] for row in rows]})
    write_table(table, tmp_path / name)
    options = TableOptions(delimiter="," if name == "t.csv" else "tab" if name == "t.tsv" else None, encoding="utf-8")
    assert read_table(tmp_path / name, options, wanted=["first"]).table.to_pylist() == table.to_pylist()


@pytest.mark.parametrize("last", ["ends with a line break\n", "two\n\n", 'a quote before it"\n', '"\n'])
def test_a_line_break_at_the_end_of_the_last_cell(tmp_path, last):
    table = pa.table({"first": ["a"], "second": [last]})
    write_table(table, tmp_path / "t.csv")
    assert read_table(tmp_path / "t.csv").table.to_pylist() == table.to_pylist()


def test_long_texts_make_short_row_groups_however_the_rows_come(tmp_path):
    # A group is in memory until it is written: a million rows of long texts took all of it.
    table = pa.table({"id": range(5000), "text": [f"{n} " * 2000 for n in range(5000)]})
    pieces = []
    for place, first in enumerate(range(0, 5000, 700)):
        pieces.append(tmp_path / f"{place}.parquet")
        pq.write_table(table.slice(first, 700), pieces[-1])
    Parts(tuple(pieces), ("id", "text")).write(tmp_path / "parts.parquet")
    write_table(table, tmp_path / "table.parquet")
    assert (tmp_path / "parts.parquet").read_bytes() == (tmp_path / "table.parquet").read_bytes()
    assert pq.read_table(tmp_path / "table.parquet").equals(table)
    footer = pq.read_metadata(tmp_path / "table.parquet")
    assert [footer.row_group(place).num_rows for place in range(footer.num_row_groups)] == [2048, 2048, 904]


def test_values_that_parquet_cannot_hold_are_refused_in_words(tmp_path):
    table = pa.table({"wait": [pa.MonthDayNano([1, 2, 3])]})
    with pytest.raises(FormatError, match=r"t\.parquet: Parquet cannot hold such a column; write \.jsonl"):
        write_table(table, tmp_path / "t.parquet")
    assert list(tmp_path.iterdir()) == []
    write_table(table, tmp_path / "t.jsonl")
    assert json.loads((tmp_path / "t.jsonl").read_text())["wait"]
