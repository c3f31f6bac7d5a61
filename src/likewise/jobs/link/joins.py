"""Where the joins of a linking run: in this process, or elsewhere by the same three methods."""

from dataclasses import dataclass
from typing import Protocol

from likewise import join
from likewise.jobs.link.vectors import Ints, Vectors
from likewise.join import Pairs
from likewise.progress import Progress


class Joins(Protocol):
    """Joins of some rows of vectors with others; pairs are places in ``lefts`` and ``rights``.

    Where both are the same array, rows are joined with themselves: ``above`` and ``best`` give each pair once.
    """

    def top(self, rows: Vectors, lefts: Ints, rights: Ints, k: int, min_score: float = 0.0) -> Pairs:
        """Return the ``k`` best of each left row."""

    def above(self, rows: Vectors, lefts: Ints, rights: Ints, min_score: float) -> Pairs:
        """Return every pair from a score on."""

    def best(self, rows: Vectors, lefts: Ints, rights: Ints, n: int) -> Pairs:
        """Return the ``n`` best pairs."""


@dataclass(frozen=True, slots=True)
class Here:
    """Joins in this process."""

    threads: int | None = None
    progress: Progress | None = None

    def top(self, rows: Vectors, lefts: Ints, rights: Ints, k: int, min_score: float = 0.0) -> Pairs:
        """Return the ``k`` best of each left row."""
        scorer, _ = rows.scorer(lefts, rights)
        return join.top(scorer, k, self_join=lefts is rights, min_score=min_score, threads=self.threads)

    def above(self, rows: Vectors, lefts: Ints, rights: Ints, min_score: float) -> Pairs:
        """Return every pair from a score on."""
        scorer, bound = rows.scorer(lefts, rights)
        itself, threads, progress = lefts is rights, self.threads, self.progress
        return join.above(scorer, min_score, bound=bound, self_join=itself, threads=threads, progress=progress)

    def best(self, rows: Vectors, lefts: Ints, rights: Ints, n: int) -> Pairs:
        """Return the ``n`` best pairs."""
        scorer, bound = rows.scorer(lefts, rights)
        itself, threads, progress = lefts is rights, self.threads, self.progress
        return join.best(scorer, n, bound=bound, self_join=itself, threads=threads, progress=progress)
