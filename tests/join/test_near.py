"""Near-duplicates through their rarest terms: what the join of any score gives, to the bit, and far fewer postings."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.join.test_long_texts import paragraphs

import likewise as lw
from likewise import _core
from likewise.join import above
from likewise.join.near import NearLists, near
from likewise.read.long_texts import LongTexts
from likewise.records.columns import Column
from likewise.records.measures import fit_columns


def counted(texts, measure):
    """The texts as a column of counted terms, and the measure fitted to them."""
    column = Column(*LongTexts.distinct(pa.chunked_array([texts[:70], texts[70:]], pa.string())))
    column, _, fitted = fit_columns(column, column, measure)
    return column, fitted


@pytest.mark.parametrize(
    "measure",
    [lw.TfIdf(weights="idf", smooth=True), lw.TfIdf(weights="idf"), lw.TfIdf(weights="idf", stop="smart", stem="de")],
    ids=str,
)
def test_near_is_above(measure):
    texts = [*paragraphs(300, 5), *("ka to", "ka to mi", "!", "to to to ka")]
    column, fitted = counted(texts, measure)
    plain = measure.copy().fit(texts)
    prepared = plain.prepare(list(column.texts))
    found = []
    for least in (0.05, 0.5, 0.7, 0.9, 1.0):
        for threads in (1, 3):
            pairs = near(*fitted.scaled(column.terms), least, threads=threads)
            wanted = above(plain.scorer(prepared, prepared), least, self_join=True)
            assert list(pairs) == list(wanted)
            found.append(len(pairs))
    assert found[2] > 30
    # One thread: what several visit depends on which of them raises its bar first.
    fewer = near(*fitted.scaled(column.terms), 0.7, threads=1).stats["postings"]
    assert fewer < 0.25 * above(plain.scorer(prepared, prepared), 0.7, self_join=True, threads=1).stats["postings"]


def test_texts_that_share_no_term_have_no_partners():
    """No term has a list then: nothing may be looked up in lists that are not there."""
    rows = np.array([0, 1, 2]), np.array([0, 1], np.int32), np.ones(2), np.ones(2)
    assert list(near(*rows, 0.5)) == []
    lists = NearLists(*rows, np.ones(2), 0.5)
    assert [list(some) for some in lists.pairs()] == [[]]
    assert [list(some) for some in lists.meet(rows[0], rows[1], rows[3])] == [[]]
    assert list(near(np.zeros(3, np.int64), np.zeros(0, np.int32), np.zeros(0), np.ones(2), 0.5)) == []


@given(
    rows=st.lists(st.sets(st.integers(0, 5)), max_size=8),
    scale=st.lists(st.sampled_from([0.0, 1e-6, 0.5, 1.0, 3.0, 1e6]), min_size=6, max_size=6),
    least=st.sampled_from([0.01, 0.5, 0.9, 1.0]),
    threads=st.integers(1, 3),
)
def test_near_is_above_whatever_the_weights(rows, scale, least, threads):
    """Texts without a term, terms of no weight, and terms beside which others weigh nothing."""
    scale = np.array(scale)
    indptr = np.cumsum([0, *map(len, rows)])
    ids = np.array([term for row in rows for term in sorted(row)], np.int32)
    lengths = np.array([np.sqrt((scale[sorted(row)] ** 2).sum()) or 1.0 for row in rows])
    weights = scale[ids] / np.repeat(lengths, np.diff(indptr))
    plain = _core.Rows(indptr, ids, weights)
    wanted = above(_core.DotScorer(plain, plain), least, self_join=True)
    assert list(near(indptr, ids, scale, lengths, least, threads=threads)) == list(wanted)


def test_no_more_pairs_are_held_than_asked_for():
    """Of a collection in which very many are alike: a text ends with all of its partners, and the next call goes on."""
    texts = [f"{text} {place}" for place, text in enumerate(paragraphs(4, 9) * 40)] + paragraphs(200, 3)
    column, fitted = counted(texts, lw.TfIdf(weights="idf"))
    indptr, ids, scale, lengths = fitted.scaled(column.terms)
    lists = NearLists(indptr, ids, scale, lengths, np.bincount(ids, minlength=len(scale)).astype(float), 0.7)
    whole = list(near(indptr, ids, scale, lengths, 0.7))
    assert len(whole) > 2000
    for threads in (1, 3):
        for most in (1, 100, 10**6):
            some = [list(pairs) for pairs in lists.pairs(threads=threads, most=most)]
            assert [pair for pairs in some for pair in pairs] == whole
            assert max(map(len, some)) < most + threads * len(texts)
            assert len(some) > len(whole) // (most + threads * len(texts))
            met = [list(pairs) for pairs in lists.meet(indptr, ids, lengths, threads=threads, most=most)]
            every = [pair for pairs in met for pair in pairs]
            assert sorted(pair for pair in every if pair[0] < pair[1]) == sorted(whole)
            assert [pair[1] for pair in every] == sorted(pair[1] for pair in every)
            assert max(map(len, met)) < most + threads * len(texts)
    assert len(list(lists.pairs(threads=1, most=1))) > 100


def test_counts_are_those_of_all_records():
    """A text counts as often as records have it, and what is prepared of counted terms is what texts give."""
    texts = [*paragraphs(60, 6), *paragraphs(60, 6)[:20], "", None]
    for measure in (lw.TfIdf(), lw.BM25(), lw.TfIdf(weights="idf")):
        column, fitted = counted(texts, measure)
        plain = measure.copy().fit([text for text in texts if text])
        assert fitted.statistics.to_json(fitted.analyser) == plain.statistics.to_json(plain.analyser)
        some = list(range(0, len(column.texts), 3))
        left = plain.prepare([column.texts[place] for place in some])
        right = fitted.prepare(column.to_prepare(column.codes[some]))
        for a, b in ((left.left, right.left), (left.right, right.right)):
            assert (a.ids == b.ids).all()
            assert (a.weights == b.weights).all()


def test_long_texts_within_memory_and_between_tables():
    """Blocks take some records of a column, and whoever has no partner is told with the text."""
    texts = paragraphs(60, 8)
    table = pa.table({"text": texts})
    asked = {"on": "text", "min_score": 0.6, "linkage": "components"}
    found, bounded = lw.dedupe(table, **asked), lw.dedupe(table, **asked, memory="1GB")
    assert len(found.pairs) > 3
    assert sorted(map(str, found.pairs.to_pylist())) == sorted(map(str, bounded.pairs.to_pylist()))
    assert found.table.to_pylist() == bounded.table.to_pylist()
    matched = lw.match(table, pa.table({"text": texts[:20]}), on="text", min_score=0.6)
    assert {row["left_text"] for row in matched.table.to_pylist()} >= set(texts[:20])
    assert matched.unmatched is None or matched.unmatched.num_rows < len(texts)


def test_dedupe_of_long_texts_is_that_of_any_score():
    """Columns of long texts stay in Arrow; a list of texts that are no longer gives the same scores."""
    texts = paragraphs(80, 7)
    texts += [texts[3], texts[3], None, "  "]
    found = lw.dedupe(pa.table({"text": texts}), on="text", min_score=0.6)
    measure = lw.TfIdf(weights="idf", smooth=True).fit([text for text in texts if text and text.strip()])
    known = list(dict.fromkeys(text for text in texts if text and text.strip()))
    prepared = measure.prepare(known)
    wanted = list(above(measure.scorer(prepared, prepared), 0.6, self_join=True))
    rows = found.pairs.to_pylist()
    assert [(row["left"], row["right"], row["score"]) for row in rows] == wanted
    assert all((row["left_text"], row["right_text"]) == (texts[row["left"]], texts[row["right"]]) for row in rows)
    assert found.table["text"].to_pylist() == [*texts[:-1], None]
    assert found.canonical.num_rows == found.merged.num_rows == len(found)
    assert found.table.column("cluster").to_pylist()[3] == found.table.column("cluster").to_pylist()[-3]


def test_what_is_shown_is_made_when_asked_for():
    """Doubtful pairs are counted without their texts, and the histogram takes no join of all scores."""
    texts = paragraphs(80, 7)
    found = lw.dedupe(pa.table({"text": texts}), on="text", min_score=0.6, margin=0.2)
    assert found.tables.rows("review") == found.review.num_rows > 3
    best = {}
    every = lw.dedupe(pa.table({"text": texts}), on="text", min_score=0.4, margin=0).pairs.to_pylist()
    for row in every:
        for side in (row["left"], row["right"]):
            best[side] = max(row["score"], best.get(side, 0))
    assert sorted(found.threshold.scores()) == sorted(best.values())
