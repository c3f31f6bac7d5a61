"""Match tables as a job; then look at the pairs, decide about them, and take them away."""

from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse, Response
from pydantic import BaseModel, Field

from likewise.errors import InputError
from likewise.evaluate.judging import Study
from likewise.records.matched import MODEL, MatchedPairs
from likewise.records.options import MatchOptions
from likewise.records.proposal import propose
from likewise.serve.decisions import decide, decide_all, decisions_of
from likewise.serve.download import Format, download
from likewise.serve.measures import measure_of
from likewise.serve.routes.compare import ExplanationAnswer
from likewise.serve.routes.files import Header, open_records
from likewise.serve.routes.jobs import Id
from likewise.serve.schema import CLEANING, RESPONSES, RunAnswer, Strict, model_of, settings_of
from likewise.serve.service import Service, Shared
from likewise.serve.workers import Route

router = APIRouter(prefix="/api/match", tags=["match"], responses=RESPONSES, route_class=Route)
MatchSettings = model_of(MatchOptions, "MatchSettings", kinds=CLEANING)
Threshold = Annotated[
    float | None,
    Query(ge=0, allow_inf_nan=False, description="Minimum score, or minimum probability of a decided match."),
]
Key = Annotated[str, Query(max_length=500)]
TableName = Annotated[str, Query(max_length=255, description="Name of a table in the folder.")]
ColumnName = Annotated[str, Query(max_length=500, description="Column of ids; empty for none (default: proposed).")]
_MOST_GROUPS = 200


class MatchRequest(Strict):
    """One table or two, and how to match them."""

    left: str = Field(max_length=255, description="Name of a table in the folder.")
    right: str | None = Field(
        None, max_length=255, description="Name of the other table (default: the left one itself)."
    )
    measure: str | None = Field(None, max_length=2000, description="A specification (default: that of match).")
    header: bool | None = Field(None, description="Whether the first row is a header (default: detected).")
    labels: str | None = Field(
        None,
        max_length=255,
        description="Id of a match whose pairs somebody decided on, or name of a study of records.",
    )
    model: str | None = Field(None, max_length=64, description="Id of an earlier match, whose model decides.")
    options: MatchSettings = Field(default_factory=MatchSettings)  # type: ignore[valid-type]


class ColumnsAnswer(BaseModel):
    """What to take as ids, and which columns to compare with each other."""

    left_id: str | None = Field(description="Column that tells the records of the left table apart, if there is one.")
    right_id: str | None
    pairs: list[tuple[str, str]] = Field(description="Columns of the left and the right table that go together.")


class Summary(BaseModel):
    """What a match found."""

    job: RunAnswer
    pairs: int
    edges: list[float]
    counts: list[int]
    accepted: int
    rejected: int
    threshold: float | None = Field(None, description="Least probability of what was decided to match.")
    decision: dict[str, Any] | None = Field(None, description="How it was decided and what to expect of it.")


class WeightsAnswer(BaseModel):
    """How the log odds of a pair add up, and what was decided."""

    probability: float
    weights: list[tuple[str, float]]
    said: str = Field(description="Whether the pair is given, and why, or why not.")


class PairAnswer(BaseModel):
    """A pair of records."""

    left: str
    right: str
    score: float
    rank: int
    left_text: str | None
    right_text: str | None
    probability: float | None = None
    decision: str | None


class PairsAnswer(BaseModel):
    """Pairs on one side of the threshold."""

    above: int
    below: int
    pairs: list[PairAnswer]


class Decision(Strict):
    """What somebody decided about a pair."""

    left: str = Field(max_length=500)
    right: str = Field(max_length=500)
    decision: Literal["accept", "reject"] | None = Field(description="null takes the decision back.")


class ClustersAnswer(BaseModel):
    """Groups of records that belong together, largest first."""

    groups: int
    records: int
    clusters: list[list[dict[str, str | None]]]


@router.post("", status_code=202)
def start(request: MatchRequest, service: Shared) -> RunAnswer:
    """Start to match; the answer is the job to watch."""
    settings = settings_of(MatchOptions, request.options)
    if request.measure:
        measure_of(request.measure)
    for name in filter(None, (request.left, request.right)):
        service.folder.find(name)
    if request.model is not None:
        _part(service, request.model, MODEL)
    labels = None if request.labels is None else _labels(service, request.labels)
    title = f"match {request.left}" + (f" with {request.right}" if request.right else " with itself")
    parameters = {
        "left": request.left,
        "right": request.right,
        "measure": request.measure,
        "header": request.header,
        "labels": labels,
        "model": request.model,
        "options": settings,
    }
    job = service.queue.submit("match", title, parameters)
    # What was judged before is judged on the new page, too: it counts in the next round, and can be taken back.
    judged = [(left, right, "accept" if same else "reject") for left, right, same in labels or ()]
    if judged:
        decide_all(service.database, job.id, judged)
    return RunAnswer.of(job)


@router.get("/columns")
def columns(
    left: TableName,
    service: Shared,
    right: TableName | None = None,
    header: Header = None,
    left_id: ColumnName | None = None,
    right_id: ColumnName | None = None,
) -> ColumnsAnswer:
    """Propose ids and columns to compare, by names and values; nothing is matched yet."""
    other = None if right is None else open_records(service, right, header)
    found = propose(open_records(service, left, header), other, left_id, right_id)
    return ColumnsAnswer(left_id=found.left_id, right_id=found.right_id, pairs=list(found.pairs))


@router.get("/{id}")
def summary(id: Id, service: Shared) -> Summary:  # noqa: A002 - the word of the address
    """Return how the scores are distributed, and how much was decided."""
    pairs = matched_pairs(service, id)
    edges, counts = pairs.histogram()
    said = list(decisions_of(service.database, id).values())
    job = RunAnswer.of(service.queue.get(id))
    return Summary(
        job=job,
        pairs=len(pairs),
        edges=edges,
        counts=counts,
        accepted=said.count("accept"),
        rejected=said.count("reject"),
        threshold=None if pairs.decision is None else pairs.suggested(0.0),
        decision=pairs.decision,
    )


@router.get("/{id}/pairs")
def pairs(
    id: Id,  # noqa: A002
    service: Shared,
    threshold: Threshold = None,
    side: Literal["above", "below"] = "above",
    order: Literal["best", "nearest"] = "nearest",
    offset: Annotated[int, Query(ge=0, le=1 << 40)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> PairsAnswer:
    """Return pairs above or below a threshold, the best first or those nearest to it.

    Where it was decided which pairs match, the threshold is a probability, and below it are the doubtful pairs.
    """
    found = matched_pairs(service, id)
    threshold = found.suggested(0.5) if threshold is None else threshold
    said = decisions_of(service.database, id)
    rows = [
        PairAnswer(
            **{**row, "left": str(row["left"]), "right": str(row["right"])},
            decision=said.get((str(row["left"]), str(row["right"]))),
        )
        for row in found.rows(threshold, side, order, offset, limit)
    ]
    above = found.above(threshold)
    return PairsAnswer(above=above, below=len(found) - above, pairs=rows)


@router.get("/{id}/why")
def why(id: Id, left: Key, right: Key, service: Shared) -> ExplanationAnswer:  # noqa: A002
    """Say why two records have their score."""
    return ExplanationAnswer.of(matched_pairs(service, id).explain(left, right))


@router.get("/{id}/weights")
def weights(id: Id, left: Key, right: Key, service: Shared) -> WeightsAnswer:  # noqa: A002
    """Say how the log odds of any two records add up, field by field, and why they match, or not."""
    found = matched_pairs(service, id).waterfall(left, right)
    return WeightsAnswer(probability=found.probability, weights=list(found.weights), said=found.said)


@router.get("/{id}/waterfall", response_class=Response)
def waterfall(id: Id, left: Key, right: Key, service: Shared) -> Response:  # noqa: A002
    """Draw how the log odds of any two records add up, as SVG."""
    return Response(matched_pairs(service, id).waterfall(left, right).to_svg(), media_type="image/svg+xml")


@router.get("/{id}/model", response_class=FileResponse)
def model(id: Id, service: Shared) -> FileResponse:  # noqa: A002
    """Download what was learnt, to be applied to other records."""
    return FileResponse(_part(service, id, MODEL), media_type="application/json", filename="model.json")


@router.put("/{id}/decisions", status_code=204)
def decision(id: Id, request: Decision, service: Shared) -> Response:  # noqa: A002
    """Accept or reject a pair, or take that back; when this answers it is on disk."""
    matched_pairs(service, id)
    decide(service.database, id, request.left, request.right, request.decision)
    return Response(status_code=204)


@router.get("/{id}/clusters")
def clusters(
    id: Id,  # noqa: A002
    service: Shared,
    threshold: Threshold = None,
    linkage: Literal["complete", "components"] = "complete",
) -> ClustersAnswer:
    """Return the groups that the pairs make, for a table matched with itself; decisions count."""
    if service.queue.get(id).parameters.get("right") is not None:
        raise InputError("clusters are of one table; this match is of two")
    pairs = matched_pairs(service, id)
    threshold = pairs.suggested(0.5) if threshold is None else threshold
    found = pairs.clusters(threshold, decisions_of(service.database, id), linkage)
    return ClustersAnswer(groups=len(found), records=sum(len(group) for group in found), clusters=found[:_MOST_GROUPS])


@router.get("/{id}/download", response_class=FileResponse)
def take(
    id: Id,  # noqa: A002
    service: Shared,
    threshold: Threshold = None,
    format: Format = "csv",  # noqa: A002
) -> FileResponse:
    """Download the pairs from the threshold on, with accepted ones added and rejected ones left out."""
    pairs = matched_pairs(service, id)
    threshold = pairs.suggested(0.0) if threshold is None else threshold
    return download(pairs.chosen(threshold, decisions_of(service.database, id)), "matches", format)


def _labels(service: Service, name: str) -> list[tuple[str, str, bool]]:
    """Return judged pairs: those of a match by id, or those of a study of records by name."""
    if name.endswith(".judge"):
        return Study(service.folder.find(name)).labels()
    service.queue.get(name)
    return [(*pair, said == "accept") for pair, said in sorted(decisions_of(service.database, name).items())]


def _part(service: Service, identity: str, name: str) -> Path:
    matched_pairs(service, identity)
    path = service.folder.results / identity / name
    if not path.exists():
        raise InputError(f"match {identity} has no model: it was not decided, or nothing matches")
    return path


def matched_pairs(service: Service, identity: str) -> MatchedPairs:
    """Return the pairs of a match that is done."""
    folder = service.result(identity, "match", "a match that is done")
    found: MatchedPairs = service.opened("match", folder / "pairs.parquet", MatchedPairs.open)
    return found
