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
    name, _ = _document(segment.item(at))
    shown, heading = [], ""
    for place in range(max(0, at - _AROUND), min(segment.count, at + _AROUND + 1)):
        item = segment.item(place)
        if (segment.dead is not None and segment.dead[place]) or _document(item)[0] != name:
            continue
        pieces = _marked(index, query, item.text) if place == at else ((item.text, False),)
        shown.append(Shown(item.heading if item.heading != heading else "", pieces, place == at))
        heading = item.heading
    return name, shown


def in_book(service: Service, name: str, item: Item, query: str) -> tuple[str, int] | None:
    """Return the newest linked book of what an index was made of, and the passage of a text that fits a query best."""
    made = (job for job in service.queue.all("index") if job.state == "done" and job.parameters["name"] == name)
    source = next((job.parameters["source"] for job in made), None)
    if source is None:
        return None
    for job in service.queue.all("link"):
        if job.state == "done" and source in (job.parameters["left"], job.parameters["right"]):
            passages = open_path(service, service.folder.results / job.id / "index")
            within = _within(passages, item)
            if within:
                best = passages.search(query, top=len(passages), plain=True, filters={"document": _document(item)[0]})
                return job.id, next((int(one) for one in best.ids if one in within), int(within[0]))
    return None


def _within(passages: Index, item: Item) -> list[Id]:
    """Return the passages of a linked book that a text has a part in: by document and span, with the same words."""
    import pyarrow.compute as pc

    document, start = _document(item)
    end = start + len(item.text)
    found: list[Id] = []
    for segment in passages.snapshot.segments:
        documents = segment.field("document")
        if documents is None:  # linked by a Likewise that did not keep it
            continue
        for place in pc.indices_nonzero(pc.equal(documents, document)).to_pylist():
            passage = segment.item(place)
            begin = int(passage.fields["start"])
            first, last = max(start, begin), min(end, begin + len(passage.text))
            same = passage.text[first - begin : last - begin] == item.text[first - start : last - start]
            if first < last and same and passage.source == item.source:
                found.append(passage.id)
    return found


def _document(item: Item) -> tuple[str, int]:
    """Return the id of the document that a text is a part of, and where it begins there."""
    document, start = item.fields.get("document"), item.fields.get("start")
    if isinstance(start, int) and str(item.id).rpartition("#")[0] == document:
        return str(document), start
    return str(item.id), 0


def _marked(index: Index, query: str, text: str) -> tuple[tuple[str, bool], ...]:
    spans = merge_spans([span for _, span in highlights(index.measure, query, text)])
    pieces, at = list[tuple[str, bool]](), 0
    for span in spans:
        pieces += [(text[at : span.start], False), (span.of(text), True)]
        at = span.end
    return (*pieces, (text[at:], False))
