"""Products of matrices whose bits do not depend on how many threads the machine gives to BLAS."""

import numpy as np
from numpy.typing import NDArray

Values = NDArray[np.float64]
# So many products, and so many sums of them, BLAS makes in one thread (OpenBLAS: fewer than 9,216 and 262,144).
_SINGLE, _SINGLE_SUMS = 8192, 200_000


def times(rows: Values, vector: Values) -> Values:
    """Return ``rows @ vector``.

    >>> times(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([10.0, 1.0])).tolist()
    [12.0, 34.0]
    """
    product: Values = np.einsum("ij,j->i", rows, vector)
    return product


def crossed(rows: Values, weight: Values) -> Values:
    """Return ``rows.T @ (rows * weight)``, a weight for each row: the sum of blocks, each small enough for one thread.

    >>> crossed(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 0.5])).tolist()
    [[5.5, 8.0], [8.0, 12.0]]
    """
    width = max(rows.shape[1], 1)
    block = max(1, min(_SINGLE // width, _SINGLE_SUMS // width**2))
    whole = len(rows) // block * block
    weighted = rows * weight[:, None]
    left, right = (part[:whole].reshape(-1, block, rows.shape[1]) for part in (rows, weighted))
    total: Values = np.matmul(left.transpose(0, 2, 1), right).sum(axis=0) + rows[whole:].T @ weighted[whole:]
    return total
