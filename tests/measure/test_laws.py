"""Laws that hold for every text."""

import itertools
import math

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise import BM25, Common, Matches, SoftCardinality, SoftTfIdf, Spectra, Tf, TfIdf
from likewise.analyse import AnalyseOptions, Analyser
from likewise.analyse.term_counts import CountedRows
from likewise.measure import as_measure, cosine, from_json, load, parse
from likewise.measure.coefficient import resemblance
from likewise.measure.terms import TermMeasure
from likewise.measure.text import distinct
from likewise.read.long_texts import LongTexts

texts = st.text(max_size=40)
wordy = st.lists(st.sampled_from(["soft", "softly", "texts", "text", "näive", "О", "日本", "42", "a"]), max_size=6)
phrases = wordy.map(" ".join)
COLLECTION = ["soft texts", "a text of 42 words", "softly naïve", "日本 text", "О текст"]

MEASURES = [
    Spectra(),
    Spectra(q=(1, 3), padding="none", weights="none", coefficient="jaccard"),
    Spectra(weights="c.idf.qidf", coefficient=0.0).fit(COLLECTION),
    Spectra(weights="tfidf.qidf", coefficient="coverage", smooth=True).fit(COLLECTION),
    TfIdf().fit(COLLECTION),
    TfIdf(weights="boolean", phrases=True),
    TfIdf(best_terms=2, phrases=True).fit(COLLECTION),
    BM25().fit(COLLECTION),
    Matches(phrases=True),
    Common(phrases=True),
    Tf(phrases=True),
    SoftTfIdf(cut=0.7).fit(COLLECTION),
    SoftTfIdf(pairs="all", weights="boolean"),
    SoftCardinality(),
]
every_measure = pytest.mark.parametrize("measure", MEASURES, ids=str)


@every_measure
@settings(max_examples=30, deadline=None)
@given(left=st.one_of(texts, phrases), right=st.one_of(texts, phrases))
def test_scores_are_finite_not_negative_and_explained(measure, left, right):
    score = measure.score(left, right)
    assert score >= 0
    assert math.isfinite(score)
    if measure.symmetric:
        assert score == pytest.approx(measure.score(right, left), rel=1e-12, abs=1e-12)
    if isinstance(measure, TfIdf):
        assert score <= 1 + 1e-12
    why = measure.explain(left, right)
    assert why.total == pytest.approx(score, rel=1e-9, abs=1e-9)
    for part in why.contributions:
        for text, spans in ((left, part.left_spans), (right, part.right_spans)):
            assert all(0 <= span.start < span.end <= len(text) for span in spans)


@settings(max_examples=50, deadline=None)
@given(
    pairs=st.lists(st.tuples(phrases, phrases), min_size=2, max_size=12),
    weights=st.sampled_from(["c", "tfidf.qidf", "none"]),
)
def test_a_loop_over_pairs_gives_what_each_pair_gives_alone(pairs, weights):
    measure = Spectra(weights=weights).fit(COLLECTION)
    looped = [measure.score(*pair) for pair in pairs + pairs[::-1]]
    lefts, rights = zip(*pairs, *pairs[::-1], strict=True)
    assert looped == measure.scores(lefts, rights).tolist()


WRITTEN = [
    "Anna KAUFMANN-Weber, H2O",
    "anna Kaufmann weber",
    "Müller & Söhne, Zürich; ÖBB A1",
    "Donaudampfschifffahrtsgesellschaft of a word LONGER than sixteen letters, which begins beyond the 64th byte",
    "x" * 63 + " Y",
    "x" * 64,
    "Don't stop O'Neill’s 日本 Text",
    "",
]


@pytest.mark.parametrize("options", [{}, {"accents": "keep"}, {"stop": "english"}, {"stem": "english"}], ids=str)
def test_words_that_are_known_are_looked_up_and_not_analysed_again(options, monkeypatch):
    # Words are kept in lower case where that is all that happens to them: those in capitals once took the long way.
    measure, twin = Spectra(**options), Spectra(**options)
    pairs = list(itertools.product(WRITTEN, WRITTEN))
    expected = twin.scores(*zip(*pairs, strict=True)).tolist()
    measure.scores(WRITTEN, WRITTEN)
    monkeypatch.setattr(measure, "_rows", lambda *_, **__: pytest.fail("known words were analysed again"))
    assert [measure.score(left, right) for left, right in pairs] == expected
    assert [twin.score(left, right) for left, right in pairs] == expected


@pytest.mark.parametrize("measure", [m for m in MEASURES if not getattr(m.options, "phrases", False)], ids=str)
@settings(max_examples=20, deadline=None)
@given(words=wordy, other=phrases, random=st.randoms())
def test_order_of_words_is_irrelevant_without_phrases(measure, words, other, random):
    shuffled = random.sample(words, len(words))
    expected = pytest.approx(measure.score(" ".join(words), other), rel=1e-12, abs=1e-12)
    assert measure.score(" ".join(shuffled), other) == expected


@every_measure
def test_specification_and_json_give_the_measure_back(measure, tmp_path):
    again = from_json(measure.to_json())
    assert (str(again), repr(again)) == (str(measure), repr(measure))
    # Sums run in the order in which terms were first seen, so the last bit may differ between two vocabularies.
    expected = pytest.approx(measure.score("soft texts 42", "softly a text"), rel=1e-14)
    assert again.score("soft texts 42", "softly a text") == expected
    assert parse(str(measure)).options == measure.options
    measure.save(tmp_path / "measure.json")
    expected = pytest.approx(measure.score("soft text", "texts"), rel=1e-14)
    assert load(tmp_path / "measure.json").score("soft text", "texts") == expected
    named = as_measure(str(tmp_path / "measure.json"))
    assert (str(named), named.score("soft text", "texts")) == (str(measure), expected)


@settings(max_examples=60, deadline=None)
@given(left=phrases, right=phrases)
def test_generalised_mean_is_continuous_at_its_limits(left, right):
    def score(coefficient):
        return Spectra(coefficient=coefficient).score(left, right)

    assert score(1e-9) == pytest.approx(score("cosine"), rel=1e-6)
    assert score(-1e-9) == pytest.approx(score("cosine"), rel=1e-6)
    assert score(5000.0) == pytest.approx(score("max"), rel=1e-3)
    assert score(-5000.0) == pytest.approx(score("overlap"), rel=1e-3)
    assert score(math.inf) == score("max")
    # A larger p divides by a larger mean.
    ordered = [score(p) for p in (-math.inf, -3.0, -1.0, 0.0, 1.0, 2.0, 7.5, math.inf)]
    assert all(a >= b - 1e-12 for a, b in itertools.pairwise(ordered))


@settings(max_examples=80, deadline=None)
@given(st.text())
def test_spans_slice_back_to_the_words(text):
    for options in (AnalyseOptions(), AnalyseOptions(unspaced="run"), AnalyseOptions(stop="smart")):
        analyser = Analyser(options)
        rows = analyser.terms([text, "x" + text], positions=True)
        for row, source in enumerate((text, "x" + text)):
            start = end = 0
            for term, span in rows.spans(row):
                word = span.of(source)
                # Pairs of characters overlap by one; a word begins no earlier than the one before.
                assert start <= span.start < span.end
                assert options.unspaced == "bigrams" or end <= span.start
                assert word
                start, end = span.start, span.end
                alone = analyser.terms([word])
                if options.stop is None:
                    assert analyser.term(term) in [analyser.term(t) for t in alone.terms]


def test_results_do_not_depend_on_threads():
    words = ["alpha", "beta", "gamma", "delta", "alphabet", "betting", "gamut", "delay"]
    generator = np.random.default_rng(7)
    many = [" ".join(generator.choice(words, 6)) + str(i % 97) for i in range(6000)]
    for measure in (Spectra(weights="c.idf.qidf"), TfIdf(), SoftTfIdf(cut=0.8)):
        results = []
        for threads in (1, 2, 8):
            measure.fit(many)
            scores = measure.scores(many, many[::-1], threads=threads)
            matrix = measure.matrix(many[:200], many[200:400], threads=threads)
            results.append((scores.tobytes(), matrix.tobytes()))
        assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("weights", ["c", "none", "c.idf.qidf", "tfidf.qidf"])
@pytest.mark.parametrize("pairs", [2_000, 30_000], ids=["few pairs a text", "rows"])
def test_many_pairs_get_the_bits_of_single_ones(weights, pairs):
    """Many pairs are visited in another order, a left text with all its partners at a time; texts of every length."""
    random = np.random.default_rng(5)
    words = ["".join(random.choice(list("abcdeno"), size=random.integers(1, 8))) for _ in range(400)]
    made = [" ".join(random.choice(words, size=size)) for size in random.integers(0, 12, size=1_200)]
    made += [" ".join(words[start:]) for start in range(0, 300, 10)]
    measure = Spectra(weights=weights)
    if measure.adaptive:
        measure.fit(made)
    left, right = random.integers(0, len(made), size=(2, pairs))
    found = measure.scores([made[i] for i in left], [made[i] for i in right])
    prepared = measure.prepare(made)
    score = measure.scorer(prepared, prepared).score
    assert found.tolist() == [score(int(a), int(b)) for a, b in zip(left, right, strict=True)]


class Name(str):
    __slots__ = ()


@pytest.mark.parametrize("other", [None, 7, np.str_("soft"), Name("soft")], ids=repr)
def test_lists_of_texts_and_others_score_as_texts(other):
    texts = ["soft texts", "texts", "soft texts", other, "soft", "7", "texts"]
    plain = ["" if one is None else str(one) for one in texts]
    known: dict[str, int] = {}
    assert distinct(texts, known).tolist() == distinct(plain, expected := {}).tolist()
    assert known == expected
    assert Spectra().scores(texts, texts[::-1]).tolist() == Spectra().scores(plain, plain[::-1]).tolist()


@pytest.mark.parametrize("measure", [one for one in MEASURES if isinstance(one, TermMeasure)], ids=str)
def test_some_of_the_prepared_texts_score_as_they_did(measure):
    prepared = measure.prepare([*COLLECTION, "soft texts of 42 soft texts"])
    chosen = np.array([5, 0, 3, 0])
    taken = prepared.take(chosen)
    assert len(taken) == 4
    for scorers in (measure.scorer, measure.bound):
        whole, some = scorers(prepared, prepared), scorers(taken, taken)
        assert (whole is None) == (some is None)
        if whole is not None:
            assert [[some.score(a, b) for b in range(4)] for a in range(4)] == [
                [whole.score(a, b) for b in chosen.tolist()] for a in chosen.tolist()
            ]


@every_measure
def test_a_measure_says_whether_the_side_matters(measure):
    scores = measure.matrix([*COLLECTION, "softly 42"], [*COLLECTION, "softly 42"])
    assert not measure.symmetric or scores == pytest.approx(scores.T)
    assert SoftTfIdf(pairs="all").symmetric
    assert not SoftTfIdf().symmetric
    assert SoftCardinality(coefficient="jaccard").symmetric
    assert not SoftCardinality(coefficient="coverage").symmetric


def counted(texts, analyser, times):
    known, _ = LongTexts.distinct(pa.chunked_array([texts], pa.string()))
    return CountedRows.of(known, np.ones(len(texts), np.int64), analyser, times)[0]


@pytest.mark.parametrize("measure", [TfIdf(), TfIdf(weights="tf"), TfIdf(weights="idf"), BM25()], ids=str)
def test_counted_terms_are_prepared_as_texts(measure):
    """And where it matters how often a text has a term, no weight of a term alone says what it weighs."""
    measure = measure.copy().fit(COLLECTION)
    rows = counted(COLLECTION, measure.analyser, measure.needs_counts)
    some, all_of = measure.prepare(rows), measure.prepare(COLLECTION)
    for left, right in ((some.left, all_of.left), (some.right, all_of.right)):
        assert (left.ids == right.ids).all()
        assert (left.weights == right.weights).all()
    if isinstance(measure, TfIdf):
        assert measure.needs_counts == (measure.options.weights != "idf")
        assert (measure.scaled(rows) is None) == measure.needs_counts


def test_an_index_keeps_the_terms_of_bm25_with_what_each_weighs_in_a_query():
    assert BM25().fit(COLLECTION).storage().query_weights is not None
    assert TfIdf().fit(COLLECTION).storage().query_weights is None


@every_measure
def test_the_bound_of_a_pair_is_not_below_its_score(measure):
    prepared = measure.prepare([*COLLECTION, "softly soft text texts", "texts text soft"])
    bound, scorer = measure.bound(prepared, prepared), measure.scorer(prepared, prepared)
    pairs = itertools.product(range(len(COLLECTION) + 2), repeat=2) if bound is not None else ()
    assert all(bound.score(a, b) >= scorer.score(a, b) - 1e-12 for a, b in pairs)


def test_only_the_best_terms_of_a_text_count():
    texts = ["all the rare words", "all the odd ones", "all the rest"]
    found = TfIdf(best_terms=2).fit(texts).matrix(["all rare words", "odd all ones", "rare odd"], texts)
    assert found == pytest.approx(np.array([[1, 0, 0], [0, 1, 0], [0.5, 0.5, 0]]))
    one = TfIdf(best_terms=1).fit(texts)
    assert (one.score("rare odd", "odd"), one.score("rare odd", "rare")) == (1, 0)  # the first in the alphabet


def test_an_explanation_shows_the_terms_of_each_side_with_their_accents():
    shown = Spectra().explain("Zürich softly", "soft for Zurich").contributions
    assert [(part.left, part.right) for part in shown] == [("zürich", "zurich"), ("softly", "soft")]


@every_measure
def test_a_copy_scores_the_same_and_is_apart(measure):
    copy = measure.copy()
    assert copy.options == measure.options
    expected = pytest.approx(measure.score("soft text", "texts"), rel=1e-14)
    assert copy.score("soft text", "texts") == expected
    copy.fit(["one", "two texts"])
    assert measure.score("soft text", "texts") == expected


@pytest.mark.parametrize("value", ["harmonic", "dice", "cosine", "quadratic", "overlap", "max", "jaccard", 0.3, -1.5])
def test_the_python_formula_of_coefficients_is_the_cores(value):
    pairs = [("soft texts", "soft text"), ("a b c", "a"), ("", "x"), ("same", "same")]
    lefts, rights = [left for left, _ in pairs], [right for _, right in pairs]
    measure = Spectra(coefficient=value)
    found = resemblance(*measure.pair_parts(lefts, rights), value)
    assert found.tolist() == pytest.approx(measure.scores(lefts, rights).tolist(), rel=1e-14)
    common, left, right = measure.parts(lefts, rights)
    every = resemblance(common, left[:, None], right[None, :], value)
    assert every == pytest.approx(measure.matrix(lefts, rights), rel=1e-14)


def test_lengths_of_many_texts_come_in_pieces(monkeypatch):
    monkeypatch.setattr(cosine, "_ROWS", 2)
    scale = np.array([3.0, 4.0, 12.0])
    rows = CountedRows(np.array([0, 1, 3, 3, 6, 7]), np.array([1, 0, 1, 0, 1, 2, 2], np.int32))
    assert cosine.scaled_by(rows, scale).lengths.tolist() == [4.0, 5.0, 1.0, 13.0, 12.0]  # nothing divides by none
