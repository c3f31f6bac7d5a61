"""Clusters that live on: the same as from scratch, with ids that stay, merges and splits told."""

import json

import numpy as np
import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.records.test_decision import people, worse

import likewise as lw
from likewise.errors import ColumnError, DamagedError, ForeignError, InputError, OptionError
from likewise.records.state import State, carry_over, rejoined

ROWS = [
    {"key": "a", "name": "Ada Lovelace", "city": "London"},
    {"key": "b", "name": "Lovelace, Ada", "city": "London"},
    {"key": "c", "name": "Grace Hopper", "city": "New York"},
    {"key": "d", "name": "Kurt Goedel", "city": "Princeton"},
]
NEW = [{"key": "e", "name": "Grace M. Hopper", "city": "New York"}, {"key": "f", "name": "Emmy Noether", "city": None}]


def clusters_of(result):
    return dict(zip(result.table["id"].to_pylist(), result.table["cluster"].to_pylist(), strict=True))


def same_partition(one, other):
    names = sorted(one)
    return all((one[a] == one[b]) == (other[a] == other[b]) for a in names for b in names)


def test_added_records_give_the_clusters_of_a_run_from_scratch_and_ids_stay(tmp_path):
    state = tmp_path / "people.state"
    first = clusters_of(lw.dedupe(ROWS, id="key", min_score=0.6, state=state))
    found = lw.dedupe(state, add=NEW)
    later = clusters_of(found)
    assert all(later[name] == first[name] for name in first)
    assert later["e"] == first["c"]
    assert later["f"] not in first.values()
    assert same_partition(later, clusters_of(lw.dedupe([*ROWS, *NEW], id="key", min_score=0.6)))
    assert [(change.kind, change.after) for change in found.changes] == [("new", (later["f"],))]
    gone = lw.dedupe(state, remove=["d"])
    assert [(change.kind, change.before) for change in gone.changes] == [("gone", (first["d"],))]
    again = clusters_of(lw.dedupe(state, add=[ROWS[3]]))
    assert again["d"] not in later.values()


@pytest.mark.parametrize("listed", ["d\n", "key\nd\n", "name,key\nGrace,d\n", "id,cluster\nd,1\n"])
def test_a_file_of_ids_may_name_its_column(tmp_path, listed):
    state = tmp_path / "people.state"
    lw.dedupe(ROWS, id="key", min_score=0.6, state=state)
    gone = tmp_path / "gone.csv"
    gone.write_text(listed)
    assert "d" not in clusters_of(lw.dedupe(state, remove=gone))


def test_a_record_with_a_known_id_takes_its_place(tmp_path):
    state = tmp_path / "people.state"
    lw.dedupe(ROWS, id="key", min_score=0.6, state=state)
    found = lw.dedupe(state, add=[{"key": "b", "name": "Kurt Gödel", "city": "Princeton"}], state=tmp_path / "other")
    assert found.table.num_rows == 4
    assert clusters_of(found)["b"] == clusters_of(found)["d"]
    assert State.open(state).table.num_rows == State.open(tmp_path / "other").table.num_rows == 4


def test_merged_and_split_are_told():
    before = {"a": 0, "b": 0, "c": 1, "d": 2, "e": 2, "f": 2}
    numbers, following, changes = carry_over(before, list("abcdef"), np.array([0, 0, 0, 3, 3, 5]), 7)
    assert numbers.tolist() == [0, 0, 0, 2, 2, 7]
    assert following == 8
    assert [(change.kind, change.before, change.after) for change in changes] == [
        ("merged", (0, 1), (0,)),
        ("split", (2,), (2, 7)),
    ]


def test_what_is_refused_is_told_in_words(tmp_path):
    state = tmp_path / "people.state"
    with pytest.raises(OptionError, match="state needs id"):
        lw.dedupe(ROWS, state=state)
    lw.dedupe(ROWS, id="key", min_score=0.6, state=state)
    with pytest.raises(OptionError, match="options that the state was made with"):
        lw.dedupe(state, add=NEW, min_score=0.5)
    with pytest.raises(OptionError, match="options that the state was made with"):
        lw.dedupe(state, add=NEW, labels=pandas.DataFrame({"left": ["a"], "right": ["b"], "match": [1]}))
    with pytest.raises(OptionError, match="a file of ids, or in Python a list of them; there is no file d"):
        lw.dedupe(state, remove="d")
    with pytest.raises(InputError, match="no record 'z' to remove"):
        lw.dedupe(state, remove=["z"])
    before = state.read_bytes()
    with pytest.raises(ColumnError, match="what is added has no column 'city'; its columns: 'key', 'name', 'town'"):
        lw.dedupe(state, add=[{"key": "b", "name": "Ada", "town": "London"}])
    assert state.read_bytes() == before
    (tmp_path / "no.state").write_text("key,name\n")
    with pytest.raises(ForeignError, match="no state of dedupe"):
        lw.dedupe(tmp_path / "no.state", add=NEW)
    with pytest.raises(OptionError, match="not to list"):
        lw.dedupe(ROWS, add=NEW)


def test_a_state_that_is_not_utf8_or_too_deep_is_refused_in_words(tmp_path):
    # The names of columns are decoded when they are asked for; UnicodeDecodeError went through.
    state = tmp_path / "people.state"
    lw.dedupe([{"key": "a", "naxme": "Ada"}, {"key": "b", "naxme": "Ada"}], id="key", min_score=0.6, state=state)
    whole = state.read_bytes()
    state.write_bytes(whole.replace(b"naxme", b"na\xffme"))
    with pytest.raises((ForeignError, DamagedError), match=r"people\.state"):
        State.open(state)
    table = pq.read_table(pa.BufferReader(whole))
    for said in (b"[" * 100_000, b'{"version": "\xff"}', b"[]"):
        pq.write_table(table.replace_schema_metadata({b"likewise": said}), state)
        with pytest.raises(DamagedError, match=r"people\.state cannot be read"):
            State.open(state)


def test_every_byte_of_a_state_is_sealed(tmp_path):
    state = tmp_path / "people.state"
    lw.dedupe(ROWS, id="key", min_score=0.6, state=state)
    whole = state.read_bytes()
    state.write_bytes(whole.replace(b"Grace", b"Trace"))
    with pytest.raises(DamagedError, match="has changed since it was written"):
        lw.dedupe(state, add=NEW)
    # One without a seal, of an older Likewise or of somebody who took it off, is taken if its parts fit.
    table = pq.read_table(pa.BufferReader(whole))
    about = json.loads(table.schema.metadata[b"likewise"])
    table = table.replace_schema_metadata({b"likewise": json.dumps(about)})
    pq.write_table(table, state)
    assert State.open(state).following == about["following"] == 3
    for following in (2, "9", 1 << 63):
        said = json.dumps({**about, "following": following})
        pq.write_table(table.replace_schema_metadata({b"likewise": said}), state)
        with pytest.raises(DamagedError, match="following must be"):
            State.open(state)
    for column in (pa.nulls(4, pa.int64()), pa.array([0.5] * 4)):
        pq.write_table(table.set_column(table.column_names.index("#cluster"), "#cluster", column), state)
        with pytest.raises(DamagedError, match="no clusters"):
            State.open(state)


def test_a_state_keeps_its_model(tmp_path):
    random, state = np.random.default_rng(7), tmp_path / "people.state"
    base = people(80, seed=11)
    rows = [row for record in base for row in (record, worse(record, random))]
    rows = [{**row, "id": str(place)} for place, row in enumerate(rows)]
    first = lw.dedupe(rows[:120], id="id", state=state)
    found = lw.dedupe(state, add=rows[120:])
    assert found.model.learnt == first.model.learnt == State.open(state).model.learnt
    before, after = clusters_of(first), clusters_of(found)
    assert same_partition(before, {name: after[name] for name in before})
    assert sum(after[str(2 * k)] == after[str(2 * k + 1)] for k in range(80)) >= 70
    again = lw.dedupe(state, refit=True)
    assert again.model.learnt != first.model.learnt


def test_a_new_record_expels_no_old_one(tmp_path):
    state = tmp_path / "people.state"
    rows = people(60, 5)
    random = np.random.default_rng(6)
    rows += [{**worse(row, random), "key": f"copy {place}"} for place, row in enumerate(rows[:30])]
    lw.dedupe(rows, id="key", state=state)
    before = State.open(state)
    assert before.untouched([before.ids[0]]).keys() < set(before.ids)
    groups = np.arange(len(before.ids))  # as if every record were alone
    assert same_partition(
        dict(zip(before.ids, rejoined(before.untouched([]), before.ids, groups).tolist(), strict=True)),
        dict(zip(before.ids, before.clusters.tolist(), strict=True)),
    )


def test_who_joins_others_takes_along_who_joins_nobody_or_leaves():
    before = {"a": 0, "b": 0, "c": 1}
    assert rejoined(before, ["a", "b", "c", "new"], np.array([0, 1, 1, 1])).tolist() == [1, 1, 1, 1]
    before = {"a": 0, "b": 0, "d": 0, "c": 1}
    assert rejoined(before, ["a", "b", "d", "c"], np.array([0, 0, 1, 1])).tolist() == [0, 0, 1, 1]
    before = {"a": 0, "b": 0, "c": 1, "d": 2}
    assert rejoined(before, ["a", "b", "c", "d"], np.array([0, 1, 0, 1])).tolist() == [0, 1, 0, 1]


@given(st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 5)), max_size=25))
def test_no_old_record_is_left_alone(rows):
    """Whoever leaves a cluster is with records of others, or stays with most of those that are not."""
    ids = list(map(str, range(len(rows))))
    before = {name: old for name, (old, _) in zip(ids, rows, strict=True) if old >= 0}
    groups = np.array([group for _, group in rows], np.int64)
    after = dict(zip(ids, rejoined(before, ids, groups).tolist(), strict=True))
    joined = {name: {before[one] for one in before if after[one] == after[name]} for name in before}
    for cluster in set(before.values()):
        members = [name for name, old in before.items() if old == cluster]
        assert len({after[name] for name in members if len(joined[name]) == 1}) <= 1
        # Only who was put together with another cluster is apart from them.
        old_groups = dict(zip(ids, groups.tolist(), strict=True))
        lone = {
            name
            for name in members
            if not any(old_groups[x] == old_groups[name] and before[x] != cluster for x in before)
        }
        parted = len({after[name] for name in members}) > 1
        assert not parted or lone != set(members)
    pairs = {(a, b) for a in ids for b in ids if groups[int(a)] == groups[int(b)]}
    assert all(after[a] == after[b] for a, b in pairs)  # what is decided to be the same stays so


def test_old_records_go_with_most_of_their_cluster():
    before = {"a": 0, "b": 0, "c": 0, "d": 1}
    # a and b are alone together, c joined d: two stay, one goes: c comes back
    assert rejoined(before, list("abcd"), np.array([0, 0, 2, 2])).tolist() == [0, 0, 2, 2]
    # one stays and one joins others: it is taken along
    assert rejoined({"a": 0, "b": 0, "d": 1}, list("abd"), np.array([0, 1, 1])).tolist() == [1, 1, 1]
    # two stay apart and nobody joins others: together again, under the first
    assert rejoined({"a": 0, "b": 0}, list("ab"), np.array([0, 1])).tolist() == [0, 0]
    assert rejoined({}, list("ab"), np.array([0, 1])).tolist() == [0, 1]
    # of two groups that they join, the one with more of them
    before = dict.fromkeys("abc", 0) | {"x": 1, "y": 2}
    assert rejoined(before, list("abcxy"), np.array([0, 1, 1, 0, 1])).tolist() == [0, 1, 1, 0, 1]
