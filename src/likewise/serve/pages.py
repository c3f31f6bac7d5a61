"""The web pages: templates, filled with what the service knows; their scripts ask the same API for the rest."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import parse_qs

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from fastapi.templating import Jinja2Templates

from likewise import __version__
from likewise.jobs.link import PRESETS
from likewise.read.formats import endings, formats_said
from likewise.read.open import PACKED
from likewise.records.matched import CHARTS
from likewise.said import size_of
from likewise.serve.folder import TABLES, Item
from likewise.serve.guard import COOKIE, same, session_of
from likewise.serve.measures import described
from likewise.serve.place import around, in_book, standing
from likewise.serve.routes.files import Name
from likewise.serve.routes.jobs import Id
from likewise.serve.routes.search import IndexName, open_index
from likewise.serve.service import Shared
from likewise.serve.workers import Route

router = APIRouter(include_in_schema=False, route_class=Route)
templates = Jinja2Templates(directory=Path(__file__).parent / "templates")  # escapes everything by default
templates.env.filters["size"] = size_of

# Address, name, and the sentence that the start page says about it.
PAGES = (
    ("/compare", "Compare", "Two texts side by side: the score, what matches, and why."),
    ("/match", "Match", "Names, vendors, products: which records of one table or two mean the same."),
    ("/read", "Read", "A book, a manual, a folder of pages: passages that treat the same subject, linked."),
    ("/search", "Search", "Passages and documents by a query, with what matches and why."),
    (
        "/paraphrases",
        "Paraphrases",
        "Phrases that stand in the same places: mine them, look them up, see the evidence.",
    ),
    ("/ask", "Ask", "Questions that begin with When, answered with dates and what speaks for them."),
    ("/judge", "Judge", "Decide by hand, blind and one key each, how good links or paraphrases are."),
    ("/evaluation", "Evaluation", "The published tables, computed again from the original data."),
)

# Where the result of a kind of job is shown.
RESULT_PAGES = {
    "index": "/search?job=",
    "link": "/read/",
    "match": "/match/",
    "mine": "/paraphrases?job=",
    "nuggets": "/ask?job=",
    "questions": "/ask?job=",
    "reproduce": "/evaluation/",
}


def page(request: Request, name: str, /, *, status: int = 200, **values: Any) -> HTMLResponse:
    """Return a filled template."""
    known = {"pages": PAGES, "version": __version__, "here": request.url.path}
    return templates.TemplateResponse(request, f"{name}.html", known | values, status_code=status)


def error_page(request: Request, status: int, message: str, headers: dict[str, str]) -> Response:
    """Return the page that says what went wrong."""
    made = page(request, "error", status=status, message=message, code=status)
    made.headers.update(headers)
    return made


def _names(items: Sequence[Item], *kinds: str, ending: str | None = None) -> list[str]:
    """Return the names of the items of some kinds, and of those with an ending."""
    return [item.name for item in items if item.kind in kinds or (ending is not None and item.name.endswith(ending))]


@router.get("/")
def start(request: Request, service: Shared) -> Response:
    """Show what there is to do, what lies in the folder, and the latest jobs."""
    return page(request, "start", items=service.folder.items(), jobs=service.queue.all()[:10])


@router.get("/compare")
def compare(request: Request) -> Response:
    """Show the page that compares two texts."""
    return page(request, "compare", measures=described())


@router.get("/match")
def match(request: Request, service: Shared) -> Response:
    """Show the page on which a match is started."""
    tables = _names(service.folder.items(), "table")
    jobs = service.queue.all("match")[:20]
    accepted, formats = (*TABLES, *PACKED), formats_said(tables=True)
    return page(request, "match", tables=tables, measures=described(), jobs=jobs, accepted=accepted, formats=formats)


@router.get("/match/{id}")
def matched(request: Request, id: Id, service: Shared) -> Response:  # noqa: A002
    """Show the pairs of a match."""
    job = service.queue.get(id)
    charts = service.folder.results / id / CHARTS
    shown = charts.read_text(encoding="utf-8") if job.kind == "match" and charts.exists() else ""
    return page(request, "matched" if job.state == "done" else "job", job=job, charts=shown, target=f"/match/{id}")


@router.get("/read")
def read(request: Request, service: Shared) -> Response:
    """Show the linked books, and the form that links another."""
    items = service.folder.items()
    texts, books = _names(items, "text", "folder", ending=".txt"), _names(items, "book")
    jobs = service.queue.all("link")[:20]
    accepted = (*(ending for ending in endings(documents=True) if ending not in endings(tables=True)), *PACKED)
    return page(
        request, "read", texts=texts, books=books, jobs=jobs, presets=PRESETS, accepted=accepted, formats=formats_said()
    )


@router.get("/read/shelf/{name}")
def shelf(request: Request, name: Name, service: Shared) -> Response:
    """Show a book that lies in the folder."""
    service.folder.find(name)
    return page(request, "shelf", book=name)


@router.get("/read/{id}")
def book(
    request: Request,
    id: Id,  # noqa: A002
    service: Shared,
    unit: Annotated[int | None, Query(ge=0)] = None,
) -> Response:
    """Show a linked book, opened at a passage if one is named."""
    job = service.queue.get(id)
    opens_at = "text" if unit is None else f"u{unit}"
    return page(request, "book" if job.state == "done" else "job", job=job, target=f"/read/{id}", opens_at=opens_at)


@router.get("/search")
def search(request: Request, service: Shared) -> Response:
    """Show the search page."""
    items = service.folder.items()
    return page(
        request,
        "search",
        indexes=_names(items, "index"),
        sources=_names(items, "text", "folder", "table"),
        tables=_names(items, "paraphrases"),
        jobs=[job for job in service.queue.all("index") if job.active],
    )


@router.get("/search/text")
def text(
    request: Request,
    index: IndexName,
    id: Annotated[str, Query(max_length=500)],  # noqa: A002
    query: Annotated[str, Query(max_length=2000)],
    service: Shared,
) -> Response:
    """Show a text that was found where it stands: in a linked book, or between its neighbours."""
    opened = open_index(service, index)
    segment, at = standing(opened, id)
    book = in_book(service, index, segment.item(at), query)
    if book is not None:
        return RedirectResponse(f"/read/{book[0]}?unit={book[1]}", status_code=303)
    name, texts = around(opened, segment, at, query)
    return page(request, "text", name=service.folder.say(name), texts=texts, index=index, query=query)


@router.get("/paraphrases")
def paraphrases(request: Request, service: Shared) -> Response:
    """Show the look-up of mined phrases."""
    items = service.folder.items()
    return page(
        request,
        "paraphrases",
        tables=_names(items, "paraphrases"),
        sources=_names(items, "text", "folder", ending=".txt"),
        jobs=[job for job in service.queue.all("mine") if job.active],
    )


@router.get("/ask")
def ask(request: Request, service: Shared) -> Response:
    """Show the page that answers when-questions."""
    items = service.folder.items()
    return page(
        request,
        "ask",
        facts=_names(items, "nuggets"),
        asked=_names(items, "folder", ending="-q.tsv"),
        tables=_names(items, "paraphrases"),
        sources=_names(items, "text", "folder", ending=".txt"),
    )


@router.get("/judge")
def judge(request: Request, service: Shared) -> Response:
    """Show the studies, and the form that makes another."""
    items = service.folder.items()
    tables = _names(items, "paraphrases", ending=".jsonl")
    links = [job for job in service.queue.all("link") if job.state == "done"]
    return page(request, "judge", studies=_names(items, "study"), links=links, tables=tables)


@router.get("/judge/{name}")
def study(request: Request, name: Name, service: Shared) -> Response:
    """Show the page on which somebody judges."""
    service.folder.find(name)
    return page(request, "study", study=name)


@router.get("/evaluation")
def evaluation(request: Request, service: Shared) -> Response:
    """Show the computed reproductions, and the form that starts another."""
    return page(
        request,
        "evaluation",
        folders=_names(service.folder.items(), "folder"),
        jobs=service.queue.all("reproduce")[:20],
    )


@router.get("/evaluation/{id}")
def reproduction(request: Request, id: Id, service: Shared) -> Response:  # noqa: A002
    """Show the report of a reproduction."""
    job = service.queue.get(id)
    return page(request, "reproduction" if job.state == "done" else "job", job=job, target=f"/evaluation/{id}")


@router.get("/jobs/{id}")
def job(request: Request, id: Id, service: Shared) -> Response:  # noqa: A002
    """Show a job while it runs; afterwards its result."""
    found = service.queue.get(id)
    target = f"{RESULT_PAGES[found.kind]}{id}" if found.kind in RESULT_PAGES else None
    if found.state == "done" and target:
        return RedirectResponse(target, status_code=303)
    return page(request, "job", job=found, target=target)


@router.get("/login")
def login_form(request: Request, next: Annotated[str, Query(max_length=200)] = "/") -> Response:  # noqa: A002
    """Ask for the token."""
    return page(request, "login", next=_own(next), wrong=False)


@router.post("/login")
async def login(request: Request, service: Shared) -> Response:
    """Exchange the token for a cookie."""
    form = parse_qs((await request.body()).decode("utf-8", "replace"))
    target = _own(form.get("next", ["/"])[0])
    token = service.settings.token
    if token is not None and not same(form.get("token", [""])[0].strip(), token):
        return page(request, "login", status=401, next=target, wrong=True)
    answer = RedirectResponse(target, status_code=303)
    if token is not None:
        answer.set_cookie(
            COOKIE, session_of(token), httponly=True, samesite="strict", secure=request.url.scheme == "https"
        )
    return answer


def _own(target: str) -> str:
    """Return an address of this service, whatever was asked for."""
    return target if target.startswith("/") and not target.startswith(("//", "/\\")) else "/"
