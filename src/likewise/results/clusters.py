"""What dedupe gives: clusters, a record that stands for each, doubtful pairs, and the threshold with its histogram."""

import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from likewise.errors import InputError
from likewise.results.base import Result
from likewise.results.decision_report import write_report
from likewise.results.decisions import DecisionSummary, MatchModel, Waterfall
from likewise.results.threshold import Threshold

if TYPE_CHECKING:
    import pyarrow as pa

    from likewise.measure import Measure


@dataclass(frozen=True, slots=True)
class Cluster:
    """Records that are the same: their ids, the id of the one that stands for them, and their texts."""

    number: int
    ids: tuple[Any, ...]
    canonical: Any
    texts: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """What became of clusters when records came or went: ``merged``, ``split``, ``new`` or ``gone``, by cluster ids."""

    kind: str
    before: tuple[int, ...]
    after: tuple[int, ...]


class Tables:
    """Tables by name, each made when somebody first asks for it: they have texts, which are all of the input again.

    >>> tables = Tables({"pairs": lambda: "made"})
    >>> tables["pairs"]
    'made'
    """

    def __init__(self, makers: "Mapping[str, Callable[[], pa.Table]]", rows: "Mapping[str, int] | None" = None) -> None:
        self._makers, self._rows = dict(makers), dict(rows or {})
        self._made: dict[str, pa.Table] = {}

    def __getitem__(self, name: str) -> "pa.Table":
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def rows(self, name: str) -> int:
        """Return the number of rows of a table, without making it where that is known."""
        return self._rows[name] if name in self._rows else int(self[name].num_rows)

    def with_others(self, makers: "Mapping[str, Callable[[], pa.Table]]") -> "Tables":
        """Return the tables with others in the place of some."""
        return Tables({**{name: partial(self.__getitem__, name) for name in self._makers}, **makers}, self._rows)

    def __reduce__(self) -> "tuple[Any, ...]":
        # What makes a table cannot be pickled: the tables are.
        return Tables._of, ({name: self[name] for name in self._makers},)

    @classmethod
    def _of(cls, made: "dict[str, pa.Table]") -> "Tables":
        return cls({name: partial(made.__getitem__, name) for name in made})


@dataclass(frozen=True, slots=True, repr=False)
class DedupeResult(Result[Cluster]):
    """Clusters as a table, a row per record in the order of the input.

    * ``table``: ``id``, ``cluster`` (from 0), ``size``, ``canonical`` (whether this record stands for its cluster),
      ``text``;
    * ``canonical``: the rows of the input that stand for the clusters, which is the table without its duplicates;
    * ``merged``: one record per cluster, each field by its survivor rule; it has the id of the one that stands for it;
    * ``changes``: of clusters that live on, which were merged, split, are new or gone;
    * ``pairs``: the pairs that made the clusters (``left``, ``right``, ``score``, ``left_text``, ``right_text``);
      of equal records only the first is in pairs; long texts are held once (an Arrow dictionary);
    * ``review``: doubtful pairs, the closest to the threshold first, with what was decided (``same``);
    * ``decision``: where a model decided, what it rests on and what to expect; pairs then have a ``probability``, and
      ``evidence`` says what each field weighs (``left``, ``right``, ``field``, ``weight``, in log odds);
    * ``threshold``: its value, where it comes from, and the histogram of the best scores.

    >>> import likewise as lw
    >>> found = lw.dedupe(["Ada Lovelace", "Lovelace, Ada", "Grace Hopper", "Ada Lovelance"], min_score=0.6)
    >>> [cluster.ids for cluster in found]
    [(0, 1, 3), (2,)]
    """

    table: "pa.Table"
    tables: Tables
    threshold: Threshold
    measure: "Measure"
    notes: tuple[str, ...] = ()
    decision: "DecisionSummary | None" = None
    evidence: "pa.Table | None" = None
    changes: tuple[Change, ...] = ()
    model: "MatchModel | None" = None
    weighed: "Callable[[Any, Any], Waterfall] | None" = None

    _noun = ("cluster", "clusters")

    @property
    def canonical(self) -> "pa.Table":
        """The table without its duplicates."""
        return self.tables["canonical"]

    @property
    def merged(self) -> "pa.Table":
        """One merged record per cluster."""
        return self.tables["merged"]

    @property
    def pairs(self) -> "pa.Table":
        """The pairs that made the clusters."""
        return self.tables["pairs"]

    @property
    def review(self) -> "pa.Table":
        """The doubtful pairs."""
        return self.tables["review"]

    def __len__(self) -> int:
        """Return the number of clusters."""
        return len(self.table["cluster"].unique())

    def __iter__(self) -> Iterator[Cluster]:
        members: dict[int, list[dict[str, Any]]] = {}
        for row in self.table.to_pylist():
            members.setdefault(row["cluster"], []).append(row)
        for number, rows in members.items():
            chosen = next(row["id"] for row in rows if row["canonical"])
            yield Cluster(number, tuple(row["id"] for row in rows), chosen, tuple(row["text"] for row in rows))

    def _at(self, place: int) -> Cluster:
        return next(itertools.islice(self, place, None))

    def _part(self, places: slice) -> "DedupeResult":
        """Return some of the clusters; pairs, review and the rest stay as they are."""
        import pyarrow as pa
        import pyarrow.compute as pc

        wanted = self.table["cluster"].unique().to_pylist()[places]
        chosen = pc.is_in(self.table["cluster"], pa.array(wanted, pa.int64()))
        return replace(self, table=self.table.filter(chosen))

    def waterfall(self, left: Any, right: Any) -> "Waterfall":
        """Return how the log odds of two records add up, field by field, and why they are given, or not.

        Any two records may be asked for, by their ids; a notebook shows the chart.
        """
        from likewise.results.decisions import Waterfall

        if self.weighed is None:
            return Waterfall.of(self.evidence, left, right)
        found = self.weighed(left, right)
        clusters = dict(zip(map(str, self.table["id"].to_pylist()), self.table["cluster"].to_pylist(), strict=True))
        one = clusters[str(left)] == clusters[str(right)]
        return replace(found, said=f"{found.said}; {'in one cluster' if one else 'in different clusters'}")

    def to_html(self, path: "str | os.PathLike[str]") -> None:
        """Write how it was decided to an HTML page: estimates, charts, and what speaks for and against some pairs."""
        if self.decision is None:
            raise InputError("there is nothing to report: no model decided (a score, or a raw list, was asked for)")
        write_report(path, self.decision, self.pairs, self.review, self.evidence)
