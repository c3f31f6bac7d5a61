"""Query expansion: phrases of a query that a mined table knows become groups of alternatives, longest phrase first."""

import functools
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from likewise.analyse.words import is_stop_phrase
from likewise.options import check_integer, check_range
from likewise.results.paraphrases import Paraphrase, Paraphrases
from likewise.seals import stamp

# What is a word to the query language; everything else (quotes, groups, fields, minus) is left as it stands.
_PIECE = re.compile(r'-?\([^()]*\)|-?"[^"]*"|\S+')
_WORD = re.compile(r"(?:[^\W_]|['’.&-](?=[^\W_]))+")
_SPECIAL = re.compile(r'[()|"]')
_LONGEST = 6


def expand(query: str, paraphrases: Any, per_phrase: int = 4, min_probability: float = 0.5) -> str:
    """Return the query with every phrase that ``paraphrases`` knows as ``(phrase | paraphrase | ...)``.

    ``paraphrases`` is a :class:`~likewise.Paraphrases` or the path of one. The best ``per_phrase`` that are probable
    enough are taken, case and inflection as found; stop words are not widened, and what is already an operator stays.

    >>> pairs = Paraphrases.of_rows([("took effect", "came into force", 9), ("law", "act", 5), ("law", "statute", 7)])
    >>> expand("when the law took effect -draft", pairs, per_phrase=1)
    'when the (law | statute) ("took effect" | "came into force") -draft'
    """
    check_integer("per_phrase", per_phrase, 0)
    check_range("min_probability", min_probability, 0, 1)
    table = paraphrases if isinstance(paraphrases, Paraphrases) else _opened(Path(paraphrases))
    known = functools.partial(alternatives, table=table, per_phrase=per_phrase, min_probability=min_probability)
    pieces = _PIECE.findall(query)
    made: list[str] = []
    place = 0
    while place < len(pieces):
        length, group = _longest(pieces, place, known)
        made.append(group)
        place += length
    return " ".join(made)


def alternatives(
    phrase: str, table: Paraphrases, per_phrase: int, by: str = "probability", min_probability: float = 0.0
) -> list[Paraphrase]:
    """Return the best pairs of a phrase, without variants in case, at most ``per_phrase``."""
    if is_stop_phrase(phrase, table.language):
        return []
    seen = {phrase.casefold()}
    found: list[Paraphrase] = []
    for pair in table.of(phrase, by=by) or table.of(phrase.lower(), by=by):
        text = pair.paraphrase
        if len(found) == per_phrase:
            break
        if (
            text.casefold() in seen
            or _SPECIAL.search(text)
            or pair.probability <= 0
            or pair.probability < min_probability
            or is_stop_phrase(text, table.language)
        ):
            continue
        seen.add(text.casefold())
        found.append(pair)
    return found


def _longest(pieces: list[str], place: int, known: Callable[[str], list[Paraphrase]]) -> tuple[int, str]:
    """The longest known phrase at a place: how many pieces it takes, and its group."""
    first = pieces[place]
    if first.startswith('"') and len(first) > 2:
        found = known(first.strip('"'))
        return 1, _group(first.strip('"'), found) if found else first
    for length in range(min(_LONGEST, len(pieces) - place), 0, -1):
        words = pieces[place : place + length]
        # A mark may follow the last word ("operations?"), none may stand inside.
        tail = re.fullmatch(r"(.*?)[?!.,;]*", words[-1])
        words = [*words[:-1], tail[1] if tail else words[-1]]
        if not all(_WORD.fullmatch(word) for word in words):
            continue
        phrase = " ".join(words)
        found = known(phrase)
        if found:
            return length, _group(phrase, found)
    return 1, first


def _group(phrase: str, pairs: list[Paraphrase]) -> str:
    texts = [phrase, *(pair.paraphrase for pair in pairs)]
    return "(" + " | ".join(text if _WORD.fullmatch(text) else f'"{text}"' for text in texts) + ")"


def _opened(path: Path) -> Paraphrases:
    try:
        return _read(path, stamp(path))
    except OSError:
        return Paraphrases.read(path)  # says why it cannot be read


@functools.lru_cache(maxsize=4)
def _read(path: Path, _: tuple[int, int, int]) -> Paraphrases:
    # Many queries of one run use the same table.
    return Paraphrases.read(path)
