"""When-questions: index dated facts as a job, then ask."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from likewise.jobs.questions.ask import Nuggets
from likewise.jobs.questions.asked import question_groups
from likewise.jobs.questions.options import AskOptions
from likewise.serve.routes.paraphrases import open_table
from likewise.serve.schema import RESPONSES, RunAnswer, Strict
from likewise.serve.service import Shared
from likewise.serve.workers import Route

_DEFAULTS = AskOptions()
router = APIRouter(prefix="/api", tags=["ask"], responses=RESPONSES, route_class=Route)


class NuggetsRequest(Strict):
    """What to read for dated facts, and under which name to keep them."""

    name: str = Field(min_length=1, max_length=100)
    source: str = Field(max_length=255, description="Name of a text or a folder of texts.")


class QuestionsRequest(Strict):
    """Questions with known answers, and what to answer them from."""

    nuggets: str = Field(max_length=255, description="Name of collected facts.")
    questions: str = Field(max_length=255, description="Name of a file *-q.tsv, its *-p.tsv beside it, or of a folder.")
    expand: list[str] = Field([], max_length=10, description="Tables of paraphrases to widen words with.")
    by: Literal["probability", "support"] = "probability"


class NuggetAnswer(BaseModel):
    """A piece of a sentence that speaks for a date."""

    date: str
    text: str = Field(description="The date as it was written.")
    fragment: str
    source: str
    title: str


class DateAnswer(BaseModel):
    """A date, and what speaks for it."""

    date: str
    sure: float = Field(description="How likely it is the right one.")
    match: float = Field(description="How much of the question its best nugget has.")
    count: int = Field(description="Distinct nuggets that speak for it.")
    forms: list[str]
    evidence: list[NuggetAnswer]


class DatesAnswer(BaseModel):
    """Dates that answer a question, best first."""

    query: str = Field(description="The words that count, with what may stand for them.")
    answers: list[DateAnswer]


@router.post("/nuggets", status_code=202)
def start(request: NuggetsRequest, service: Shared) -> RunAnswer:
    """Start to collect dated facts; the answer is the job to watch."""
    service.folder.find(request.source)
    name = service.folder.new_name(request.name, "nuggets")
    parameters = {"name": name, "source": request.source}
    return RunAnswer.of(service.queue.submit("nuggets", f"nuggets of {request.source} as {name}", parameters))


@router.post("/questions", status_code=202)
def start_questions(request: QuestionsRequest, service: Shared) -> RunAnswer:
    """Start to answer questions with known answers; the job's result is the table."""
    for name in (request.nuggets, request.questions, *request.expand):
        service.folder.find(name)
    title = f"questions of {request.questions} from {request.nuggets}"
    return RunAnswer.of(service.queue.submit("questions", title, request.model_dump()))


@router.get("/ask")
def ask(
    name: Annotated[str, Query(alias="nuggets", max_length=255, description="Name of collected facts.")],
    question: Annotated[str, Query(min_length=1, max_length=1000)],
    service: Shared,
    expand: Annotated[
        str | None, Query(max_length=255, description="Table of paraphrases to widen words with.")
    ] = None,
    per_phrase: Annotated[int, Query(ge=0, le=20)] = _DEFAULTS.per_phrase,
    by: Annotated[
        str, Query(max_length=20, description="Order of paraphrases: probability or support.")
    ] = _DEFAULTS.by,
    kinds: Annotated[bool, Query(description="Words for one kind of event stand for one another.")] = _DEFAULTS.kinds,
    top: Annotated[int, Query(ge=1, le=100)] = _DEFAULTS.top,
    evidence: Annotated[int, Query(ge=0, le=100)] = _DEFAULTS.evidence,
) -> DatesAnswer:
    """Answer a question that asks for a date, with the evidence."""
    facts: Nuggets = service.opened("nuggets", service.folder.find(name), Nuggets)
    table = open_table(service, expand) if expand else None
    options = AskOptions(per_phrase=per_phrase, by=by, kinds=kinds, top=top, evidence=evidence)
    found = facts.ask(question, table, options)
    answers = [
        DateAnswer(
            date=one.date,
            sure=one.sure,
            match=one.match,
            count=one.count,
            forms=list(one.forms),
            evidence=[
                NuggetAnswer(
                    date=n.date, text=n.text, fragment=n.fragment, source=service.folder.say(n.source), title=n.title
                )
                for n in one.evidence
            ],
        )
        for one in found
    ]
    query = " ".join(str(group) for group in question_groups(question, table, options))
    return DatesAnswer(query=query, answers=answers)
