"""The input cut into shards: a file each, small files together, large ones in pieces, in an order of its own.

A shard is done when its ``.json`` of counts exists and its table has the size that the counts say: a rerun goes on from
there. The table is on disk before the counts are written; counts that a loss of power takes are made again.
"""

import dataclasses
import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from likewise.errors import InputError
from likewise.platform import sync as sync_to_disk
from likewise.read import ReadOptions
from likewise.read.paths import Paths, files
from likewise.read.pieces import pieces
from likewise.read.source import Piece
from likewise.seals import parse_json
from likewise.storage import atomic_path

_SMALL = 256 << 10
_MOST_SHARDS = 4000
# A file is cut if it is this large and such a share of the input that the threads would wait for it.
_PIECE = 8 << 20
_SHARE = 32

File = tuple[str, str, Piece | None]


@dataclass(frozen=True, slots=True)
class Shard:
    """Files that are read together: whole paths, the names for ids, the pieces if not whole, and bytes in all."""

    number: int
    files: tuple[File, ...]
    size: int

    @property
    def name(self) -> str:
        """The name of the shard's files in the work folder."""
        return f"{self.number:05d}"


def plan(paths: Paths, read: ReadOptions | None = None) -> list[Shard]:
    """Return the shards of the files that ``paths`` name; that there is none is an error."""
    return plan_files(files(paths), read or ReadOptions())


def plan_files(
    named: Iterable[tuple[Path, str]], read: ReadOptions, whole: Callable[[str], bool] = lambda name: False
) -> list[Shard]:
    """Return the shards of files with their names, in order; those that must be read ``whole`` are not cut."""
    found = [(str(Path(path).absolute()), name, _size(path)) for path, name in named]
    if not found:
        raise InputError("there is no document to read in the paths given")
    return group(_cut(found, read, whole))


def _cut(
    found: list[tuple[str, str, int]], read: ReadOptions, whole: Callable[[str], bool]
) -> Iterator[tuple[File, int]]:
    total = sum(size for _, _, size in found)
    piece_size = max(_PIECE, total // _MOST_SHARDS)
    for path, name, size in found:
        large = size > max(2 * _PIECE, total // _SHARE) and not whole(name)
        cut = pieces(Path(path), name, read, piece_size) if large else []
        if cut:
            for piece in cut:
                yield (path, name, piece), size // len(cut)
        else:
            yield (path, name, None), size


def identity(shards: list[Shard], read: ReadOptions) -> dict[str, Any]:
    """Return what tells a run that goes on from one with other input, another version or another way of reading."""
    from likewise import __version__

    # Pieces follow from the file and the options; they are listed so that another way of cutting starts over.
    names = [
        [path, name, *_stamp(path), None if piece is None else [piece.start, piece.before]]
        for shard in shards
        for path, name, piece in shard.files
    ]
    return {"version": __version__, "read": dataclasses.asdict(read), "input": names}


def _stamp(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def group(found: Iterable[tuple[File, int]]) -> list[Shard]:
    """Put files with their sizes together until a shard is large enough.

    >>> sizes = {"a": 9, "b": 9, "c": 1 << 20, "d": 9}
    >>> [len(shard.files) for shard in group(((name, name, None), size) for name, size in sizes.items())]
    [3, 1]
    """
    listed = list(found)
    least = max(_SMALL, sum(size for _, size in listed) // _MOST_SHARDS)
    shards: list[Shard] = []
    members: list[File] = []
    total = 0
    for file, size in listed:
        members.append(file)
        total += size
        if total >= least:
            shards.append(Shard(len(shards), tuple(members), total))
            members, total = [], 0
    if members:
        shards.append(Shard(len(shards), tuple(members), total))
    return shards


def _size(path: Path) -> int:
    # A file that cannot be looked at is reported when it is read.
    try:
        return path.stat().st_size
    except OSError:
        return 0


def finished(marker: Path, table: Path) -> dict[str, Any] | None:
    """Return the counts of a shard that is done, else ``None``."""
    try:
        counts: dict[str, Any] = parse_json(marker.read_text(encoding="utf-8"))
        return counts if counts.pop("table_bytes") == table.stat().st_size else None
    except (OSError, ValueError, KeyError):
        return None


def finish(marker: Path, table: Path, counts: dict[str, Any]) -> dict[str, Any]:
    """Write the marker of a shard, whose table is on disk by then: zeros at its end would not change its size."""
    sync_to_disk(table)
    with atomic_path(marker, sync=False) as temporary:
        size = {"table_bytes": table.stat().st_size}
        temporary.write_text(json.dumps({**counts, **size}, sort_keys=True), encoding="utf-8")
    return counts
