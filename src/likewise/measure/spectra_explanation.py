"""Why spectra give the score they give: shared q-grams, gathered by the pairs of terms that have them.

A q-gram's part of |A∩B|' is v_A + v_B − v_{A∪B}. It is shared out equally among the pairs of terms that have it: terms
that are in both texts go with themselves, each other left term with each other right term. Where that would be too many
pairs (long texts), the q-grams that most pairs have stand for themselves.
"""

import functools
from collections import Counter, defaultdict
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.analyse import Analyser, TermRows
from likewise.analyse.folding import fold
from likewise.measure.coefficient import denominator
from likewise.measure.explanation import Contribution, merge_spans
from likewise.measure.storage import GramStorage
from likewise.progress import stop_if_asked
from likewise.read.document import Span

MOST_PAIRS = 20_000


def contributions(
    analyser: Analyser,
    storage: GramStorage,
    rows: TermRows,
    texts: tuple[str, str],
    sizes: NDArray[np.float64],
    coefficient: str | float,
) -> tuple[Contribution, ...]:
    """Return one contribution for each pair of terms that share q-grams, the largest first.

    They add up to the score. There are at most ``MOST_PAIRS`` of them, and one for each q-gram that is left over.

    ``rows`` are the terms of the two texts with positions, ``sizes`` their soft cardinalities.
    """
    if sizes.min() <= 0:
        return ()
    sides = [_grams_of(storage, rows, row) for row in (0, 1)]
    parts, alone, common = _shared_out(sides)
    mean = float(denominator(common, sizes[0], sizes[1], coefficient))
    gram_names = storage.grams.grams()
    where = [rows.places(row) for row in (0, 1)]
    found = []
    for gram, value in alone:
        shown = show_gram(gram_names[gram])
        left, right = (tuple(sorted(one for t in sides[row][gram] for one in where[row][t])) for row in (0, 1))
        found.append(Contribution("q-gram", shown, shown, value / mean, left, right))
    for pair, grams in parts.items():
        stop_if_asked()
        names = [analyser.term(term) for term in pair]
        places = [where[row][term] for row, term in enumerate(pair)]
        words = [_Word.all_of(places[row], texts[row], analyser.options.accents) for row in (0, 1)]
        finer = []
        for gram, value in grams:
            shown = show_gram(gram_names[gram])
            spans = [_spans(words[row], names[row], shown) for row in (0, 1)]
            finer.append(Contribution("q-gram", shown, shown, value / mean, spans[0], spans[1]))
        finer.sort(key=lambda part: -part.value)
        found.append(
            Contribution(
                "term" if pair[0] == pair[1] else "terms",
                analyser.shown(pair[0], texts[0], places[0]),
                analyser.shown(pair[1], texts[1], places[1]),
                sum(part.value for part in finer),
                merge_spans(span for part in finer for span in part.left_spans),
                merge_spans(span for part in finer for span in part.right_spans),
                tuple(finer),
            )
        )
    return tuple(sorted(found, key=lambda part: (-part.value, part.left, part.right)))


def _shared_out(
    sides: list[dict[int, dict[int, float]]],
) -> tuple[dict[tuple[int, int], list[tuple[int, float]]], list[tuple[int, float]], float]:
    """Return what each shared q-gram adds to each pair of terms, what those that stand for themselves add, and all."""
    parts: dict[tuple[int, int], list[tuple[int, float]]] = defaultdict(list)
    alone: list[tuple[int, float]] = []
    common = 0.0
    shared = sorted(sides[0].keys() & sides[1].keys())
    apart = _too_many(shared, sides)
    for gram in shared:
        stop_if_asked()
        in_a, in_b = sides[0][gram], sides[1][gram]
        both = in_a.keys() & in_b.keys()
        union = {**in_a, **in_b, **{term: max(in_a[term], in_b[term]) for term in both}}
        value = _mean(in_a) + _mean(in_b) - _mean(union)
        common += value
        if gram in apart:
            alone.append((gram, value))
            continue
        pairs = [(term, term) for term in sorted(both)]
        pairs += [(a, b) for a in sorted(in_a.keys() - both) for b in sorted(in_b.keys() - both)]
        pairs = pairs or [(a, b) for a in sorted(in_a) for b in sorted(in_b)]
        for pair in pairs:
            parts[pair].append((gram, value / len(pairs)))
    return parts, alone, common


def _too_many(shared: list[int], sides: list[dict[int, dict[int, float]]]) -> set[int]:
    """Return the q-grams that go with too many pairs of terms, the most common first."""
    sizes = {gram: len(sides[0][gram]) * len(sides[1][gram]) for gram in shared}
    left = MOST_PAIRS
    apart = set()
    for gram in sorted(shared, key=sizes.__getitem__):
        left -= sizes[gram]
        if left < 0:
            apart.add(gram)
    return apart


def _grams_of(storage: GramStorage, rows: TermRows, row: int) -> dict[int, dict[int, float]]:
    """For each q-gram of a text the terms that have it, with the q-gram's weight in them."""
    terms = Counter(rows.terms[rows.indptr[row] : rows.indptr[row + 1]].tolist())
    grams: dict[int, dict[int, float]] = defaultdict(dict)
    for term, count in terms.items():
        frequency = count if storage.frequencies else 1
        ids, weights = storage.grams.entry(term)
        for gram, weight in zip(ids.tolist(), weights.tolist(), strict=True):
            grams[gram][term] = frequency * weight
    return grams


def _mean(weights: dict[int, float]) -> float:
    return sum(weights.values()) / len(weights)


class _Word(NamedTuple):
    """Where a word stands, and what it folds to if that has its characters one by one."""

    span: Span
    folded: str | None

    @classmethod
    def all_of(cls, places: tuple[Span, ...], text: str, accents: str) -> "list[_Word]":
        folded = fold([span.of(text) for span in places], accents)
        return [cls(at, one if len(one) == at.end - at.start else None) for at, one in zip(places, folded, strict=True)]


def _spans(words: list[_Word], name: str, gram: str) -> tuple[Span, ...]:
    """Where a q-gram of a term stands in the text: exact characters where folding kept them apart, else the word."""
    bare = gram.strip("<>")
    spans = []
    for span, folded in words:
        at = name.find(bare) if not gram.endswith(">") else len(name) - len(bare)
        if folded is None or not folded.startswith(name[: at + len(bare)]):
            spans.append(span)
            continue
        while at >= 0:
            spans.append(Span(span.start + at, span.start + at + len(bare)))
            at = -1 if gram != bare else name.find(bare, at + 1)
    return tuple(spans)


@functools.lru_cache(maxsize=1 << 14)  # a service explains with the same ones again and again
def show_gram(key: bytes) -> str:
    """Return a q-gram as people read it, from the core's key; '<' and '>' are the marks of padding."""
    codes = [int.from_bytes(key[at : at + 3], "big") for at in range(1, len(key), 3)]
    return "".join("<" if code == 0x110000 else ">" if code == 0x110001 else chr(code) for code in codes)
