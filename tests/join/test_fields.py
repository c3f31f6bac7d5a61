"""Joins of records against the definition, pair by pair."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likewise.join.fields as join_fields
from likewise import _core
from likewise.join.fields import FieldJoin, above_records, fields_scorer, top_records


def rows_of(vectors):
    indptr = np.concatenate([[0], np.cumsum([len(vector) for vector in vectors])]).astype(np.int64)
    ids = np.array([key for vector in vectors for key in sorted(vector)], np.int32)
    weights = np.array([vector[key] for vector in vectors for key in sorted(vector)], float)
    return _core.Rows(indptr, ids, weights)


def field_of(weight, left, right, left_vectors, right_vectors, dense=False):
    rights = rows_of(right_vectors)

    def part(values):
        return _core.DotScorer(rows_of([left_vectors[value] for value in values]), rights), None

    return FieldJoin(
        weight,
        np.array(left, np.int32),
        np.array(right, np.int32),
        _core.DotScorer(rows_of(left_vectors), rights),
        part,
        len(left_vectors),
        dense,
    )


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


def problem(random, lefts, rights, fields=3, values=6, nulls=0.2, same=False, dense=False):
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
        made.append(field_of(weight, *codes, left_vectors, right_vectors, dense))
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
    st.sampled_from([(False, 200), (True, 200), (True, 1), (True, 5)]),
)
@settings(max_examples=200, deadline=None)
def test_equals_brute_force(seed, lefts, rights, nulls, self_join, fields, rows):
    random = np.random.default_rng(seed)
    rights = lefts if self_join else rights
    dense, join_fields._PATIENCE = rows
    made, vectors = problem(random, lefts, rights, fields, nulls=nulls, same=self_join, dense=dense)
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


@pytest.fixture(autouse=True)
def patience():
    """Give back the patience that a test takes away."""
    before = join_fields._PATIENCE
    yield
    join_fields._PATIENCE = before


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
    found = top_records(fields, 1, lefts, rights)
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
        left, right, score, _, _ = _core.blocks_join(
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
