"""Plain values (JSON) back to dataclasses, checked by the types of their fields; anything else is refused.

A file from somebody else has the shape that our code relies on, or is refused here with a message, and not later where
a number is used as a text.
"""

import dataclasses
import functools
import types
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
_Make = Callable[[Any], Any]
_MOST = 1e100  # no number of ours is near it, and two of them can be multiplied


def restored(kind: type[T], values: Any) -> T:
    """Return a ``kind`` (a dataclass) of plain values: an object by the names of its fields, or a list in their order.

    >>> from likewise.read.document import Mark, Span
    >>> restored(Mark, ["link", {"start": 0, "end": 5}, "there.md"])
    Mark(kind='link', span=Span(start=0, end=5), target='there.md')
    >>> restored(Span, [0, "5"])
    Traceback (most recent call last):
    ...
    ValueError: Span.end: int is wanted, not '5'
    """
    found: T = _maker(kind)(values)  # type: ignore[arg-type]
    return found


@functools.cache
def _maker(kind: Any) -> _Make:
    """Return what makes a value of a type, as annotations name it."""
    origin, inside = get_origin(kind), get_args(kind)
    if dataclasses.is_dataclass(kind):
        return _dataclass(kind)
    if origin in (Union, types.UnionType):
        (wanted,) = [one for one in inside if one is not types.NoneType]
        make = _maker(wanted)
        return lambda value: None if value is None else make(value)
    if origin is tuple:
        return _tuple(inside)
    if origin is not None and issubclass(origin, Mapping):
        return _mapping(inside[1])
    if kind is Any:
        return lambda value: value
    if issubclass(kind, Enum):
        return lambda value: kind(value)
    return functools.partial(_float if kind is float else _just, kind)


def _just(kind: type, value: Any) -> Any:
    if type(value) is not kind:  # True is no number
        raise ValueError(f"{kind.__name__} is wanted, not {value!r:.80}")
    return value


def _float(_: type, value: Any) -> float:
    if type(value) not in (int, float) or not abs(value) < _MOST:
        raise ValueError(f"a number is wanted, not {value!r:.80}")
    return float(value)


def _tuple(inside: tuple[Any, ...]) -> _Make:
    makers = [_maker(one) for one in inside if one is not ...]
    any_length = inside[-1] is ...

    def make(values: Any) -> tuple[Any, ...]:
        if not isinstance(values, list | tuple):
            raise ValueError(f"a list is wanted, not {values!r:.80}")
        if any_length:
            return tuple(map(makers[0], values))
        if len(values) != len(makers):
            raise ValueError(f"a list of {len(makers)} is wanted, not of {len(values)}")
        return tuple(one(value) for one, value in zip(makers, values, strict=True))

    return make


def _mapping(inside: Any) -> _Make:
    make_one = _maker(inside)

    def make(values: Any) -> dict[str, Any]:
        if not isinstance(values, Mapping):
            raise ValueError(f"an object is wanted, not {values!r:.80}")
        return {_just(str, name): make_one(value) for name, value in values.items()}

    return make


def _dataclass(kind: Any) -> _Make:
    hints = get_type_hints(kind)
    makers = {one.name: _maker(hints[one.name]) for one in dataclasses.fields(kind)}
    absent = dataclasses.MISSING
    needed = [one.name for one in dataclasses.fields(kind) if one.default is absent is one.default_factory]

    def make(values: Any) -> Any:
        if isinstance(values, list):
            if len(values) > len(makers):
                raise ValueError(f"{kind.__name__} has {len(makers)} values, not {len(values)}")
            values = dict(zip(makers, values, strict=False))
        if not isinstance(values, Mapping):
            raise ValueError(f"{kind.__name__} is wanted, not {values!r:.80}")
        given = {}
        for name, value in values.items():
            if name not in makers:
                raise ValueError(f"{kind.__name__} has no {name!r:.80}")
            try:
                given[name] = makers[name](value)
            except ValueError as error:
                raise ValueError(f"{kind.__name__}.{name}: {error}") from None
        missing = [name for name in needed if name not in given]
        if missing:
            raise ValueError(f"{kind.__name__} lacks {missing[0]}")
        return kind(**given)

    return make
