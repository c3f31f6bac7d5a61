"""A finished match in a folder, to look through: pairs by score, their histogram, and why each pair is there.

Where it was decided which pairs match, pairs are looked at by their probability, with the doubtful ones below what was
given.
"""

import json
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import InputError
from likewise.join import Pairs
from likewise.measure import Explanation, FieldsMeasure, load
from likewise.options import least_score
from likewise.read.tables import Records, texts_of
from likewise.records.clusters import clusters
from likewise.records.model import Model
from likewise.records.weighed import Weighed
from likewise.results.decisions import Waterfall
from likewise.results.matches import MatchResult
from likewise.results.tables import write_table

if TYPE_CHECKING:
    import pyarrow as pa

BINS = 40
DECISION, CHARTS, MODEL = "decision.json", "charts.html", "model.json"


@dataclass(frozen=True, slots=True)
class MatchedPairs:
    """The pairs of a match, best first."""

    folder: Path
    table: "pa.Table"
    scores: NDArray[np.float64]
    decision: dict[str, Any] | None = None

    @classmethod
    def open(cls, path: Path) -> "MatchedPairs":
        """Read the pairs of a job."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table, said = pq.read_table(path), path.parent / DECISION
        decision = json.loads(said.read_text(encoding="utf-8")) if said.exists() else None
        scores = table.column("score" if decision is None else "probability").to_numpy()
        order = np.argsort(-scores, kind="stable")
        return cls(path.parent, table.take(pa.array(order)), scores[order], decision)

    def suggested(self, otherwise: float) -> float:
        """Return from where on pairs match as it was decided, or ``otherwise`` where nothing was."""
        return otherwise if self.decision is None else float(self.decision["threshold"])

    def waterfall(self, left: str, right: str) -> Waterfall:
        """Return how the log odds of any two records add up, and why they are given, or not."""
        return self._weighed()(left, right)

    def _weighed(self) -> Weighed:
        path = self.folder / MODEL
        found = Weighed.open(self.folder, Model.load(path) if path.exists() else None)
        if found is None:
            raise InputError("there are no weights: no model decided")
        return found

    def __len__(self) -> int:
        return len(self.scores)

    def above(self, threshold: float) -> int:
        """Return how many pairs score the threshold or more."""
        return int(np.searchsorted(-self.scores, -least_score(threshold), side="right"))

    def histogram(self) -> tuple[list[float], list[int]]:
        """Return edges and counts of the distribution of scores, from 0 to 1 or to the highest score."""
        top = max(1.0, float(self.scores[0]) if len(self.scores) else 1.0)
        counts, edges = np.histogram(self.scores, bins=BINS, range=(0.0, top))
        return edges.tolist(), counts.tolist()

    def rows(self, threshold: float, side: str, order: str, offset: int, limit: int) -> list[dict[str, Any]]:
        """Return pairs on one side of the threshold: the best first, or those nearest to it."""
        border = self.above(threshold)
        first, last = (0, border) if side == "above" else (border, len(self))
        count = max(0, min(limit, last - first - offset))
        backwards = side == "above" and order == "nearest"
        start = last - offset - count if backwards else first + offset
        rows = self.table.slice(start, count).to_pylist() if count else []
        return rows[::-1] if backwards else rows

    def explain(self, left: str, right: str) -> Explanation:
        """Say why two records have their score."""
        row = self._row(left, right)
        measure = load(self.folder / "measure.json")
        if isinstance(measure, FieldsMeasure):
            return measure.explain(self._fields("left", left), self._fields("right", right))
        texts = self._weighed().texts(left, right) if row is None else (row["left_text"], row["right_text"])
        return measure.explain(*(text or "" for text in texts))

    def _fields(self, side: str, identity: str) -> dict[str, str | None]:
        import pyarrow.parquet as pq

        found = pq.read_table(self.folder / f"{side}.parquet", filters=[("#id", "==", identity)]).to_pylist()
        if not found:
            raise InputError(f"no record of the {side} table has the id {identity!r}")
        return {name: value for name, value in found[0].items() if name != "#id"}

    def _row(self, left: str, right: str) -> dict[str, Any] | None:
        """Return a pair that is given or doubtful; of a decision any other two records may be asked for, too."""
        import pyarrow as pa
        import pyarrow.compute as pc

        columns = [self.table.column(name).cast(pa.string()) for name in ("left", "right")]
        mask = pc.and_(pc.equal(columns[0], left), pc.equal(columns[1], right))
        found = self.table.filter(mask).slice(0, 1).to_pylist()
        if not found and self.decision is None:
            raise InputError(f"the result has no pair of {left!r} and {right!r}")
        return found[0] if found else None

    def clusters(
        self, threshold: float, decisions: dict[tuple[str, str], str], linkage: str
    ) -> list[list[dict[str, Any]]]:
        """Return the groups of two or more records that the pairs from the threshold on make, largest first."""
        import pyarrow as pa

        kept = self.chosen(threshold, decisions)
        texts: dict[str, str] = {}
        for side in ("left", "right"):
            ids = kept.column(side).cast(pa.string()).to_pylist()
            texts |= dict(zip(ids, kept.column(f"{side}_text").to_pylist(), strict=True))
        numbers = {identity: place for place, identity in enumerate(texts)}
        sides = [
            np.array([numbers[one] for one in kept.column(side).cast(pa.string()).to_pylist()], np.int64)
            for side in ("left", "right")
        ]
        labels = clusters(Pairs(sides[0], sides[1], kept.column("score").to_numpy()), len(numbers), linkage)
        groups: dict[int, list[dict[str, Any]]] = {}
        for (identity, text), label in zip(texts.items(), labels.tolist(), strict=True):
            groups.setdefault(label, []).append({"id": identity, "text": text})
        return sorted((group for group in groups.values() if len(group) > 1), key=lambda group: -len(group))

    def chosen(self, threshold: float, decisions: dict[tuple[str, str], str]) -> "pa.Table":
        """Return the pairs from the threshold on and those accepted, without those rejected; best first."""
        import pyarrow as pa

        if not decisions:
            table = self.table.slice(0, self.above(threshold))
            return table.append_column("decision", pa.nulls(table.num_rows, pa.string()))
        left = self.table.column("left").cast(pa.string()).to_pylist()
        right = self.table.column("right").cast(pa.string()).to_pylist()
        said = [decisions.get(pair) for pair in zip(left, right, strict=True)]
        border = self.above(threshold)
        keep = [word == "accept" or (word is None and place < border) for place, word in enumerate(said)]
        return self.table.append_column("decision", pa.array(said, pa.string())).filter(pa.array(keep))


def keep(found: MatchResult, left: Records, right: Records, folder: Path) -> int:
    """Write a match into a folder, with what is needed to say why later; return how many pairs are given.

    Of one table each pair is kept once: who looks at pairs decides on each once.
    """
    given = _once(found.to_arrow()) if right is left else found.to_arrow()
    write_table(_with_doubtful(given, found.review, frozenset if right is left else tuple), folder / "pairs.parquet")
    found.measure.save(folder / "measure.json")
    if found.decision is not None:
        (folder / DECISION).write_text(json.dumps(found.decision.to_json()), encoding="utf-8")
        (folder / CHARTS).write_text(found.decision._repr_html_(), encoding="utf-8")
    if found.model is not None:
        found.model.save(folder / MODEL)
    if isinstance(found.weighed, Weighed):
        found.weighed.write(folder)
    if isinstance(found.measure, FieldsMeasure):
        left_names, right_names = zip(*(field.names() for field in found.measure.fields), strict=True)
        _keep_fields(left, left_names, folder / "left.parquet")
        _keep_fields(right, right_names, folder / "right.parquet")
    return int(given.num_rows)


def _once(table: "pa.Table") -> "pa.Table":
    """Return each pair of one table once: of both directions the higher score, of equal ones the first."""
    import pyarrow as pa

    pairs = zip(table["left"].to_pylist(), table["right"].to_pylist(), strict=True)
    best: dict[frozenset[Any], tuple[float, int]] = {}
    for place, (pair, score) in enumerate(zip(map(frozenset, pairs), table["score"].to_pylist(), strict=True)):
        best[pair] = max(best.get(pair, (score, -place)), (score, -place))
    return table.take(pa.array(sorted(-place for _, place in best.values()), pa.int64()))


def _with_doubtful(table: "pa.Table", review: "pa.Table | None", pair: Callable[[Any], Hashable]) -> "pa.Table":
    """Return the pairs that are given, and the doubtful ones that are not; ``pair`` is what two ids are one by."""
    import pyarrow as pa

    if review is None:
        return table
    given = set(map(pair, zip(table["left"].to_pylist(), table["right"].to_pylist(), strict=True)))
    pairs = map(pair, zip(review["left"].to_pylist(), review["right"].to_pylist(), strict=True))
    other = review.filter(pa.array([one not in given for one in pairs], pa.bool_()))
    names = [name for name in table.column_names if name in other.column_names]
    return pa.concat_tables([table.select(names), other.select(names)])


def _keep_fields(records: Records, names: Sequence[str], path: Path) -> None:
    """Write the compared fields of a side."""
    import pyarrow as pa

    fields = {name: texts_of(records.table, name) for name in names}
    write_table(pa.table({"#id": pa.array([str(one) for one in records.ids.to_pylist()], pa.string()), **fields}), path)
