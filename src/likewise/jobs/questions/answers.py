"""Add up what nuggets say about a question: the dates that answer it, and how sure each is."""

import dataclasses
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from likewise.jobs.questions.asked import Asked
from likewise.jobs.questions.figures import NAMES, SURE, UNSURE, strengths, weights
from likewise.jobs.questions.files import Nugget
from likewise.jobs.questions.options import AskOptions

# What says less than this part of the best nugget is no evidence to show.
_TELLING = 0.05
# How the best nuggets write the date.
_FORMS = 5
# A decade speaks for a year of its own that has this part of what it has.
_SPEAKS = 0.005
# What the question with paraphrases says counts this part, what it says without them the rest.
_WIDER = 0.23


@dataclass(frozen=True, slots=True)
class Answer:
    """A date: how sure it is, how much of the question its best nugget has, and what speaks for it.

    ``sure`` is how likely it is the right one, ``count`` the number of nuggets, ``forms`` how the best of them write
    the date, ``evidence`` some of them.
    """

    date: str
    sure: float
    match: float
    count: int
    forms: tuple[str, ...]
    evidence: tuple[Nugget, ...]


def together(plain: list[Answer], wider: list[Answer], options: AskOptions) -> list[Answer]:
    """Return the answers to a question and to it with paraphrases as one list, by how sure both are.

    The question itself counts more: what only its paraphrases find leads where it has no sure answer.
    """
    both: dict[str, Answer] = {}
    sure: dict[str, float] = {}
    for answers, part in ((plain, 1 - _WIDER), (wider, _WIDER)):
        for one in answers:
            both[one.date] = max(both.get(one.date, one), one, key=lambda answer: answer.sure)
            sure[one.date] = sure.get(one.date, 0.0) + part * one.sure
    best = sorted(both, key=lambda date: -sure[date])[: options.top]
    return [dataclasses.replace(both[date], sure=round(sure[date], 4)) for date in best]


def ranked(found: list[Nugget], matrix: np.ndarray[Any, Any], options: AskOptions, asked: Asked) -> list[Answer]:
    """Add up the nuggets of each year, or of each decade or century if that is asked for, and rank."""
    if not found:
        return []
    strong = strengths(matrix)
    worth = np.exp(strong)
    by_year: dict[str, list[int]] = {}
    for place in np.argsort(-strong, kind="stable").tolist():
        by_year.setdefault(year_of(found[place].date, asked.years), []).append(place)
    sums = {date: float(worth[places].sum()) for date, places in by_year.items()}
    for vague in sorted((date for date in by_year if "X" in date), reverse=True):
        year = max(_within(vague, by_year), key=sums.__getitem__, default="")
        if year and sums[year] >= _SPEAKS * sums[vague]:  # the late 19th century may well be 1886
            sums[year] += sums.pop(vague)
            by_year[year] = sorted(by_year[year] + by_year.pop(vague), key=lambda place: -strong[place])
    shown: list[Answer] = []
    for date in sorted(by_year, key=lambda date: (-sums[date], date))[: options.top]:
        places = by_year[date]
        sure = _sure(float(strong[places[0]]), sums[date] / float(worth.sum()), matrix[places[0]])
        sure = min(sure, shown[-1].sure) if shown else sure  # none is surer than those before it
        match = min(1.0, math.exp(float(matrix[places, 0].max())))
        forms = dict.fromkeys(found[place].text for place in places[:_FORMS])
        telling = [place for place in places[: options.evidence] if worth[place] >= _TELLING * worth[places[0]]]
        evidence = tuple(found[place] for place in telling)
        finer = _finer([found[place].date for place in places], worth[places].tolist(), asked.parts)
        shown.append(Answer(finer or date, sure, round(match, 4), len(places), tuple(forms), evidence))
    return shown


def _finer(dates: list[str], worth: list[float], parts: int) -> str | None:
    """Return the day or month of a year that most speaks for, if that is asked for and any does."""
    sums: dict[str, float] = {}
    for wanted in range(parts, 1, -1):
        for date, value in zip(dates, worth, strict=True):
            size = len(year_of(date)) + 3 * (wanted - 1)
            if len(date) >= size and not date.startswith("--"):
                sums[date[:size]] = sums.get(date[:size], 0.0) + value
        if sums:
            break
    return max(sums, key=sums.__getitem__, default=None)


def _within(vague: str, dates: Iterable[str]) -> list[str]:
    """Return the years of a decade or a century."""
    return [date for date in dates if "X" not in date and date[:-2] == vague[:-2] and vague[-2] in ("X", date[-2])]


def year_of(date: str, years: int = 1) -> str:
    """Return the year of a date, or its decade or century."""
    if date.startswith("--"):
        return date
    year, unsaid = date[: 5 if date.startswith("-") else 4], len(str(years)) - 1
    return year[: len(year) - unsaid] + "X" * unsaid


def _sure(strength: float, share: float, figures: np.ndarray[Any, Any]) -> float:
    """How likely a date is right: from its strongest nugget, and its share of what speaks for any date."""
    model = weights()["sure"]
    odds = model["bias"] + model["strength"] * strength + model["share"] * share
    odds += sum(model[name] * figures[NAMES.index(name)] for name in SURE)
    most = min((most for name, most in UNSURE.items() if figures[NAMES.index(name)]), default=1.0)
    # No date is surer than its share allows, as two cannot both be right; nor than little, if it is about others.
    return round(min(share, most, 1 / (1 + math.exp(-odds))), 4)
