"""Kernels of Likewise; signatures of the compiled module, sorted by section."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

# join

class JoinIndex:
    """The inverted lists of a right side, kept between joins."""

    @staticmethod
    def build(scorer: Any, bound: Any | None, owner: object, threads: int) -> JoinIndex: ...

def join(
    scorer: Any,
    bound: Any | None,
    index: JoinIndex | None,
    mode: str,
    count: int,
    min_score: float,
    self_join: bool,
    symmetric: bool | None,
    threads: int,
    progress: Callable[[int, int], object] | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], dict[str, int]]: ...
def join_sizes(scorer: Any) -> tuple[int, int]: ...
