"""Measures that Python works out: RapidFuzz's distances, and functions of two texts, against brute force."""

import pickle
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rapidfuzz import distance, fuzz

import likewise as lw
from likewise.errors import InputError, MissingExtraError, OptionError
from likewise.measure import parse, tabled
from likewise.measure.distance import DISTANCES

NAMES = ["Ada Lovelace", "lovelace, ada", "Grace Hopper", "Hooper, Grace", "Charles Babbage", "É. Galois", "", "  "]


def by_rapidfuzz(kind, left, right):
    module, _, name = DISTANCES[kind].partition(":")
    if module == "fuzz":
        return getattr(fuzz, name)(left, right) / 100
    return getattr(distance, name).normalized_similarity(left, right)


@pytest.mark.parametrize("kind", DISTANCES)
def test_scores_are_those_of_rapidfuzz(kind):
    measure = lw.Distance(kind=kind, raw=True)
    table = measure.matrix(NAMES, NAMES)
    for a, left in enumerate(NAMES):
        for b, right in enumerate(NAMES):
            wanted = by_rapidfuzz(kind, left, right) if left.strip() and right.strip() else 0
            assert table[a, b] == pytest.approx(wanted, abs=1e-12)
    if measure.symmetric:
        assert (table == table.T).all()


@pytest.mark.parametrize(
    ("kind", "symmetric"), [("edit", True), ("indel", True), ("jaro", False), ("partial-ratio", False)]
)
def test_a_distance_says_whether_sides_may_be_exchanged(kind, symmetric):
    assert lw.Distance(kind=kind).symmetric == symmetric


def test_words_are_compared_unless_raw():
    assert lw.Distance(kind="edit").score("Ada  LOVELACE!", "ada lovelace") == 1
    assert lw.Distance(kind="edit", raw=True).score("Ada", "ada") == pytest.approx(2 / 3)
    assert lw.Distance(kind="edit").score("Galois É", "galois e") == 1


@pytest.mark.parametrize(("text", "shown"), [("edit", "distance(kind=edit)"), ("jaro(raw=true)", None)])
def test_a_kind_is_a_name(text, shown):
    measure = parse(text)
    assert str(measure) == (shown or "distance(kind=jaro, raw=true)")
    assert str(parse(str(measure))) == str(measure)


def test_they_are_saved_pickled_and_explained(tmp_path):
    measure = lw.Distance(kind="jaro-winkler")
    measure.save(tmp_path / "m.json")
    for other in (lw.load_measure(tmp_path / "m.json"), pickle.loads(pickle.dumps(measure))):
        assert other.score("Martha", "Marhta") == measure.score("Martha", "Marhta")
    why = lw.Distance(kind="edit").explain("kitten", "sitting")
    assert [part.left for part in why.contributions] == ["itt", "n"]
    assert why.total == pytest.approx(why.score)


def test_jobs_take_them():
    found = lw.match(["Ada Lovelace"], NAMES, measure="token-sort-ratio", top=2)
    assert [match.right for match in found] == [0, 1]
    clusters = lw.dedupe(NAMES[:5], measure="token-sort-ratio", min_score=0.9)
    assert (0, 1) in [cluster.ids for cluster in clusters]
    index = lw.Index.build(NAMES[:5], measure="jaro-winkler")
    assert index.match(["Grace Hoper"])[0].right_text == "Grace Hopper"


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.lists(st.text("abc ", max_size=6), max_size=6), st.lists(st.text("abc ", max_size=6), max_size=6))
def test_a_function_is_a_measure(lefts, rights):
    def shared(left, right):
        return len(set(left) & set(right) - {" "}) / 3

    found = lw.match(lefts, rights, measure=shared, all_pairs=True)
    wanted = {
        (a, b): shared(left, right)
        for a, left in enumerate(lefts)
        for b, right in enumerate(rights)
        if shared(left, right) > 0
    }
    assert {(match.left, match.right): match.score for match in found} == wanted


@pytest.mark.parametrize("value", [-1, float("nan"), float("inf"), "high", None])
def test_what_a_function_may_not_give(value):
    with pytest.raises(OptionError, match="'a' and 'b'"):
        lw.match(["a"], ["b"], measure=lambda left, right: value, top=1)


def test_too_many_pairs_are_refused(monkeypatch):
    monkeypatch.setattr(tabled, "MOST_PAIRS", 3)
    with pytest.raises(InputError, match=r"there are 4: at most 3\. Split the tables"):
        lw.match(["a", "b"], ["c", "d"], measure="edit", top=1)


def test_a_function_is_not_saved(tmp_path):
    with pytest.raises(OptionError, match="cannot be saved"):
        lw.FunctionMeasure(function=max).save(tmp_path / "m.json")


def test_without_rapidfuzz_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "rapidfuzz", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'likewise\[rapidfuzz\]'"):
        lw.compare("a", "b", measure="edit")


def test_an_explanation_names_the_pieces_that_both_texts_have():
    why = lw.Distance(kind="edit").explain("the red house", "that old red housing")
    pieces = [(part.left, part.right, part.left_spans[0].of(why.left), part.right_spans[0].of(why.right))
              for part in why.contributions]  # fmt: skip
    assert pieces == [(piece,) * 4 for piece in ("th", " ", "red hous")]
    assert why.total == pytest.approx(why.score)
