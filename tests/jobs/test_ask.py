"""Nuggets and when-questions: patterns, AND of ORs, ranking, the two commands, what is refused."""

import json

import pytest
import typer
from typer.testing import CliRunner

import likewise as lw
from likewise.errors import ForeignError, InputError, OptionError, StorageError
from likewise.jobs.ask import Nuggets, question_groups
from likewise.jobs.nuggets import fragments, nuggets

TEXT = """In 1947, Bell Labs invented the transistor. The transistor was invented at Bell Labs in December 1947.

The transistor radio was invented by others in 1954; it became popular in the 1960s.

Amtrak started operations on May 1, 1971. Ada Lovelace (10 December 1815 – 27 November 1852) wrote the first programs.

Bastille Day is celebrated on July 14 every year in France. It rained in 1990.
"""


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("In 1937, the Golden Gate Bridge was built.", [("1937", "the Golden Gate Bridge was built")]),
        ("The Golden Gate Bridge was built in 1937.", [("1937", "The Golden Gate Bridge was built")]),
        ("The bridge was built in 1937 by many men.", [("1937", "The bridge was built by many men")]),
        ("The bridge was built in 1937; it was painted red in 1940.",
         [("1937", "The bridge was built"), ("1940", "it was painted red")]),
        ("Max Born (born 11 December 1882) was a physicist.", [("1882-12-11", "Max Born was born")]),
        ("Max Born (1882–1970) was a physicist.", [("1882", "Max Born was born"), ("1970", "Max Born died")]),
        ("It rained in 1990.", []),
        ("Nothing happened at all that day.", []),
    ],
)  # fmt: skip
def test_fragments(sentence, expected):
    assert [(date.iso, text) for date, text in fragments(sentence)] == expected


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nuggets")
    (folder / "a.txt").write_text(TEXT)
    (folder / "copy.txt").write_text(TEXT)
    assert nuggets([folder / "a.txt", folder / "copy.txt"], folder / "n") == 8
    return folder / "n"


@pytest.mark.parametrize(
    ("question", "dates"),
    [
        ("When was the transistor invented?", [("1947", 2), ("1954", 1)]),
        ("What year was the transistor invented at Bell Labs?", [("1947", 2)]),
        ("When was Ada Lovelace born?", [("1815", 1)]),
        ("When is Bastille Day celebrated?", [("--07-14", 1)]),
        ("When did Amtrak begin operations?", []),
        ("When was the unknownword invented?", []),
        ("When was it?", []),
    ],
)
def test_answers(index, question, dates):
    assert [(answer.date, answer.count) for answer in Nuggets(index).ask(question)] == dates


def test_expansion_finds_what_the_words_do_not(index):
    pairs = lw.Paraphrases.of_rows([("begin", "commence", 9), ("begin", "started", 5), ("Labs", "in the", 3)])
    opened = Nuggets(index)
    assert opened.ask("When did Amtrak begin operations?", pairs, 1) == []
    [answer] = opened.ask("When did Amtrak begin operations?", pairs, 2)
    assert answer.date == "1971"
    assert answer.forms == ("May 1, 1971",)
    assert answer.evidence[0].fragment == "Amtrak started operations"


def test_only_single_words_are_expanded_and_phrases_must_follow_each_other(index):
    pairs = lw.Paraphrases.of_rows([("made", "was invented", 9), ("made", "invented was", 5)])
    assert [a.date for a in Nuggets(index).ask("When was the transistor made?", pairs, 1)] == ["1947", "1954"]
    assert question_groups("made?", pairs, 4)[0] == [["made"], ["was", "invented"], ["invented", "was"]]


def test_what_is_refused(index, tmp_path):
    with pytest.raises(ForeignError):
        Nuggets(tmp_path)
    with pytest.raises(InputError):
        Nuggets(index).ask("  ")
    with pytest.raises(OptionError):
        Nuggets(index).ask("When?", top=0)
    (tmp_path / "precious").write_text("x")
    with pytest.raises(StorageError):
        nuggets(index, tmp_path)
    assert (tmp_path / "precious").exists()


def test_commands(tmp_path):
    from likewise.cli.ask import ask
    from likewise.cli.nuggets import nuggets as collect

    app = typer.Typer()
    app.command("ask")(ask)
    app.command("nuggets")(collect)

    def run(*words):
        return CliRunner().invoke(app, [str(word) for word in words])

    (tmp_path / "a.txt").write_text(TEXT)
    assert "8 nuggets" in run("nuggets", tmp_path / "a.txt", "-o", tmp_path / "n").stderr
    assert run("nuggets", tmp_path / "a.txt", "-o", tmp_path / "n", "--quiet").exit_code == 0
    shown = run("ask", tmp_path / "n", "When was the transistor invented?")
    assert shown.stdout.startswith("1947\t2\t")
    first = json.loads(run("ask", tmp_path / "n", "When was the transistor invented?", "--json").stdout.splitlines()[0])
    assert first["date"] == "1947"
    assert run("ask", tmp_path / "n", "When was the wheel invented?").exit_code == 1
    lw.Paraphrases.of_rows([("made", "invented", 9)]).write(tmp_path / "pp.parquet")
    wide = run("ask", tmp_path / "n", "When was the transistor made?", "--expand", tmp_path / "pp.parquet")
    assert wide.stdout.startswith("1947")
