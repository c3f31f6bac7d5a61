"""Index terms of units and sentences, analysed once: a paragraph's rows are its sentences' rows side by side."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import AnalyseOptions, Analyser, TermRows
from likewise.analyse.phrases import Phrases, phrases
from likewise.jobs.link.book import Book
from likewise.jobs.link.options import LinkOptions

Csr = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of all sentences in reading order; ``first[u]:first[u + 1]`` are the sentences of unit u."""

    analyser: Analyser
    rows: TermRows
    first: NDArray[np.int64]
    owner: NDArray[np.int64]
    active: NDArray[np.bool_]
    # How often a sentence counts in its paragraph: titles may count more than once.
    times: NDArray[np.int64]

    @property
    def paragraphs(self) -> TermRows:
        """The same terms by unit."""
        return self.by_paragraph(self.rows)

    def by_paragraph(self, sentences: TermRows) -> TermRows:
        """Return the terms of sentences by unit, those of titles as often as they count; positions are lost."""
        sizes = np.diff(sentences.indptr)
        repeated = np.repeat(sentences.terms, np.repeat(self.times, sizes))
        indptr = np.concatenate(([0], np.cumsum(sizes * self.times))).astype(np.int64)
        return TermRows(indptr[self.first], repeated)

    @property
    def sentences(self) -> TermRows:
        """The terms by sentence."""
        return self.rows


def analyse(book: Book, options: LinkOptions) -> Terms:
    """Analyse every sentence of a book once."""
    analyser = Analyser(AnalyseOptions(stop=options.stop, stem=options.stem))
    texts: list[str] = []
    times: list[int] = []
    first = [0]
    for unit in book.units:
        text = book.documents[unit.document].text
        texts.extend(text[span.start : span.end] for span in unit.sentences)
        times += [options.title_weight] * unit.title_sentences
        times += [1] * (len(unit.sentences) - unit.title_sentences)
        first.append(len(texts))
    rows = analyser.terms(texts, positions=True, threads=options.threads)
    firsts = np.array(first, dtype=np.int64)
    owner = np.repeat(np.arange(len(book.units), dtype=np.int64), np.diff(firsts))
    indptr, _, _ = TermRows(rows.indptr[firsts], rows.terms).counts()
    active = np.diff(indptr) >= max(options.min_terms, 1)
    return Terms(analyser, rows, firsts, owner, active, np.array(times, dtype=np.int64))


def keep_terms(rows: TermRows, keep: NDArray[np.bool_]) -> TermRows:
    """Return the rows with only those term occurrences for which ``keep`` holds."""
    assert rows.tokens is not None
    assert rows.starts is not None
    assert rows.ends is not None
    before = np.concatenate(([0], np.cumsum(keep)))
    return TermRows(
        before[rows.indptr].astype(np.int64), rows.terms[keep], rows.tokens[keep], rows.starts[keep], rows.ends[keep]
    )


def with_phrases(rows: TermRows, found: Phrases) -> TermRows:
    """Return rows of terms followed by phrases, as index terms of one kind."""
    sizes = np.diff(rows.indptr) + np.diff(found.indptr)
    indptr = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    both = np.empty(indptr[-1], dtype=np.int32)
    at = np.repeat(indptr[:-1] - rows.indptr[:-1], np.diff(rows.indptr)) + np.arange(len(rows.terms))
    both[at] = rows.terms
    shift = indptr[:-1] + np.diff(rows.indptr) - found.indptr[:-1]
    at = np.repeat(shift, np.diff(found.indptr)) + np.arange(len(found.phrases))
    both[at] = found.phrases
    return TermRows(indptr, both)


def paragraph_phrases(terms: Terms, sentence_rows: TermRows) -> Phrases:
    """Return the phrases of units; they never cross the end of a sentence."""
    found = phrases(terms.analyser, sentence_rows)
    return Phrases(found.indptr[terms.first], found.phrases, found.positions)


def frequencies(csr: Csr, size: int) -> NDArray[np.float64]:
    """Return for each term the number of rows that have it."""
    return np.bincount(csr[1], minlength=size).astype(np.float64)


def tfidf(csr: Csr, idf: NDArray[np.float64]) -> Csr:
    """Return tf·idf weights, each row of length 1."""
    indptr, ids, counts = csr
    weights = counts * idf[ids]
    owner = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    norms = np.sqrt(np.bincount(owner, weights * weights, minlength=len(indptr) - 1))
    norms[norms == 0] = 1
    return indptr, ids, weights / norms[owner]


def inverse(frequency: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Return idf = ln(M / m_t); a term that no text has counts as seen once."""
    return np.log(max(count, 1) / np.maximum(frequency, 1))


def best_occurrences(terms: Terms, idf: NDArray[np.float64], n: int) -> NDArray[np.bool_]:
    """Tell for each term occurrence whether its term is among the n best (tf·idf) of its unit; ties by the term."""
    indptr, ids, counts = terms.paragraphs.counts()
    owner = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    weights = counts * idf[ids]
    spelled = np.array(terms.analyser.vocabulary.terms()[: int(ids.max(initial=-1)) + 1])
    alphabetic = np.empty(len(spelled), dtype=np.int64)
    alphabetic[np.argsort(spelled)] = np.arange(len(spelled))
    order = np.lexsort((alphabetic[ids] if len(ids) else ids, -weights, owner))
    rank = np.arange(len(order)) - indptr[owner[order]]
    chosen = order[rank < n]
    size = len(terms.analyser)
    keys = np.sort(owner[chosen] * size + ids[chosen])
    occurrence_owner = np.repeat(terms.owner, np.diff(terms.rows.indptr))
    wanted = occurrence_owner * size + terms.rows.terms
    found = np.searchsorted(keys, wanted)
    found[found == len(keys)] = 0
    return keys[found] == wanted if len(keys) else np.zeros(len(wanted), dtype=bool)


def take(csr: Csr, chosen: NDArray[np.int64]) -> Csr:
    """Return some rows, in the order of ``chosen``."""
    indptr, ids, weights = csr
    sizes = np.diff(indptr)[chosen]
    new = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    at = np.repeat(indptr[chosen] - new[:-1], sizes) + np.arange(new[-1])
    return new, ids[at], weights[at]


def ranked_matches(csr: Csr, size: int) -> tuple[Csr, float]:
    """Return rows whose dot product is the number of matches plus tf as a fraction, and what tf is multiplied by.

    So one score ranks by matches, then tf. Each term has a second feature, numbered behind all ``size`` terms, that
    carries the counts; the factor is a power of two and so small that every tf stays below 1 and every sum is exact.
    """
    indptr, ids, counts = csr
    owner = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    longest = np.bincount(owner, counts * counts, minlength=1).max(initial=1.0)
    half_bits = int(np.ceil(np.log2(longest + 1) / 2)) + 1
    new_ids = np.concatenate([ids, ids + np.int32(size)])
    weights = np.concatenate([np.ones(len(ids)), counts * 2.0**-half_bits])
    order = np.lexsort((new_ids, np.concatenate([owner, owner])))
    return (indptr * 2, new_ids[order], weights[order]), 2.0 ** (-2 * half_bits)


def as_rows(csr: Csr) -> _core.Rows:
    """Return rows for the core."""
    return _core.Rows(np.ascontiguousarray(csr[0]), np.ascontiguousarray(csr[1]), np.ascontiguousarray(csr[2]))
