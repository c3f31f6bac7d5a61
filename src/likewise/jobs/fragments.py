"""Sentences become nuggets: pairs of a date and the fragment that says what happened then, by patterns.

==========================================  ==========================================
pattern                                     nugget
==========================================  ==========================================
In DATE, X did Y.                           DATE, X did Y
X did Y in DATE.                            DATE, X did Y
X (DATE - DATE) is ..., a lifetime apart    first DATE, X was born; last DATE, X died
X (born DATE) ...                           DATE, X was born
X (DATE - DATE) is ..., otherwise           both DATEs, X is ...
==========================================  ==========================================
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from likewise.analyse.dates import Date, dates
from likewise.analyse.question import words

_LEAST_WORDS, _MOST_WORDS = 3, 60
# "(", perhaps other names or how they are said, perhaps "born".
_OPENING = re.compile(
    r"\(\s*(?:[^()]{0,80}?[;,:]\s*)?(?P<born>born\s+|b\.\s*)?(?:c\.|ca\.|circa|about)?\s*(?:on\s+|in\s+)?$"
)
_DASH = re.compile(r"\W*[–—-]\W*")
# Years that may lie between two dates for them to be a life.
_LIFE = range(12, 115)
_MOST_OF_A_NAME = 10
_PARTICLES = frozenset("of the de del della da di du la le van von der den al el bin ibn y e af zu".split())  # noqa: SIM905
_EDGES = " \"'“”‘’,*"
# Words before a date that belong to it and not to the fragment.
_BEFORE = re.compile(
    r"(?:\b(?:in|on|since|by|until|till|through|from|to|during|around|about|circa|of|and|between)|\bc\.)?"
    r"\s*(?:\bthe\b)?\s*(?:\b(?:early|late|mid)\b-?)?\s*$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r";\s|\s[–—]\s|\s--\s")


@dataclass(frozen=True, slots=True)
class Fragment:
    """What a sentence says of a date: ``at`` is the number of words before the place where the date stood."""

    date: Date
    text: str
    at: int


def fragments(sentence: str) -> Iterator[Fragment]:
    """Yield the dates of a sentence with the fragment that each belongs to.

    >>> [(one.date.iso, one.text, one.at) for one in fragments("In 1947, Bell Labs invented the transistor.")]
    [('1947', 'Bell Labs invented the transistor', 0)]
    >>> text = "Ada Lovelace (10 December 1815 – 27 November 1852) wrote programs."
    >>> [(one.date.iso, one.text) for one in fragments(text)]
    [('1815-12-10', 'Ada Lovelace was born'), ('1852-11-27', 'Ada Lovelace died')]
    """
    found = list(dates(sentence))
    used: set[Date] = set()
    for place, date in enumerate(found):
        if date not in used:
            for one in _parenthesis(sentence, date, found[place + 1] if place + 1 < len(found) else None):
                used.add(one.date)
                yield one
    for date in found:
        if date not in used:
            start, end = _clause(sentence, date)
            left = _BEFORE.sub("", sentence[start : date.span.start]).rstrip(" ,(–—-")
            yield from _joined(date, left, sentence[date.span.end : end].lstrip(" ,)"))


def _parenthesis(sentence: str, date: Date, after: Date | None) -> Iterator[Fragment]:
    """Yield what dates in parentheses say of the name before them."""
    opening = _OPENING.search(sentence[: date.span.start])
    if opening is None:
        return
    subject = sentence[: sentence.rfind("(", 0, date.span.start)].strip(_EDGES)
    if not _is_name(subject):
        return
    if opening["born"]:
        yield from _joined(date, f"{subject} was born", "")
        return
    if after is None or not _DASH.fullmatch(sentence[date.span.end : after.span.start]):
        return
    rest = sentence[after.span.end :].lstrip()
    if not rest.startswith(")"):
        return
    apart = after.year - date.year if date.year is not None and after.year is not None else 0
    if apart in _LIFE and not subject.startswith("The "):
        yield from _joined(date, f"{subject} was born", "")
        yield from _joined(after, f"{subject} died", "")
        return
    for one in (date, after):
        yield from _joined(one, subject, rest.lstrip(" )"))


def _is_name(subject: str) -> bool:
    """Whether a text is a name: nothing but words in capitals and particles, nicknames in quotes, Jr. after a comma.

    >>> _is_name('George Herman "Babe" Ruth, Jr.'), _is_name("Sale of Babe Ruth and Aftermath")
    (True, False)
    """
    parts = [part.strip(_EDGES) for part in subject.split()]
    return 0 < len(parts) <= _MOST_OF_A_NAME and all(part[:1].isupper() or part in _PARTICLES for part in parts if part)


def _clause(sentence: str, date: Date) -> tuple[int, int]:
    start, end = 0, len(sentence)
    for cut in _CLAUSE.finditer(sentence):
        if cut.end() <= date.span.start:
            start = cut.end()
        elif cut.start() >= date.span.end:
            end = cut.start()
            break
    return start, end


def _joined(date: Date, left: str, right: str) -> Iterator[Fragment]:
    """Yield the two parts of a fragment as one; nothing if it is too short or too long to say something."""
    text = " ".join(f"{left} {right.rstrip(' .!?,;')}".split())
    if _LEAST_WORDS <= len(words(text)) <= _MOST_WORDS:
        yield Fragment(date, text, len(words(left)))
