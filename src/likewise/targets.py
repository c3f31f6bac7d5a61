"""Where output may go: :func:`check_target` refuses, before any work, to write over what is not ours.

A folder is ours if it has our marker (:func:`mark`) or a manifest of ours.
"""

import os
import tempfile
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path

from likewise.errors import StorageError
from likewise.seals import MANIFEST_NAME, Manifest, parse_json
from likewise.storage import atomic_write, is_blank

# Not ".likewise": that is the folder in which `serve` keeps what people enter.
MARKER_NAME = ".likewise-output"
COPIES_MARKER_NAME = ".likewise-copies.json"
# There: the files that copies use and that were brought along, which are no documents of theirs.
COPIES_BROUGHT = "brought along"


def check_target(
    path: str | os.PathLike[str],
    *,
    sources: Iterable[str | os.PathLike[str]] = (),
    force: bool = False,
) -> None:
    """Refuse a place that must not be written to, or cannot be, before any work is done.

    A source is never a target. What is there already is replaced with ``force`` only, and of folders only those that
    Likewise wrote itself (:func:`mark`, or a manifest).

    >>> import pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "names.csv").write_text("name")
    >>> check_target(folder / "out.csv")
    >>> check_target(folder / "names.csv", sources=[folder / "names.csv"], force=True)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    likewise.errors.StorageError: ...names.csv is read by this command and cannot be written by it: name another place
    """
    path = Path(path)
    here = path.resolve()
    for source in sources:
        there = Path(source).resolve()
        if there.exists() and (there == here or (here.is_dir() and here in there.parents)):
            raise StorageError(f"{path} is read by this command and cannot be written by it: name another place")
    if here.is_dir():
        if not is_blank(here) and not (force and is_ours(here)):
            why = "name another, or give --force to replace it" if is_ours(here) else "name an empty or a new one"
            raise StorageError(f"the folder {path} is not empty: {why}")
    elif here.is_file() and not force:
        raise StorageError(f"{path} exists already: name another file, or give --force to replace it")
    _check_writable(path)


def _check_writable(path: Path) -> None:
    folder = path if path.is_dir() else path.absolute().parent
    while not folder.exists():
        folder = folder.parent
    try:
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise StorageError(f"cannot write {path}: {error.strerror or error}") from error


def mark(folder: str | os.PathLike[str]) -> None:
    """Say in a folder that Likewise wrote it, so that Likewise may replace it."""
    with atomic_write(Path(folder) / MARKER_NAME, "w", encoding="utf-8") as file:
        file.write("Likewise wrote this folder and may replace it when told to.\n")


def is_ours(folder: str | os.PathLike[str]) -> bool:
    """Whether Likewise wrote a folder: it has our marker, or a manifest of ours."""
    if any((Path(folder) / name).is_file() for name in (MARKER_NAME, COPIES_MARKER_NAME)):
        return True
    try:
        content = parse_json((Path(folder) / MANIFEST_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(content, dict) and {one.name for one in fields(Manifest)} <= set(content)


def brought_along(folder: str | os.PathLike[str]) -> set[str]:
    """Return the names of the files in a folder of copies that only came along with them: pictures, included parts."""
    try:
        names = parse_json((Path(folder) / COPIES_MARKER_NAME).read_text(encoding="utf-8"))[COPIES_BROUGHT]
    except (OSError, ValueError, KeyError, TypeError):
        return set()
    return {name for name in names if isinstance(name, str)} if isinstance(names, list) else set()
