"""What a model decides is decided in tasks as on one machine, to the bit: rows, doubts, evidence, model, notes."""

import random

import pyarrow.parquet as pq
import pytest
from tests.engines.test_distributed import LEFT, RIGHT, SYLLABLES

import likewise as lw
from likewise.jobs.distributed import compared, job, limits, run

TABLES = ("table", "unmatched", "review", "evidence", "canonical", "pairs")


def word(draw, length):
    return "".join(draw.choices(SYLLABLES, k=length)).title()


def people(count, seed=1):
    """Records of all kinds of fields, written as people write them: dates with the day first, numbers with commas."""
    draw = random.Random(seed)
    towns = [word(draw, 2) for _ in range(6)]
    return [
        {
            "name": f"{word(draw, 2)} {word(draw, 3)}",
            "street": f"{word(draw, 2)} street {draw.randint(1, 99)}",
            "town": draw.choice(towns) if draw.random() < 0.9 else "unknown",
            "born": f"{draw.randint(1, 28)}/{draw.randint(1, 12)}/{draw.randint(1930, 2000)}",
            "amount": f"{draw.randint(1, 900)},{draw.randint(10, 99)}",
            "code": f"K{draw.randint(1000, 9999)}",
            "member": draw.choice(["yes", "no"]),
            "at": f"{draw.random() * 50:.4f}, {draw.random() * 50:.4f}",
        }
        for _ in range(count)
    ]


def copy(record, draw):
    """A record with slips."""
    name, place = record["name"], draw.randrange(len(record["name"]) - 1)
    made = {**record, "name": name[:place] + name[place + 1 :]} if draw.random() < 0.6 else dict(record)
    return {key: None if key in ("street", "born") and draw.random() < 0.2 else value for key, value in made.items()}


def two_tables(size=90, times=1):
    """Two tables that share a third of their records, the right one with so many copies of each."""
    draw, base = random.Random(3), people(size + size // 2)
    right = [copy(record, draw) for record in base[size // 2 :] for _ in range(times)]
    draw.shuffle(right)
    return base[:size], right


def one_table(size=50, most=4):
    """A table in which records have copies, up to so many."""
    draw = random.Random(5)
    return [copy(record, draw) for record in people(size, 2) for _ in range(draw.randint(1, most))]


def many_copies():
    """Records of which each stands there seven times as it is, and six times with the same slip."""
    draw, rows = random.Random(4), []
    for record in people(25, 7):
        rows += [record] * 7 + [copy(record, draw)] * 6
    draw.shuffle(rows)
    return rows


def in_series():
    """Products whose codes run in series, and what others call them."""
    draw, codes = random.Random(8), [f"LX-{number}" for number in range(200, 320, 2)]
    ours = [{"name": word(draw, 3), "code": code, "price": draw.randint(5, 90)} for code in codes]
    theirs = [{**row, "code": row["code"].replace("-", ""), "name": row["name"][:-1]} for row in ours[10:]]
    return ours + [{**row, "code": row["code"] + "B"} for row in ours[::3]], theirs


def same_texts():
    """Texts that several records of both sides have."""
    draw = random.Random(9)
    texts = [f"{word(draw, 2)} {word(draw, 2)}" for _ in range(70)]
    return [draw.choice(texts[:50]) for _ in range(150)], [draw.choice(texts[20:]) for _ in range(150)]


A, B = two_tables()
OTHER_NAMES = [{"person": row["name"], "Born": row["born"], "place": row["town"]} for row in B]
CASES = {
    "one text": (LEFT, RIGHT, {}),
    "one text, one table": (LEFT, None, {}),
    "names": ([row["name"] for row in A], [row["name"] for row in B], {}),
    "all kinds of fields": (A, B, {}),
    "columns of other names": ([{k: row[k] for k in ("name", "born", "town")} for row in A], OTHER_NAMES, {}),
    "one column in common": ([{k: row[k] for k in ("name", "amount")} for row in A], OTHER_NAMES, {}),
    "fields that are named": (A, B, {"on": {"name": 2, "born": 1, "amount": 1}, "explain": True, "precision": 0.9}),
    "kinds that are told": (A, B, {"on": ["name", "code", "town"], "kinds": {"code": "text"}}),
    "agreeing": (A, B, {"equal_on": "member", "on": ["name", "born", "street"]}),
    "cleaned, in a language": (A, B, {"clean": "accents", "language": "en"}),
    "copies on one side": (*two_tables(60, 3), {}),
    "threshold suggested": (LEFT, RIGHT, {"min_score": "auto"}),
    "a relation": (A, B, {"on": ["name", "street"], "relation": "m:1"}),
    "one to one": (A, B, {"on": ["name", "town"], "one_to_one": True}),
    "one table": (one_table(), None, {}),
    "a direction": (one_table(30), None, {"on": ["name", "town"], "measure": lw.Spectra(coefficient="coverage")}),
    "codes in series": (*in_series(), {}),
    "texts of several": (*same_texts(), {}),
    "texts of a few": ([*LEFT, *LEFT[:4], LEFT[5].upper()], [*RIGHT, f"{RIGHT[7]}."], {}),
    "strangers": (people(60, 11), people(60, 12), {}),
}
CLUSTERS = {
    "groups": (one_table(), {}),
    "linkage that is named": (one_table(), {"linkage": "complete"}),
    "fields that are named": (one_table(), {"on": ["name", "born", "town"], "precision": 0.95}),
    "agreeing, cleaned": (one_table(), {"equal_on": "member", "clean": "accents", "on": ["name", "born"]}),
    "literal copies": (people(60, 4) + people(60, 4)[:25], {}),
    "no duplicates": (people(80, 6), {}),
    "many copies": (many_copies(), {}),
    "many copies, linkage that is named": (many_copies(), {"linkage": "complete"}),
    "many copies, agreeing": (many_copies(), {"equal_on": "member", "on": ["name", "born", "street"]}),
}


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(run, "BLOCK", 70)
    monkeypatch.setattr(run, "LARGEST", 110)
    monkeypatch.setattr(job, "_STRIPS", 2)


@pytest.fixture
def in_tasks(monkeypatch):
    """No table is fetched: one process would read them all."""

    def refuse(*_):
        raise AssertionError("all records in one process")

    for module in ("likewise.jobs.match", "likewise.jobs.dedupe"):
        monkeypatch.setattr(f"{module}.collected", refuse)


def assert_same(there, here):
    for name in TABLES:
        if getattr(here, name, None) is not None:
            one, other = getattr(there, name), getattr(here, name)
            assert one.to_pylist() == other.to_pylist(), name
            assert one.equals(other), name
    assert there.notes == here.notes
    assert there.decision == here.decision
    assert (there.model is None) == (here.model is None)
    if here.model is not None:
        one, other = there.model.to_json(), here.model.to_json()
        if isinstance(here.model.scores, lw.FieldsMeasure) and not here.model.scores.fields[0].measure.statistics:
            one, other = one | {"scores": None}, other | {"scores": None}  # an engine counts terms that need no weights
        assert one == other
    if here.threshold is not None:
        assert there.threshold.to_json() == here.threshold.to_json()


@pytest.mark.usefixtures("in_tasks")
@pytest.mark.parametrize("case", CASES)
def test_pairs_are_decided_in_tasks_as_on_one_machine(case):
    left, right, named = CASES[case]
    here = lw.match(left, right, **named)
    assert here.decision is not None
    assert_same(lw.match(left, right, engine="duckdb", threads=2, **named), here)


@pytest.mark.usefixtures("in_tasks")
@pytest.mark.parametrize("case", CLUSTERS)
def test_clusters_are_decided_in_tasks_as_on_one_machine(case):
    table, named = CLUSTERS[case]
    here = lw.dedupe(table, **named)
    assert here.decision is not None
    assert_same(lw.dedupe(table, engine="duckdb", threads=2, **named), here)


@pytest.mark.usefixtures("in_tasks")
@pytest.mark.parametrize("case", ["names", "all kinds of fields", "fields that are named", "texts of several"])
def test_a_model_is_applied_in_tasks_as_on_one_machine(case, tmp_path):
    left, right, named = CASES[case]
    lw.match(left, right, **named).model.save(tmp_path / "model.json")
    left, right = left[10:], right[:-5]
    here = lw.match(left, right, model=tmp_path / "model.json", **named)
    assert_same(lw.match(left, right, model=tmp_path / "model.json", engine="duckdb", **named), here)


@pytest.mark.usefixtures("in_tasks")
def test_a_model_with_labels_corrects_in_tasks_as_on_one_machine(tmp_path):
    table, copies = one_table(), one_table(30)
    doubtful = lw.dedupe(table).pairs.to_pylist()[:40]
    labels = [(row["left"], row["right"], place % 4 > 0) for place, row in enumerate(doubtful)]
    model = lw.dedupe(table, labels=labels).model
    assert_same(lw.dedupe(copies, model=model, engine="duckdb"), lw.dedupe(copies, model=model))


def judged(found, every=5, by=None):
    """What somebody says of the doubtful pairs and of some that match, each fifth the other way."""
    rows = [*found.review.to_pylist(), *(found.pairs if by is None else found.table).to_pylist()]
    pairs = {frozenset([row["left"], row["right"]]): (row["left"], row["right"]) for row in rows}
    return [(left, right, place % every > 0) for place, (left, right) in enumerate(pairs.values())]


def called(rows, name="key", first="k"):
    return [{name: f"{first}{place}", **row} for place, row in enumerate(rows)]


@pytest.mark.usefixtures("in_tasks")
@pytest.mark.parametrize(
    ("left", "right", "named"),
    [
        (A, B, {}),
        (LEFT, RIGHT, {}),
        (called(A), called(B, first="q"), {"id": "key", "on": ["name", "born"], "precision": 0.9}),
        (A, B, {"equal_on": "member", "on": ["name", "born", "street"]}),
        (one_table(), None, {"on": ["name", "town", "born"]}),
    ],
    ids=["all fields", "one text", "ids", "agreeing", "one table"],
)
def test_labels_teach_in_tasks_as_on_one_machine(left, right, named):
    labels = judged(lw.match(left, right, **named), by="match")
    here = lw.match(left, right, labels=labels, **named)
    assert here.decision.labels == len(labels)
    assert_same(lw.match(left, right, labels=labels, engine="duckdb", threads=2, **named), here)


@pytest.mark.usefixtures("in_tasks")
def test_labels_teach_clusters_in_tasks_as_on_one_machine():
    table = called(one_table(), "key", "k")
    labels = judged(lw.dedupe(table, id="key"))
    here = lw.dedupe(table, id="key", labels=labels)
    assert here.decision.labels == len(labels)
    assert_same(lw.dedupe(table, id="key", labels=labels, engine="duckdb", threads=2), here)


@pytest.mark.usefixtures("in_tasks")
def test_labels_of_a_model_and_of_pairs_that_nobody_would_compare(tmp_path):
    """They are candidates because they were judged; in one table either of the two may be named first."""
    table = called(one_table(30))
    labels = [("k40", "k3", True), ("k5", "k50", False), *judged(lw.dedupe(table, id="key"))]
    here = lw.dedupe(table, id="key", labels=labels)
    assert here.decision.labels == len(labels)
    here.model.save(tmp_path / "model.json")
    again = [str(tmp_path / "model.json"), [("k7", "k1", False)]]
    assert_same(lw.dedupe(table, id="key", labels=again, engine="duckdb"), lw.dedupe(table, id="key", labels=again))


@pytest.mark.usefixtures("in_tasks")
@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([(0, 0, True), (0, 90, True)], "labels, row 1: no record of right has the id '90'"),
        ([("00", 0, True)], "labels, row 0: no record of left has the id '00'"),
        ([(0, 0, True), (1, 1, "perhaps")], "labels, row 1: match must be .* not 'perhaps'"),
        ([(0, 0, True), (0, 0, False)], "labels, row 1: the pair was judged the other way in a row before"),
    ],
)
def test_labels_that_cannot_be_read_are_refused_before_anything_is_compared(labels, said, monkeypatch, tmp_path):
    monkeypatch.setattr("likewise.jobs.distributed.match.decided_match", None)
    for at in ({}, {"engine": "duckdb", "work": str(tmp_path / "w")}):
        with pytest.raises(lw.InputError, match=said):
            lw.match(A, B, labels=labels, **at)


def test_a_work_folder_belongs_to_its_labels(tmp_path):
    at = {"engine": "duckdb", "work": str(tmp_path / "w")}
    lw.match(A, B, labels=[(40, 3, True)], **at)
    with pytest.raises(lw.StorageError, match="other input or options"):
        lw.match(A, B, labels=[(40, 3, False)], **at)


def test_a_stopped_decision_goes_on_and_gives_the_same(tmp_path):
    here, at = lw.match(A, B), {"engine": "duckdb", "work": str(tmp_path / "w"), "threads": 2}
    assert_same(lw.match(A, B, **at), here)
    for name in ("said/000000.parquet", "candidates/_SUCCESS", "values/1-000001.parquet", "matched/000001.parquet"):
        (tmp_path / "w" / name).unlink()
    assert_same(lw.match(A, B, **at), here)


def test_the_driver_is_given_no_text(monkeypatch, tmp_path):
    """What it reads of the candidates are numbers, and what it lists of them are positions."""
    seen = []
    monkeypatch.setattr(compared.ComparedInFiles, "column", watched(compared.ComparedInFiles.column, seen))
    lw.match(A, B, engine="duckdb", work=str(tmp_path / "w"))
    assert {str(column.dtype) for column in seen} <= {"int64", "float64", "bool"}
    lists = [*(tmp_path / "w" / "said").glob("*.parquet"), *(tmp_path / "w" / "candidates").glob("*.parquet")]
    assert not any(str(kind) == "string" for path in lists for kind in pq.read_schema(path).types)


def watched(function, seen):
    def watching(*arguments):
        seen.append(function(*arguments))
        return seen[-1]

    return watching


def test_what_tasks_do_not_decide_is_left_to_one_process(monkeypatch):
    fetched = []
    monkeypatch.setattr("likewise.jobs.match.collected", lambda source, *rest: fetched.append(rest) or source)
    few = lw.match(A[:15], B, engine="duckdb")
    assert_same(few, lw.match(A[:15], B))
    assert len(fetched) == 2
    joined = lw.match(A, B, columns=["born"], engine="duckdb").join(how="inner")
    assert joined.to_arrow().equals(lw.match(A, B, columns=["born"]).join(how="inner").to_arrow())


def test_more_numbers_than_memory_are_refused_before_anything_is_compared(monkeypatch):
    monkeypatch.setattr(limits, "_SAID", 1 << 20)
    monkeypatch.setattr("likewise.jobs.distributed.compared.strips", None)
    with pytest.raises(
        lw.OptionError, match=r"takes one process 2 GB of numbers, memory is 512MB: .* name a min_score"
    ):
        lw.match(A, B, engine="duckdb", memory="512MB")
