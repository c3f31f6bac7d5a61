"""Mine paraphrases as a job; then look up what says the same as a phrase, with the evidence."""

from typing import Annotated

from fastapi import APIRouter, Query
from fastapi.responses import FileResponse
from pydantic import BaseModel, Field

from likewise.errors import InputError
from likewise.jobs.mine.options import MineOptions
from likewise.results.paraphrases import Paraphrase, Paraphrases
from likewise.serve.download import Format, download
from likewise.serve.routes.jobs import Id
from likewise.serve.schema import RESPONSES, RunAnswer, Strict, model_of, settings_of
from likewise.serve.service import Service, Shared
from likewise.serve.workers import Route

router = APIRouter(prefix="/api", tags=["paraphrases"], responses=RESPONSES, route_class=Route)
# Which code or folder is loaded is for the owner of the machine to say, not for a request.
MineSettings = model_of(MineOptions, "MineSettings", leave_out=("tagger_from",))
Table = Annotated[str, Query(alias="table", max_length=255, description="Name of a mined table in the folder.")]


class MineRequest(Strict):
    """What to mine, and the name of the table."""

    name: str = Field(min_length=1, max_length=100)
    source: str = Field(max_length=255, description="Name of a text or a folder of texts.")
    options: MineSettings = Field(default_factory=MineSettings)  # type: ignore[valid-type]
    curve: bool = Field(False, description="Also mine parts of the text, to draw how the pairs grow with it.")


class SampleAnswer(BaseModel):
    """A place in which both phrases stand: what is before and behind, and where it was read."""

    left: str
    right: str
    attached: str = Field(description="Entities or the clause that had to be equal, too.")
    phrase_source: str
    paraphrase_source: str


class ParaphraseAnswer(BaseModel):
    """A phrase that stands in the same places."""

    phrase: str
    paraphrase: str
    support: int = Field(description="Distinct contexts in which both stand.")
    anchors: int
    probability: float = Field(description="How likely a judge calls the pair right.")
    kind: str
    together: int
    samples: list[SampleAnswer]

    @classmethod
    def of(cls, pair: Paraphrase, service: Service) -> "ParaphraseAnswer":
        """Return a pair as an answer."""
        return cls(
            phrase=pair.phrase,
            paraphrase=pair.paraphrase,
            support=pair.support,
            anchors=pair.anchors,
            probability=pair.probability,
            kind=pair.kind,
            together=pair.together,
            samples=[
                SampleAnswer(**{name: service.folder.say(text) for name, text in one.items()}) for one in pair.samples
            ],
        )


class ParaphrasesAnswer(BaseModel):
    """What was found, best first."""

    pairs: int = Field(description="How many pairs the table has.")
    found: list[ParaphraseAnswer]


@router.post("/mine", status_code=202)
def start(request: MineRequest, service: Shared) -> RunAnswer:
    """Start to mine; the answer is the job to watch. The table then lies in the folder under its name."""
    settings = settings_of(MineOptions, request.options)
    service.folder.find(request.source)
    name = service.folder.new_name(request.name, "paraphrases", ".parquet")
    parameters = {"name": name, "source": request.source, "options": settings, "curve": request.curve}
    return RunAnswer.of(service.queue.submit("mine", f"mine {request.source} as {name}", parameters))


@router.get("/mine/{id}/curve", response_class=FileResponse)
def curve(id: Id, service: Shared) -> FileResponse:  # noqa: A002 - the word of the address
    """Return the drawing of pairs against input size."""
    path = service.folder.results / service.queue.get(id).id / "curve.svg"
    if not path.is_file():
        raise InputError(f"job {id} drew no curve")
    return FileResponse(path, media_type="image/svg+xml")


@router.get("/paraphrases")
def look_up(
    table: Table,
    service: Shared,
    phrase: Annotated[str | None, Query(max_length=500, description="The phrase (default: the best pairs).")] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> ParaphrasesAnswer:
    """Return what says the same as a phrase, or the best pairs of the table."""
    found = open_table(service, table)
    pairs = found.of(phrase.strip(), limit) if phrase and phrase.strip() else _best(service, table, limit)
    return ParaphrasesAnswer(pairs=len(found), found=[ParaphraseAnswer.of(pair, service) for pair in pairs])


@router.get("/paraphrases/download", response_class=FileResponse)
def take(table: Table, service: Shared, format: Format = "csv") -> FileResponse:  # noqa: A002 - the word users see
    """Download the table, without the samples."""
    return download(open_table(service, table).to_arrow().drop_columns(["samples"]), "paraphrases", format)


def open_table(service: Service, name: str) -> Paraphrases:
    """Return a table of the folder, kept open."""
    found: Paraphrases = service.opened("paraphrases", service.folder.find(name), Paraphrases.read)
    return found


def _best(service: Service, name: str, limit: int) -> list[Paraphrase]:
    ordered: Paraphrases = service.opened(
        "paraphrases by probability",
        service.folder.find(name),
        lambda path: Paraphrases.read(path).filter(stop_words=False, content=True).by_probability(),
    )
    return list(Paraphrases(ordered.to_arrow().slice(0, limit)))
