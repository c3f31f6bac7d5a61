"""Calls of the compiled module with arguments that do not fit, each with the error it must end in.

Run as a script it makes every call and writes a line of JSON for each: what it got instead of a crash.
"""

import json
import sys

import numpy as np

from likewise import _core as c


def i8(*values):
    return np.array(values, np.int64)


def i4(*values):
    return np.array(values, np.int32)


def u2(*values):
    return np.array(values, np.uint16)


def u1(*values):
    return np.array(values, np.uint8)


def f8(*values):
    return np.array(values, np.float64)


def vocabulary_of(*texts):
    made = c.Vocabulary()
    tokens = made.tokenise(*c.pack(list(texts)))
    made.resolve_words(made.pending_words())
    return made, tokens


def grams_of(vocabulary, first=2, last=3):
    made = c.TermGrams(first, last, c.Padding.single, True)
    made.add(vocabulary)
    return made


ROWS = c.Rows(i8(0, 1), i4(0), f8(1))
TWO = c.Rows(i8(0, 1, 2), i4(0, 1), f8(1, 2))
DOT = c.DotScorer(ROWS, ROWS)
MEAN = c.Coefficient(c.CoefficientKind.mean, 1.0)
WORDS, TOKENS = vocabulary_of("alpha beta")
GRAMS = grams_of(WORDS)
TEXTS = c.SpectraTexts(GRAMS, i8(0, 2), i4(0, 1), f8())
COUNTED = c.SpectraTexts(GRAMS, i8(0, 2), i4(0, 1), f8(1, 2))
SPECTRA = c.SpectraScorer(GRAMS, TEXTS, TEXTS, MEAN)
FIELDS = c.FieldsScorer([DOT], [1.0], [i4(0)], [i4(0)], 1, 1)
BATCH = c.MineBatch(u1(97), i4(0, 1), i4(0, 0, 0, 0, 0, 0), u1(), i4(0, 6))
LISTS = (i4(0), i4(0), i8(0, 1), u2(0), u2(65535), f8(1), f8(1), f8(0, 0, 0))
SEGMENT = c.DotSegment(*LISTS, 1)
GRAM_LISTS = (i4(0), i4(0), i8(0, 1), u2(0), u1(0), f8(1), f8(1), f8(1), i8(0, 1), i4(0), f8(), 2, i4())
HUGE = 10**9


def dot_segment(place, value):
    """A segment with one array exchanged."""
    return lambda: c.DotSegment(*LISTS[:place], value, *LISTS[place + 1 :], 1)


def gram_segment(place, value):
    """The same of the other family."""
    return lambda: c.GramSegment(*GRAM_LISTS[:place], value, *GRAM_LISTS[place + 1 :])


def similarity(made):
    """A similarity that knows two terms."""
    made.add(WORDS)
    return made


def pruner(**changes):
    """A small pruner with some arguments exchanged."""
    values = {"context": 1, "min_phrase": 1, "max_phrase": 2, "anchors": c.MineAnchors.ngram}
    return c.MinePruner(**{**values, "tags": [], "support": 1, "bits": 12, **changes})


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


def foreign_index():
    """Lists of another right side."""
    big = c.Rows(np.arange(5001), np.zeros(5000, np.int32), np.ones(5000))
    index = c.JoinIndex.build(c.DotScorer(big, big), None)
    return join(index=index)


def join(scorer=DOT, bound=None, index=None, count=1, min_score=0.0, self_join=False, threads=1, floors=None):
    """A join with some arguments exchanged."""
    return c.join(scorer, bound, index, c.JoinMode.top, count, min_score, self_join, None, threads, None, floors)


def gram_search(grams=GRAMS, queries=TEXTS, segments=None):
    """A search over lists of q-grams."""
    segments = [c.GramSegment(*GRAM_LISTS)] if segments is None else segments
    return c.GramSearcher(segments).top(grams, queries, MEAN, 1)


def analyse(offsets=None, documents=None, tags=None):
    """An analysis of one sentence."""
    from likewise.analyse.tagger import model

    offsets = i8(0, 3) if offsets is None else offsets
    documents = i4(0) if documents is None else documents
    return c.MineAnalyser(model()).run(
        b"a b", offsets, documents, 1, 9, True, True, False, u1() if tags is None else tags
    )


def train(words=("a",), tags=(0,), offsets=(0, 1), names=("NN",)):
    """A training on one word."""
    return c.TaggerModel.train(list(words), list(tags), list(offsets), list(names), 1, 0, 1, 0.9, 0)


def fields_join(index=None, bound=None, lefts=None, count=1, prices=None, least=None, self_join=False):
    """A join of records."""
    indexes = [c.JoinIndex.build(DOT, None)] if index is None else index
    lefts = i8(0) if lefts is None else lefts
    return c.fields_join(FIELDS, indexes, [bound], lefts, count, 0.0, self_join, prices, least, 1, None)


def blocks_join(*arrays):
    """A join within blocks."""
    return c.blocks_join(DOT, *arrays, 1, 0.0, False, 1, None)


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
    "tokenise without offsets": (lambda: c.Vocabulary().tokenise(u1(), i8()), "ValueError: offsets"),
    "terms_of another vocabulary": (lambda: foreign_tokens(5000), "ValueError: the tokens are of another"),
    "terms_of with words pending": (pending_tokens, "ValueError: words of the tokens are still to be resolved"),
    "resolve more than is pending": (
        lambda: c.Vocabulary().resolve_words(["a"]),
        "ValueError: more terms than words that wait",
    ),
    "resolve more chains": (lambda: c.Vocabulary().resolve_chains([True]), "ValueError: more answers than chains"),
    "resolve a number": (lambda: vocabulary_of()[0].resolve_words([1]), "RuntimeError|TypeError"),
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
    "intern_grams of str": (lambda: GRAMS.intern_grams(["ab"]), "RuntimeError|TypeError"),
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
    "assign": (lambda: c.assign(i8(0, 1), i8(10**12), f8(1), 3), "ValueError: rights must be from 0 to 2"),
    "assign to less than nobody": (lambda: c.assign(i8(0), i8(), f8(), -1), "ValueError: right_size must be 0 or more"),
    "assign by NaN": (lambda: c.assign(i8(0, 1), i8(0), f8(np.nan), 3), "ValueError: weights must be numbers"),
    "components": (lambda: c.components(3, i8(10**12), i8(0)), "ValueError: left must be from 0 to 2"),
    "components of less than none": (lambda: c.components(-3, i8(), i8()), "ValueError: n must be 0 or more"),
    "complete_linkage": (lambda: c.complete_linkage(3, i8(0), i8(10**12)), "ValueError: right must be from 0 to 2"),
    "complete_linkage of unequal length": (lambda: c.complete_linkage(3, i8(0), i8()), "ValueError: left: 1 values"),
    "ranks of nobody": (lambda: c.ranks(i8(3), f8(1), 3, 2), "ValueError: record must be from 0 to 2"),
    "ranks without end": (lambda: c.ranks(i8(0), f8(1), 1 << 60, 2), "ValueError: size must be from 0 to"),
    "ranks by NaN": (lambda: c.ranks(i8(0, 0), f8(1, np.nan), 1, 2), "ValueError: strength must be a number"),
    "sums of NaN": (lambda: GRAMS.gram_sums(f8(np.nan)), "ValueError: term_counts must be numbers"),
    "products of NaN": (
        lambda: c.row_products(i8(0, 1), i4(0), f8(np.nan), i4(0, 0)),
        "ValueError: values must be numbers",
    ),
    "scores by NaN": (
        lambda: c.DotSearcher([SEGMENT]).scores(i4(0), f8(np.nan)),
        "ValueError: weights must be numbers",
    ),
    "no ranks": (lambda: c.ranks(i8(0), f8(1), 3, 0), "ValueError: count must be from 1 to 100"),
    "take_once": (lambda: c.take_once(i8(1), i8(0), i8(0), 1, 1), "ValueError: order must be from 0 to 0"),
    "take_once of others": (lambda: c.take_once(i8(0), i8(0), i8(5), 1, 1), "ValueError: right must be from 0 to 0"),
    "fields of unequal length": (
        lambda: c.FieldsScorer([DOT] * 3, [1.0], [i4(0)], [i4(0)], 1, 1),
        "ValueError: weights: 1 values, but 3 scorers",
    ),
    "fields without a scorer": (
        lambda: c.FieldsScorer([None], [1.0], [i4(0)], [i4(0)], 1, 1),
        "ValueError: scorers must not be None|TypeError|RuntimeError",
    ),
    "fields with a value beyond": (
        lambda: c.FieldsScorer([DOT], [1.0], [i4(7)], [i4(0)], 1, 1),
        "ValueError: left must be from -1 to 0",
    ),
    "fields with too few records": (
        lambda: c.FieldsScorer([DOT], [1.0], [i4(0)], [i4(0)], 5, 1),
        "ValueError: left must have a value for each record",
    ),
    "fields without weight": (
        lambda: c.FieldsScorer([DOT], [0.0], [i4(0)], [i4(0)], 1, 1),
        "ValueError: weights must be above 0",
    ),
    "fields score beyond": (lambda: FIELDS.score(HUGE, 0), "IndexError: left 1000000000"),
    "fields_join without lists": (lambda: fields_join([]), "ValueError: indexes: 0 values, but 1 fields"),
    "fields_join of a record beyond": (lambda: fields_join(lefts=i8(HUGE)), "ValueError: lefts must be from 0 to 0"),
    "fields_join with lists of another right side": (
        lambda: fields_join([c.JoinIndex.build(c.DotScorer(TWO, TWO), None)]),
        "ValueError: an index is of another right side",
    ),
    "fields_join with a bound of other texts": (
        lambda: fields_join(bound=c.DotScorer(TWO, TWO)),
        "ValueError: a bound is of other texts",
    ),
    "fields_join with NaN": (
        lambda: fields_join(prices=f8(np.nan), least=f8(0)),
        "ValueError: prices must be numbers",
    ),
    "fields_join with prices below 0": (
        lambda: fields_join(prices=f8(-1), least=f8(0)),
        "ValueError: prices must be 0 or more",
    ),
    "fields_join with too few prices": (
        lambda: fields_join(prices=f8(), least=f8(0)),
        "ValueError: prices must have a number for each record",
    ),
    "fields_join with prices alone": (lambda: fields_join(prices=f8(1)), "ValueError: prices and least come together"),
    "fields_join with a negative count": (lambda: fields_join(count=-1), "ValueError: count must be 0 or more"),
    "blocks_join": (
        lambda: blocks_join(i8(0, 1), i8(HUGE), i8(0, 1), i8(0)),
        "ValueError: left_rows must be from 0 to 0",
    ),
    "blocks_join of unequal length": (
        lambda: blocks_join(i8(0, 1), i8(0), i8(0), i8()),
        "ValueError: left_indptr: 2 values",
    ),
    "join with lists of another right side": (foreign_index, "ValueError: the index is of another right side"),
    "join with a bound of other texts": (
        lambda: join(bound=c.DotScorer(TWO, TWO)),
        "ValueError: the bound is of other texts",
    ),
    "join with a negative count": (lambda: join(count=-1), "ValueError: count must be 0 or more"),
    "join from NaN on": (lambda: join(min_score=np.nan), "ValueError: min_score must be a number"),
    "join from a floor of NaN on": (lambda: join(floors=f8(np.nan)), "ValueError: floors must be a number"),
    "join with too many floors": (lambda: join(floors=f8(0, 0)), "ValueError: floors are for each left text"),
    "self-join of two sides": (
        lambda: join(scorer=c.DotScorer(ROWS, TWO), self_join=True),
        "ValueError: a self-join has the same texts",
    ),
    "join by name": (lambda: c.join(DOT, None, None, "top", 1, 0.0, False, None, 1, None), "TypeError"),
    "join with many threads": (lambda: join(threads=10**9), None),
    "best of none": (lambda: c.join(DOT, None, None, c.JoinMode.best, 0, 0.0, False, None, 1, None), None),
    "DotSearcher of nothing": (
        lambda: c.DotSearcher([None]).top(ROWS, 1),
        "ValueError: segments must not|RuntimeError",
    ),
    "DotSearcher of something else": (lambda: c.DotSearcher([1]), "RuntimeError|TypeError"),
    "DotSearcher with too few dead": (
        lambda: c.DotSearcher([SEGMENT]).top(ROWS, 1, 0.0, [None, None]),
        "ValueError: dead: 2 values, but 1 segments",
    ),
    "DotSearcher with a short mask": (
        lambda: c.DotSearcher([SEGMENT]).top(ROWS, 1, 0.0, [u1()]),
        "ValueError: dead must have a byte for each text",
    ),
    "DotSearcher scores of unequal length": (
        lambda: c.DotSearcher([SEGMENT]).scores(i4(0), f8()),
        "ValueError: ids: 1 values",
    ),
    "GramSearcher of nothing": (lambda: c.GramSearcher([None]), "ValueError: segments|RuntimeError"),
    "GramSearcher with other q-grams": (
        lambda: gram_search(grams=c.TermGrams(1, 1, c.Padding.none, False)),
        "ValueError: queries must be made from",
    ),
    "GramSearcher with terms that are not there": (
        lambda: gram_search(segments=[c.GramSegment(*GRAM_LISTS[:9], i4(7), f8(), 8, i4())]),
        "ValueError: a segment has terms",
    ),
    "segment of too many texts": (
        lambda: c.DotSegment(*LISTS, 70000),
        "ValueError: text_count must be from 0",
    ),
    "segment with a bad indptr": (dot_segment(2, i8(0, HUGE)), "ValueError: indptr must begin with 0"),
    "segment with a list beyond": (dot_segment(1, i4(9)), "ValueError: list_of must be from 0 to 0"),
    "segment with a text beyond": (dot_segment(3, u2(9)), "ValueError: texts must be from 0 to 0"),
    "segment with NaN": (dot_segment(5, f8(np.nan)), "ValueError: weights must be numbers"),
    "segment with too few levels": (dot_segment(7, f8(0)), "ValueError: levels must have three"),
    "q-gram segment with a bad indptr": (gram_segment(2, i8(0, HUGE)), "ValueError: indptr must begin with 0"),
    "q-gram segment with few codes": (gram_segment(4, u1()), "ValueError: codes: 0 values"),
    "q-gram segment with a term beyond": (gram_segment(9, i4(9)), "ValueError: terms must be from 0 to 1"),
    "q-gram segment with less than no terms": (gram_segment(11, -5), "ValueError: known_terms must be from 0"),
    "q-gram segment with a term before": (gram_segment(12, i4(-5)), "ValueError: more_terms must be from 0"),
    "pruner with 63 bits": (lambda: pruner(bits=63), "ValueError: bits must be from 1 to 36"),
    "pruner without bits": (lambda: pruner(bits=0), "ValueError: bits must be from 1 to 36"),
    "pruner with a negative context": (lambda: pruner(context=-1), "ValueError: context must be from 0"),
    "pruner with phrases falling": (lambda: pruner(min_phrase=5), "ValueError: max_phrase must be from 5"),
    "pruner with anchors by number": (lambda: pruner(anchors=9), "TypeError"),
    "pruner with a table of another size": (
        lambda: pruner().add_table(c.MineCounts.candidates, b"x"),
        "ValueError: the table has another size",
    ),
    "pruner with anchors that need tags": (
        lambda: pruner(anchors=c.MineAnchors.entity).count_candidates(BATCH),
        "ValueError: these anchors need a batch with tags",
    ),
    "pruner without context": (lambda: pruner(context=0).emit(BATCH), None),
    "batch with bad words": (
        lambda: c.MineBatch(u1(97), i4(0, HUGE), i4(0), u1(), i4(0, 1)),
        "ValueError: word_offsets must begin with 0",
    ),
    "batch with bad sentences": (
        lambda: c.MineBatch(u1(97), i4(0, 1), i4(0), u1(), i4(0, 50)),
        "ValueError: sentence_offsets must begin with 0",
    ),
    "batch with a word beyond": (
        lambda: c.MineBatch(u1(97), i4(0, 1), i4(5), u1(), i4(0, 1)),
        "ValueError: ids must be from 0 to 0",
    ),
    "batch with too few tags": (
        lambda: c.MineBatch(u1(97), i4(0, 1), i4(0, 0), u1(1), i4(0, 2)),
        "ValueError: tags: 1 values, but 2 ids",
    ),
    "evidence with a phrase beyond": (
        lambda: c.MineEvidence(["a b"], i4(0, 10**8), 4),
        "ValueError: pairs must be from 0 to 0",
    ),
    "evidence with half a pair": (
        lambda: c.MineEvidence(["a"], i4(0), 4),
        "ValueError: pairs must be two numbers",
    ),
    "analysis with bad offsets": (lambda: analyse(offsets=i8(0, HUGE)), "ValueError: offsets must begin with 0"),
    "analysis with too few documents": (lambda: analyse(documents=i4()), "ValueError: documents must name one"),
    "analysis with too few tags": (lambda: analyse(tags=u1(1)), "ValueError: fewer tags than tokens"),
    "analysis with a tag beyond": (lambda: analyse(tags=u1(200, 200)), "ValueError: tags must be from 0 to 55"),
    "training with a tag beyond": (lambda: train(tags=[200]), "ValueError: tags must be from 0 to 0"),
    "training with bad offsets": (lambda: train(offsets=[0, 10**8]), "ValueError: offsets must begin with 0"),
    "training without sentences": (lambda: train(offsets=[]), "ValueError: offsets must begin with 0"),
    "training with too few tags": (lambda: train(tags=[]), "ValueError: tags: 0 values, but 1 words"),
    "training without names": (lambda: train(names=[]), "ValueError: names must be from 1 to 56"),
    "training with a long name": (lambda: train(names=["N" * 300]), "ValueError: names must be shorter"),
    "weights of no tagger": (lambda: c.TaggerModel(b"LWTAG01\n" + b"\xff" * 40), "ValueError"),
    "weights cut short": (
        lambda: c.TaggerModel(b"LWTAG01\n\1\0\0\0\1N" + b"\0" * 8 + b"\xff" * 4),
        "ValueError: the tagger's weights are cut short",
    ),
    "a dictionary with a tag beyond": (
        lambda: c.TaggerModel(b"LWTAG01\n\1\0\0\0\1N\1\0\0\0" + b"\0" * 8 + b"\xc8" + b"\0" * 40),
        "ValueError: the tagger's weights name a tag",
    ),
}


def main():
    """Make every call."""
    for name, (call, _) in CASES.items():
        try:
            call()
            outcome = None
        except Exception as error:
            outcome = f"{type(error).__name__}: {error}"
        sys.stdout.write(json.dumps([name, outcome]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
