"""Judging by people: make a study from links or paraphrases, ask for one verdict after the other, show the tables."""

from pathlib import Path as FilePath
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from fastapi.responses import Response
from pydantic import BaseModel, Field

from likewise.errors import InputError
from likewise.evaluate.judging import SCHEMES, Ranking, Study, sample, table
from likewise.serve.folder import UnknownItemError
from likewise.serve.routes.files import Name
from likewise.serve.routes.match import matched_pairs
from likewise.serve.schema import RESPONSES, Strict
from likewise.serve.service import Service, Shared
from likewise.serve.workers import Route

router = APIRouter(prefix="/api/judge", tags=["judge"], responses=RESPONSES, route_class=Route)
_MOST = 1000  # doubtful pairs of a match that are looked at
Judge = Annotated[str, Query(min_length=1, max_length=80, description="Who judges.")]


class StudyRequest(Strict):
    """What to make a study of."""

    name: str = Field(min_length=1, max_length=100)
    lists: list[Annotated[str, Field(max_length=255)]] = Field(
        min_length=1,
        max_length=8,
        description="Ids of finished link or match jobs, or names of results.",
    )
    scheme: Literal["links", "paraphrases", "records"] = "links"
    size: int | None = Field(None, ge=1, le=1000, description="Pairs for each column and stratum.")
    seed: int = Field(0, ge=0, le=1 << 31)


class StudyAnswer(BaseModel):
    """A study, and how far each judge is."""

    name: str
    scheme: str
    question: str
    items: int
    judges: dict[str, int]


class StudiesAnswer(BaseModel):
    """The studies of the folder."""

    studies: list[StudyAnswer]


class PairToJudge(BaseModel):
    """A pair without anything that tells where it comes from."""

    number: int
    left_text: str
    right_text: str
    left_place: str
    right_place: str
    verdict: str | None = Field(description="What this judge said of it before.")


class TurnAnswer(BaseModel):
    """What a judge sees: the pair at a place of the judge's own order, and the verdicts by key."""

    question: str
    verdicts: dict[str, str]
    at: int = Field(description="Place in this judge's order, from 0; equal to items when all is judged.")
    items: int
    judged: int
    pair: PairToJudge | None


class Judgement(Strict):
    """A verdict."""

    judge: str = Field(min_length=1, max_length=80)
    item: int = Field(ge=0, le=1 << 40)
    verdict: str = Field(max_length=100)


@router.get("")
def studies(service: Shared) -> StudiesAnswer:
    """List the studies of the folder."""
    names = [item.name for item in service.folder.items() if item.kind == "study"]
    return StudiesAnswer(studies=[_described(name, Study(service.folder.find(name))) for name in names])


@router.post("", status_code=201)
def create(request: StudyRequest, service: Shared) -> StudyAnswer:
    """Draw a sample from one or two lists of links, or from tables of paraphrases, and make a study of it."""
    name = service.folder.new_name(request.name, "", ".judge")
    rankings = [_ranking(service, one) for one in request.lists]
    scheme = SCHEMES[request.scheme]
    study = Study.create(service.folder.uploads / name, sample(rankings, scheme, request.size), scheme, request.seed)
    return _described(name, study)


@router.get("/{name}/turn")
def turn(
    name: Name, judge: Judge, service: Shared, at: Annotated[int | None, Query(ge=0, le=1 << 40)] = None
) -> TurnAnswer:
    """Return the first pair that this judge has not judged, or the one at a place of the judge's order."""
    study = _open(service, name)
    said = study.verdicts(judge)
    order = study.order(judge)
    if at is None:
        at = next((place for place, number in enumerate(order) if number not in said), len(order))
    at = min(at, len(order))
    pair = None
    if at < len(order):
        number = order[at]
        item = study.items()[number]
        pair = PairToJudge(
            number=number,
            left_text=item.left_text,
            right_text=item.right_text,
            left_place=item.left_place,
            right_place=item.right_place,
            verdict=said.get(number),
        )
    return TurnAnswer(
        question=study.scheme.question,
        verdicts=study.scheme.verdicts,
        at=at,
        items=len(order),
        judged=len(said),
        pair=pair,
    )


@router.put("/{name}/judgements", status_code=204)
def keep(name: Name, request: Judgement, service: Shared) -> Response:
    """Keep a verdict, in place of an earlier one; when this answers it is on disk."""
    study = _open(service, name)
    if request.item not in study.items():
        raise InputError(f"the study has no item {request.item}")
    study.judge(request.judge, request.item, request.verdict)
    return Response(status_code=204)


@router.get("/{name}/table")
def figures(
    name: Name, service: Shared, judge: Annotated[list[str] | None, Query(max_length=20)] = None
) -> dict[str, Any]:
    """Return the table of the papers as it stands, with confidence intervals and the judges' agreement."""
    return table(_open(service, name), judge)


def _open(service: Service, name: str) -> Study:
    path = service.folder.find(name)
    if path.suffix != ".judge":
        raise UnknownItemError(f"{name} is not a study; they end in .judge")
    return Study(path)


def _ranking(service: Service, name: str) -> Ranking:
    path: FilePath
    if len(name) == 16 and "." not in name and service.queue.get(name).kind == "match":
        return Ranking("doubtful", _doubtful(service, name))
    if len(name) == 16 and "." not in name and (job := service.queue.get(name)).kind == "link":
        path = service.folder.results / name / "links.jsonl"
        label = f"{job.parameters['left']} {job.parameters['options']['preset']}"
        return Ranking.read(path, label)
    return Ranking.read(service.folder.find(name))


def _doubtful(service: Service, identity: str) -> list[dict[str, Any]]:
    """Return the pairs of a match, the most doubtful first, as they are judged."""
    pairs = matched_pairs(service, identity)
    order = sorted(range(len(pairs)), key=lambda place: (abs(float(pairs.scores[place]) - 0.5), place))
    names = ("left", "right", "left_text", "right_text")
    rows = pairs.table.select(list(names)).take(order[:_MOST]).to_pylist()
    return [{name: str(row[name] or "") for name in names} | {"left_place": "", "right_place": ""} for row in rows]


def _described(name: str, study: Study) -> StudyAnswer:
    return StudyAnswer(
        name=name,
        scheme=study.scheme.name,
        question=study.scheme.question,
        items=len(study.items()),
        judges={judge: len(study.verdicts(judge)) for judge in study.judges()},
    )
