"""The query language: text in, :class:`Query` out; what cannot be understood is an error that points at the place.

======================  ==============================================================================
``when did it begin``   words; each counts as much as the measure says
``"took effect"``       a phrase; the text must have its words one after the other
``(began | started)``   alternatives; the one that fits a text best counts for it
``-word -"a phrase"``   texts that have it are left out; so are those with any member of ``-(a | b)``
``year:1999``           the field must have this value (a number), or these words (a text)
``year:1990..1999``     the field must lie between the two, both included; either may be absent
======================  ==============================================================================

A minus counts only at the start of a word, so ``client-server`` is two words. ``plain`` reads a text as nothing but
words, for queries that were written for people.

>>> query = parse('amtrak (began | "took effect") -freight year:1970..1979')
>>> [clause.kind for clause in query.clauses]
['words', 'group', 'words', 'field']
>>> parse('begin (a | b')
Traceback (most recent call last):
...
likewise.errors.QueryError: the group is not closed: ) expected at character 13
  begin (a | b
              ^
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from likewise.errors import QueryError
from likewise.read.document import Span

# The longest piece of a query that an error message repeats.
_SHOWN = 60
# More phrases, groups and fields than this no person writes, and each costs a look at every text.
MOST_OPERATORS = 256
# Quotation marks as word processors and other languages write them; each is one character, so that places stay.
_QUOTES = str.maketrans(dict.fromkeys("“”„‟«»‹›＂「」『』〝〞〟｢｣", '"'))
_TOKEN = re.compile(
    r"""
    (?P<space>\s+)
  | (?P<open>\()
  | (?P<close>\))
  | (?P<bar>\|)
  | (?P<quote>")
  | (?P<field>[^\W\d]\w*(?:[.-]\w+)*:(?=[^\s:/)|]))
  | (?P<word>[^\s()|"]+)
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Part:
    """Words, or a phrase: what an alternative of a group is made of, and what stands outside groups."""

    text: str
    phrase: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Clause:
    """One piece of a query: ``words``, ``phrase``, ``group`` or ``field``; ``negated`` if a minus stands before it."""

    kind: str
    span: Span
    parts: tuple[tuple[Part, ...], ...]  # alternatives, each a row of parts; one alternative unless a group
    negated: bool = False
    field: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """A query as understood."""

    text: str
    clauses: tuple[Clause, ...]

    @property
    def wanted(self) -> tuple[Clause, ...]:
        """What is scored: words, phrases and groups without a minus."""
        return tuple(clause for clause in self.clauses if not clause.negated and clause.kind != "field")

    @property
    def unwanted(self) -> tuple[Clause, ...]:
        """What must not occur."""
        return tuple(clause for clause in self.clauses if clause.negated and clause.kind != "field")

    @property
    def fields(self) -> tuple[Clause, ...]:
        """What fields must have, or with a minus must not."""
        return tuple(clause for clause in self.clauses if clause.kind == "field")


def straight(text: str) -> str:
    """Return a query with plain quotation marks for all kinds of them.

    >>> straight("“took effect”")
    '"took effect"'
    """
    return text.translate(_QUOTES)


def plain(text: str) -> Query:
    """Read a text as words only: no operator has a meaning.

    >>> [clause.kind for clause in plain('what is "x:y" (roughly)?').clauses]
    ['words']
    """
    if not text.strip():
        raise QueryError("the query is empty", text, 0)
    span = Span(0, len(text))
    return Query(text, (Clause("words", span, ((Part(text, False, span),),)),))


def parse(text: str) -> Query:
    """Read a query.

    >>> [(clause.kind, clause.negated) for clause in parse('one "two three" -four year:1971').clauses]
    [('words', False), ('phrase', False), ('words', True), ('field', False)]
    """
    if not text.strip():
        raise QueryError("the query is empty", text, 0)
    clauses: list[Clause] = []
    for number, clause in enumerate(_joined(_Reader(straight(text)).clauses())):
        if number > MOST_OPERATORS:
            raise query_error(
                f"a query has at most {MOST_OPERATORS} phrases, groups, exclusions and fields; read it as plain words:",
                text,
                clause.span.start,
            )
        clauses.append(clause)
    return Query(text, tuple(clauses))


def _joined(clauses: Iterator[Clause]) -> Iterator[Clause]:
    """Put words that stand side by side into one clause, so that a long query stays a short list."""
    row: list[Part] = []
    for clause in clauses:
        if clause.kind == "words" and not clause.negated:
            row.extend(clause.parts[0])
            continue
        if row:
            yield _words(row)
            row = []
        yield clause
    if row:
        yield _words(row)


def _words(row: list[Part]) -> Clause:
    return Clause("words", Span(row[0].span.start, row[-1].span.end), (tuple(row),))


class _Reader:
    """Reads a query from left to right, one clause at a time."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def clauses(self) -> Iterator[Clause]:
        while (kind := self.peek()) != "end":
            if kind == "close":
                raise self.error("there is no ( for this )", self.at)
            if kind == "bar":
                raise self.error("| separates alternatives inside ( ) only", self.at)
            yield from self.clause()

    def clause(self) -> Iterator[Clause]:
        start = self.at
        negated = self.minus()
        kind = self.peek(skip=not negated)
        if kind == "quote":
            part = self.phrase()
            yield Clause("phrase", Span(start, self.at), ((part,),), negated)
        elif kind == "open":
            yield self.group(start, negated)
        elif kind == "field":
            yield self.field(start, negated)
        elif kind == "word":
            part = self.word()
            yield Clause("words", Span(start, self.at), ((part,),), negated)

    def peek(self, skip: bool = True) -> str:
        while True:
            match = _TOKEN.match(self.text, self.at)
            if match is None:
                return "end"
            if match.lastgroup == "space" and skip:
                self.at = match.end()
                continue
            return str(match.lastgroup)

    def minus(self) -> bool:
        """Step over a minus that has something to exclude right behind it; a dash on its own is punctuation."""
        after = self.at + 1
        if self.text[self.at] != "-" or after >= len(self.text):
            return False
        if self.text[after] == "-" or self.text[after].isspace() or self.text[after] in ")|":
            return False
        self.at = after
        return True

    def word(self) -> Part:
        match = _TOKEN.match(self.text, self.at)
        assert match is not None
        start, self.at = self.at, match.end()
        return Part(match.group(), False, Span(start, self.at))

    def phrase(self) -> Part:
        start = self.at
        end = self.text.find('"', start + 1)
        if end < 0:
            raise self.error('the phrase is not closed: " expected', len(self.text))
        inside = self.text[start + 1 : end]
        if not inside.strip():
            raise self.error("the phrase is empty", start)
        self.at = end + 1
        return Part(inside, True, Span(start, self.at))

    def group(self, start: int, negated: bool) -> Clause:
        self.at += 1
        alternatives: list[tuple[Part, ...]] = []
        row: list[Part] = []
        while True:
            kind = self.peek()
            if kind == "end":
                raise self.error("the group is not closed: ) expected", len(self.text))
            if kind == "open":
                raise self.error("a group cannot stand inside a group", self.at)
            if kind == "field":
                raise self.error("a field cannot stand inside a group", self.at)
            if kind in ("bar", "close"):
                if not row:
                    raise self.error("an alternative is missing", self.at)
                alternatives.append(tuple(row))
                row = []
                self.at += 1
                if kind == "close":
                    return Clause("group", Span(start, self.at), tuple(alternatives), negated)
            elif kind == "quote":
                row.append(self.phrase())
            else:
                row.append(self.word())

    def field(self, start: int, negated: bool) -> Clause:
        match = _TOKEN.match(self.text, self.at)
        assert match is not None
        name = match.group()[:-1]
        self.at = match.end()
        if self.peek(skip=False) == "open":
            raise self.error("a field takes one value, or a range such as 1990..1999", self.at)
        if self.peek(skip=False) == "quote":
            part = self.phrase()
        else:
            # A value may hold colons (a time, a date with time), so it is taken up to the next space or operator.
            value = re.compile(r'[^\s()|"]+').match(self.text, self.at)
            assert value is not None
            part = Part(value.group(), False, Span(self.at, value.end()))
            self.at = value.end()
        return Clause("field", Span(start, self.at), ((part,),), negated, name)

    def error(self, message: str, place: int) -> QueryError:
        return query_error(message, self.text, place)


def query_error(message: str, text: str, place: int) -> QueryError:
    """Make the error that shows the query around ``place`` with a mark under it."""
    first = max(0, place - _SHOWN // 2)
    shown = text[first : first + _SHOWN].translate({ord(c): " " for c in "\n\r\t\v\f"})
    picture = f"  {shown}\n  {' ' * (place - first)}^"
    return QueryError(f"{message} at character {place + 1}\n{picture}", text, place)
