"""``@verb``: a function with options dataclasses becomes one that takes their fields by name.

The dataclasses are the only source. From them a verb gets its real signature (``inspect.signature``, ``help``,
completion), its one rule for options, and the same treatment of ``progress`` as every other verb; the command line
(:mod:`likewise.cli.flags`), the HTTP models (:mod:`likewise.serve.schema`), the types in ``likewise/__init__.pyi`` and
the reference pages are made from the same fields.

The rule: a name overrides the field of the options object; an unknown name is an
:class:`~likewise.errors.OptionError` that suggests the nearest known one.

>>> from dataclasses import dataclass
>>> from likewise.options import option
>>> @dataclass(frozen=True, slots=True)
... class Tea:
...     minutes: int = option(3, "How long to let it draw.")
...     sugar: bool = option(False, "Whether to sweeten it.")
>>> @verb(options=Tea)
... def brew(leaves, *, options):
...     return f"{leaves}, {options.minutes} minutes, {'sweet' if options.sugar else 'plain'}"
>>> brew("Assam", options=Tea(sugar=True), minutes=5)
'Assam, 5 minutes, sweet'
>>> inspect.signature(brew)
<Signature (leaves, *, minutes: int = 3, sugar: bool = False, options: likewise.verb.Tea | None = None)>
>>> brew("Assam", minuets=5)
Traceback (most recent call last):
...
likewise.errors.OptionError: unknown option 'minuets' for brew; did you mean 'minutes'? Known: minutes, sugar, options
"""

import functools
import inspect
import logging
from collections.abc import Callable
from typing import Any, TypeVar

from likewise.options import Field, check_names, fields_of, merge
from likewise.progress import shown_progress

R = TypeVar("R")
_log = logging.getLogger("likewise")


def verb(**groups: type) -> Callable[[Callable[..., R]], Callable[..., R]]:
    """Give a function the fields of options dataclasses as keyword arguments.

    ``@verb(options=MatchOptions, read=TableOptions)``: the function gets ``options`` and ``read`` whole; its caller may
    give either as an object, a mapping, by names, or as an object with names that override it.
    """
    owner: dict[str, str] = {}
    for group, kind in groups.items():
        for field in fields_of(kind):
            if field.name in owner:
                raise TypeError(f"{field.name} is a field of {groups[owner[field.name]].__name__} and {kind.__name__}")
            owner[field.name] = group

    def decorate(function: Callable[..., R]) -> Callable[..., R]:
        own = inspect.signature(function).parameters
        clash = sorted(set(own) & set(owner))
        if clash:
            raise TypeError(f"{function.__name__}: {', '.join(clash)} is an argument and an option")
        named_only = [name for name, one in own.items() if one.kind is one.KEYWORD_ONLY and name not in groups]
        known = [*named_only, *owner, *groups]
        defaults = {group: kind() for group, kind in groups.items()}
        reports = "progress" in own

        @functools.wraps(function)
        def call(*arguments: Any, **given: Any) -> R:
            named: dict[str, dict[str, Any]] = {}
            for name in [name for name in given if name in owner]:
                named.setdefault(owner[name], {})[name] = given.pop(name)
            check_names((name for name in given if name not in own), known, function.__name__)
            for group, kind in groups.items():
                whole = given.get(group)
                changed = named.get(group)
                given[group] = defaults[group] if whole is None and not changed else merge(kind, whole, changed or {})
            if not reports or given.get("progress") is None:
                return _logged(function.__name__, function(*arguments, **given))
            with shown_progress(given["progress"], function.__name__) as given["progress"]:
                return _logged(function.__name__, function(*arguments, **given))

        call.__signature__ = _signature(function, groups)  # type: ignore[attr-defined]
        call.__doc__ = _documented(function.__doc__, groups)
        call.groups = groups  # type: ignore[attr-defined]
        return call

    return decorate


def _logged(name: str, result: R) -> R:
    """Tell the logger ``likewise`` what a verb decided on its own: the notes of its result, threshold, measure."""
    if _log.isEnabledFor(logging.INFO):
        for note in getattr(result, "notes", None) or ():
            _log.info("%s: %s", name, note)
        for said in (getattr(result, "threshold", None), getattr(result, "decision", None)):
            if said is not None and hasattr(said, "to_text"):
                _log.info("%s: %s", name, said.to_text())
        if getattr(result, "measure", None) is not None:
            _log.info("%s: measure %s", name, result.measure)  # type: ignore[attr-defined]
    return result


def _signature(function: Callable[..., Any], groups: dict[str, type]) -> inspect.Signature:
    own = inspect.signature(function)
    parameters = [one for one in own.parameters.values() if one.name not in groups]
    parameters += parameters_of(*groups.values())
    parameters += [
        inspect.Parameter(group, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind | None)
        for group, kind in groups.items()
    ]
    return own.replace(parameters=parameters)


def parameters_of(*kinds: type) -> list[inspect.Parameter]:
    """Return the fields of options dataclasses as keyword-only parameters."""
    return [
        inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=field.type)
        for kind in kinds
        for field in fields_of(kind)
    ]


def _documented(text: str | None, groups: dict[str, type]) -> str:
    """Return the docstring with every option and its help behind it, as ``help()`` shows it."""
    lines = [inspect.cleandoc(text or "")]
    for group, kind in groups.items():
        lines += ["", f"{kind.__name__} (``{group}``, or by name):", *(_line(field) for field in fields_of(kind))]
    return "\n".join(lines)


def _line(field: Field) -> str:
    choices = f" One of: {', '.join(map(str, field.choices))}." if field.choices else ""
    return f"  {field.name}: {field.help}{choices}"
