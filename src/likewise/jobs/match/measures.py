"""The measure of a match: the default one, one fitted to both sides, and the weighted mean over fields."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from likewise.errors import OptionError
from likewise.measure import Contribution, Explanation, Measure, Spectra, load, parse
from likewise.read.document import Span

JOINT = " | "


def default_measure() -> Spectra:
    """Return the measure that match uses unless told otherwise, not fitted yet (docs/design/match.md says why).

    Smoothed, so that two short lists that share a word in every text still match.
    """
    return Spectra(q=(2, 4), padding="single", weights="c.idf.qidf", coefficient="harmonic", smooth=True)


def as_measure(value: Any) -> Measure:
    """Return the measure that a user named: the object itself, its specification, a saved file, or the default."""
    if value is None:
        return default_measure()
    if isinstance(value, Measure):
        return value
    if isinstance(value, str):
        return load(value) if value.endswith(".json") else parse(value)
    raise OptionError(f"measure must be a measure, its specification or a saved file, not {type(value).__name__}")


def fitted(measure: Measure, *texts: Sequence[str]) -> Measure:
    """Return the measure ready for scores: as it is, or, if it weighs by a collection, a copy fitted to these texts."""
    if not measure.adaptive or measure.statistics is not None:
        return measure
    options = {field.name: getattr(measure.options, field.name) for field in fields(measure.options)}
    return type(measure)(**options).fit([text for side in texts for text in side])


@dataclass(frozen=True, slots=True)
class FieldMeasure:
    """One field of a :class:`FieldsMeasure`."""

    name: str
    weight: float
    measure: Measure


@dataclass(frozen=True, slots=True)
class FieldsMeasure:
    """The weighted mean of what the fields of two records score, over the fields that both have.

    >>> import likewise as lw
    >>> both = FieldsMeasure((FieldMeasure("name", 3, lw.Spectra()), FieldMeasure("city", 1, lw.Spectra())))
    >>> both.score({"name": "Ada", "city": "London"}, {"name": "Ada", "city": None})
    1.0
    """

    fields: tuple[FieldMeasure, ...]

    @property
    def symmetric(self) -> bool:
        """Whether score(a, b) equals score(b, a)."""
        return all(field.measure.symmetric for field in self.fields)

    def score(self, left: Mapping[str, str | None], right: Mapping[str, str | None]) -> float:
        """Return the similarity of two records, given by field name."""
        total = weight = 0.0
        # The same sums in the same order as the core, so that the same bits come out.
        for field in self._shared(left, right):
            total += field.weight * field.measure.score(str(left[field.name]), str(right[field.name]))
            weight += field.weight
        return total / weight if weight else 0.0

    def explain(self, left: Mapping[str, str | None], right: Mapping[str, str | None]) -> Explanation:
        """Return what each field contributes; spans are into the fields joined by ``" | "``."""
        shared = self._shared(left, right)
        weight = sum(field.weight for field in shared)
        (left_text, left_at), (right_text, right_at) = self._joined(left), self._joined(right)
        parts: list[Contribution] = []
        for field in shared:
            why = field.measure.explain(str(left[field.name]), str(right[field.name]))
            parts += [
                _scaled(part, field.weight / weight, left_at[field.name], right_at[field.name])
                for part in why.contributions
            ]
        parts.sort(key=lambda part: -part.value)
        return Explanation(self.score(left, right), left_text, right_text, str(self), tuple(parts))

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "fields": [
                {"name": field.name, "weight": field.weight, "measure": field.measure.to_json()}
                for field in self.fields
            ]
        }

    def __str__(self) -> str:
        return " + ".join(f"{field.weight:g} {field.name}: {field.measure}" for field in self.fields)

    def _shared(self, left: Mapping[str, str | None], right: Mapping[str, str | None]) -> list[FieldMeasure]:
        return [field for field in self.fields if _has(left, field.name) and _has(right, field.name)]

    def _joined(self, record: Mapping[str, str | None]) -> tuple[str, dict[str, int]]:
        text, starts = "", {}
        for field in self.fields:
            if _has(record, field.name):
                text += JOINT if text else ""
                starts[field.name] = len(text)
                text += str(record[field.name])
        return text, starts


def _has(record: Mapping[str, str | None], name: str) -> bool:
    value = record.get(name)
    return bool(value is not None and str(value).strip())


def _scaled(part: Contribution, factor: float, left_at: int, right_at: int) -> Contribution:
    return replace(
        part,
        value=part.value * factor,
        left_spans=tuple(Span(span.start + left_at, span.end + left_at) for span in part.left_spans),
        right_spans=tuple(Span(span.start + right_at, span.end + right_at) for span in part.right_spans),
        parts=tuple(_scaled(finer, factor, left_at, right_at) for finer in part.parts),
    )
