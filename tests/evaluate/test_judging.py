"""Judging: what is sampled, that it is blind, kept at once and resumed, and the figures in the tables."""

import contextlib
import io
import json
import sqlite3

import pytest

from likewise.errors import ColumnError, ForeignError, InputError, OptionError, StorageError
from likewise.evaluate.judging import SCHEMES, Ranking, Study, columns, overlap, sample, table
from likewise.evaluate.judging.agreement import kappa, wilson
from likewise.evaluate.judging.sampling import with_columns
from likewise.evaluate.judging.tables import format_table
from likewise.evaluate.judging.terminal import run
from likewise.read.tables import read_table

LINKS, PARAPHRASES = SCHEMES["links"], SCHEMES["paraphrases"]


def row(number):
    return {
        "left": f"a{number}",
        "right": f"b{number}",
        "left_text": f"Left {number}.",
        "right_text": f"Right {number}.",
    }


def ranking(name, numbers):
    return Ranking(name, [row(number) for number in numbers])


def test_strata_lie_where_the_paper_has_them():
    items = sample([ranking("21", range(2400))], LINKS)
    ranks = {stratum: [item.rank for item in items if item.stratum == stratum] for stratum in LINKS.strata}
    early, medium, late = ranks.values()
    assert early == list(range(1, 21))
    assert len(medium) == len(late) == 20
    assert min(medium) <= 550 <= max(medium)
    assert min(late) <= 1100 <= max(late)


def test_two_lists_make_three_columns():
    x, y = ranking("24", range(300)), ranking("21", range(150, 450))
    items = sample([x, y], LINKS, 10)
    assert {item.column for item in items} == {"only 24", "only 21", "both"}
    assert len(items) == 90
    for item in items:
        n = int(item.left[1:])
        assert (n < 150) == (item.column == "only 24")
        assert (n >= 300) == (item.column == "only 21")
    assert len({(item.column, item.rank) for item in items}) == 90


def test_paraphrase_tables_are_taken_at_top_middle_and_bottom():
    items = sample([ranking("ngram", range(1000)), ranking("entity", range(400))], PARAPHRASES)
    assert len(items) == 600
    low = [item.rank for item in items if item.column == "entity" and item.stratum == "Low"]
    assert low == list(range(301, 401))


def test_the_whole_list_is_sampled_by_thirds():
    items = sample([ranking("21", range(90))], LINKS, 10, whole=True, seed=1)
    ranks = [[item.rank for item in items if item.stratum == stratum] for stratum in LINKS.strata]
    assert [len(part) for part in ranks] == [10, 10, 10]
    assert all(30 * third < rank <= 30 * (third + 1) for third, part in enumerate(ranks) for rank in part)
    assert ranks[2][-1] > 70
    assert items == sample([ranking("21", range(90))], LINKS, 10, whole=True, seed=1)
    assert items != sample([ranking("21", range(90))], LINKS, 10, whole=True, seed=2)


def test_few_pairs_are_not_taken_twice():
    items = sample([ranking("21", range(7))], LINKS, 5)
    assert sorted(item.rank for item in items) == list(range(1, 8))


def test_overlap():
    # At the same shares of the list as ranks 501 and 1001 of 2,400, however long it is.
    assert overlap(ranking("25", range(240)), ranking("21", range(60))) == [
        ("Ranks 1 - 21", 21, 21),
        ("Ranks 51 - 71", 10, 21),
        ("Ranks 101 - 121", 0, 21),
    ]
    assert overlap(ranking("25", range(2000)), ranking("21", range(510)), (1, 501, 1001)) == [
        ("Ranks 1 - 21", 21, 21),
        ("Ranks 501 - 521", 10, 21),
        ("Ranks 1001 - 1021", 0, 21),
    ]


@pytest.fixture
def study(tmp_path):
    return Study.create(tmp_path / "s.judge", sample([ranking("21", range(60))], LINKS, 4), LINKS, seed=3)


def keys(text):
    letters = iter(text)
    return lambda: next(letters, "")


def test_judging_goes_on_where_it_stopped(study):
    out = io.StringIO()
    assert run(study, "ada", read_key=keys("caq"), out=out) == 2
    again = Study(study.path)
    assert run(again, "ada", read_key=keys("w" * 10), out=out) == 10
    said = again.verdicts("ada")
    order = again.order("ada")
    assert [said[number] for number in order] == ["correct", "acceptable", *["wrong"] * 10]
    # Nothing is left to ask.
    assert run(again, "ada", read_key=keys("c"), out=out) == 0


def test_back_corrects_and_unknown_keys_do_nothing(study):
    assert run(study, "ada", read_key=keys("cbwx?q"), out=io.StringIO()) == 1
    assert list(study.verdicts("ada").values()) == ["wrong"]


def test_what_is_shown_is_blind(study):
    out = io.StringIO()
    run(study, "ada", read_key=keys("c" * 12), out=out)
    shown = out.getvalue()
    assert all(word not in shown for word in ("21", "Early", "Medium", "Late", "rank", "score"))
    assert shown.count("Left ") == 12


def test_each_judge_has_an_order_of_their_own(study):
    assert sorted(study.order("ada")) == sorted(study.order("bob"))
    assert study.order("ada") != study.order("bob")
    assert study.order("ada") != sorted(study.order("ada"))


def test_control_characters_do_not_reach_the_terminal(tmp_path):
    rows = [{"left": "a", "right": "b", "left_text": "\x1b[31mred\x07", "right_text": "plain"}]
    study = Study.create(tmp_path / "s.judge", sample([Ranking("x", rows)], LINKS), LINKS)
    out = io.StringIO()
    run(study, "ada", read_key=keys("q"), out=out)
    assert "\x1b" not in out.getvalue()


def test_table_in_the_form_of_the_paper(study):
    for place, number in enumerate(sorted(study.items())):
        study.judge("ada", number, ["correct", "acceptable", "wrong"][place % 3])
    figures = table(study)
    total = figures["strata"]["Total"]["21"]
    assert (total["correct pairs"]["hits"], total["acceptable pairs"]["hits"], total["correct pairs"]["of"]) == (
        4,
        8,
        12,
    )
    text = format_table(figures)
    assert "acceptable pairs" in text
    assert "8/12 (67%) 39-86" in text
    assert "12 of 12 pairs judged by ada" in text


def test_a_column_without_pairs_stays_in_the_table(tmp_path):
    lists = [ranking("31sd", range(5)), ranking("21", range(9))]
    study = Study.create(tmp_path / "s.judge", sample(lists, LINKS, 2), LINKS, columns=columns(lists, LINKS))
    study.fill([])
    assert study.columns() == ["only 31sd", "only 21", "both"]
    assert " - " in format_table(table(study)).split("correct pairs")[1][:40]


def test_several_judges_and_their_agreement(study):
    numbers = sorted(study.items())
    for place, number in enumerate(numbers):
        study.judge("ada", number, "correct" if place % 2 else "wrong")
        study.judge("bob", number, "correct" if place % 2 or place == 0 else "wrong")
        study.judge("cyd", number, "acceptable")
    figures = table(study)
    assert figures["strata"]["Total"]["21"]["acceptable pairs"]["hits"] == 7
    agreement = {tuple(entry["judges"]): entry["kappa"] for entry in figures["agreement"]}
    assert agreement["ada", "bob"] == pytest.approx(5 / 6)
    assert agreement["ada", "cyd"] == pytest.approx(0)
    assert "kappa of ada and bob: 0.83 over 12 pairs" in format_table(figures)


def test_gold_fills_the_table(study):
    assert study.fill([(f"b{n}", f"a{n}") for n in range(5)]) == 12
    assert table(study, ["gold"])["strata"]["Early output (best ranks)"]["21"]["correct pairs"]["hits"] == 4


def test_eleven_classes(tmp_path):
    rows = [{"phrase": f"p{n}", "paraphrase": f"q{n}", "support": 9 - n} for n in range(9)]
    path = tmp_path / "pp.jsonl"
    path.write_text("\n".join(json.dumps(r) for r in rows))
    study = Study.create(tmp_path / "s.judge", sample([Ranking.read(path)], PARAPHRASES, 3), PARAPHRASES)
    run(study, "ada", read_key=keys("1234567-0"), out=io.StringIO())
    figures = table(study)
    text = format_table(figures)
    totals = [sum(cells["pp"][name]["hits"] for s, cells in figures["strata"].items() if s != "Total")
              for name in PARAPHRASES.totals]  # fmt: skip
    assert totals == [6, 1, 2]
    assert "(10) Incorrect; antonyms" in text
    assert text.index("Total correct") < text.index("(7) Siblings") < text.index("Total siblings")


def test_a_study_that_cannot_be_made_leaves_nothing(tmp_path, monkeypatch):
    items = sample([ranking("21", range(6))], LINKS, 4)
    monkeypatch.setattr("likewise.evaluate.judging.study._sample", lambda database: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        Study.create(tmp_path / "s.judge", items, LINKS)
    assert list(tmp_path.iterdir()) == []
    monkeypatch.undo()
    Study.create(tmp_path / "s.judge", items, LINKS).close()
    assert [path.name for path in tmp_path.iterdir()] == ["s.judge"]


def test_a_study_is_never_overwritten_and_foreign_files_are_refused(tmp_path, study):
    with pytest.raises(StorageError, match="exists"):
        Study.create(study.path, list(study.items().values()), LINKS)
    other = tmp_path / "x.judge"
    other.write_text("no database")
    with pytest.raises(ForeignError):
        Study(other)
    with pytest.raises(ForeignError):
        Study(tmp_path / "absent.judge")
    sqlite3.connect(tmp_path / "empty.judge").execute("CREATE TABLE t (x)")
    with pytest.raises(ForeignError):
        Study(tmp_path / "empty.judge")


HOSTILE = {
    "a view that never ends": "DROP TABLE judgements; CREATE VIEW judgements AS WITH RECURSIVE n(item) AS "
    "(SELECT 1 UNION ALL SELECT item + 1 FROM n) SELECT item, 'ada' AS judge, 'correct' AS verdict, '' AS at FROM n",
    "a trigger": "CREATE TRIGGER t AFTER INSERT ON judgements BEGIN DELETE FROM items; END",
    "another table": "CREATE TABLE more (x)",
    "no such scheme": "UPDATE study SET value = 'x' WHERE key = 'scheme'",
    "columns too deep": f"UPDATE study SET value = '{'[' * 100_000}' WHERE key = 'columns'",
    "columns that are none": "UPDATE study SET value = '5' WHERE key = 'columns'",
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_what_a_hostile_study_holds_is_not_run(study, kind):
    study.close()
    with contextlib.closing(sqlite3.connect(study.path)) as database:
        database.executescript(HOSTILE[kind])
    with pytest.raises(ForeignError, match="is not a study of Likewise"):
        Study(study.path)


def test_bad_values_are_refused(study, tmp_path):
    with pytest.raises(OptionError, match="verdict"):
        study.judge("ada", 1, "splendid")
    with pytest.raises(OptionError, match="judge"):
        study.judge(" ", 1, "correct")
    with pytest.raises(OptionError, match="names"):
        sample([ranking("21", range(3)), ranking("21", range(3))], LINKS)
    (tmp_path / "bad.jsonl").write_text('{"x": 1}\n')
    with pytest.raises(ColumnError, match="left_text"):
        Ranking.read(tmp_path / "bad.jsonl")


def test_figures():
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(20, 20)[1] == 1.0
    assert kappa({}, {1: "c"}) == (None, 0)
    assert kappa({1: "c"}, {1: "c"}) == (None, 1)


def test_records_are_shown_column_by_column(tmp_path):
    (tmp_path / "a.csv").write_text("key,name,town\n7,Ada,Bonn\n8,Bo,\n")
    (tmp_path / "b.csv").write_text("nr,person\nx,Adah\n")
    (tmp_path / "doubtful.csv").write_text("left,right,score,left_text,right_text\n7,x,0.5,Ada Bonn,Adah\n")
    left, right = read_table(tmp_path / "a.csv", id="key"), read_table(tmp_path / "b.csv", id="nr")
    ranking = with_columns(Ranking.read(tmp_path / "doubtful.csv"), left, right)
    study = Study.create(tmp_path / "r.judge", sample([ranking], SCHEMES["records"]), SCHEMES["records"])
    out = io.StringIO()
    run(study, "ada", read_key=keys("q"), out=out)
    assert "name: Ada\ntown: Bonn\n\nperson: Adah\n" in out.getvalue()
    with pytest.raises(InputError, match=r"no record of .*b\.csv has the id '7'"):
        with_columns(ranking, right, right)


def test_doubtful_records_become_labels(tmp_path):
    rows = [f"{place},x{place},0.5,a {place},b {place}" for place in range(4)]
    (tmp_path / "doubtful.csv").write_text("\n".join(["left,right,score,left_text,right_text", *rows]))
    scheme = SCHEMES["records"]
    study = Study.create(tmp_path / "r.judge", sample([Ranking.read(tmp_path / "doubtful.csv")], scheme), scheme)
    assert study.order("ada") == study.order("bob") == [1, 2, 3, 4]
    run(study, "ada", read_key=keys("ynbynuq"), out=io.StringIO())  # the second is taken back and said again
    assert study.labels() == [("0", "x0", True), ("1", "x1", True), ("2", "x2", False)]
    study.judge("bob", 2, "different")
    assert study.labels() == [("0", "x0", True), ("2", "x2", False)]
    assert study.labels(["bob"]) == [("1", "x1", False)]


def test_force_replaces_a_study_in_which_nobody_has_judged(tmp_path, cli):
    prepare = ("judge", "prepare", "doubt.csv", "-o", "r.judge")
    (tmp_path / "doubt.csv").write_text("left,right,probability,left_text,right_text\n1,2,0.5,a,b\n")
    assert cli(*prepare).returncode == 0
    done = cli(*prepare)
    assert (done.returncode, "r.judge exists already; --force" in done.stderr) == (2, True)
    (tmp_path / "doubt.csv").write_text("left,right,probability,left_text,right_text\n1,3,0.5,a,c\n")
    assert cli(*prepare, "--force").returncode == 0
    with contextlib.closing(Study(tmp_path / "r.judge")) as study:
        assert [item.right for item in study.items().values()] == ["3"]
        study.judge("ada", 1, "same")
    done = cli(*prepare, "--force")
    assert (done.returncode, "has judgements of ada, which are not overwritten" in done.stderr) == (2, True)
    done = cli("judge", "prepare", "doubt.csv", "-o", "doubt.csv", "--force")
    assert (done.returncode, "doubt.csv is not a study" in done.stderr) == (2, True)
    assert (tmp_path / "doubt.csv").read_text().startswith("left,right")


def test_the_columns_tell_what_is_judged(tmp_path, cli):
    lines = ["phrase,paraphrase,support", *(f"took effect {n},came into force {n},3" for n in range(9))]
    (tmp_path / "pp.csv").write_text("\n".join(lines))
    done = cli("judge", "prepare", "pp.csv", "-o", "p.judge")
    assert (done.returncode, Study(tmp_path / "p.judge").scheme.name) == (0, "paraphrases"), done.stderr
    (tmp_path / "doubt.csv").write_text("left,right,probability,left_text,right_text\n1,2,0.5,a,b\n")
    assert Ranking.read(tmp_path / "doubt.csv").scheme == "records"
    (tmp_path / "links.jsonl").write_text('{"left": "1", "right": "2", "left_text": "a", "right_text": "b"}\n')
    assert Ranking.read(tmp_path / "links.jsonl").scheme == "links"
