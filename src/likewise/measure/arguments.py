"""How commands and the service name a measure: the flags that all of them share, and the measure they stand for."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, get_type_hints

from likewise.errors import InputError, OptionError
from likewise.measure.base import Measure
from likewise.measure.specification import MEASURES, load, parse, read_option
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
        if named.partition("(")[0].strip() not in MEASURES and Path(named).is_file():
            if any(getattr(self, field.name) for field in fields(self) if field.name != "measure"):
                raise OptionError(
                    f"{named} holds a whole measure; the other measure options cannot be combined with it"
                )
            return load(named)
        base = parse(named)
        types = get_type_hints(base.Options)
        values: dict[str, Any] = {field.name: getattr(base.options, field.name) for field in fields(base.Options)}
        for field in fields(self):
            given = getattr(self, field.name)
            if field.name == "measure" or given is None:
                continue
            if field.name not in types:
                raise OptionError(f"{base.name} has no option {field.name}")
            values[field.name] = (
                read_stop(given) if field.name == "stop" else read_option(field.name, given, types[field.name])
            )
        return type(base)(**values)


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
