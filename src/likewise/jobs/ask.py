"""Temporal questions ("When did ...?", "What year ...?") answered with dates from nuggets, evidence shown.

Paşca and Dienes (2005) ask for a nugget with every word of the question. Here a nugget counts by what it has of them:
rare words and names more than others, a word of the same kind of event (*born*, *birthday*) or a paraphrase nearly as
much as the word itself, the title of its document nearly as much as the fragment. The best are looked at closely
(:mod:`likewise.jobs.nugget_figures`), and those of one year add up.
"""

import dataclasses
import functools
import math
import os
import string
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from likewise.analyse.events import same_kind, stems
from likewise.analyse.question import (
    QuestionWord,
    asks_for_date,
    asks_in_another_language,
    asks_what_was_done,
    event_stems,
    is_yearly,
    ordinals,
    phase,
    question_words,
    wants_parts,
    wants_year,
    wants_years,
    words,
)
from likewise.errors import DamagedError, InputError, LikewiseError
from likewise.index.spelling import Speller, slips
from likewise.index.widen import alternatives
from likewise.jobs.nugget_figures import (
    KIND,
    NAME_LIKE,
    NAMES,
    SURE,
    TITLE,
    UNSURE,
    Asked,
    Group,
    figures,
    strengths,
    weights,
)
from likewise.jobs.nuggets import FORMAT, KINDS, VERSION, Nugget, rows_of
from likewise.options import check_choice, check_integer, option
from likewise.results.paraphrases import ORDERS, Paraphrases
from likewise.storage import Manifest

# A name says more than a common word that is as rare; a paraphrase less than the word, the less the less probable.
_NAME, _PARAPHRASE = 1.5, 0.9
# What a text may leave out of a name is worth this part of the rest of it.
_LESSER = 0.3
# Less than this share of a question speaks for nothing.
_LEAST = 0.25
# Long fragments have more words by chance.
_LENGTH, _WORDS = 0.2, 10
_BEST = 600
# What says less than this part of the best nugget is no evidence to show.
_TELLING = 0.05
# How the best nuggets write the date.
_FORMS = 5
# A decade speaks for a year of its own that has this part of what it has.
_SPEAKS = 0.005
_LONGEST_PHRASE = 3
# A slip of the fingers needs a word as long as this, two a longer one.
_SHORT, _LONG = 6, 10
# What the question with paraphrases says counts this part, what it says without them the rest.
_WIDER = 0.23
# Of so many pairs of a word, those that are right in half of the cases or more, as in a search.
_LOOKED_AT, _LEAST_PROBABLE, _CERTAIN = 20, 0.5, 0.8


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How a question is widened, and how much of the answer is shown."""

    per_phrase: int = option(4, "Paraphrases to try for each word.")
    by: str = option("probability", "Which paraphrases of a word to try first.", choices=ORDERS)
    kinds: bool = option(True, "Let words for one kind of event (born, birthday) stand for one another.")
    top: int = option(10, "Dates to show.")
    evidence: int = option(3, "Nuggets to show for each date.")

    def __post_init__(self) -> None:
        check_integer("per_phrase", self.per_phrase, 0)
        check_choice("by", self.by, ORDERS)
        check_integer("top", self.top, 1)
        check_integer("evidence", self.evidence, 0)


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


def check_question(question: str) -> None:
    """Say in words why a question cannot be answered with a date."""
    if not question.strip():
        raise InputError("the question is empty")
    if asks_in_another_language(question):
        raise InputError(f"{question.strip()!r} is no English question: ask in English, as in When did ...?")
    if not asks_for_date(question):
        raise InputError(f"{question.strip()!r} asks for no date: questions begin with When, What year or the like")


def question_groups(question: str, paraphrases: Paraphrases | None, options: AskOptions | None = None) -> list[Group]:
    """Return the words of a question that count, each with its paraphrases: the expanded query.

    >>> pairs = Paraphrases.of_rows([("begin", "start", 9), ("begin", "commence", 5)])
    >>> [str(group) for group in question_groups("When did Amtrak begin operations?", pairs, AskOptions(per_phrase=1))]
    ['Amtrak', '(begin | start)', 'operations']
    """
    options = options or AskOptions()
    found = question_words(question)
    wider: list[dict[str, float]] = [{} for _ in found]
    for length in range(_LONGEST_PHRASE, 0, -1) if paraphrases is not None else ():
        for start in range(len(found) - length + 1):
            span = range(start, start + length)
            phrase = " ".join(found[place].text for place in span)
            if phrase in question and not any(wider[place] for place in span):
                fits = _paraphrases(phrase, found[start].name, paraphrases, options)
                for place in span:
                    wider[place] = fits
    return [
        Group(word, tuple(more), tuple(more.values()), _kinds(word, options))
        for word, more in zip(found, wider, strict=True)
    ]


def _kinds(word: QuestionWord, options: AskOptions) -> frozenset[str]:
    [stem] = stems([word.text])
    return same_kind().get(stem, frozenset()) if options.kinds else frozenset()


def _paraphrases(phrase: str, name: bool, table: Paraphrases | None, options: AskOptions) -> dict[str, float]:
    """Return what may stand for a phrase of a question, and how well: a name only for a name.

    Words that tell a kind of event have their others already (:func:`same_kind`): only what is nearly certain is added.
    """
    found: dict[str, float] = {}
    known = options.kinds and "".join(stems(words(phrase))) in same_kind()
    least = _CERTAIN if known else _LEAST_PROBABLE
    for pair in alternatives(phrase, table, _LOOKED_AT, options.by) if table is not None else ():
        text = pair.paraphrase.strip(" ,")
        fits = pair.probability >= least and text[:1].isupper() >= name and text.casefold() != phrase.casefold()
        if fits and len(found) < options.per_phrase:
            found.setdefault(text, _PARAPHRASE * pair.probability**0.5)
    return found


class Nuggets:
    """An index of nuggets, opened for questions.

    >>> import pathlib, tempfile
    >>> from likewise.jobs.nuggets import nuggets
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.txt").write_text("In 1947, Bell Labs invented the transistor. It was a cold winter.")
    >>> nuggets(folder / "a.txt", folder / "n")
    1
    >>> [(answer.date, answer.match) for answer in Nuggets(folder / "n").ask("When was the transistor invented?")]
    [('1947', 1.0)]
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        manifest = Manifest.read(folder, FORMAT, VERSION)
        try:
            nuggets, terms, titles = (_table(manifest, folder, kind) for kind in KINDS)
            self._nuggets = nuggets
            self._sizes = nuggets.column("words").to_numpy()
            self._fragments, self._titles = (_Lists(one, nuggets.num_rows) for one in (terms, titles))
        except LikewiseError:
            raise
        except (pa.ArrowException, OSError, KeyError, TypeError, ValueError) as error:
            raise DamagedError(f"{os.fspath(folder)} is no index of nuggets: {error}") from error

    def __len__(self) -> int:
        return int(self._nuggets.num_rows)

    def ask(
        self, question: str, paraphrases: Paraphrases | None = None, options: AskOptions | None = None
    ) -> list[Answer]:
        """Return the dates that answer a question, best first; its rivals follow it.

        The question counts more than its paraphrases: what they find leads where it finds nothing sure, else follows.
        A question that asks for no date is an error in words.
        """
        options = options or AskOptions()
        check_question(question)
        plain = self._answers(question, self.read(question, None, options), options)
        if paraphrases is None:
            return plain
        wider = self.read(question, paraphrases, options)
        return _with(plain, self._answers(question, wider, options), options) if _is_wider(wider) else plain

    def _answers(self, question: str, asked: Asked, options: AskOptions) -> list[Answer]:
        if not asked.groups or not len(self):
            return []
        found = self.candidates(asked)
        if wants_year(question):
            found = [nugget for nugget in found if not nugget.date.startswith("--")]
        return _dates(found, figures(asked, found), options, asked)

    def read(self, question: str, paraphrases: Paraphrases | None, options: AskOptions) -> Asked:
        """Return the question as nuggets see it: words that no nugget has are read as the nearest that one has."""
        groups = []
        for group in question_groups(question, paraphrases, options):
            known = self._known(group)
            have = len(self._fragments.of(known.stem))
            weight = math.log(1 + len(self) / (1 + have)) * (_NAME if known.word.name else 1.0)
            weight *= _LESSER if known.word.lesser else 1.0
            groups.append(dataclasses.replace(known, weight=weight))
        of = phase(question), is_yearly(question), wants_parts(question), ordinals(question), wants_years(question)
        return Asked(tuple(groups), *of, event_stems(question), asks_what_was_done(question))

    def _known(self, group: Group) -> Group:
        stem = group.stem
        if group.others or len(self._fragments.of(stem)) or len(self._titles.of(stem)):
            return group
        meant = self._speller.nearest(stem) if len(stem) >= _SHORT else None
        if meant is None or slips(stem, meant) > (1 if len(stem) < _LONG else 2):
            return group  # Vesuvius is not Vesalius
        return dataclasses.replace(group, word=QuestionWord(meant, group.word.name))

    @functools.cached_property
    def _speller(self) -> Speller:
        return Speller(self._fragments.counts())

    def candidates(self, asked: Asked) -> list[Nugget]:
        """Return the nuggets that have most of a question, for a closer look."""
        shares = self._shares(asked.groups)
        found = np.flatnonzero(shares >= _LEAST)
        worth = shares[found] * (1 + self._sizes[found] / _WORDS) ** -_LENGTH
        best = found[np.argsort(-worth, kind="stable")[:_BEST]]
        return list(rows_of(self._nuggets.take(pa.array(best, pa.int64()))))

    def _shares(self, groups: Sequence[Group]) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return how much of the question each nugget has, between 0 and 1."""
        total, shares = 0.0, np.zeros(len(self))
        for group in groups:
            here = np.zeros(len(self))
            for other in self._fragments.numbered(group.stem) if group.word.name else ():
                here[self._fragments.of(other)] = NAME_LIKE
            here[self._titles.of(group.stem)] = TITLE
            for other, fit in zip(group.others, group.fits, strict=True):
                having = self._with_all(other)
                here[having] = np.maximum(here[having], fit)
            for other in sorted(group.kinds):
                here[self._fragments.of(other)] = KIND
            here[self._fragments.of(group.stem)] = 1.0
            shares += group.weight * here
            total += group.weight
        return shares / total

    def _with_all(self, phrase: str) -> np.ndarray[Any, Any]:
        """Numbers of the nuggets that have all words of a phrase."""
        lists = [self._fragments.of(one) for one in stems(words(phrase))]
        found = lists[0] if lists else np.zeros(0, np.int32)
        for other in lists[1:]:
            found = np.intersect1d(found, other)
        return found


def _is_wider(asked: Asked) -> bool:
    return any(group.others for group in asked.groups)


def _with(plain: list[Answer], wider: list[Answer], options: AskOptions) -> list[Answer]:
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


def _dates(found: list[Nugget], matrix: np.ndarray[Any, Any], options: AskOptions, asked: Asked) -> list[Answer]:
    """Add up the nuggets of each year, or of each decade or century if that is asked for, and rank."""
    if not found:
        return []
    strong = strengths(matrix)
    worth = np.exp(strong)
    by_year: dict[str, list[int]] = {}
    for place in np.argsort(-strong, kind="stable").tolist():
        by_year.setdefault(_year(found[place].date, asked.years), []).append(place)
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
            size = len(_year(date)) + 3 * (wanted - 1)
            if len(date) >= size and not date.startswith("--"):
                sums[date[:size]] = sums.get(date[:size], 0.0) + value
        if sums:
            break
    return max(sums, key=sums.__getitem__, default=None)


def _within(vague: str, dates: Iterable[str]) -> list[str]:
    """Return the years of a decade or a century."""
    return [date for date in dates if "X" not in date and date[:-2] == vague[:-2] and vague[-2] in ("X", date[-2])]


def _year(date: str, years: int = 1) -> str:
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


def _table(manifest: Manifest, folder: str | os.PathLike[str], kind: str) -> pa.Table:
    table = pq.read_table(pa.BufferReader(manifest.map(folder, str(manifest.options[kind]))))
    table.validate(full=True)
    return table


class _Lists:
    """Stem -> numbers of nuggets."""

    def __init__(self, table: pa.Table, nuggets: int) -> None:
        self._places = {term: place for place, term in enumerate(table.column("term").to_pylist())}
        self._lists = table.column("nuggets").combine_chunks()
        numbers = self._lists.flatten().to_numpy()
        if len(numbers) and not 0 <= numbers.min() <= numbers.max() < nuggets:
            raise ValueError("a list names a nugget that is not there")
        if len(self._places) != len(self._lists):
            raise ValueError("a stem has two lists")

    def of(self, term: str) -> np.ndarray[Any, Any]:
        """Return the numbers of a stem's nuggets."""
        place = self._places.get(term)
        if place is None:
            return np.zeros(0, np.int32)
        found: np.ndarray[Any, Any] = self._lists[place].values.to_numpy()
        return found

    def numbered(self, term: str) -> list[str]:
        """Return the stems that are this one with a number: *debconf5*."""
        return self._numbered.get(term, [])

    @functools.cached_property
    def _numbered(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for term in self._places:
            plain = term.rstrip(string.digits)
            if plain.isalpha() and plain != term:
                found.setdefault(plain, []).append(term)
        return found

    def counts(self) -> dict[str, int]:
        """Return the stems with how many nuggets have each."""
        sizes = np.diff(self._lists.offsets.to_numpy()).tolist()
        return dict(zip(self._places, sizes, strict=True))
