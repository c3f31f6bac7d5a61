"""Temporal questions ("When did ...?", "What year ...?") answered with dates from nuggets, evidence shown."""

import os
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from likewise.analyse.words import smart_stop_words
from likewise.errors import InputError
from likewise.index.widen import alternatives
from likewise.jobs.nuggets import FORMAT, VERSION, Nugget, terms
from likewise.options import check_integer
from likewise.results.paraphrases import Paraphrases
from likewise.storage import Manifest

# Beyond stop words: words that ask, and words that only say that a date is wanted.
_ASKING = frozenset(
    ("when", "what", "which", "who", "where", "why", "how", "year", "years", "date", "day", "month", "time")
)


@dataclass(frozen=True, slots=True)
class Answer:
    """A date with the number of distinct nuggets that speak for it, how it was written, and some of them."""

    date: str
    count: int
    forms: tuple[str, ...]
    evidence: tuple[Nugget, ...]


class Nuggets:
    """An index of nuggets, opened for questions.

    >>> import pathlib, tempfile
    >>> from likewise.jobs.nuggets import nuggets
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.txt").write_text("In 1947, Bell Labs invented the transistor. It was a cold winter.")
    >>> nuggets(folder / "a.txt", folder / "n")
    1
    >>> [answer.date for answer in Nuggets(folder / "n").ask("When was the transistor invented?")]
    ['1947']
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        Manifest.read(folder, FORMAT, VERSION)
        self._nuggets = pq.read_table(os.path.join(folder, "nuggets.parquet"))
        lists = pq.read_table(os.path.join(folder, "terms.parquet"))
        self._places = {term: place for place, term in enumerate(lists.column("term").to_pylist())}
        self._lists = lists.column("nuggets").combine_chunks()

    def __len__(self) -> int:
        return int(self._nuggets.num_rows)

    def ask(
        self,
        question: str,
        paraphrases: Paraphrases | None = None,
        per_phrase: int = 4,
        top: int = 10,
        evidence: int = 3,
    ) -> list[Answer]:
        """Return the dates whose nuggets have a member of every group of the question, most nuggets first.

        Only single words are widened, with at most ``per_phrase`` paraphrases each; then stop words and words that
        ask are dropped. Dates of one year are one answer.
        """
        check_integer("top", top, 1)
        check_integer("per_phrase", per_phrase, 0)
        if not question.strip():
            raise InputError("the question is empty")
        groups = question_groups(question, paraphrases, per_phrase)
        if not groups:
            return []
        matching: set[int] | None = None
        for group in sorted(groups, key=len):
            members = set().union(*(self._with(phrase) for phrase in group))
            matching = members if matching is None else matching & members
            if not matching:
                return []
        return self._ranked(sorted(matching or ()), top, evidence)

    def _with(self, phrase: list[str]) -> set[int]:
        """Numbers of the nuggets that have the words of a phrase one after the other."""
        found: set[int] | None = None
        for word in phrase:
            place = self._places.get(word)
            if place is None:
                return set()
            numbers = set(self._lists[place].as_py())
            found = numbers if found is None else found & numbers
        if len(phrase) > 1 and found:
            texts = self._nuggets.column("fragment").take(pa.array(sorted(found), pa.int64())).to_pylist()
            wanted = f" {' '.join(phrase)} "
            found = {n for n, text in zip(sorted(found), texts, strict=True) if wanted in f" {' '.join(terms(text))} "}
        return found or set()

    def _ranked(self, numbers: list[int], top: int, evidence: int) -> list[Answer]:
        rows = self._nuggets.take(pa.array(numbers, pa.int64())).to_pylist()
        by_year: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in rows:
            by_year[row["date"] if row["date"].startswith("-") else row["date"][:4]].append(row)
        ranked = sorted(by_year.items(), key=lambda item: (-len({row["fragment"] for row in item[1]}), item[0]))
        answers = []
        for date, found in ranked[:top]:
            # The most exact form that is most common stands for the year.
            forms = sorted(
                {row["text"] for row in found}, key=lambda text: (-sum(r["text"] == text for r in found), text)
            )
            shown = tuple(Nugget(row["date"], row["text"], row["fragment"], row["source"]) for row in found[:evidence])
            answers.append(Answer(date, len({row["fragment"] for row in found}), tuple(forms), shown))
        return answers


def question_groups(question: str, paraphrases: Paraphrases | None, per_phrase: int) -> list[list[list[str]]]:
    """Return the groups of a question: for each word that counts, itself and its paraphrases, as lists of words.

    >>> pairs = Paraphrases.of_rows([("begin", "start", 9), ("begin", "commence", 5)])
    >>> question_groups("When did Amtrak begin operations?", pairs, 1)
    [[['amtrak']], [['begin'], ['start']], [['operations']]]
    """
    groups: list[list[list[str]]] = []
    stops = smart_stop_words()
    for word in question.replace("?", " ").split():
        bare = word.strip(".,;:!\"'()’“”")
        own = terms(bare.removesuffix("'s").removesuffix("’s"))
        if not own or all(part in stops or part in _ASKING for part in own):
            continue
        wider = alternatives(bare, paraphrases, per_phrase) if paraphrases is not None else []
        group = [own]
        group += [words for words in (terms(text) for text in wider) if words and words not in group]
        groups.append(group)
    return groups
