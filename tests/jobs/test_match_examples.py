"""The examples of match and dedupe do what they say."""

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("match_companies", ["c1 = 2", "c2 = 3", "c4 = 1"]),
        ("dedupe_people", ["threshold", "* Ada Lovelace", "Noether, Emmy"]),
    ],
)
def test_example(name, expected, capsys):
    runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
    shown = capsys.readouterr().out
    for part in expected:
        assert part in shown
