"""Measures by name: specifications such as ``spectra(q=2:4, weights=c.idf)`` are read, saved measures are loaded."""

import functools
import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, get_type_hints

from likewise.errors import FormatError, OptionError, StorageError
from likewise.measure.base import Measure
from likewise.measure.bm25 import BM25
from likewise.measure.cosine import TfIdf
from likewise.measure.counting import Common, Matches, Tf
from likewise.measure.distance import DISTANCES, Distance
from likewise.measure.fields import FieldMeasure, FieldsMeasure
from likewise.measure.notation import read_option
from likewise.measure.soft_cardinality import SoftCardinality
from likewise.measure.soft_tfidf import SoftTfIdf
from likewise.measure.spectra import Spectra
from likewise.measure.text import TextMeasure
from likewise.seals import read_values

MEASURES: dict[str, type[TextMeasure]] = {
    kind.name: kind for kind in (Spectra, TfIdf, BM25, Matches, Common, Tf, SoftTfIdf, SoftCardinality, Distance)
}
# One field of a measure of records, as it prints: weight, name (on the right: another name), the field's measure.
_FIELD = re.compile(r"(\d[\d.e+-]*) (.+?)(?: ~ (.+?))?: ([a-z0-9-]+(?:\(.*\))?)")


def parse(text: str) -> Measure:
    """Return the measure that a specification describes.

    >>> print(parse("tfidf(weights=idf, stem=porter)"))
    tfidf(weights=idf, stem=porter)
    >>> print(parse("3 name: spectra(q=3, weights=none) + 1 city: tf"))
    3 name: spectra(q=3, padding=single, weights=none, coefficient=harmonic) + 1 city: tf
    """
    if not isinstance(text, str):
        raise OptionError(f"measure must be described by a text, not by {type(text).__name__}")
    if _FIELD.fullmatch(text.strip()):
        return _parse_fields(text.strip())
    name, bracket, rest = text.strip().partition("(")
    name = name.strip()
    if name in DISTANCES:
        name, rest = Distance.name, f"kind={name}, {rest or ')'}"
    if name not in MEASURES:
        raise OptionError(
            f"measure must be one of {', '.join(MEASURES)}, a distance of RapidFuzz ({', '.join(DISTANCES)}), "
            f"or a file saved by another job, not {name!r}"
        )
    if bracket and not rest.rstrip().endswith(")"):
        raise OptionError(f"measure {text!r} lacks a closing bracket")
    kind = MEASURES[name]
    types = _types(kind)
    options: dict[str, Any] = {}
    for item in filter(None, (part.strip() for part in rest.rstrip().removesuffix(")").split(","))):
        key, equals, value = (part.strip() for part in item.partition("="))
        if key not in types or not equals:
            near = get_close_matches(key, types, 1)
            meant = f"did you mean {near[0]!r}? Known" if near else "known"
            raise OptionError(f"{item!r} is not an option of {name}; {meant}: {', '.join(types)}")
        options[key] = read_option(key, value, types[key])
    return kind(**options)


@functools.cache
def _types(kind: type[TextMeasure]) -> dict[str, Any]:
    return get_type_hints(kind.Options)


def _parse_fields(text: str) -> FieldsMeasure:
    found = []
    for part in re.split(r" \+ (?=\d[\d.e+-]* .+?: )", text):
        field = _FIELD.fullmatch(part)
        if field is None:
            raise OptionError(f"{part!r} is not a field of a measure; write '3 name: spectra(q=3)'")
        try:
            weight = float(field[1])
        except ValueError as error:
            raise OptionError(f"the weight of {field[2]!r} must be a number, not {field[1]!r}") from error
        found.append(FieldMeasure(field[2], weight, parse(field[4]), field[3]))
    return FieldsMeasure(found)


def from_json(values: Mapping[str, Any]) -> Measure:
    """Return the measure that :meth:`Measure.to_json` described."""
    try:
        if values["measure"] == FieldsMeasure.name:
            return FieldsMeasure(
                FieldMeasure(one["name"], one["weight"], from_json(one["measure"]), one["right_name"])
                for one in values["fields"]
            )
        return MEASURES[values["measure"]].from_json(values)
    except (KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"this is not a saved measure: {error!r}") from error


def load(path: str | os.PathLike[str]) -> Measure:
    """Read a measure that was saved to a file.

    >>> import pathlib, tempfile
    >>> from likewise import TfIdf
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "measure.json"
    >>> TfIdf().fit(["red fish", "blue fish", "a house"]).save(path)
    >>> round(load(path).score("red fish", "a fish"), 2)
    0.12
    """
    try:
        return from_json(read_values(path))
    except StorageError as error:
        raise FormatError(f"{path} is not a saved measure: {error}") from error
