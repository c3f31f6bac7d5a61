"""Options as text: how a specification such as ``spectra(q=2:4, weights=c.idf)`` writes and reads them."""

import json
from collections.abc import Mapping
from dataclasses import fields
from types import UnionType
from typing import Any, get_args

from likewise.analyse import AnalyseOptions
from likewise.errors import OptionError


def show(name: str, options: AnalyseOptions) -> str:
    """Return a measure as one line: its name, its own options, and those of the analysis that are not the default.

    >>> from likewise.measure import Spectra
    >>> show("spectra", Spectra(q=3, weights="c.idf", stem="porter").options)
    'spectra(q=3, padding=single, weights=c.idf, coefficient=harmonic, stem=porter)'
    """
    default = type(options)()
    analysis = [field.name for field in fields(AnalyseOptions)]
    own = [field.name for field in fields(options) if field.name not in analysis]
    given = []
    for key in own + analysis:
        value = getattr(options, key)
        telling = key in own and value is not None and not isinstance(value, bool)
        if telling or value != getattr(default, key):
            given.append(f"{key}={_show(key, value)}")
    return f"{name}({', '.join(given)})" if given else name


def _show(name: str, value: Any) -> str:
    if name == "q":
        first, last = value
        return str(first) if first == last else f"{first}:{last}"
    if isinstance(value, tuple):
        return "|".join(value)
    if isinstance(value, Mapping):
        return json.dumps(dict(value), ensure_ascii=False, separators=(";", ":"))
    if isinstance(value, bool):
        return str(value).lower()
    return getattr(value, "__name__", None) or str(value)


def read_option(name: str, value: str, annotation: Any) -> Any:
    """Return an option's value from its text, by the option's type."""
    kinds = get_args(annotation) if isinstance(annotation, UnionType) else (annotation,)
    if value == "None" and type(None) in kinds:
        return None
    if name == "stop" and "|" in value:
        return tuple(value.split("|"))
    if bool in kinds:
        if value.lower() not in ("true", "false"):
            raise OptionError(f"{name} must be true or false, not {value!r}")
        return value.lower() == "true"
    if any("Mapping" in str(kind) for kind in kinds):
        return json.loads(value.replace(";", ","))
    for kind in (int, float):
        if kind in kinds:
            try:
                return kind(value)
            except ValueError:
                continue
    if str not in kinds and name != "q":
        raise OptionError(f"{name} must be a number, not {value!r}")
    return value
