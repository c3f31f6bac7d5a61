"""What another text does not cover: per term, the share of the weight of its q-grams that the other text lacks."""

from dataclasses import dataclass

from likewise.measure.spectra import Spectra
from likewise.read.document import Span


@dataclass(frozen=True, slots=True)
class Uncovered:
    """A term of the right text that the left text does not, or not wholly, account for."""

    text: str
    span: Span
    share: float
    """How much of the term is missing on the left: 1 is all of it."""
    weight: float
    """The missing part as a share of the q-gram weight of the whole right text."""


def uncovered(measure: Spectra, left: str, right: str) -> tuple[Uncovered, ...]:
    """Return the terms of ``right`` that ``left`` lacks, heaviest first.

    >>> spectra = Spectra(q=(1, 4), padding="none", weights="c")
    >>> [part.text for part in uncovered(spectra, "the cat sat", "the cat purred")]
    ['purred']
    """
    rows = measure.analyser.terms([left, right], positions=True)
    measure.prepare([left, right])  # makes the q-grams of new words known
    here = {gram for term, _ in rows.spans(0) for gram in measure.grams_of(term)}
    occurrences = list(rows.spans(1))
    grams = {term: measure.grams_of(term) for term, _ in occurrences}
    total = sum(sum(one.values()) for one in grams.values())
    found = []
    for term, span in occurrences:
        own = sum(grams[term].values())
        missing = sum(weight for gram, weight in grams[term].items() if gram not in here)
        if missing > 0 and own > 0:
            found.append(Uncovered(span.of(right), span, missing / own, missing / total))
    return tuple(sorted(found, key=lambda part: (-part.weight, part.span)))
