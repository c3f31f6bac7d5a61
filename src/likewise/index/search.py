"""``search``: from a query to the hits."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.analyse.words import has_no_spaces
from likewise.errors import InputError, QueryError
from likewise.index.groups import MOST_READINGS, reading_text, readings, sum_of_best
from likewise.index.hits import Hits
from likewise.index.lists import DotFamily
from likewise.index.masks import Limits, Masks, both
from likewise.index.query import Clause, Part, Query, parse, plain, straight
from likewise.index.segment import is_unicode
from likewise.index.snapshot import Snapshot
from likewise.index.widen import expand as widen
from likewise.options import check_integer, check_min_score, option

# A query with more unknown words than this is no slip of the fingers; they are left as they are.
MOST_WORDS = 64
# Marks that mean something, and whether a query can be anything but plain words.
_SPECIAL = re.compile(r'[()|":]|(?<!\S)-+(?=\S)')
_OPERATORS = re.compile(r'[()|":]|(?:^|\s)-\S')


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a query is searched."""

    top: int = option(10, "How many hits to give at most.")
    min_score: float | None = option(None, "Leave out hits that score less.")
    plain: bool = option(False, "Take the query as words only: quotes, brackets, minus and colons mean nothing.")
    forgive: bool = option(
        True, "Read a word that no text has as the most similar one that some text has (measures of whole words)."
    )
    per_phrase: int = option(4, "With --expand: how many paraphrases of each phrase to try.")

    def __post_init__(self) -> None:
        check_integer("top", self.top, 1)
        check_min_score(self.min_score)
        check_integer("per_phrase", self.per_phrase, 1)


def search(
    snapshot: Snapshot, query: str, options: SearchOptions, filters: Mapping[str, Any] | None = None, expand: Any = None
) -> Hits:
    """Return the best texts for a query; :meth:`likewise.Index.search` says what the arguments mean."""
    if not isinstance(query, str):
        raise InputError(f"query is a {type(query).__name__}, not a str")
    if not is_unicode(query):
        raise QueryError("the query has half a surrogate pair, which is no character", query, 0)
    if not options.plain:
        query = straight(query)
    if expand is not None:
        # The groups that are made must count, whatever the query's own marks mean.
        query = widen(_SPECIAL.sub(" ", query) if options.plain else query, expand, per_phrase=options.per_phrase)
        options = replace(options, plain=False)
    if options.plain or not _OPERATORS.search(query):
        if not query.strip():
            plain(query)  # says that it is empty
        if not filters:
            return _plain(snapshot, query, options)
        understood = plain(query)
    else:
        understood = parse(query)
    if options.forgive:
        understood = _forgiven(snapshot, understood)
    limits = Limits(snapshot)
    masks = limits.of(understood, filters)
    groups = [clause for clause in understood.wanted if clause.kind == "group"]
    if not groups:
        text = reading_text(understood, ())
        numbers, scores = _top(snapshot, [text], masks, limits, options)
        return Hits(query, snapshot, numbers, scores, text)
    if isinstance(snapshot.family, DotFamily) and snapshot.family.query_weights() is not None:
        found = sum_of_best(snapshot, understood, limits, limits.dead(masks), options.top, options.min_score or 0.0)
        return Hits(query, snapshot, *found)
    return _readings(snapshot, understood, masks, limits, options)


def _plain(snapshot: Snapshot, query: str, options: SearchOptions) -> Hits:
    """Search plain words, which is what most queries are: nothing may cost here that is not needed."""
    family = snapshot.family
    weights = family.query_weights() if isinstance(family, DotFamily) and not options.min_score else None
    if weights is not None:
        searcher = _core.DotSearcher(snapshot.lists)
        analyser, analysis, dead = snapshot.measure.analyser, snapshot.measure.options, snapshot.dead()
        chains, bigrams = analysis.stop is not None, analysis.unspaced == "bigrams"
        for _ in range(2):
            found = searcher.top_text(analyser.vocabulary, *weights, query, chains, bigrams, options.top, dead)
            if found is not None:
                if found[2] and options.forgive and (text := forgiven(snapshot, query)) != query:
                    return replace(_plain(snapshot, text, replace(options, forgive=False)), query=query)
                return Hits(query, snapshot, found[0], found[1], query)
            # A word that the vocabulary has not met yet: analysing the query makes it known.
            analyser.terms([query])
    text = forgiven(snapshot, query) if options.forgive else query
    least = options.min_score or 0.0
    _, numbers, scores = family.top(snapshot.lists, [text], options.top, least, snapshot.dead(), 1, None)
    return Hits(query, snapshot, numbers, scores, text)


def _forgiven(snapshot: Snapshot, query: Query) -> Query:
    """Return the query with typing errors read away in the words that are looked for; phrases are taken as written."""

    def read(part: Part) -> Part:
        return part if part.phrase else replace(part, text=forgiven(snapshot, part.text))

    def clause_of(clause: Clause) -> Clause:
        if clause.negated or clause.kind not in ("words", "group"):
            return clause
        return replace(clause, parts=tuple(tuple(read(part) for part in row) for row in clause.parts))

    return replace(query, clauses=tuple(clause_of(clause) for clause in query.clauses))


def _top(
    snapshot: Snapshot, texts: list[str], masks: Masks, limits: Limits, options: SearchOptions
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    lists = snapshot.lists
    dead = limits.dead(masks)
    _, numbers, scores = snapshot.family.top(lists, texts, options.top, options.min_score or 0.0, dead, None, None)
    return numbers, scores


def _readings(snapshot: Snapshot, query: Query, masks: Masks, limits: Limits, options: SearchOptions) -> Hits:
    """Search every reading of the query; a text counts with the one that scores highest, of equal ones the first."""
    best: dict[int, tuple[float, int]] = {}
    texts: list[str] = []
    for number, reading in enumerate(readings(query, MOST_READINGS)):
        texts.append(reading_text(query, reading))
        needed = masks
        for row in reading:
            for part in row:
                if part.phrase:
                    needed = both(needed, limits.phrase(part.text))
        found = _top(snapshot, [texts[-1]], needed, limits, options)
        for text, score in zip(found[0].tolist(), found[1].tolist(), strict=True):
            if text not in best or score > best[text][0]:
                best[text] = (score, number)
    ranked = sorted(best.items(), key=lambda item: (-item[1][0], item[0]))[: options.top]
    numbers = np.array([text for text, _ in ranked], np.int64)
    scores = np.array([score for _, (score, _) in ranked])
    return Hits(query.text, snapshot, numbers, scores, tuple(texts[number] for _, (_, number) in ranked))


def forgiven(snapshot: Snapshot, text: str) -> str:
    """Return a text with words that the index does not have replaced by the most similar ones that it has."""
    analyser = snapshot.measure.analyser
    if not isinstance(snapshot.family, DotFamily):
        return text
    unknown = [
        (term, span)
        for term, span in analyser.terms([text], positions=True).spans(0)
        if not any(lists.list(term)[1] for lists in snapshot.lists) and not has_no_spaces(span.of(text))
    ]
    if not unknown or len(unknown) > MOST_WORDS:
        return text
    parts, at = [], 0
    for term, span in unknown:
        word = snapshot.speller.nearest(analyser.term(term))
        if word is not None:
            parts += [text[at : span.start], word]
            at = span.end
    return "".join([*parts, text[at:]])
