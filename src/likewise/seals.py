"""What says that a file is as it was written: checksums, seals, and the manifest of a folder.

:func:`sealed` and :func:`read_values` keep plain values with a checksum of them, :func:`seal_file` does so for a file
of any format. :class:`Manifest` describes a folder of immutable files: format name and version, options, and a checksum
per file; :func:`map_file` compares what it maps with that.
"""

import hashlib
import json
import mmap
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from likewise.errors import DamagedError, ForeignError, StorageError
from likewise.platform import leave_pages
from likewise.storage import atomic_write

MANIFEST_NAME = "manifest.json"
_SEAL = "checksum"
_LOOKED_AT = 16 << 20  # bytes of a mapped file


def stamp(path: str | os.PathLike[str]) -> tuple[int, int, int]:
    """Return what changes when a file is replaced, also twice within a tick of the clock, or when the clock jumps."""
    found = os.stat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns


def checksum(path: str | os.PathLike[str]) -> str:
    """Return the SHA-256 of a file as ``sha256:...``."""
    with open(path, "rb") as file:
        return "sha256:" + hashlib.file_digest(file, "sha256").hexdigest()


def map_file(path: str | os.PathLike[str], expected: str | None = None) -> mmap.mmap:
    """Map a file; with ``expected`` compare what is mapped with that checksum. The mapping outlives the name."""
    try:
        with open(path, "rb") as file:
            mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except FileNotFoundError as error:
        raise DamagedError(f"{os.fspath(path)} is missing") from error
    except (OSError, ValueError) as error:  # ValueError: the file is empty
        raise DamagedError(f"{os.fspath(path)} cannot be mapped: {error}") from error
    if expected is not None and _checksum_of_mapped(mapped) != expected:
        raise DamagedError(f"{os.fspath(path)} has changed since it was written")
    return mapped


def _checksum_of_mapped(mapped: mmap.mmap) -> str:
    """Return the checksum of a file without having all of it in memory."""
    digest = hashlib.sha256()
    with memoryview(mapped) as whole:
        for first in range(0, len(whole), _LOOKED_AT):
            with whole[first : first + _LOOKED_AT] as some:
                digest.update(some)
            leave_pages(mapped)
    return "sha256:" + digest.hexdigest()


def checksum_of(data: Any) -> str:
    """Return the SHA-256 of bytes as ``sha256:...``."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


def sealed(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return plain values with their checksum, which does not depend on how they are laid out as JSON.

    >>> unsealed(sealed({"a": 1}), "a.json")
    {'a': 1}
    >>> unsealed({**sealed({"a": 1}), "a": 2}, "a.json")
    Traceback (most recent call last):
    ...
    likewise.errors.DamagedError: a.json has changed since it was written
    """
    return {**values, _SEAL: _seal(json.loads(json.dumps(values)))}


def unsealed(values: Mapping[str, Any], name: str | os.PathLike[str]) -> dict[str, Any]:
    """Return the values without their checksum; refuse those that do not fit it. Values without one pass."""
    rest = {key: value for key, value in values.items() if key != _SEAL}
    if _SEAL in values and values[_SEAL] != _seal(rest):
        raise DamagedError(f"{os.fspath(name)} has changed since it was written")
    return rest


def _seal(values: Mapping[str, Any]) -> str:
    return checksum_of(json.dumps(values, sort_keys=True, ensure_ascii=True, separators=(",", ":")).encode())


BLANK_SEAL = b"likewise sealed sha256:" + bytes([ord("0")]) * 64
"""What a file of any format holds somewhere, as text, for :func:`seal_file` to fill in."""


def seal_file(path: str | os.PathLike[str]) -> None:
    """Fill in the last :data:`BLANK_SEAL` of a file with the checksum of all its bytes, the blank one among them."""
    data = Path(path).read_bytes()
    at = data.rindex(BLANK_SEAL) + len(BLANK_SEAL) - 64
    with open(path, "r+b") as file:
        file.seek(at)
        file.write(hashlib.sha256(data).hexdigest().encode())


def is_as_sealed(data: bytes) -> bool:
    """Say whether the bytes of a file are those that were sealed; a file without a seal is taken as it is."""
    name = BLANK_SEAL[:-64]
    at = data.rfind(name) + len(name)
    if at < len(name):
        return True
    blank = b"".join((data[:at], BLANK_SEAL[-64:], data[at + 64 :]))
    return hashlib.sha256(blank).hexdigest().encode() == data[at : at + 64]


def parse_json(text: str) -> Any:
    """Return what JSON says; :class:`ValueError` also where it is nested too deeply to be read.

    >>> parse_json("[" * 100_000)
    Traceback (most recent call last):
    ...
    ValueError: nested too deeply
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def read_values(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read an object of JSON, and compare it with its checksum where it has one; say what is wrong in words."""
    try:
        values = parse_json(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise StorageError(f"cannot read {os.fspath(path)}: {error.strerror or error}") from error
    except ValueError as error:
        raise DamagedError(f"{os.fspath(path)} is not JSON, as what Likewise saves is: {error}") from error
    if not isinstance(values, dict):
        raise ForeignError(f"{os.fspath(path)} was not written by Likewise: it holds no object")
    return unsealed(values, path)


@dataclass(slots=True)
class Manifest:
    """What a folder of immutable files holds: written last, so that its presence means the rest is whole."""

    format: str
    version: int
    options: dict[str, Any] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write the manifest into ``folder``."""
        with atomic_write(Path(folder) / MANIFEST_NAME, "w", encoding="utf-8") as file:
            json.dump(sealed(asdict(self)), file, indent=1, sort_keys=True, ensure_ascii=False)
            file.write("\n")

    @classmethod
    def read(cls, folder: str | os.PathLike[str], format: str, version: int) -> "Manifest":  # noqa: A002
        """Read the manifest of ``folder``; refuse in words what is absent, foreign, or of another version."""
        path = Path(folder) / MANIFEST_NAME
        if not path.exists():
            raise ForeignError(f"{folder} holds no {format}: {MANIFEST_NAME} is missing; `{format}` makes one")
        try:
            manifest = cls(**read_values(path))
            right = isinstance(manifest.options, dict) and isinstance(manifest.files, dict)
        except TypeError as error:
            raise DamagedError(f"{path} cannot be read: {error}") from error
        if not right:
            raise DamagedError(f"{path} cannot be read: options and files must be objects")
        if manifest.format != format:
            raise ForeignError(f"{folder} holds a {manifest.format}, not a {format}")
        if manifest.version != version:
            raise ForeignError(
                f"{folder} is a {format} of version {manifest.version}; this Likewise reads version {version}"
            )
        return manifest

    def map(self, folder: str | os.PathLike[str], name: str) -> mmap.mmap:
        """Map a file of the folder, and compare it with its checksum."""
        if name not in self.files:
            raise DamagedError(f"{Path(folder) / MANIFEST_NAME} names no {name}")
        return map_file(Path(folder) / name, self.files[name])
