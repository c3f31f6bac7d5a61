import json
import random
import shutil

import numpy as np
import pytest

from likewise.errors import InputError, OptionError
from likewise.evaluate.gold.collections import er_set
from likewise.evaluate.reproduce import reproduce
from likewise.evaluate.reproduce.grid import PADDINGS, spectra_grid, steady
from likewise.evaluate.reproduce.published import rows
from likewise.measure import Spectra
from likewise.quality.ranking import Ranking
from likewise.report.reproduction import page

NAMES = ["Brewer's Blackbird", "Eastern Bluebird", "Mountain Bluebird", "Inca Dove", "Reddish Egret", "Carolina Wren"]


@pytest.fixture
def own(tmp_path):
    """A small set of our own under a published name."""
    lines = []
    for number, name in enumerate(NAMES):
        first, second = name.split(" ", 1)
        lines += [f"a\tk{number}\t{second}: {first}", f"b\tk{number}\t{name.replace('e', 'ee')}"]
    (tmp_path / "er").mkdir()
    (tmp_path / "er" / "birdScott1.txt").write_text("\n".join(lines))
    return tmp_path


def test_every_row_is_well_formed():
    seen = {row.id for row in rows()}
    assert len(seen) == len(rows())
    by_table = {table: sum(row.table == table for row in rows()) for table in "3456789"}
    assert by_table == {"3": 36, "4": 30, "5": 96, "6": 72, "7": 24, "8": 52, "9": 14}
    # A figure that is not judged says why.
    assert all(row.note for row in rows() if row.tolerance is None and row.set != "average")


def test_published_averages_are_those_of_their_columns():
    # Guards against slips in copying the tables: the paper's own averages must follow from its cells.
    for row in rows():
        if row.set == "average" and row.table in "3456":
            cells = [
                one.expected
                for one in rows()
                if one.table == row.table
                and one.set != "average"
                and (one.padding, one.weights) == (row.padding, row.weights)
            ]
            assert np.mean(cells) == pytest.approx(row.expected, abs=0.0012), row.id


def test_grid_equals_measures_made_one_by_one(own):
    gold = er_set(own, "birds-scott1")
    grid = spectra_grid(gold)
    assert {len(cells) for cells in grid.values()} == {55}
    for padding in PADDINGS:
        for start, end in [(1, 1), (1, 4), (3, 3), (2, 10)]:
            measure = Spectra(q=(start, end), padding=padding, weights="c")
            expected = Ranking.of_matrix(steady(measure.matrix(gold.lefts, gold.rights)), gold.gold).iap()
            assert grid[padding][start, end].iap == pytest.approx(expected, abs=1e-12)


def test_runs_on_what_is_there_and_names_what_is_not(own):
    found = reproduce(own, only=["er"])
    status = {result.row.id: result for result in found.results}
    assert status["t5.birds-scott1.c"].ours is not None
    assert status["t5.parks.c"].status == "missing"
    assert status["t5.parks.c"].remark == "parks.txt is not in the data folder"
    assert status["t3.hotels.none"].remark == "hotels was never published"
    assert json.loads(json.dumps(found.to_json()))["results"]
    html = page(found)
    assert "<svg" in html
    assert "default-src" in html  # the page loads nothing
    assert " src=" not in html


def test_bad_input_is_told_in_words(tmp_path, own):
    with pytest.raises(InputError, match="is not a folder"):
        reproduce(tmp_path / "nothing")
    with pytest.raises(OptionError, match="er, ir, paraphrase"):
        reproduce(own, only=["names"])
    with pytest.raises(OptionError, match="no published row"):
        reproduce(own, select="t99.*")
    with pytest.raises(InputError, match="holds none of the files"):
        reproduce(own, only=["entailment"])


@pytest.mark.data
@pytest.mark.parametrize("select", ["check.*", "t5.*"])
def test_published_figures_agree(data, select):
    found = reproduce(data, only=["er", "paraphrase", "entailment"] if select == "check.*" else ["er"], select=select)
    assert [(result.row.id, result.ours) for result in found.failed] == []
    assert sum(result.status == "agrees" for result in found.results) >= 12


@pytest.mark.data
def test_shuffled_gold_fails(data, tmp_path):
    (tmp_path / "er").mkdir()
    (tmp_path / "ir").mkdir()
    shutil.copytree(data / "ir" / "med", tmp_path / "ir" / "med")
    relevance = tmp_path / "ir" / "med" / "MED.REL"
    documents = [line.split() for line in relevance.read_text().splitlines() if line.strip()]
    numbers = [row[2] for row in documents]
    random.Random(0).shuffle(numbers)
    relevance.chmod(0o644)
    relevance.write_text("".join(f"{row[0]} 0 {one} 1\n" for row, one in zip(documents, numbers, strict=True)))
    for name in ("birdScott1", "birdScott2", "ucdPeopleMatch"):
        lines = (data / "er" / f"{name}.txt").read_text(encoding="latin-1").splitlines()
        fields = [line.split("\t", 2) for line in lines if line.strip()]
        keys = [key for _, key, _ in fields]
        random.Random(1).shuffle(keys)
        text = "\n".join("\t".join((one[0], key, one[2])) for one, key in zip(fields, keys, strict=True))
        (tmp_path / "er" / f"{name}.txt").write_text(text)
    for tasks in (["er"], ["ir"]):
        found = reproduce(tmp_path, only=tasks, beside=False)
        judged = [one for one in found.results if one.ours is not None and one.row.tolerance is not None]
        assert len(found.failed) >= 0.9 * len([one for one in judged if one.row.set not in ("all", "cran", "time")])


def test_a_damaged_file_costs_only_its_own_rows(own):
    (own / "er" / "parks.txt").write_text("not such a file")
    found = {result.row.id: result for result in reproduce(own, only=["er"], beside=False).results}
    assert found["t5.birds-scott1.c"].ours is not None
    assert "not a SecondString file" in found["t5.parks.c"].remark


def test_every_retrieval_format_goes_through(tmp_path):
    from tests.evaluate.gold.test_collections import COLLECTIONS, write

    for name, files in COLLECTIONS.items():
        write(tmp_path / "ir" / name, files)
    found = reproduce(tmp_path, only=["ir"], beside=False)
    status = {result.row.id: result for result in found.results}
    for name in COLLECTIONS:
        assert status[f"t4.{name}.none"].ours is not None, status[f"t4.{name}.none"].remark
        assert any("where the whole collection has" in note for note in found.sets[name]["notes"])
    assert "rightly" in status["t6.time.c"].remark
    assert status["claim.ir.gain"].ours is not None


@pytest.mark.data
@pytest.mark.parametrize("name", ["birds-scott1", "birds-scott2", "birds-kunkel", "demos", "restaurant", "ucd-people"])
def test_ties_matter_little(data, name):
    gold = er_set(data, name)
    measure = Spectra(q=4, padding="none", weights="c.idf").fit(gold.texts)
    scores = steady(measure.matrix(gold.lefts, gold.rights))
    grouped = Ranking.of_matrix(scores, gold.gold).iap()
    assert Ranking.of_matrix(scores, gold.gold, seed=0).iap() == pytest.approx(grouped, abs=0.006)
