"""Propose columns for the ids and for comparing, before anything is matched."""

import re
from dataclasses import dataclass

from likewise.read.tables import Records, read_table, texts_of
from likewise.records.kinds import detect
from likewise.records.pairing import paired, together

_IDS = re.compile(r"(.*[\W_])?(id|ids|key|nr|no|number|code|uuid|guid|pk|ref)|.*[a-z]I[Dd]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Proposal:
    """The columns of ids, where a table has one, and the columns that go together."""

    left_id: str | None
    right_id: str | None
    pairs: tuple[tuple[str, str], ...]


def id_column(records: Records) -> str | None:
    """Return the column that tells the records apart: by its name, or the first if it holds codes; none otherwise.

    >>> id_column(read_table([{"name": "Ada", "nr": 7}, {"name": "Grace", "nr": 8}]))
    'nr'
    >>> id_column(read_table([{"name": "Ada", "nr": 7}, {"name": "Grace", "nr": 7}])) is None
    True
    """
    if records.id_column is not None or len(records) < 2 or len(records.comparable) < 2:
        return records.id_column
    first = records.comparable[0]
    named = [name for name in records.comparable if _IDS.fullmatch(name)]
    for name in (*named, *([] if first in named else [first])):
        values = texts_of(records.table, name, records.name).to_pylist()
        distinct = all(values) and len(set(values)) == len(values)
        if distinct and (name in named or _are_codes(values)):
            return name
    return None


def _are_codes(values: list[str]) -> bool:
    return all(value.isdecimal() for value in values) or detect(values) == "code"


def propose(left: Records, right: Records | None, left_id: str | None, right_id: str | None) -> Proposal:
    """Return which columns are ids and which go together; an id that is given counts, and ``""`` says there is none.

    >>> left = read_table([{"gid": 11, "title": "Red pen"}, {"gid": 12, "title": "Blue ink"}])
    >>> right = read_table([{"item": "Blue ink", "key": "B7"}, {"item": "Red pencil", "key": "B8"}])
    >>> propose(left, right, None, None)
    Proposal(left_id='gid', right_id='key', pairs=(('title', 'item'),))
    """
    left = _with_id(left, left_id)
    if right is None:
        return Proposal(left.id_column, None, tuple((name, name) for name in left.comparable))
    right = _with_id(right, right_id)
    if len(left.comparable) == len(right.comparable) == 1:
        return Proposal(left.id_column, right.id_column, ((left.comparable[0], right.comparable[0]),))
    pairs = together(left.comparable, right.comparable, paired(left, right))
    return Proposal(left.id_column, right.id_column, tuple(pairs.items()))


def _with_id(records: Records, given: str | None) -> Records:
    name = id_column(records) if given is None else given
    return read_table(records, id=name) if name else records
