"""Any two records weighed as the candidates of a decision were: also a pair that was not given, or not looked at.

A candidate keeps the weights that it was decided by. Of any other pair the model says what each field weighs, and the
candidates of its two records, its rivals, say what chance they leave it. Everything is kept that this takes: also in a
folder (:meth:`Weighed.write`), so that a service says the same numbers later.
"""

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import InputError
from likewise.read.tables import Records
from likewise.records.candidates import Candidates
from likewise.records.chances import LEAST, among
from likewise.records.columns import Column
from likewise.records.compared import Compared
from likewise.records.comparison import Comparison, rows_of
from likewise.records.decision import RIVALS, Decision, Learnt
from likewise.records.evidence import Evidence, Field
from likewise.records.kinds import normalised
from likewise.records.learning import weigh
from likewise.records.model import Model
from likewise.records.partners import Relation
from likewise.records.refit import BEND, bend
from likewise.records.tables import BEFORE
from likewise.results.decisions import Waterfall
from likewise.results.tables import write_table

if TYPE_CHECKING:
    import pyarrow as pa

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
_PAIRS, _SAID, _SIDES = "candidates.parquet", "weighed.json", ("left-texts.parquet", "right-texts.parquet")


@dataclass(frozen=True)
class Side:
    """The records of one table: ids, the text of the whole record, and the text of each field as it was compared."""

    name: str
    ids: "pa.Array"
    whole: Column
    fields: Sequence[Column]

    def row(self, identity: Any) -> int | None:
        """Return the place of the record of an id."""
        import pyarrow as pa
        import pyarrow.compute as pc

        found = pc.index(self.ids.cast(pa.string()), pa.scalar(str(identity), pa.string())).as_py()
        return None if found < 0 else int(found)

    def some(self, rows: Rows) -> "Side":
        """Return some of the records."""
        return replace(self, whole=rows_of(self.whole, rows), fields=[rows_of(one, rows) for one in self.fields])

    def to_arrow(self) -> "pa.Table":
        """Return ids and texts as a table: the whole record first, then the fields."""
        import pyarrow as pa

        texts = [pa.array(column.values(), pa.string()) for column in (self.whole, *self.fields)]
        return pa.Table.from_arrays([self.ids, *texts], ["id", *map(str, range(len(texts)))])

    @classmethod
    def of(cls, records: Records, whole: Column, fields: Sequence[Column]) -> "Side":
        """Take over the texts of some records; what they were prepared for a join is not kept."""
        whole, *fields = (replace(column, terms=None) for column in (whole, *fields))
        return cls(records.name, records.ids, whole, fields)

    @classmethod
    def of_arrow(cls, name: str, table: "pa.Table") -> "Side":
        """Return the records of a table that :meth:`to_arrow` made."""
        ids, *texts = (column.combine_chunks() for column in table.columns)
        whole, *fields = map(Column.of_array, texts)
        return cls(name, ids, whole, fields)


@dataclass(frozen=True)
class Weighed:
    """What a decision said of its candidates, and what it takes to say the same of any other pair.

    Called with two ids it returns their :class:`~likewise.results.decisions.Waterfall`. ``plain`` are the odds of the
    candidates without their rivals.
    """

    found: Candidates
    fields: tuple[str, ...]
    parts: Values
    plain: Values
    prior: float
    probability: Values
    keep: NDArray[np.bool_]
    relation: Relation
    least: float
    partners: int
    model: Model | None
    left: Side
    right: Side

    @classmethod
    def of(cls, decision: Decision, model: Model | None, left: Side, right: Side) -> "Weighed":
        """Take over a decision on the records of both sides."""
        return cls(
            decision.found,
            decision.fields,
            decision.parts,
            _plain(decision),
            decision.prior,
            decision.probability,
            decision.keep,
            decision.relation,
            decision.least,
            decision.partners,
            model,
            left,
            right,
        )

    def __call__(self, left: Any, right: Any) -> Waterfall:
        """Return how the log odds of any two records add up, by their ids, and why the pair is given or not."""
        a, b = self._places(left, right)
        at = np.flatnonzero((self.found.left == a) & (self.found.right == b))
        if len(at):
            place = int(at[0])
            weights = ((BEFORE, self.prior), *zip(self.fields, self.parts[place].tolist(), strict=True))
            return Waterfall(left, right, weights, self._of_candidate(place))
        if self.model is None:
            raise InputError(
                f"{left!r} and {right!r} were not compared, as others are nearer, and nothing was learnt to weigh them "
                "by: no pair stands out from what a wrong partner looks like"
            )
        weights = self._of_other(self.model, a, b)
        chance = 1 / (1 + math.exp(-sum(weight for _, weight in weights)))
        return Waterfall(left, right, weights, f"{self._left_out(a, b, chance)}; not compared, as {self._nearer()}")

    def texts(self, left: Any, right: Any) -> tuple[str | None, str | None]:
        """Return the texts of two records as they were compared as a whole."""
        a, b = self._places(left, right)
        if self.left.row(left) != a:  # of one table, named the other way round
            a, b = b, a
        return self.left.whole.of_row(a), self.right.whole.of_row(b)

    def _places(self, left: Any, right: Any) -> tuple[int, int]:
        a, b = self.left.row(left), self.right.row(right)
        for side, identity, place in ((self.left, left, a), (self.right, right, b)):
            if place is None:
                raise InputError(f"no record of {side.name} has the id {identity!r}")
        assert a is not None
        assert b is not None
        if not self.found.self_join:
            return a, b
        if a == b:
            raise InputError(f"{left!r} is one record: name two")
        return min(a, b), max(a, b)

    def _of_other(self, model: Model, a: int, b: int) -> tuple[tuple[str, float], ...]:
        """Return the weights of a pair that is no candidate, beside the candidates of its records."""
        known = model.learnt
        names, said, prior = self._said(model, a, b)
        odds = prior + float(said.sum())
        near = self._near(a, b)
        left, right = np.append(self.found.left[near], a), np.append(self.found.right[near], b)
        some, plain = replace(self.found, left=left, right=right, late=None), np.append(self.plain[near], odds)
        if known.texts:
            some, plain = self._each_text_once(some, plain)
        chance = float(np.clip(among(known, some, plain)[-1], LEAST, 1 - LEAST))
        together = math.log(chance / (1 - chance))
        if len(model.fields) == 1:  # all that is known is the field
            weights = [(BEFORE, self.prior), (self.fields[0], together - self.prior)]
        else:
            weights = [(BEFORE, prior), *zip(names, said.tolist(), strict=True)]
            weights += [(RIVALS, together - odds)] if RIVALS in self.fields else []
        return tuple(_corrected(weights, known))

    def _said(self, model: Model, a: int, b: int) -> tuple[tuple[str, ...], Values, float]:
        """Return what the fields say of two records: names, parts, prior.

        The candidates of both are compared once more: how rare a value is depends on who is likely to be the same.
        """
        left, right, known = self.found.left, self.found.right, model.learnt
        near = (left == a) | (right == b)
        if self.found.self_join:
            near |= (left == b) | (right == a)
        left, right = np.append(left[near], a), np.append(right[near], b)
        (lefts, x), (rights, y) = (np.unique(side, return_inverse=True) for side in (left, right))
        one, other = self.left.some(lefts), self.right.some(rights)
        whole = Comparison([one.whole], [other.whole], [model.joined], [1.0])
        both = zip(model.fields.items(), one.fields, other.fields, strict=True)
        fields = [Field.by(name, mine, theirs, field) for (name, field), mine, theirs in both]
        compared = Compared.of(
            whole, fields, Candidates(x, y, len(lefts), len(rights), False), known.names, model.numbers
        )
        told = dict(zip((field.name for field in compared.fields), compared.evidence, strict=True))
        evidence = [told.get(name, Evidence.nothing(len(left))) for name in known.names]
        some = replace(self.found, left=left, right=right, late=None)
        names, parts, prior = weigh(known, some, compared.overall, evidence)
        return names, parts[-1], prior

    def _near(self, a: int, b: int) -> NDArray[np.bool_]:
        """Return the candidates of both records and of those they compete with."""
        left, right = self.found.left, self.found.right
        if self.found.self_join:
            mine = np.isin(left, (a, b)) | np.isin(right, (a, b))
            near = np.union1d(left[mine], right[mine])
            return np.isin(left, near) | np.isin(right, near)
        lefts, rights = np.append(left[right == b], a), np.append(right[left == a], b)
        return np.isin(left, lefts) | np.isin(right, rights)

    def _each_text_once(self, some: Candidates, plain: Values) -> tuple[Candidates, Values]:
        """Return pairs of texts instead of records, the last one last: the copies of a text are no rivals."""
        sides: list[Rows] = []
        for side, rows in ((self.left, some.left), (self.right, some.right)):
            known: dict[str, int] = {}
            texts = (normalised("text", side.whole.of_row(row) or "") for row in rows.tolist())
            sides.append(np.array([known.setdefault(text, len(known)) for text in texts], np.int64))
        numbers = sides[0] * len(plain) + sides[1]
        others = np.flatnonzero(numbers != numbers[-1])
        chosen = np.append(others[np.unique(numbers[others], return_index=True)[1]], len(numbers) - 1)
        lefts, rights = (len(side.whole.texts) for side in (self.left, self.right))
        return Candidates(sides[0][chosen], sides[1][chosen], lefts, rights, False), plain[chosen]

    def _of_candidate(self, place: int) -> str:
        chance = float(self.probability[place])
        if self.keep[place]:
            return f"given, as its probability is {chance:.2f} ({self.least:.2f} is enough)"
        return self._left_out(int(self.found.left[place]), int(self.found.right[place]), chance)

    def _left_out(self, a: int, b: int, chance: float) -> str:
        """Return why a pair is not given."""
        if not self.keep.any():
            return "not given, as no pair is: nothing stands out from what a wrong partner looks like"
        taken = self._taken(a, b)
        if taken:
            return f"not given, as a record has one partner at most: {' and '.join(taken)}"
        said = f"less than {LEAST:.4f}" if chance <= LEAST else f"{chance:.2g}"
        return f"not given, as its probability is {said} ({self.least:.2f} is needed)"

    def _taken(self, a: int, b: int) -> list[str]:
        """Return which given pairs keep a pair from being given, where a record has one partner at most."""
        found, said = self.found, []
        sides = [(found.left, a, self.relation.left_once), (found.right, b, self.relation.right_once)]
        if found.self_join:
            once = self.relation is Relation.ONE
            sides = [(found.left, a, once), (found.right, a, once), (found.left, b, once), (found.right, b, once)]
        for side, row, once in sides:
            for place in np.flatnonzero((side == row) & self.keep & once).tolist():
                x, y = self.left.ids[int(found.left[place])].as_py(), self.right.ids[int(found.right[place])].as_py()
                said.append(f"{x} goes with {y} (probability {self.probability[place]:.2f})")
        return said

    def _nearer(self) -> str:
        return f"{self.partners} others are nearer as whole records, and some in each field that tells records apart"

    def write(self, folder: Path) -> None:
        """Write everything but the model into a folder."""
        import pyarrow as pa

        columns: dict[str, NDArray[Any]] = {"left": self.found.left, "right": self.found.right, "plain": self.plain}
        columns |= {"probability": self.probability, "keep": self.keep}
        columns |= {f"part {place}": self.parts[:, place] for place in range(len(self.fields))}
        write_table(pa.table({name: pa.array(values) for name, values in columns.items()}), folder / _PAIRS)
        said = {
            "fields": self.fields,
            "prior": self.prior,
            "relation": str(self.relation),
            "least": self.least,
            "partners": self.partners,
            "lefts": self.found.lefts,
            "rights": self.found.rights,
            "self_join": self.found.self_join,
            "names": (self.left.name, self.right.name),
        }
        (folder / _SAID).write_text(json.dumps(said), encoding="utf-8")
        sides = (self.left,) if self.found.self_join else (self.left, self.right)
        for side, path in zip(sides, _SIDES, strict=False):
            write_table(side.to_arrow(), folder / path)

    @classmethod
    def open(cls, folder: Path, model: Model | None) -> "Weighed | None":
        """Read what :meth:`write` wrote, and ``None`` where it wrote nothing."""
        import pyarrow.parquet as pq

        if not (folder / _SAID).exists():
            return None
        said = json.loads((folder / _SAID).read_text(encoding="utf-8"))
        table = pq.read_table(folder / _PAIRS)
        columns = {name: table[name].to_numpy() for name in table.column_names}
        parts = [columns[f"part {place}"] for place in range(len(said["fields"]))]
        sides = [
            Side.of_arrow(name, pq.read_table(folder / path))
            for name, path in zip(said["names"], _SIDES, strict=True)
            if (folder / path).exists()
        ]
        return cls(
            Candidates(columns["left"], columns["right"], said["lefts"], said["rights"], said["self_join"]),
            tuple(said["fields"]),
            np.column_stack(parts) if parts else np.zeros((table.num_rows, 0)),
            columns["plain"],
            said["prior"],
            columns["probability"],
            columns["keep"],
            Relation(said["relation"]),
            said["least"],
            said["partners"],
            model,
            sides[0],
            sides[-1],
        )


def _plain(decision: Decision) -> Values:
    """Return the odds of candidates without their rivals, as they were before any correction."""
    parts, names = decision.parts, decision.fields
    if RIVALS in names:
        parts = parts[:, : names.index(RIVALS)]
        known = decision.learnt
        if known is not None and known.correction is not None:
            factors = np.array(known.correction.factors)[: parts.shape[1]]
            parts = parts / np.where(factors == 0, 1.0, factors)
        return np.asarray(decision.prior + parts.sum(1))
    if len(decision.kinds) == 1 and decision.evidence:  # a single text: rivals are told by its score
        return np.where(decision.evidence[0].null, 0.0, decision.evidence[0].alike)
    return decision.odds


def _corrected(weights: list[tuple[str, float]], known: Learnt) -> list[tuple[str, float]]:
    """Return the weights of a pair as labels have corrected them."""
    if known.correction is None:
        return weights
    before, *others = weights
    by_field = [(name, value * by) for (name, value), by in zip(others, known.correction.factors, strict=True)]
    odds = np.array([sum(value for _, value in weights)])
    return [before, *by_field, (BEND, float(bend(known.correction, odds)[0]))]
