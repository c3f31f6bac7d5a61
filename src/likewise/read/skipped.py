"""What could not be read, and why: :class:`Skipped`, one for each file or record that yields no document."""

from collections.abc import Callable
from dataclasses import dataclass

# Reason -> what it means. Counts in reports are by these words, so they are few and do not change.
REASONS = {
    "unreadable": "the file cannot be opened or read",
    "binary": "not text, and of no format that is known",
    "broken": "not of the format that its name or first bytes promise",
    "truncated": "ends before it should",
    "too large": "larger than max_bytes",
    "too deep": "markup nested deeper than max_depth",
    "time limit": "took more processor time than max_seconds",
    "bomb": "expands to far more than honest text would",
    "no text": "nothing readable in it",
    "no text column": "the row lacks the text column, or it holds no text",
    "encoding": "compressed in a way that cannot be undone here",
    "media type": "a Web record of another type than HTML or plain text",
    "status": "a Web record whose status is not 200",
    "language": "in another language than the one asked for",
}


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or record that yields no document.

    >>> str(Skipped("a.jsonl:7", "broken", "not JSON"))
    'a.jsonl:7: broken (not JSON)'
    """

    source: str
    reason: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.source}: {self.reason}" + (f" ({self.detail})" if self.detail else "")


OnSkip = Callable[[Skipped], None]


class SkipError(Exception):
    """Raised inside readers to give up on the file or record at hand; never leaves ``likewise.read``."""

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason, detail)
        self.reason = reason
        self.detail = detail
