"""Commands on an engine write the bytes that they write without one, and a report beside them."""

import json

import pytest
from pyarrow import dataset

import likewise as lw
from likewise.errors import StorageError

TABLE = "key,name,city\n" + "".join(
    f"k{place},{first} {last},{city}\n"
    for place, (first, last, city) in enumerate(
        [("Ada", "Lovelace", "London"), ("Ada", "Lovelance", "London"), ("Grace", "Hopper", "New York")] * 4
    )
)


def written(cli, *arguments):
    done = cli(*arguments)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_dedupe_on_an_engine(cli, tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    common = ("dedupe", "t.csv", "--on", "name", "--id", "key", "--min-score", "0.6")
    here = written(cli, *common, "-o", "a.parquet", "--canonical", "a.csv", "--review", "ar.csv")
    there = written(cli, *common, "-o", "b.parquet", "--canonical", "b.csv", "--review", "br.csv", "--engine", "duckdb")
    for one, other in (("a.parquet", "b.parquet"), ("a.csv", "b.csv"), ("ar.csv", "br.csv")):
        assert (tmp_path / one).read_bytes() == (tmp_path / other).read_bytes()
    assert here == there
    stages = json.loads((tmp_path / "b.parquet.report.json").read_text())["stages"]
    assert [stage["stage"] for stage in stages] == ["keep", "learn", "kinds", "sample", "near", "pairs", "clusters"]
    assert stages[5]["counts"]["records"] == 3  # equal records are one
    assert "<h2>Stage: pairs</h2>" in (tmp_path / "b.parquet.report.html").read_text()


def test_match_on_an_engine_into_a_folder(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE)
    written(
        cli, "match", "t.csv", "--on", "name", "--top", "2", "-o", "pairs", "--unmatched", "b.csv", "--engine", "duckdb"
    )
    here = lw.match("t.csv", on="name", top=2)
    assert dataset.dataset("pairs", format="parquet").to_table().equals(here.to_arrow())
    assert (tmp_path / "b.csv").read_text() == "side,id,text\n"
    with pytest.raises(StorageError, match="is not empty"):
        lw.match("t.csv", on="name", top=2, engine="duckdb").write("pairs")
