"""Codes that run in series: a near one is that of another thing, unless no two codes of a table are near."""

import numpy as np
import pytest

import likewise as lw
from likewise.records.columns import Column
from likewise.records.evidence import Field
from likewise.records.relation import in_series

WORDS = ["lamp", "desk", "oak", "steel", "drawer", "shelf", "hinge", "cable", "lock", "panel", "chair", "rail"]
WORDS += ["frame", "hook"]


def things(random, count):
    for _ in range(count):
        letters = "".join(chr(97 + sign) for sign in random.integers(0, 26, 3))
        words = " ".join(random.choice(WORDS, 4).tolist())
        yield {"title": words, "code": f"{letters}{random.integers(1000, 9999)}", "price": int(random.integers(5, 900))}


def code_field(left, right, kind="code"):
    return Field.of("code", kind, *(Column.of([row["code"] for row in rows]) for rows in (left, right)))


def test_codes_of_which_a_table_has_near_ones_run_in_series():
    ours = list(things(np.random.default_rng(5), 200))
    black = [{**row, "code": f"{row['code']}b"} for row in ours[:30]]
    mistyped = [{**row, "code": row["code"][:-1] + "0"} for row in ours]
    assert in_series(code_field(ours, [*ours, *black]))
    assert in_series(code_field([*ours, *black], ours))
    assert not in_series(code_field(ours, mistyped))
    assert not in_series(code_field(ours, [*ours, *black], "text"))


def test_near_codes_of_a_series_count_as_little_as_others_and_a_model_knows():
    random = np.random.default_rng(5)
    ours = list(things(random, 300))
    # The other shop has two thirds of them, and of some the black one besides: another number, another price.
    black = [{"title": f"{row['title']} black", "code": f"{row['code']}b", "price": 950} for row in ours[:200:4]]
    theirs = [{**row, "price": row["price"] + 1} for row in ours[:200]] + black
    found = lw.match(ours, theirs)
    pairs = {(pair.left, pair.right) for pair in found}
    assert pairs >= {(place, place) for place in range(200)}
    assert len(pairs) <= 202
    assert found.decision.kinds["code"] == "code"
    again = lw.match(ours[150:250], theirs[150:], model=found.model)
    assert {(pair.left + 150, pair.right + 150) for pair in again} <= pairs
    assert len(again) >= 50
    assert again.decision.threshold == pytest.approx(found.decision.threshold)
