"""Options: one frozen dataclass per stage, the only source of defaults and help.

A field made by :func:`option` carries its help text; signatures (:mod:`likewise.verb`), CLI flags
(:mod:`likewise.cli.flags`), the HTTP schema, the types and the reference pages are made from what :func:`fields_of`
says of it. Validation happens in ``__post_init__`` with the ``check_*`` functions, which fail
in words.

>>> from dataclasses import dataclass
>>> @dataclass(frozen=True, slots=True)
... class Tea:
...     minutes: int = option(3, "How long to let it draw.")
...     def __post_init__(self) -> None:
...         check_range("minutes", self.minutes, 1, 10)
>>> Tea(minutes=30)
Traceback (most recent call last):
...
likewise.errors.OptionError: minutes must be between 1 and 10, not 30
"""

import dataclasses
import difflib
import functools
import math
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar, get_type_hints

from likewise.errors import OptionError

T = TypeVar("T")

SYNONYMS = {
    "threshold": "min_score",
    "cutoff": "min_score",
    "score_cutoff": "min_score",
    "min_similarity": "min_score",
    "limit": "top",
    "k": "top",
    "n_best": "top",
    "max_n_matches": "top",
    "n_jobs": "threads",
    "workers": "threads",
    "block_on": "equal_on",
    "by": "on",
}
"""What users of other libraries call an option -> our name for it, to be suggested."""
_ROUNDING = 1e-12  # of a score: what sums over thousands of terms lose


def option(default: Any, help: str, **metadata: Any) -> Any:  # noqa: A002 - the word users see
    """Return a dataclass field with a default and the one sentence that explains it.

    ``choices`` in the metadata lists the allowed words; ``hidden`` keeps it to Python; ``cli_type`` is what its flag
    takes where that is not its own type; ``environment`` names the variable that a flag falls back to.
    """
    metadata["help"] = help
    if isinstance(default, list | dict | set):
        return dataclasses.field(default_factory=lambda: type(default)(default), metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


def check_choice(name: str, value: object, allowed: Iterable[object]) -> None:
    """Raise :class:`OptionError` unless ``value`` is one of ``allowed``."""
    allowed = list(allowed)
    if value not in allowed:
        words = ", ".join(repr(word) for word in allowed)
        raise OptionError(f"{name} must be one of {words}, not {value!r}")


def check_range(name: str, value: Any, low: float | None = None, high: float | None = None) -> None:
    """Raise :class:`OptionError` unless ``value`` is a number (not NaN) between ``low`` and ``high``, both included."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        raise OptionError(f"{name} must be a number, not {value!r}")
    if (low is not None and value < low) or (high is not None and value > high):
        if high is None:
            wanted = f"{low} or more"
        elif low is None:
            wanted = f"{high} or less"
        else:
            wanted = f"between {low} and {high}"
        raise OptionError(f"{name} must be {wanted}, not {value!r}")


def check_share(name: str, value: Any) -> None:
    """Raise :class:`OptionError` unless ``value`` is a number between 0 and 1; a percentage is asked about."""
    if isinstance(value, int | float) and 1 < value <= 100:
        raise OptionError(f"{name} must be between 0 and 1, not {value:g}: was {value / 100:g} meant?")
    check_range(name, value, 0, 1)


def check_integer(name: str, value: Any, low: int | None = None, high: int | None = None) -> None:
    """Raise :class:`OptionError` unless ``value`` is a whole number between ``low`` and ``high``, both included."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise OptionError(f"{name} must be a whole number, not {value!r}")
    check_range(name, value, low, high)


def check_threads(value: Any) -> None:
    """Raise :class:`OptionError` unless the value is ``None`` (every core) or a number of threads."""
    if value is not None:
        check_integer("threads", value, 1, 1024)


def check_min_score(value: Any, name: str = "min_score", *, auto: bool = False) -> None:
    """Raise :class:`OptionError` unless the value is ``None``, a number from 0, or (where allowed) ``"auto"``."""
    if value is None or (auto and value == "auto"):
        return
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(value) or value < 0:
        raise OptionError(f"{name} must be a number from 0{', or auto' if auto else ''}, not {value!r}")


def least_score(min_score: float | None) -> float:
    """Return from which score on ``min_score`` is reached: a little less, as scores of equal texts are sums of parts.

    Every job, engine and index asks here, and then compares to the bit. No minimum is 0.

    >>> 0.999_999_999_999_999 >= least_score(1) > 0.999_999_999, least_score(None)
    (True, 0.0)
    """
    return 0.0 if min_score is None else min_score * (1 - _ROUNDING)


def from_mapping(kind: type[T], values: Mapping[str, Any]) -> T:
    """Make options of ``kind`` from a mapping (JSON); an unknown name is an error that says the nearest known one."""
    check_names(values, names_of(kind), kind.__name__)
    return kind(**values)


def merge(kind: type[T], options: T | Mapping[str, Any] | None, named: Mapping[str, Any]) -> T:
    """Return ``options`` with what is named changed: the one rule for every verb.

    >>> from likewise.read.options import ReadOptions
    >>> merge(ReadOptions, ReadOptions(encoding="latin-1"), {"format": "text"}).encoding
    'latin-1'
    """
    if isinstance(options, Mapping):
        options = from_mapping(kind, options)
    if options is None:
        return from_mapping(kind, named)
    if not isinstance(options, kind):
        raise OptionError(f"{kind.__name__} is wanted, not {type(options).__name__}")
    check_names(named, names_of(kind), kind.__name__)
    return dataclasses.replace(options, **named) if named else options  # type: ignore[type-var]


@dataclasses.dataclass(frozen=True, slots=True)
class Field:
    """A field of an options dataclass, as everything that is made from it sees it."""

    name: str
    type: Any
    default: Any
    help: str
    choices: tuple[Any, ...] = ()
    hidden: bool = False
    """In Python only: neither a flag nor a field of a request."""
    cli_type: Any = None
    """What a flag takes where it is not the type of the field."""
    environment: str | None = None
    group: str = ""
    """The name of the dataclass without ``Options``, under which ``--help`` lists the flag."""


@functools.cache
def fields_of(kind: type) -> tuple[Field, ...]:
    """Return the fields of an options dataclass.

    >>> from likewise.read.options import ReadOptions
    >>> [field.name for field in fields_of(ReadOptions)][:2]
    ['format', 'text_column']
    """
    types = get_type_hints(kind)
    found = []
    for field in dataclasses.fields(kind):
        factory = field.default_factory
        found.append(
            Field(
                field.name,
                types[field.name],
                field.default if isinstance(factory, dataclasses._MISSING_TYPE) else factory(),
                field.metadata.get("help", ""),
                tuple(field.metadata.get("choices") or ()),
                bool(field.metadata.get("hidden")),
                field.metadata.get("cli_type"),
                field.metadata.get("environment"),
                kind.__name__.removesuffix("Options"),
            )
        )
    return tuple(found)


def changed(options: Any, other: Any) -> dict[str, Any]:
    """Return the fields of options that others of their kind have otherwise, with the values of the others.

    >>> from likewise.read.options import ReadOptions
    >>> changed(ReadOptions(), ReadOptions(max_depth=9))
    {'max_depth': 9}
    """
    kind: type = type(options)
    names = [field.name for field in fields_of(kind)]
    return {name: getattr(other, name) for name in names if getattr(options, name) != getattr(other, name)}


def json_of(value: Any) -> Any:
    """Return options, or what one of them is, as JSON has it: those that are not their defaults.

    >>> from likewise.read.options import ReadOptions
    >>> json_of([ReadOptions(max_depth=9), ("name", None)])
    [{'max_depth': 9}, ['name', None]]
    """
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = [(one, getattr(value, one.name)) for one in dataclasses.fields(value)]
        return {one.name: json_of(given) for one, given in fields if given != one.default}
    if isinstance(value, list | tuple):
        return [json_of(one) for one in value]
    if isinstance(value, Mapping):
        return {str(name): json_of(one) for name, one in value.items()}
    return value if value is None or isinstance(value, str | int | float) else str(value)


def names_of(*kinds: type) -> list[str]:
    """Return the names of the fields of options dataclasses."""
    return [field.name for kind in kinds for field in fields_of(kind)]


def check_names(given: Iterable[str], known: Iterable[str], where: str) -> None:
    """Raise :class:`OptionError` at the first name that is not known; say the nearest one that is.

    >>> check_names(["tpo"], ["top", "min_score"], "match")
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: unknown option 'tpo' for match; did you mean 'top'? Known: top, min_score
    """
    known = list(known)
    for name in given:
        if name in known:
            continue
        nearest = SYNONYMS.get(name) if SYNONYMS.get(name) in known else None
        nearest = nearest or next(iter(difflib.get_close_matches(name, known, 1)), None)
        guess = f"; did you mean {nearest!r}? Known" if nearest else "; known"
        raise OptionError(f"unknown option {name!r} for {where}{guess}: {', '.join(known)}")
