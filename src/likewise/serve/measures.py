"""Measures as pages and requests name them: by specification, with every option explained."""

import dataclasses
from typing import Any

from likewise.errors import OptionError
from likewise.measure import Measure, TextMeasure, parse
from likewise.measure.specification import MEASURES

LONGEST = 2000
# Enough for any text that is compared by hand; a million characters would keep a core busy for seconds.
LONGEST_TEXT = 100_000

_TITLES = {
    "spectra": "Spectra: q-grams of words, forgiving of typing errors and word order",
    "tfidf": "Cosine of tf·idf: shared words, rare ones count more",
    "bm25": "BM25: shared words, discounted by length, as search engines do",
    "matches": "Matches: number of shared words",
    "common": "Common: number of shared words, repetitions counted",
    "tf": "Tf: number of matching word pairs",
    "soft-tfidf": "SoftTFIDF: rare words, similar spellings match",
    "soft-cardinality": "Soft cardinality: similar words count less than different ones",
}


def measure_of(text: str) -> Measure:
    """Return the measure of a specification; files on this machine are not read for a request."""
    if len(text) > LONGEST:
        raise OptionError(f"measure must have at most {LONGEST} characters, not {len(text)}")
    try:
        return parse(text)
    except OptionError:
        raise
    except (ValueError, TypeError, OverflowError) as error:
        raise OptionError(f"measure {text!r} cannot be read: {error}") from None


def described() -> list[dict[str, Any]]:
    """Return every measure with its options, their defaults, choices and help."""
    return [
        {"name": name, "title": _TITLES.get(name, name), "help": _first_paragraph(kind), "options": _options(kind)}
        for name, kind in MEASURES.items()
    ]


def _first_paragraph(kind: type[TextMeasure]) -> str:
    return " ".join((kind.__doc__ or "").split("\n\n")[0].split())


def _options(kind: type[TextMeasure]) -> list[dict[str, Any]]:
    # What makes a measure what it is comes first, what all share (accents, stop words, stems) after it.
    shared = {"accents", "stop", "stem", "unspaced"}
    fields = sorted(dataclasses.fields(kind.Options), key=lambda field: field.name in shared)
    return [
        {
            "name": field.name,
            "default": _plain(field.name, field.default),
            "choices": [str(choice) for choice in field.metadata.get("choices", ())],
            "help": field.metadata.get("help", ""),
            "truth": isinstance(field.default, bool),
        }
        for field in fields
        if not field.metadata.get("hidden")
    ]


def _plain(name: str, value: Any) -> str:
    if name == "q":
        return f"{value[0]}:{value[1]}"
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
