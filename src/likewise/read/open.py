"""Opening files as byte streams, decompressed, with a guard against files that expand without end."""

import gzip
import io
from pathlib import Path
from typing import Any, BinaryIO

from likewise.errors import MissingExtraError
from likewise.read.skipped import SkipError

# Honest text compresses 3 to 20 times; gzip at its most extreme 1,032 times. Small files may be extreme by chance.
BOMB_RATIO = 250
BOMB_BYTES = 64 << 20

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"


def open_bytes(path: Path) -> BinaryIO:
    """Open ``path`` for reading, decompressed if its first bytes say gzip or zstd."""
    try:
        # A pipe or a device could block or never end.
        if not path.is_file():
            raise SkipError("unreadable", "not a regular file" if path.exists() else "no such file")
        raw = open(path, "rb")  # noqa: SIM115 - the caller closes what is returned
    except OSError as error:
        raise SkipError("unreadable", error.strerror or str(error)) from error
    head = raw.read(4)
    raw.seek(0)
    if head.startswith(GZIP):
        return io.BufferedReader(_Expanding(raw, gzip.GzipFile(fileobj=raw)), 1 << 16)
    if head == ZSTD:
        try:
            import zstandard
        except ImportError as error:
            raw.close()
            raise MissingExtraError("zstandard", "zstd") from error
        reader: Any = zstandard.ZstdDecompressor(max_window_size=1 << 27).stream_reader(raw, read_across_frames=True)
        return io.BufferedReader(_Expanding(raw, reader), 1 << 16)
    return raw


class _Expanding(io.RawIOBase):
    """A decompressed stream that gives up when it has grown out of proportion."""

    def __init__(self, raw: BinaryIO, inner: Any) -> None:
        self._raw = raw
        self._inner = inner
        self._out = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._inner.read(len(buffer))
        self._out += len(data)
        if self._out > BOMB_BYTES and self._out > BOMB_RATIO * max(self._raw.tell(), 1):
            raise SkipError("bomb", f"more than {BOMB_RATIO} times its compressed size")
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        self._inner.close()
        self._raw.close()
        super().close()


def read_bounded(stream: BinaryIO, max_bytes: int) -> bytes:
    """Read a whole stream that must not be larger than ``max_bytes``."""
    data = stream.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise SkipError("too large", f"more than {max_bytes} bytes")
    return data
