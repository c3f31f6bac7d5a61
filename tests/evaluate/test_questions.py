"""Questions of the TREC QA track: read, answered, scored as in the published table."""

import json

import pytest
from typer.testing import CliRunner

import likewise as lw
from likewise.errors import FormatError, InputError
from likewise.evaluate.questions import evaluate_questions, read_questions
from likewise.jobs.questions.ask import Nuggets
from likewise.jobs.questions.nuggets import nuggets

TEXT = (
    "In 1947, Bell Labs invented the transistor. Amtrak ran its very first trains in 1971. Amtrak has a logo of 1999."
)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.txt").write_text(TEXT)
    nuggets(tmp_path / "a.txt", tmp_path / "n")
    (tmp_path / "t-q.tsv").write_text(
        "1\tA\tWhen was the transistor invented?\n2\tA\tWho was it?\n3\tA\tWhen did Amtrak commence?\n"
        "4\tA\tWhen was nothing?\n5\tA\tIn what year did Amtrak run its first trains?\n"
    )
    (tmp_path / "t-p.tsv").write_text("1\t194[67]\n2\tBell\n3\t1971\n5\t1971\n")
    return tmp_path


def test_questions_are_read_and_scored(folder):
    asked = read_questions(folder).asked
    assert [one.number for one in asked] == ["t-q:1", "t-q:3"]
    pairs = lw.Paraphrases.of_rows([("commence", "ran", 9)])
    rows = evaluate_questions(Nuggets(folder / "n"), asked, {"own": pairs})
    assert [row.disjuncts for row in rows] == [1, 2, 3, 4, 5]
    assert rows[0].score == sum(1 / rank for rank in (1, 2))
    assert (rows[1].helped, rows[1].hurt, rows[1].score, rows[1].first) == (1, 0, 2.0, 2)


def test_what_is_left_out_is_counted_and_named(folder):
    # Silently left out: questions such as *In what year ...*, though ask answers them.
    read = read_questions(folder)
    assert read.left_out == {
        "other_words": ["t-q:5 In what year did Amtrak run its first trains?"],
        "no_pattern": ["t-q:4 When was nothing?"],
        "no_date": 1,
    }
    wider = read_questions(folder, any_words=True)
    assert [one.number for one in wider.asked] == ["t-q:1", "t-q:3", "t-q:5"]
    assert wider.other_words == ()


def test_the_command(folder):
    from likewise.cli.evaluate import app

    lw.Paraphrases.of_rows([("commence", "ran", 9)]).write(folder / "pp.parquet")
    words = ["questions", str(folder / "n"), str(folder), "--expand", str(folder / "pp.parquet")]
    done = CliRunner().invoke(app, words)
    shown = done.stdout.splitlines()
    assert shown[0] == "2 questions"
    assert shown[3].split("\t")[:6] == ["pp", "2", "1", "0", "2.00", "2"]
    assert "note: left out: 1 questions that ask for no date" in done.stderr
    assert "t-q:5 In what year" in done.stderr
    told = json.loads(CliRunner().invoke(app, [*words, "--json", "--any-words"]).stdout)
    assert (told["questions"], len(told["rows"]), told["left_out"]["other_words"]) == (3, 5, [])


def test_what_is_refused(folder):
    with pytest.raises(InputError, match="no question file"):
        read_questions(folder / "n")
    (folder / "t-q.tsv").write_text("only one field\n")
    with pytest.raises(FormatError, match="line 1"):
        read_questions(folder)
    (folder / "t-q.tsv").write_text("1\tA\tWhen?\n")
    (folder / "t-p.tsv").write_text("1\t(\n")
    with pytest.raises(FormatError, match="regular expression"):
        read_questions(folder)
