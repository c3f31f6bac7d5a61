"""Candidates with what each field says of them: all that a decision is based on."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from likewise.measure import TfIdf
from likewise.records.candidates import Candidates
from likewise.records.comparison import Comparison
from likewise.records.decision import JOINED
from likewise.records.evidence import Asked, Evidence, Field, FieldModel, numbers_in
from likewise.records.measures import fit_columns

Rows = NDArray[np.int64]
NUMBERS = " #"  # behind the name of a text: the words with digits in it


@dataclass(frozen=True)
class Compared:
    """Candidates and all that a decision rests on: the ``whole`` record as one text, and its fields, if it has several.

    ``fields`` are those of the table and the numbers in their texts.
    """

    found: Candidates
    whole: Asked
    overall: Evidence
    fields: tuple[Asked, ...]
    evidence: tuple[Evidence, ...]
    numbers: tuple[tuple[str, FieldModel], ...]

    @classmethod
    def of(
        cls,
        joined: Comparison,
        fields: Sequence[Field],
        found: Candidates,
        names: Collection[str] | None = None,
        known: Mapping[str, FieldModel] | None = None,
    ) -> "Compared":
        """Compare the candidates in every field, or in those of some ``names``; ``known`` are numbers in texts."""
        whole = _whole(joined)
        overall = whole.compare(found.left, found.right)
        numbers = _numbers(whole, fields, known or {}) if len(fields) > 1 else []
        parts = (*fields, *numbers) if len(fields) > 1 else ()
        parts = tuple(field for field in parts if names is None or field.name in names)
        evidence = tuple(field.compare(found.left, found.right) for field in parts)
        models = () if names is not None else tuple((field.name, field.model()) for field in numbers)
        return cls(found, whole, overall, parts, evidence, models)

    def early(self) -> "Compared":
        """Return the candidates that a decision is learnt from: all but late copies."""
        if self.found.late is None:
            return self
        early = ~self.found.late
        evidence = tuple(mine.take(early) for mine in self.evidence)
        return replace(self, found=self.found.take(early), overall=self.overall.take(early), evidence=evidence)


def _whole(joined: Comparison) -> Field:
    whole = Field(JOINED, "text", joined.left[0], joined.right[0], joined.measures[0], joined.threads)
    return whole.ready(joined.prepared[0])


def _numbers(whole: Field, fields: Sequence[Field], known: Mapping[str, FieldModel]) -> list[Field]:
    """Return the words with digits of texts as fields of their own: model numbers, pages, house numbers."""
    made = []
    for field in [field for field in fields if field.kind in ("text", "name")]:
        name, few = f"{field.name}{NUMBERS}", bool(known)
        left = numbers_in(field.left, few)
        right = left if field.right is field.left else numbers_in(field.right, few)
        if left is None or right is None:
            continue
        if name in known:
            made.append(Field.by(name, left, right, known[name], whole.threads))
        elif not known:
            left, right, measure = fit_columns(left, right, TfIdf(smooth=True))
            made.append(Field(name, "text", left, right, measure, whole.threads))
    return made
