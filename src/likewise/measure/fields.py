"""Several fields as one measure: the weighted mean of what the fields of two records score."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.errors import InputError, OptionError
from likewise.measure.base import Measure
from likewise.measure.explanation import Contribution, Explanation
from likewise.measure.text import distinct
from likewise.options import check_range
from likewise.read.arrow import written
from likewise.read.document import Span

Record = Mapping[str, Any]
JOINT = " | "
"""What stands between the fields of a record where they are shown as one text."""


@dataclass(frozen=True, slots=True)
class FieldMeasure:
    """One field of a :class:`FieldsMeasure`; ``right_name`` where the right records call it differently."""

    name: str
    weight: float
    measure: Measure
    right_name: str | None = None

    def __post_init__(self) -> None:
        check_range(f"weight of {self.name}", self.weight, 0)

    def names(self) -> tuple[str, str]:
        """Return what left and right records call the field."""
        return self.name, self.right_name or self.name

    @property
    def compared(self) -> str:
        """The names of what is compared."""
        return self.name if self.right_name in (None, self.name) else f"{self.name} ~ {self.right_name}"

    def __str__(self) -> str:
        return f"{self.weight:g} {self.compared}: {self.measure}"


@dataclass(frozen=True, slots=True)
class PreparedRecords:
    """Per field: which distinct value each record has (-1: none), and the values prepared; as left and right side."""

    size: int
    left: tuple[tuple[NDArray[np.int32], Any], ...]
    right: tuple[tuple[NDArray[np.int32], Any], ...]

    def __len__(self) -> int:
        return self.size


class FieldsMeasure(Measure):
    """The weighted mean of what the fields of two records score, over the fields that both have.

    >>> import likewise as lw
    >>> both = FieldsMeasure([FieldMeasure("name", 3, lw.Spectra()), FieldMeasure("city", 1, lw.Spectra())])
    >>> both.score({"name": "Ada", "city": "London"}, {"name": "Ada", "city": None})
    1.0
    >>> both.scores([{"name": "Ada", "city": "London"}], [{"name": "Ada", "city": "Paris"}]).tolist()
    [0.75]
    """

    name = "fields"

    def __init__(self, fields: Iterable[FieldMeasure]) -> None:
        self.fields = tuple(fields)
        if not self.fields or not any(field.weight for field in self.fields):
            raise OptionError("a measure of fields needs at least one field that has a weight")

    @property
    def adaptive(self) -> bool:
        """Whether any field's measure weighs by a collection."""
        return any(field.measure.adaptive for field in self.fields)

    @property
    def ready(self) -> bool:
        """Whether every field's measure can score."""
        return all(field.measure.ready for field in self.fields)

    @property
    def symmetric(self) -> bool:
        """Whether score(a, b) equals score(b, a)."""
        return all(field.measure.symmetric and len(set(field.names())) == 1 for field in self.fields)

    def fit(self, texts: Sequence[Record]) -> Self:
        """Learn each field's weights from its values in a collection of records."""
        fitted = []
        for field in self.fields:
            values = [_text(record, name) for name in dict.fromkeys(field.names()) for record in texts]
            fitted.append(replace(field, measure=field.measure.copy().fit([value for value in values if value])))
        self.fields = tuple(fitted)
        return self

    def prepare(self, texts: Sequence[Record], *, threads: int | None = None) -> PreparedRecords:
        """Prepare the distinct values of every field."""

        def side(names: list[str]) -> tuple[tuple[NDArray[np.int32], Any], ...]:
            prepared = []
            for field, name in zip(self.fields, names, strict=True):
                values = [_text(record, name) for record in texts]
                known: dict[str, int] = {}
                codes = np.full(len(values), -1, np.int32)
                there = [place for place, value in enumerate(values) if value is not None]
                codes[there] = distinct([values[place] or "" for place in there], known)
                prepared.append((codes, field.measure.prepare(list(known), threads=threads)))
            return tuple(prepared)

        left_names, right_names = (list(names) for names in zip(*(f.names() for f in self.fields), strict=True))
        left = side(left_names)
        return PreparedRecords(len(texts), left, left if left_names == right_names else side(right_names))

    def scorer(self, left: PreparedRecords, right: PreparedRecords) -> _core.PairScorer:
        """Return the exact scorer of prepared records."""
        sides = list(zip(self.fields, left.left, right.right, strict=True))
        return _core.FieldsScorer(
            [field.measure.scorer(a[1], b[1]) for field, a, b in sides],
            [float(field.weight) for field in self.fields],
            [a[0] for _, a, _ in sides],
            [b[0] for _, _, b in sides],
            len(left),
            len(right),
        )

    def explain(self, left: Record, right: Record) -> Explanation:
        """Return what each field contributes; spans are into the fields joined by ``" | "``."""
        left_texts = [_text(left, field.names()[0]) for field in self.fields]
        right_texts = [_text(right, field.names()[1]) for field in self.fields]
        shared = [place for place in range(len(self.fields)) if left_texts[place] and right_texts[place]]
        weight = sum(self.fields[place].weight for place in shared)
        left_text, left_at = _joined(left_texts)
        right_text, right_at = _joined(right_texts)
        parts: list[Contribution] = []
        for place in shared if weight else ():
            factor = self.fields[place].weight / weight
            why = self.fields[place].measure.explain(left_texts[place], right_texts[place])
            parts += [_scaled(part, factor, left_at[place], right_at[place]) for part in why.contributions]
        parts.sort(key=lambda part: -part.value)
        return Explanation(self.score(left, right), left_text, right_text, str(self), tuple(parts))

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "measure": self.name,
            "fields": [
                {
                    "name": field.name,
                    "right_name": field.right_name,
                    "weight": field.weight,
                    "measure": field.measure.to_json(),
                }
                for field in self.fields
            ],
        }

    def copy(self) -> Self:
        """Return a measure of its own with the same fields, fitted to the same collection."""
        return type(self)(replace(field, measure=field.measure.copy()) for field in self.fields)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the fields, as scikit-learn asks for them."""
        return {"fields": self.fields}

    def set_params(self, fields: Iterable[FieldMeasure]) -> Self:
        """Change the fields in place, as scikit-learn does."""
        type(self).__init__(self, fields)
        return self

    def __str__(self) -> str:
        return " + ".join(map(str, self.fields))

    @property
    def summary(self) -> str:
        """The measure for readers: where all fields have the same one, it is written once."""
        if len({(str(field.measure), field.weight) for field in self.fields}) > 1:
            return str(self)
        return f"{self.fields[0].measure} of {', '.join(field.compared for field in self.fields)}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({list(self.fields)!r})"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return type(self), (self.fields,)


def _text(record: Record, name: str) -> str | None:
    """Return a field's text, or ``None`` where the record has none."""
    if not isinstance(record, Mapping):
        raise InputError(f"a record (a mapping from field to value) is wanted, not {type(record).__name__}")
    text = written(record.get(name))
    return text if text and text.strip() else None


def _joined(texts: Sequence[str | None]) -> tuple[str, dict[int, int]]:
    """Return the texts of a record's fields as one, and where each begins."""
    starts, at = {}, 0
    for place, text in enumerate(texts):
        if text:
            starts[place] = at
        at += len(text or "") + len(JOINT)
    return side_by_side(texts), starts


def side_by_side(texts: Sequence[str | None]) -> str:
    """Return the texts of a record's fields as one, for readers; a missing one leaves its place empty, but at the end.

    >>> side_by_side(["Ada", None, "London", None])
    'Ada |  | London'
    """
    last = max((place for place, text in enumerate(texts) if text), default=-1)
    return JOINT.join(text or "" for text in texts[: last + 1])


def _scaled(part: Contribution, factor: float, left_at: int, right_at: int) -> Contribution:
    return replace(
        part,
        value=part.value * factor,
        left_spans=tuple(Span(span.start + left_at, span.end + left_at) for span in part.left_spans),
        right_spans=tuple(Span(span.start + right_at, span.end + right_at) for span in part.right_spans),
        parts=tuple(_scaled(finer, factor, left_at, right_at) for finer in part.parts),
    )
