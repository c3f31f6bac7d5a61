"""What options of match and dedupe say together, which columns are compared, and which record stands for others."""

import itertools

import numpy as np
import pytest

from likewise.errors import ColumnError, LikewiseError, OptionError
from likewise.join import Pairs
from likewise.read.options import TableOptions
from likewise.read.tables import read_table
from likewise.records.clusters import canonical, clusters
from likewise.records.columns import Column, choose_columns
from likewise.records.fields import _detected, both_named, column_pairs
from likewise.records.options import (
    ClusterOptions,
    DedupeOptions,
    MatchOptions,
    RecordOptions,
    names,
    parse_kinds,
    parse_on,
    parse_survivors,
)
from likewise.records.partners import Relation
from likewise.records.proposal import Proposal, id_column, propose


@pytest.mark.parametrize(
    ("options", "decides"),
    [
        ({}, True),
        ({"min_score": "auto"}, True),
        ({"one_to_one": True}, True),
        ({"precision": 0.9}, True),
        ({"min_score": 0.5}, False),
        ({"min_score": "0.5"}, False),
        ({"all": True}, False),
        ({"top": 1}, False),
        ({"all_pairs": True}, False),
        ({"reciprocal": True}, False),
        ({"exclude_equal": True}, False),
    ],
)
def test_what_is_decided_and_what_is_listed(options, decides):
    made = MatchOptions(**options)
    assert made.decides == decides
    if decides and not made.one_to_one:
        assert MatchOptions(**options, relation="1:m").decided_relation is Relation.TO_MANY
    else:
        with pytest.raises(OptionError, match="relation is for a decision"):
            MatchOptions(**options, relation="1:m")
    assert made.decided_relation is (Relation.ONE if made.one_to_one else None)


@pytest.mark.parametrize(
    ("kind", "options", "said"),
    [
        (MatchOptions, {"on": "a", "left_on": "a"}, "exclude each other"),
        (MatchOptions, {"on": "a", "right_on": "a"}, "exclude each other"),
        (MatchOptions, {"left_on": ["a", "b"], "right_on": "a"}, "left_on names 2 columns, right_on 1"),
        (MatchOptions, {"top": 0}, "top"),
        (MatchOptions, {"all_pairs": True, "one_to_one": True}, "all_pairs and one_to_one exclude each other"),
        (MatchOptions, {"one_to_one": True, "reciprocal": True}, "one_to_one and reciprocal exclude each other"),
        (MatchOptions, {"reciprocal": True, "top": 1}, "reciprocal and top=1 exclude each other"),
        (MatchOptions, {"relation": "2:2"}, "relation"),
        (MatchOptions, {"left_id": 3}, "left_id must name a column"),
        (MatchOptions, {"right_id": 3}, "right_id must name a column"),
        (MatchOptions, {"left_encoding": "nothing"}, "nothing"),
        (MatchOptions, {"right_encoding": "nothing"}, "nothing"),
        (MatchOptions, {"right_format": "nothing"}, "right_format must be one of"),
        (RecordOptions, {"precision": 0.9, "min_score": 0.5}, "exclude each other"),
        (RecordOptions, {"precision": 1.5}, "precision"),
        (RecordOptions, {"language": "nothing"}, "nothing"),
        (RecordOptions, {"clean": "nothing"}, "nothing"),
        (RecordOptions, {"threads": -1}, "threads"),
        (RecordOptions, {"id": 3}, "id must name a column"),
        (RecordOptions, {"min_score": "many"}, "many"),
        (RecordOptions, {"equal_on": ["a", "a"]}, "names a column twice"),
        (RecordOptions, {"kinds": ["=date"]}, "field=kind"),
        (RecordOptions, {"kinds": ["a=nothing"]}, "the kind of a"),
        (RecordOptions, {"on": ["a", "a"]}, "twice"),
        (RecordOptions, {"on": {"a": 0}}, "above 0"),
        (RecordOptions, {"on": {"a": True}}, "above 0"),
        (RecordOptions, {"on": {"a": float("inf")}}, "finite"),
        (RecordOptions, {"on": {"a": "2"}}, "finite"),
        (DedupeOptions, {"linkage": "nothing"}, "linkage"),
        (DedupeOptions, {"margin": -0.1}, "margin"),
        (DedupeOptions, {"survivor": "nothing"}, "survivor"),
        (DedupeOptions, {"survivor": "a=nothing"}, "the survivor of a"),
        (ClusterOptions, {"linkage": "nothing"}, "linkage"),
        (ClusterOptions, {"left": "a"}, "named together"),
        (ClusterOptions, {"right": "a"}, "named together"),
        (ClusterOptions, {"min_score": float("nan")}, "min_score"),
    ],
)
def test_options_that_do_not_go_together(kind, options, said):
    with pytest.raises(LikewiseError, match=said):
        kind(**options)


def test_options_that_go_together():
    assert MatchOptions(left_on=["a", "b"], right_on=["c", "d"]).decides
    assert MatchOptions(left_on="a").right_on is None
    assert MatchOptions(all_pairs=True, min_score=0.5).min_score == 0.5
    assert RecordOptions(min_score="0.25").min_score == 0.25
    assert RecordOptions(min_score="auto").min_score == "auto"
    assert DedupeOptions(margin=0).margin == 0
    assert ClusterOptions(left="a", right="b").linkage == "components"
    assert parse_on("on", None) == {}
    assert parse_on("on", ["a=b", "c"]) == {"a=b": 1.0, "c": 1.0}
    assert parse_on("on", {"a": 2}) == {"a": 2.0}
    assert names("equal_on", None) == []
    assert names("equal_on", "a") == ["a"]
    assert parse_kinds(None) == {}
    assert parse_kinds({"a": "date"}) == {"a": "date"}
    assert parse_kinds("a=date") == {"a": "date"}
    assert parse_survivors(None) == {"*": "frequent"}
    assert parse_survivors({"a": "longest"}) == {"a": "longest"}
    assert parse_survivors("newest") == {"*": "newest"}


@pytest.mark.parametrize("name", ["on", "id", "sheet", "encoding"])
def test_one_table_has_no_right_one(name):
    MatchOptions(**{f"left_{name}": "utf-8"}).check_one_table()
    with pytest.raises(OptionError, match="needs a right table"):
        MatchOptions(**{f"right_{name}": "utf-8"}).check_one_table()


def test_each_side_is_read_in_its_own_way():
    options = MatchOptions(left_sheet="one", right_encoding="latin-1")
    read = TableOptions(sheet="both", encoding="utf-8")
    left, right = (options.read_side(side, read) for side in ("left", "right"))
    assert (left.sheet, left.encoding) == ("one", "utf-8")
    assert (right.sheet, right.encoding) == ("both", "latin-1")
    options = MatchOptions(left_format="csv", left_delimiter=":", right_delimiter="|")
    left, right = (options.read_side(side, TableOptions(delimiter=",")) for side in ("left", "right"))
    assert (left.format, left.delimiter) == ("csv", ":")
    assert (right.format, right.delimiter) == (None, "|")


def test_columns_that_are_compared():
    left = read_table([{"id": 1, "a": "x", "b": "y", "town": "z"}], id="id")
    right = read_table([{"id": 1, "b": "y", "c": "x", "town": "z"}], id="id")
    assert choose_columns(left, [], []) == ["a", "b", "town"]
    assert choose_columns(left, ["*"], ["town"]) == ["a", "b"]
    assert choose_columns(left, ["town", "a"], ["town"]) == ["town", "a"]
    with pytest.raises(ColumnError, match="no column to compare"):
        choose_columns(left, [], ["a", "b", "town"])
    assert column_pairs(left, right, MatchOptions()) == [("b", "b"), ("town", "town")]
    assert column_pairs(left, right, MatchOptions(equal_on="town")) == [("b", "b")]
    assert column_pairs(left, right, MatchOptions(left_on="a", right_on="c")) == [("a", "c")]
    assert column_pairs(left, left, MatchOptions(on=["b", "a"])) == [("b", "b"), ("a", "a")]


def test_the_only_column_of_the_other_side():
    assert both_named(MatchOptions(), ["a"], ["b"]) == MatchOptions()
    both = MatchOptions(left_on="a", right_on="b")
    assert both_named(both, ["x"], ["y"]) is both
    assert both_named(MatchOptions(left_on="a"), ["x"], ["b"]) == both
    assert both_named(MatchOptions(right_on="b"), ["a"], ["y"]) == both
    for options, left, right, side in (
        (MatchOptions(left_on="a"), ["a"], ["b", "c"], "right_on"),
        (MatchOptions(right_on="b"), ["a", "c"], ["b"], "left_on"),
        (MatchOptions(left_on=["a", "c"]), ["a", "c"], ["b"], "right_on"),
    ):
        with pytest.raises(OptionError, match=f"{side} is missing"):
            both_named(options, left, right)


def test_the_kind_of_two_columns_is_that_of_both():
    dates, numbers = Column.of(["1999-01-02"] * 3 + [None]), Column.of(["5.5", "6"])
    assert _detected([dates]) == "date"
    assert _detected([numbers]) == "number"
    assert _detected([dates, numbers]) not in ("date", "number")
    assert _detected([dates, Column.of(["1999-01-02"])]) == "date"
    assert _detected([Column.of([None])]) == "text"
    assert _detected([Column.of(["yes", "no"]), Column.of(["no", "yes"])]) == "boolean"


@pytest.mark.parametrize(
    ("rows", "column"),
    [
        ([{"name": "Ada", "nr": 7}, {"name": "Grace", "nr": 8}], "nr"),
        ([{"name": "Ada", "nr": 7}, {"name": "Grace", "nr": 7}], None),
        ([{"name": "Ada", "nr": 7}], None),
        ([{"nr": 7}, {"nr": 8}], None),
        ([{"first": "17", "b": "x"}, {"first": "18", "b": "y"}], "first"),
        ([{"first": "A-17", "b": "x"}, {"first": "B-18", "b": "y"}], "first"),
        ([{"first": "Ada", "b": "17"}, {"first": "Grace", "b": "18"}], None),
        ([{"first": "17", "b": "x"}, {"first": None, "b": "y"}], None),
        ([{"b": "x", "userId": "u1"}, {"b": "y", "userId": "u2"}], "userId"),
        ([{"id": "x", "b": "1"}, {"id": "x", "b": "2"}], None),
    ],
)
def test_the_column_of_ids(rows, column):
    assert id_column(read_table(rows)) == column
    assert id_column(read_table(rows, id=list(rows[0])[-1])) == list(rows[0])[-1] if column else True


def test_proposals():
    left = read_table([{"gid": 11, "title": "Red pen"}, {"gid": 12, "title": "Blue ink"}])
    assert propose(left, None, None, None) == Proposal("gid", None, (("title", "title"),))
    assert propose(left, None, "", None) == Proposal(None, None, (("gid", "gid"), ("title", "title")))
    lone = read_table([{"x": "a"}, {"x": "b"}])
    assert propose(lone, read_table([{"y": "c"}]), None, None) == Proposal(None, None, (("x", "y"),))
    assert propose(lone, left, None, "gid").right_id == "gid"


def canonical_by_hand(pairs, labels, lengths, counts):
    best = {}
    for label in sorted(set(labels)):
        members = [record for record in range(len(labels)) if labels[record] == label]

        def worth(record, members=members):
            total = counts[record] - 1
            for a, b, score in pairs:
                if record in (a, b) and {a, b} <= set(members):
                    total += score * counts[b if a == record else a]
            return (round(total, 9), counts[record], lengths[record], -record)

        best[label] = max(members, key=worth)
    return [best[label] for label in sorted(best)]


@pytest.mark.parametrize("counted", [False, True])
def test_who_stands_for_a_group(counted):
    for seed in range(40):
        random = np.random.default_rng(seed)
        size = 7
        chosen = [pair for pair in itertools.combinations(range(size), 2) if random.random() < 0.5]
        score = random.choice([0.25, 0.5, 0.75], len(chosen))
        labels, lengths = random.integers(0, 3, size), random.integers(1, 4, size)
        labels = np.unique(labels, return_inverse=True)[1]
        counts = random.integers(1, 3, size) if counted else None
        left, right = (np.array([pair[side] for pair in chosen], np.int64) for side in (0, 1))
        turned = random.random(len(chosen)) < 0.5
        pairs = Pairs(np.where(turned, right, left), np.where(turned, left, right), score)
        expected = canonical_by_hand(
            [(a, b, s) for (a, b), s in zip(chosen, score.tolist(), strict=True)],
            labels.tolist(),
            lengths.tolist(),
            [1] * size if counts is None else counts.tolist(),
        )
        assert canonical(pairs, labels, lengths, counts).tolist() == expected


def test_groups_by_linkage():
    chain = Pairs(np.array([3, 1, 4, 2]), np.array([1, 2, 4, 1]), np.array([0.8, 0.9, 1.0, 0.5]))
    assert clusters(chain, 6, "components").tolist() == [0, 1, 1, 1, 2, 3]
    assert clusters(chain, 6, "complete").tolist() == [0, 1, 1, 2, 3, 4]
    assert clusters(Pairs(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0)), 2).tolist() == [0, 1]
    with pytest.raises(OptionError, match="linkage"):
        clusters(chain, 6, "nothing")


def test_columns_and_their_weights():
    assert parse_on("on", "a:b") == {"a:b": 1.0}, "one name alone has no weight, whatever it looks like"
    assert parse_on("on", ["a", "b=2"]) == {"a": 1.0, "b": 2.0}
    assert parse_on("on", "a=2") == {"a": 2.0}
