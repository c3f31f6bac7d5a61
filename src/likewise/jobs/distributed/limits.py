"""What one process may hold while a job runs on an engine; more is refused in words before the work begins."""

from collections.abc import Sequence
from typing import Any

from likewise.engines.options import EngineOptions
from likewise.errors import OptionError
from likewise.jobs.distributed.asked import is_frame

# Bytes that a record takes while all are decided on: its texts and candidates; what each field says of these.
_HELD, _FIELD = 20_000, 8_500
_BY_SCORE = "name a min_score (of match also top, all or all_pairs)"


class AllAtOnceError(Exception):
    """The job needs all records in one process; the caller decides whether they fit."""


def collected(source: Any, running: EngineOptions, fields: int) -> Any:
    """Return a table as this process reads it, for what needs all records at once; a DataFrame that fits is fetched.

    ``fields``: how many are compared; 0: all.
    """
    if not is_frame(source):
        if "://" in str(source):
            raise OptionError(
                f"a decision needs all records in this process, which does not read {source}: give a DataFrame"
            )
        return source
    check_fits(source.count(), running, fields or len(source.columns))
    return source.toArrow()


_PASSAGE = 18_000  # bytes of numbers that a passage takes while it is linked: its place, terms, vectors, nearest ones


def check_passages(passages: int, running: EngineOptions) -> None:
    """Refuse in words more passages than the memory of this process is allowed to link.

    >>> check_passages(1_000_000, EngineOptions(engine="duckdb"))
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: to link 1,000,000 passages takes one process 17 GB of numbers, memory is 2GB: ...
    """
    instead = "link parts of the texts with the others (left and right)"
    _check_memory(f"link {passages:,} passages", passages * _PASSAGE, running, instead)


# Bytes of numbers that the candidates of a record take for each field while they are decided on. The whole record is a
# field, too, and so may be the numbers in a text. Within one table each candidate is one of both its records.
_SAID, _MORE_FIELDS, _WITHIN = 1_800, 2, 1.5


def check_numbers(tables: Sequence[int], running: EngineOptions, fields: int) -> None:
    """Refuse in words more records than this process is allowed to hold the candidates of, which are numbers.

    ``tables``: the records of each.

    >>> check_numbers([5_000_000, 5_000_000], EngineOptions(engine="duckdb"), 6)
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: to decide on 10,000,000 records takes one process 135 GB of numbers, memory is 2GB: ...
    """
    records = sum(tables)
    held = int(records * _SAID * (fields + _MORE_FIELDS) * (_WITHIN if len(tables) == 1 else 1))
    _check_memory(f"decide on {records:,} records", held, running, f"{_BY_SCORE}, which needs none of them")


_ASSIGNED = 1_500  # bytes of numbers that the pairs of a record take while it is decided who gets whom


def check_assignable(records: int, running: EngineOptions) -> None:
    """Refuse in words more records than this process is allowed to assign to each other.

    >>> check_assignable(10_000_000, EngineOptions(engine="duckdb"))
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: to assign 10,000,000 records takes one process 14 GB of numbers, memory is 2GB: ...
    """
    instead = "ask for reciprocal pairs, which need none of them"
    _check_memory(f"assign {records:,} records", records * _ASSIGNED, running, instead)


def check_fits(records: int, running: EngineOptions, fields: int) -> None:
    """Refuse in words more records than the memory of this process is allowed to hold.

    >>> check_fits(1_000_000, EngineOptions(engine="duckdb"), 6)
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: to decide on 1,000,000 records takes one process about 48 GB, memory is 2GB: ...
    """
    held = records * max(_HELD, _FIELD * fields)
    instead = f"{_BY_SCORE}, which an engine finds in blocks"
    _check_memory(f"decide on {records:,} records", held, running, instead, "about {:,} GB")


def _check_memory(task: str, held: int, running: EngineOptions, instead: str, size: str = "{:,} GB of numbers") -> None:
    if held > running.memory_bytes:
        takes = size.format(-(-held >> 30))
        raise OptionError(f"to {task} takes one process {takes}, memory is {running.limit}: give it more, or {instead}")
