"""Temporal questions ("When did ...?", "What year ...?") answered with dates from nuggets, evidence shown.

Paşca and Dienes (2005) ask for a nugget with every word of the question. Here a nugget counts by what it has of them:
rare words and names more than others, a word of the same kind of event (*born*, *birthday*) or a paraphrase nearly as
much as the word itself, the title of its document nearly as much as the fragment. Nuggets of one year add up.
"""

import math
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from likewise.analyse.question import QuestionWord, asks_for_date, question_words, same_kind, stems, wants_year, words
from likewise.errors import DamagedError, InputError
from likewise.index.widen import alternatives
from likewise.jobs.nuggets import FORMAT, KINDS, VERSION, Nugget
from likewise.options import check_choice, check_integer, option
from likewise.results.paraphrases import ORDERS, Paraphrases
from likewise.storage import Manifest

# What a word of the question is worth to a nugget that has it elsewhere or otherwise; chosen on one half of the TREC
# questions of 1999 to 2001, as are the others here.
_TITLE, _KIND, _PARAPHRASE, _NAME = 0.8, 0.9, 0.8, 1.5
# Less than this share of a question speaks for nothing.
_LEAST = 0.25
# What is nearly whole counts far more than what is half: shares are raised to this power before they are added up.
_POWER, _DISCOUNT, _ADDED = 8, 0.7, 5
# Long fragments have more words by chance.
_LENGTH, _WORDS = 0.2, 10
_BEST = 300


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How a question is widened, and how much of the answer is shown."""

    per_phrase: int = option(4, "Paraphrases to try for each word.")
    by: str = option("probability", "Which paraphrases of a word to try first.", choices=ORDERS)
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

    ``sure`` is its share of all that speaks for any date, times ``match``; ``count`` the distinct nuggets, ``forms``
    how the best of them write the date, ``evidence`` some of them.
    """

    date: str
    sure: float
    match: float
    count: int
    forms: tuple[str, ...]
    evidence: tuple[Nugget, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """A word of a question with what may stand for it."""

    word: QuestionWord
    others: tuple[str, ...]

    def __str__(self) -> str:
        texts = (self.word.text, *self.others)
        shown = [f'"{text}"' if " " in text else text for text in texts]
        return shown[0] if len(shown) == 1 else f"({' | '.join(shown)})"


def question_groups(question: str, paraphrases: Paraphrases | None, options: AskOptions | None = None) -> list[Group]:
    """Return the words of a question that count, each with its paraphrases: the expanded query.

    >>> pairs = Paraphrases.of_rows([("begin", "start", 9), ("begin", "commence", 5)])
    >>> [str(group) for group in question_groups("When did Amtrak begin operations?", pairs, AskOptions(per_phrase=1))]
    ['Amtrak', '(begin | start)', 'operations']
    """
    options = options or AskOptions()
    groups = []
    for word in question_words(question):
        wider = [] if paraphrases is None else alternatives(word.text, paraphrases, options.per_phrase, options.by)
        groups.append(Group(word, tuple(wider)))
    return groups


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
            nuggets, terms, titles = (
                pq.read_table(pa.BufferReader(manifest.map(folder, manifest.options[kind]))) for kind in KINDS
            )
            self._nuggets = nuggets
            self._sizes = nuggets.column("words").to_numpy()
            self._fragments, self._titles = _Lists(terms), _Lists(titles)
        except (pa.ArrowException, KeyError, TypeError) as error:
            raise DamagedError(f"{folder} is no index of nuggets: {error}") from error

    def __len__(self) -> int:
        return int(self._nuggets.num_rows)

    def ask(
        self, question: str, paraphrases: Paraphrases | None = None, options: AskOptions | None = None
    ) -> list[Answer]:
        """Return the dates that answer a question, best first; its rivals follow it.

        A question that asks for no date is an error in words.
        """
        options = options or AskOptions()
        if not question.strip():
            raise InputError("the question is empty")
        if not asks_for_date(question):
            raise InputError(f"{question.strip()!r} asks for no date: questions begin with When, What year or the like")
        groups = question_groups(question, paraphrases, options)
        if not groups or not len(self):
            return []
        shares = self._shares(groups)
        found = np.flatnonzero(shares >= _LEAST)
        worth = shares[found] * (1 + self._sizes[found] / _WORDS) ** -_LENGTH
        best = found[np.argsort(-worth, kind="stable")[:_BEST]]
        return self._dates(best, shares, wants_year(question), options)

    def _shares(self, groups: list[Group]) -> np.ndarray[Any, np.dtype[np.float64]]:
        """Return how much of the question each nugget has, between 0 and 1."""
        total, shares = 0.0, np.zeros(len(self))
        for group in groups:
            [stemmed] = stems(words(group.word.text)) or [""]
            have = self._fragments.of(stemmed)
            weight = math.log(1 + len(self) / (1 + len(have))) * (_NAME if group.word.name else 1.0)
            here = np.zeros(len(self))
            here[self._titles.of(stemmed)] = _TITLE
            for other in group.others:
                here[self._with_all(other)] = _PARAPHRASE
            for other in sorted(same_kind().get(stemmed, ())):
                here[self._fragments.of(other)] = _KIND
            here[have] = 1.0
            shares += weight * here
            total += weight
        return shares / total

    def _with_all(self, phrase: str) -> np.ndarray[Any, Any]:
        """Numbers of the nuggets that have all words of a phrase."""
        lists = [self._fragments.of(one) for one in stems(words(phrase))]
        found = lists[0] if lists else np.zeros(0, np.int32)
        for other in lists[1:]:
            found = np.intersect1d(found, other)
        return found

    def _dates(self, best: Any, shares: Any, year_only: bool, options: AskOptions) -> list[Answer]:
        """Add up the nuggets of each year, the best of each fragment, and rank."""
        rows = self._nuggets.take(pa.array(best, pa.int64())).to_pylist()
        by_year: dict[str, dict[str, tuple[float, float, dict[str, Any]]]] = {}
        for number, row in zip(best.tolist(), rows, strict=True):
            date = row["date"] if row["date"].startswith("-") else row["date"][:4]
            if year_only and date.startswith("-"):
                continue
            worth = float(shares[number] * (1 + self._sizes[number] / _WORDS) ** -_LENGTH) ** _POWER
            by_year.setdefault(date, {}).setdefault(row["fragment"], (worth, float(shares[number]), row))
        weighed = []
        for date, fragments in by_year.items():
            listed = list(fragments.values())  # best first, as they came
            weight = sum(worth * _DISCOUNT**place for place, (worth, _, _) in enumerate(listed[:_ADDED]))
            weighed.append((weight, date, listed))
        total = sum(weight for weight, _, _ in weighed) or 1.0
        weighed.sort(key=lambda one: (-one[0], one[1]))
        return [_answer(date, weight / total, listed, options) for weight, date, listed in weighed[: options.top]]


def _answer(date: str, share: float, listed: list[tuple[float, float, dict[str, Any]]], options: AskOptions) -> Answer:
    match = min(1.0, max(share_of for _, share_of, _ in listed))
    forms = list(dict.fromkeys(row["text"] for _, _, row in listed[:_ADDED]))
    shown = tuple(
        Nugget(row["date"], row["text"], row["fragment"], row["source"], row["title"])
        for _, _, row in listed[: options.evidence]
    )
    return Answer(date, round(share * match, 4), round(match, 4), len(listed), tuple(forms), shown)


class _Lists:
    """Stem -> numbers of nuggets, from a table in the order of both."""

    def __init__(self, table: pa.Table) -> None:
        self._places = {term: place for place, term in enumerate(table.column("term").to_pylist())}
        self._lists = table.column("nuggets").combine_chunks()

    def of(self, term: str) -> np.ndarray[Any, Any]:
        """Return the numbers of a stem's nuggets."""
        place = self._places.get(term)
        if place is None:
            return np.zeros(0, np.int32)
        found: np.ndarray[Any, Any] = self._lists[place].values.to_numpy()
        return found
