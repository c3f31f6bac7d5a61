"""The input cut into shards: a file each, small files several together, in an order that depends on nothing else."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from likewise.read.paths import Paths, files

_SMALL = 256 << 10
_MOST_SHARDS = 4000


@dataclass(frozen=True, slots=True)
class Shard:
    """Files that are read together: their paths, the names for ids, and their sizes in bytes."""

    number: int
    files: tuple[tuple[str, str], ...]
    size: int

    @property
    def name(self) -> str:
        """The name of the shard's files in the work folder."""
        return f"{self.number:05d}"


def plan(paths: Paths) -> list[Shard]:
    """Return the shards of the files that ``paths`` name."""
    return group([(str(Path(path).absolute()), name, _size(path)) for path, name in files(paths)])


def group(found: Iterable[tuple[str, str, int]]) -> list[Shard]:
    """Put files (path, name, size) together until a shard is large enough.

    >>> [len(shard.files) for shard in group([("a", "a", 9), ("b", "b", 9), ("c", "c", 1 << 20), ("d", "d", 9)])]
    [3, 1]
    """
    listed = list(found)
    least = max(_SMALL, sum(size for _, _, size in listed) // _MOST_SHARDS)
    shards: list[Shard] = []
    members: list[tuple[str, str]] = []
    total = 0
    for path, name, size in listed:
        members.append((path, name))
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
