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
from likewise.errors import ColumnError, DamagedError, ForeignError, InputError, LockedError, OptionError
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


def test_of_two_that_change_a_state_at_once_one_is_refused(tmp_path):
    """Both had read it, and what the first had added was lost when the second wrote."""
    state = tmp_path / "people.state"
    lw.dedupe(ROWS, id="key", min_score=0.6, state=state)

    def meanwhile(*_):
        with pytest.raises(LockedError, match=r"people.state is being changed by somebody else"):
            lw.dedupe(state, remove=["d"])
        lw.dedupe(state, add=NEW, state=tmp_path / "other.state")  # which changes another file

    lw.dedupe(state, add=NEW[:1], progress=meanwhile)
    lw.dedupe(state, add=NEW[1:])
    assert set(clusters_of(lw.dedupe(state, remove=["a"]))) == {"b", "c", "d", "e", "f"}


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
    with pytest.raises(OptionError, match="keeps the options it was made with"):
        lw.dedupe(state, add=NEW, min_score=0.5)
    with pytest.raises(OptionError, match="keeps the options it was made with"):
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
    with pytest.raises(ForeignError, match="not a state of dedupe"):
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


def test_a_state_without_a_model_learns_one_of_what_comes_and_merges_nothing_old(tmp_path):
    state = tmp_path / "people.state"
    rows = people(60, 5)
    first = lw.dedupe(rows, id="key", state=state)
    assert len(first) == 60
    assert State.open(state).model is None
    random = np.random.default_rng(6)
    new = [{**worse(row, random), "key": f"copy {place}"} for place, row in enumerate(rows[:30])]
    more = lw.dedupe(state, add=new)
    assert any("learnt of all its records now" in note for note in more.notes)
    assert len(more) < 90
    assert State.open(state).model is not None
    assert all(sum(not key.startswith("copy") for key in cluster.ids) <= 1 for cluster in more)
    again = lw.dedupe(state)
    assert clusters_of(again) == clusters_of(more)
    assert again.changes == ()
    assert not any("learnt" in note for note in again.notes)


def together(before, ids, groups):
    """The records that are together afterwards, as sets."""
    after = rejoined(before, ids, np.array(groups, np.int64)).tolist()
    return sorted("".join(name for name, group in zip(ids, after, strict=True) if group == one) for one in set(after))


def test_who_joins_others_takes_along_who_joins_nobody_or_leaves():
    # N and M are new, and bring others together
    assert together({"a": 0, "b": 0, "c": 1}, "abcN", [0, 1, 1, 1]) == ["abcN"]
    assert together({"a": 0, "b": 0, "d": 0, "c": 1}, "abdcN", [0, 0, 1, 1, 1]) == ["ab", "dcN"]
    assert together({"a": 0, "b": 0, "c": 1, "d": 2}, "abcdNM", [0, 1, 0, 1, 0, 1]) == ["acN", "bdM"]


def test_only_what_is_new_brings_old_clusters_together():
    assert together({"a": 0, "b": 1, "c": 2}, "abcN", [0, 0, 2, 2]) == ["a", "b", "cN"]
    assert together({"a": 0, "b": 1, "c": 1}, "abc", [0, 0, 0]) == ["a", "bc"]
    # b was changed, and is new therefore
    assert together({"a": 0, "c": 1}, "abc", [0, 0, 0]) == ["abc"]


@given(st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 5)), max_size=25))
def test_no_old_record_is_left_alone(rows):
    """Whoever leaves a cluster is with records of others, or stays with most of those that are not."""
    ids = list(map(str, range(len(rows))))
    before = {name: old for name, (old, _) in zip(ids, rows, strict=True) if old >= 0}
    groups = np.array([group for _, group in rows], np.int64)
    fresh = {group for old, group in rows if old < 0}
    after = dict(zip(ids, rejoined(before, ids, groups).tolist(), strict=True))
    joined = {name: {before[one] for one in before if after[one] == after[name]} for name in before}
    for cluster in set(before.values()):
        members = [name for name, old in before.items() if old == cluster]
        assert len({after[name] for name in members if len(joined[name]) == 1}) <= 1
        # Only who was put together with another cluster is apart from them.
        parted = len({after[name] for name in members}) > 1
        assert not parted or any(
            groups[int(x)] == groups[int(name)] and groups[int(x)] in fresh and before[x] != cluster
            for name in members
            for x in before
        )
    pairs = {(a, b) for a in ids for b in ids if groups[int(a)] == groups[int(b)] and groups[int(a)] in fresh}
    assert all(after[a] == after[b] for a, b in pairs)  # what is decided to be the same stays so
    if not fresh:
        assert same_partition(after, before)


def test_old_records_go_with_most_of_their_cluster():
    before = {"a": 0, "b": 0, "c": 0, "d": 1}
    # a and b are alone together, c joined d by what is new: two stay, one goes
    assert together(before, "abcdN", [0, 0, 2, 2, 2]) == ["ab", "cdN"]
    # one stays and one joins others: it is taken along
    assert together({"a": 0, "b": 0, "d": 1}, "abdN", [0, 1, 1, 1]) == ["abdN"]
    # two stay apart and nobody joins others: together again
    assert together({"a": 0, "b": 0}, "ab", [0, 1]) == ["ab"]
    assert together({}, "ab", [0, 1]) == ["a", "b"]
    # of two groups that they join, the one with more of them
    before = dict.fromkeys("abc", 0) | {"x": 1, "y": 2}
    assert together(before, "abcxyNM", [0, 1, 1, 0, 1, 0, 1]) == ["axN", "bcyM"]


def test_a_state_is_shown_as_it_is_and_left_so(tmp_path):
    state = tmp_path / "people.state"
    made = lw.dedupe(ROWS, id="key", min_score=0.6, state=state)
    before = state.read_bytes()
    shown = lw.dedupe(state)
    assert clusters_of(shown) == clusters_of(made)
    assert shown.changes == ()
    assert state.read_bytes() == before
    with pytest.raises(OptionError, match="keeps the options"):
        lw.dedupe(state, min_score=0.9)


def test_an_id_goes_to_whoever_shares_most():
    before = {"a": 0, "b": 0, "c": 1, "d": 1, "e": 1}
    # each of two groups has a record of cluster 1 and one of 0: the first group takes the lower id
    numbers, following, changes = carry_over(before, list("acbde"), np.array([0, 0, 2, 2, 4]), 2)
    assert numbers.tolist() == [0, 0, 1, 1, 2]
    assert following == 3
    assert {(change.kind, change.before, change.after) for change in changes} == {
        ("merged", (0, 1), (0,)),
        ("merged", (0, 1), (1,)),
        ("split", (0,), (0, 1)),
        ("split", (1,), (0, 1, 2)),
    }
    numbers, following, changes = carry_over({"a": 5, "b": 7}, ["b"], np.array([0]), 8)
    assert (numbers.tolist(), following) == ([7], 8)
    assert [(change.kind, change.before) for change in changes] == [("gone", (5,))]
    # two groups with as many records of one cluster: the first one keeps its id
    numbers, _, _ = carry_over({"a": 3, "b": 3}, ["b", "a"], np.array([0, 1]), 9)
    assert numbers.tolist() == [3, 9]
