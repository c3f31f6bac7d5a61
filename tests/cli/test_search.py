"""``likewise index`` and ``likewise search`` as people type them."""

import json

import pytest

from likewise.errors import ColumnError, FormatError, InputError
from likewise.jobs.index_paths import index_paths


@pytest.fixture
def book(tmp_path):
    folder = tmp_path / "book"
    folder.mkdir()
    (folder / "one.md").write_text("# Railways\n\nAmtrak began operations in 1971.\n\nFreight is another matter.\n")
    (folder / "two.txt").write_text("The law took effect in May.\n\nNobody noticed.\n")
    (folder / "films.csv").write_text("key,title,year\na,Metropolis,1927\nb,Alien,1979\n")
    return folder


@pytest.fixture
def index(tmp_path, book):
    index_paths(book, tmp_path / "idx", unit="paragraph")
    return "idx"


def test_nothing_to_index_leaves_no_index(tmp_path) -> None:
    (tmp_path / "bin.txt").write_bytes(b"\x7fELF\x02\x01\x01" + bytes(200))
    (tmp_path / "empty").mkdir()
    skipped = []
    for source in ("bin.txt", "empty"):
        with pytest.raises(InputError, match="there is no text to index"):
            index_paths(tmp_path / source, tmp_path / "idx", on_skip=skipped.append)
    assert len(skipped) == 1
    assert not (tmp_path / "idx").exists()
    for number in range(3):
        (tmp_path / "empty" / f"{number}.txt").write_text("")
    with pytest.raises(InputError, match=r"3 skipped, all as no text \(nothing readable in it\), such as .*0.txt"):
        index_paths(tmp_path / "empty", tmp_path / "idx")


def test_a_table_that_cannot_be_read_is_skipped_like_other_files(tmp_path, book) -> None:
    (book / "empty.csv").write_text("")
    (book / "numbers.csv").write_text("a,b\n1,2\n3,4\n")
    skipped = []
    index = index_paths(book, tmp_path / "idx", on_skip=skipped.append)
    assert index.search("amtrak").ids == ["one.md"]
    assert [one.detail for one in skipped] == [
        "is empty: it has no header and no rows",
        "has no text column; name the columns to search (it has a, b)",
    ]
    with pytest.raises(FormatError, match=r"empty\.csv: broken \(is empty"):
        index_paths(book, tmp_path / "other", strict=True)
    with pytest.raises(ColumnError):
        index_paths(book / "films.csv", tmp_path / "other", on=["nme"])


def test_a_folder_is_indexed_and_searched(cli, book) -> None:
    index = "idx"
    done = cli("index", "book", "-o", index, "--unit", "paragraph")
    assert done.returncode == 0, done.stderr
    assert "texts in idx" in done.stderr
    done = cli("search", index, "when did amtrak begin operations", "--top", 1)
    assert done.returncode == 0
    assert done.stdout.startswith("1. one.md#")
    assert "Railways" in done.stdout.splitlines()[1]
    assert "[Amtrak]" in done.stdout
    done = cli("search", index, "freihgt", "--top", 1, "--page", 1)
    assert "showing results for freight (--no-forgive searches for freihgt as written)" in done.stderr
    assert cli("search", index, "freight", "--page", 2).returncode == 1
    hits = json.loads(cli("search", index, "metropolis", "--json").stdout)["hits"]
    assert hits[0]["fields"]["year"] == 1927
    assert cli("search", index, "nobody", "--explain").stdout.count("nobody") == 1


def test_what_a_writer_left_behind_is_in_nobodys_way(cli, tmp_path, book) -> None:
    """No room on the disk, or killed before the first commit: the same command makes the index."""
    (tmp_path / "idx").mkdir()
    for name in ("writer.lock", "segment-0123456789abcdef.arrays", ".manifest.json.0123.tmp"):
        (tmp_path / "idx" / name).write_text("half")
    (tmp_path / "idx" / "mine.txt").write_text("not yours")
    assert "is not empty: name an empty or a new one" in cli("index", "book", "-o", "idx").stderr
    (tmp_path / "idx" / "mine.txt").unlink()
    assert cli("index", "book", "-o", "idx").returncode == 0
    assert not (tmp_path / "idx" / "segment-0123456789abcdef.arrays").exists()
    assert cli("search", "idx", "amtrak").returncode == 0
    assert "give --force to replace it" in cli("index", "book", "-o", "idx").stderr


def test_nothing_found_is_exit_code_1(cli, index) -> None:
    done = cli("search", index, "xylophone")
    assert (done.returncode, done.stdout) == (1, "")
    assert "nothing found" in done.stderr


def test_tables_queries_and_runs(cli, tmp_path, book) -> None:
    assert cli("index", "book/films.csv", "-o", "films", "--on", "title", "--id", "key").returncode == 0
    done = cli("search", "films", "alien (metropolis | berlin)", "--filter", "year=1970..1990", "--json")
    assert [hit["id"] for hit in json.loads(done.stdout)["hits"]] == ["b"]
    (tmp_path / "topics.tsv").write_text("q1\tAlien (1979)\nq2\tMetropolis\nq3\tnone\n")
    done = cli("search", "films", "--queries", "topics.tsv", "--plain", "--run", "run.trec")
    assert done.returncode == 0
    rows = [line.split()[:4] for line in (tmp_path / "run.trec").read_text().splitlines()]
    assert rows == [["q1", "Q0", "b", "1"], ["q2", "Q0", "a", "1"]]


def test_adding_removing_and_refitting(cli, index, book) -> None:
    (book / "three.txt").write_text("Amtrak again.\n")
    assert cli("index", "book/three.txt", "-o", index, "--add", "--quiet").stderr == ""
    ids = [hit["id"] for hit in json.loads(cli("search", index, "amtrak", "--json").stdout)["hits"]]
    assert "three.txt#1" in ids  # a paragraph, as in the first build
    done = cli("index", "-o", index, "--remove", "three.txt", "--refit", "--json")
    assert done.returncode == 0, done.stderr
    assert "three.txt" not in cli("search", index, "amtrak").stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("search", "nowhere", "x"), "no index at nowhere"),
        (("search", "book", "x"), "manifest.json is missing"),
        (("search", "idx", "(a | b"), "not closed"),
        (("search", "idx", ""), "empty"),
        (("search", "idx"), "give a query"),
        (("search", "idx", "x", "--top", "0"), "top must be 1 or more"),
        (("search", "idx", "x", "--filter", "year"), "field=value"),
        (("search", "idx", "x", "--filter", "colour=red"), "no field 'colour'"),
        (("search", "idx", "x", "--queries", "absent.tsv"), "no such file"),
        (("index", "absent", "-o", "idx2"), "no such file or folder"),
        (("index", "-o", "idx2"), "name what to index"),
        (("index", "book", "-o", "book"), "is read by this command"),
        (("index", "book", "-o", "idx2", "--measure", "fuzzy"), "measure must be one of"),
        (("index", "book/films.csv", "-o", "idx2", "--on", "plot"), "plot"),
        (("index", "-o", "idx", "--remove", "nobody"), "no text with id 'nobody'"),
    ],
)
def test_what_goes_wrong_is_one_line_and_exit_code_2(cli, index, arguments, words, tmp_path) -> None:
    done = cli(*arguments)
    assert done.returncode == 2, done.stdout
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "idx2" / "manifest.json").exists()
