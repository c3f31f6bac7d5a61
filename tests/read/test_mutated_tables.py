"""Tables and frames as accidents make them end in a result or in words; ``tests/read/mutated_tables.py`` tries more."""

import pytest
from tests.read.mutated_tables import attempt


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", range(0, 120, 30))
def test_no_traceback(tmp_path, first):
    assert not "\n".join(filter(None, (attempt(seed, tmp_path) for seed in range(first, first + 30))))
