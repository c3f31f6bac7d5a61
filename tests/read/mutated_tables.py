"""Tables and frames as accidents make them; matching and deduping them gives a result or an error in words.

``python -m tests.read.mutated_tables 1000`` tries a thousand, from seed 0 (or the second argument) on, and prints each
that ends in any other way.
"""

import contextlib
import datetime
import decimal
import gzip
import random
import sys
import tempfile
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from tests.fuzz.run import mutate

import likewise as lw

TABLE = (
    'id,name,city,born\n1,Ada Lovelace,London,1815-12-10\n2,"Hopper, Grace",New York,1906\n3,Zoë Quux,,\n'
    "4,Šárka Nováková,Brno,12/3/1980\n5,东京 太郎,東京,1999.0\n6,O'Neil & Söhne GmbH,Köln,n/a\n"
)
RIGHT = ["Ada Lovelace", "Grace Hopper", "Brno"]
ENCODINGS = ["utf-8", "utf-16", "utf-8-sig", "gb18030", "utf-32", "utf-16-be"]
VALUES: list[Any] = [
    None, float("nan"), pd.NA, pd.NaT, "", " ", "Ada", "Ada Lovelace", 7, -1.5, 1e300, True, b"bytes", [1, 2], {"a": 1},
    (1,), datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1, 3), decimal.Decimal("1.10"), "\ud800", "x" * 5000,
    np.float32(2), np.datetime64("2020-01-01"), float("inf"), 10**30, ...,
]  # fmt: skip


def mutated_file(chance: random.Random, folder: Path) -> Path:
    """Write a table with a few accidents to a file of some name."""
    tables = [TABLE.encode(encoding) for encoding in ENCODINGS]
    data = mutate(chance.choice(tables), tables, chance)
    name = chance.choice(("t.csv", "t.csv", "t.tsv", "t.txt", "t.csv.gz", "t.jsonl", "t.parquet", "t", "t.xlsx"))
    path = folder / name
    if name.endswith(".gz"):
        data = gzip.compress(data, mtime=0)[: chance.choice((None, 20, 40))]
    path.write_bytes(data)
    return path


def mutated_frame(chance: random.Random) -> Any:
    """Return a frame, a column, a list or a dict of strange values, with strange names and indexes."""
    rows = chance.randrange(5)
    columns = [
        chance.choice(["name", "text", "id", "", "left", 0, ("a", "b"), None]) for _ in range(chance.randrange(1, 4))
    ]
    few = chance.sample(VALUES, 3)
    cells = [[chance.choice(few) for _ in range(rows)] for _ in columns]
    kind = chance.randrange(9)
    if kind < 4:
        frame = pd.DataFrame({place: pd.Series(values, dtype=object) for place, values in enumerate(cells)})
        if kind == 0:
            with contextlib.suppress(UnicodeEncodeError):  # pandas cannot, with half a surrogate pair
                frame = frame.convert_dtypes()
        if kind == 1 and rows:
            frame.index = pd.Index([chance.choice((1, "a", None, 2.5)) for _ in range(rows)], dtype=object)
        if kind == 2 and rows:
            frame.index = pd.MultiIndex.from_arrays([range(rows), range(rows)])
        frame.columns = pd.Index(columns, tupleize_cols=False)
        return frame if chance.random() < 0.7 else frame.iloc[:, 0]
    if kind == 4:
        return pl.DataFrame({str(place): pl.Series(values, dtype=pl.Object) for place, values in enumerate(cells)})
    if kind == 5:
        return pl.DataFrame(
            {str(place): [ascii(v) for v in values if v is not None] for place, values in enumerate(cells[:1])}
        )
    if kind == 6:
        return pa.table(
            {
                str(n): pa.array([None if v is None else ascii(v) for v in c]).dictionary_encode()
                for n, c in enumerate(cells)
            }
        )
    if kind == 7:
        return [dict(zip(columns, row, strict=False)) for row in zip(*cells, strict=True)]
    return chance.choice((cells[0], dict(zip(map(str, range(rows)), cells[0], strict=True)), tuple(cells[0])))


def attempt(seed: int, folder: Path) -> str:
    """Match and dedupe one mutated table; return what went wrong that should not."""
    chance = random.Random(seed)
    made = mutated_file(chance, folder) if chance.random() < 0.6 else mutated_frame(chance)
    calls: list[Callable[[], object]] = [
        lambda: lw.match(made, RIGHT, top=1),
        lambda: lw.dedupe(made, min_score=0.8, clean="companies"),
        lambda: lw.match(RIGHT, made, on=chance.choice((None, "name", "text")), min_score=0.5).join("left"),
    ]
    if not isinstance(made, Path):
        calls.append(lambda: lw.Index.build(made))
    for call in calls:
        try:
            call()
        except lw.LikewiseError as error:
            if not str(error).strip():
                return "an error without words"
        except Exception:
            return f"seed {seed}, {type(made).__name__}: {made!r}\n{traceback.format_exc()}"
    return ""


def main(count: int, first: int = 0) -> int:
    """Try many; return how many went wrong."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            said = attempt(seed, Path(folder))
            wrong += bool(said)
            if said:
                print(said, flush=True)
    print(f"{count} mutated tables and frames, {wrong} ended in anything but a result or words")
    return wrong


if __name__ == "__main__":
    raise SystemExit(bool(main(*map(int, sys.argv[1:] or ["1000"]))))
