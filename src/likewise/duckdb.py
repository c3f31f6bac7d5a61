"""The door for DuckDB: Likewise as SQL functions of a connection.

>>> import duckdb
>>> from likewise.duckdb import register
>>> connection = register(duckdb.connect())
>>> connection.sql("SELECT round(likewise_score('Gonzalo Gonzalez', 'Gonzales, Gonzalo'), 3)").fetchall()
[(0.822,)]

* ``likewise_score(left, right)``: the similarity of two texts.
* ``likewise_match(lefts, rights, top)``: for each text of the first list its best partners in the second, as a list of
  ``{left, right, score}``, where left and right count from 1 as lists of DuckDB do.
* ``likewise_search(folder, query, top)``: the best texts of an index on disk, as a list of ``{id, score, text}``.

``docs/guide/integrations.md`` shows them on tables.
"""

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from likewise.errors import MissingExtraError, NotFittedError, OptionError
from likewise.index.index import Index
from likewise.jobs.match import match
from likewise.measure import as_measure
from likewise.options import check_integer

if TYPE_CHECKING:
    import duckdb

__all__ = ["register"]

_PAIRS = 'STRUCT("left" BIGINT, "right" BIGINT, score DOUBLE)[]'
_HITS = "STRUCT(id VARCHAR, score DOUBLE, text VARCHAR)[]"


def register(connection: "duckdb.DuckDBPyConnection", *, measure: Any = None) -> "duckdb.DuckDBPyConnection":
    """Add ``likewise_score``, ``likewise_match`` and ``likewise_search`` to a connection, and return it.

    ``measure`` is a measure, its specification or a saved file. ``likewise_score`` sees two texts at a time, so that a
    measure that weighs by a collection must be fitted; ``likewise_match`` fits it to its lists.
    """
    try:
        from duckdb.sqltypes import DOUBLE, VARCHAR
    except ImportError:
        try:
            from duckdb.typing import DOUBLE, VARCHAR
        except ImportError as error:
            raise MissingExtraError("duckdb", "mine") from error
    chosen = as_measure(measure)
    functions = _Functions(chosen, measure)
    text_list = connection.type("VARCHAR[]")
    connection.create_function("likewise_score", functions.score, [VARCHAR, VARCHAR], DOUBLE, type="arrow")
    connection.create_function(
        "likewise_match", functions.match, [text_list, text_list, connection.type("INTEGER")], connection.type(_PAIRS)
    )
    connection.create_function(
        "likewise_search",
        functions.search,
        [VARCHAR, VARCHAR, connection.type("INTEGER")],
        connection.type(_HITS),
        side_effects=True,  # the index may have changed since the last call
    )
    return connection


class _Functions:
    """What the SQL functions call; indexes stay open from one call to the next."""

    def __init__(self, measure: Any, given: Any) -> None:
        self._measure = measure
        self._given = given
        self._open: dict[str, Index] = {}

    def score(self, left: pa.ChunkedArray, right: pa.ChunkedArray) -> pa.Array:
        """Score the pairs of a whole batch."""
        if not self._measure.ready:
            raise NotFittedError(f"{self._measure} weighs by a collection: fit it, and register it fitted")
        return pa.array(self._measure.scores(left.to_pylist(), right.to_pylist(), threads=1))

    def match(self, lefts: list[str | None], rights: list[str | None], top: int) -> list[dict[str, Any]]:
        """Match two lists of texts."""
        check_integer("top", top, 1)
        found = match(lefts, rights, measure=self._given, top=top).table
        columns = [found.column(name).to_pylist() for name in ("left", "right", "score")]
        return [{"left": a + 1, "right": b + 1, "score": score} for a, b, score in zip(*columns, strict=True)]

    def search(self, folder: str, query: str, top: int) -> list[dict[str, Any]]:
        """Search an index on disk."""
        if not folder:
            raise OptionError("likewise_search wants the folder of an index, the query and how many hits")
        if folder not in self._open:
            self._open[folder] = Index.open(folder)
        index = self._open[folder]
        index.refresh()
        return [{"id": str(hit.id), "score": hit.score, "text": hit.text} for hit in index.search(query, top=top)]
