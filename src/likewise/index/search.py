"""``search``: from a query to the hits."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.errors import InputError, QueryError
from likewise.index.forgive import Corrections, forgiven, forgiven_query
from likewise.index.groups import MOST_READINGS, reading_text, readings, sum_of_best
from likewise.index.hits import Hits
from likewise.index.lists import DotFamily
from likewise.index.masks import Limits, Masks, both
from likewise.index.query import Query, parse, plain, straight
from likewise.index.segment import is_unicode
from likewise.index.snapshot import Snapshot
from likewise.index.widen import expand as widen
from likewise.options import check_choice, check_integer, check_min_score, check_range, least_score, option
from likewise.read import ROLES
from likewise.segment.roles import APART

# Marks that mean something, and whether a query can be anything but plain words.
_SPECIAL = re.compile(r'[()|":]|(?<!\S)-+(?=\S)')
_OPERATORS = re.compile(r'[()|":]|(?:^|\s)-\S')


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How a query is searched."""

    top: int = option(10, "Maximum number of hits.")
    min_score: float | None = option(None, "Minimum score of a hit.")
    plain: bool = option(False, "Treat the query as plain words: quotes, brackets, minus and colons have no meaning.")
    page: int = option(1, "Page of the results, each with this many hits.")
    forgive: bool = option(
        True, "Correct typing errors: replace a word that no text contains by the most similar one that occurs."
    )
    leave_out: tuple[str, ...] = option(
        APART,
        "Roles of passages that are no hits unless role:… asks for them; none: find everything.",
        cli_type=list[str],
    )
    per_phrase: int = option(4, "With --expand: maximum number of paraphrases for each phrase.")
    min_probability: float = option(0.5, "With --expand: minimum probability of a paraphrase.")

    def __post_init__(self) -> None:
        check_integer("top", self.top, 1)
        check_integer("page", self.page, 1)
        if self.leave_out is not APART:
            for role in self.leave_out:
                check_choice("leave_out", role, (*ROLES, "none"))
            object.__setattr__(self, "leave_out", tuple(role for role in self.leave_out if role != "none"))
        check_min_score(self.min_score)
        check_integer("per_phrase", self.per_phrase, 1)
        check_range("min_probability", self.min_probability, 0, 1)


def search(
    snapshot: Snapshot, query: str, options: SearchOptions, filters: Mapping[str, Any] | None = None, expand: Any = None
) -> Hits:
    """Return the best texts for a query; :meth:`likewise.Index.search` says what the arguments mean."""
    if not isinstance(query, str):
        raise InputError(f"query is a {type(query).__name__}, not a str")
    if not is_unicode(query):
        raise QueryError("the query has an unpaired surrogate, which is not a character", query, 0)
    if not options.plain:
        query = straight(query)
    if expand is not None:
        # The groups that are made must count, whatever the query's own marks mean.
        plain = _SPECIAL.sub(" ", query) if options.plain else query
        query = widen(plain, expand, options.per_phrase, options.min_probability)
        options = replace(options, plain=False)
    before = (options.page - 1) * options.top
    hits = _search(snapshot, query, replace(options, top=before + options.top) if before else options, filters)
    if not len(hits) and options.leave_out and any(s.field("role") is not None for s in snapshot.segments):
        others = _search(snapshot, query, replace(options, leave_out=()), filters)
        return replace(hits, left_out=tuple(dict.fromkeys(str(hit.fields["role"]) for hit in others)))
    return hits[before:] if before else hits


def _search(snapshot: Snapshot, query: str, options: SearchOptions, filters: Mapping[str, Any] | None) -> Hits:
    if options.plain or not _OPERATORS.search(query):
        if not query.strip():
            plain(query)  # says that it is empty
        if not filters:
            return _plain(snapshot, query, options)
        understood = plain(query)
    else:
        understood = parse(query)
    corrections: Corrections = ()
    if options.forgive:
        understood, corrections = forgiven_query(snapshot, understood)
    asked = "role" in (filters or {}) or any(clause.field == "role" for clause in understood.fields)
    limits = Limits(snapshot, () if asked else options.leave_out)
    masks = limits.of(understood, filters)
    groups = [clause for clause in understood.wanted if clause.kind == "group"]
    if not groups:
        text = reading_text(understood, ())
        numbers, scores = _top(snapshot, [text], masks, limits, options)
        return Hits(query, snapshot, numbers, scores, text, corrections)
    if isinstance(snapshot.family, DotFamily) and snapshot.family.query_weights() is not None:
        found = sum_of_best(
            snapshot, understood, limits, limits.dead(masks), options.top, least_score(options.min_score)
        )
        return Hits(query, snapshot, *found, corrections)
    return replace(_readings(snapshot, understood, masks, limits, options), corrections=corrections)


def _plain(snapshot: Snapshot, query: str, options: SearchOptions) -> Hits:
    """Search plain words, which is what most queries are: nothing may cost here that is not needed."""
    family, dead = snapshot.family, snapshot.dead(options.leave_out)
    weights = family.query_weights() if isinstance(family, DotFamily) and not options.min_score else None
    if weights is not None:
        searcher = _core.DotSearcher(snapshot.lists)
        analyser = snapshot.measure.analyser
        for _ in range(2):
            found = searcher.top_text(analyser.vocabulary, *weights, query, *analyser.cutting, options.top, dead)
            if found is not None:
                if found[2] and options.forgive:
                    text, corrections = forgiven(snapshot, query)
                    if corrections:
                        hits = _plain(snapshot, text, replace(options, forgive=False))
                        return replace(hits, query=query, corrections=corrections)
                return Hits(query, snapshot, found[0], found[1], query)
            # A word that the vocabulary has not met yet: analysing the query makes it known.
            analyser.terms([query])
    text, corrections = forgiven(snapshot, query) if options.forgive else (query, ())
    least = least_score(options.min_score)
    _, numbers, scores = family.top(snapshot.lists, [text], options.top, least, dead, 1, None)
    return Hits(query, snapshot, numbers, scores, text, corrections)


def _top(
    snapshot: Snapshot, texts: list[str], masks: Masks, limits: Limits, options: SearchOptions
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    lists = snapshot.lists
    dead = limits.dead(masks)
    _, numbers, scores = snapshot.family.top(
        lists, texts, options.top, least_score(options.min_score), dead, None, None
    )
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
