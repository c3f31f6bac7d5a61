"""Options: one frozen dataclass per stage, the only source of defaults and help.

A field made by :func:`option` carries its help text; CLI flags (:mod:`likewise.cli.flags`), the HTTP schema and the
reference pages are derived from it. Validation happens in ``__post_init__`` with the ``check_*`` functions, which fail
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
import math
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from likewise.errors import OptionError

T = TypeVar("T")


def option(default: Any, help: str, **metadata: Any) -> Any:  # noqa: A002 - the word users see
    """Return a dataclass field with a default and the one sentence that explains it.

    ``choices`` in the metadata lists the allowed words; ``flag`` renames the CLI flag; ``hidden`` keeps it off the CLI;
    ``environment`` names the variable that a flag falls back to.
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


def check_integer(name: str, value: Any, low: int | None = None, high: int | None = None) -> None:
    """Raise :class:`OptionError` unless ``value`` is a whole number between ``low`` and ``high``, both included."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise OptionError(f"{name} must be a whole number, not {value!r}")
    check_range(name, value, low, high)


def from_mapping(kind: type[T], values: Mapping[str, Any]) -> T:
    """Make options of ``kind`` from a mapping (JSON); an unknown name is an error that lists the known ones."""
    known = [field.name for field in dataclasses.fields(kind)]  # type: ignore[arg-type]
    for name in values:
        if name not in known:
            raise OptionError(f"unknown option {name!r} for {kind.__name__}; known: {', '.join(known)}")
    return kind(**values)
