import pytest
from tests.fuzz import flips


@pytest.mark.parametrize("kind", flips.KINDS)
def test_a_turned_bit_is_refused_or_harmless(tmp_path, kind):
    """Here a sample; `make flips` turns a bit of every byte."""
    seen, wrong = flips.flip(kind, tmp_path, step=397 if kind == "study.judge" else 149)
    assert wrong == []
    assert seen["refused"] > 2
