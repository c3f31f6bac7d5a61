"""Expressions over lists: read, and made into one ranked list.

A sentence list with ``sd`` behind its name stands for the paragraph pairs it proposes. ``a + b`` are the pairs in both,
``a | b`` those in either, ``a - b`` those of a which are not in b; operators bind equally, from the left; parentheses
group. Where a name may stand, so may a list of your own: ``paragraph(...)`` or ``sentence(...)`` with the fields of
:class:`ListOptions`, as in ``21+sentence(measure=matches,min_matches=4)sd``.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from likewise.errors import OptionError
from likewise.jobs.link.options import ListOptions
from likewise.jobs.link.presets import PRESETS
from likewise.jobs.link.rankings import Ranked, Rankings
from likewise.jobs.link.vectors import Ints
from likewise.options import from_mapping
from likewise.seals import parse_json

_OWN_LIST = re.compile(r"(paragraph|sentence)\(([^()]*)\)")
_TOKEN = re.compile(rf"\s*(?:([+|()-])|({_OWN_LIST.pattern}(?:sd)?|\w+))")


@dataclass(frozen=True, slots=True)
class Named:
    """A list by name; ``proposes`` stands for the suffix ``sd``."""

    name: str
    proposes: bool = False

    def __str__(self) -> str:
        return self.name + ("sd" if self.proposes else "")


@dataclass(frozen=True, slots=True)
class Combined:
    """Two expressions and the operator between them."""

    operator: str
    left: "Expression"
    right: "Expression"

    def __str__(self) -> str:
        right = f"({self.right})" if isinstance(self.right, Combined) else str(self.right)
        return f"{self.left}{self.operator}{right}"


Expression = Named | Combined


def parse(text: str, known: Mapping[str, ListOptions] = PRESETS) -> Expression:
    """Read an expression over known lists.

    >>> str(parse("21 + 31sd")), str(parse("(24|21)-3sd"))
    ('21+31sd', '24|21-3sd')
    >>> parse("21+99")
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: preset '21+99': there is no list '99'; known are kin, 21, 24, 25, 3, 19, 17, 31, 35
    """
    known = with_own(text, known)
    tokens = list(_tokens(text))
    expression, rest = _sequence(text, tokens, known)
    if rest:
        raise OptionError(f"preset {text!r}: what is {rest[0]!r} doing there?")
    _check_scopes(text, expression, known)
    return expression


def with_own(text: str, known: Mapping[str, ListOptions]) -> dict[str, ListOptions]:
    """Return the known lists and those that an expression describes itself.

    >>> with_own("21+sentence(min_matches=4, measure=matches)sd", {})["sentence(min_matches=4, measure=matches)"].scope
    'sentence'
    """
    found = dict(known)
    for match in _OWN_LIST.finditer(text):
        values: dict[str, object] = {"scope": match[1]}
        for part in filter(None, (part.strip() for part in match[2].split(","))):
            name, equals, value = (piece.strip() for piece in part.partition("="))
            if not equals:
                raise OptionError(f"preset {text!r}: {part!r} must be name=value")
            if name == "scope":
                raise OptionError(f"preset {text!r}: the scope is the word before the bracket")
            try:
                # The name of a list is a name, also where it is a number.
                values[name] = value if name == "within" else parse_json(value.lower())
            except ValueError:
                values[name] = value
        found[match[0]] = from_mapping(ListOptions, values)
    return found


def names(expression: Expression) -> list[Named]:
    """Return the lists of an expression, each once, from the left."""
    if isinstance(expression, Named):
        return [expression]
    found = names(expression.left)
    return found + [name for name in names(expression.right) if name not in found]


def _tokens(text: str) -> Iterator[str]:
    position = 0
    stripped = text.rstrip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if not match:
            raise OptionError(f"preset {text!r} cannot be read at character {position + 1}: use names, +, |, - and ()")
        yield match[1] or match[2]
        position = match.end()


def _sequence(text: str, tokens: list[str], known: Mapping[str, ListOptions]) -> tuple[Expression, list[str]]:
    left, tokens = _one(text, tokens, known)
    while tokens and tokens[0] in "+|-":
        right, rest = _one(text, tokens[1:], known)
        left, tokens = Combined(tokens[0], left, right), rest
    return left, tokens


def _one(text: str, tokens: list[str], known: Mapping[str, ListOptions]) -> tuple[Expression, list[str]]:
    if not tokens or tokens[0] in "+|-)":
        raise OptionError(f"preset {text!r}: the name of a list is missing")
    if tokens[0] == "(":
        inner, rest = _sequence(text, tokens[1:], known)
        if not rest or rest[0] != ")":
            raise OptionError(f"preset {text!r}: a parenthesis is not closed")
        return inner, rest[1:]
    name = tokens[0]
    proposes = name not in known and name.endswith("sd")
    base = name.removesuffix("sd") if proposes else name
    if base not in known:
        raise OptionError(f"preset {text!r}: there is no list {base!r}; known are {', '.join(known)}")
    if proposes and known[base].scope != "sentence":
        raise OptionError(f"preset {text!r}: {base} is a list of paragraphs, so that {name} means nothing")
    return Named(base, proposes), tokens[1:]


def _check_scopes(text: str, expression: Expression, known: Mapping[str, ListOptions]) -> None:
    scopes = {known[name.name].scope == "sentence" and not name.proposes for name in names(expression)}
    if len(scopes) > 1:
        raise OptionError(
            f"preset {text!r} mixes pairs of sentences and of paragraphs: write sd behind the sentence lists"
        )
    for name in names(expression):
        inner = known[name.name].within
        if inner is not None and (inner not in known or known[inner].scope != "paragraph"):
            raise OptionError(f"list {name.name!r}: within must name a list of paragraphs, not {inner!r}")


def ranked(expression: Expression, rankings: Rankings) -> Ranked:
    """Return the list that an expression stands for."""
    if isinstance(expression, Named):
        found = rankings.make(expression.name)
        return rankings.propose(found) if expression.proposes else found
    return combine(expression.operator, ranked(expression.left, rankings), ranked(expression.right, rankings))


def combine(operator: str, left: Ranked, right: Ranked) -> Ranked:
    """Combine two ranked lists of the same scope.

    The joint list has the order of the paragraph list, where one is proposed by sentences and the other is not, and of
    the left one otherwise; a union is ordered by the better of the two ranks; a difference as the left list.
    """
    if operator == "-":
        return left.take(np.flatnonzero(rank_of(left, right) < 0))
    if operator == "+":
        if left.proposed and not right.proposed:
            left, right = right, left
        return left.take(np.flatnonzero(rank_of(left, right) >= 0))
    alone = np.flatnonzero(rank_of(right, left) < 0)
    in_right = rank_of(left, right)
    rank = np.arange(len(left), dtype=np.int64)
    rank = np.where(in_right >= 0, np.minimum(rank, in_right), rank)
    order = np.lexsort((np.repeat([0, 1], [len(left), len(alone)]), np.concatenate([rank, alone])))
    return Ranked(
        left.scope,
        np.concatenate([left.left, right.left[alone]])[order],
        np.concatenate([left.right, right.right[alone]])[order],
        np.concatenate([left.score, right.score[alone]])[order],
        proposed=left.proposed and right.proposed,
    )


def rank_of(pairs: Ranked, where: Ranked) -> Ints:
    """Return for each pair its place in another list, from 0, or -1."""
    if not len(where) or not len(pairs):
        return np.full(len(pairs), -1, dtype=np.int64)
    width = int(max(pairs.right.max(), where.right.max())) + 1
    keys = where.left * width + where.right
    order = np.argsort(keys)
    wanted = pairs.left * width + pairs.right
    found = np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)
    return np.where(keys[order][found] == wanted, order[found], -1)
