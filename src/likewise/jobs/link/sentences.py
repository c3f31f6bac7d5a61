"""Index terms of a book, analysed once by sentence: a paragraph's rows are its sentences' rows side by side."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likewise.analyse import Analyser, TermRows
from likewise.analyse.analyser import chosen_rows
from likewise.analyse.phrases import Phrases, phrases
from likewise.jobs.link.options import LinkOptions
from likewise.languages import language
from likewise.results.units import Book

# Two passages that name the same host, version or moment need have nothing else in common.
_STAMP = re.compile(
    r"\b(?:https?|ftp|file|mailto|news|irc):\S+|\bwww\.\S+|(?<!\S)[^\s@]+@[^\s@]+\.\w+|\(version \d[^()]*\)"
    r"|\b\d{4}-\d\d-\d\d[ T]\d{1,2}:\d\d(?::\d\d)?(?: ?(?:UTC|GMT|Z))?\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SentenceTerms:
    """Terms of all sentences in reading order; ``first[u]:first[u + 1]`` are the sentences of unit u.

    ``owner`` is the unit of each sentence; ``active`` tells which units take part in the comparison.
    """

    analyser: Analyser
    rows: TermRows
    first: NDArray[np.int64]
    owner: NDArray[np.int64]
    active: NDArray[np.bool_]
    # How often a sentence counts in its paragraph: titles may count more than once.
    times: NDArray[np.int64]
    # Which sentences are titles.
    titles: NDArray[np.bool_]
    # The code of the language of each unit.
    spoken: NDArray[np.str_]

    @property
    def per_word(self) -> NDArray[np.int64]:
        """How many terms a word of each unit gives: one, or the pairs of its characters."""
        codes, which = np.unique(self.spoken, return_inverse=True)
        return np.array([language(code).terms_per_word for code in codes.tolist()], dtype=np.int64)[which]

    def by_paragraph(self, sentences: TermRows | None = None) -> TermRows:
        """Return the terms of sentences by unit, those of titles as often as they count; positions are lost."""
        sentences = self.rows if sentences is None else sentences
        sizes = np.diff(sentences.indptr)
        repeated = np.repeat(sentences.terms, np.repeat(self.times, sizes))
        indptr = np.concatenate(([0], np.cumsum(sizes * self.times))).astype(np.int64)
        return TermRows(indptr[self.first], repeated)

    def phrases(self, scope: str, sentences: TermRows | None = None, *, across_dropped: bool = False) -> Phrases:
        """Return the phrases of sentences or of units; they never cross the end of a sentence."""
        found = phrases(self.analyser, self.rows if sentences is None else sentences, skip_dropped=across_dropped)
        if scope == "sentence":
            return found
        return Phrases(found.indptr[self.first], found.phrases, found.positions)

    def without(self, dropped: NDArray[np.bool_], min_terms: int) -> "SentenceTerms":
        """Return the terms without those of some sentences; units that keep too few are not active any more."""
        kept = self.rows.keep(np.repeat(~dropped, np.diff(self.rows.indptr)))
        indptr, _, _ = self.by_paragraph(kept).counts()
        # A title above a notice that stands on every page makes no passage of it.
        own = np.bincount(self.owner, np.diff(kept.indptr) * ~self.titles, minlength=len(self.active))
        return replace(self, rows=kept, active=self.active & (np.diff(indptr) >= max(min_terms, 1)) & (own > 0))


def analyse(book: Book, options: LinkOptions) -> SentenceTerms:
    """Analyse every sentence of a book once."""
    analyser = Analyser(options.analysis)
    spoken = languages_of(book, options)
    texts: list[str] = []
    times: list[int] = []
    first = [0]
    for unit in book.units:
        text = book.documents[unit.document].text
        texts.extend(text[span.start : span.end] for span in unit.sentences)
        times += [options.title_weight] * unit.title_sentences
        times += [1] * (len(unit.sentences) - unit.title_sentences)
        first.append(len(texts))
    if not options.faithful:
        # Blanks of the same length: what stands behind it stays in its place.
        texts = [_STAMP.sub(lambda found: " " * len(found[0]), text) for text in texts]
    firsts = np.array(first, dtype=np.int64)
    owner = np.repeat(np.arange(len(book.units), dtype=np.int64), np.diff(firsts))
    rows = terms_of(texts, spoken[owner], analyser, options, positions=True)
    indptr, _, _ = TermRows(rows.indptr[firsts], rows.terms).counts()
    active = np.diff(indptr) >= max(options.min_terms, 1)
    place = np.arange(len(owner)) - firsts[owner]
    above = np.array([unit.title_sentences for unit in book.units], dtype=np.int64)
    weights = np.array(times, dtype=np.int64)
    return SentenceTerms(analyser, rows, firsts, owner, active, weights, place < above[owner], spoken)


def languages_of(book: Book, options: LinkOptions) -> NDArray[np.str_]:
    """Return the code of the language of each unit."""
    codes = book.languages or (options.spoken.code,) * len(book.documents)
    return np.array([codes[unit.document] for unit in book.units], dtype=np.str_)


def terms_of(
    texts: Sequence[str],
    codes: NDArray[np.str_],
    analyser: Analyser,
    options: LinkOptions,
    *,
    positions: bool = False,
) -> TermRows:
    """Return the terms of texts, each analysed as its language has it, over one vocabulary.

    Terms that are spelled the same are one, whatever the language. They are numbered in the order in which they come.
    """
    spoken = list(dict.fromkeys(codes.tolist()))
    if spoken in ([], [options.spoken.code]):
        return analyser.terms(texts, positions=positions, threads=options.threads)
    parts, order, terms = [], [], []
    spelled: list[str] = []
    for code in spoken:
        chosen = np.flatnonzero(codes == code)
        own = Analyser(replace(options, language=code).analysis)
        part = own.terms([texts[i] for i in chosen.tolist()], positions=True, threads=options.threads)
        parts.append(part)
        order.append(chosen)
        terms.append((part.terms + len(spelled)).astype(np.int32))
        spelled += own.vocabulary.terms()
    # The texts in their order, and what each has of the parts, which lie one behind the other.
    sizes = np.concatenate([np.diff(part.indptr) for part in parts])
    back = np.argsort(np.concatenate(order))
    indptr, at = chosen_rows(np.concatenate(([0], np.cumsum(sizes))), back)
    found = np.concatenate(terms)[at]
    seen, first = np.unique(found, return_index=True)
    numbers = np.zeros(len(spelled), np.int32)
    ordered = seen[np.argsort(first)]
    numbers[ordered] = analyser.intern([spelled[term] for term in ordered.tolist()])
    if not positions:
        return TermRows(indptr, numbers[found])
    columns = [np.concatenate([getattr(part, name) for part in parts])[at] for name in ("tokens", "starts", "ends")]
    return TermRows(indptr, numbers[found], *columns)
