import ir_measures
import numpy as np
import pytest
from ir_measures import AP, RR, P, R, nDCG

from likewise.errors import InputError, OptionError
from likewise.quality.ranking import Ranking
from likewise.quality.retrieval import of_matrix, per_query


def random_run(seed: int, queries: int = 12, documents: int = 60):
    random = np.random.default_rng(seed)
    scores = random.permutation(queries * documents).reshape(queries, documents) / 7.0  # no ties
    grades = np.where(random.random((queries, documents)) < 0.1, random.integers(1, 4, (queries, documents)), 0)
    grades[0] = 0  # a query without relevant documents
    grades[:, 0] = -1  # trec's "known to be not relevant"
    return scores, grades


@pytest.mark.parametrize("seed", range(5))
def test_equals_ir_measures(seed):
    scores, grades = random_run(seed)
    keep = np.random.default_rng(seed).random(scores.shape) < 0.7  # a run lists only some documents
    run = {
        f"q{q}": {f"d{d}": float(scores[q, d]) for d in range(scores.shape[1]) if keep[q, d]}
        for q in range(scores.shape[0])
        if q != 3  # a judged query that the run lacks
    }
    qrels = {f"q{q}": {f"d{d}": int(g) for d, g in enumerate(row) if g} for q, row in enumerate(grades)}
    ours = per_query(run, qrels)
    table = {
        AP: "map", RR: "mrr", nDCG @ 10: "nDCG@10", nDCG @ 5: "nDCG@5",
        P @ 5: "P@5", P @ 10: "P@10", R @ 20: "R@20", R @ 100: "R@100",
    }  # fmt: skip
    theirs = {(one.query_id, one.measure): one.value for one in ir_measures.iter_calc(list(table), qrels, run)}
    for measure, name in table.items():
        for query, value in zip(ours.queries, ours.values[name], strict=True):
            assert value == pytest.approx(theirs.get((query, measure), 0.0), abs=1e-6), (query, name)


def test_eleven_points_per_query_equal_a_ranking_of_that_query():
    scores, grades = random_run(9)
    gold = np.argwhere(grades > 0)
    figures = of_matrix(scores, gold, grades[grades > 0])
    for row, value in zip(figures.queries, figures.values["iap11"], strict=True):
        assert value == pytest.approx(Ranking.of(scores[int(row)], grades[int(row)] > 0).iap())


def test_matrix_equals_run():
    scores, grades = random_run(4)
    gold = np.argwhere(grades > 0)
    run = {str(q): {f"{d:03}": s for d, s in enumerate(row)} for q, row in enumerate(scores.tolist())}
    qrels = {}
    for q, d in gold.tolist():
        qrels.setdefault(str(q), {})[f"{d:03}"] = int(grades[q, d])
    by_run = per_query(run, qrels).means()
    by_matrix = of_matrix(scores, gold, grades[grades > 0]).means()
    assert by_run == pytest.approx(by_matrix)


def test_an_empty_run_scores_nothing():
    figures = per_query({}, {"q": {"d": 1}}).means()
    assert set(figures.values()) == {0.0}


def test_bad_input_is_told_in_words():
    with pytest.raises(OptionError, match="cutoffs"):
        per_query({}, {}, cutoffs=(0,))
    with pytest.raises(InputError, match="NaN"):
        per_query({"q": {"d": float("nan")}}, {"q": {"d": 1}})
