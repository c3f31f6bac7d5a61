"""The best partners of right records, found among few left ones: the same as among all."""

import random

import numpy as np
import pytest

import likewise as lw
from likewise.records.columns import Column
from likewise.records.comparison import Comparison
from likewise.records.from_right import from_right

_DRAW = random.Random(7)
_PARTS = ["an", "bel", "cor", "da", "el", "fi", "gor", "hu", "in", "jo", "ka", "lu", "mar", "no", "os"]
# With equal texts, and with records that have none.
TEXTS = [" ".join("".join(_DRAW.choices(_PARTS, k=2)) for _ in range(2)) for _ in range(500)]
LEFT = [*TEXTS[:200], *TEXTS[:30], None, *TEXTS[190:250]]
RIGHT = [None, *TEXTS[220:400], *TEXTS[60:200], *TEXTS[230:260]]


def comparison(measure):
    columns = [Column.of(values) for values in (LEFT, RIGHT)]
    return Comparison(columns[:1], columns[1:], [measure.copy().fit(TEXTS)], [1.0])


@pytest.mark.parametrize("count", [1, 3, 20, 400])
@pytest.mark.parametrize("measure", [lw.Spectra(), lw.TfIdf(), lw.SoftTfIdf(), lw.Spectra(coefficient="coverage")])
def test_the_best_of_right_records_are_those_of_all_left_ones(measure, count):
    joined = comparison(measure)
    known, few = joined.top(count), max(1, count // 4)
    pairs = set(zip(known.left.tolist(), known.right.tolist(), strict=True))
    every = joined.reversed().top(few)
    found = from_right(joined, known, count, few)
    more = set(zip(*(side.tolist() for side in found), strict=True))
    assert more | pairs == set(zip(every.right.tolist(), every.left.tolist(), strict=True)) | pairs


def test_few_left_records_are_looked_at(monkeypatch):
    joined = comparison(lw.Spectra())
    known, looked_at, top = joined.top(20), [], Comparison.top

    def counted(self, k, *arguments, rows=None, **named):
        looked_at.append((self.left_size if rows is None else len(rows)) * self.right_size)
        return top(self, k, *arguments, rows=rows, **named)

    monkeypatch.setattr(Comparison, "top", counted)
    left, _ = from_right(joined, known, 20, 5)
    assert len(left)
    assert len(looked_at) > 1
    assert sum(looked_at) < 0.5 * len(LEFT) * len(RIGHT)


def test_keys_are_kept():
    joined = comparison(lw.Spectra())
    keys = np.arange(len(LEFT)) % 3, np.arange(len(RIGHT)) % 3
    joined = Comparison(joined.left, joined.right, joined.measures, [1.0], False, *keys)
    left, right = from_right(joined, joined.top(4), 4, 2)
    assert len(left)
    assert (keys[0][left] == keys[1][right]).all()
