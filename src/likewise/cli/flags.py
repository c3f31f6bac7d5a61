"""Options dataclasses become CLI flags: :func:`flags` is the one place where that happens."""

import functools
import inspect
import re
from collections.abc import Callable, Iterable
from typing import Annotated, Any, get_type_hints

import typer

from likewise.options import Field, fields_of

_FLAGS: set[str] = set()
"""Options of several words that the command at hand has, by their names in Python."""
_NAME = re.compile(r"(?<![\w'\"./\\-])[a-z]+(?:_[a-z]+)+(?![\w'\"./\\=-])")


def flags(**groups: type) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give a command the fields of options dataclasses as flags.

    ``@flags(options=MatchOptions)`` calls the command with ``options=MatchOptions(...)`` built from the flags; a field
    whose metadata says ``hidden`` keeps its default. The command's own parameters stay as they are.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        own = inspect.signature(function)
        hints = get_type_hints(function, include_extras=True)
        parameters = [
            parameter.replace(annotation=hints.get(parameter.name, parameter.annotation))
            for parameter in own.parameters.values()
            if parameter.name not in groups
        ]
        made: dict[str, list[str]] = {}
        _FLAGS.update(parameter.name for parameter in parameters if "_" in parameter.name)
        for group, kind in groups.items():
            shown = [field for field in fields_of(kind) if not field.hidden]
            made[group] = [field.name for field in shown]
            _FLAGS.update(field.name for field in shown if "_" in field.name)
            parameters += [_parameter(field) for field in shown]

        @functools.wraps(function)
        def command(**values: Any) -> Any:
            for group, kind in groups.items():
                values[group] = kind(**{name: values.pop(name) for name in made[group]})
            return function(**values)

        # typer reads the signature and the annotations of what it is given.
        command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
        del command.__wrapped__
        return command

    return decorate


def as_flags(message: str) -> str:
    """Return a message with the flags of the command line for the names that options have in Python.

    Only names of several words are told from plain words, and those in quotes are the user's own.

    >>> _FLAGS.add("left_on")
    >>> as_flags("left_on is missing; the table has 'left_on'")
    "--left-on is missing; the table has 'left_on'"
    """
    return _NAME.sub(lambda name: f"--{name[0].replace('_', '-')}" if name[0] in _FLAGS else name[0], message)


def _parameter(field: Field) -> inspect.Parameter:
    text = f"{field.help} One of: {', '.join(map(str, field.choices))}." if field.choices else field.help
    return inspect.Parameter(
        field.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=field.default,
        annotation=Annotated[
            field.cli_type or field.type,
            typer.Option(
                help=text,
                envvar=field.environment,
                rich_help_panel=f"{field.group} options",
                autocompletion=_completion(field.choices) if field.choices else None,
            ),
        ],
    )


def _completion(choices: Iterable[Any]) -> Callable[[str], list[str]]:
    """Return what a shell offers behind the flag."""

    def offered(incomplete: str) -> list[str]:  # typer knows the parameter by its name
        return [str(choice) for choice in choices if str(choice).startswith(incomplete)]

    return offered
