"""The golden examples of the definitions, to the digit."""

import math

import numpy as np
import pytest

from likewise import Common, Matches, SoftCardinality, SoftTfIdf, Spectra, Tf, TfIdf
from likewise.measure.coefficient import resemblance

SENTENCES = (
    "The retrieval of records depends on an exact match between the attribute values used in the query formulations "
    "and those attached to the records being sought: each retrieved record will contain the precise attribute values "
    "specified in the query... while each nonretrieved record exhibits at least one mismatch between attribute values "
    "attached to the query and those attached to the stored records.",
    "Retrieval strategies for various document components differ because usually an exact match is required "
    "between the data portions contained in the query specifications and the attribute values attached to the stored "
    "records...",
)
STEMS = {"attach", "attribut", "exact", "match", "queri", "record", "retriev", "store", "valu"}
PHRASES = {"attribut valu", "exact match", "store record"}


@pytest.mark.parametrize(
    ("measure", "phrases", "expected"), [(Matches, False, 9), (Matches, True, 12), (Common, False, 9), (Tf, False, 22)]
)
def test_g1_two_sentences_of_figure_1(measure, phrases, expected):
    scored = measure(stop="smart", stem="porter", phrases=phrases)
    assert scored.score(*SENTENCES) == expected
    why = scored.explain(*SENTENCES)
    assert why.total == expected
    assert {part.left for part in why.contributions if part.kind == "term"} == STEMS
    assert {part.left for part in why.contributions if part.kind == "phrase"} == (PHRASES if phrases else set())


def test_g2_soft_cardinality_of_two_similar_names():
    spectra = Spectra(q=2, padding="single", weights="c")
    assert round(spectra.cardinality("Gonzalo Gonzalez"), 3) == 1.292
    prepared = spectra.prepare(["Gonzalo Gonzalez"])
    assert len(prepared.grams) == 11
    assert (prepared.counts == 2).sum() == 6


@pytest.mark.parametrize(
    ("term", "q", "padding", "expected"),
    [
        ("sunday", 3, "none", {"sun", "und", "nda", "day"}),
        ("sunday", 3, "single", {"<su", "sun", "und", "nda", "day", "ay>"}),
        ("sunday", 3, "full", {"<<s", "<su", "sun", "und", "nda", "day", "ay>", "y>>"}),
        ("sun", 4, "none", {"sun"}),
        ("sunny", 1, "full", {"s", "u", "n", "y"}),
    ],
)
def test_g3_q_grams(term, q, padding, expected):
    spectra = Spectra(q=q, padding=padding)
    why = spectra.explain(term, term)
    assert {part.left for pair in why.contributions for part in pair.parts} == expected


SCHEMES = ["none", "c", "idf", "qidf", "c.idf", "c.qidf", "idf.qidf", "c.idf.qidf", "tfidf", "c.tfidf", "tfidf.qidf"]
COEFFICIENTS = ["harmonic", "dice", "cosine", "quadratic", "overlap", "max", "jaccard", "coverage", 10.0, -1.5, 0.3]


@pytest.mark.parametrize("weights", SCHEMES)
@pytest.mark.parametrize("coefficient", COEFFICIENTS)
def test_g4_a_text_is_like_itself(weights, coefficient):
    spectra = Spectra(weights=weights, coefficient=coefficient).fit(["the cat sat", "the hat", "a dog, a dog"])
    assert spectra.score("a dog sat; a dog", "a dog sat; a dog") == pytest.approx(1, abs=1e-12)


def test_g4_rigid_similarity_counts_terms():
    rigid = SoftCardinality(similarity=lambda a, b: float(a == b), coefficient="jaccard")
    assert rigid.score("a b c", "b c d e") == pytest.approx(2 / 5)


def test_g4_harmonic_is_equation_5_2():
    spectra = Spectra(q=(1, 4), padding="none", weights="c")
    a, b = spectra.cardinality("data base"), spectra.cardinality("database")
    union = spectra.cardinality("data base database")
    assert spectra.score("data base", "database") == pytest.approx(1 + 0.5 * (a / b + b / a - union / a - union / b))


def test_g5_a_score_can_exceed_one():
    options = {"q": (1, 4), "padding": "none", "weights": "c"}
    spectra = Spectra(**options)
    assert round(spectra.cardinality("data base"), 4) == 7.7083
    assert spectra.cardinality("database") == pytest.approx(4, abs=1e-12)
    assert round(spectra.cardinality("data base database"), 4) == 6.4131
    assert round(spectra.score("data base", "database"), 4) == 1.0054
    assert round(Spectra(**options, coefficient="overlap").score("data base", "database"), 4) == 1.3238


def test_q_gram_weights_count_occurrences_of_words():
    spectra = Spectra(q=2, padding="none", weights="qidf").fit(["the cat", "the hat"])
    # Of the four word occurrences two contain "th": ln 2. "the" has the bigrams th and he, both so.
    assert spectra.cardinality("the") == pytest.approx(2 * math.log(2), abs=1e-15)


def test_soft_tfidf_over_all_pairs_exceeds_one():
    soft = SoftTfIdf(weights="boolean", pairs="all")
    assert round(soft.score("martha marhta", "martha marhta"), 3) == 1.961


@pytest.mark.parametrize("weights", ["boolean", "idf", "tfidf"])
def test_soft_tfidf_is_the_cosine_where_no_two_words_are_alike(weights):
    texts = ["red red soup", "blue soup", "old stone"]
    pair = ("red red soup", "red soup stone stone")
    scores = [measure(weights=weights).fit(texts).score(*pair) for measure in (SoftTfIdf, TfIdf)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-12)


@pytest.mark.parametrize(
    ("coefficient", "divisor"),
    [
        ("harmonic", 2 * 4 * 12 / (4 + 12)),
        ("dice", (4 + 12) / 2),
        ("cosine", math.sqrt(4 * 12)),
        ("quadratic", math.sqrt((4**2 + 12**2) / 2)),
        ("overlap", 4),
        ("containment", 4),
        ("max", 12),
        ("jaccard", 4 + 12 - 3),
        ("coverage", 12),
    ],
)
def test_coefficients_of_three_words_that_texts_of_four_and_twelve_share(coefficient, divisor):
    assert resemblance(np.array([3.0]), 4.0, 12.0, coefficient)[0] == pytest.approx(3 / divisor, abs=1e-15)
    left, right = (" ".join(f"w{word}" for word in words) for words in (range(4), range(1, 13)))
    words = Spectra(q=0, weights="none", coefficient=coefficient)
    assert words.score(left, right) == pytest.approx(3 / divisor, abs=1e-15)
