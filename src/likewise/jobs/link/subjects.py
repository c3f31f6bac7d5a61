"""The subject index of a book, from the book itself: which terms it has, and which passages treat them.

Terms are runs of one to four words. What speaks for one: that it is often used, and not only inside a longer one (the
C-value of Frantzi and Ananiadou); that it stands in headings, or is set off as authors do with what they define; that
passages which have it have it more than once and stand together. Weights were chosen on the concept index of one manual
(docs/results/linking.md).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from likewise.analyse.tagger import PerceptronTagger, tokenise
from likewise.analyse.words import stop_words
from likewise.jobs.link.grams import Grams, Words, grams_of
from likewise.jobs.link.options import LinkOptions
from likewise.jobs.link.vectors import Ints
from likewise.read import Span
from likewise.results.glossary import GlossaryEntry
from likewise.results.subjects import REASONS, Place, Subject, SubjectIndex, order_of
from likewise.results.units import Book

# So many words of text, without stop words, for each term; fewer terms than the second make no index.
WORDS_PER_TERM, FEWEST = 150, 10
# A run of which so much stands in one longer run is a fragment of that.
_FRAGMENT = 0.7
# A term is a noun, or ends with one, in so many of the sentences that are looked at.
_NOMINAL, _LOOKED_AT = 0.5, 8
_SEE = 5
# How a word is written is told by so many of its uses.
_SEEN = 100
_DEFINES = re.compile(r"[\"'”’)*]*\s+(?:is|are|means?|refers? to|denotes?)\s+(?:an?|the|any|one|called)\b")
_DESCRIBES = re.compile(r"NN|JJ|VB[GN]$|CD|FW|HYPH")
# Words about the book itself.
_BOOKISH = frozenset(("chapter", "section", "example", "page", "figure", "appendix", "book", "manual", "note", "way"))
_STOPPED = stop_words("english")  # a licence in English stands in books of every language
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Term:
    """A candidate: its runs' table, its number there, and how good it is."""

    grams: Grams
    run: int
    score: float


class Occurrence(NamedTuple):
    """Where a term stands: the number of its first word, start and end in the text of its document."""

    at: int
    start: int
    end: int


def find_subjects(
    book: Book, words: Words, finder: "Finder", glossary: Sequence[GlossaryEntry], options: LinkOptions
) -> SubjectIndex:
    """Return the index of a book; that of a book with too few terms is empty. What a glossary explains is in it."""
    wanted = len(words.stems) // WORDS_PER_TERM if options.index_terms is None else options.index_terms
    if not wanted or not len(words.stems):
        return SubjectIndex(book, ())
    language = options.spoken.code
    found: dict[str, Subject] = {}
    for entry in glossary:
        places = (Place(entry.unit, "glossary", 1), *entry.treated)[: options.index_places]
        found[entry.term] = Subject(entry.term, places)
    explained = {tuple(_folded(name)) for name in found}
    wanted += len(found)
    for term in finder.best():
        if len(found) == wanted:
            break
        uses = finder.uses(term)
        name = finder.name(uses, finder.as_noun(uses, language))
        if name is None or name in found or tuple(_folded(name)) in explained:
            continue
        places = finder.places(uses, term.grams.length, options.index_places)
        if places[0].why != REASONS[-1]:
            found[name] = Subject(name, places, score=round(term.score, 3))
    if options.index_terms is None and len(found) < FEWEST:
        return SubjectIndex(book, ())
    return SubjectIndex(book, tuple(_arranged(found)))


class Finder:
    """What is known of the runs of words of one book."""

    def __init__(self, book: Book, words: Words) -> None:
        self._book, self._words = book, words
        self._texts = [one.text for one in book.documents]
        places = {
            (number, mark.span.start, mark.span.end)
            for number, passages in enumerate(book.passages)
            for passage in passages
            for mark in passage.marks
            if mark.kind in ("emphasis", "strong")
        }
        self._set_off = places
        self.sections = book.sections()
        self._title_length = np.bincount(words.sentence)
        self._in_sentence = np.r_[False, words.sentence[1:] == words.sentence[:-1]][: len(words.stems)] & ~words.title
        self._tagger = PerceptronTagger()
        self._tagged_before: dict[tuple[int, int], list[tuple[Span, str]]] = {}

    def best(self) -> Iterator[_Term]:
        """Give the candidates, best first."""
        grams = list(grams_of(self._words))
        scored = [(one, self._scores(one, grams[n + 1 : n + 2])) for n, one in enumerate(grams)]
        terms = [_Term(one, run, score) for one, scores in scored for run, score in enumerate(scores.tolist())]
        yield from sorted((one for one in terms if one.score > -np.inf), key=lambda one: -one.score)

    def _scores(self, grams: Grams, longer: list[Grams]) -> Floats:
        words, at, run, count = self._words, grams.at, grams.run, grams.count
        if not count:
            return np.zeros(0)

        def frequency(chosen: NDArray[np.bool_] | None = None) -> Floats:
            return np.bincount(run if chosen is None else run[chosen], minlength=count).astype(np.float64)

        def distinct(groups: Ints) -> tuple[Floats, Floats]:
            """In how many groups a run stands, and in how many more than once."""
            keys, times = np.unique(run * len(self.sections) + groups[at], return_counts=True)
            owner = keys // len(self.sections)
            return (
                np.bincount(owner, minlength=count).astype(float),
                np.bincount(owner[times > 1], minlength=count).astype(float),
            )

        often = frequency()
        nested, most = self._inside(grams, longer)
        units, several = distinct(words.unit)
        sections, _ = distinct(self.sections[words.unit])
        last = at + grams.length - 1
        spans = zip(words.document[at].tolist(), words.start[at].tolist(), words.end[last].tolist(), strict=True)
        emphasis = frequency(np.array([span in self._set_off for span in spans], dtype=np.bool_))
        titles = frequency(words.title[at])
        whole = frequency(words.title[at] & (self._title_length[words.sentence[at]] == grams.length))
        inner = np.r_[False, words.sentence[1:] == words.sentence[:-1]]
        capitals = frequency(self._capitals(at) & inner[at])
        named = (capitals > 0) & (capitals >= 0.7 * frequency(inner[at]))
        score: Floats = (
            np.log1p(np.maximum(often - nested, 0))
            + 1.2 * np.log1p(several)
            + 0.5 * np.log(len(self._book.units) / units)
            + np.log(units / sections)
            + 3 * np.minimum(np.log1p(titles), 1.5)
            + 3 * (whole > 0)
            + 2 * np.minimum(np.log1p(emphasis), 1.5)
            + named
            + (grams.length > 1) * (1 + 0.2 * self._phraseness(grams, often))
        )
        # One word says little: it must be set off, a name, or what something is called after.
        bare = (grams.length == 1) & (titles == 0) & (emphasis == 0) & ~named
        score[bare | (most >= _FRAGMENT * often)] = -np.inf
        return score

    def _inside(self, grams: Grams, longer: list[Grams]) -> tuple[Floats, Floats]:
        """How often runs stand inside longer ones, on the average of these, and inside the one that has them most."""
        mean, most = np.zeros(grams.count), np.zeros(grams.count)
        place = np.full(len(self._words.stems) + 1, -1, dtype=np.int64)
        place[grams.at] = grams.run
        for other in longer:
            inner = np.concatenate([place[other.at], place[other.at + 1]])
            keys = inner << 32 | np.concatenate([other.run, other.run])
            pairs, times = np.unique(keys[inner >= 0], return_counts=True)
            owner = pairs >> 32
            np.maximum.at(most, owner, times)
            kinds = np.bincount(owner, minlength=grams.count)
            mean = np.bincount(owner, times, minlength=grams.count) / np.maximum(kinds, 1)
        return mean, most

    def _phraseness(self, grams: Grams, often: Floats) -> Floats:
        """How much more often words stand together than by chance, for each word."""
        size = len(self._words.stems)
        alone = np.bincount(self._words.stems)[self._words.stems[grams.first[:, None] + np.arange(grams.length)]]
        found: Floats = (np.log(often / size) - np.log(alone / size).sum(axis=1)) / grams.length
        return found

    def _capitals(self, at: Ints) -> NDArray[np.bool_]:
        places = zip(self._words.document[at].tolist(), self._words.start[at].tolist(), strict=True)
        return np.array([self._texts[document][start].isupper() for document, start in places], dtype=np.bool_)

    def uses(self, term: _Term) -> list[Occurrence]:
        """Return where a term stands, in the order of the text."""
        at = term.grams.of(term.run)
        starts, ends = self._words.start[at].tolist(), self._words.end[at + term.grams.length - 1].tolist()
        return [Occurrence(*one) for one in zip(at.tolist(), starts, ends, strict=True)]

    def name(self, uses: Sequence[Occurrence], nouns: Sequence[Occurrence]) -> str | None:
        """Return a term as some of its uses have it most often, with the capitals that it has inside sentences.

        ``nouns`` are those uses. ``None`` for what is no term.
        """
        words: Counter[str] = Counter()
        for use in nouns:
            words[self._text(use).lower()] += 4 if self._in_sentence[use.at] else 1
        if not words:
            return None
        plain = max(words, key=lambda one: (words[one], one))
        forms: Counter[str] = Counter()
        best: dict[str, Occurrence] = {}
        for use in uses:
            if (text := self._text(use)).lower() == plain:
                forms[text] += 4 if self._in_sentence[use.at] else 1
                best[text] = use if self._in_sentence[use.at] else best.get(text, use)
        found = max(forms, key=lambda one: (self._in_sentence[best[one].at], forms[one], one))
        letters = sum(one.isalpha() for one in found)
        if (
            letters < 2
            or plain.split()[0] in _BOOKISH
            or _STOPPED.issuperset(plain.split())
            or any(not any(one.isalpha() for one in word) for word in found.split())
        ):
            return None
        named = " " in found and found.isupper()  # as manual pages name their sections
        return self._as_in_sentences(found, best[found]) if named or not self._in_sentence[best[found].at] else found

    def _text(self, use: Occurrence) -> str:
        return " ".join(self._texts[self._words.document[use.at]][use.start : use.end].split())

    def _as_in_sentences(self, name: str, use: Occurrence) -> str:
        """A term that stands in headings only, its words with the capitals that they have inside sentences."""
        words, stop = self._words, use.at
        while stop < len(words.stems) and words.end[stop] <= use.end and words.document[stop] == words.document[use.at]:
            stop += 1
        parts = re.split(r"([\s-]+)", name)
        if len(parts) != 2 * (stop - use.at) - 1:
            return name
        heading = len(parts) > 1 and (name.isupper() or name[1:].islower())
        for n, word in enumerate(parts[::2]):
            usual = self._usual(use.at + n)
            if not word.isupper() and not word.istitle():
                continue
            if usual is None:
                parts[2 * n] = word.lower() if heading else word
            elif usual.lower() == word.lower():
                parts[2 * n] = usual
            else:
                parts[2 * n] = word.lower() if usual.islower() else word
        return "".join(parts)

    def _usual(self, word: int) -> str | None:
        """How the word is mostly written inside sentences; ``None`` if it is never there."""
        words = self._words
        same = np.flatnonzero((words.stems == words.stems[word]) & self._in_sentence)[:_SEEN].tolist()
        forms = Counter(self._texts[words.document[at]][words.start[at] : words.end[at]] for at in same)
        return max(forms, key=lambda one: (forms[one], one)) if forms else None

    def as_noun(self, uses: Sequence[Occurrence], language: str) -> Sequence[Occurrence]:
        """Return some uses of a term in which it ends with a noun and has nothing else but what describes one.

        If most of those that are looked at are different, none. English nouns are known by the tagger, German ones by
        their capitals; of other languages all uses count.
        """
        if language not in ("en", "de"):
            return uses
        looked_at = uses[:: max(1, len(uses) // _LOOKED_AT)]
        is_noun = self._tagged if language == "en" else self._ends_with_capital
        found = [use for use in looked_at if is_noun(*use)]
        return found if len(found) >= _NOMINAL * len(looked_at) else []

    def _ends_with_capital(self, at: int, start: int, end: int) -> bool:
        text = self._texts[self._words.document[at]][start:end]
        return re.split(r"[\s-]+", text)[-1][:1].isupper()

    def _tagged(self, at: int, start: int, end: int) -> bool:
        unit = self._book.units[self._words.unit[at]]
        sentence = next(span for span in unit.sentences if span.start <= start and end <= span.end)
        inside = [
            tag
            for token, tag in self._tags(unit.document, sentence, bool(self._words.title[at]))
            if token.end > start - sentence.start and token.start < end - sentence.start
        ]
        return bool(inside) and inside[-1][:2] == "NN" and all(_DESCRIBES.match(tag) for tag in inside[:-1])

    def _tags(self, document: int, sentence: Span, title: bool) -> list[tuple[Span, str]]:
        """The tagged words of a sentence; the capitals of a title tell nothing."""
        key = (document, sentence.start)
        if key not in self._tagged_before:
            text = sentence.of(self._texts[document])
            tokens = tokenise(text)
            words = [token.of(text) for token in tokens]
            small = [word.lower() if title and word[1:].islower() else word for word in words]
            self._tagged_before[key] = list(zip(tokens, self._tagger.tag([small])[0], strict=True))
        return self._tagged_before[key]

    def places(self, uses: Sequence[Occurrence], length: int, most: int) -> tuple[Place, ...]:
        """Return the passages that treat a term, best first, one of each section; a mere mention if nothing else."""
        by_unit: dict[int, list[Occurrence]] = {}
        for use in uses:
            by_unit.setdefault(int(self._words.unit[use.at]), []).append(use)
        best: dict[int, tuple[float, int, int, Place]] = {}
        for unit, here in by_unit.items():
            why, weight = max((self._why(use, len(here), length) for use in here), key=lambda one: one[1])
            if self._book.units[unit].role == "glossary":  # explains something else
                why, weight = REASONS[-1], 0.0
            key = (-weight, -len(here), unit, Place(unit, why, len(here)))
            section = int(self.sections[unit])
            best[section] = min(best.get(section, key), key)
        found = [entry[-1] for entry in sorted(best.values(), key=lambda one: one[:3])][:most]
        told = [place for place in found if place.why != REASONS[-1]]
        return tuple(told or found[:1])

    def _why(self, use: Occurrence, count: int, length: int) -> tuple[str, float]:
        """Why a passage is named, and how good a reason that is."""
        words = self._words
        if words.title[use.at]:
            return "heading", 3 + length / float(self._title_length[words.sentence[use.at]])
        document = int(words.document[use.at])
        if (document, use.start, use.end) in self._set_off or _DEFINES.match(self._texts[document], use.end):
            return "definition", 2.5
        return ("several", 2.0) if count > 1 else ("mention", 1.0)


def _arranged(found: dict[str, Subject]) -> Iterator[Subject]:
    """The subjects in the order of the index: those that begin with another one stand below it."""
    whole = {tuple(_folded(name)): name for name in found}
    below: dict[str, list[str]] = {}
    see: dict[str, list[str]] = {}
    heads: list[str] = []
    for name in sorted(found, key=order_of):
        words = _folded(name)
        under = next((whole[tuple(words[:n])] for n in range(1, len(words)) if tuple(words[:n]) in whole), None)
        (heads if under is None else below.setdefault(under, [])).append(name)
        for n in range(1, len(words)):
            if (tail := whole.get(tuple(words[n:]))) is not None:
                see.setdefault(tail, []).append(name)
    for head in heads:
        for name in (head, *below.get(head, ())):
            one = found[name]
            more = sorted(see.get(name, ()), key=lambda other: (-found[other].score, other))[:_SEE]
            under = None if name == head else head
            yield Subject(name, one.places, under, tuple(sorted(more, key=order_of)), one.score)


def _folded(name: str) -> list[str]:
    """The words of a name, singular and plural alike as far as one letter tells."""
    return [word.removesuffix("s") for word in re.split(r"[\s-]+", name.lower())]
