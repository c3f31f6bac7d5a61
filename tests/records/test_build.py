"""Notes on copies and on what is not compared."""

import pyarrow as pa
from tests.records.made import comparison_of

from likewise.read.tables import read_table
from likewise.records.build import copied_note, copies_note, why_nothing


def test_copies_are_told_of():
    assert copied_note("table", 1, 10) == []
    assert copied_note("table", 2, 19)[0].startswith("table: 2 records equal to others")
    one = comparison_of([["a", "a", "b", None]], [["a", "b", "c"]])
    sides = [read_table([{"t": "a"}] * size, name=name) for size, name in ((4, "left"), (3, "right"))]
    assert [note.split(":")[0] for note in copies_note(one, *sides)] == ["left"]
    assert copies_note(comparison_of([["a", "a"]] * 2, [["a", "b"]] * 2), *sides) == []


def test_why_nothing_is_compared():
    empty, full = comparison_of([[None, ""]], [["a"]]), comparison_of([["a"]], [["b"]])
    sides = [read_table([{"t": "a"}], name=name) for name in ("left", "right")]
    assert why_nothing(empty, *sides) == ["left: every cell that is compared is empty"]
    assert why_nothing(full, *sides) == []
    assert why_nothing(full, read_table(pa.table({"t": pa.array([], pa.string())}), name="left"), sides[1]) == [
        "left has no rows"
    ]
