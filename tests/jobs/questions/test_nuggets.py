"""Nuggets are collected in shards; a run that was stopped goes on; what cannot be used is told."""

import pytest
import typer
from tests.jobs.questions.conftest import TEXT
from typer.testing import CliRunner

from likewise.jobs.questions.ask import Nuggets
from likewise.jobs.questions.nuggets import nuggets


def test_shards_and_sorted_parts_change_nothing(index, tmp_path, monkeypatch):
    from likewise.jobs.questions import nuggets as job

    monkeypatch.setattr(job, "_SORTED", 7)  # several parts of postings
    for number in range(3):
        (tmp_path / f"{number}.txt").write_text(TEXT)
    assert nuggets(tmp_path, tmp_path / "n", memory="512MB") == 8
    for question in ("When was the transistor invented?", "When is Bastille Day celebrated?"):
        one, other = (Nuggets(folder).ask(question) for folder in (index, tmp_path / "n"))
        assert [(answer.date, answer.count) for answer in one] == [(answer.date, answer.count) for answer in other]


def test_a_run_that_was_stopped_goes_on(tmp_path, monkeypatch):
    from likewise.jobs import shards
    from likewise.jobs.questions import nuggets as job

    monkeypatch.setattr(shards, "_SMALL", 1)  # a shard for each file
    (tmp_path / "texts").mkdir()
    for number in range(4):
        (tmp_path / "texts" / f"{number}.txt").write_text(f"In 190{number}, Acme invented machine number {number}.")
    (tmp_path / "texts" / "5.pdf").write_bytes(b"%PDF-1.4 broken")
    read, seen, skipped = job.read_file, [], []

    def stopping(path, *rest):
        seen.append(path.name)
        if path.name == "2.txt" and seen.count("2.txt") == 1:
            raise KeyboardInterrupt
        return read(path, *rest)

    monkeypatch.setattr(job, "read_file", stopping)
    with pytest.raises(KeyboardInterrupt):
        nuggets(tmp_path / "texts", tmp_path / "n", engine="duckdb")
    assert (tmp_path / "n.work").is_dir()
    before = {*seen}
    assert nuggets(tmp_path / "texts", tmp_path / "n", on_skip=skipped.append, engine="duckdb") == 4
    assert seen.count("0.txt") == 1  # what was finished is not read anew
    assert "2.txt" in before
    assert [skip.reason for skip in skipped] == ["broken"]
    assert Nuggets(tmp_path / "n").ask("When was machine number 3 invented?")[0].date == "1903"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["n", "texts"]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", b"", "no date"),
        ("a.txt", b"7\t8\t9\n" * 99, "no date"),
        ("a.txt", b"Nothing happened at all that day.", "no date"),
        ("a.bin", bytes(range(256)) * 40, "1 could not be read"),
    ],
)
def test_bad_input_is_exit_code_1_and_leaves_nothing_else(tmp_path, name, content, said):
    from likewise.cli.nuggets import nuggets as collect

    app = typer.Typer()
    app.command()(collect)
    (tmp_path / name).write_bytes(content)
    done = CliRunner().invoke(app, [str(tmp_path / name), "-o", str(tmp_path / "n"), "--quiet"])
    assert (done.exit_code, said in done.stderr) == (1, True)
    assert sorted(path.name for path in tmp_path.iterdir()) == [name, "n"]
