"""Synonym files for search engines."""

import os
from collections.abc import Iterable
from typing import Any

from likewise.options import check_integer
from likewise.storage import atomic_write


def escape(phrase: str) -> str:
    r"""Return a phrase for the Solr format, in which commas, ``=>`` and ``#`` have a meaning.

    >>> escape("1,000"), escape("a => b")
    ('1\\,000', 'a \\=> b')
    """
    return phrase.replace("\\", "\\\\").replace(",", "\\,").replace("=>", "\\=>").replace("#", "\\#")


def write_synonyms(pairs: Iterable[Any], path: str | os.PathLike[str], per_phrase: int, min_probability: float) -> int:
    """Write ``phrase => phrase, best, next best``, a line a phrase, sorted; return the number of lines.

    Explicit mappings, because being a paraphrase is not transitive: a line ``a, b, c`` would make b and c equal.
    """
    check_integer("per_phrase", per_phrase, 1)
    wider: dict[str, list[tuple[float, int, str]]] = {}
    for pair in pairs:
        if pair.probability >= min_probability and pair.kind != "case":
            for a, b in ((pair.phrase, pair.paraphrase), (pair.paraphrase, pair.phrase)):
                wider.setdefault(a, []).append((-pair.probability, -pair.support, b))
    with atomic_write(path, "w", encoding="utf-8", newline="\n") as file:
        for phrase in sorted(wider):
            best = [text for _, _, text in sorted(wider[phrase])[:per_phrase]]
            file.write(f"{escape(phrase)} => {', '.join(escape(text) for text in (phrase, *best))}\n")
    return len(wider)
