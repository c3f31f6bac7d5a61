"""The measure that a user means: an object, a specification, a saved file, or the flags that commands share."""

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_type_hints

from likewise.errors import InputError, OptionError
from likewise.measure.base import Measure
from likewise.measure.notation import read_option
from likewise.measure.specification import MEASURES, load, parse
from likewise.measure.text import TextMeasure
from likewise.options import option


@dataclass(frozen=True, slots=True)
class MeasureOptions:
    """A measure in words: its name (or a whole specification, or a file), and the options that people change most."""

    measure: str | None = option(
        None, f"{', '.join(MEASURES)}; a specification such as 'spectra(q=3)'; or a file saved by another job."
    )
    q: str | None = option(None, "Lengths of the q-grams: 3, or 2:4.")
    padding: str | None = option(None, "Marks at both ends of a word: none, single, full.")
    weights: str | None = option(None, "Weighting: c.idf.qidf and its parts for spectra; tfidf, idf, tf, boolean.")
    coefficient: str | None = option(
        None, "harmonic, dice, cosine, quadratic, overlap, max, jaccard, coverage, or a number p."
    )
    stem: str | None = option(None, "Compare stems: porter, or a language such as english or german.")
    stop: str | None = option(None, "Leave out stop words: smart, or a file with one word a line.")

    def build(self, default: str = "spectra") -> Measure:
        """Return the measure; ``default`` is the specification to start from where no measure is named.

        >>> print(MeasureOptions(q="3", weights="c.idf").build())
        spectra(q=3, padding=single, weights=c.idf, coefficient=harmonic)
        """
        named = self.measure or default
        base = as_measure(named)
        given = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "measure"}
        given = {name: value for name, value in given.items() if value is not None}
        if not given:
            return base
        if not isinstance(base, TextMeasure) or _is_file(named):
            raise OptionError(f"{named} is a whole measure; the other measure options cannot be combined with it")
        types = get_type_hints(base.Options)
        values: dict[str, Any] = {field.name: getattr(base.options, field.name) for field in fields(base.Options)}
        for name, value in given.items():
            if name not in types:
                raise OptionError(f"{base.name} has no option {name}")
            values[name] = read_stop(value) if name == "stop" else read_option(name, value, types[name])
        return type(base)(**values)


def as_measure(value: Any, default: str | Measure = "spectra") -> Measure:
    """Return the measure that a user means: the object itself, a specification, a saved file, or the default.

    >>> print(as_measure("tfidf(weights=tf)"), as_measure(None, "bm25"))
    tfidf(weights=tf) bm25(k1=1.2, b=0.75)
    """
    if value is None:
        value = default
    if isinstance(value, Measure):
        return value
    if isinstance(value, os.PathLike):
        return load(value)
    if isinstance(value, str):
        return load(value) if _is_file(value) else parse(value)
    raise OptionError(f"measure must be a measure, its specification or a saved file, not {type(value).__name__}")


def _is_file(named: str) -> bool:
    if named.partition("(")[0].strip() in MEASURES:
        return False
    return named.endswith(".json") or Path(named).is_file()


def read_stop(value: str) -> str | tuple[str, ...]:
    """Return ``smart``, or the words of a file that has one a line."""
    if value == "smart":
        return value
    try:
        return tuple(Path(value).read_text(encoding="utf-8").split())
    except OSError as error:
        raise OptionError(f"stop must be 'smart' or a file with one word a line, not {value!r}: {error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"the stop list {value} is not UTF-8: {error}") from error
