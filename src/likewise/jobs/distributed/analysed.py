"""Analysed texts in memory-mapped files, so that a block which many tasks need is analysed once."""

import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from likewise import _core
from likewise.analyse.phrases import Phrases
from likewise.index.container import map_arrays, write_arrays
from likewise.measure import TextMeasure
from likewise.measure.terms import PreparedTerms, TermMeasure

_PARTS = ("left", "right", "left_bound", "right_bound")


def analysed(path: Path | None, measure: TextMeasure, analyse: Callable[[], Any]) -> Any:
    """Return what ``analyse`` gives, from the file if it is there; rows of terms are kept in it, others never."""
    if path is None or not isinstance(measure, TermMeasure):
        return analyse()
    if not path.exists():
        prepared = analyse()
        write(path, arrays(prepared))
        return prepared
    return rows(map_arrays(path))


def arrays(prepared: PreparedTerms) -> dict[str, NDArray[Any]]:
    """Return rows of terms as arrays; where both sides have the same, they are there once."""
    made: dict[str, NDArray[Any]] = {}
    for name in _PARTS:
        part = getattr(prepared, name)
        same = name.startswith("right") and part is getattr(prepared, name.replace("right", "left"))
        if part is not None and not same:
            made |= {f"{name}.indptr": part.indptr, f"{name}.ids": part.ids, f"{name}.weights": part.weights}
    if prepared.phrases is not None:
        found = prepared.phrases
        made |= {"phrases.indptr": found.indptr, "phrases.ids": found.phrases, "phrases.places": found.positions}
    return made


def rows(mapped: dict[str, NDArray[Any]]) -> PreparedTerms:
    """Return the rows of terms that arrays are of: of a mapped file only what is looked at is read."""

    def part(name: str) -> _core.Rows:
        return _core.Rows(*(mapped[f"{name}.{one}"] for one in ("indptr", "ids", "weights")))

    made = {name: part(name) for name in _PARTS if f"{name}.ids" in mapped}
    left, right = made["left"], made.get("right", made["left"])
    if "phrases.ids" not in mapped:
        return PreparedTerms(left, right)
    found = Phrases(*(mapped[f"phrases.{one}"] for one in ("indptr", "ids", "places")))
    bound = made["left_bound"]
    return PreparedTerms(left, right, found, bound, made.get("right_bound", bound))


def write(path: Path, made: dict[str, NDArray[Any]]) -> Path:
    """Write arrays to a file that appears whole, if it is not there."""
    if not path.exists():
        # Several tasks may write the same at once: each has a name of its own, which no other takes for left behind.
        temporary = path.with_name(f"{uuid.uuid4().hex}.part")
        try:
            write_arrays(temporary, made)
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    return path
