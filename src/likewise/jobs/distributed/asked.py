"""What a job on an engine is given: cheap to import, for whoever only asks whether there is one."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from likewise.engines.options import EngineOptions
from likewise.errors import OptionError
from likewise.progress import Progress
from likewise.read.options import TableOptions


@dataclass(frozen=True, slots=True)
class Job:
    """Where a job runs and what it is told besides its own options."""

    running: EngineOptions
    read: TableOptions
    threads: int | None = None
    progress: Progress | None = None


def is_frame(source: Any) -> bool:
    """Whether something is a Spark DataFrame."""
    return hasattr(source, "sparkSession") and hasattr(source, "schema")


# Bytes that a record takes while all are decided on: its texts and candidates; what each field says of these.
_HELD, _FIELD = 20_000, 8_500


class AllAtOnceError(Exception):
    """What was asked for needs all records in one process; whoever asked can see whether they fit."""


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
    if passages * _PASSAGE > running.memory_bytes:
        raise OptionError(
            f"to link {passages:,} passages takes one process {-(-passages * _PASSAGE >> 30):,} GB of numbers, "
            f"memory is {running.limit}: give it more, or link parts of the texts with the others (left and right)"
        )


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
    if held > running.memory_bytes:
        raise OptionError(
            f"to decide on {records:,} records takes one process {-(-held >> 30):,} GB of numbers, memory is "
            f"{running.limit}: give it more, or name a min_score (of match also top, all or all_pairs), which needs "
            f"none of them"
        )


_ASSIGNED = 1_500  # bytes of numbers that the pairs of a record take while it is decided who gets whom


def check_assignable(records: int, running: EngineOptions) -> None:
    """Refuse in words more records than this process is allowed to assign to each other.

    >>> check_assignable(10_000_000, EngineOptions(engine="duckdb"))
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: to assign 10,000,000 records takes one process 14 GB of numbers, memory is 2GB: ...
    """
    if records * _ASSIGNED > running.memory_bytes:
        raise OptionError(
            f"to assign {records:,} records takes one process {-(-records * _ASSIGNED >> 30):,} GB of numbers, memory "
            f"is {running.limit}: give it more, or ask for reciprocal pairs, which need none of them"
        )


def check_fits(records: int, running: EngineOptions, fields: int) -> None:
    """Refuse in words more records than the memory of this process is allowed to hold.

    >>> check_fits(1_000_000, EngineOptions(engine="duckdb"), 6)
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: to decide on 1,000,000 records takes one process about 48 GB, memory is 2GB: ...
    """
    held = records * max(_HELD, _FIELD * fields)
    if held > running.memory_bytes:
        raise OptionError(
            f"to decide on {records:,} records takes one process about {-(-held >> 30):,} GB, memory is "
            f"{running.limit}: give it more, or name a min_score (of match also top, all or all_pairs), which an "
            f"engine finds in blocks"
        )
