"""One file of named arrays: written once, mapped from disk, never changed.

Layout: eight bytes that say what it is, the length of a JSON directory, the directory (name -> type, place, length),
then the arrays, each on a 64-byte border so that a mapping of the file is an array as it stands.
"""

import hashlib
import itertools
import json
import mmap
import os
import re
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import DamagedError, ForeignError, StorageError
from likewise.platform import leave_pages
from likewise.seals import map_file

_MAGIC = b"LIKEWSE1"
_BORDER = 64
_TYPE = re.compile(r"[<|][iuf][1248]")
Arrays = dict[str, NDArray[Any]]


def write_arrays(path: str | os.PathLike[str], arrays: Mapping[str, NDArray[Any]]) -> str:
    """Write one-dimensional arrays to a new file, synced; return its checksum as manifests have it.

    The name must be one that nobody looks for yet: what makes the file count is the manifest that names it later.
    """
    directory: dict[str, tuple[str, int, int]] = {}
    parts: list[bytes | memoryview] = []
    place = 0
    for name, array in arrays.items():
        array = np.ascontiguousarray(array)
        directory[name] = (array.dtype.str, place, array.size)
        parts.append(memoryview(array).cast("B") if array.size else b"")  # type: ignore[arg-type]
        place += -(-array.nbytes // _BORDER) * _BORDER
    header = json.dumps(directory).encode()
    header += b" " * (-(len(_MAGIC) + 8 + len(header)) % _BORDER)
    digest = hashlib.sha256()
    try:
        with open(path, "xb") as file:
            for piece in (_MAGIC, struct.pack("<Q", len(header)), header):
                digest.update(piece)
                file.write(piece)
            for part in parts:
                filler = b"\0" * (-len(part) % _BORDER)
                for content in (part, filler):
                    digest.update(content)
                    file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        if not isinstance(error, FileExistsError):
            Path(path).unlink(missing_ok=True)
        raise StorageError(f"cannot write {path}: {error.strerror or error}") from error
    return "sha256:" + digest.hexdigest()


def map_arrays(path: str | os.PathLike[str], expected: str | None = None) -> Arrays:
    """Map a file that :func:`write_arrays` wrote; one that is not whole, or has not the checksum, is refused."""
    mapped = map_file(path, expected)
    if mapped[: len(_MAGIC)] != _MAGIC:
        raise ForeignError(f"{path} was not written by this version of Likewise")
    try:
        (length,) = struct.unpack_from("<Q", mapped, len(_MAGIC))
        begin = len(_MAGIC) + 8
        directory = json.loads(mapped[begin : begin + length])
        buffer = memoryview(mapped)
        arrays = {}
        for name, (dtype, place, count) in directory.items():
            if not _TYPE.fullmatch(dtype) or min(place, count) < 0:
                raise ValueError(f"{name} is an array of {dtype}")
            arrays[name] = np.frombuffer(buffer, dtype, count, begin + length + place) if count else np.zeros(0, dtype)
    except (ValueError, TypeError, struct.error, AttributeError, OverflowError, RecursionError) as error:
        raise DamagedError(f"{path} is not whole: {error}") from error
    return arrays


def leave(arrays: Arrays) -> None:
    """Let go of the pages of a mapped file: they no longer count as memory of this process, and are found again."""
    for array in arrays.values():
        base: Any = array.base
        mapped = base.obj if isinstance(base, memoryview) else None
        if isinstance(mapped, mmap.mmap):
            leave_pages(mapped)
            return  # all arrays are of one file


def pack_strings(strings: list[str] | list[bytes]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Return strings as one array of bytes and the offsets at which each begins."""
    encoded = [text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text for text in strings]
    offsets = np.zeros(len(encoded) + 1, np.int64)
    np.cumsum([len(text) for text in encoded], out=offsets[1:])
    return np.frombuffer(b"".join(encoded), np.uint8), offsets


def unpack_strings(data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> list[bytes]:
    """Return what :func:`pack_strings` was given, as bytes."""
    whole = data.tobytes()
    places = offsets.tolist()
    return [whole[a:b] for a, b in itertools.pairwise(places)]
