r"""Labelled pairs of texts: the MSR paraphrase file, RTE XML (1 to 3), and generic TSV, CSV, JSONL or Parquet.

:func:`read` looks into the file and takes the reader that fits.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import ColumnError, FormatError, InputError
from likewise.read.old_files import read_text
from likewise.read.texts import is_column
from likewise.read.truth import KNOWN, truth

_NAMES = {
    "left": ("left", "text1", "sentence1", "question1", "text_a", "a", "t", "premise", "text", "#1 string"),
    "right": ("right", "text2", "sentence2", "question2", "text_b", "b", "h", "hypothesis", "#2 string"),
    "label": ("label", "gold", "quality", "is_duplicate", "entailment", "value", "paraphrase", "y"),
    "id": ("id", "pair_id", "pairid", "index"),
}
_PAIR = re.compile(r"<pair\b([^>]*)>(.*?)</pair\s*>", re.DOTALL | re.IGNORECASE)
_ATTRIBUTE = re.compile(r"([\w-]+)\s*=\s*(?:\"([^\"]*)\"|'([^']*)')")


@dataclass(frozen=True, slots=True)
class LabelledPairs:
    """Pairs of texts, each with a yes or no: does the left say, or entail, the right?"""

    name: str
    ids: Sequence[str]
    lefts: Sequence[str]
    rights: Sequence[str]
    labels: NDArray[np.bool_]
    notes: tuple[str, ...] = field(default=())

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, pairs: Any) -> "LabelledPairs":
        """Return pairs from a file, from (left, right, label) rows, or as they are.

        >>> LabelledPairs.of([("a cat", "the cat", True), ("a cat", "a dog", "no")]).labels.tolist()
        [True, False]
        """
        if isinstance(pairs, LabelledPairs):
            return pairs
        if isinstance(pairs, str | os.PathLike):
            return read(Path(pairs))
        if is_column(pairs) or isinstance(pairs, Mapping):
            from likewise.read.tables import read_table

            return _generic(Path("pairs"), read_table(pairs, name="pairs").table.to_pylist(), True)
        if not isinstance(pairs, Iterable):
            raise InputError(f"labelled pairs are rows of (left text, right text, label), not {type(pairs).__name__}")
        given = list(pairs)
        if given and all(isinstance(row, Mapping) for row in given):
            return _generic(Path("pairs"), given, True)
        if not all(isinstance(row, Sequence) and not isinstance(row, str) for row in given):
            raise InputError("labelled pairs are rows of (left text, right text, label), or the path of a file")
        rows = [tuple(row) for row in given]
        if any(len(row) != 3 or not (isinstance(row[0], str) and isinstance(row[1], str)) for row in rows):
            raise InputError("labelled pairs are rows of (left text, right text, label), or the path of a file")
        numbered = ((str(at), left, right, str(label)) for at, (left, right, label) in enumerate(rows))
        return _collect(Path("rows"), numbered, True, [])

    def take(self, places: NDArray[np.int64]) -> "LabelledPairs":
        """Return the pairs at the given places."""
        return LabelledPairs(
            self.name,
            [self.ids[at] for at in places],
            [self.lefts[at] for at in places],
            [self.rights[at] for at in places],
            self.labels[places],
            self.notes,
        )


def read(path: str | Path, *, labels: bool = True) -> LabelledPairs:
    """Read labelled pairs of any known format; with ``labels=False`` a file without labels will do.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pairs.tsv"
    >>> _ = path.write_text("left\\tright\\tlabel\\nred fish\\tblue fish\\tno\\n")
    >>> pairs = read(path)
    >>> pairs.lefts, pairs.rights, pairs.labels.tolist()
    (['red fish'], ['blue fish'], [False])
    """
    path = Path(path)
    text = "" if path.suffix.lower() in (".csv", ".parquet") else read_text(path)
    head = text.lstrip()[:4000]
    if not head or head.startswith("{"):
        from likewise.read.tables import TableOptions, read_table

        options = TableOptions(format="jsonl" if head else None, strict=True)
        return _generic(path, read_table(path, options, wanted=("left", "right", "label")).table.to_pylist(), labels)
    if "<pair" in head or head.startswith("<?xml") or path.suffix == ".xml":
        return _rte(path, text, labels)
    if head.lower().startswith("quality\t"):
        return _msr(path, text, labels)
    return _generic(path, _tab_rows(path, text), labels)


def _msr(path: Path, text: str, labels: bool) -> LabelledPairs:
    """Quality, #1 ID, #2 ID, #1 String, #2 String; quotation marks are text, so no CSV reader must see it."""
    rows = [line.split("\t") for line in text.split("\n")[1:] if line.strip()]
    good = [row for row in rows if len(row) == 5]
    notes = [f"{len(rows) - len(good)} lines without five fields are left out"] if len(good) < len(rows) else []
    return _collect(path, ((f"{row[1]}-{row[2]}", row[3], row[4], row[0]) for row in good), labels, notes)


def _rte(path: Path, text: str, labels: bool) -> LabelledPairs:
    """``<pair entailment="YES|NO">`` (RTE-2, 3) or ``value="TRUE|FALSE"`` (RTE-1) around ``<t>`` and ``<h>``.

    Read by pattern: some of these files are not well-formed XML, and a DTD they name is never at hand.
    """
    rows = []
    notes = []
    for number, match in enumerate(_PAIR.finditer(text), 1):
        attributes = {name.lower(): (a or b) for name, a, b in _ATTRIBUTE.findall(match[1])}
        left, right = _element("t", match[2]), _element("h", match[2])
        if left is None or right is None:
            notes.append(f"pair {attributes.get('id', number)} lacks <t> or <h> and is left out")
            continue
        label = attributes.get("entailment", attributes.get("value"))
        rows.append((attributes.get("id", str(number)), left, right, label))
    if not rows:
        raise FormatError(f"{path} holds no <pair> with <t> and <h>")
    return _collect(path, rows, labels, notes)


def _element(name: str, content: str) -> str | None:
    match = re.search(rf"<{name}\b[^>]*>(.*?)</{name}\s*>", content, re.DOTALL | re.IGNORECASE)
    return None if match is None else " ".join(unescape(match[1]).split())


def _tab_rows(path: Path, text: str) -> list[dict[str, Any]]:
    lines = [line.split("\t") for line in text.split("\n") if line.strip()]
    if not lines or len(lines[0]) < 2:
        raise FormatError(f"{path} is neither MSR, RTE XML, CSV, JSONL nor a table with tabs and a header line")
    header = [name.strip() for name in lines[0]]
    return [dict(zip(header, row, strict=False)) for row in lines[1:]]


def _generic(path: Path, rows: list[dict[str, Any]], labels: bool) -> LabelledPairs:
    names = {name.lower(): name for name in (rows[0] if rows else {})}
    column: dict[str, str | None] = {}
    for role, wanted in _NAMES.items():
        column[role] = next((names[name] for name in wanted if name in names), None)
    for role in ("left", "right", *(("label",) if labels else ())):
        if column[role] is None:
            raise ColumnError(
                f"{path} has no column for the {role} (one of {', '.join(_NAMES[role])});"
                f" it has {', '.join(names.values())}"
            )

    def value(row: Mapping[str, Any], role: str, otherwise: str | None) -> str | None:
        name = column[role]
        found = row.get(name) if name is not None else None
        return otherwise if found is None else str(found)

    return _collect(
        path,
        (
            (value(row, "id", str(at)) or str(at), value(row, "left", "") or "", value(row, "right", "") or "",
             value(row, "label", None))
            for at, row in enumerate(rows)
        ),
        labels,
        [],
    )  # fmt: skip


def _collect(
    path: Path, rows: Iterable[tuple[str, str, str, str | None]], labels: bool, notes: list[str]
) -> LabelledPairs:
    ids, lefts, rights, marks = [], [], [], []
    for key, left, right, label in rows:
        mark = truth(label)
        if labels and mark is None:
            raise FormatError(f"{path}: pair {key} has the label {label!r}; it must be {KNOWN}")
        ids.append(key)
        lefts.append(left)
        rights.append(right)
        marks.append(bool(mark))
    if not ids:
        raise FormatError(f"{path} holds no pairs")
    return LabelledPairs(path.stem, ids, lefts, rights, np.array(marks, dtype=bool), tuple(notes))
