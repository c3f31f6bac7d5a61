"""match against all pairs, one by one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import likewise as lw
from likewise.read.tables import read_table

WORDS = ["ada", "adda", "lovelace", "love", "grace", "hopper", "gracie", "hop", "alan", "turing", ""]
texts = st.lists(st.lists(st.sampled_from(WORDS), min_size=0, max_size=3).map(" ".join), min_size=1, max_size=12)
MEASURES = [
    lw.Spectra(q=2),
    lw.Spectra(),
    lw.Spectra(weights="c.idf.qidf", smooth=True),
    lw.Spectra(coefficient="coverage"),
    lw.TfIdf(smooth=True),
    lw.Tf(),
    lw.SoftTfIdf(weights="boolean", cut=0.7),
]
measures = st.sampled_from(MEASURES)


def scores_of(result_measure, left, right):
    matrix = np.zeros((len(left), len(right)))
    for a, x in enumerate(left):
        for b, y in enumerate(right):
            if x.strip() and y.strip():
                matrix[a, b] = result_measure.score(x, y)
    return matrix


def expected_top(matrix, k, min_score, allowed):
    rows = []
    for a in range(matrix.shape[0]):
        mine = sorted((-matrix[a, b], b) for b in range(matrix.shape[1]) if allowed(a, b))
        mine = [(a, b, -score) for score, b in mine if -score > 0 and -score >= min_score][:k]
        rows += [(*row, rank) for rank, row in enumerate(mine, 1)]
    return rows


def rows_of(result):
    return [(match.left, match.right, match.score, match.rank) for match in result]


@given(texts, texts, measures, st.integers(1, 15), st.sampled_from([None, 0.3, 0.7]), st.booleans(), st.booleans())
@settings(max_examples=200, deadline=None)
def test_equals_brute_force(left, right, measure, top, min_score, exclude_equal, one_side):
    right = left if one_side else right
    result = lw.match(
        left, None if one_side else right, measure=measure, top=top, min_score=min_score, exclude_equal=exclude_equal
    )
    matrix = scores_of(result.measure, left, right)

    def allowed(a, b):
        return not (one_side and a == b) and not (exclude_equal and left[a] == right[b])

    assert rows_of(result) == expected_top(matrix, top, min_score or 0, allowed)
    found = {row[0] for row in rows_of(result)}
    other = {row[1] for row in rows_of(result)}
    alone = [("left", a) for a in range(len(left)) if a not in (found | other if one_side else found)]
    alone += [] if one_side else [("right", b) for b in range(len(right)) if b not in other]
    assert [(row["side"], row["id"]) for row in result.unmatched.to_pylist()] == alone


@given(texts, texts, measures, st.sampled_from([None, 0.4]), st.booleans())
@settings(max_examples=100, deadline=None)
def test_one_to_one_is_optimal(left, right, measure, min_score, exclude_equal):
    settings_ = {"one_to_one": True, "all": True, "min_score": min_score, "exclude_equal": exclude_equal}
    result = lw.match(left, right, measure=measure, **settings_)
    matrix = scores_of(result.measure, left, right)
    matrix[matrix < (min_score or 0)] = 0
    if exclude_equal:
        matrix[np.array([[x == y for y in right] for x in left])] = 0
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    assert sum(match.score for match in result) == pytest.approx(matrix[rows, columns].sum(), abs=1e-6)
    assert len({match.left for match in result}) == len({match.right for match in result}) == len(result)
    for match in result:
        assert match.score == matrix[match.left, match.right] > 0


def test_one_to_one_looks_beyond_the_first_candidates():
    # Thirty records that all want the same few partners: most must settle for one far down their list.
    random = np.random.default_rng(2)
    left = ["ada lovelace " + "".join(random.choice(list("abcdef"), 5)) for _ in range(30)]
    right = ["ada lovelace " + "".join(random.choice(list("abcdef"), 5)) for _ in range(30)]
    result = lw.match(left, right, measure=lw.Spectra(), one_to_one=True, all=True)
    matrix = scores_of(result.measure, left, right)
    rows, columns = linear_sum_assignment(matrix, maximize=True)
    assert sum(match.score for match in result) == pytest.approx(matrix[rows, columns].sum(), abs=1e-6)


@given(texts, texts, st.sampled_from(MEASURES[:3]), st.booleans())
@settings(max_examples=100, deadline=None)
def test_reciprocal(left, right, measure, one_side):
    right = left if one_side else right
    result = lw.match(left, None if one_side else right, measure=measure, reciprocal=True)
    matrix = scores_of(result.measure, left, right)
    if one_side:
        np.fill_diagonal(matrix, 0)
    wanted = []
    for a in range(len(left)):
        b = int(np.argmax(matrix[a]))
        if matrix[a, b] > 0 and int(np.argmax(matrix[:, b])) == a:
            wanted.append((a, b))
    assert [(match.left, match.right) for match in result] == wanted


rows = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from([*WORDS, None, "ada lovelace", "grace hopper"]),
            "city": st.sampled_from([None, "london", "paris", "londn"]),
            "state": st.sampled_from(["a", "b", None]),
        }
    ),
    min_size=1,
    max_size=12,
)


@given(
    rows,
    rows,
    st.sampled_from(MEASURES[:5]),
    st.integers(1, 4),
    st.sampled_from([None, 0.4]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=200, deadline=None)
def test_fields_and_keys_equal_brute_force(left, right, measure, top, min_score, one_side, blocked, exclude_equal):
    right = left if one_side else right
    result = lw.match(
        left,
        None if one_side else right,
        on={"name": 3, "city": 1},
        measure=measure,
        top=top,
        min_score=min_score,
        equal_on=["state"] if blocked else None,
        exclude_equal=exclude_equal,
    )
    matrix = np.array([[result.measure.score(x, y) for y in right] for x in left])

    def texts_of(row):
        return [row[name] if row[name] and row[name].strip() else None for name in ("name", "city")]

    def allowed(a, b):
        if one_side and a == b:
            return False
        if exclude_equal and texts_of(left[a]) == texts_of(right[b]) != [None, None]:
            return False
        return not blocked or (left[a]["state"] is not None and left[a]["state"] == right[b]["state"])

    assert rows_of(result) == expected_top(matrix, top, min_score or 0, allowed)


def test_large_blocks_go_through_the_engine(monkeypatch):
    import likewise.records.blocks as space

    random = np.random.default_rng(4)
    left = [{"t": " ".join(random.choice(WORDS, 2)), "k": str(key)} for key in random.integers(0, 3, 60)]
    right = [{"t": " ".join(random.choice(WORDS, 2)), "k": str(key)} for key in random.integers(0, 4, 50)]
    for other in (right, None):
        for settings_ in ({"top": 2}, {"top": 3, "min_score": 0.4}):
            small = rows_of(lw.match(left, other, on="t", equal_on="k", **settings_))
            monkeypatch.setattr(space, "_SMALL_BLOCK", 10)
            assert rows_of(lw.match(left, other, on="t", equal_on="k", **settings_)) == small
            monkeypatch.undo()


@given(texts, texts, measures, st.sampled_from([None, 0.3, 0.7]), st.booleans(), st.booleans())
@settings(max_examples=100, deadline=None)
def test_all_pairs(left, right, measure, min_score, one_side, exclude_equal):
    right = left if one_side else right
    result = lw.match(
        left,
        None if one_side else right,
        measure=measure,
        all_pairs=True,
        min_score=min_score,
        exclude_equal=exclude_equal,
    )
    matrix = scores_of(result.measure, left, right)
    wanted = {}
    for a in range(len(left)):
        for b in range(len(right)):
            if matrix[a, b] > 0 and not (exclude_equal and left[a] == right[b]) and not (one_side and a >= b):
                wanted[a, b] = max(matrix[a, b], matrix[b, a]) if one_side else matrix[a, b]
    wanted = {pair: score for pair, score in wanted.items() if score >= (min_score or 0)}
    if one_side:
        found = {(min(match.left, match.right), max(match.left, match.right)): match.score for match in result}
    else:
        found = {(match.left, match.right): match.score for match in result}
    assert found == wanted
    assert len(result) == len(wanted)


def test_the_same_for_any_number_of_threads():
    random = np.random.default_rng(8)
    names = [" ".join(random.choice(WORDS, 3)) for _ in range(200)]
    one = lw.match(names, top=3, threads=1).table
    assert lw.match(names, top=3, threads=2).table.equals(one)
    assert lw.match(names, top=3, threads=8).table.equals(one)


@pytest.mark.data
@pytest.mark.parametrize("weights", ["c", "c.idf.qidf"])
def test_fields_of_real_records_equal_brute_force(data, weights):
    table = data / "er/febrl/dataset1.csv"
    fields = {"given_name": 1, "surname": 2, "suburb": 1, "state": 0.5, "date_of_birth": 2}
    result = lw.match(table, on=fields, id="rec_id", measure=lw.Spectra(weights=weights), top=3)
    rows = read_table(table).table.to_pylist()
    total, weight = np.zeros((1000, 1000)), np.zeros((1000, 1000))
    for field in result.measure.fields:
        texts = [row[field.name] or "" for row in rows]
        present = np.array([bool(text) for text in texts])
        shared = present[:, None] & present[None, :]
        total += np.where(shared, field.weight * field.measure.matrix(texts, texts), 0)
        weight += np.where(shared, field.weight, 0)
    matrix = np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)
    wanted = expected_top(matrix, 3, 0, lambda a, b: a != b)
    ids = [row["rec_id"] for row in rows]
    assert [(match.left, match.right) for match in result] == [(ids[a], ids[b]) for a, b, _, _ in wanted]
    assert [match.score for match in result] == [score for _, _, score, _ in wanted]
