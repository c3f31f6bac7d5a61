"""The measure of a match: the default one, one fitted to both sides, and the weighted mean over fields."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

from likewise.errors import OptionError
from likewise.measure import Contribution, Explanation, Measure, Spectra, load, parse
from likewise.read.document import Span
from likewise.read.tables import written
from likewise.records.columns import JOINT


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
    """One field of a :class:`FieldsMeasure`; ``right_name`` where the right records call it differently."""

    name: str
    weight: float
    measure: Measure
    right_name: str | None = None

    def texts(self, left: Mapping[str, Any], right: Mapping[str, Any]) -> tuple[str, str] | None:
        """Return the field's texts of two records, or ``None`` where one of them has none."""
        a, b = written(left.get(self.name)), written(right.get(self.right_name or self.name))
        return (a, b) if a and b and a.strip() and b.strip() else None


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

    def score(self, left: Mapping[str, Any], right: Mapping[str, Any]) -> float:
        """Return the similarity of two records, given by field name."""
        total = weight = 0.0
        # The same sums in the same order as the core, so that the same bits come out.
        for field in self.fields:
            if texts := field.texts(left, right):
                total += field.weight * field.measure.score(*texts)
                weight += field.weight
        return total / weight if weight else 0.0

    def explain(self, left: Mapping[str, Any], right: Mapping[str, Any]) -> Explanation:
        """Return what each field contributes; spans are into the fields joined by ``" | "``."""
        shared = [(place, *texts) for place, field in enumerate(self.fields) if (texts := field.texts(left, right))]
        weight = sum(self.fields[place].weight for place, _, _ in shared)
        left_text, left_at = _joined([left.get(field.name) for field in self.fields])
        right_text, right_at = _joined([right.get(field.right_name or field.name) for field in self.fields])
        parts: list[Contribution] = []
        for place, a, b in shared:
            field = self.fields[place]
            factor = field.weight / weight
            why = field.measure.explain(a, b)
            parts += [_scaled(part, factor, left_at[place], right_at[place]) for part in why.contributions]
        parts.sort(key=lambda part: -part.value)
        return Explanation(self.score(left, right), left_text, right_text, str(self), tuple(parts))

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "fields": [
                {
                    "name": field.name,
                    "right_name": field.right_name,
                    "weight": field.weight,
                    "measure": field.measure.to_json(),
                }
                for field in self.fields
            ]
        }

    def __str__(self) -> str:
        return " + ".join(f"{field.weight:g} {field.name}: {field.measure}" for field in self.fields)


def _joined(values: Sequence[Any]) -> tuple[str, dict[int, int]]:
    """Return the texts of a record's fields as one, and where each begins."""
    text, starts = "", {}
    for place, value in enumerate(values):
        mine = written(value)
        if mine and mine.strip():
            text += JOINT if text else ""
            starts[place] = len(text)
            text += mine
    return text, starts


def _scaled(part: Contribution, factor: float, left_at: int, right_at: int) -> Contribution:
    return replace(
        part,
        value=part.value * factor,
        left_spans=tuple(Span(span.start + left_at, span.end + left_at) for span in part.left_spans),
        right_spans=tuple(Span(span.start + right_at, span.end + right_at) for span in part.right_spans),
        parts=tuple(_scaled(finer, factor, left_at, right_at) for finer in part.parts),
    )
