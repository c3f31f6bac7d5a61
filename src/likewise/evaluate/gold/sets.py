"""What the readers of retrieval and entity-resolution gold return: :class:`GoldSet`."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class GoldSet:
    """Two series of texts and the (left, right) places of the pairs that belong together.

    ``grades`` says how well (1 or more) each gold pair does; ``notes`` tells what the reader found damaged and what it
    did about it.
    """

    name: str
    left_ids: Sequence[str]
    lefts: Sequence[str]
    right_ids: Sequence[str]
    rights: Sequence[str]
    gold: NDArray[np.int64]
    grades: NDArray[np.int64]
    notes: tuple[str, ...] = ()

    @property
    def texts(self) -> list[str]:
        """All texts, left then right: what an adaptive measure is fitted on."""
        return [*self.lefts, *self.rights]

    def judged(self) -> "GoldSet":
        """Return the set without left texts that have no gold pair: queries that nobody judged."""
        keep = np.unique(self.gold[:, 0])
        if keep.size == len(self.lefts):
            return self
        place = np.full(len(self.lefts), -1, dtype=np.int64)
        place[keep] = np.arange(keep.size)
        gold = np.column_stack([place[self.gold[:, 0]], self.gold[:, 1]])
        return GoldSet(
            self.name,
            [self.left_ids[at] for at in keep],
            [self.lefts[at] for at in keep],
            self.right_ids,
            self.rights,
            gold,
            self.grades,
            (*self.notes, f"{len(self.lefts) - keep.size} left texts without a gold pair are left out"),
        )

    def qrels(self) -> dict[str, dict[str, int]]:
        """Return the gold as query id -> document id -> grade."""
        table: dict[str, dict[str, int]] = {}
        for (left, right), grade in zip(self.gold.tolist(), self.grades.tolist(), strict=True):
            table.setdefault(self.left_ids[left], {})[self.right_ids[right]] = grade
        return table


def gold_set(
    name: str,
    lefts: dict[str, str],
    rights: dict[str, str],
    grades: dict[tuple[str, str], int],
    notes: Sequence[str] = (),
) -> GoldSet:
    """Put together a gold set from texts by id and graded pairs of ids; pairs of unknown ids are noted and dropped."""
    left_place = {key: at for at, key in enumerate(lefts)}
    right_place = {key: at for at, key in enumerate(rights)}
    known = [
        (left_place[a], right_place[b], grade)
        for (a, b), grade in grades.items()
        if a in left_place and b in right_place
    ]
    remarks = list(notes)
    if len(known) < len(grades):
        remarks.append(f"{len(grades) - len(known)} gold pairs name a text that is not there and are left out")
    table = np.array(sorted(known), dtype=np.int64).reshape(-1, 3)
    return GoldSet(
        name,
        list(lefts),
        list(lefts.values()),
        list(rights),
        list(rights.values()),
        np.ascontiguousarray(table[:, :2]),
        np.ascontiguousarray(table[:, 2]),
        tuple(remarks),
    )
