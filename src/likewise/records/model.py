"""A model of matches as a file: what was learnt from some tables, to be applied to others.

It has no record in it, but the measures of the fields have the words of the tables they were fitted on.
"""

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from likewise.errors import DamagedError, ForeignError, InputError, OptionError
from likewise.measure import Measure, from_json
from likewise.options import check_choice
from likewise.plain import restored
from likewise.records.decision import KNOTS, Decision, Learnt
from likewise.records.evidence import Asked, FieldModel
from likewise.records.kinds import KINDS
from likewise.records.partners import Relation
from likewise.seals import sealed, unsealed
from likewise.storage import atomic_write

FORMAT, VERSION = "likewise model of matches", 4


@dataclass(frozen=True)
class Model:
    """What was learnt, the measure of the joined text and of the scores, the fields, and the ``numbers`` in texts.

    ``labels`` are the pairs that somebody judged, by id, where it was learnt with labels; ``paired`` the left columns
    that go with a right one of another name; ``name`` that of the file it was read from.
    """

    learnt: Learnt
    joined: Measure
    scores: Measure
    fields: Mapping[str, FieldModel]
    numbers: Mapping[str, FieldModel]
    labels: tuple[tuple[str, str, bool], ...] = ()
    paired: Mapping[str, str] = field(default_factory=dict)
    name: str = field(default="a model", compare=False)

    @classmethod
    def of(
        cls,
        decision: Decision,
        joined: Measure,
        scores: Measure,
        fields: Sequence[Asked],
        labels: tuple[tuple[str, str, bool], ...] = (),
    ) -> "Model | None":
        """Return the model of a decision, or ``None`` where nothing was learnt because nothing matches."""
        if decision.learnt is None:
            return None
        known = {field.name: field.model() for field in fields}
        return cls(decision.learnt, joined, scores, known, dict(decision.numbers), labels)

    @property
    def fingerprint(self) -> str:
        """A checksum that identifies the model."""
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()

    def check(self, self_join: bool, fields: Sequence[str]) -> None:
        """Refuse tables that the model was not made for: one instead of two, or other fields."""
        if self.learnt.self_join != self_join:
            made, asked = ("one table", "two") if self.learnt.self_join else ("two tables", "one")
            raise InputError(f"the model was learnt on {made} and cannot be applied to {asked}")
        less, more = ([x for x in a if x not in b] for a, b in ((self.fields, fields), (fields, self.fields)))
        if less or more:
            here = f"only {', '.join(fields)}" if fields else "nor is another column"
            apart = f"{less[0]!r} is not compared here, {here}" if less else f"it does not know {more[0]!r}"
            names = "on, or left_on and right_on, name what is compared"
            raise InputError(f"the model compares {', '.join(self.fields)}: {apart} ({names})")

    def for_relation(self, asked: Relation | None) -> "Model":
        """Return the model for the relation that is asked for; one of texts that several records have can be 1:1."""
        if asked in (None, self.learnt.relation):
            return self
        if asked is Relation.ONE and self.learnt.texts:
            return replace(self, learnt=replace(self.learnt, relation=asked))
        raise OptionError(f"the model was learnt for the relation {self.learnt.relation}, not {asked}")

    def to_json(self) -> dict[str, Any]:
        """Return plain values."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "learnt": asdict(self.learnt),
            "joined": self.joined.to_json(),
            "scores": None if self.scores is self.joined else self.scores.to_json(),
            "fields": {name: _field_json(field) for name, field in self.fields.items()},
            "numbers": {name: _field_json(field) for name, field in self.numbers.items()},
            "labels": self.labels,
            "paired": dict(self.paired),
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as JSON, with a checksum."""
        with atomic_write(path, "w", encoding="utf-8") as file:
            json.dump(sealed(self.to_json()), file, ensure_ascii=False)

    @staticmethod
    def is_one(path: str | os.PathLike[str]) -> bool:
        """Return whether a file looks like a model: by its first words."""
        try:
            with open(path, "rb") as file:
                return file.read(100).startswith(json.dumps({"format": FORMAT})[:-1].encode())
        except OSError:
            return False

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Model":
        """Read a model; refuse in words what is none, damaged, or of another version."""
        where = os.fspath(path)
        try:
            with open(path, encoding="utf-8") as file:
                values = json.load(file)
        except FileNotFoundError as error:
            raise InputError(f"no such file: {where}") from error
        except (OSError, ValueError, RecursionError) as error:
            raise ForeignError(f"{where} is not a model of matches: {error}") from error
        if not isinstance(values, dict) or values.get("format") != FORMAT:
            raise ForeignError(f"{where} is not a model of matches (--save-model writes one)")
        if values.get("version") != VERSION:
            raise ForeignError(f"{where} is a model of version {values.get('version')}, not {VERSION}")
        try:
            return replace(cls.from_json(unsealed(values, where)), name=os.path.basename(where))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise DamagedError(f"{where} cannot be read: {error!r}") from error

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Model":
        """Return the model that :meth:`to_json` described."""
        joined, learnt = from_json(values["joined"]), _learnt(values["learnt"])
        fields, numbers = ({name: _field(one) for name, one in values[part].items()} for part in ("fields", "numbers"))
        for name, levels in zip(learnt.names, learnt.levels, strict=True):
            if {**fields, **numbers}[name].kind != levels.kind:
                raise ValueError(f"{name!r} is of two kinds")
        return cls(
            learnt,
            joined,
            joined if values["scores"] is None else from_json(values["scores"]),
            fields,
            numbers,
            tuple((str(a), str(b), bool(same)) for a, b, same in values.get("labels", ())),
            {str(left): str(right) for left, right in values.get("paired", {}).items()},
        )


def _field_json(field: FieldModel) -> dict[str, Any]:
    measure = None if field.measure is None else field.measure.to_json()
    return {
        "kind": field.kind,
        "measure": measure,
        "scale": field.scale,
        "common": dict(field.common),
        "alone": field.alone,
    }


def _field(values: Mapping[str, Any]) -> FieldModel:
    measure = values["measure"]
    plain = restored(_Plain, {name: value for name, value in values.items() if name != "measure"})
    check_choice("the kind of a field", plain.kind, KINDS)
    if not all(0 < share <= 1 for share in (plain.alone, *plain.common.values())):
        raise ValueError("a share is not between 0 and 1")
    if plain.scale is not None and not plain.scale[1] > 0:
        raise ValueError("a scale is not above 0")
    return FieldModel(
        plain.kind, None if measure is None else from_json(measure), plain.scale, plain.common, plain.alone
    )


@dataclass(frozen=True)
class _Plain:
    """What a model keeps of a field besides its measure."""

    kind: str
    scale: tuple[bool, float] | None
    common: Mapping[str, float]
    alone: float


def _learnt(values: Mapping[str, Any]) -> Learnt:
    """Return what was learnt, if its parts go together."""
    found = restored(Learnt, values)
    contrast, (at, chance) = found.contrast, found.curve
    sound = (
        len(found.names) == len(found.levels) == len(found.weights) == len(found.tilt)
        and all(len(mine) == levels.count for mine, levels in zip(found.weights, found.levels, strict=True))
        and all(list(levels.edges) == sorted(levels.edges) for levels in found.levels)
        and (contrast is None or len(contrast.features) == len(found.names) + 1)
        and len(at) == len(chance) >= (contrast is not None)
        and list(at) == sorted(at)
        and 0 <= found.size < 1 << 53
        and (found.correction is None or len(found.correction.bend) == len(KNOTS))
    )
    if not sound:
        raise ValueError("what was learnt does not fit together")
    return found
