"""Records that are close in several measured fields at once, such as a similar amount on a similar day.

Fields propose their nearest; of these the most surprising are taken. A nearness surprises by how few records are as
near, and the surprises of all fields add up.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from likewise import _core
from likewise.records.distinct import ascending

Rows = NDArray[np.int64]
Values = NDArray[np.float64]
_WINDOW = 60  # nearest records that each field proposes
_CHUNK = 4096  # left records that are looked at together


def nearest_together(
    fields: Sequence[tuple[Values, Values]], proposing: Sequence[bool], count: int
) -> tuple[Rows, Rows]:
    """Return for each left record the ``count`` right records that are nearest by all fields (NaN: no value).

    Some of the fields are ``proposing``.

    >>> amount = (np.array([10.0, 20.0]), np.array([10.1, 10.2, 20.0]))
    >>> day = (np.array([1.0, 5.0]), np.array([9.0, 1.0, 5.0]))
    >>> nearest_together([amount, day], [True, False], 1)[1].tolist()
    [1, 2]
    """
    size = len(fields[0][1])
    orders = [_present(right) for _, right in fields]
    found: list[tuple[Rows, Rows]] = []
    for start in range(0, len(fields[0][0]), _CHUNK):
        stop = min(start + _CHUNK, len(fields[0][0]))
        keys = [
            _window(left[start:stop], right, order)
            for (left, right), order, proposes in zip(fields, orders, proposing, strict=True)
            if proposes
        ]
        pairs = ascending(np.concatenate([rows * size + others for rows, others in keys]))
        left_at, right_at = pairs // size, pairs % size
        surprise = np.zeros(len(pairs))
        for (left, right), order in zip(fields, orders, strict=True):
            surprise += _surprise(left[start:stop][left_at], right[right_at], right[order])
        chosen = np.flatnonzero(_core.ranks(left_at, surprise, stop - start, count) < count)
        found.append((left_at[chosen] + start, right_at[chosen]))
    left_rows, right_rows = (np.concatenate(side) for side in zip(*found, strict=True))
    return left_rows, right_rows


def _present(values: Values) -> Rows:
    """Return the places of the values that are not NaN, from the lowest to the highest."""
    order = np.argsort(values, kind="stable")
    return order[~np.isnan(values[order])]


def _window(left: Values, right: Values, order: Rows) -> tuple[Rows, Rows]:
    asked = np.flatnonzero(~np.isnan(left))
    if not len(order) or not len(asked):
        return order[:0], order[:0]
    at = np.searchsorted(right[order], left[asked])
    places = np.clip(at[:, None] + np.arange(-_WINDOW // 2, _WINDOW // 2), 0, len(order) - 1)
    return np.repeat(asked, places.shape[1]), order[places.ravel()]


def _surprise(a: Values, b: Values, values: Values) -> Values:
    """Return minus the logarithm of the share of values that are as near to ``a`` as ``b`` is; 0 where one is none."""
    apart = np.abs(a - b)
    known = ~np.isnan(apart)
    found = np.zeros(len(a))
    low, high = a[known] - apart[known], a[known] + apart[known]
    near = np.searchsorted(values, high, "right") - np.searchsorted(values, low, "left")
    found[known] = -np.log(np.maximum(near, 1) / max(1, len(values)))
    return found
