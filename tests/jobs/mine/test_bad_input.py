"""Input that gives no pair, or that is none: a clear word, the documented exit code, nothing left behind."""

import json

import pytest
import typer
from typer.testing import CliRunner

from likewise.cli.mine import mine
from likewise.errors import InputError

SENTENCE = "The treaty came into force in the spring of that year.\n"
TABLE = "\n".join(f"{row}\t{row * 7}\t{row * 13}\t{row * 17}\t{row / 8}" for row in range(200))


def run(folder, target, *more):
    app = typer.Typer()
    app.command()(mine)
    return CliRunner().invoke(app, [str(folder), "-o", str(target), *more])


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (SENTENCE, "no two phrases share 5 contexts"),
        (TABLE, "no sentence passed the checks"),
        ("", "no document could be read"),
        ("Die Stadt wurde am Fluss gegründet, und der Fluss fließt durch das Tal.\n" * 20, "no document looks English"),
    ],
)
def test_no_pair_is_told_and_is_exit_code_1(tmp_path, text, word):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(text)
    done = run(tmp_path / "texts", tmp_path / "pp.parquet", "--quiet")
    assert (done.exit_code, done.stdout) == (1, "")
    assert word in done.stderr
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["pp.parquet", "pp.parquet.report.html", "pp.parquet.report.json", "texts"]


def test_json_has_the_same_exit_code(tmp_path):
    (tmp_path / "a.txt").write_text(SENTENCE)
    done = run(tmp_path / "a.txt", tmp_path / "pp.parquet", "--json")
    assert (done.exit_code, json.loads(done.stdout)["pairs"]) == (1, 0)


def test_rows_without_the_text_column_are_told_by_name(tmp_path):
    (tmp_path / "a.json").write_text('[{"body": "The treaty came into force."}]')
    done = run(tmp_path / "a.json", tmp_path / "pp.parquet", "--quiet")
    assert done.exit_code == 1
    assert "no column 'text' (text_column); there are body" in done.stderr


def test_an_empty_folder_is_told_and_leaves_nothing(tmp_path):
    (tmp_path / "texts").mkdir()
    done = run(tmp_path / "texts", tmp_path / "pp.parquet", "--quiet")
    assert isinstance(done.exception, InputError)  # the command line makes it one line and exit code 2
    assert "no document to read" in str(done.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["texts"]


def test_pairs_that_are_all_improbable_are_told(tmp_path):
    (tmp_path / "texts").mkdir()
    places = ("the farm near", "the town beside", "a house behind", "one road along", "this field under")
    lines = [
        f"They saw {place} {colour} hills where nobody ever lived." for place in places for colour in ("red", "blue")
    ]
    listed = ["The red, blue and green hills were seen by red or blue people between red and blue seas."] * 3
    (tmp_path / "texts" / "a.txt").write_text("\n\n".join(lines + listed))
    done = run(tmp_path / "texts", tmp_path / "pp.parquet")
    assert done.exit_code == 0
    assert "few will be right" in done.stderr
    assert "blue\tred" in done.stdout
