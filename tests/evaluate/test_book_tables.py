"""Tables 1 to 11 for a book: the lists are those of link, each pair is judged once, the paper's cells stand beside."""

import json

import pytest
from tests.jobs.link.books import topics
from typer.testing import CliRunner

from likewise.cli.judge import app
from likewise.errors import InputError
from likewise.evaluate.judging.book_tables import JUDGED, BookTables, format_book_tables
from likewise.jobs.link import link


@pytest.fixture(scope="module")
def tables():
    return BookTables(topics()[:5], size=2)


def test_the_lists_are_those_that_link_makes(tables):
    for name in ("21", "24", "25", "3sd", "31sd", "35sd"):
        found = link(topics()[:5], preset=name, faithful=True)
        ends = [(found.unit(x.left).id, found.unit(x.right).id) for x in found]
        assert [(row["left"], row["right"]) for row in tables.lists[name].rows] == ends, name
        assert tables.lists[name].min_matches == next(iter(found.lists.values()))["min_matches"]
    for name in ("3", "17", "19", "31", "35"):
        found = link(topics()[:5], preset=name, faithful=True).sentence_list
        assert tables.lists[name].rows == found.table.to_pylist(), name
        assert tables.lists[name].min_matches == found.min_matches


def test_tables_that_need_no_judge(tables):
    figures = tables.figures()
    first = {row["list"]: row for row in figures["1"]}
    assert first["3"]["pairs"] == len(tables.lists["3"].rows)
    assert (first["3"]["pairs_1990"], first["3"]["min_matches_1990"]) == (2394, 7)
    assert figures["2"]["perfect"] == sum(row["score"] >= 1 - 1e-9 for row in tables.lists["19"].rows)
    assert all(row["score"] >= 0.7 for row in figures["2"]["examples"])
    assert [row["found_1990"] for row in figures["3"]] == [21, 19, 16, 21, 17, 14]
    known = {(row["left"], row["right"]) for row in tables.lists["35"].rows}
    early = sum((row["left"], row["right"]) in known for row in tables.lists["31"].rows[:21])
    assert figures["3"][3]["found"] == early


def test_a_verdict_counts_in_every_table_that_has_the_pair(tables, tmp_path):
    study = tables.study(tmp_path / "a.judge")
    items = study.items()
    assert len({(item.left, item.right) for item in items.values()}) == len(items)
    for number, item in items.items():
        study.judge("ann", number, "correct" if item.left < item.right else "wrong")
    figures = tables.figures(study)
    for number in JUDGED:
        for row in figures[str(number)]:
            for column, cell in row["cells"].items():
                chosen = [
                    item
                    for item in tables._items[number]
                    if item.column == column and row["stratum"] in (item.stratum, "Total")
                ]
                assert cell["judged"] == cell["of"] == len(chosen)
                assert cell["hits"] == sum(item.left < item.right for item in chosen)
    published = {(row["stratum"], row["row"]): [cell["1990"] for cell in row["cells"].values()] for row in figures["9"]}
    assert published["Total", "acceptable pairs"] == ["", "45/60", "53/60"]
    assert "[53/60]" in format_book_tables(figures)
    assert len(tables.study(tmp_path / "a.judge").judges()) == 1
    with pytest.raises(InputError, match="lacks"):
        BookTables(topics()[5:9], size=2).study(tmp_path / "a.judge")


def test_the_command(tmp_path):
    for document in topics()[:3]:
        (tmp_path / f"{document.id}.txt").write_text(document.text, encoding="utf-8")
    given = ["tables", str(tmp_path / "*.txt"), "--study", str(tmp_path / "s.judge"), "--size", "1", "--json"]
    first = CliRunner().invoke(app, given)
    assert first.exit_code == 0, first.output
    assert CliRunner().invoke(app, given).stdout == first.stdout
    assert list(json.loads(first.stdout)) == [str(number) for number in range(1, 12)]
