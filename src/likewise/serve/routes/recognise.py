"""Learn a recogniser from labelled pairs as a job; then let it decide about other pairs."""

from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field

from likewise.jobs.recognise.options import RecogniseOptions
from likewise.serve.measures import LONGEST_TEXT
from likewise.serve.schema import RESPONSES, RunAnswer, Strict, model_of, settings_of
from likewise.serve.service import Shared
from likewise.serve.workers import Route

router = APIRouter(prefix="/api/recognise", tags=["recognise"], responses=RESPONSES, route_class=Route)
RecogniseSettings = model_of(RecogniseOptions, "RecogniseSettings")


class RecogniseRequest(Strict):
    """Labelled pairs, and how to learn from them."""

    name: str = Field("model.json", min_length=1, max_length=100, description="What to call the model.")
    train: str = Field(max_length=255, description="Name of a file of labelled pairs in the folder.")
    options: RecogniseSettings = Field(default_factory=RecogniseSettings)  # type: ignore[valid-type]


class TextPair(Strict):
    """A pair to decide about."""

    left: str = Field(max_length=LONGEST_TEXT)
    right: str = Field(max_length=LONGEST_TEXT)


class DecideRequest(Strict):
    """Pairs, and the model that shall decide about them."""

    model: str = Field(max_length=255, description="Name of a model in the folder.")
    pairs: list[TextPair] = Field(min_length=1, max_length=1000)
    explain: bool = Field(False, description="Say why: the measures, and what of the right text the left lacks.")


class DecisionAnswer(BaseModel):
    """What the model says of a pair."""

    decision: bool
    score: float
    why: dict[str, Any] | None = None


class DecisionsAnswer(BaseModel):
    """What the model says, pair by pair, and its threshold."""

    threshold: float
    decisions: list[DecisionAnswer]


@router.post("", status_code=202)
def start(request: RecogniseRequest, service: Shared) -> RunAnswer:
    """Start to learn; the answer is the job to watch. The model then lies in the folder under its name."""
    settings = settings_of(RecogniseOptions, request.options)
    service.folder.find(request.train)
    name = service.folder.new_name(request.name, "recogniser", ".json")
    parameters = {"name": name, "train": request.train, "options": settings}
    return RunAnswer.of(service.queue.submit("recognise", f"learn {name} from {request.train}", parameters))


@router.post("/decide")
def decide(request: DecideRequest, service: Shared) -> DecisionsAnswer:
    """Decide about pairs of texts."""
    from likewise import Recogniser

    model = service.opened("recognise", service.folder.find(request.model), Recogniser.load)
    lefts, rights = [pair.left for pair in request.pairs], [pair.right for pair in request.pairs]
    scores = model.scores(lefts, rights).tolist()
    decisions = [
        DecisionAnswer(
            decision=score >= model.threshold,
            score=score,
            why=model.explain(left, right).to_json() if request.explain else None,
        )
        for left, right, score in zip(lefts, rights, scores, strict=True)
    ]
    return DecisionsAnswer(threshold=model.threshold, decisions=decisions)
