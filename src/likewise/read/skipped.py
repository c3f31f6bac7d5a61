"""What could not be read, and why: :class:`Skipped`, one for each file, record or row that was left out."""

import contextlib
import os
import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from likewise.errors import FormatError, InputError, LikewiseError, MissingExtraError, StorageError
from likewise.said import counted

# Reason -> what it means. Counts in reports are by these words, so they are few and do not change.
REASONS = {
    "unreadable": "the file cannot be opened or read",
    "binary": "not text, and of no format that is known",
    "no document": "what makes a site work or look as it does",
    "broken": "not of the format that its name or first bytes promise",
    "truncated": "ends before it should",
    "too large": "larger than max_bytes",
    "too deep": "markup nested deeper than max_depth",
    "time limit": "took more processor time than max_seconds",
    "bomb": "expands to far more than honest text would",
    "no text": "nothing readable in it",
    "no text column": "the row lacks the text column, or it holds no text",
    "missing package": "a package that reads it is not installed",
    "encoding": "compressed in a way that cannot be undone here",
    "media type": "a Web record of another type than HTML or plain text",
    "status": "a Web record whose status is not 200",
    "ragged": "a row with more or fewer cells than the header",
    "source": "the source of a page that lies beside it and is read instead",
    "language": "in another language than the one asked for",
    "output": "a folder that Likewise wrote inside the one to read",
}
# More files than this that were skipped for the same reason are told in one line.
_SHOWN = 3
# What is left out on purpose; a run that must skip nothing goes on.
_MEANT = frozenset(("source", "language", "output"))


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file, record or row that was left out: where it is (``line`` is ``None`` for a whole file), and why.

    >>> str(Skipped("a.jsonl", 7, "broken", "not JSON"))
    'a.jsonl:7: broken (not JSON)'
    """

    source: str
    line: int | None
    reason: str
    detail: str = ""

    def __str__(self) -> str:
        place = self.source if self.line is None else f"{self.source}:{self.line}"
        return f"{place}: {self.reason}" + (f" ({self.detail})" if self.detail else "")


OnSkip = Callable[[Skipped], None]


def told(skipped: Sequence[Skipped]) -> str:
    """Return what is said where everything was left out: the only entry, or how many and the commonest reason.

    >>> told([Skipped("a.1", None, "no text"), Skipped("b.bin", None, "binary"), Skipped("c.1", None, "no text")])
    '3 skipped, 2 of them as no text (nothing readable in it), such as a.1'
    """
    if len(skipped) < 2:
        return "".join(f"skipped {entry}" for entry in skipped)
    reason, count = Counter(entry.reason for entry in skipped).most_common(1)[0]
    first = next(entry.source for entry in skipped if entry.reason == reason)
    which = "all" if count == len(skipped) else f"{count} of them"
    return f"{len(skipped)} skipped, {which} as {reason} ({REASONS.get(reason, reason)}), such as {first}"


def skipped_lines(entries: Iterable[Skipped]) -> list[str]:
    """Return what was skipped, in a line each; many files that are left out for one reason share a line."""
    found: dict[str, list[Skipped]] = {}
    for entry in entries:
        found.setdefault(entry.reason, []).append(entry)
    lines = []
    for reason, group in found.items():
        if len(group) <= _SHOWN:
            lines += [f"skipped {entry}" for entry in group]
        else:
            names = ", ".join(entry.source for entry in group[:_SHOWN])
            lines.append(f"skipped {counted(len(group), 'file')} ({reason}): {names}, ...")
    return lines


def heard(on_skip: OnSkip, strict: bool) -> OnSkip:
    """Return what readers call with what they leave out: ``on_skip``, and if ``strict`` an error behind it.

    >>> skipped = []
    >>> hear = heard(skipped.append, strict=True)
    >>> hear(Skipped("a.rst", None, "source", "a.html is made of it"))
    >>> hear(Skipped("a.bin", None, "binary"))
    Traceback (most recent call last):
    ...
    likewise.errors.FormatError: a.bin: binary
    """

    def hear(skipped: Skipped) -> None:
        on_skip(skipped)
        if strict and skipped.reason not in _MEANT:
            raise FormatError(str(skipped))

    return hear


class SkipError(Exception):
    """Raised inside readers to give up on the file or record at hand; never leaves ``likewise.read``.

    ``detail`` says more, in words that can stand in a message of their own.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail


def skipping(error: InputError, place: str) -> SkipError:
    """Return what a table that cannot be read is where it is one file of many: left out, for the reason it has."""
    if isinstance(error.__cause__, SkipError):
        return error.__cause__
    return SkipError("broken", str(error).removeprefix(place).lstrip(":, "))


def missing(package: str, extra: str) -> SkipError:
    """Return the error for a file that only an optional package can read; the other files are read all the same."""
    return SkipError("missing package", str(MissingExtraError(package, extra)))


@contextlib.contextmanager
def as_errors(path: str | os.PathLike[str]) -> Iterator[None]:
    """Raise what a reader gives up with as an error that names the file: a table is not skipped, it is asked for."""
    try:
        yield
    except SkipError as error:
        if error.reason == "unreadable":
            gone = error.detail == "no such file"
            words = _gone(path) if gone else f"cannot read {path}: {error.detail}"
            raise StorageError(words) from error
        raise FormatError(f"{path}: {error.reason}" + (f" ({error.detail})" if error.detail else "")) from error
    except (EOFError, OSError, zlib.error) as error:
        if isinstance(error, LikewiseError):
            raise
        raise FormatError(f"{path} cannot be read to its end: {error}") from error


def _gone(path: str | os.PathLike[str]) -> str:
    text = os.fspath(path)
    if re.match(r"(?:https?|ftp|s3|gs):/", text):
        return f"{re.sub(':/+', '://', text)} is an address; only files are read, so download it first"
    hint = "; texts, not paths, go into a list" if " " in text and not os.path.splitext(text)[1] else ""
    return f"{text} does not exist{hint}"
