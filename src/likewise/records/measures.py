"""The measure that suits the texts of a field, where the user names none."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from likewise.analyse.term_counts import CountedRows
from likewise.measure import Measure, Spectra, TextMeasure, TfIdf
from likewise.measure.arguments import in_language
from likewise.measure.statistics import Statistics
from likewise.measure.terms import TermMeasure
from likewise.read.long_texts import LongTexts
from likewise.records.columns import Column

LONG = 250
"""From this many characters on, at the median, texts are compared by their words."""
_SAMPLE = 1000


def default_measure(texts: Sequence[str | None] = ()) -> TextMeasure:
    """Return the measure that match uses unless told otherwise, not fitted yet (docs/design/match.md says why).

    Names, titles and short descriptions are compared by the q-grams of their words, which forgives typing errors. In
    paragraphs a typing error spoils one word of many: they are compared by their words, which costs far less. Both
    are smoothed, so that two short lists that share a word in every text still match.

    >>> default_measure(["Ada Lovelace", "Grace Hopper"]).name, default_measure(["word " * 80]).name
    ('spectra', 'tfidf')
    """
    if typical_length(texts) >= LONG:
        return TfIdf(weights="idf", smooth=True)
    return Spectra(q=(2, 4), padding="single", weights="c.idf.qidf", coefficient="harmonic", smooth=True)


def fit_columns(
    left: Column,
    right: Column,
    measure: Measure | None = None,
    language: str | None = None,
    threads: int | None = None,
) -> tuple[Column, Column, Measure]:
    """Return both columns and the measure that compares them: the default one where none is given.

    A measure that weighs by a collection and is not fitted yet is fitted to the texts of all records. For that the
    distinct texts are analysed, once: a text counts as often as records have it, and its terms stay with the column.
    """
    sides = [left] if right is left else [left, right]
    if measure is None:
        measure = default_measure([text for side in sides for text in side.sample(length_step(len(side)))])
    if language is not None:
        measure = in_language(measure, language)
    if measure.ready:
        return left, right, measure
    measure = measure.copy()
    if not isinstance(measure, TextMeasure) or not measure.reads_terms:
        return left, right, measure.fit([text for side in sides for text in side.all_texts()])
    analyser = measure.new_analyser()
    texts = left.texts if right is left else None
    if isinstance(texts, LongTexts) and isinstance(measure, TermMeasure) and measure.options.best_terms is None:
        counted_rows, totals = CountedRows.of(texts, left.repeats(), analyser, measure.needs_counts, threads)
        column = replace(left, terms=counted_rows)
        return column, column, measure.fit_to(Statistics(*totals), analyser)
    rows = [measure.analyse(side.texts, analyser) for side in sides]
    counts = [Statistics.of(one, len(analyser), side.repeats()) for one, side in zip(rows, sides, strict=True)]
    sides = [replace(side, terms=one) for one, side in zip(rows, sides, strict=True)]
    return sides[0], sides[-1], measure.fit_to(sum(counts[1:], counts[0]), analyser)


def typical_length(texts: Sequence[str | None]) -> int:
    """Return the median number of characters of the texts that are there."""
    lengths = [len(text) for text in texts if text]
    return int(np.median(lengths)) if lengths else 0


def length_step(records: int) -> int:
    """Return the step at which records are sampled to learn how long texts are."""
    return max(1, records // _SAMPLE)


def default_note(measure: TextMeasure, length: int) -> str:
    """Return why texts are compared by words, where nobody named a measure."""
    return f"texts of {length} characters at the median: compared by words ({measure}); name a measure to change that"
