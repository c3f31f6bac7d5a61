"""The best partners by whole sums: chosen where texts share q-grams with few others."""

import pytest
from tests.join.test_join import made_up, scorer_of, top_by
from tests.join.test_rarest import names

from likewise import Spectra, _core, join


def stats_of(scorer, **options):
    """Return what the best three cost, in a self-join of one thread."""
    return _core.join(scorer, None, None, _core.JoinMode.top, 3, 0.0, True, None, 1, None, **options)[3]


@pytest.mark.parametrize(("q", "sums"), [(3, True), (1, False)])
def test_it_is_chosen_where_few_postings_are_met(q, sums):
    texts = names(2000)
    scorer, _ = scorer_of(Spectra(q=q, weights="c"), texts)
    assert stats_of(scorer) == stats_of(scorer, sums=sums)
    assert stats_of(scorer) != stats_of(scorer, sums=not sums)


def test_lists_that_are_there_serve_a_few_new_texts():
    """Whole sums would make lists of all texts for each call."""
    texts, measure = names(2000), Spectra(q=3, weights="c")
    scorer, _ = scorer_of(measure, texts[:20], texts)
    kept = join.prepare(scorer)
    columns = _core.join(scorer, None, kept.index, _core.JoinMode.top, 3, 0.0, False, None, 1, None)
    blocks = _core.join(scorer, None, kept.index, _core.JoinMode.top, 3, 0.0, False, None, 1, None, sums=False)
    sums = _core.join(scorer, None, kept.index, _core.JoinMode.top, 3, 0.0, False, None, 1, None, sums=True)
    assert columns[3] == blocks[3] != sums[3]
    assert [column.tobytes() for column in columns[:3]] == [column.tobytes() for column in sums[:3]]


def test_only_what_may_need_it_is_corrected():
    """Shared terms are asked for where a q-gram of several terms is shared and the score could be among the best."""
    texts = made_up(4, 600, 6)
    scorer, _ = scorer_of(Spectra(q=3, weights="c"), texts)
    stats = stats_of(scorer, sums=True)
    assert 0 < stats["scored"] < stats["candidates"] < len(texts) * len(texts) // 2


@pytest.mark.parametrize("threads", [2, 5])
def test_threads_change_nothing(threads):
    texts = names(1500)
    scorer, _ = scorer_of(Spectra(q=3).fit(texts), texts)
    alone = top_by(True, scorer, 4, 0.2, self_join=True)
    assert top_by(True, scorer, 4, 0.2, self_join=True, threads=threads) == alone


def test_weights_of_nothing():
    """A q-gram in every text weighs 0 by its idf: texts that share it are met, and have nothing in common so far."""
    texts = ["ana", "anb", "anc", "and"] * 3
    scorer, _ = scorer_of(Spectra(q=(1, 2), weights="qidf").fit(texts), texts)
    assert top_by(True, scorer, 5, self_join=True) == top_by(False, scorer, 5, self_join=True)
