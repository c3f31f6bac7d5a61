"""A question prepared for search: the words that count, and what may stand for each."""

from dataclasses import dataclass

from likewise.analyse.events import same_kind, stems
from likewise.analyse.question import (
    QuestionWord,
    asks_for_date,
    asks_in_another_language,
    question_words,
    words,
)
from likewise.errors import InputError
from likewise.index.widen import alternatives
from likewise.jobs.questions.options import AskOptions
from likewise.results.paraphrases import Paraphrases

# A paraphrase says less than the word, the less the less probable.
_PARAPHRASE = 0.9
_LONGEST_PHRASE = 3
# Of so many pairs of a word, those that are right in half of the cases or more, as in a search.
_LOOKED_AT, _LEAST_PROBABLE, _CERTAIN = 20, 0.5, 0.8


@dataclass(frozen=True, slots=True)
class Group:
    """A word of a question with what may stand for it, and how well each does; ``weight`` is what it counts.

    ``kinds`` are the stems of words for the same kind of event.
    """

    word: QuestionWord
    others: tuple[str, ...] = ()
    fits: tuple[float, ...] = ()
    kinds: frozenset[str] = frozenset()
    weight: float = 1.0

    def __str__(self) -> str:
        texts = (self.word.text, *self.others)
        shown = [f'"{text}"' if " " in text else text for text in texts]
        return shown[0] if len(shown) == 1 else f"({' | '.join(shown)})"

    @property
    def stem(self) -> str:
        """The stem of the word."""
        return "".join(stems([self.word.text])[:1])


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as nuggets see it: its words, which end of a time it asks for, whether for a day of every year.

    ``parts`` is 2 or 3 if it asks for a month or a day, ``years`` 10 or 100 if for a decade or a century; ``events``
    are the stems of what happened, ``done`` says that it was done to those named.
    """

    groups: tuple[Group, ...]
    phase: str = ""
    yearly: bool = False
    parts: int = 1
    ordinals: frozenset[str] = frozenset()
    years: int = 1
    events: frozenset[str] = frozenset()
    done: bool = False


def check_question(question: str) -> None:
    """Say in words why a question cannot be answered with a date."""
    if not question.strip():
        raise InputError("the question is empty")
    if asks_in_another_language(question):
        raise InputError(f"{question.strip()!r} is not an English question: ask in English, as in When did ...?")
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
