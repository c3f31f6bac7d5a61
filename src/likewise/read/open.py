"""Opening files as byte streams, decompressed, with a guard against files that expand without end.

Documents and tables come through here, and nothing else opens what a user named.
"""

import functools
import gzip
import io
import sys
from pathlib import Path
from typing import Any, BinaryIO

from likewise.read.skipped import SkipError, missing

# Honest text compresses 3 to 20 times; gzip at its most extreme 1,032 times. Small files may be extreme by chance.
BOMB_RATIO = 250
BOMB_BYTES = 64 << 20

PACKED = (".gz", ".zst", ".bz2", ".xz")
_GZIP = b"\x1f\x8b"
_BZIP2 = b"BZh"
_ZSTD = b"\x28\xb5\x2f\xfd"
_XZ = b"\xfd7zXZ\x00"
# What may be kept in memory to expand: `xz -9` asks for 65 MB, and a file may ask for gigabytes.
_WINDOW = 1 << 27
HEAD = 1 << 13
_BUFFER = 1 << 16  # more than a head: what a file system reads at a time may be less


def open_raw(path: Path) -> BinaryIO:
    """Open a regular file as it is."""
    try:
        # A pipe or a device could block or never end.
        if not path.is_file():
            what = "a folder" if path.is_dir() else "not a regular file" if path.exists() else "no such file"
            raise SkipError("unreadable", what)
        return open(path, "rb", buffering=_BUFFER)
    except OSError as error:
        raise SkipError("unreadable", error.strerror or str(error)) from error


def open_bytes(path: Path) -> BinaryIO:
    """Open ``path`` for reading, decompressed if its first bytes say gzip, bzip2, xz or zstd."""
    return expanded(open_raw(path))


def expanded(raw: BinaryIO) -> BinaryIO:
    """Return a stream that gives what ``raw`` holds, decompressed; closing it closes ``raw``."""
    try:
        head = raw.read(len(_XZ))
        raw.seek(0)
        reader: Any = None
        if head.startswith(_GZIP):
            reader = gzip.GzipFile(fileobj=raw)
        elif head.startswith(_BZIP2):
            import bz2

            reader = bz2.BZ2File(raw)
        elif head.startswith(_XZ):
            reader = _Xz(raw)
        elif head.startswith(_ZSTD):
            reader = _zstd(raw)
    except BaseException:
        raw.close()
        raise
    if reader is None:
        return raw if hasattr(raw, "peek") else io.BufferedReader(raw, _BUFFER)  # type: ignore[type-var]
    return io.BufferedReader(_Expanding(raw, reader), _BUFFER)


def _zstd(raw: BinaryIO) -> Any:
    try:
        import zstandard
    except ImportError as error:
        raise missing("zstandard", "zstd") from error
    return zstandard.ZstdDecompressor(max_window_size=_WINDOW).stream_reader(raw, read_across_frames=True)


class _Xz:
    """What :class:`lzma.LZMAFile` reads, with a limit to its memory."""

    def __init__(self, raw: BinaryIO) -> None:
        import lzma

        self._raw = raw
        self._damage = lzma.LZMAError
        self._new = functools.partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, memlimit=_WINDOW)
        self._stream = self._new()

    def read(self, size: int) -> bytes:
        """Return at most so many bytes; none at the end."""
        data = b""
        try:
            while not data:
                if self._stream.eof:  # another may follow, behind zeros
                    rest = self._stream.unused_data.lstrip(b"\0")
                    while not rest and (rest := self._raw.read(_BUFFER)):
                        rest = rest.lstrip(b"\0")
                    if not rest:
                        return b""
                    self._stream = self._new()
                elif self._stream.needs_input:
                    rest = self._raw.read(_BUFFER)
                    if not rest:
                        raise EOFError("a compressed file that ends too early")
                else:
                    rest = b""
                data = self._stream.decompress(rest, size)
        except self._damage as error:
            raise OSError(str(error)) from error
        return data

    def close(self) -> None:
        """Nothing is left open."""


class _Expanding(io.RawIOBase):
    """A decompressed stream that gives up when it has grown out of proportion."""

    def __init__(self, raw: BinaryIO, inner: Any) -> None:
        self._raw = raw
        self._inner = inner
        self._out = 0
        # zstandard has an error of its own for damaged data, which is no OSError.
        self._damage = getattr(sys.modules.get("zstandard"), "ZstdError", OSError)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._inner.read(len(buffer))
        except self._damage as error:
            raise OSError(str(error)) from error
        self._out += len(data)
        if self._out > BOMB_BYTES and self._out > BOMB_RATIO * max(self._raw.tell(), 1):
            raise SkipError("bomb", f"more than {BOMB_RATIO} times its compressed size")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._inner.close()
        self._raw.close()
        super().close()


def head(stream: BinaryIO) -> bytes:
    """Return the first bytes of a stream without taking them."""
    found: bytes = stream.peek(HEAD)[:HEAD] if hasattr(stream, "peek") else b""
    return found


def read_bounded(stream: BinaryIO, max_bytes: int) -> bytes:
    """Read a whole stream that must not be larger than ``max_bytes``."""
    data = stream.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise SkipError("too large", f"more than {max_bytes} bytes")
    return data
