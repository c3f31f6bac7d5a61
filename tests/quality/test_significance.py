import numpy as np
import pytest

from likewise.errors import InputError, OptionError
from likewise.quality.significance import bootstrap, bootstrap_figure, paired


def test_interval_holds_the_mean_and_narrows():
    random = np.random.default_rng(0)
    few, many = random.random(30), random.random(3000)
    wide, narrow = bootstrap(few), bootstrap(many, rounds=2000)
    assert wide.low < wide.value < wide.high
    assert narrow.high - narrow.low < wide.high - wide.low
    assert bootstrap(few) == bootstrap(few, seed=0)
    assert bootstrap(few) != bootstrap(few, seed=1)


def test_interval_agrees_with_the_normal_one():
    values = np.random.default_rng(2).normal(size=2000)
    interval = bootstrap(values, rounds=4000)
    half = 1.96 * values.std() / np.sqrt(values.size)
    assert interval.low == pytest.approx(values.mean() - half, abs=0.006)
    assert interval.high == pytest.approx(values.mean() + half, abs=0.006)


def test_paired_p_value_is_exact_on_a_small_case():
    # Five equal gains: of the 32 sign patterns only two are as extreme, so p = 2/32.
    assert paired([0] * 5, [1] * 5, rounds=40_000).p_value == pytest.approx(2 / 32, abs=0.005)


def test_paired_finds_nothing_where_there_is_nothing():
    random = np.random.default_rng(3)
    a = random.random(200)
    result = paired(a, a + random.normal(scale=0.1, size=200))
    assert result.low < result.difference < result.high
    assert paired(a, a).p_value == 1.0


def test_any_figure():
    values = np.random.default_rng(0).random(50)
    interval = bootstrap_figure(lambda places: float(np.median(values[places])), 50, rounds=300)
    assert interval.low <= interval.value <= interval.high


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: bootstrap([]), InputError),
        (lambda: bootstrap([float("nan")]), InputError),
        (lambda: bootstrap([1.0], confidence=2), OptionError),
        (lambda: paired([1.0], [1.0, 2.0]), InputError),
    ],
)
def test_bad_input(call, error):
    with pytest.raises(error):
        call()
