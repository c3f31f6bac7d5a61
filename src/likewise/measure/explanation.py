"""One explanation everywhere: contributions with spans on both sides, which add up to the score."""

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from likewise.read.document import Span


@dataclass(frozen=True, slots=True)
class Contribution:
    """A part of a score: what on the left goes with what on the right, and how much it adds."""

    kind: str
    """``term``, ``phrase``, ``q-gram``, or ``terms`` (a pair of similar terms)."""
    left: str
    right: str
    value: float
    left_spans: tuple[Span, ...] = ()
    right_spans: tuple[Span, ...] = ()
    parts: tuple["Contribution", ...] = ()
    """Finer contributions that add up to this one (the q-grams of a pair of terms)."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why two texts have the score they have.

    >>> import likewise as lw
    >>> why = lw.Matches().explain("red apple pie", "green apple")
    >>> why.score, [(part.left, part.value) for part in why.contributions]
    (1.0, [('apple', 1.0)])
    """

    score: float
    left: str
    right: str
    measure: str
    contributions: tuple[Contribution, ...] = field(default=())

    @property
    def total(self) -> float:
        """The sum of the contributions: the score, up to rounding."""
        return sum(part.value for part in self.contributions)

    @property
    def left_spans(self) -> tuple[Span, ...]:
        """What of the left text matches: disjoint spans in order."""
        return merge_spans(span for part in self.contributions for span in part.left_spans)

    @property
    def right_spans(self) -> tuple[Span, ...]:
        """What of the right text matches: disjoint spans in order."""
        return merge_spans(span for part in self.contributions for span in part.right_spans)

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        values = asdict(self)
        values["left_spans"] = [asdict(span) for span in self.left_spans]
        values["right_spans"] = [asdict(span) for span in self.right_spans]
        return values


def in_words(explanation: Explanation) -> Explanation:
    """Return an explanation that names words as they stand in the texts, where it named stems.

    >>> import likewise as lw
    >>> why = lw.Matches(stem="porter").explain("retrieval", "It retrieves what was retrieved.")
    >>> [(part.left, part.right) for part in in_words(why).contributions]
    [('retrieval', 'retrieves, retrieved')]
    """

    def named(part: Contribution) -> Contribution:
        if part.kind not in ("term", "phrase"):
            return part
        left, right = (
            ", ".join(dict.fromkeys(span.of(text).lower() for span in spans)) or name
            for name, text, spans in (
                (part.left, explanation.left, part.left_spans),
                (part.right, explanation.right, part.right_spans),
            )
        )
        return replace(part, left=left, right=right)

    return replace(explanation, contributions=tuple(map(named, explanation.contributions)))


def merge_spans(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return disjoint spans in order that cover the same characters.

    >>> merge_spans([Span(4, 6), Span(0, 2), Span(1, 3)])
    (Span(start=0, end=3), Span(start=4, end=6))
    """
    merged: list[Span] = []
    for span in sorted(spans):
        if span.start == span.end:
            continue
        if merged and span.start <= merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return tuple(merged)
