"""Calls about records, joins and searches that do not fit, each with the error it must end in."""

import numpy as np
from tests.core.arguments import (
    DOT,
    FIELDS,
    GRAM_LISTS,
    GRAMS,
    HUGE,
    LISTS,
    MEAN,
    ROWS,
    SEGMENT,
    TEXTS,
    TWO,
    f8,
    i4,
    i8,
    u1,
    u2,
)

from likewise import _core as c


def dot_segment(place, value):
    """A segment with one array exchanged."""
    return lambda: c.DotSegment(*LISTS[:place], value, *LISTS[place + 1 :], 1)


def gram_segment(place, value):
    """The same of the other family."""
    return lambda: c.GramSegment(*GRAM_LISTS[:place], value, *GRAM_LISTS[place + 1 :])


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


def fields_join(index=None, bound=None, lefts=None, count=1, prices=None, least=None, self_join=False):
    """A join of records."""
    indexes = [c.JoinIndex.build(DOT, None)] if index is None else index
    lefts = i8(0) if lefts is None else lefts
    return c.fields_join(FIELDS, indexes, [bound], lefts, count, 0.0, self_join, prices, least, 1, None)


def blocks_join(*arrays):
    """A join within blocks."""
    return c.blocks_join(DOT, *arrays, 1, 0.0, False, 1, None)


NEAR = c.NearLists(i8(0, 1), i4(0), f8(1), f8(1), f8(1), 0.5)

CASES = {
    "near with a term beyond": (
        lambda: c.near_pairs(i8(0, 1), i4(HUGE), f8(1), f8(1), 0.5, 1, None),
        "ValueError: ids must be from 0 to 0",
    ),
    "near with ids that fall": (
        lambda: c.near_pairs(i8(0, 2), i4(1, 0), f8(1, 1), f8(1), 0.5, 1, None),
        "ValueError: ids must ascend",
    ),
    "near with too few lengths": (
        lambda: c.near_pairs(i8(0, 1), i4(0), f8(1), f8(), 0.5, 1, None),
        "ValueError: lengths must be as many",
    ),
    "near with a length of 0": (
        lambda: c.near_pairs(i8(0, 1), i4(0), f8(1), f8(0), 0.5, 1, None),
        "ValueError: lengths must be numbers above 0",
    ),
    "near from no score": (
        lambda: c.near_pairs(i8(0, 1), i4(0), f8(1), f8(1), np.nan, 1, None),
        "ValueError: min_score must be above 0",
    ),
    "near from a text beyond": (
        lambda: NEAR.among_themselves(3, 1, 1, None),
        "ValueError: first must be a text, or the number of texts",
    ),
    "near with terms of no number of texts": (
        lambda: c.NearLists(i8(0, 1), i4(0), f8(1), f8(1), f8(np.nan), 0.5),
        "ValueError: texts must be numbers from 0 on",
    ),
    "near of no pairs": (
        lambda: NEAR.others(i8(0, 1), i4(0), f8(1), 0, 0, 1, None),
        "ValueError: most must be above 0",
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
    "no ranks": (lambda: c.ranks(i8(0), f8(1), 3, 0), "ValueError: count must be from 1 to 100"),
    "take_once": (lambda: c.take_once(i8(1), i8(0), i8(0), 1, 1), "ValueError: order must be from 0 to 0"),
    "take_once of others": (lambda: c.take_once(i8(0), i8(0), i8(5), 1, 1), "ValueError: right must be from 0 to 0"),
    "least of half a matrix": (lambda: c.least(f8(1, 2), f8(1, 2), f8(0, 0), 9), "ValueError: curve must have a row"),
    "least from nowhere": (lambda: c.least(f8(1), f8(1), f8(), 9), "ValueError: goal: 1 values"),
    "least by NaN": (lambda: c.least(f8(np.nan), f8(1), f8(0), 9), "ValueError: curve must be a number"),
    "least without end": (lambda: c.least(f8(1), f8(1), f8(0), 1 << 20), "ValueError: rounds must be from 0 to 10000"),
    "rising by other weights": (lambda: c.rising(f8(1, 2), f8(1)), "ValueError: values: 2 values"),
    "rising by NaN": (lambda: c.rising(f8(np.nan), f8(1)), "ValueError: values must be a number"),
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
    "scores by NaN": (
        lambda: c.DotSearcher([SEGMENT]).scores(i4(0), f8(np.nan)),
        "ValueError: weights must be numbers",
    ),
}
