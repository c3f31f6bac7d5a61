"""Plain values with lists of millions, written as JSON and read from it a part at a time: the text is the same.

:class:`Parts` stands for such a list. :func:`pieces` gives the text of values that have some, :func:`with_parts` reads
a text in which those of a measure's statistics are such.
"""

import json
import mmap
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

from likewise.platform import leave_pages

_PART = 1 << 20  # bytes of a text that are read at a time
_LISTS = re.compile(rb'"statistics": \{"texts": \d+, "words": \d+, "terms": \[')
# What comes behind each of the lists, as it is written.
_ENDS = (b'], "document_frequencies": [', b'], "occurrences": [', b"]}")
_BETWEEN = (b'", "', b", ", b", ")
_PLACE = "list of statistics"


@dataclass(frozen=True, slots=True)
class Parts:
    """A list that is given in parts, any number of times.

    >>> both = Parts(lambda: [["a", "b"], ["c"]])
    >>> [len(part) for part in both], both.whole()
    ([2, 1], ['a', 'b', 'c'])
    """

    give: Callable[[], Iterable[list[Any]]]

    def __iter__(self) -> Iterator[list[Any]]:
        return iter(self.give())

    def whole(self) -> list[Any]:
        """Return the list."""
        return list(chain.from_iterable(self))


def pieces(values: Any) -> Iterator[str]:
    """Yield the text of plain values as JSON, for which lists in parts are lists.

    >>> "".join(pieces({"n": 1, "words": Parts(lambda: [["a"], [], ["b"]])}))
    '{"n": 1, "words": ["a", "b"]}'
    """
    if isinstance(values, Parts):
        yield "["
        between = ""
        for part in values:
            if part:
                yield between + _text(part)[1:-1]
                between = ", "
        yield "]"
    elif isinstance(values, Mapping):
        for place, (name, one) in enumerate(values.items()):
            yield f"{', ' if place else '{'}{_text(name)}: "
            yield from pieces(one)
        yield "}" if values else "{}"
    elif isinstance(values, list) and any(isinstance(one, Mapping) for one in values):
        for place, one in enumerate(values):
            yield ", " if place else "["
            yield from pieces(one)
        yield "]"
    else:
        yield _text(values)


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def with_parts(data: bytes | mmap.mmap) -> Any:
    """Return what JSON in UTF-8 says; the lists of statistics that :func:`pieces` wrote are read when they are wanted.

    >>> text = '{"statistics": {"texts": 1, "words": 2, "terms": ["a", "b"], "document_frequencies": [1, 1], '
    >>> found = with_parts((text + '"occurrences": [1, 1]}}').encode())["statistics"]
    >>> found["words"], found["terms"].whole(), found["occurrences"].whole()
    (2, ['a', 'b'], [1, 1])
    """
    found: list[Parts] = []
    rest: list[bytes] = []
    at = 0
    while lists := _LISTS.search(data, at):
        begin = lists.end()
        rest.append(data[at:begin][:-1])
        for end, between in zip(_ENDS, _BETWEEN, strict=True):
            last = _found(data, end, begin)
            if last < 0:
                return json.loads(data[:])
            rest += [b'{"%s": %d}' % (_PLACE.encode(), len(found)), end[1:].removesuffix(b"[")]
            found.append(Parts(_Stretch(data, begin, last, between)))
            begin = at = last + len(end)
    rest.append(data[at:])

    def put(values: dict[str, Any]) -> Any:
        return found[values[_PLACE]] if values.keys() == {_PLACE} else values

    try:
        return json.loads(b"".join(rest), object_hook=put)
    except (ValueError, LookupError, TypeError):  # written in another way, or not whole: who reads it all says so
        return json.loads(data[:])


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A list in a text: where its values begin and end."""

    data: bytes | mmap.mmap
    begin: int
    end: int
    between: bytes

    def __call__(self) -> Iterator[list[Any]]:
        # What stands between two texts has the mark that ends one. A cut within a text leaves a part that is no JSON.
        behind = self.between.index(b",")
        begin = self.begin
        while begin < self.end:
            cut = self.data.find(self.between, begin + _PART, self.end)
            last = self.end if cut < 0 else cut + behind
            try:
                part = json.loads(b"[" + self.data[begin:last] + b"]")
            except ValueError:
                last = self.end
                part = json.loads(b"[" + self.data[begin:last] + b"]")
            yield part
            begin = last + 2
            _leave(self.data)


def _found(data: bytes | mmap.mmap, what: bytes, begin: int) -> int:
    """Return where something comes next, -1: nowhere; of a mapped file the pages are left that were looked at."""
    for first in range(begin, len(data), 16 * _PART):
        if (at := data.find(what, first, first + 16 * _PART + len(what) - 1)) >= 0:
            return at
        _leave(data)
    return -1


def _leave(data: bytes | mmap.mmap) -> None:
    if isinstance(data, mmap.mmap):
        leave_pages(data)
