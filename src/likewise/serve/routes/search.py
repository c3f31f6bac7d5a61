"""Index texts as a job; then search them, and see why each was found."""

from pathlib import Path as FilePath
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from likewise.errors import InputError
from likewise.index.arguments import parse_filters
from likewise.index.hits import Hit, Hits
from likewise.index.index import Index
from likewise.jobs.collect import CollectOptions
from likewise.serve.measures import measure_of
from likewise.serve.routes.compare import ExplanationAnswer, SpanAnswer, spans_of
from likewise.serve.routes.paraphrases import open_table
from likewise.serve.schema import RESPONSES, RunAnswer, Strict, model_of, settings_of
from likewise.serve.service import Service, Shared
from likewise.serve.widening import Widened, widen
from likewise.serve.workers import Route

router = APIRouter(prefix="/api", tags=["search"], responses=RESPONSES, route_class=Route)
CollectSettings = model_of(CollectOptions, "CollectSettings")
MOST_HITS = 200
IndexName = Annotated[str, Query(alias="index", max_length=255, description="Name of an index in the folder.")]
Text = Annotated[str, Query(min_length=1, max_length=2000, description="Words, phrases, groups; see the guide.")]
Filters = Annotated[
    list[Annotated[str, Field(max_length=200)]] | None,
    Query(alias="filter", max_length=10, description="field=value, field=a..b or field=a|b; all must hold."),
]


Expand = Annotated[str | None, Query(max_length=255, description="Table of paraphrases to widen the query with.")]
Without = Annotated[
    list[Annotated[str, Field(max_length=500)]] | None,
    Query(max_length=100, description="Paraphrases that are not to be searched for."),
]
Forgive = Annotated[bool, Query(description="Read words that no text has as similar ones that some text has.")]
PER_PHRASE = 4


class IndexRequest(Strict):
    """What to index, and under which name."""

    name: str = Field(min_length=1, max_length=100)
    source: str = Field(max_length=255, description="Name of a text, a table or a folder.")
    measure: str | None = Field(None, max_length=2000, description="A specification (default: BM25).")
    id: str | None = Field(None, max_length=255, description="Column of a table that holds the ids.")
    options: CollectSettings = Field(default_factory=CollectSettings)  # type: ignore[valid-type]


class HitAnswer(BaseModel):
    """A text that was found, and the piece of it that shows why."""

    rank: int
    id: str
    score: float
    snippet: str
    highlights: list[SpanAnswer]
    before: bool = Field(description="Whether the text goes on before the piece.")
    after: bool
    heading: str = Field(description="Where the text stands: the titles above it.")
    source: str
    fields: dict[str, Any]
    reading: str = Field(description="The query as it counted for this text.")

    @classmethod
    def of(cls, hit: Hit, service: Service) -> "HitAnswer":
        """Return a hit as an answer."""
        piece = hit.snippet(300)
        return cls(
            rank=hit.rank,
            id=str(hit.id),
            score=hit.score,
            snippet=piece.text,
            highlights=spans_of(piece.highlights),
            before=piece.before,
            after=piece.after,
            heading=hit.heading,
            source=service.folder.say(hit.source),
            fields=hit.fields,
            reading=hit.reading,
        )


class HitsAnswer(BaseModel):
    """The best texts for a query."""

    query: str = Field(description="The query as it was searched.")
    corrected: str = Field(description="The query with typing errors read away.")
    corrections: dict[str, str] = Field(description="Words that no text has, and what was searched instead.")
    widened: list[Widened] = Field(description="Phrases that paraphrases widened, each with its alternatives.")
    texts: int = Field(description="How many texts the index has.")
    notes: list[str] = Field(description="Why nothing was found, where something explains it.")
    hits: list[HitAnswer]


@router.post("/index", status_code=202)
def start(request: IndexRequest, service: Shared) -> RunAnswer:
    """Start to index; the answer is the job to watch. The index then lies in the folder under its name."""
    settings = settings_of(CollectOptions, request.options)
    if request.measure:
        measure_of(request.measure)
    service.folder.find(request.source)
    name = service.folder.new_name(request.name, "index")
    parameters = request.model_dump(include={"source", "measure", "id"}) | {"name": name, "options": settings}
    return RunAnswer.of(service.queue.submit("index", f"index {request.source} as {name}", parameters))


@router.get("/search")
def search(
    name: IndexName,
    query: Text,
    service: Shared,
    top: Annotated[int, Query(ge=1, le=MOST_HITS)] = 10,
    filters: Filters = None,
    expand: Expand = None,
    without: Without = None,
    forgive: Forgive = True,
) -> HitsAnswer:
    """Find the texts that fit a query best; with ``expand``, also by paraphrases of its phrases."""
    index = open_index(service, name)
    text, widened = _widened(service, query, expand, without)
    hits = _find(index, text, top, filters, forgive)
    return HitsAnswer(
        query=text,
        corrected=hits.corrected,
        corrections=dict(hits.corrections),
        widened=widened,
        texts=len(index),
        notes=list(hits.notes),
        hits=[HitAnswer.of(hit, service) for hit in hits],
    )


@router.get("/search/why")
def why(
    name: IndexName,
    query: Text,
    rank: Annotated[int, Query(ge=1, le=MOST_HITS)],
    service: Shared,
    filters: Filters = None,
    expand: Expand = None,
    without: Without = None,
    forgive: Forgive = True,
) -> ExplanationAnswer:
    """Say why the text at a rank was found."""
    hits = _find(open_index(service, name), _widened(service, query, expand, without)[0], rank, filters, forgive)
    if len(hits) < rank:
        raise InputError(f"the query finds {len(hits)} texts; there is none at rank {rank}")
    return ExplanationAnswer.of(hits[rank - 1].explain())


def _widened(service: Service, query: str, expand: str | None, without: list[str] | None) -> tuple[str, list[Widened]]:
    if not expand:
        return query, []
    return widen(query, open_table(service, expand), PER_PHRASE, frozenset(without or ()))


def _find(index: Index, query: str, top: int, filters: list[str] | None, forgive: bool) -> Hits:
    return index.search(query, filters=parse_filters(filters or []), top=top, forgive=forgive)


def open_index(service: Service, name: str) -> Index:
    """Return an index of the folder, kept open."""
    return open_path(service, service.folder.find(name))


def open_path(service: Service, path: FilePath) -> Index:
    """Return the index at a path, kept open."""
    index: Index = service.opened("index", path, Index.open, lambda index: len(index.measure.analyser))
    return index
