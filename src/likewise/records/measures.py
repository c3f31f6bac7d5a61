"""The measure of a match unless told otherwise: it suits the texts at hand."""

from collections.abc import Sequence

import numpy as np

from likewise.measure import Spectra, TextMeasure, TfIdf

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


def typical_length(texts: Sequence[str | None]) -> int:
    """Return the median number of characters of the texts that are there."""
    lengths = [len(text) for text in texts if text]
    return int(np.median(lengths)) if lengths else 0


def stride(records: int) -> int:
    """Return of how many records one is looked at to learn how long texts are."""
    return max(1, records // _SAMPLE)


def default_note(measure: TextMeasure, length: int) -> str:
    """Return why texts are compared by words, where nobody named a measure."""
    return f"texts of {length} characters at the median: compared by words ({measure}); name a measure to change that"
