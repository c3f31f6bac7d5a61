"""What an explanation shows of a pair: where its parts stand, and which of several partners a term goes with."""

import pytest

from likewise import SoftCardinality, SoftTfIdf, Spectra
from likewise.measure import spectra_explanation


def test_a_q_gram_stands_where_it_is_in_the_word():
    (word,) = Spectra(q=2).explain("banana", "a banana").contributions
    places = {part.left: [(span.start, span.end) for span in part.left_spans] for part in word.parts}
    assert places == {"<b": [(0, 1)], "ba": [(0, 2)], "an": [(1, 3), (3, 5)], "na": [(2, 4), (4, 6)], "a>": [(5, 6)]}
    (ends,) = [part.right_spans for part in word.parts if part.right == "a>"]
    assert [(span.start, span.end) for span in ends] == [(7, 8)]


def test_a_q_gram_that_overlaps_itself_stands_at_each_place():
    (word,) = Spectra(q=2).explain("haaa", "haaa").contributions
    (twice,) = [part.left_spans for part in word.parts if part.left == "aa"]
    assert [(span.start, span.end) for span in twice] == [(1, 3), (2, 4)]


@pytest.mark.parametrize(("pairs", "partners"), [("best", ["martha"]), ("all", ["martha", "marhta"])])
def test_a_term_goes_with_its_best_partner_or_with_all(pairs, partners):
    why = SoftTfIdf(cut=0.7, weights="boolean", pairs=pairs).explain("martha", "martha marhta")
    assert [part.right for part in why.contributions] == partners
    assert why.total == pytest.approx(why.score)


@pytest.mark.parametrize(("cut", "partners"), [(0.4, ["blue"]), (0.5, [])])
def test_a_term_that_is_like_another_to_the_cut_only_adds_nothing(cut, partners):
    measure = SoftTfIdf(cut=cut, weights="boolean", similarity=lambda a, b: 0.5)
    why = measure.explain("red", "blue")
    assert [part.right for part in why.contributions] == partners
    assert why.total == why.score == 0.5 * len(partners)


@pytest.mark.parametrize(("cut", "common"), [(0.4, True), (0.5, False)])
def test_words_that_are_alike_below_the_cut_count_as_two(cut, common):
    why = SoftCardinality(cut=cut, similarity=lambda a, b: 0.4).explain("red", "blue")
    assert (why.total > 0) == common
    assert why.total == pytest.approx(why.score)


def test_q_grams_of_most_pairs_of_terms_stand_for_themselves(monkeypatch):
    """A q-gram of one term and twenty has twenty pairs, not 400."""
    many = " ".join(f"ab{letter}" for letter in "cdefghijklmnopqrstuv")

    def kinds(most):
        monkeypatch.setattr(spectra_explanation, "MOST_PAIRS", most)
        sides = [("abx", many), (many, "abx")]
        return [{part.kind for part in Spectra(q=2).explain(*both).contributions} for both in sides]

    assert kinds(60) == [{"terms"}] * 2  # <a, ab
    assert kinds(30) == [{"terms", "q-gram"}] * 2
    assert kinds(10) == [{"q-gram"}] * 2
