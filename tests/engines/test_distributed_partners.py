"""What is decided by looking at some partners, then at more: assignments and thresholds, the rows of one machine."""

import pyarrow.parquet as pq
import pytest
from tests.engines.test_distributed import LEFT, RECORDS, RIGHT
from tests.engines.test_distributed_decisions import in_tasks, small_blocks  # noqa: F401 - fixtures

import likewise as lw
from likewise.jobs.distributed import limits, partners

pytestmark = pytest.mark.usefixtures("in_tasks", "small_blocks")
NEAR = [*RIGHT, *(text.replace("o", "u", 1) for text in LEFT[:120])]
CASES = {
    "from a score on": (LEFT, NEAR, {"min_score": 0.4}),
    "all scores": (LEFT, NEAR, {"min_score": 0.0}),
    "more on the left": (LEFT * 2, RIGHT[:60], {"min_score": 0.0}),
    "one for all": (LEFT[:40], [LEFT[0]] * 3, {"min_score": 0.0}),
    "no equals": (LEFT, NEAR, {"min_score": 0.2, "exclude_equal": True}),
    "a direction": (LEFT, RIGHT, {"min_score": 0.0, "measure": lw.Spectra(coefficient="coverage")}),
    "words": (LEFT, NEAR, {"min_score": 0.1, "measure": lw.TfIdf()}),
    "fields": (RECORDS[:90], RECORDS[50:], {"min_score": 0.0, "on": {"name": 2, "city": 1}}),
    "fields, no equals": (RECORDS[:90], RECORDS, {"min_score": 0.3, "on": ["name", "city"], "exclude_equal": True}),
    "agreeing": (RECORDS, RECORDS[::2], {"min_score": 0.1, "on": "name", "equal_on": "city"}),
    "explained": (LEFT[:90], NEAR[:50], {"min_score": 0.4, "explain": True}),
    "none from a score on": (LEFT[:30], RIGHT[:30], {"min_score": 1.5}),
    "no records": (LEFT[:0], RIGHT, {"min_score": 0.5}),
    "no records on the right": (LEFT, RIGHT[:0], {"min_score": 0.5}),
}


def assert_same(there, here):
    assert there.to_arrow().equals(here.to_arrow())
    assert there.unmatched.equals(here.unmatched)
    assert there.notes == here.notes
    assert str(there.measure) == str(here.measure)
    assert (there.threshold is None) == (here.threshold is None)
    if here.threshold is not None:
        assert there.threshold.to_json() == here.threshold.to_json()
        assert there.threshold.scores().tolist() == here.threshold.scores().tolist()


@pytest.mark.parametrize("case", CASES)
def test_tasks_assign_as_one_machine(case):
    left, right, named = CASES[case]
    here = lw.match(left, right, one_to_one=True, **named)
    assert len(here) or case.startswith("no")
    assert_same(lw.match(left, right, one_to_one=True, engine="duckdb", threads=2, **named), here)


def asked_for(work):
    return sorted((work / "partners").rglob("*-*.parquet"))


def test_a_stopped_assignment_goes_on_and_asks_no_task_twice(monkeypatch, tmp_path):
    """Records are asked in rounds, more of those that are not settled; the files hold numbers."""
    named = {"one_to_one": True, "min_score": 0.0, "engine": "duckdb", "work": str(tmp_path / "w")}
    found = lw.match(LEFT, NEAR, **named).to_arrow()
    files = asked_for(tmp_path / "w")
    rounds = [path.parent.name for path in files]
    assert len(set(rounds)) > 3
    assert {str(kind) for path in files for kind in pq.read_schema(path).types} == {"int64", "double"}
    times = {path: path.stat().st_mtime_ns for path in files}
    files[1].unlink()
    assert lw.match(LEFT, NEAR, **named).to_arrow().equals(found)
    assert {path for path in files if path.stat().st_mtime_ns != times[path]} == {files[1]}


LABELS = [(place, place, True) for place in range(0, 40, 2)] + [(place, 290 - place, False) for place in range(30)]
EACH = [(place, place // 2 if place % 4 else place, place % 4 > 0) for place in range(60)]
NEAR_LEFT = [text.replace("o", "u", 1) for text in LEFT]
CHOSEN = {
    "labels": (LEFT, NEAR_LEFT + RIGHT, {"top": 2, "labels": LABELS}),
    "labels, precision": (LEFT, NEAR_LEFT + RIGHT, {"all": True, "labels": LABELS, "precision": 0.9}),
    "labels, all pairs": (LEFT, NEAR_LEFT + RIGHT, {"all_pairs": True, "labels": LABELS}),
    "labels, one to one": (LEFT, NEAR_LEFT + RIGHT, {"exclude_equal": True, "one_to_one": True, "labels": LABELS}),
    "labels, both best": (LEFT, NEAR_LEFT + RIGHT, {"reciprocal": True, "labels": LABELS}),
    "labels, one table": (LEFT + NEAR_LEFT, None, {"top": 1, "labels": LABELS}),
    "labels, one table, all pairs": (LEFT + NEAR_LEFT, None, {"all_pairs": True, "labels": LABELS}),
    "labels, agreeing": (RECORDS, RECORDS[::2], {"on": "name", "equal_on": "city", "top": 2, "labels": EACH}),
    "suggested": (LEFT, NEAR_LEFT, {"top": 2, "min_score": "auto"}),
    "suggested, one table": (LEFT + NEAR_LEFT, None, {"all_pairs": True, "min_score": "auto"}),
    "suggested, long texts": ([f"{a} " * 40 for a in LEFT[:60]], None, {"all_pairs": True, "min_score": "auto"}),
}


@pytest.mark.parametrize("case", CHOSEN)
def test_tasks_choose_the_least_score_of_a_list_as_one_machine(case, monkeypatch):
    left, right, named = CHOSEN[case]
    monkeypatch.setattr("likewise.records.threshold._SHOWN", 50)  # some records are looked at, not all
    here = lw.match(left, right, **named)
    assert len(here)
    assert here.threshold is not None
    assert_same(lw.match(left, right, engine="duckdb", threads=2, **named), here)


def test_a_sample_of_records_suggests_the_least_score_of_a_list(monkeypatch):
    monkeypatch.setattr("likewise.records.threshold._SAMPLE", 70)
    for tables in ((LEFT, NEAR_LEFT), (LEFT + NEAR_LEFT, None)):
        here = lw.match(*tables, top=1, min_score="auto")
        assert_same(lw.match(*tables, top=1, min_score="auto", engine="duckdb"), here)


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([(0, 900, True)], "labels, row 0: no record of right has the id '900'"),
        ([(0, 0, True), (0, 0, False)], "labels, row 1: the pair was judged the other way in a row before"),
        ([(0, 0, True), (1, 1, True)], "all 2 labelled pairs are match; a threshold needs pairs of both kinds"),
        ([(0, 0, "perhaps")], "labels, row 0: match must be .* not 'perhaps'"),
    ],
)
def test_labels_that_teach_nothing_are_refused_before_pairs_are_looked_for(labels, said, monkeypatch, tmp_path):
    monkeypatch.setattr("likewise.jobs.distributed.match.strips", None)
    with pytest.raises(lw.InputError, match=said):
        lw.match(LEFT, NEAR, top=1, labels=labels, engine="duckdb", work=str(tmp_path / "w"))
    assert not list((tmp_path / "w").glob("pairs/*"))


def test_what_goes_together_with_nothing_is_refused_before_a_folder_is_made(tmp_path):
    at = {"engine": "duckdb", "work": str(tmp_path / "w")}
    with pytest.raises(lw.OptionError, match="min_score and labels exclude each other"):
        lw.match(LEFT, NEAR, top=1, labels=LABELS, min_score=0.5, **at)
    with pytest.raises(lw.OptionError, match="one_to_one needs two tables; for one table use dedupe"):
        lw.match(LEFT, one_to_one=True, min_score=0.5, **at)
    assert not (tmp_path / "w").exists()


def test_more_numbers_than_memory_are_refused_before_anything_is_compared(monkeypatch):
    monkeypatch.setattr(limits, "_ASSIGNED", 1 << 21)
    monkeypatch.setattr(partners, "PartnerTask", None)
    with pytest.raises(lw.OptionError, match=r"takes one process \d GB of numbers, memory is 512MB: .* reciprocal"):
        lw.match(LEFT, NEAR, one_to_one=True, min_score=0.4, engine="duckdb", memory="512MB")


def test_a_work_folder_belongs_to_the_labels_of_its_list(tmp_path):
    at = {"engine": "duckdb", "work": str(tmp_path / "w"), "top": 1}
    lw.match(LEFT, NEAR, labels=EACH[:30], **at)
    with pytest.raises(lw.StorageError, match="other input or options"):
        lw.match(LEFT, NEAR, labels=EACH[:31], **at)


def test_workers_assign_and_choose_as_one_machine(session, monkeypatch, tmp_path):
    """On the cluster, where each task reads what it needs, and the first round has several."""
    monkeypatch.setattr("likewise.jobs.distributed.run.SHORTEST", 50)
    few, labels = LEFT[:100], [row for row in LABELS if row[0] < 20]
    right = [*NEAR_LEFT[:50], *LEFT[:10]]
    named = {"one_to_one": True, "labels": [(a, b % 60, same) for a, b, same in labels], "exclude_equal": True}
    assert_same(lw.match(few, right, engine=session, work=str(tmp_path / "w"), **named), lw.match(few, right, **named))
    assert len(list((tmp_path / "w" / "partners" / "0000").glob("*-*.parquet"))) > 1
