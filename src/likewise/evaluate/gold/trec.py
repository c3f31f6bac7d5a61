"""TREC files in and out: runs (``query Q0 document rank score tag``) and qrels (``query 0 document grade``)."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from likewise.errors import FormatError
from likewise.read.old_files import read_text
from likewise.storage import atomic_write


def read_run(path: str | os.PathLike[str]) -> dict[str, dict[str, float]]:
    """Read a run: query -> document -> score. A document that comes twice keeps its better score."""
    run: dict[str, dict[str, float]] = {}
    for number, fields in _lines(path):
        if len(fields) not in (5, 6):
            raise FormatError(f"{path} line {number} has {len(fields)} fields, not the six of a run file")
        try:
            score = float(fields[4])
        except ValueError:
            raise FormatError(f"{path} line {number}: the score {fields[4]!r} is not a number") from None
        found = run.setdefault(fields[0], {})
        found[fields[2]] = max(score, found.get(fields[2], score))
    return run


def write_run(path: str | os.PathLike[str], run: Mapping[str, Mapping[str, float]], tag: str = "likewise") -> None:
    """Write a run, best first; equal scores by document id. Blanks in ids or tag would break the format."""
    with atomic_write(path, "w", encoding="utf-8") as file:
        for query, found in run.items():
            _check_ids(path, [query, tag, *found])
            for rank, (document, score) in enumerate(sorted(found.items(), key=lambda hit: (-hit[1], hit[0])), 1):
                file.write(f"{query} Q0 {document} {rank} {score!r} {tag}\n")


def read_qrels(path: str | os.PathLike[str]) -> dict[str, dict[str, int]]:
    """Read qrels: query -> document -> grade."""
    qrels: dict[str, dict[str, int]] = {}
    for number, fields in _lines(path):
        if len(fields) != 4:
            raise FormatError(f"{path} line {number} has {len(fields)} fields, not the four of a qrels file")
        try:
            grade = int(float(fields[3]))
        except ValueError:
            raise FormatError(f"{path} line {number}: the grade {fields[3]!r} is not a number") from None
        qrels.setdefault(fields[0], {})[fields[2]] = grade
    return qrels


def write_qrels(path: str | os.PathLike[str], qrels: Mapping[str, Mapping[str, int]]) -> None:
    """Write qrels."""
    with atomic_write(path, "w", encoding="utf-8") as file:
        for query, grades in qrels.items():
            _check_ids(path, [query, *grades])
            for document, grade in grades.items():
                file.write(f"{query} 0 {document} {grade}\n")


def _lines(path: str | os.PathLike[str]) -> Iterable[tuple[int, list[str]]]:
    lines = [(number, line.split()) for number, line in enumerate(read_text(Path(path)).split("\n"), 1) if line.strip()]
    if not lines:
        raise FormatError(f"{path} is empty")
    return lines


def _check_ids(path: str | os.PathLike[str], ids: Iterable[str]) -> None:
    for key in ids:
        if not key or any(character.isspace() for character in key):
            raise FormatError(f"cannot write {path}: the id {key!r} is empty or has a blank, which the format forbids")
