"""Temporal questions ("When did ...?", "What year ...?") answered with dates from nuggets, evidence shown.

Paşca and Dienes (2005) ask for a nugget with every word of the question. Here a nugget counts by what it has of them:
rare words and names more than others, a word of the same kind of event (*born*, *birthday*) or a paraphrase nearly as
much as the word itself, the title of its document nearly as much as the fragment. The best are looked at closely
(:mod:`likewise.jobs.questions.figures`), and those of one year add up.
"""

import dataclasses
import functools
import math
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from likewise.analyse.events import stems
from likewise.analyse.question import (
    QuestionWord,
    asks_what_was_done,
    event_stems,
    is_yearly,
    ordinals,
    phase,
    wants_parts,
    wants_year,
    wants_years,
    words,
)
from likewise.errors import DamagedError, LikewiseError
from likewise.index.spelling import Speller, slips
from likewise.jobs.questions.answers import Answer, ranked, together
from likewise.jobs.questions.asked import Asked, Group, check_question, question_groups
from likewise.jobs.questions.figures import figures
from likewise.jobs.questions.files import FORMAT, KINDS, VERSION, Lists, Nugget, read_table, rows_of
from likewise.jobs.questions.matching import KIND, NAME_LIKE, TITLE
from likewise.jobs.questions.options import AskOptions
from likewise.results.paraphrases import Paraphrases
from likewise.seals import Manifest

# A name says more than a common word that is as rare.
_NAME = 1.5
# What a text may leave out of a name is worth this part of the rest of it.
_LESSER = 0.3
# Less than this share of a question speaks for nothing.
_LEAST = 0.25
# Long fragments have more words by chance.
_LENGTH, _WORDS = 0.2, 10
# So many are looked at closely.
_BEST = 600
# A slip of the fingers needs a word as long as this, two a longer one.
_SHORT, _LONG = 6, 10


class Nuggets:
    """An index of nuggets, opened for questions.

    >>> import pathlib, tempfile
    >>> from likewise.jobs.questions.nuggets import nuggets
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
            nuggets, terms, titles = (read_table(manifest, folder, kind) for kind in KINDS)
            self._nuggets = nuggets
            self._sizes = nuggets.column("words").to_numpy()
            self._fragments, self._titles = (Lists(one, nuggets.num_rows) for one in (terms, titles))
        except LikewiseError:
            raise
        except (pa.ArrowException, OSError, KeyError, TypeError, ValueError) as error:
            raise DamagedError(f"{os.fspath(folder)} is not an index of nuggets: {error}") from error

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
        if not any(group.others for group in wider.groups):
            return plain
        return together(plain, self._answers(question, wider, options), options)

    def _answers(self, question: str, asked: Asked, options: AskOptions) -> list[Answer]:
        if not asked.groups or not len(self):
            return []
        found = self.candidates(asked)
        if wants_year(question):
            found = [nugget for nugget in found if not nugget.date.startswith("--")]
        return ranked(found, figures(asked, found), options, asked)

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
