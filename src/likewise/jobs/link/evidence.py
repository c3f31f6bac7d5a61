"""Why two passages are linked: their best sentence pairs, and the terms and phrases they share, with spans."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.analyse.phrases import Phrases, phrases
from likewise.jobs.link.presets import PRESETS
from likewise.jobs.link.rankings import Ranked, Rankings
from likewise.jobs.link.sentences import SentenceTerms
from likewise.jobs.link.vectors import Ints
from likewise.read import Span
from likewise.results.linked_book import SentencePair, Shared
from likewise.results.sentence_list import SentenceList
from likewise.results.units import Book

# A sentence pair is shown as evidence from this many matches on; no more than so many for a link.
MIN_MATCHES = 2
MOST_PAIRS = 3


def sentence_pairs(rankings: Rankings, links: Ranked) -> list[tuple[SentencePair, ...]]:
    """Return for each paragraph pair its best sentence pairs."""
    found: list[list[tuple[float, int, int]]] = [[] for _ in range(len(links))]
    terms = rankings.terms
    number = {pair: i for i, pair in enumerate(zip(links.left.tolist(), links.right.tolist(), strict=True))}
    for left, right, score in rankings.inner_scores(links, PRESETS["31"], MIN_MATCHES):
        owners = zip(terms.owner[left].tolist(), terms.owner[right].tolist(), strict=True)
        for pair, a, b, value in zip(owners, left.tolist(), right.tolist(), score.tolist(), strict=True):
            found[number[pair]].append((-value, a, b))
    result = []
    for (a, b), candidates in zip(number, found, strict=True):
        candidates.sort()
        first, second = int(terms.first[a]), int(terms.first[b])
        result.append(tuple(SentencePair(x - first, y - second, int(-v)) for v, x, y in candidates[:MOST_PAIRS]))
    return result


class SharedTerms:
    """Finds what two units share; made once for a book."""

    def __init__(self, book: Book, terms: SentenceTerms) -> None:
        self._book = book
        self._terms = terms
        self._phrases: Phrases = phrases(terms.analyser, terms.rows)

    def spans(self, unit: int) -> dict[int, list[Span]]:
        """Return the index terms of a unit with their spans in the document, in the order of the text."""
        rows = self._terms.rows
        assert rows.starts is not None
        assert rows.ends is not None
        begin, end, shifts = self._places(unit, rows.indptr)
        starts, ends = (rows.starts[begin:end] + shifts).tolist(), (rows.ends[begin:end] + shifts).tolist()
        found: dict[int, list[Span]] = {}
        for term, start, stop in zip(rows.terms[begin:end].tolist(), starts, ends, strict=True):
            found.setdefault(term, []).append(Span(start, stop))
        return found

    def _places(self, unit: int, indptr: Ints) -> tuple[int, int, Ints]:
        """Where the entries of a unit's sentences begin and end, and where the sentence of each begins in the text."""
        first, last = int(self._terms.first[unit]), int(self._terms.first[unit + 1])
        begins = np.array([span.start for span in self._book.units[unit].sentences], dtype=np.int64)
        return int(indptr[first]), int(indptr[last]), np.repeat(begins, np.diff(indptr[first : last + 1]))

    def shared(self, left: int, right: int) -> tuple[Shared, ...]:
        """Return the terms that both units have, then the phrases, each in the order of the left text, words first.

        Numbers come after words: those of sections, with which many passages begin, say least of what is shared.
        """
        result: list[Shared] = []
        for found in (self.spans, self._phrase_spans):
            a, b = found(left), found(right)
            entries = [
                Shared(self._terms.analyser.term(term), tuple(a[term]), tuple(b[term])) for term in a if term in b
            ]
            result += sorted(entries, key=lambda entry: not any(map(str.isalpha, entry.term)))
        return tuple(result)

    def _phrase_spans(self, unit: int) -> dict[int, list[Span]]:
        rows, found = self._terms.rows, self._phrases
        assert rows.starts is not None
        assert rows.ends is not None
        begin, end, shifts = self._places(unit, found.indptr)
        at = found.positions[begin:end]
        starts, ends = (rows.starts[at] + shifts).tolist(), (rows.ends[at + 1] + shifts).tolist()
        spans: dict[int, list[Span]] = {}
        for phrase, start, stop in zip(found.phrases[begin:end].tolist(), starts, ends, strict=True):
            spans.setdefault(phrase, []).append(Span(start, stop))
        return spans


def neighbours(book: Book, left: Ints, right: Ints) -> NDArray[np.bool_]:
    """Tell which pairs stand side by side: the next passage of prose in the same document."""
    documents = np.array([unit.document for unit in book.units], dtype=np.int64)
    found: NDArray[np.bool_] = (documents[left] == documents[right]) & (np.abs(left - right) == 1)
    return found


def sentence_list(book: Book, rankings: Rankings, pairs: Ranked, name: str) -> SentenceList:
    """Return a ranked list of sentence pairs as a result of its own."""
    import pyarrow as pa

    first, owner = rankings.terms.first, rankings.terms.owner
    columns: dict[str, Any] = {}
    for side, numbers in (("left", pairs.left), ("right", pairs.right)):
        units = owner[numbers]
        inside = (numbers - first[units]).tolist()
        places = list(zip(units.tolist(), inside, strict=True))
        columns[side] = [f"{book.units[unit].id}.{number + 1}" for unit, number in places]
        columns[f"{side}_text"] = [book.sentence(unit, number) for unit, number in places]
        columns[f"{side}_titles"] = [list(book.units[unit].titles) for unit, _ in places]
    table = pa.table(
        {
            "left": pa.array(columns["left"], pa.string()),
            "right": pa.array(columns["right"], pa.string()),
            "rank": pa.array(range(1, len(pairs) + 1), pa.int64()),
            "score": pa.array(pairs.score, pa.float64()),
            "tf": pa.array([None] * len(pairs) if pairs.tf is None else pairs.tf, pa.float64()),
            "left_text": pa.array(columns["left_text"], pa.string()),
            "right_text": pa.array(columns["right_text"], pa.string()),
            "left_titles": pa.array(columns["left_titles"], pa.list_(pa.string())),
            "right_titles": pa.array(columns["right_titles"], pa.list_(pa.string())),
        }
    )
    return SentenceList(table, name, pairs.min_matches)
