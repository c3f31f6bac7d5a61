"""Batches of texts become rows of term ids, with the way back to the characters they stand for.

:class:`Analyser` owns a vocabulary: the core tokenises and interns; each word never seen before is handed to
:mod:`likewise.analyse.words` once. Ids are consecutive, in the order of first appearance, whatever the thread count.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse import words
from likewise.analyse.folding import ACCENTS, fold, without_accents
from likewise.errors import InputError
from likewise.options import check_choice, from_mapping, option
from likewise.read.document import Span
from likewise.read.long_texts import LongTexts
from likewise.read.texts import texts_in

_PART = 8 << 20  # characters
_WORDS = 1 << 19  # more of them are not kept where it is memory that counts
UNSPACED = ("bigrams", "run")
UNSPACED_HELP = (
    "Chinese, Japanese, Thai, Korean: cut into pairs of neighbouring characters, or take a run of letters as one word."
)


@dataclass(frozen=True, slots=True)
class AnalyseOptions:
    """How a text becomes terms."""

    accents: str = option(
        "fold",
        "Fold accents and forms of letters, so that Zürich is Zurich and H₂O is H2O, or keep them apart.",
        choices=ACCENTS,
    )
    stop: str | tuple[str, ...] | None = option(
        None,
        "Stop words to leave out: of a language such as 'english' or 'de', 'smart' (571 English words and all single "
        "letters), or a file with one word per line.",
        cli_type=str | None,
    )
    stem: str | None = option(None, "Reduce words to stems: 'porter', or a language such as 'english' or 'de'.")
    unspaced: str = option("bigrams", UNSPACED_HELP, choices=UNSPACED)

    def __post_init__(self) -> None:
        check_choice("accents", self.accents, ACCENTS)
        check_choice("unspaced", self.unspaced, UNSPACED)
        if self.stop is not None and not isinstance(self.stop, str):
            object.__setattr__(self, "stop", tuple(self.stop))
        words.stop_words(self.stop)
        if self.stem is not None:
            words.stemmer_of(self.stem)


@dataclass(frozen=True, slots=True)
class TermRows:
    """Terms of a batch of texts, in the order of the text: row ``i`` is ``terms[indptr[i]:indptr[i + 1]]``.

    With positions, ``tokens`` numbers the words of the whole batch (dropped words leave gaps, a sentence end adds one),
    so that two terms are adjacent where their numbers are; ``starts`` and ``ends`` are character offsets.
    """

    indptr: NDArray[np.int64]
    terms: NDArray[np.int32]
    tokens: NDArray[np.int64] | None = None
    starts: NDArray[np.int64] | None = None
    ends: NDArray[np.int64] | None = None

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def counts(self) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]:
        """Return CSR rows of distinct terms in ascending order with their counts."""
        return _core.count_rows(self.indptr, self.terms)

    def keep(self, chosen: NDArray[np.bool_]) -> "TermRows":
        """Return the rows with only those term occurrences for which ``chosen`` holds."""
        before = np.concatenate(([0], np.cumsum(chosen))).astype(np.int64)

        def pick(values: NDArray[np.int64] | None) -> NDArray[np.int64] | None:
            return None if values is None else values[chosen]

        return TermRows(before[self.indptr], self.terms[chosen], pick(self.tokens), pick(self.starts), pick(self.ends))

    def take(self, chosen: NDArray[np.int64]) -> "TermRows":
        """Return some rows, in the order of ``chosen``, without positions."""
        indptr, at = chosen_rows(self.indptr, chosen)
        return TermRows(indptr, self.terms[at])

    def spans(self, row: int) -> Iterator[tuple[int, Span]]:
        """Give each term of a row with its span in the text."""
        if self.starts is None or self.ends is None:
            raise InputError("these rows were made without positions")
        for i in range(self.indptr[row], self.indptr[row + 1]):
            yield int(self.terms[i]), Span(int(self.starts[i]), int(self.ends[i]))

    def places(self, row: int) -> dict[int, tuple[Span, ...]]:
        """Return where each term of a row stands in the text."""
        found: dict[int, list[Span]] = {}
        for term, span in self.spans(row):
            found.setdefault(term, []).append(span)
        return {term: tuple(spans) for term, spans in found.items()}


def chosen_rows(indptr: NDArray[np.int64], chosen: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return, for some rows of CSR arrays, their own ``indptr`` and the places of their entries.

    >>> chosen_rows(np.array([0, 2, 2, 5]), np.array([2, 0]))
    (array([0, 3, 5]), array([2, 3, 4, 0, 1]))
    """
    sizes = np.diff(indptr)[chosen]
    new = np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)
    return new, np.repeat(indptr[chosen] - new[:-1], sizes) + np.arange(new[-1])


class Analyser:
    """Texts to terms by fixed options, over a vocabulary that grows with what it sees.

    >>> analyser = Analyser(AnalyseOptions(stop="smart", stem="porter"))
    >>> rows = analyser.terms(["The retrieval of records", "Records aren't retrieved"])
    >>> [[analyser.term(t) for t in row] for row in (rows.terms[:2], rows.terms[2:])]
    [['retriev', 'record'], ['record', 'retriev']]
    """

    def __init__(self, options: AnalyseOptions | None = None) -> None:
        self.options = options or AnalyseOptions()
        self.vocabulary = _core.Vocabulary()
        self._stop = words.stop_words(self.options.stop)
        # One at a time: tokenising leaves words pending that the same call must resolve.
        self._lock = threading.Lock()
        # Whether lower case is all that happens to an ASCII word: the core sees to that.
        self._lowers = not self._stop and self.options.stem is None
        self.cutting = bool(self._stop), self.options.unspaced == "bigrams", self._lowers
        """How the core cuts texts: whether it looks for chains of words, cuts bigrams, and takes words in lower case.
        Who looks words up must cut texts as they were cut when the words came."""

    def __reduce__(self) -> tuple[type["Analyser"], tuple[AnalyseOptions]]:
        return Analyser, (self.options,)

    def __len__(self) -> int:
        """Return the number of distinct terms seen."""
        return len(self.vocabulary)

    def term(self, term: int) -> str:
        """Return the term with this id."""
        return self.vocabulary.term(int(term))

    def shown(self, term: int, text: str, spans: Iterable[Span]) -> str:
        """Return a term as an explanation shows it: with the accents of the text, if they were folded away.

        >>> analyser = Analyser()
        >>> rows = analyser.terms(["Zürich"], positions=True)
        >>> [(analyser.term(term), analyser.shown(term, "Zürich", [span])) for term, span in rows.spans(0)]
        [('zurich', 'zürich')]
        """
        if self.options.accents == "fold":
            for word in fold([span.of(text) for span in spans], "keep"):
                if without_accents([word]) != [word]:
                    return word
        return self.term(term)

    def terms(self, texts: Sequence[str], *, positions: bool = False, threads: int | None = None) -> TermRows:
        """Analyse a batch of texts; with ``positions`` every term knows where it stands."""
        texts = texts_in(texts)
        if positions or len(texts) < 2 or sum(map(len, texts)) <= _PART:
            return self._terms(texts, positions, threads)
        parts = [self._terms(part, False, threads) for part in _parts(texts)]
        sizes = np.concatenate([np.zeros(1, np.int64), *(np.diff(part.indptr) for part in parts)])
        return TermRows(np.cumsum(sizes), np.concatenate([part.terms for part in parts]))

    def tokens(self, texts: LongTexts, threads: int | None = None) -> Iterator[tuple[slice, _core.Tokens]]:
        """Yield the words of texts a part at a time, all of them known: which texts, and their words."""
        for data, starts, ends, part in texts.parts(_PART):
            with self._lock:
                yield part, self._tokenise(data, starts, False, threads, ends)

    def _terms(self, texts: list[str], positions: bool, threads: int | None) -> TermRows:
        buffer, offsets = _core.pack(texts)
        with self._lock:
            tokens = self._tokenise(buffer, offsets, positions, threads)
            indptr, terms, kept = self.vocabulary.terms_of(tokens, bool(positions))
        if not positions:
            return TermRows(indptr, terms)
        return TermRows(indptr, terms, kept, tokens.char_starts[kept], tokens.char_ends[kept])

    def _tokenise(
        self,
        buffer: NDArray[np.uint8],
        offsets: NDArray[np.int64],
        positions: bool,
        threads: int | None,
        ends: NDArray[np.int64] | None = None,
    ) -> _core.Tokens:
        chains, bigrams, lower = self.cutting
        tokens = self.vocabulary.tokenise(
            buffer,
            offsets,
            chains=chains,
            bigrams=bigrams,
            spans=bool(positions),
            threads=threads or 0,
            ends=ends,
            lower=lower,
        )
        self._resolve()
        return tokens

    def intern(self, terms: Sequence[str]) -> NDArray[np.int32]:
        """Return ids for terms given as they are (phrases, a saved vocabulary); new ones are added."""
        with self._lock:
            return self.vocabulary.intern_terms(terms)

    def reserve(self, count: int) -> None:
        """Make room for so many terms, which then take a fraction of what they take one by one."""
        with self._lock:
            self.vocabulary.reserve_terms(count)

    def forget_words(self) -> None:
        """Forget which words became which terms, where they are many; terms and their numbers stay.

        Nothing may be searched meanwhile.
        """
        with self._lock:
            if self.vocabulary.word_count > _WORDS:
                self.vocabulary.forget_words()

    def _resolve(self) -> None:
        if self._lowers:
            folded = fold(self.vocabulary.pending_others(), "keep")
            self.vocabulary.resolve_others(without_accents(folded) if self.options.accents == "fold" else folded)
            return
        pending = self.vocabulary.pending_words()
        if pending:
            folded = fold(pending, "keep")
            stems = words.stem(folded, self.options.stem)
            if self.options.accents == "fold":
                # Last, because stemmers know the accents of their language.
                stems = without_accents(stems)
            resolved: list[str | None] = list(stems)
            if self._stop:
                letters = self.options.stop in ("english", "en")
                resolved = [
                    None if word in self._stop and not (letters and words.is_letter(surface)) else stem
                    for surface, word, stem in zip(pending, folded, stems, strict=True)
                ]
            self.vocabulary.resolve_words(resolved)
        chains = self.vocabulary.pending_chains()
        if chains:
            self.vocabulary.resolve_chains([chain in self._stop for chain in fold(chains, "keep")])

    def to_json(self) -> dict[str, Any]:
        """Return the options that differ from the default."""
        default = AnalyseOptions()
        return {name: value for name, value in asdict(self.options).items() if value != getattr(default, name)}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Analyser":
        """Make an analyser from what :meth:`to_json` gave."""
        return cls(from_mapping(AnalyseOptions, values))


def _parts(texts: list[str]) -> Iterator[list[str]]:
    """Yield texts a part at a time: words on their way to terms take several times the room of the texts."""
    first = size = 0
    for place, text in enumerate(texts):
        size += len(text)
        if size >= _PART:
            yield texts[first : place + 1]
            first, size = place + 1, 0
    if first < len(texts):
        yield texts[first:]
