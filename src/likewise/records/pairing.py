"""Find columns that hold the same in two tables under different names, by their names and then their values."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean

import numpy as np
from numpy.typing import NDArray

from likewise.read.tables import Records, texts_of
from likewise.records.kinds import KINDS, detect, magnitudes, normalised, written_as

_MOST = 20_000  # values looked at, spread over the column
_WORDS = 30  # of each value
_LEAST = 0.15  # share of words that two columns of the same have in common
_SURELY = 0.3  # if one of them is called as a third that holds something else
_GLANCE = 200  # values that tell whether two columns of one name can be the same
_FEW, _HALF = 10, 0.5  # of so few words both have half: one letter that two lists of codes share says nothing
_MANY = 300  # short words that half of is shared by no chance: there are fewer countries
_MOSTLY = 0.8  # of the fewer words both have, where words are so short that many are shared by chance
_BRIEF = 3  # letters of such words: codes of countries, of rules, of units
_LONGER = 3  # times as many words in a cell: a title is no description
_APART = 5  # numbers are not the same that lie a fifth of a distribution apart
_SHORTEST = 3  # letters of a name that is another's beginning: lat, latitude
_SHOWN = 8
_TELLING = ("date", "phone", "email", "coordinates")  # one of each is that of the other, whatever the values are
_VOWELS = re.compile(r"(?<=.)[aeiou]")
_WRITTEN = frozenset({"name", "text", "category"})


@dataclass(frozen=True, slots=True)
class _Words:
    """What a column holds: its kind, its words, how many of them a cell has, and what it measures, in order."""

    kind: str
    words: frozenset[str]
    length: float
    measures: NDArray[np.float64]

    @classmethod
    def of(cls, records: Records, name: str, most: int = _MOST) -> "_Words":
        values = texts_of(records.table, name, records.name).to_pylist()
        present = [value for value in values[:: max(1, len(values) // most)] if value]
        kind = detect(present)
        present = written_as(kind)(present)
        if not KINDS[kind].measured:
            present = [normalised(kind, value) for value in present]
        cells = [value.casefold().split()[:_WORDS] for value in present]
        words = frozenset(word for cell in cells for word in cell)
        numbers = magnitudes(kind, present)[:, 0] if KINDS[kind].measured else np.zeros(0)
        return cls(kind, words, mean(map(len, cells)) if cells else 0.0, np.sort(numbers[~np.isnan(numbers)]))

    def alike(self, other: "_Words") -> float:
        """Return the share of words that both have, or how alike their numbers are spread."""
        if self.kind != other.kind and not {self.kind, other.kind} <= _WRITTEN:
            return 0.0
        if not self.words or not other.words or not 1 / _LONGER <= self.length / other.length <= _LONGER:
            return 0.0
        if self.measures.size and other.measures.size:
            return max(0.0, 1 - _APART * _distance(self.measures, other.measures))
        few, common = min(len(self.words), len(other.words)), len(self.words & other.words)
        if self.brief and other.brief and common < (_HALF if few > _MANY else _MOSTLY) * few:
            return 0.0
        if few < _FEW and common < _HALF * few:
            return 0.0
        return self.shared(other)

    def contrary(self, other: "_Words") -> bool:
        """Return whether they cannot be the same, whatever their columns are called: words here, numbers there."""
        return (
            bool(self.words and other.words)
            and self.kind != other.kind
            and not {self.kind, other.kind} <= _WRITTEN
            and not self.words & other.words
        )

    @property
    def brief(self) -> bool:
        """Whether all words but a few are so short that other things share them, too."""
        return sum(len(word) <= _BRIEF for word in self.words) > _MOSTLY * len(self.words)

    def shared(self, other: "_Words") -> float:
        """Return the share of words that both have."""
        return len(self.words & other.words) / math.sqrt(max(1, len(self.words) * len(other.words)))

    def named_alike(self, other: "_Words") -> bool:
        """Return whether columns whose names begin alike are the same: of one kind, or with the same words."""
        return self.kind == other.kind or self.shared(other) >= _LEAST


def _distance(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """Return the largest distance of two distributions of sorted numbers (Kolmogorov and Smirnov)."""
    every = np.concatenate([a, b])
    below = [np.searchsorted(one, every, side="right") / len(one) for one in (a, b)]
    return float(np.abs(below[0] - below[1]).max())


def paired(left: Records, right: Records) -> dict[str, str]:
    """Return the left columns that hold the same as a right one of another name, with that.

    Columns of one name are the same, unless one has words and the other numbers, and a third has the same words.

    >>> from likewise.read.tables import read_table
    >>> left = read_table([{"title": "Red pen", "price": 2}, {"title": "Blue ink", "price": 7}])
    >>> right = read_table([{"name": "Blue ink", "Price": 7}, {"name": "Black ink", "Price": 8}])
    >>> paired(left, right)
    {'price': 'Price', 'title': 'name'}
    """
    mine, theirs = _apart(left, right)
    found = _same_letters(mine, theirs)
    rest = [name for name in theirs if name not in found.values()]
    mine = [name for name in mine if name not in found]
    doubtful = _contrary(left, right) if mine or rest else []
    return found | _same_words(left, mine, right, rest, doubtful)


def together(left: Sequence[str], right: Sequence[str], found: Mapping[str, str]) -> dict[str, str]:
    """Return all left columns with a partner, and that: of another name where one was ``found``, else of its own.

    >>> together(["name", "born", "town"], ["name", "who", "born"], {"name": "who"})
    {'name': 'who', 'born': 'born'}
    """
    taken = set(found.values())
    same = {name: name for name in left if name in right and name not in taken} | dict(found)
    return {name: same[name] for name in left if name in same}


def with_names_of(left: Records, right: Records, found: Mapping[str, str]) -> tuple[Records, list[str]]:
    """Return the right records with the names of the left columns that are paired with theirs, and what to say."""
    pairs = together(left.comparable, right.comparable, found)
    names = {other: name for name, other in found.items()}
    names |= {name: _of_the_right(name, right) for name in found if name in right.columns and name not in names}
    table = right.table.rename_columns([names.get(name, name) for name in right.table.column_names])
    notes = []
    if found:
        said = ", ".join(f"{name!r} and {found[name]!r}" for name in left.comparable if name in found)
        notes.append(f"compared with each other, by what they hold: {said}")
    others = [name for name in right.table.column_names if name not in names]  # an id, too, is no lack
    lone = [name for name in left.comparable if name not in pairs and name not in others]
    lone += [
        name for name in right.comparable if name not in pairs.values() and (name in found or name not in left.columns)
    ]
    alone = [repr(name) for name in lone]
    if alone:
        few = ", ".join(alone[:_SHOWN]) + (", ..." if len(alone) > _SHOWN else "")
        notes.append(
            f"without a partner in the other table: {few} (left_on and right_on name columns that go together)"
        )
    return replace(right, table=table), [*notes, *_no_numbers(left, right, pairs)]


def only_one(left: Records, right: Records) -> tuple[Records, Records]:
    """Return both sides with nothing to compare but the one column that both have; all columns, where there are more.

    Where several columns go together, each speaks for itself, and one that only the other table lacks may still help:
    a maker that the other names in the title. Where one does, the records are nothing but texts, and what only one
    side knows would drown what both know: a formula the name of a chemical.

    >>> from likewise.read.tables import read_table
    >>> left, right = read_table([{"name": "Ada", "born": 1815}]), read_table([{"name": "Ada", "town": "London"}])
    >>> [side.comparable for side in only_one(left, right)]
    [['name'], ['name']]
    """
    both = tuple(name for name in left.comparable if name in right.comparable)
    if len(both) != 1:
        return left, right
    return replace(left, compared=both), replace(right, compared=both)


def _no_numbers(left: Records, right: Records, pairs: Mapping[str, str]) -> list[str]:
    """Return what to say of columns that are numbers on one side, and on the other texts with figures: 1h 35m.

    >>> from likewise.read.tables import read_table
    >>> left, right = read_table([{"size": 95}], name="left"), read_table([{"size": "1h 35m"}], name="right")
    >>> _no_numbers(left, right, {"size": "size"})
    ["size: numbers in left, but no numbers in right ('1h 35m'): written alike, their values would be compared"]
    """
    notes = []
    for name, other in pairs.items():
        values = [_glance(side, column) for side, column in ((left, name), (right, other))]
        shares = [np.mean(~np.isnan(magnitudes("number", one))) if one else 0.0 for one in values]
        at = int(shares[1] > shares[0])  # the side of the numbers
        texts = values[1 - at]
        if not texts or shares[at] < _MOSTLY or shares[1 - at] > 1 - _MOSTLY or detect(texts) not in _WRITTEN:
            continue
        if sum(any(map(str.isdigit, text)) for text in texts) >= _MOSTLY * len(texts):
            numbers, others = (left.name, right.name)[:: -1 if at else 1]
            said = f"numbers in {numbers}, but no numbers in {others} ({texts[0][:40]!r})"
            notes.append(f"{name}: {said}: written alike, their values would be compared")
    return notes


def _glance(records: Records, column: str) -> list[str]:
    """Return some values of a column, spread over it."""
    values = texts_of(records.table, column, records.name).to_pylist()
    return [value for value in values[:: max(1, len(values) // _GLANCE)] if value]


def _apart(left: Records, right: Records) -> tuple[list[str], list[str]]:
    """Return the columns of each side that the other does not have, without the ids."""
    return (
        [name for name in left.comparable if name not in right.table.column_names],
        [name for name in right.comparable if name not in left.columns],
    )


def _of_the_right(name: str, right: Records) -> str:
    """Return a name for a right column that is called as a left one which has another partner."""
    while name in right.table.column_names:
        name += " (right)"
    return name


def _contrary(left: Records, right: Records) -> list[str]:
    """Return the columns of both that have one name and hold what cannot be the same."""
    return [
        name
        for name in left.comparable
        if name in right.comparable and _Words.of(left, name, _GLANCE).contrary(_Words.of(right, name, _GLANCE))
    ]


def _same_letters(mine: Sequence[str], theirs: Sequence[str]) -> dict[str, str]:
    """Pair columns whose names differ in case, blanks and signs only."""
    known = {_letters(name): name for name in reversed(theirs)}
    return {name: known.pop(_letters(name)) for name in mine if _letters(name) in known}


def _letters(name: str) -> str:
    return re.sub(r"[\W_]", "", name).casefold()


def _shortened(one: str, other: str) -> bool:
    """Return whether one name is the beginning of the other, or of that without its vowels.

    >>> _shortened("lat", "Latitude"), _shortened("street_no", "street"), _shortened("id", "idea")
    (True, True, False)
    >>> _shortened("lng", "longitude"), _shortened("lng", "language")
    (True, True)
    """
    short, long = sorted((_letters(one), _letters(other)), key=len)
    return len(short) >= _SHORTEST and (long.startswith(short) or _VOWELS.sub("", long).startswith(short))


def _same_words(
    left: Records, mine: Sequence[str], right: Records, theirs: Sequence[str], doubtful: Sequence[str]
) -> dict[str, str]:
    """Pair columns whose names begin alike, if what they hold does not speak against it, and those that hold the same.

    The most alike come first; the ``doubtful``, which have a partner of their name, only if they are surely alike.

    Then the only dates, phones ... that are left.
    """
    mine, theirs = [*mine, *doubtful], [*theirs, *doubtful]
    a, b = [_Words.of(left, name) for name in mine], [_Words.of(right, name) for name in theirs]
    scores = []
    for i, one in enumerate(a):
        for j, other in enumerate(b):
            sure = mine[i] in doubtful or theirs[j] in doubtful
            alike = one.alike(other)
            if not sure and _shortened(mine[i], theirs[j]) and one.named_alike(other):
                alike = 1.0
            if alike >= (_SURELY if sure else _LEAST):
                scores.append((alike, i, j))
    found: dict[int, int] = {}
    for _, i, j in sorted(scores, key=lambda scored: (-scored[0], *scored[1:])):
        if i not in found and j not in found.values():
            found[i] = j
    for kind in _TELLING:
        lone = [
            [
                place
                for place, one in enumerate(side)
                if one.kind == kind and place not in taken and names[place] not in doubtful
            ]
            for side, taken, names in ((a, found.keys(), mine), (b, found.values(), theirs))
        ]
        if len(lone[0]) == len(lone[1]) == 1:
            found[lone[0][0]] = lone[1][0]
    return {mine[i]: theirs[j] for i, j in found.items()}
