"""likewise match on the command line: what it prints, what it writes, and how it fails."""

import csv
import gzip
import json

import numpy as np
import pytest
from tests.records.test_decision import people, worse

import likewise as lw

LEFT = "key,name,city\na,Ada Lovelace,London\nb,Grace Hopper,New York\nc,Zoë Quux,\n"
RIGHT = "key\tname\tcity\n1\tHopper, Grace\tNew York\n2\tLovelace Ada\tLondon\n"


@pytest.fixture
def tables(tmp_path):
    (tmp_path / "left.csv").write_text(LEFT, "utf-8")
    (tmp_path / "right.tsv").write_text(RIGHT, "utf-8")
    return tmp_path


def test_table_on_stdout_and_messages_on_stderr(cli, tables):
    done = cli("match", "left.csv", "right.tsv", "--on", "name", "--id", "key", "--min-score", "0.5", "--explain")
    assert done.returncode == 0
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [(row["left"], row["right"], row["rank"]) for row in rows] == [("a", "2", "1"), ("b", "1", "1")]
    assert "lovelace" in rows[0]["why"]
    assert "left.csv: comma, utf-8, first row is the header, 3 rows" in done.stderr
    assert "right.tsv: tab" in done.stderr
    assert "2 left records matched, 1 not" in done.stderr


def test_a_list_of_best_partners_says_nothing_of_matches(cli, tables):
    done = cli("match", "left.csv", "right.tsv", "--on", "name", "--id", "key")
    assert "nothing is decided" in done.stderr
    assert "3 left records with partners, 0 without" in done.stderr
    assert "matched" not in done.stderr


def test_labels_are_given_several_times(cli, tables):
    (tables / "one.csv").write_text("left,right,match\na,2,1\na,1,0\n")
    (tables / "two.csv").write_text("left,right,match\nb,1,1\nb,7,0\n")
    done = cli(
        "match", "left.csv", "right.tsv", "--on", "name", "--id", "key", "--labels", "one.csv", "--labels", "two.csv"
    )
    assert "two.csv, line 3: no record of right.tsv has the id '7'" in done.stderr


@pytest.mark.parametrize("name", ["out.csv", "out.jsonl", "out.json", "out.parquet", "out.tsv", "out.csv.gz"])
def test_output_files(cli, tables, name):
    from likewise.read.tables import read_table

    done = cli(
        "match",
        "left.csv",
        "right.tsv",
        "--on",
        "name=2",
        "--on",
        "city",
        "--id",
        "key",
        "--one-to-one",
        "--min-score",
        "0.3",
        "-o",
        name,
        "--unmatched",
        "rest.csv",
        "--quiet",
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    table = read_table(tables / name).table
    assert table["right"].to_pylist() == ["2", "1"]
    assert (tables / "rest.csv").read_text("utf-8") == "side,id,text\nleft,c,Zoë Quux\n"


def test_json(cli, tables):
    done = cli("match", "left.csv", "right.tsv", "--on", "name", "--json", "--top", "5", "--measure", "spectra(q=3)")
    answer = json.loads(done.stdout)
    assert answer["measure"].startswith("spectra(q=3")
    assert answer["rows"][0]["left_text"] == "Ada Lovelace"
    assert answer["pairs"] == len(answer["rows"])


def test_a_saved_measure_gives_the_same_scores(cli, tables):
    first = cli("match", "left.csv", "right.tsv", "--on", "name", "--save-measure", "m.json", "--min-score", "auto")
    again = cli("match", "left.csv", "right.tsv", "--on", "name", "--measure", "m.json", "--min-score", "auto")
    assert first.returncode == again.returncode == 0
    assert first.stdout == again.stdout
    assert "widest margin" in first.stderr
    fields = ["match", "left.csv", "right.tsv", "--on", "name", "--on", "city"]
    saved = cli(*fields, "--save-measure", "n.json")
    assert saved.returncode == 0
    assert cli(*fields, "--measure", "n.json").stdout == saved.stdout


def test_one_table_and_equal_on(cli, tables):
    (tables / "t.jsonl").write_text('{"n": "ada", "s": 1}\n{"n": "adda", "s": 2}\n{"n": "adaa", "s": 1}\n')
    done = cli("match", "t.jsonl", "--on", "n", "--equal-on", "s", "--measure", "spectra")
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [(row["left"], row["right"]) for row in rows] == [("0", "2"), ("2", "0")]


def test_no_match_is_no_error(cli, tables):
    (tables / "none.csv").write_text("name\nxyz\n")
    done = cli("match", "left.csv", "none.csv", "--on", "name")
    assert done.returncode == 0
    assert done.stdout == "left,right,score,rank,left_text,right_text\n"
    assert "0 left records with partners, 3 without" in done.stderr


def test_an_empty_side_is_said(cli, tables):
    (tables / "none.csv").write_text("name\n")
    done = cli("match", "left.csv", "none.csv", "--on", "name", "-o", "out.csv")
    assert done.returncode == 0
    assert "none.csv has no rows" in done.stderr
    assert (tables / "out.csv").read_text() == "left,right,score,rank,left_text,right_text\n"


def test_nulls_numbers_and_more_partners_than_there_are(cli, tables):
    (tables / "numbers.jsonl").write_text('{"n": 4011}\n{"n": null}\n{"n": 40.5}\n{"n": "4011 "}\n{"x": 1}\n')
    done = cli("match", "numbers.jsonl", "--on", "n", "--top", "1000", "--measure", "spectra", "--min-score", "0.9")
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [(row["left"], row["right"], row["left_text"]) for row in rows] == [("0", "3", "4011"), ("3", "0", "4011 ")]


def test_ragged_rows_are_said(cli, tables):
    (tables / "ragged.csv").write_text("name,city\nAda,London\nGrace\nKurt,Brno\n")
    done = cli("match", "ragged.csv", "left.csv", "--on", "name")
    assert done.returncode == 0
    assert "skipped 1 row (line 3)" in done.stderr


FILES = {
    "twice.csv": b"key,name\n1,a\n1,b\n",
    "mixed.csv": b"name\nJos\xe9\nZo\xc3\xab\n",
    "ragged.csv": b"name,city\nAda,London\nGrace\nKurt,Brno\n",
    "empty.csv": b"",
    "cut.csv.gz": gzip.compress(b"name\n" + b"ada\n" * 5000)[:-20],
    "binary.csv": b"\x89PNG\x00\x00\x01",
    "broken.parquet": b"PAR1",
    "data.xls": b"x",
}
BAD = [
    (
        ["left.csv", "right.tsv", "--on", "nme"],
        "left.csv has no column 'nme'; did you mean 'name'? its columns: 'key', 'name', 'city'",
    ),
    (["left.csv", "absent.csv", "--on", "name"], "absent.csv does not exist"),
    (["twice.csv", "right.tsv", "--on", "name", "--id", "key"], "id '1' in column 'key' occurs more than once"),
    (["mixed.csv", "right.tsv", "--on", "name"], "mixes encodings: line 3 is UTF-8, line 2 is not"),
    (["ragged.csv", "right.tsv", "--on", "name", "--strict"], "line 3: 1 cells where 2 are expected"),
    (["empty.csv", "right.tsv", "--on", "name"], "empty.csv is empty"),
    (["cut.csv.gz", "right.tsv", "--on", "name"], "cannot be read to its end"),
    (["binary.csv", "right.tsv", "--on", "name"], "NUL bytes"),
    (["broken.parquet", "right.tsv", "--on", "name"], "not a Parquet file"),
    (["data.xls", "right.tsv", "--on", "name"], "not a workbook"),
    (["left.csv", "right.tsv", "--on", "name", "--min-score", "-1"], "--min-score must be a number from 0, or auto"),
    (["left.csv", "right.tsv", "--on", "name", "--min-score", "nan"], "not nan"),
    (["left.csv", "right.tsv", "--on", "name", "--top", "0"], "top must be 1 or more, not 0"),
    (["left.csv", "right.tsv", "--on", "name", "--measure", "spectre"], "measure must be one of"),
    (["left.csv", "right.tsv", "--on", "name", "--encoding", "utf-99"], "not 'utf-99'"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_leaves_nothing_behind(cli, tables, arguments, message):
    for name, content in FILES.items():
        (tables / name).write_bytes(content)
    (tables / "out.csv").write_text("before")
    before = sorted(path.name for path in tables.iterdir())
    done = cli("match", *arguments, "-o", "out.csv", "--force")
    assert done.returncode == 2
    assert done.stderr.startswith("likewise: ")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
    assert sorted(path.name for path in tables.iterdir()) == before
    assert (tables / "out.csv").read_text() == "before"


def test_a_name_that_says_nothing_is_refused_before_the_work(cli, tables):
    done = cli("match", "left.csv", "right.tsv", "-o", "out.xls")
    assert done.returncode == 2
    assert "cannot tell what to write" in done.stderr


def test_both_records_side_by_side(cli, tables):
    match = ("match", "left.csv", "right.tsv", "--on", "name", "--id", "key", "--min-score", "0.5")
    rows = list(csv.DictReader(cli(*match, "--columns", "city,key").stdout.splitlines()))
    assert [(row["key"], row["city_right"], row["key_right"]) for row in rows] == [
        ("a", "London", "2"),
        ("b", "New York", "1"),
        ("c", "", ""),
    ]
    rows = list(csv.DictReader(cli(*match, "--columns", "all", "--how", "anti").stdout.splitlines()))
    assert [row["key"] for row in rows] == ["c"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--columns", "ctiy"), "has no column 'ctiy'"),
        (("--columns", "all", "--how", "outer"), "how must be one of"),
        (("--how", "inner"), "--columns all"),
    ],
)
def test_mistakes_with_columns(cli, tables, arguments, message):
    done = cli("match", "left.csv", "right.tsv", "--on", "name", "--top", "1", *arguments)
    assert done.returncode == 2
    assert message in done.stderr


def test_wrong_columns_are_told_before_the_work_and_new_folders_are_named(cli, tables):
    done = cli("match", "left.csv", "right.tsv", "--id", "key", "--columns", "zork", "-o", "new/deep/out.csv")
    assert done.returncode == 2
    assert "new/deep does not exist yet: it will be made" in done.stderr
    assert "right.tsv has no column 'zork'" in done.stderr
    assert "matched" not in done.stderr
    assert not (tables / "new").exists()
    done = cli("match", "left.csv", "right.tsv", "--id", "key", "--on", "name", "--columns", "city", "-o", "new/o.csv")
    assert (tables / "new/o.csv").read_text("utf-8").splitlines()[0] == "key,name,city,key_right,city_right,score"


def test_why_two_records_are_no_pair(cli, tmp_path):
    random, rows = np.random.default_rng(5), people(120)
    others = [worse(row, random) for row in rows[:80]] + people(40, seed=9)
    for name, records in (("a.jsonl", rows), ("b.jsonl", others)):
        (tmp_path / name).write_text("\n".join(json.dumps(row) for row in records), "utf-8")
    expected = lw.match(rows, others).waterfall(3, 70)
    done = cli("match", "a.jsonl", "b.jsonl", "-o", "out.csv", "--why", "3", "70")
    assert done.returncode == 0, done.stderr
    assert done.stderr.endswith(f"3 and 70: {expected.said}\n{expected.to_text().splitlines()[1]}\n")
    assert "not given, as" in expected.said
    told = json.loads(cli("match", "a.jsonl", "b.jsonl", "--json", "--quiet", "--why", "3", "70").stdout)["why"]
    assert told["weights"] == [list(weight) for weight in expected.weights]
    assert (told["said"], told["probability"]) == (expected.said, expected.probability)
    refused = cli("match", "a.jsonl", "b.jsonl", "--top", "2", "--why", "3", "70")
    assert refused.returncode == 2
    assert "--why is about a decision: leave --all, --top, --min-score and the like out" in refused.stderr
