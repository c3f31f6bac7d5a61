"""Sentences become nuggets: pairs of a date and the fragment that says what happened then, by patterns.

==========================================  ==========================================
pattern                                     nugget
==========================================  ==========================================
In DATE, X did Y.                           DATE, X did Y
X did Y in DATE.                            DATE, X did Y
X (DATE - DATE) is ..., a lifetime apart    first DATE, X was born; last DATE, X died
X (born DATE) ...                           DATE, X was born
X (DATE - DATE) is ..., otherwise           both DATEs, X is ...
from DATE to DATE, X did Y                  both DATEs, X did Y
X in A (DATE), B (DATE) and C (DATE)        each DATE with its part
DATE – X did Y                              DATE, X did Y
==========================================  ==========================================
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from likewise.analyse.dates import Date, dates
from likewise.analyse.events import same_kind, stems
from likewise.analyse.question import words
from likewise.analyse.words import smart_stop_words

_LEAST_WORDS, _MOST_WORDS = 3, 60
# Of a longer one so many words on each side of the date are kept.
_BESIDE = 30
# Each date of a sentence looks at all of it, and what is longer than this is a list: it is read a stretch at a time.
_LONGEST = 2000
_STRETCH = re.compile(rf".{{1,{_LONGEST - 1}}}(?:\s|$)|.{{{_LONGEST}}}", re.DOTALL)  # no longer with its blank
# "(", perhaps other names or how they are said, perhaps "born".
_OPENING = re.compile(
    r"\(\s*(?:[^()]{0,250}?[;,:]\s*)?(?P<born>born\s+|b\.\s*)?(?:c\.|ca\.|circa|about)?\s*(?:on\s+|in\s+)?$"
)
_DASH = re.compile(r"\W*[–—-]\W*")
# Years that may lie between two dates for them to be a life; of a name within a sentence it may be a time in office.
_LIFE, _LONG_LIFE = range(12, 115), range(30, 115)
_MOST_OF_A_NAME = 10
_NUMBERED = re.compile(r"\d+(?:st|nd|rd|th)")
_PARTICLES = frozenset("of the de del della da di du la le van von der den al el bin ibn y e af zu".split())  # noqa: SIM905
_EDGES = " \"'“”‘’,*"
# Words before a date that belong to it and not to the fragment.
_BEFORE = re.compile(
    r"(?:\b(?:in|on|since|by|until|till|through|from|to|during|around|about|circa|of|and|between)|\bc\.)?"
    r"\s*(?:\bthe\b)?\s*(?:\b(?:early|late|mid)\b-?)?\s*$",
    re.IGNORECASE,
)
# Notes of an editor, dates of the old calendar.
_BRACKETS = re.compile(r"\s?\[[^\[\]]*\]")
_CLAUSE = re.compile(r";\s|\s[–—]\s|\s--\s")
# Where the parts of a list with a year each begin.
_PART = re.compile(r"[,;:)]\s|\b(?:and|or)\s")
# The name at the end of a text: words in capitals, particles between them.
_LAST_NAME = re.compile(
    rf"(?:[^\W\d_a-z][\w.'’-]*\s+(?:(?:{'|'.join(sorted(_PARTICLES))})\s+)*)+[^\W\d_a-z][\w.'’-]*,?$"
)
# As far apart are the ends of a range: 1914–1918, from 1914 until about 1918.
_RANGE = 12

# A sentence that speaks of what an earlier one named, perhaps after a date.
_DATED = r"(?:(?:In|On|By|Since|From|During)\b[^,]{0,40},\s)?"
# Words that may stand for any subject with *the* before them: *The company was sold*, but not *the company Acme*.
ANY_SUBJECT = frozenset(
    "company firm corporation organization organisation institution society union movement group band team club league "  # noqa: SIM905
    "party church school college university city town village settlement colony country kingdom empire republic "
    "republics war battle film movie book novel album song newspaper magazine journal release version edition program "
    "software language project product machine computer ship aircraft airline airport station bridge building tower "
    "museum theatre festival conference series show treaty".split()
)
_SPOKEN_OF = re.compile(
    rf"(?i:{_DATED}(?:he|she|it|they|his|her|its|their)\b)"
    rf"|(?i:{_DATED}(?:the|this)\s(?:{'|'.join(sorted(ANY_SUBJECT))})\b)(?!\s(?:of\s|[^\W\d_a-z]))"
)
_AGAIN, _NAME = re.compile(r"\bagain\b"), re.compile(r"(?<=[\w,] )[^\W\d_a-z][\w'’-]*")
# The name that a sentence begins with.
_FIRST_NAME = re.compile(
    rf"{_DATED}(?:[Tt]he\s)?[\"“']?(?P<name>[^\W\d_a-z][\w.'’-]*"
    rf"(?:\s(?:(?:{'|'.join(sorted(_PARTICLES))})\s)*(?:[^\W\d_a-z][\w.'’-]*|\d{{1,3}}(?:\.\d+)*\b(?!\.\d)(?=[\s,(:]))){{0,6}})"
)
# One that follows after a word or three: *Famed explorer Ernest Wick*.
_NEXT_NAME = re.compile(r"(?:,?\s[a-z][\w'’-]*){1,3}\s(?P<name>[^\W\d_a-z][\w.'’-]*(?:\s[^\W\d_a-z][\w.'’-]*){1,3})")


@dataclass(frozen=True, slots=True)
class Fragment:
    """What a sentence says of a date, as ``written`` there.

    ``at`` is the number of words before the place where the date stood.
    """

    date: Date
    written: str
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
    sentence = _BRACKETS.sub("", sentence)
    if len(sentence) > _LONGEST:
        for stretch in _STRETCH.findall(sentence):
            yield from fragments(stretch)
        return
    found = list(dates(sentence))
    for place, date in enumerate(found):
        of_name = list(_parenthesis(sentence, date, found[place + 1] if place + 1 < len(found) else None))
        if of_name:
            opens, closes = sentence.rfind("(", 0, date.span.start), sentence.find(")", date.span.end) + 1
            yield from of_name
            yield from fragments(f"{sentence[:opens].rstrip()}{sentence[closes or len(sentence) :]}")
            return
    listed = sum(_alone(sentence, date) for date in found) > 1
    for place, date in enumerate(found):
        start, end = _clause(sentence, date)
        first, last = _whole_range(found, place)
        if listed and _alone(sentence, date):
            start = max([start, *(cut.end() for cut in _PART.finditer(sentence, start, date.span.start - 2))])
            end = last
        left = _BEFORE.sub("", sentence[start:first]).rstrip(" ,(–—-")
        right = sentence[last : max(end, last)].lstrip(" ,):–—-")
        if last > date.span.end and right.startswith("when "):
            right = ""  # from 1960 until 1970, when it merged: that was the end
        yield from _joined(date, date.span.of(sentence), left, right)


def with_subjects(sentences: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the sentences of a document, each with the name that its *he* or *it* or *the company* stands for.

    What happened *again* is of the names of the sentence before.

    >>> list(with_subjects(["The Slinky is a toy.", "It was invented in 1943.", "Toys sell."]))
    [('The Slinky is a toy.', ''), ('It was invented in 1943.', 'Slinky'), ('Toys sell.', '')]
    >>> list(with_subjects(["She won the Oona Prize in 1903.", "She won it again in 1911."]))[1]
    ('She won it again in 1911.', 'Oona Prize')
    """
    subject = before = ""
    for sentence in sentences:
        again = _NAME.findall(before) if _AGAIN.search(sentence) else []
        if _SPOKEN_OF.match(sentence):
            yield sentence, " ".join([subject, *again]).strip()
        else:
            subject = _subject(sentence)
            yield sentence, " ".join(again)
        before = sentence


def spoken_of(fragment: str) -> bool:
    """Say whether a fragment speaks of what another sentence names.

    >>> spoken_of("She died"), spoken_of("the company was sold"), spoken_of("Ada Lovelace died")
    (True, True, False)
    """
    return _SPOKEN_OF.match(fragment) is not None


def _subject(sentence: str) -> str:
    """Return the name that a sentence begins with; after a first word that may be none, the next as well.

    >>> _subject("Ada Lovelace wrote it."), _subject("Famed explorer Ernest Wick stopped in Ohio.")
    ('Ada Lovelace', 'Famed Ernest Wick')
    """
    found = _FIRST_NAME.match(sentence)
    if found is None or found["name"].casefold() in smart_stop_words():
        return ""
    name = found["name"]
    later = _NEXT_NAME.match(sentence, found.end()) if " " not in name else None
    return name if later is None else f"{name} {later['name']}"


def _alone(sentence: str, date: Date) -> bool:
    """Whether a date is all that parentheses hold."""
    return sentence[: date.span.start].endswith("(") and sentence[date.span.end :].startswith(")")


def _whole_range(found: list[Date], place: int) -> tuple[int, int]:
    """Return from where to where the range goes that a date begins or ends; else the place of the date."""
    date = found[place]
    first, last = date.span.start, date.span.end
    if date.role == "start" and place + 1 < len(found) and found[place + 1].role == "end":
        last = found[place + 1].span.end if found[place + 1].span.start - last <= _RANGE else last
    if date.role == "end" and place and found[place - 1].role == "start":
        first = found[place - 1].span.start if first - found[place - 1].span.end <= _RANGE else first
    return first, last


def _parenthesis(sentence: str, date: Date, after: Date | None) -> Iterator[Fragment]:
    """Yield what dates in parentheses say of the name before them."""
    opening = _OPENING.search(sentence[: date.span.start])
    if opening is None:
        return
    subject, lives = sentence[: sentence.rfind("(", 0, date.span.start)].strip(_EDGES), _LIFE
    if not _is_name(subject):
        name = _LAST_NAME.search(" ".join(subject.split()[-_MOST_OF_A_NAME:]))
        if name is None or not _is_name(name[0]):
            return
        subject, lives = name[0], _LONG_LIFE
    if opening["born"]:
        yield from _joined(date, date.span.of(sentence), f"{subject} was born", "")
        return
    if after is None or not _DASH.fullmatch(sentence[date.span.end : after.span.start]):
        return
    rest = sentence[after.span.end :].lstrip()
    if not rest.startswith(")"):
        return
    apart = after.year - date.year if date.year is not None and after.year is not None else 0
    if apart in lives and not subject.startswith("The "):
        yield from _joined(date, date.span.of(sentence), f"{subject} was born", "")
        yield from _joined(after, after.span.of(sentence), f"{subject} died", "")
        return
    for one in (date, after) if lives is _LIFE else ():
        yield from _joined(one, one.span.of(sentence), subject, rest.lstrip(" )"))


def _is_name(subject: str) -> bool:
    """Whether a text is a name: nothing but words in capitals and particles, nicknames in quotes, Jr. after a comma.

    >>> _is_name('George Herman "Babe" Ruth, Jr.'), _is_name("Sale of Babe Ruth and Aftermath")
    (True, False)
    >>> _is_name("Benjamin Disraeli, 1st Earl of Beaconsfield")
    True
    """
    parts = [part.strip(_EDGES) for part in subject.split()]
    fits = (part[:1].isupper() or part in _PARTICLES or _NUMBERED.fullmatch(part) for part in parts if part)
    return 0 < len(parts) <= _MOST_OF_A_NAME and all(fits)


def _clause(sentence: str, date: Date) -> tuple[int, int]:
    start, end = 0, len(sentence)
    for cut in _CLAUSE.finditer(sentence):
        if sentence.count("(", 0, cut.start()) > sentence.count(")", 0, cut.start()):
            continue  # within parentheses
        if cut.end() <= date.span.start:
            start = cut.end()
        elif sentence[start : cut.start()].strip() not in ("", date.span.of(sentence)):
            end = cut.start()
            break  # unless it is a line of a table of years: 1969 – what happened
    return start, end


def _joined(date: Date, written: str, left: str, right: str) -> Iterator[Fragment]:
    """Yield the two parts of a fragment as one, of a long one what is near the date; nothing if it is too short."""
    before, after = left.split(), right.rstrip(" .!?,;").split()
    if len(before) + len(after) > _MOST_WORDS:
        before, after = before[-_BESIDE:], after[:_BESIDE]
    text = " ".join(before + after)
    found = words(text)
    if len(found) >= _LEAST_WORDS or (len(found) > 1 and same_kind().keys() & set(stems(found))):  # she died
        yield Fragment(date, written, text, len(words(" ".join(before))))
