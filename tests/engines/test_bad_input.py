"""Input that no engine can use is refused in words, and nothing is left half written."""

import resource
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likewise as lw
from likewise.errors import ColumnError, FormatError, InputError, OptionError, StorageError

NAMES = ["Ada Lovelace", "Lovelace, Ada", "Grace Hopper", None, ""]


def matched(left, right=None, **named):
    return lw.match(left, right, engine="duckdb", threads=1, **{"top": 1, **named})


@pytest.mark.parametrize(
    ("table", "named", "error", "words"),
    [
        ({"name": NAMES}, {"on": "nmae"}, ColumnError, "has no column 'nmae'; did you mean 'name'"),
        ({"name": NAMES}, {"on": "name", "equal_on": "city"}, ColumnError, "has no column 'city'"),
        ({"name": NAMES}, {"id": "key"}, ColumnError, "has no column 'key'"),
        ({"name": NAMES, "key": ["a", "b", "a", "c", "d"]}, {"id": "key"}, InputError, "more than once"),
        ({"name": NAMES, "key": ["a", "b", None, "c", "d"]}, {"id": "key"}, InputError, "no id in column 'key'"),
        ({"name": NAMES, "list": [[1]] * 5}, {"on": "list"}, ColumnError, "which cannot be compared as texts"),
        ({"name": NAMES}, {"measure": {"city": "tfidf"}}, OptionError, "measure names field 'city'; compared are name"),
    ],
)
def test_what_cannot_be_matched_is_told_before_any_work(table, named, error, words, tmp_path):
    with pytest.raises(error, match=words):
        matched(pa.table(table), work=str(tmp_path / "w"), **named)
    assert not list(tmp_path.rglob("pairs/*"))


def test_what_is_no_text_is_left_out_as_on_one_machine(tmp_path):
    table = pa.table({"name": NAMES, "list": [[1]] * 5, "__index_level_0__": [5, 3, 4, 1, 2]})
    pq.write_table(table, tmp_path / "a.parquet")
    found, here = matched(tmp_path / "a.parquet"), lw.match(tmp_path / "a.parquet", top=1)
    assert found.to_arrow().to_pylist() == here.to_arrow().to_pylist()
    assert found.notes[0] == here.notes[0]
    assert found.notes[0].endswith("not compared: 'list' (lists), '__index_level_0__' (the index of a pandas frame)")


def test_ids_of_files_are_checked_as_those_of_tables_are(tmp_path):
    pq.write_table(pa.table({"name": NAMES, "key": [1, 2, 2, 3, None]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet: .* in column 'key'"):
        matched(tmp_path / "a.parquet", on="name", id="key")


def test_files_of_unequal_schemas_are_told(tmp_path):
    pq.write_table(pa.table({"name": ["Ada"], "born": [1815]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"name": ["Grace"], "born": ["1906"]}), tmp_path / "2.parquet")
    with pytest.raises(FormatError, match=r"2\.parquet does not go with .*1\.parquet: column 'born' holds string"):
        matched(tmp_path, on="name")


def test_a_column_that_only_some_files_have_is_empty_in_the_others(tmp_path):
    pq.write_table(pa.table({"name": ["Ada Lovelace", "Ada Lovelace"]}), tmp_path / "1.parquet")
    pq.write_table(pa.table({"name": ["Ada Lovelace"], "city": ["London"]}), tmp_path / "2.parquet")
    found = matched(tmp_path, on=["name", "city"], top=2)
    here = lw.match(str(tmp_path / "*.parquet"), on=["name", "city"], top=2)
    assert found.to_arrow().to_pylist() == here.to_arrow().to_pylist()


def test_tables_of_every_format_give_what_one_machine_gives(tmp_path):
    (tmp_path / "a.csv").write_text("key;name\n1;Ada Lovelace\n2;Grace Hopper\n", encoding="utf-8")
    (tmp_path / "b.jsonl").write_text('{"key": 7, "name": "Lovelace, Ada"}\n{"key": 8, "name": null}\n')
    (tmp_path / "c.txt").write_text("Ada Lovelance\nHopper\n")
    for left, right in (("a.csv", "b.jsonl"), ("b.jsonl", "a.csv")):
        found = matched(tmp_path / left, tmp_path / right, on="name", id="key")
        here = lw.match(tmp_path / left, tmp_path / right, on="name", id="key", top=1)
        assert found.to_arrow().equals(here.to_arrow())
        assert found.unmatched.equals(here.unmatched)
        assert found.notes == here.notes
    assert matched(tmp_path / "c.txt").to_arrow().equals(lw.match(tmp_path / "c.txt", top=1).to_arrow())


def _same(path, **named):
    """Whether an engine and one machine make the same clusters of a place, and say the same of it."""
    found = lw.dedupe(path, min_score=0.8, engine="duckdb", threads=1, **named)
    here = lw.dedupe(path, min_score=0.8, **named)
    assert found.table.to_pylist() == here.table.to_pylist()
    assert found.canonical.to_pylist() == here.canonical.to_pylist()
    assert found.notes == here.notes
    return here


def test_documents_of_a_folder_are_records_as_on_one_machine(tmp_path):
    (tmp_path / "a").mkdir()
    texts = ["One fish, two fish, red fish.", "One fish, two fish, red fish!", "Blue fish.", "  \n"]
    for number, text in enumerate(texts):
        (tmp_path / "a" / f"{number}.txt").write_text(text)
    (tmp_path / "page.html").write_text("<title>Soup</title><p>One fish, two fish, red fish.")
    here = _same(tmp_path)
    assert sorted(here.table.column("id").to_pylist()) == ["a/0.txt", "a/1.txt", "a/2.txt", "page.html"]
    assert len(here) == 2
    found = matched(tmp_path / "a", tmp_path)
    assert found.to_arrow().equals(lw.match(tmp_path / "a", tmp_path, top=1).to_arrow())


def test_long_texts_are_shown_as_on_one_machine(tmp_path):
    """Texts that stay in Arrow, of a row whose neighbours may be short: blocks of one table differ in that."""
    texts = [
        *(f"{word} fish " * 60 + "." * place for place, word in enumerate(["red", "blue", "red", "one"])),
        "red",
        " ",
    ]
    table = pa.table({"text": pa.array([*texts, None, *["short"] * 20], pa.large_string())})
    named = {"on": "text", "all_pairs": True, "min_score": 0.5}
    found, here = matched(table, **{"top": None, **named}), lw.match(table, **named)
    assert len(here) > 100
    assert found.to_arrow().to_pylist() == here.to_arrow().to_pylist()
    assert found.unmatched.to_pylist() == here.unmatched.to_pylist()
    two = table.slice(0, 2), table.slice(1)
    found, here = matched(*two, on="text", min_score=0.9), lw.match(*two, on="text", top=1, min_score=0.9)
    assert found.unmatched.to_pylist() == here.unmatched.to_pylist() != []
    _same(table.slice(0, 7), on="text")


def test_what_names_of_folders_hold_are_columns(tmp_path):
    for year, town, names in ((2020, "Bad%20Ems", NAMES), (2021, "__HIVE_DEFAULT_PARTITION__", NAMES[::-1])):
        folder = tmp_path / "set" / f"year={year}" / f"town={town}"
        folder.mkdir(parents=True)
        pq.write_table(pa.table({"name": names}), folder / "part-0.parquet")
        (tmp_path / "rows" / f"year={year}").mkdir(parents=True)
        (tmp_path / "rows" / f"year={year}" / "part-0.csv").write_text("\n".join(["name", *map(str, names)]))
        (tmp_path / "lines" / f"year={year}").mkdir(parents=True)
        (tmp_path / "lines" / f"year={year}" / "part-0.json").write_text('{"name": "Ada"}\n{"name": "Ada L."}\n')
    (tmp_path / "set" / "_SUCCESS").touch()
    assert {row["year"] for row in _same(tmp_path / "set", on="name").canonical.to_pylist()} == {"2020", "2021"}
    _same(tmp_path / "rows", on="name", equal_on="year")
    assert len(_same(tmp_path / "lines", on="name", equal_on="year").table) == 4
    _same(tmp_path / "set", on="name", equal_on="town")


def test_rows_that_a_column_numbers_have_these_numbers_as_ids(tmp_path):
    (tmp_path / "a.csv").write_text(",name\n3,Ada Lovelace\n5,Lovelace Ada\n")
    (tmp_path / "b.csv").write_text(",name\n6,Grace Hopper\n9,Ada Lovelace\n")
    assert _same(tmp_path / "a.csv", on="name").table.column("id").to_pylist() == [3, 5]
    assert _same(tmp_path, on="name").table.column("id").to_pylist() == [3, 5, 6, 9]
    (tmp_path / "b.csv").write_text(",name\n5,Grace Hopper\n9,Ada Lovelace\n")
    assert _same(tmp_path, on="name").table.column("id").to_pylist() == [0, 1, 2, 3]


def test_folders_of_other_things_and_other_runs_are_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("my life's work")
    with pytest.raises(StorageError, match="not a work folder of a run"):
        matched(NAMES, work=str(tmp_path))
    work = str(tmp_path / "w")
    first = matched(NAMES, work=work)
    with pytest.raises(StorageError, match="other input or options"):
        matched(NAMES[:2], work=work)
    assert first.to_arrow().num_rows == matched(NAMES, work=work).to_arrow().num_rows == 3
    assert (tmp_path / "thesis.tex").exists()


def test_a_full_disk_is_told_and_the_run_goes_on_when_there_is_room(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [f"name {place} of {place * 7919 % 997}" for place in range(400)]
    (tmp_path / "names.txt").write_text("\n".join(lines))
    command = [sys.executable, "-m", "likewise", "match", "names.txt", "--top", "1", "--engine", "duckdb"]
    command += ["--work", "w", "--threads", "1", "--quiet", "-o"]

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (9_000, 9_000))

    full = subprocess.run([*command, "out.csv"], preexec_fn=small, capture_output=True, text=True)
    assert full.returncode != 0
    assert "cannot write" in full.stderr
    assert "Traceback" not in full.stderr
    assert not (tmp_path / "out.csv").exists()
    found = matched("names.txt", work="w")
    lw.match("names.txt", top=1).write("one.csv")
    found.write("out.csv")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "one.csv").read_bytes()
