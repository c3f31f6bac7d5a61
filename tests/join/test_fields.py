"""Joins of records against the definition, pair by pair."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likewise as lw
from likewise import _core
from likewise.join import Pairs
from likewise.join.fields import FieldJoin, Prices, above_records, fields_scorer, once, top_records


def rows_of(vectors):
    indptr = np.concatenate([[0], np.cumsum([len(vector) for vector in vectors])]).astype(np.int64)
    ids = np.array([key for vector in vectors for key in sorted(vector)], np.int32)
    weights = np.array([vector[key] for vector in vectors for key in sorted(vector)], float)
    return _core.Rows(indptr, ids, weights)


def field_of(weight, left, right, left_vectors, right_vectors):
    scorer = _core.DotScorer(rows_of(left_vectors), rows_of(right_vectors))
    return FieldJoin(weight, np.array(left, np.int32), np.array(right, np.int32), scorer)


def dot(a, b):
    return sum(a[key] * b[key] for key in sorted(a) if key in b)


def reference(fields, vectors, a, b):
    total = weight = 0.0
    for field, (left_vectors, right_vectors) in zip(fields, vectors, strict=True):
        x, y = field.left[a], field.right[b]
        if x >= 0 and y >= 0:
            total += field.weight * dot(left_vectors[x], right_vectors[y])
            weight += field.weight
    return total / weight if weight else 0.0


def problem(random, lefts, rights, fields=3, values=6, nulls=0.2, same=False):
    made, vectors = [], []
    for _ in range(fields):

        def vector():
            keys = random.choice(7, random.integers(0, 4), replace=False).tolist()
            return {key: float(random.choice([0.1, 0.3, 0.5, 0.6, 0.9])) for key in keys}

        left_vectors = [vector() for _ in range(values)]
        right_vectors = left_vectors if same else [vector() for _ in range(values)]
        codes = [
            np.where(random.random(size) < nulls, -1, random.integers(0, values, size)) for size in (lefts, rights)
        ]
        if same:
            codes[1] = codes[0]
        weight = float(random.choice([0.5, 1, 1, 2, 3]))
        made.append(field_of(weight, *codes, left_vectors, right_vectors))
        vectors.append((left_vectors, right_vectors))
    return made, vectors


def brute(fields, vectors, lefts, rights, self_join):
    found = {}
    for a in range(lefts):
        for b in range(rights):
            score = reference(fields, vectors, a, b)
            if score > 0 and not (self_join and a == b):
                found[a, b] = score
    return found


@given(
    st.integers(0, 10**6),
    st.integers(1, 25),
    st.integers(1, 25),
    st.sampled_from([0.0, 0.3, 0.9]),
    st.booleans(),
    st.integers(1, 4),
)
@settings(max_examples=200, deadline=None)
def test_equals_brute_force(seed, lefts, rights, nulls, self_join, fields):
    random = np.random.default_rng(seed)
    rights = lefts if self_join else rights
    made, vectors = problem(random, lefts, rights, fields, nulls=nulls, same=self_join)
    expected = brute(made, vectors, lefts, rights, self_join)
    for k in (1, 3, 100):
        for min_score in (0.0, 0.2, 0.55):
            wanted = []
            for a in range(lefts):
                mine = sorted((-score, b) for (x, b), score in expected.items() if x == a and score >= min_score)
                wanted += [(a, b, -score) for score, b in mine[:k]]
            found = top_records(made, k, lefts, rights, min_score=min_score, self_join=self_join, threads=2)
            assert list(found) == wanted
    for min_score in (0.0, 0.2, 0.55):
        found = above_records(made, min_score, lefts, rights, self_join=self_join)
        wanted_pairs = {
            (a, b): score for (a, b), score in expected.items() if score >= min_score and (not self_join or a < b)
        }
        assert {(a, b): score for a, b, score in found} == wanted_pairs
        assert len(found) == len(wanted_pairs)


@given(st.integers(0, 10**6), st.integers(1, 25), st.integers(1, 25), st.sampled_from([1, 3, 100]))
@settings(max_examples=60, deadline=None)
def test_prices(seed, lefts, rights, k):
    random = np.random.default_rng(seed)
    made, vectors = problem(random, lefts, rights, 2)
    expected = brute(made, vectors, lefts, rights, False)
    prices = Prices(random.choice([0.0, 0.1, 0.4], rights), random.choice([0.0, 0.2], lefts))
    wanted = []
    for a in range(lefts):
        left_over = [(score - prices.right[b], b) for (x, b), score in expected.items() if x == a and score >= 0.1]
        best = sorted((-value, b) for value, b in left_over if value > prices.left[a])
        wanted += [(a, b, expected[a, b]) for _, b in best[:k]]
    assert list(top_records(made, k, lefts, rights, min_score=0.1, prices=prices)) == wanted


@pytest.mark.parametrize(
    "measure",
    [
        lw.Spectra(),
        lw.Spectra(coefficient="jaccard"),
        lw.Spectra(coefficient="dice"),
        lw.SoftTfIdf(),
        lw.TfIdf(),
        lw.Matches(),
    ],
    ids=str,
)
def test_every_family(measure):
    random = np.random.default_rng(3)
    words = ["".join(random.choice(list("abcde"), 4)) for _ in range(60)]
    texts = [[" ".join(random.choice(words, random.integers(1, 5))) for _ in range(150)] for _ in range(4)]
    fitted = measure.fit([text for column in texts for text in column]) if measure.adaptive else measure
    fields = []
    for left, right, nulls in ((texts[0], texts[1], 0.2), (texts[2], texts[3], 0.0)):
        a, b = fitted.prepare(left), fitted.prepare(right)
        codes = [np.where(random.random(150) < nulls, -1, np.arange(150)).astype(np.int32) for _ in range(2)]
        fields.append(FieldJoin(1.0 + nulls, *codes, fitted.scorer(a, b), fitted.bound(a, b)))
    scorer = fields_scorer(fields, 150, 150)
    scores = np.array([[scorer.score(a, b) for b in range(150)] for a in range(150)])
    for min_score in (0.0, float(np.quantile(scores, 0.98))):
        wanted = []
        for a in range(150):
            order = sorted((-scores[a, b], b) for b in range(150) if scores[a, b] > 0 and scores[a, b] >= min_score)
            wanted += [(a, b, -score) for score, b in order[:3]]
        for threads in (1, 3):
            assert list(top_records(fields, 3, 150, 150, min_score=min_score, threads=threads)) == wanted


def test_lists_that_cannot_help_are_not_read():
    random = np.random.default_rng(1)
    lefts = rights = 3000
    unique = [{key: 1.0} for key in range(lefts)]
    state = [{key: 1.0} for key in range(3)]
    name = np.arange(lefts)
    fields = [
        field_of(2.0, name, name, unique, unique),
        field_of(1.0, name % 3, name % 3, state, state),
        field_of(1.0, random.integers(0, 3, lefts), random.integers(0, 3, rights), state, state),
    ]
    found = top_records(fields, 1, lefts, rights, threads=1)
    assert (found.right == found.left).all()
    assert found.stats["candidates"] < 50 * lefts  # of 9 million pairs, or 1,000 per list


def test_scores_are_those_of_the_scorer():
    random = np.random.default_rng(5)
    made, vectors = problem(random, 12, 9)
    scorer = fields_scorer(made, 12, 9)
    for a in range(12):
        for b in range(9):
            assert scorer.score(a, b) == pytest.approx(reference(made, vectors, a, b), abs=1e-15)


def test_blocks():
    random = np.random.default_rng(5)
    made, _ = problem(random, 12, 9)
    scorer = fields_scorer(made, 12, 9)
    left_rows, right_rows = np.arange(12), np.array([8, 7, 6, 5, 4, 3, 2, 1, 0])
    left_indptr, right_indptr = np.array([0, 5, 5, 12]), np.array([0, 2, 4, 9])
    for count, min_score in ((1, 0.0), (2, 0.3), (0, 0.2)):
        left, right, score, _ = _core.blocks_join(
            scorer, left_indptr, left_rows, right_indptr, right_rows, count, min_score, False, 2, None
        )
        wanted = []
        for block in range(3):
            for a in left_rows[left_indptr[block] : left_indptr[block + 1]]:
                mine = sorted(
                    (-scorer.score(a, b), b) for b in right_rows[right_indptr[block] : right_indptr[block + 1]]
                )
                mine = [(a, b, -s) for s, b in mine if -s > 0 and -s >= min_score]
                wanted += mine[:count] if count else mine
        assert list(zip(left, right, score, strict=True)) == wanted


def test_both_directions_of_a_pair_are_one_with_the_higher_score_and_the_best_first():
    both = [(0, 3, 0.5), (3, 0, 0.7), (0, 1, 0.6), (1, 0, 0.6), (0, 2, 0.9), (2, 0, 0.8), (0, 4, 0.6)]
    left, right, score = (np.array(column) for column in zip(*both, strict=True))
    found = once(Pairs(left.astype(np.int32), right.astype(np.int32), score, None))
    assert list(found) == [(0, 2, 0.9), (0, 1, 0.6), (0, 4, 0.6), (3, 0, 0.7)]
