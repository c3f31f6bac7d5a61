"""Calls about texts and measures that do not fit, each with the error it must end in."""

import numpy as np
from tests.core.arguments import (
    COUNTED,
    DOT,
    GRAMS,
    HUGE,
    MEAN,
    ROWS,
    SPECTRA,
    TEXTS,
    WORDS,
    f8,
    i4,
    i8,
    u1,
    vocabulary_of,
)

from likewise import _core as c


def similarity(made):
    """A similarity that knows two terms."""
    made.add(WORDS)
    return made


def uninitialised():
    """A scorer without its parts."""
    return c.DotScorer.__new__(c.DotScorer).score(0, 0)


def public(name, work):
    """A call through public objects."""
    from likewise.measure import parse

    measure = parse(name)
    measure.fit(["a b", "c"])
    return work(measure, measure.prepare(["a b"]))


def term_rows(measure, indptr, terms):
    """Rows of terms that a measure has not made itself."""
    from likewise.analyse import TermRows

    return measure.prepare(TermRows(indptr, terms))


class Sly(str):
    """A text that empties the list it is in when it is compared."""

    __slots__ = ("box",)
    __hash__ = str.__hash__

    def __eq__(self, other):
        self.box.clear()
        return False


def changing_list():
    """A list that shrinks while it is read."""
    texts = ["a", Sly("b"), "c", "d"]
    texts[1].box = texts
    return c.factorise(texts, {"b": 0})


def foreign_tokens(count):
    """Tokens of another vocabulary."""
    other, tokens = vocabulary_of(*[f"w{number}" for number in range(count)])
    del other
    return c.Vocabulary().terms_of(tokens)


def pending_tokens():
    """Tokens whose words are not resolved."""
    made = c.Vocabulary()
    return made.terms_of(made.tokenise(*c.pack(["some new words"])))


def other_grams():
    """Texts with the q-grams of another measure."""
    return c.SpectraScorer(c.TermGrams(1, 1, c.Padding.none, False), TEXTS, TEXTS, MEAN)


CASES = {
    "public: score beyond the texts": (
        lambda: public("spectra", lambda m, p: m.scorer(p, p).score(HUGE, 0)),
        "IndexError: left 1000000000 is out of range",
    ),
    "public: score before the texts": (
        lambda: public("tfidf", lambda m, p: m.scorer(p, p).score(-HUGE, 0)),
        "IndexError: left -1000000000 is out of range",
    ),
    "public: rows with a foreign term": (
        lambda: public("spectra", lambda m, p: term_rows(m, i8(0, 1), i4(10**6))),
        "ValueError: terms must be from 0",
    ),
    "public: rows with a bad indptr": (
        lambda: public("tf", lambda m, p: term_rows(m, i8(0, HUGE), i4(0))),
        "ValueError: indptr must begin with 0",
    ),
    "count_rows": (lambda: c.count_rows(i8(0, HUGE), i4(0)), "ValueError: indptr must begin with 0"),
    "count_rows falling": (lambda: c.count_rows(i8(0, 2, 1), i4(0)), "ValueError: indptr must begin with 0"),
    "count_rows without offsets": (lambda: c.count_rows(i8(), i4()), "ValueError: indptr must begin with 0"),
    "factorise a changing list": (changing_list, None),
    "factorise into a broken dictionary": (lambda: c.factorise(["a"], {"a": "b"}), "TypeError"),
    "factorise numbers": (lambda: c.factorise([1], {}), "TypeError: text 0 is a int"),
    "pack numbers": (lambda: c.pack([1]), "TypeError: text 0 is a int"),
    "tokenise with bad offsets": (
        lambda: c.Vocabulary().tokenise(u1(97), i8(0, HUGE)),
        "ValueError: offsets must begin with 0",
    ),
    "tokenise with ends beyond": (
        lambda: c.Vocabulary().tokenise(u1(97), i8(0), ends=i8(HUGE)),
        "ValueError: offsets and ends must be places in bytes",
    ),
    "number texts beyond": (
        lambda: c.TextNumbers().add(u1(97), i8(-1), i8(1)),
        "ValueError: offsets and ends must be places in bytes",
    ),
    "number texts with too few ends": (lambda: c.TextNumbers().add(u1(97), i8(0), i8()), "ValueError: ends: 0 values"),
    "count other texts": (
        lambda: c.TermCounter(True).add(WORDS, vocabulary_of("a")[1], i8(1)),
        "ValueError: the tokens are of another",
    ),
    "count with too few repeats": (
        lambda: c.TermCounter(False).add(*vocabulary_of("a"), i8()),
        "ValueError: repeats: 0 values, but 1 texts",
    ),
    "resolve fewer than is pending": (
        lambda: (made := c.Vocabulary(), made.tokenise(*c.pack(["é"])), made.resolve_others([])),
        "ValueError: fewer terms than words that wait",
    ),
    "tokenise without offsets": (lambda: c.Vocabulary().tokenise(u1(), i8()), "ValueError: offsets"),
    "terms_of another vocabulary": (lambda: foreign_tokens(5000), "ValueError: the tokens are of another"),
    "terms_of with words pending": (pending_tokens, "ValueError: words of the tokens are still to be resolved"),
    "resolve more than is pending": (
        lambda: c.Vocabulary().resolve_words(["a"]),
        "ValueError: more terms than words that wait",
    ),
    "resolve more chains": (lambda: c.Vocabulary().resolve_chains([True]), "ValueError: more answers than chains"),
    "resolve a number": (lambda: vocabulary_of()[0].resolve_words([1]), "TypeError: terms must be str"),
    "term beyond": (lambda: WORDS.term(HUGE), "IndexError: term 1000000000 is out of range: there are 2"),
    "rows with a bad indptr": (lambda: c.Rows(i8(0, HUGE), i4(0), f8(1)), "ValueError: indptr must begin with 0"),
    "rows with negative ids": (lambda: c.Rows(i8(0, 1), i4(-5), f8(1)), "ValueError: ids must be from 0"),
    "rows out of order": (lambda: c.Rows(i8(0, 2), i4(1, 0), f8(1, 1)), "ValueError: ids must ascend within a row"),
    "rows with a repeated id": (lambda: c.Rows(i8(0, 2), i4(1, 1), f8(1, 1)), "ValueError: ids must ascend"),
    "rows of unequal length": (lambda: c.Rows(i8(0, 1), i4(0), f8()), "ValueError: weights: 0 values, but 1 ids"),
    "rows with NaN": (lambda: c.Rows(i8(0, 1), i4(0), f8(np.nan)), "ValueError: weights must be numbers from"),
    "rows with infinity": (lambda: c.Rows(i8(0, 1), i4(0), f8(np.inf)), "ValueError: weights must be numbers from"),
    "score beyond": (lambda: DOT.score(HUGE, 0), "IndexError: left 1000000000"),
    "score with NaN as cutoff": (lambda: DOT.score(0, 0, np.nan), "ValueError: cutoff must be a number"),
    "score of nothing": (uninitialised, "TypeError"),
    "pair_scores": (lambda: c.pair_scores(DOT, i8(HUGE), i8(0)), "ValueError: left must be from 0 to 0"),
    "pair_scores of unequal length": (lambda: c.pair_scores(DOT, i8(0, 0), i8(0)), "ValueError: left: 2 values"),
    "pair_scores with many threads": (lambda: c.pair_scores(DOT, i8(0), i8(0), 10**9), None),
    "q out of range": (lambda: c.TermGrams(-1, 3, c.Padding.none, True), "ValueError: q_from must be from 0 to 255"),
    "q falling": (lambda: c.TermGrams(3, 2, c.Padding.none, True), "ValueError: q_to must be from 3 to 255"),
    "padding by number": (lambda: c.TermGrams(2, 3, 7, True), "TypeError"),
    "weights that are NaN": (lambda: GRAMS.set_weights(f8(np.nan), 1.0, f8(), 1.0), "ValueError: terms must be"),
    "intern_grams of str": (lambda: GRAMS.intern_grams(["ab"]), "TypeError: keys must be a list of bytes"),
    "gram beyond": (lambda: GRAMS.gram(HUGE), "IndexError: q-gram 1000000000"),
    "entry beyond": (lambda: GRAMS.entry(-1), "IndexError: term -1"),
    "texts with a foreign term": (
        lambda: c.SpectraTexts(GRAMS, i8(0, 1), i4(10**7), f8()),
        "ValueError: terms must be from 0 to 1",
    ),
    "texts with tf beside texts without": (
        lambda: (
            c.matrix(c.SpectraScorer(GRAMS, COUNTED, TEXTS, MEAN)),
            c.matrix(c.SpectraScorer(GRAMS, TEXTS, COUNTED, MEAN)),
        ),
        None,
    ),
    "texts with a bad indptr": (lambda: c.SpectraTexts(GRAMS, i8(0, HUGE), i4(0), f8()), "ValueError: indptr"),
    "texts with terms out of order": (
        lambda: c.SpectraTexts(GRAMS, i8(0, 2), i4(1, 0), f8()),
        "ValueError: terms must ascend",
    ),
    "texts with too few frequencies": (
        lambda: c.SpectraTexts(GRAMS, i8(0, 2), i4(0, 1), f8(1)),
        "ValueError: frequencies: 1 values, but 2 terms",
    ),
    "common beyond": (lambda: SPECTRA.common(HUGE, 0), "IndexError: left 1000000000"),
    "scorer with other q-grams": (other_grams, "ValueError: left and right must be made from these term_grams"),
    "coefficient by name": (lambda: c.SpectraScorer(GRAMS, TEXTS, TEXTS, "mean"), "TypeError"),
    "Jaro-Winkler beyond": (lambda: similarity(c.JaroWinkler(0.1, 4, 0.7))(HUGE, 0), "IndexError: term 1000000000"),
    "Jaro-Winkler with a long prefix": (lambda: c.JaroWinkler(0.5, 4, 0.7), "ValueError: prefix_weight must be"),
    "q-gram Jaccard beyond": (lambda: similarity(c.GramJaccard(2))(0, HUGE), "IndexError: term 1000000000"),
    "q-gram Jaccard without q": (lambda: c.GramJaccard(0), "ValueError: q must be from 1"),
    "table with a bad indptr": (lambda: c.SimilarityTable([0, 5], [0], [0.5]), "ValueError: indptr must begin"),
    "table of a term before the first": (lambda: c.SimilarityTable([0, 1], [0], [0.5])(-1, 0), "IndexError: term -1"),
    "table of unequal length": (lambda: c.SimilarityTable([0, 1], [0], []), "ValueError: values: 0 values"),
    "similar_terms of more than there are": (
        lambda: c.similar_terms(similarity(c.JaroWinkler(0.1, 4, 0.7)), 10**6, 0.5),
        "ValueError: size must be from 0 to 2",
    ),
    "similar_terms of less than none": (
        lambda: c.similar_terms(similarity(c.GramJaccard(2)), -1, 0.5),
        "ValueError: size must be from 0",
    ),
    "soft scorer of terms that are not there": (
        lambda: c.SoftTfIdfScorer(c.JaroWinkler(0.1, 4, 0.7), ROWS, ROWS, 0.5, True),
        "ValueError: ids of left must be",
    ),
    "phrases of unequal length": (lambda: c.PhraseRows(i8(0, 1), i4(0), i8()), "ValueError: positions: 0 values"),
    "phrases before the text": (lambda: c.PhraseRows(i8(0, 1), i4(0), i8(-1)), "ValueError: positions must be"),
    "phrases of other texts": (
        lambda: c.PhraseScorer(DOT, c.PhraseRows(i8(0), i4(), i8()), c.PhraseRows(i8(0), i4(), i8()), c.PhraseCount.tf),
        "ValueError: phrases are of other texts",
    ),
    "sums of NaN": (lambda: GRAMS.gram_sums(f8(np.nan)), "ValueError: term_counts must be numbers"),
}
