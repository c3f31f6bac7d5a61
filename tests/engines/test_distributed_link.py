"""Linking on an engine: the links of one machine, with its ranks, whichever lists are asked for."""

import random

import pytest

import likewise as lw
from likewise.errors import StorageError
from likewise.jobs.distributed import link as job

WORDS = "soup bones water stove bread flour yeast oven salt pepper onion stock broth boil bake rest".split()  # noqa: SIM905


def texts(seed, count):
    """Passages of a few sentences that repeat each other's words in many ways; some are copies."""
    draw = random.Random(seed)
    made = {}
    for number in range(count):
        sentences = [" ".join(draw.choices(WORDS, k=draw.randint(4, 9))).capitalize() + "." for _ in range(3)]
        paragraphs = [" ".join(sentences[:2]), sentences[2] + " " + sentences[0]]
        made[f"d{number}"] = f"# Part {number % 5}\n\n" + "\n\n".join(paragraphs)
    made["copy"] = made["d1"]
    return made


LEFT, RIGHT = texts(1, 24), texts(2, 9)


@pytest.mark.parametrize(
    ("named", "two"),
    [
        ({}, False),
        ({"preset": "21+31sd", "n": 40, "order": "list"}, False),
        ({"preset": "31", "n": 30, "pairs": "across"}, False),
        ({"preset": "24|3sd", "n": 25, "pairs": "within", "copies": "keep"}, False),
        ({"preset": "21", "min_score": 0.4}, True),
        ({"preset": "kin", "min_terms": 2}, True),
    ],
    ids=str,
)
def test_links_are_those_of_one_machine(named, two, monkeypatch, tmp_path):
    monkeypatch.setattr(job, "BLOCK", 7)
    right = RIGHT if two else None
    named = {"language": "english", "boilerplate": False, "min_terms": 2, **named}
    here = lw.link(LEFT, right, **named)
    found = lw.link(LEFT, right, engine="duckdb", threads=2, work=str(tmp_path / "w"), **named)
    assert list(found.rows()) == list(here.rows())
    assert found.lists == here.lists
    assert found.links
    if here.sentence_list is not None:
        assert found.sentence_list.table.equals(here.sentence_list.table)
    # A second run joins nothing again, and one of other texts is refused.
    made = {path: path.stat().st_mtime_ns for path in (tmp_path / "w" / "joins").rglob("*.parquet")}
    assert len(made) > 3
    again = lw.link(LEFT, right, engine="duckdb", threads=2, work=str(tmp_path / "w"), **named)
    assert list(again.rows()) == list(here.rows())
    assert made == {path: path.stat().st_mtime_ns for path in made}
    with pytest.raises(StorageError, match="other input or options"):
        lw.link(RIGHT, engine="duckdb", work=str(tmp_path / "w"), **named)
