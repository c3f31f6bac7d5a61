"""Several books by name: whose passages may be linked with whose."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import OptionError
from likewise.read import Document


def are_books(source: object) -> bool:
    """Say whether a mapping names books (paths or documents) rather than texts."""
    return (
        isinstance(source, Mapping)
        and bool(source)
        and all(isinstance(one, os.PathLike | list | tuple) for one in source.values())
    )


def books_of(source: Mapping[str, Any], read: Callable[[Any], Iterable[Document]]) -> list[Document]:
    """Return the documents of named books; their ids begin with the name, and it is their book's where it has none."""
    found = []
    for name, one in source.items():
        found += [replace(each, id=f"{name}/{each.id}", book=each.book or name) for each in read(one)]
    return found


def book_names(source: object, documents: Sequence[Document]) -> list[str]:
    """Return the name of the book of each document, empty where books have no names."""
    names = list(source) if isinstance(source, Mapping) and are_books(source) else []
    return [next((name for name in names if each.id.startswith(f"{name}/")), "") for each in documents]


def book_partners(names: Sequence[str], rules: Sequence[str]) -> NDArray[np.bool_]:
    """Return which books may be linked with which.

    >>> book_partners(["a", "b", "c"], ["a-c", "within"]).astype(int).tolist()
    [[1, 0, 1], [0, 1, 0], [1, 0, 1]]
    """
    if not names:
        raise OptionError(f"books is {', '.join(rules)}, but no books are named: give them as name=path")
    table = np.zeros((len(names), len(names)), dtype=bool)
    for rule in rules:
        if rule == "within":
            table |= np.eye(len(names), dtype=bool)
        elif rule == "across":
            table |= ~np.eye(len(names), dtype=bool)
        else:
            pairs = [(a, b) for a in names for b in names if rule == f"{a}-{b}"]
            if not pairs:
                known = ", ".join(names)
                raise OptionError(f"books must be within, across, or two names as a-b, not {rule!r}; books are {known}")
            a, b = (names.index(one) for one in pairs[0])
            table[a, b] = table[b, a] = True
    return table
