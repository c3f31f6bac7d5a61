r"""SecondString name-matching files: ``relation<TAB>key<TAB>text``, equal keys in the two relations are a match.

Keys may stand in quotes and have blanks around; further tabs belong to the text. Files with one relation are clustering
problems: :func:`read_clusters`.
"""

from pathlib import Path

import numpy as np

from likewise.errors import FormatError
from likewise.evaluate.gold.sets import GoldSet
from likewise.read.old_files import read_text


def read(path: str | Path) -> GoldSet:
    """Read a file with two relations; the one that comes first is left.

    Of more than two relations the two with most texts are taken, and the notes say so.
    """
    path = Path(path)
    rows, notes = _rows(path)
    relations = list(dict.fromkeys(relation for relation, _, _ in rows))
    if len(relations) < 2:
        raise FormatError(
            f"{path} has one relation, {relations[0]!r}: it is for clustering, not for matching two lists"
        )
    if len(relations) > 2:
        sizes = {name: sum(relation == name for relation, _, _ in rows) for name in relations}
        largest = sorted(relations, key=lambda name: -sizes[name])[:2]
        notes.append(f"relations other than {' and '.join(largest)} are left out")
        relations = [name for name in relations if name in largest]
    sides = [[(key, text) for relation, key, text in rows if relation == name] for name in relations]
    places: dict[str, list[int]] = {}
    for place, (key, _) in enumerate(sides[1]):
        places.setdefault(key, []).append(place)
    gold = [(left, right) for left, (key, _) in enumerate(sides[0]) for right in places.get(key, ()) if key]
    if not gold:
        raise FormatError(f"{path} has no key that occurs in both relations ({' and '.join(relations)})")
    return GoldSet(
        path.stem,
        [str(place) for place in range(len(sides[0]))],
        [text for _, text in sides[0]],
        [str(place) for place in range(len(sides[1]))],
        [text for _, text in sides[1]],
        np.array(gold, dtype=np.int64),
        np.ones(len(gold), dtype=np.int64),
        tuple(notes),
    )


def read_clusters(path: str | Path) -> tuple[list[str], list[str]]:
    """Read a file of any number of relations as one list: texts, and the key of each (its entity)."""
    rows, _ = _rows(Path(path))
    return [text for _, _, text in rows], [key for _, key, _ in rows]


def _rows(path: Path) -> tuple[list[tuple[str, str, str]], list[str]]:
    rows: list[tuple[str, str, str]] = []
    skipped = 0
    for line in read_text(path).split("\n"):
        if not line.strip():
            continue
        fields = line.split("\t", 2)
        if len(fields) < 3 or not fields[0].strip():
            skipped += 1
            continue
        rows.append((fields[0].strip(), fields[1].strip().strip('"').strip(), fields[2].replace("\t", " ").strip()))
    if not rows:
        raise FormatError(f"{path} is not a SecondString file: no line has relation, key and text separated by tabs")
    return rows, [f"{skipped} lines without three fields are left out"] if skipped else []
