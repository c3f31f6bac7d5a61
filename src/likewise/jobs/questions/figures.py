"""The features of a nugget for a question, and how strongly it speaks for its date.

Each is named in :data:`NAMES`; the weights ship with the package (``ask.json``) and say where they come from
(``scripts/train_ask.py``).
"""

import functools
import itertools
import json
import math
from collections.abc import Sequence
from importlib import resources
from typing import Any, NamedTuple

import numpy as np

from likewise.analyse.question import tells_end
from likewise.jobs.questions.asked import Asked
from likewise.jobs.questions.files import Nugget
from likewise.jobs.questions.fragments import ANY_SUBJECT
from likewise.jobs.questions.matching import KIND, Found, Matcher, Text
from likewise.jobs.questions.ordinals import counts_another, meant

# A word this far from the date is worth 1/e of one beside it.
_NEAR = 6.0
# What only the title has is as far as that.
_TITLE_NEAR = 0.3
_LEAST_SHARE = 0.05
# So far from a name an event is 1/e as likely its own.
_BESIDE = 4.0
# Beyond another year a word is worth this part of it.
_BEYOND = 0.4
# A document begins with what is to be known of its subject: after so many nuggets one is worth half.
_LEAD = 3.0
# So much of the best nugget's share is as much.
_AS_MUCH = 0.8
# Less than this part of what a question is about is not it.
_MOST = 0.5
_REPLACED = frozenset(("replaced", "succeeded", "followed"))
# An event of something else is worth this part of it; so many words say of what, if not in a word for any subject.
_OF_ANOTHER, _OF_WHAT = 0.6, 5
# So many words after the event *by* says who did it.
_BY = 4
# These say most of how sure an answer is.
SURE = ("subject missing", "event missing")
# So sure is at most an answer whose best nugget has one of these.
UNSURE = {
    "subject missing": 0.2, "event missing": 0.2, "wrong end": 0.2, "another ordinal": 0.2, "ordinal missing": 0.5
}  # fmt: skip


class Figures(NamedTuple):
    """The figures of one nugget."""

    share: float
    whole: float
    names: float
    rarest: float
    event: float
    near: float
    side_by_side: float
    strangers: float
    other_dates: float
    right_end: float
    wrong_end: float
    no_year: float
    every_year: float
    documents: float
    name_by_event: float
    no_day: float
    vague: float
    lead: float
    another_ordinal: float
    first_of_some: float
    earliest: float
    subject_missing: float
    event_missing: float
    ordinal_missing: float
    one_clause: float


# As the weights call them.
NAMES = tuple(name.replace("_", " ") for name in Figures._fields)


def figures(asked: Asked, nuggets: Sequence[Nugget]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the matrix: a row for each nugget, a column for each name."""
    matchers = [Matcher(group, asked.ordinals) for group in asked.groups]
    rows = [_row(asked, matchers, nugget) for nugget in nuggets]
    matrix = np.array(rows, np.float64).reshape(-1, len(NAMES))
    share, earliest = np.exp(matrix[:, NAMES.index("share")]), NAMES.index("earliest")
    # Who writes *the last* cannot know of those after it; and if nobody writes *the first* of all, the earliest is.
    unsaid = matrix[:, NAMES.index("ordinal missing")].all()
    share = matrix[:, earliest] if "last" in asked.ordinals or unsaid else share
    others = matrix[:, [NAMES.index(name) for name in ("another ordinal", "subject missing")]].any(axis=1)
    matrix[:, earliest] = _earliest(asked, nuggets, np.where(others, 0.0, share))
    return matrix


def strengths(matrix: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return how strongly each nugget speaks for its date, as a logarithm."""
    learned = weights()["weights"]
    found: np.ndarray[Any, Any] = (matrix * np.array([learned[name] for name in NAMES])).sum(axis=1)
    return found


@functools.cache
def weights() -> dict[str, Any]:
    """Return the weights that ship with the package."""
    text = resources.files("likewise.jobs.questions").joinpath("ask.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def _row(asked: Asked, matchers: list[Matcher], nugget: Nugget) -> Figures:
    text, title = Text(nugget.fragment), Text(nugget.title)
    titles = set(title.stems)
    called = [titles, *(set(Text(name).stems) for name in nugget.also.split("; ") if name)]
    known = set().union(*called)
    subjects = known | set(Text(nugget.subject).stems)
    asked_for = {one.stem for one in matchers}
    kinds = {kind for one in matchers for kind in one.kinds}
    ordinal = meant(text.written, text.stems, asked.ordinals, asked_for | titles | kinds)
    happened_here = [one.stem in asked.events and not one.name for one in matchers]
    found = [ordinal if one.ordinal else one.find(text, subjects, nugget.at) for one in matchers]
    found = _said_of_it(asked, matchers, nugget, text, found, subjects, happened_here)
    weights = [one.group.weight for one in matchers]
    worth = [degree for degree, _ in found]
    near = [
        _TITLE_NEAR * degree if place is None else degree * _nearness(text, place, nugget.at) for degree, place in found
    ]
    names = [one.name for one in matchers]
    happened = [not one.name for one in matchers]
    share = _mean(worth, weights)
    strangers = sum(
        1
        for place, word in enumerate(text.written)
        if place and word[0].isupper() and text.stems[place] not in asked_for | known
    )
    title_asked = len(titles & asked_for) / len(titles) if titles else 0.0
    title_asked = 1.0 if any(name <= asked_for for name in called[1:]) else title_asked
    subject = title_asked * _mean([float(one.stem in known) for one in matchers], weights, names)
    event = _mean(worth, weights, happened)
    years = sum(map(_is_year, text.written))
    return Figures(
        share=math.log(max(share, _LEAST_SHARE)),
        whole=float(share > 0.95),
        names=_mean(worth, weights, names),
        rarest=worth[weights.index(max(weights))],
        event=event,
        near=_mean(near, weights),
        side_by_side=_side_by_side(matchers, text, title),
        strangers=math.log1p(strangers),
        other_dates=math.log1p(years),
        right_end=float(asked.phase != "" and nugget.role == asked.phase),
        wrong_end=float(asked.phase != "" and _role(matchers, found, text, nugget) not in ("", asked.phase)),
        no_year=float(nugget.date.startswith("--") and not asked.yearly),
        every_year=float(nugget.date.startswith("--") and asked.yearly),
        documents=math.log(nugget.documents),
        name_by_event=_name_by_event(matchers, [place for _, place in found], worth),
        no_day=float(nugget.date.lstrip("-").count("-") + nugget.date.startswith("--") < asked.parts - 1),
        vague=float("X" in nugget.date and asked.years == 1),
        lead=subject * event / (1 + nugget.order / _LEAD),
        another_ordinal=float(bool(asked.ordinals) and counts_another(text.folded, asked.ordinals)),
        first_of_some=0.0 if asked.ordinals.isdisjoint(text.folded) else 1.0 - ordinal[0],
        earliest=_mean(worth, weights, [not one.ordinal for one in matchers]),  # see figures
        subject_missing=float(_subject_missing(matchers, worth)),
        event_missing=float(_event_missing(happened_here, matchers, worth)),
        ordinal_missing=float(bool(asked.ordinals) and ordinal[0] < 1),
        one_clause=_one_clause(matchers, found, text, nugget.at),
    )  # fmt: skip


def _said_of_it(
    asked: Asked,
    matchers: list[Matcher],
    nugget: Nugget,
    text: Text,
    found: list[Found],
    subjects: set[str],
    events: list[bool],
) -> list[Found]:
    """Return how well a nugget has each word, and where, with what it says of something else worth less."""
    its_own = {one.stem for one in matchers} | subjects
    found = [
        (degree * _OF_ANOTHER if one.kinds and _of_another(text, place, its_own) else degree, place)
        for one, (degree, place) in zip(matchers, found, strict=True)
    ]
    if nugget.role and nugget.role == asked.phase:  # the end of a range stands for *stopped doing*
        found = [
            (max(degree, KIND), min(nugget.at, len(text.stems) - 1) if place is None else place)
            if tells_end(one.stem, asked.phase) and one.stem not in asked.events
            else (degree, place)
            for one, (degree, place) in zip(matchers, found, strict=True)
        ]
    if asked.done and _only_did(text, matchers, found, events, subjects):
        found = [(0.0, None) if event else one for event, one in zip(events, found, strict=True)]
    return found


def _of_another(text: Text, place: int | None, known: set[str]) -> bool:
    """Whether an event is that of something else: *the establishment of democracy*, but not *of the company*."""
    if place is None or text.folded[place + 1 : place + 2] != ["of"]:
        return False
    after = range(place + 2, min(place + 2 + _OF_WHAT, len(text.stems)))
    return not any(text.stems[one] in known or text.folded[one] in ANY_SUBJECT for one in after)


def _only_did(
    text: Text,
    matchers: list[Matcher],
    found: list[Found],
    events: list[bool],
    subjects: set[str],
) -> bool:
    """Whether those named only did it: *Corvix was founded by Acme and Brill* is not the founding of Brill."""
    names = [place for one, (_, place) in zip(matchers, found, strict=True) if one.name and place is not None]
    places = [place for event, (_, place) in zip(events, found, strict=True) if event and place is not None]
    if not names or not places or any(one.name and one.stem in subjects for one in matchers):
        return False
    after = text.folded[places[0] + 1 : places[0] + 1 + _BY]
    return "by" in after and min(names) > places[0] + after.index("by")


def _event_missing(events: list[bool], matchers: list[Matcher], worth: list[float]) -> bool:
    """Whether a nugget has nothing of what happened."""
    rows = zip(events, matchers, worth, strict=True)
    said = [degree for event, one, degree in rows if event and not one.ordinal]
    return bool(said) and not any(said)


def _role(matchers: list[Matcher], found: list[Found], text: Text, nugget: Nugget) -> str:
    """Return the end of a time that a date is: who was replaced by another was there until then."""
    names = [place for one, (_, place) in zip(matchers, found, strict=True) if one.name and place is not None]
    over = [a for a, pair in enumerate(itertools.pairwise(text.folded)) if pair[0] in _REPLACED and pair[1] == "by"]
    return nugget.role or ("end" if names and over and max(names) < over[0] else "")


def _subject_missing(matchers: list[Matcher], worth: list[float]) -> bool:
    """Whether a nugget lacks a name of the question; if that has none, most of what is no event."""
    if any(one.name for one in matchers):
        rows = zip(matchers, worth, strict=True)
        return any(one.name and not one.group.word.lesser and not degree for one, degree in rows)
    things = [not one.kinds and not one.ordinal for one in matchers]
    return any(things) and _mean(worth, [one.group.weight for one in matchers], things) < _MOST


def _earliest(asked: Asked, nuggets: Sequence[Nugget], shares: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Of the nuggets that have as much of the question: 1 for the earliest, 1/2 for those of the next year, and so on.

    From the latest on, if the last is asked for.
    """
    if not asked.ordinals & {"first", "last"} or not len(shares):
        return np.zeros(len(shares))
    years = np.array([_number(one.date) for one in nuggets])
    good = (shares >= shares.max() * _AS_MUCH) & ~np.isnan(years)
    if "last" in asked.ordinals:
        years = -years
    places = {year: 1.0 / place for place, year in enumerate(sorted(set(years[good].tolist())), 1)}
    return np.array([places[year] if keep else 0.0 for year, keep in zip(years.tolist(), good, strict=True)])


def _number(date: str) -> float:
    digits = date[: 5 if date.startswith("-") else 4]
    return math.nan if date.startswith("--") or "X" in digits else float(digits)


def _is_year(word: str) -> bool:
    return len(word) == 4 and word.isdigit()


def _nearness(text: Text, place: int, at: int) -> float:
    """How near a word is to the date: less if another year stands between."""
    between = any(map(_is_year, text.written[min(place, at) : max(place, at)]))
    return math.exp(-abs(place - at) / _NEAR) * (_BEYOND if between else 1.0)


def _mean(values: list[float], weights: list[float], which: list[bool] | None = None) -> float:
    """Return the weighted mean, of some; 1 of none."""
    rows = list(zip(values, weights, which or [True] * len(values), strict=True))
    total = sum(weight for _, weight, wanted in rows if wanted)
    return sum(value * weight for value, weight, wanted in rows if wanted) / total if total else 1.0


def _name_by_event(matchers: list[Matcher], places: list[int | None], worth: list[float]) -> float:
    """How near a name asked for is to the event: *Nixon called ... dead* is not his death.

    What only the title names is the subject, which stands first; 1 if there is nothing to see.
    """
    rows = list(zip(matchers, places, worth, strict=True))
    names = [0 if place is None else place for one, place, degree in rows if one.name and degree]
    events = [place for one, place, degree in rows if not one.name and degree and place is not None]
    if len({one.name for one in matchers}) < 2:
        return 1.0
    if not names or not events:
        return 0.0
    return math.exp(-min(abs(name - event) for name in names for event in events) / _BESIDE)


def _one_clause(matchers: list[Matcher], found: list[Found], text: Text, at: int) -> float:
    """How few clauses lie between the event and the date, which ends its own unless the fragment begins with it."""
    rows = zip(matchers, found, strict=True)
    events = [place for one, (_, place) in rows if not one.name and not one.ordinal and place is not None]
    if not events:
        return 0.0
    last = len(text.clauses) - 1
    dated = {text.clauses[min(place, last)] for place in ({at} if at == 0 else {at - 1, at})}
    return 1.0 / (1 + min(abs(text.clauses[event] - clause) for event in events for clause in dated))


def _side_by_side(matchers: list[Matcher], *texts: Text) -> float:
    """How many of the neighbours among the names asked for are neighbours here; 1 if there is nothing to see."""
    wanted = [(a.stem, b.stem) for a, b in itertools.pairwise(matchers) if a.name and b.name]
    here = {pair for text in texts for pair in itertools.pairwise(text.stems)}
    return sum(pair in here for pair in wanted) / len(wanted) if wanted else 1.0
