"""Temporal questions of the TREC QA track answered from nuggets, without expansion and with it.

Paşca and Dienes (2005, table 4): questions that begin with When or What year; the score of a question is the reciprocal
rank of the first date among ten that matches an answer pattern; QH and QL count the questions that expansion helped and
hurt, for at most 2 to 5 disjuncts a word. Questions that are left out are counted, and named if they ask for a date.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from likewise.analyse.question import says_when
from likewise.errors import FormatError, InputError
from likewise.jobs.questions.answers import Answer
from likewise.jobs.questions.ask import Nuggets
from likewise.jobs.questions.options import AskOptions
from likewise.read.old_files import read_text
from likewise.results.paraphrases import Paraphrases

# Theirs, by the most disjuncts: QH, QL and score with Ngram-Entity and with Ngram-Relative.
PUBLISHED = {
    1: ((0, 0, 52.70), (0, 0, 52.70)),
    2: ((17, 7, 64.50), (8, 6, 57.62)),
    3: ((22, 6, 70.38), (13, 9, 60.46)),
    4: ((23, 6, 71.42), (15, 7, 60.39)),
    5: ((26, 12, 71.73), (18, 5, 63.35)),
}
_TEMPORAL = re.compile(r"(?:When|What year)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the patterns that its right answers match."""

    number: str
    text: str
    patterns: tuple[re.Pattern[str], ...]


@dataclass(frozen=True, slots=True)
class Questions:
    """The questions of some files: those that are asked, and those that are left out, by why."""

    asked: tuple[Question, ...]
    other_words: tuple[Question, ...]
    no_pattern: tuple[Question, ...]
    no_date: int

    @property
    def left_out(self) -> dict[str, list[str] | int]:
        """What is left out, for a report: questions as written, but for those that ask for no date."""
        return {
            "other_words": [f"{one.number} {one.text}" for one in self.other_words],
            "no_pattern": [f"{one.number} {one.text}" for one in self.no_pattern],
            "no_date": self.no_date,
        }


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the table: a list of pairs, the most disjuncts a word, questions helped and hurt, the score."""

    pairs: str
    disjuncts: int
    helped: int
    hurt: int
    score: float
    first: int


def read_questions(path: str | os.PathLike[str], *, any_words: bool = False) -> Questions:
    """Read ``*-q.tsv`` files (number, type, question), with the patterns of ``*-p.tsv``: a file or a folder of them.

    Asked are those that begin with When or What year, as in the paper; with ``any_words`` also others that ask for a
    date: *In what year*, *CNN began in what year?*
    """
    given = Path(path)
    files = sorted(given.glob("*-q.tsv")) if given.is_dir() else [given]
    if not files:
        raise InputError(f"{given} holds no question file: their names end in -q.tsv")
    asked, other_words, no_pattern, no_date = list[Question](), list[Question](), list[Question](), 0
    for file in files:
        patterns = _patterns(file.with_name(file.name.replace("-q.", "-p.")))
        for line, text in enumerate(read_text(file).splitlines(), 1):
            fields = text.split("\t", 2)
            if len(fields) != 3:
                raise FormatError(f"{file} line {line} has {len(fields)} fields, not number, type and question")
            one = Question(f"{file.stem}:{fields[0]}", fields[2].strip(), tuple(patterns.get(fields[0], ())))
            as_published = bool(_TEMPORAL.match(one.text))
            if not as_published and not says_when(one.text):
                no_date += 1
            elif not one.patterns:
                no_pattern.append(one)
            else:
                (asked if as_published or any_words else other_words).append(one)
    return Questions(tuple(asked), tuple(other_words), tuple(no_pattern), no_date)


def _patterns(file: Path) -> dict[str, list[re.Pattern[str]]]:
    patterns: dict[str, list[re.Pattern[str]]] = {}
    for line, text in enumerate(read_text(file).splitlines(), 1):
        number, _, pattern = text.partition("\t")
        if number and pattern:
            try:
                patterns.setdefault(number, []).append(re.compile(pattern, re.IGNORECASE))
            except re.error as error:
                raise FormatError(f"{file} line {line}: {pattern!r} is not a regular expression: {error}") from error
    return patterns


def reciprocal_rank(answers: Sequence[Answer], patterns: Sequence[re.Pattern[str]]) -> float:
    """Return one over the rank of the first answer that matches a pattern, or 0."""
    for rank, answer in enumerate(answers, 1):
        if any(pattern.search(form) for pattern in patterns for form in (answer.date, *answer.forms)):
            return 1 / rank
    return 0.0


def evaluate_questions(
    nuggets: Nuggets,
    asked: Sequence[Question],
    lists: Mapping[str, Paraphrases],
    by: str = "probability",
    *,
    kinds: bool = True,
) -> list[Row]:
    """Answer the questions without pairs and with each list, one to four paraphrases a word.

    Without ``kinds`` nothing but the pairs knows that *established* may be *founded*, as in the paper.
    """

    def scores(pairs: Paraphrases | None, count: int) -> list[float]:
        options = AskOptions(per_phrase=count, by=by, kinds=kinds)
        return [reciprocal_rank(nuggets.ask(one.text, pairs, options), one.patterns) for one in asked]

    plain = scores(None, 0)
    rows = [_row("none", 1, plain, plain)]
    for name, pairs in lists.items():
        rows += [_row(name, count + 1, scores(pairs, count), plain) for count in range(1, 5)]
    return rows


def _row(name: str, disjuncts: int, found: list[float], plain: list[float]) -> Row:
    helped, hurt = (sum(test(a, b) for a, b in zip(found, plain, strict=True)) for test in (float.__gt__, float.__lt__))
    return Row(name, disjuncts, helped, hurt, round(sum(found), 2), sum(score == 1 for score in found))
