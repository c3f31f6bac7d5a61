"""Commands on an engine write the bytes that they write without one, and a report beside them."""

import json
from pathlib import Path

import pytest
from pyarrow import dataset

import likewise as lw
from likewise.engines.options import EngineOptions
from likewise.errors import InputError, StorageError
from likewise.jobs.distributed.job import beside

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
    report = json.loads((tmp_path / "b.parquet.report.json").read_text())
    assert f"measure {report['options']['measure']}\n" in there  # the one that was used, though none was named
    stages = report["stages"]
    assert [stage["stage"] for stage in stages] == ["keep", "learn", "kinds", "sample", "near", "pairs", "clusters"]
    assert stages[5]["counts"]["records"] == 3  # equal records are one
    assert "<h2>Stage: pairs</h2>" in (tmp_path / "b.parquet.report.html").read_text()


def test_a_decision_on_an_engine_is_that_of_one_machine(cli, tmp_path):
    first, last = (
        ("Ada", "Grace", "Kurt", "Emmy", "Alan", "Sofia"),
        ("Lovelace", "Hopper", "Noether", "Turing", "Godel"),
    )
    rows = [f"k{place},{first[place % 6]} {last[place % 5]},Town {place}\n" for place in range(30)]
    (tmp_path / "a.csv").write_text("key,name,city\n" + "".join(rows))
    (tmp_path / "b.csv").write_text("key,name,city\n" + "".join(row.replace("e ", " ") for row in rows[5:]))
    for command in (("match", "a.csv", "b.csv"), ("dedupe", "a.csv")):
        for at, more in (("here", ()), ("there", ("--engine", "duckdb"))):
            to = f"{at}-{command[0]}"
            outputs = (
                "-o",
                f"{to}.csv",
                "--review",
                f"{to}-r.csv",
                "--evidence",
                f"{to}-e.csv",
                "--html",
                f"{to}.html",
            )
            written(cli, *command, "--id", "key", *outputs, *more)
        for name in (".csv", "-r.csv", "-e.csv", ".html"):
            here, there = (tmp_path / f"{at}-{command[0]}{name}" for at in ("here", "there"))
            assert here.read_bytes() == there.read_bytes()


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


def test_indexing_searching_and_asking_on_an_engine(cli, tmp_path):
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "a.md").write_text(
        "# Computers\n\nIn 1947, Bell Labs invented the transistor.\n\n## Notes\n\nIt is small.\n"
    )
    (texts / "b.bin").write_bytes(bytes(99))
    (texts / "people.csv").write_text(TABLE)
    (tmp_path / "q.tsv").write_text("q1\tsmall transistor\nq2\tnothing\nq3\tlovelace london\n")
    (tmp_path / "questions.txt").write_text("When was the transistor invented?\nWhy?\n")
    common = ("index", "texts", "--unit", "paragraph", "-o")
    assert written(cli, *common, "here").replace("here", "") == written(
        cli, *common, "there", "--engine", "duckdb"
    ).replace("there", "")
    segments = [sorted(path.read_bytes() for path in (tmp_path / name).glob("segment*")) for name in ("here", "there")]
    assert segments[0] == segments[1]
    assert len(segments[0]) == 1
    written(cli, "search", "there", "--queries", "q.tsv", "--top", "2", "-o", "hits", "--engine", "duckdb")
    hits = dataset.dataset("hits" and str(tmp_path / "hits"), format="parquet").to_table().to_pylist()
    here = lw.Index.open(tmp_path / "here")
    assert [(hit["query"], hit["id"], hit["score"]) for hit in hits] == [
        (query, hit.id, hit.score)
        for query, text in (("q1", "small transistor"), ("q2", "nothing"), ("q3", "lovelace london"))
        for hit in here.search(text, top=2)
    ]
    written(cli, "nuggets", "texts/a.md", "-o", "n")
    written(cli, "ask", "n", "--questions", "questions.txt", "-o", "answers.jsonl")
    answers = [json.loads(line) for line in (tmp_path / "answers.jsonl").read_text().splitlines()]
    said = [(answer["id"], answer["question"], answer["date"]) for answer in answers]
    assert said == [(0, "When was the transistor invented?", "1947")]
    assert "name one with --queries" in cli("search", "here", "fish", "--engine", "duckdb").stderr


def test_merged_records_and_joined_tables_are_written_by_an_engine_too(cli, tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    commands = {
        "--merged": ("dedupe", "t.csv", "--on", "name", "--id", "key", "--min-score", "0.6", "--survivor", "longest"),
        "-o": ("match", "t.csv", "--on", "name", "--id", "key", "--top", "1", "--columns", "all", "--how", "inner"),
    }
    for flag, command in commands.items():
        written(cli, *command, flag, "here.csv", "--force")
        written(cli, *command, flag, "there.csv", "--force", "--engine", "duckdb")
        assert (tmp_path / "here.csv").read_bytes() == (tmp_path / "there.csv").read_bytes()
        assert len((tmp_path / "here.csv").read_text().splitlines()) > 2


def test_a_run_goes_on_next_to_its_output_where_no_work_folder_is_named(cli, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(TABLE)
    running = EngineOptions(memory="512MB")
    asked = {"on": "name", "id": "key", "min_score": 0.6}

    def stopped() -> None:
        with beside(Path("out.csv"), running) as placed:
            lw.dedupe("t.csv", **asked, running=placed)
            raise KeyboardInterrupt  # as a stop comes before all is written

    with pytest.raises(KeyboardInterrupt):
        stopped()
    kinds = [*(tmp_path / "out.csv.work" / "kinds").iterdir()]
    before = [path.stat().st_mtime_ns for path in kinds]
    with pytest.raises(InputError), beside(Path("out.csv"), running):
        raise InputError("of the next command, which is wrong")
    with beside(Path("out.csv"), running) as placed:
        lw.dedupe("t.csv", **asked, running=placed)
        assert kinds
        assert [path.stat().st_mtime_ns for path in kinds] == before  # a new run would have made them anew
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.csv"]


def test_nothing_is_left_next_to_the_output(cli, tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    common = ("dedupe", "-", "--id", "key", "--min-score", "0.6", "--memory", "512MB", "-o", "out.csv")
    wrong = cli(*common, "--on", "nam", piped=TABLE)
    assert wrong.returncode == 2
    assert "no column 'nam'" in wrong.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.csv"]
    piped = cli(*common, "--on", "name", piped=TABLE)
    assert piped.returncode == 0, piped.stderr
    written(cli, "dedupe", "t.csv", "--id", "key", "--min-score", "0.6", "--on", "name", "-o", "here.csv")
    (tmp_path / "q.txt").write_text("ada lovelace\n")
    written(cli, "match", "t.csv", "--on", "name", "--all-pairs", "--min-score", "0.6", "--memory", "512MB", "-o", "m")
    written(cli, "index", "t.csv", "--on", "name", "--engine", "duckdb", "-o", "idx")
    written(cli, "search", "idx", "--queries", "q.txt", "--engine", "duckdb", "-o", "hits.csv")
    assert (tmp_path / "out.csv").read_bytes() == (tmp_path / "here.csv").read_bytes()
    assert not [*tmp_path.glob("*.work")]
