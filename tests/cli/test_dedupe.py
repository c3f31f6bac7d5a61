"""likewise dedupe on the command line."""

import csv
import json

import pytest

TABLE = (
    'key,name,city\na,Ada Lovelace,London\nb,"Lovelace, Ada",London\nc,Grace Hopper,New York\nd,Ada Lovelace,London\n'
)


@pytest.fixture
def table(tmp_path):
    (tmp_path / "t.csv").write_text(TABLE)
    return tmp_path


def test_clusters_on_stdout_threshold_on_stderr(cli, table):
    done = cli("dedupe", "t.csv", "--on", "name", "--id", "key", "--min-score", "0.7")
    assert done.returncode == 0
    rows = list(csv.DictReader(done.stdout.splitlines()))
    assert [(row["id"], row["cluster"], row["canonical"]) for row in rows] == [
        ("a", "0", "True"),
        ("b", "0", "False"),
        ("c", "1", "True"),
        ("d", "0", "False"),
    ]
    assert "threshold 0.700 (given)\n" in done.stderr  # no histogram of four records
    assert "4 records, 2 clusters" in done.stderr


def test_files_of_a_folder_that_are_left_out_are_told(cli, tmp_path):
    folder = tmp_path / "f"
    folder.mkdir()
    for name in ("a.txt", "b.txt"):
        (folder / name).write_text("plain words are here and there\n")
    (folder / "empty.txt").write_text("")
    (folder / "svg.txt").write_text('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><path/></svg>\n')
    done = cli("dedupe", "f", "--min-score", "0.8")
    assert "2 documents" in done.stderr
    assert "skipped f/empty.txt: no text" in done.stderr
    assert "skipped f/svg.txt: binary (SVG, a picture)" in done.stderr


@pytest.mark.parametrize("engine", [(), ("--engine", "duckdb")])
def test_tables_of_documents_can_hold_their_beginnings_only(cli, tmp_path, engine):
    (tmp_path / "t.csv").write_text("id,text\n0,the same long document of words\n1,the same long documents of words\n")
    outputs = ("-o", "c.csv", "--pairs", "p.csv", "--canonical", "k.csv", "--quiet")
    done = cli(
        "dedupe", "t.csv", "--on", "text", "--id", "id", "--min-score", "0.5", "--text-length", "8", *outputs, *engine
    )
    assert done.returncode == 0, done.stderr
    clusters, pairs, kept = (list(csv.DictReader((tmp_path / f"{name}.csv").open())) for name in "cpk")
    assert [row["text"] for row in clusters] == ["the same", "the same"]
    assert [(row["left_text"], row["right_text"]) for row in pairs] == [("the same", "the same")]
    assert [row["text"] for row in kept] == ["the same long documents of words"]


def test_files_and_json(cli, table):
    (table / "labels.csv").write_text("left,right,match\na,b,1\na,c,0\n")
    done = cli(
        "dedupe",
        "t.csv",
        "--on",
        "name",
        "--on",
        "city",
        "--id",
        "key",
        "--labels",
        "labels.csv",
        "--json",
        "--quiet",
        "-o",
        "clusters.parquet",
        "--canonical",
        "unique.csv",
        "--review",
        "review.jsonl",
        "--pairs",
        "pairs.csv",
    )
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert answer["clusters"] == 2
    assert answer["threshold"]["method"] == "best F1"
    assert sum(answer["threshold"]["histogram"]["counts"]) == 3  # equal records are one
    assert (table / "unique.csv").read_text() == "key,name,city\na,Ada Lovelace,London\nc,Grace Hopper,New York\n"
    assert (table / "pairs.csv").read_text().startswith("left,right,score,left_text,right_text\na,b,")
    assert (table / "clusters.parquet").exists()
    assert (table / "review.jsonl").exists()


BAD = [
    (["t.csv", "--on", "nme"], "t.csv has no column 'nme'"),
    (["t.csv", "--on", "name", "--min-score", "-1"], "--min-score must be a number from 0, or auto"),
    (["t.csv", "--on", "name", "--linkage", "single"], "linkage must be one of"),
    (["t.csv", "--on", "name", "--precision", "0.9"], "precision needs labels"),
    (["t.csv", "--on", "name", "--labels", "absent.csv"], "absent.csv does not exist"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_leaves_nothing_behind(cli, table, arguments, message):
    done = cli("dedupe", *arguments, "-o", "out.csv")
    assert done.returncode == 2
    assert message in done.stderr
    assert [path.name for path in table.iterdir()] == ["t.csv"]


def test_what_became_of_clusters_is_told(cli, tmp_path):
    names = ["Ada Lovelace", "Grace Hopper", "Kurt Gödel", "Alan Turing"]
    (tmp_path / "a.csv").write_text("key,name\n" + "".join(f"{key},{name}\n" for key, name in enumerate(names)))
    (tmp_path / "b.csv").write_text("key,name\n8,Emmy Noether\n9,Edsger Dijkstra\n")
    assert cli("dedupe", "a.csv", "--id", "key", "--on", "name", "--state", "a.state", "-o", "c.csv").returncode == 0
    done = cli("dedupe", "a.state", "--add", "b.csv", "-o", "d.csv")
    assert "2 clusters are new" in done.stderr, done.stderr


def test_what_is_said_of_a_decision_stands_on_lines_of_its_own(cli, tmp_path):
    names = [
        f"{first} {last}"
        for first in ("Ada", "Grace", "Kurt", "Emmy")
        for last in ("Lovelace", "Hopper", "Noether", "Turing", "Liskov")
    ]
    rows = [f"{place},{name},{1900 + 7 * place}" for place, name in enumerate(names)]
    (tmp_path / "p.csv").write_text("\n".join(["id,name,year", *rows]) + "\n")
    said = [line.split()[0] for line in cli("dedupe", "p.csv", "--id", "id").stderr.splitlines()]
    assert "decided" in said
    assert "fields:" in said
