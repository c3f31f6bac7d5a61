"""Queries widened by paraphrases, with every alternative open to be switched off."""

from collections.abc import Collection

from pydantic import BaseModel

from likewise.index.query import Clause, parse
from likewise.index.widen import expand
from likewise.results.paraphrases import Paraphrases


class Widened(BaseModel):
    """A phrase of the query, and what was also searched for."""

    phrase: str
    also: list[str]
    off: list[str]


def widen(query: str, table: Paraphrases, per_phrase: int, without: Collection[str]) -> tuple[str, list[Widened]]:
    """Return the query to search, and for each widened phrase its alternatives, those switched off apart.

    >>> table = Paraphrases.of_rows([("law", "act", 5), ("law", "statute", 7)])
    >>> widen("the law -draft", table, 2, {"act"})
    ('the (law | statute) -draft', [Widened(phrase='law', also=['statute'], off=['act'])])
    """
    written = {query[clause.span.start : clause.span.end] for clause in parse(query).clauses if clause.kind == "group"}
    text = expand(query, table, per_phrase)
    made: list[Widened] = []
    pieces, at = [], 0
    for clause in parse(text).clauses:
        group = text[clause.span.start : clause.span.end]
        if clause.kind != "group" or group in written or clause.negated:
            continue
        phrase, *others = (_text(clause, row) for row in range(len(clause.parts)))
        also = [other for other in others if other not in without]
        made.append(Widened(phrase=phrase, also=also, off=[other for other in others if other in without]))
        kept = " | ".join(_quoted(one) for one in (phrase, *also))
        pieces += [text[at : clause.span.start], f"({kept})" if also else _quoted(phrase)]
        at = clause.span.end
    return "".join([*pieces, text[at:]]), made


def _text(clause: Clause, row: int) -> str:
    return " ".join(part.text for part in clause.parts[row])


def _quoted(text: str) -> str:
    return f'"{text}"' if " " in text else text
