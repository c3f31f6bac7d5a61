"""Temporal questions of the TREC QA track answered from nuggets, without expansion and with it.

Paşca and Dienes (2005, table 4): questions that begin with When or What year; the score of a question is the reciprocal
rank of the first date among ten that matches an answer pattern; QH and QL count the questions that expansion helped and
hurt, for at most 2 to 5 disjuncts a word.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from likewise.errors import FormatError, InputError
from likewise.jobs.ask import Answer, AskOptions, Nuggets
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
class Row:
    """A line of the table: a list of pairs, the most disjuncts a word, questions helped and hurt, the score."""

    pairs: str
    disjuncts: int
    helped: int
    hurt: int
    score: float
    first: int


def read_questions(path: str | os.PathLike[str]) -> list[Question]:
    """Read the temporal questions of ``*-q.tsv`` files (number, type, question) that have patterns in ``*-p.tsv``.

    ``path`` is such a file or a folder of them.
    """
    given = Path(path)
    files = sorted(given.glob("*-q.tsv")) if given.is_dir() else [given]
    if not files:
        raise InputError(f"{given} holds no question file: their names end in -q.tsv")
    found: list[Question] = []
    for file in files:
        patterns = _patterns(file.with_name(file.name.replace("-q.", "-p.")))
        for line, text in enumerate(read_text(file).splitlines(), 1):
            fields = text.split("\t", 2)
            if len(fields) != 3:
                raise FormatError(f"{file} line {line} has {len(fields)} fields, not number, type and question")
            if _TEMPORAL.match(fields[2]) and fields[0] in patterns:
                found.append(Question(f"{file.stem}:{fields[0]}", fields[2].strip(), tuple(patterns[fields[0]])))
    return found


def _patterns(file: Path) -> dict[str, list[re.Pattern[str]]]:
    patterns: dict[str, list[re.Pattern[str]]] = {}
    for line, text in enumerate(read_text(file).splitlines(), 1):
        number, _, pattern = text.partition("\t")
        if number and pattern:
            try:
                patterns.setdefault(number, []).append(re.compile(pattern, re.IGNORECASE))
            except re.error as error:
                raise FormatError(f"{file} line {line}: {pattern!r} is no regular expression: {error}") from error
    return patterns


def reciprocal_rank(answers: Sequence[Answer], patterns: Sequence[re.Pattern[str]]) -> float:
    """Return one over the rank of the first answer that matches a pattern, or 0."""
    for rank, answer in enumerate(answers, 1):
        if any(pattern.search(form) for pattern in patterns for form in (answer.date, *answer.forms)):
            return 1 / rank
    return 0.0


def evaluate_questions(
    nuggets: Nuggets, asked: Sequence[Question], lists: Mapping[str, Paraphrases], by: str = "probability"
) -> list[Row]:
    """Answer the questions without pairs and with each list, one to four paraphrases a word."""

    def scores(pairs: Paraphrases | None, count: int) -> list[float]:
        options = AskOptions(per_phrase=count, by=by)
        return [reciprocal_rank(nuggets.ask(one.text, pairs, options), one.patterns) for one in asked]

    plain = scores(None, 0)
    rows = [_row("none", 1, plain, plain)]
    for name, pairs in lists.items():
        rows += [_row(name, count + 1, scores(pairs, count), plain) for count in range(1, 5)]
    return rows


def _row(name: str, disjuncts: int, found: list[float], plain: list[float]) -> Row:
    helped, hurt = (sum(test(a, b) for a, b in zip(found, plain, strict=True)) for test in (float.__gt__, float.__lt__))
    return Row(name, disjuncts, helped, hurt, round(sum(found), 2), sum(score == 1 for score in found))
