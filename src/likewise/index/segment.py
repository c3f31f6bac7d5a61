"""A segment: up to 65,536 texts with their ids and fields, and the lists by which they are found. Never changed.

Texts, ids and fields are an Arrow table inside the segment's file; removing a text only marks it, in an array beside.
"""

import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import DamagedError, InputError
from likewise.index.container import Arrays
from likewise.read.document import Document
from likewise.read.texts import is_column, texts_and_ids

if TYPE_CHECKING:
    import pyarrow as pa

SEGMENT_TEXTS = 65_536
# More characters than this in one segment would cost too much memory while its lists are made.
SEGMENT_CHARACTERS = 32_000_000
_FIELD = "field:"
_HEADING = "heading"

Id = str | int


@dataclass(slots=True)
class Segment:
    """Texts of an index that were added together."""

    arrays: Arrays
    count: int
    lists: Any = None  # what the family of the measure made of the arrays
    dead: NDArray[np.uint8] | None = None  # 1: removed
    name: str | None = None  # file in the index's folder
    dead_name: str | None = None
    _table: "pa.Table | None" = field(default=None, repr=False)

    @property
    def table(self) -> "pa.Table":
        """Texts, ids and fields."""
        if self._table is None:
            import pyarrow as pa

            try:
                with pa.ipc.open_file(pa.py_buffer(self.arrays["documents"])) as reader:
                    table = reader.read_all()
                table.validate(full=True)  # what others wrote may point anywhere
                missing = {"id", "text", "source"} - set(table.column_names)
            except (pa.ArrowException, OSError, KeyError, ValueError) as error:
                raise DamagedError(f"the texts of segment {self.name} cannot be read: {error}") from error
            if missing or table.num_rows != self.count:
                raise DamagedError(
                    f"segment {self.name} has {table.num_rows} texts, not {self.count}, or lacks a column"
                )
            self._table = table
        return self._table

    @property
    def alive(self) -> int:
        """Number of texts that were not removed."""
        return self.count if self.dead is None else self.count - int(self.dead.sum())

    def texts(self, places: NDArray[np.int64] | None = None) -> list[str]:
        """Return all texts as they are searched, removed ones too, or those at some places."""
        table = self.table if places is None else self.table.take(places)
        texts: list[str] = table.column("text").to_pylist()
        if _HEADING not in table.column_names:
            return texts
        return list(map(searched, table.column(_HEADING).to_pylist(), texts))

    def ids(self) -> list[Id]:
        """Return all ids, those of removed texts too."""
        return list(self.table.column("id").to_pylist())

    def field_names(self) -> list[str]:
        """Return the names of the fields."""
        return [name[len(_FIELD) :] for name in self.table.column_names if name.startswith(_FIELD)]

    def field(self, name: str) -> "pa.Array | None":
        """Return a field's values, or ``None`` if no text of the segment has it."""
        if _FIELD + name not in self.table.column_names:
            return None
        return self.table.column(_FIELD + name).combine_chunks()

    def item(self, place: int) -> "Item":
        """Return a text with its id, source and fields."""
        # A value at a time: a slice of the table takes ten times as long.
        row = {
            name: column[place].as_py()
            for name, column in zip(self.table.column_names, self.table.columns, strict=True)
        }
        given = {name[len(_FIELD) :]: v for name, v in row.items() if name.startswith(_FIELD) and v is not None}
        return Item(row["id"], row["text"], row["source"], given, row.get(_HEADING, ""))

    def gone(self, leave_out: tuple[str, ...]) -> NDArray[np.uint8] | None:
        """Return which texts were removed or have one of the roles to leave out; ``None``: no text."""
        roles = self.field("role") if leave_out else None
        if roles is None:
            return self.dead
        import pyarrow as pa
        import pyarrow.compute as pc

        left_out = pc.is_in(roles, value_set=pa.array(leave_out, roles.type)).to_numpy(zero_copy_only=False)
        found = np.asarray(left_out, np.uint8)
        return found if self.dead is None else found | self.dead

    def find(self, wanted: "set[Id]") -> NDArray[np.int64]:
        """Return the places of texts with one of the ids that were not removed."""
        import pyarrow as pa
        import pyarrow.compute as pc

        column = self.table.column("id")
        kind = int if pa.types.is_integer(column.type) else str
        values = [one for one in wanted if isinstance(one, kind)]
        if not values or not self.count:
            return np.zeros(0, np.int64)
        if len(values) == 1:
            found = pc.equal(column, pa.scalar(values[0], column.type)).to_numpy()
        else:
            found = pc.is_in(column, value_set=pa.array(values, column.type)).to_numpy()
        places = np.flatnonzero(found)
        return places if self.dead is None else places[self.dead[places] == 0]


@dataclass(frozen=True, slots=True)
class Item:
    """A text with its id, source and fields, on its way into an index or out of it."""

    id: Id
    text: str
    source: str
    fields: dict[str, Any]
    heading: str = field(default="", repr=False)
    """The titles above the text: they are searched with it."""

    @property
    def searched(self) -> str:
        """What is searched: the text under its titles."""
        return searched(self.heading, self.text) if self.heading else self.text


def searched(heading: str, text: str) -> str:
    """Return a text under its titles; a phrase does not go on from one into the other.

    >>> searched("Fish", "It swims."), searched("", "It swims.")
    ('Fish.\\nIt swims.', 'It swims.')
    """
    return f"{heading}.\n{text}" if heading else text


def items_of(documents: Any, ids: Sequence[Id] | None, first: int) -> list[Item]:
    """Return what is to be indexed, from texts or documents; texts without ids are numbered from ``first``."""
    documents, ids = _texts(documents, ids)
    items: list[Item] = []
    given = None if ids is None else list(ids)
    for number, one in enumerate(documents):
        if given is not None and number >= len(given):
            raise InputError(f"there are more texts than the {len(given)} ids")
        if isinstance(one, Document | Item):
            name = given[number] if given else one.id
            items.append(Item(name, one.text, one.source, dict(one.fields), one.heading))
        elif isinstance(one, str):
            items.append(Item(given[number] if given else first + number, one, "", {}))
        else:
            raise InputError(f"text {number} is a {type(one).__name__}, not a str or Document")
    if given is not None and len(given) != len(items):
        raise InputError(f"there are {len(given)} ids for {len(items)} texts")
    seen: set[Id] = set()
    for item in items:
        if not is_unicode(item.text) or (isinstance(item.id, str) and not is_unicode(item.id)):
            raise InputError(f"the text with id {item.id!r} has an unpaired surrogate, which no encoding can write")
        if isinstance(item.id, bool) or not isinstance(item.id, str | int):
            raise InputError(f"an id must be a str or a whole number, not {item.id!r}")
        if item.id in seen:
            raise InputError(f"id {item.id!r} occurs more than once; ids must be unique")
        seen.add(item.id)
    return items


def _texts(documents: Any, ids: Sequence[Id] | None) -> tuple[Iterable[Any], Sequence[Id] | None]:
    """Return documents as they are; texts of anything else, with the ids that it brings along."""
    if (
        isinstance(documents, Iterable)
        and not isinstance(documents, str | bytes | Mapping)
        and not is_column(documents)
    ):
        documents = list(documents)
        kinds = set(map(type, documents))
        if kinds <= {str} or any(issubclass(kind, Document | Item) for kind in kinds):
            return documents, ids
    texts, found = texts_and_ids(documents, "documents")
    return texts, found if ids is None else ids


def is_unicode(text: str) -> bool:
    """Say whether a text can be written as UTF-8."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def portions(items: Sequence[Item]) -> Iterator[list[Item]]:
    """Cut items into segments: of one kind of id, not too many, not too long."""
    portion: list[Item] = []
    characters = 0
    for item in items:
        full = len(portion) == SEGMENT_TEXTS or (portion and characters + len(item.text) > SEGMENT_CHARACTERS)
        if full or (portion and type(item.id) is not type(portion[-1].id)):
            yield portion
            portion, characters = [], 0
        portion.append(item)
        characters += len(item.text)
    if portion:
        yield portion


def stored_items(segments: Iterable[Segment]) -> Iterator[Item]:
    """Give back what was put into segments, without what was removed."""
    for segment in segments:
        columns = [segment.table.column(name).to_pylist() for name in ("id", "text", "source")]
        headings = segment.table.column(_HEADING).to_pylist() if _HEADING in segment.table.column_names else None
        values = [(name, segment.field(name)) for name in segment.field_names()]
        fields = [(name, column.to_pylist()) for name, column in values if column is not None]
        for place, (one, text, source) in enumerate(zip(*columns, strict=True)):
            if segment.dead is None or not segment.dead[place]:
                given = {name: column[place] for name, column in fields if column[place] is not None}
                yield Item(one, text, source, given, headings[place] if headings else "")


def encode_documents(items: Sequence[Item]) -> NDArray[np.uint8]:
    """Return items as an Arrow table in the bytes of an IPC file."""
    import pyarrow as pa

    kind = pa.int64() if items and isinstance(items[0].id, int) else pa.string()
    columns: dict[str, Any] = {
        "id": pa.array([item.id for item in items], kind),
        "text": pa.array([item.text for item in items], pa.large_string()),
        "source": pa.array([item.source for item in items], pa.string()),
    }
    if any(item.heading for item in items):
        columns[_HEADING] = pa.array([item.heading for item in items], pa.string())
    names = sorted({name for item in items for name in item.fields})
    for name in names:
        columns[_FIELD + name] = field_column([item.fields.get(name) for item in items])
    table = pa.table(columns)
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return np.frombuffer(sink.getvalue(), np.uint8)


def field_column(values: Sequence[Any]) -> "pa.Array":
    """Return values as a column of their own type; mixed or unusual ones as text."""
    import pyarrow as pa

    try:
        column = pa.array(values)
        if pa.types.is_null(column.type):
            return column.cast(pa.string())
        if not pa.types.is_nested(column.type) or pa.types.is_list(column.type):
            return column
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        pass
    return pa.array([None if value is None else as_text(value) for value in values], pa.string())


def as_text(value: Any) -> str:
    """Return a field's value as text."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return str(value)
