"""Options dataclasses become CLI flags: :func:`flags` is the one place where that happens."""

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_type_hints

import typer


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
        for group, kind in groups.items():
            made[group] = []
            types = get_type_hints(kind)
            for field in dataclasses.fields(kind):
                if field.metadata.get("hidden"):
                    continue
                made[group].append(field.name)
                parameters.append(_parameter(field, types[field.name]))

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


def _parameter(field: "dataclasses.Field[Any]", annotation: Any) -> inspect.Parameter:
    names = [field.metadata["flag"]] if "flag" in field.metadata else []
    choices = field.metadata.get("choices")
    text = field.metadata.get("help", "")
    if choices:
        text = f"{text} One of: {', '.join(str(choice) for choice in choices)}."
    default = field.default
    if default is dataclasses.MISSING and field.default_factory is not dataclasses.MISSING:
        default = field.default_factory()
    return inspect.Parameter(
        field.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[
            field.metadata.get("cli_type", annotation),
            typer.Option(*names, help=text, envvar=field.metadata.get("environment")),
        ],
    )
