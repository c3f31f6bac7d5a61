"""Compare two texts and see why."""

from collections.abc import Iterable
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from likewise.measure import Contribution, Explanation
from likewise.read.document import Span
from likewise.serve.measures import LONGEST_TEXT, described, measure_of
from likewise.serve.schema import RESPONSES, Strict
from likewise.serve.workers import Route

router = APIRouter(prefix="/api", tags=["compare"], responses=RESPONSES, route_class=Route)

# What the page can show; an explanation of two long texts has thousands of parts.
MOST_PARTS = 200


class CompareRequest(Strict):
    """Two texts, and how to compare them."""

    left: str = Field(max_length=LONGEST_TEXT)
    right: str = Field(max_length=LONGEST_TEXT)
    measure: str = Field("spectra()", max_length=2000, description="A specification such as spectra(q=2:4).")
    collection: list[str] = Field(
        [], max_length=10_000, description="Texts that an adaptive measure learns its weights from."
    )


class SpanAnswer(BaseModel):
    """Characters start to end (excluded)."""

    start: int
    end: int


def spans_of(spans: Iterable[Span]) -> list[SpanAnswer]:
    """Return spans as answers."""
    return [SpanAnswer(start=span.start, end=span.end) for span in spans]


class ContributionAnswer(BaseModel):
    """What on the left goes with what on the right, and how much it adds to the score."""

    kind: str
    left: str
    right: str
    value: float
    left_spans: list[SpanAnswer]
    right_spans: list[SpanAnswer]


class ExplanationAnswer(BaseModel):
    """The score of two texts with what makes it up."""

    score: float
    measure: str
    left: str
    right: str
    left_spans: list[SpanAnswer]
    right_spans: list[SpanAnswer]
    contributions: list[ContributionAnswer]
    more: int = Field(description="Smaller contributions that are not listed.")

    @classmethod
    def of(cls, why: Explanation) -> "ExplanationAnswer":
        """Return an explanation as an answer."""
        return cls(
            score=why.score,
            measure=why.measure,
            left=why.left,
            right=why.right,
            left_spans=spans_of(why.left_spans),
            right_spans=spans_of(why.right_spans),
            contributions=[_part(part) for part in why.contributions[:MOST_PARTS]],
            more=max(0, len(why.contributions) - MOST_PARTS),
        )


def _part(part: Contribution) -> ContributionAnswer:
    return ContributionAnswer(
        kind=part.kind,
        left=part.left,
        right=part.right,
        value=part.value,
        left_spans=spans_of(part.left_spans),
        right_spans=spans_of(part.right_spans),
    )


@router.post("/compare")
def compare(request: CompareRequest) -> ExplanationAnswer:
    """Return the score of two texts, and which parts of them make it up."""
    from likewise.jobs.compare import compare as compare_texts

    measure = measure_of(request.measure)
    collection = request.collection or None
    return ExplanationAnswer.of(compare_texts(request.left, request.right, measure, collection=collection))


class MeasuresAnswer(BaseModel):
    """Every measure with its options."""

    measures: list[dict[str, Any]]


@router.get("/measures")
def measures() -> MeasuresAnswer:
    """Return every measure with its options, their defaults and what they mean."""
    return MeasuresAnswer(measures=described())
