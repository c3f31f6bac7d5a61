"""Where a text that was found stands: in a linked book of the same source, or between its neighbours in the index."""

from dataclasses import dataclass

from likewise.errors import InputError
from likewise.index.index import Index
from likewise.index.segment import Id, Item, Segment
from likewise.index.snippet import highlights
from likewise.measure.explanation import merge_spans
from likewise.serve.routes.search import open_path
from likewise.serve.service import Service

_AROUND = 40  # texts shown before the one that was found, and after it
_LOOKED_AT = 200  # passages of a book, best first, among which the one of the text is looked for


@dataclass(frozen=True, slots=True)
class Shown:
    """A text of a document: the titles above it where they change, and its pieces, each marked or not."""

    heading: str
    pieces: tuple[tuple[str, bool], ...]
    found: bool


def standing(index: Index, identity: str) -> tuple[Segment, int]:
    """Return the segment of an index that holds a text, and its place there; addresses know ids as text only."""
    wanted: set[Id] = {identity, int(identity)} if identity.isdecimal() and len(identity) < 19 else {identity}
    for segment in index.snapshot.segments:
        for place in segment.find(wanted):
            return segment, int(place)
    raise InputError(f"the index has no text with id {identity!r}")


def around(index: Index, segment: Segment, at: int, query: str) -> tuple[str, list[Shown]]:
    """Return the name of a text's document and the texts around it, with the words of the query marked in it."""
    name = _document(segment.item(at))
    shown, heading = [], ""
    for place in range(max(0, at - _AROUND), min(segment.count, at + _AROUND + 1)):
        item = segment.item(place)
        if (segment.dead is not None and segment.dead[place]) or _document(item) != name:
            continue
        pieces = _marked(index, query, item.text) if place == at else ((item.text, False),)
        shown.append(Shown(item.heading if item.heading != heading else "", pieces, place == at))
        heading = item.heading
    return name, shown


def in_book(service: Service, name: str, item: Item, query: str) -> tuple[str, int] | None:
    """Return the newest linked book of what an index was made of, and the passage that fits a query best in a text."""
    made = (job for job in service.queue.all("index") if job.state == "done" and job.parameters["name"] == name)
    source = next((job.parameters["source"] for job in made), None)
    for job in service.queue.all("link"):
        if job.state == "done" and source in (job.parameters["left"], job.parameters["right"]):
            passages = open_path(service, service.folder.results / job.id / "index")
            for words in (query, item.text[:300]):
                for hit in passages.search(words, top=_LOOKED_AT, plain=True):
                    if hit.text in item.text or item.text in hit.text:
                        return job.id, int(hit.id)
    return None


def _document(item: Item) -> str:
    """Return what a text is a part of: its id without the number of the part."""
    whole, sign, number = str(item.id).rpartition("#")
    return whole if sign and number.isdecimal() else str(item.id)


def _marked(index: Index, query: str, text: str) -> tuple[tuple[str, bool], ...]:
    spans = merge_spans([span for _, span in highlights(index.measure, query, text)])
    pieces, at = list[tuple[str, bool]](), 0
    for span in spans:
        pieces += [(text[at : span.start], False), (span.of(text), True)]
        at = span.end
    return (*pieces, (text[at:], False))
