"""Measures as text: ``spectra(q=2:4, weights=c.idf)`` prints and parses; JSON saves and loads."""

import json
import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

from likewise.analyse import AnalyseOptions
from likewise.errors import FormatError, OptionError
from likewise.measure.base import Measure
from likewise.measure.soft import SoftCardinality, SoftTfIdf
from likewise.measure.spectra import Spectra
from likewise.measure.terms import BM25, Common, Matches, Tf, TfIdf

MEASURES: dict[str, type[Measure]] = {
    kind.name: kind for kind in (Spectra, TfIdf, BM25, Matches, Common, Tf, SoftTfIdf, SoftCardinality)
}


def specification(measure: Measure) -> str:
    """Return the measure as one line: its name, its own options, and those of the analysis that are not the default.

    >>> specification(Spectra(q=3, weights="c.idf", stem="porter"))
    'spectra(q=3, padding=single, weights=c.idf, coefficient=harmonic, stem=porter)'
    """
    default = measure.Options()
    analysis = [field.name for field in fields(AnalyseOptions)]
    own = [field.name for field in fields(measure.Options) if field.name not in analysis]
    given = []
    for name in own + analysis:
        value = getattr(measure.options, name)
        telling = name in own and value is not None and not isinstance(value, bool)
        if telling or value != getattr(default, name):
            given.append(f"{name}={_show(name, value)}")
    return f"{measure.name}({', '.join(given)})" if given else measure.name


def _show(name: str, value: Any) -> str:
    if name == "q":
        return str(value[0]) if value[0] == value[1] else f"{value[0]}:{value[1]}"
    if isinstance(value, tuple):
        return "|".join(value)
    if isinstance(value, Mapping):
        return json.dumps(dict(value), ensure_ascii=False, separators=(";", ":"))
    if isinstance(value, bool):
        return str(value).lower()
    return getattr(value, "__name__", None) or str(value)


def parse(text: str) -> Measure:
    """Return the measure that a specification describes.

    >>> print(parse("tfidf(weights=idf, stem=porter)"))
    tfidf(weights=idf, stem=porter)
    """
    name, _, rest = text.strip().partition("(")
    name = name.strip()
    if name not in MEASURES:
        raise OptionError(f"measure must be one of {', '.join(MEASURES)}, or a file saved by another job, not {name!r}")
    if _ and not rest.rstrip().endswith(")"):
        raise OptionError(f"measure {text!r} lacks a closing bracket")
    kind = MEASURES[name]
    types = get_type_hints(kind.Options)
    options: dict[str, Any] = {}
    for item in filter(None, (part.strip() for part in rest.rstrip().removesuffix(")").split(","))):
        key, equals, value = (part.strip() for part in item.partition("="))
        if key not in types or not equals:
            raise OptionError(f"{item!r} is no option of {name}; known: {', '.join(types)}")
        options[key] = read_option(key, value, types[key])
    return kind(**options)


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


def from_json(values: Mapping[str, Any]) -> Measure:
    """Return the measure that :meth:`Measure.to_json` described."""
    try:
        return MEASURES[values["measure"]].from_json(values)
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"this is no saved measure: {error!r}") from error


def load(path: str | os.PathLike[str]) -> Measure:
    """Read a measure that was saved to a file."""
    try:
        values = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FormatError(f"{path} is no saved measure: {error}") from error
    if not isinstance(values, dict):
        raise FormatError(f"{path} is no saved measure")
    return from_json(values)
