"""The measure that a user means: an object, a specification, a saved file, or the flags that commands share."""

import os
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_type_hints

from likewise.analyse.words import spoken, stop_words
from likewise.errors import InputError, OptionError
from likewise.languages import language
from likewise.measure.base import Measure
from likewise.measure.distance import DISTANCES
from likewise.measure.notation import read_option
from likewise.measure.specification import MEASURES, load, parse
from likewise.measure.tabled import FunctionMeasure
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
    language: str | None = option(
        None, "Language of the texts, such as german or de: leave out its stop words and compare stems."
    )
    stem: str | None = option(None, "Compare stems: porter, or a language such as english or german.")
    stop: str | None = option(None, "Leave out stop words: of a language, smart, or a file with one word per line.")

    def build(self, default: str = "spectra") -> Measure:
        """Return the measure; ``default`` is the specification to start from where no measure is named.

        >>> print(MeasureOptions(q="3", weights="c.idf").build())
        spectra(q=3, padding=single, weights=c.idf, coefficient=harmonic)
        """
        named = self.measure or default
        base = as_measure(named)
        given = {
            field.name: getattr(self, field.name) for field in fields(self) if field.name not in ("measure", "language")
        }
        given = {name: value for name, value in given.items() if value is not None}
        if self.language is not None:
            stop, stem = spoken(language(self.language))
            given = {"stop": stop} | ({"stem": stem} if stem else {}) | given
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
    """Return the measure that a user means: the object, a specification, a saved file, a function, or the default.

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
    if callable(value) and not isinstance(value, type):
        return FunctionMeasure(function=value)
    raise OptionError(
        "measure must be a measure, its specification, a saved file or a function of two texts, "
        f"not {type(value).__name__}"
    )


def _is_file(named: str) -> bool:
    if named.partition("(")[0].strip() in (*MEASURES, *DISTANCES):
        return False
    return named.endswith(".json") or os.path.isfile(named)  # also asked of what is too long to be a name


def in_language(measure: Measure, name: str) -> TextMeasure:
    """Return a measure that leaves out the stop words of a language and compares stems, unless it has its own.

    >>> print(in_language(as_measure("bm25"), "de"))
    bm25(k1=1.2, b=0.75, stop=german, stem=german)
    """
    stop, stem = spoken(language(name))
    if not isinstance(measure, TextMeasure) or measure.options.stop is not None or measure.options.stem is not None:
        raise OptionError(f"the measure {measure} has its own analysis; leave out either it or the language")
    values = {field.name: getattr(measure.options, field.name) for field in fields(measure.Options)}
    return type(measure)(**values | {"stop": stop, "stem": stem})


def read_stop(value: str) -> str | tuple[str, ...]:
    """Return the name of a stop list, or the words of a file that has one a line."""
    if not os.path.isfile(value):
        stop_words(value)
        return value
    try:
        return tuple(Path(value).read_text(encoding="utf-8").split())
    except OSError as error:
        raise OptionError(f"the stop list {value} cannot be read: {error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"the stop list {value} is not UTF-8: {error}") from error
