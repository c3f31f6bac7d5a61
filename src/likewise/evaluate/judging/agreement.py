"""Shares with their confidence, and how far two judges agree."""

import math
from collections import Counter
from collections.abc import Mapping


def wilson(hits: int, of: int, z: float = 1.959964) -> tuple[float, float]:
    """Return Wilson's 95 % confidence interval of a share.

    >>> [round(x, 3) for x in wilson(18, 20)]
    [0.699, 0.972]
    """
    if not of:
        return 0.0, 1.0
    share = hits / of
    spread = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    middle, scale = share + z * z / (2 * of), 1 + z * z / of
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def kappa(a: Mapping[int, str], b: Mapping[int, str]) -> tuple[float | None, int]:
    """Return Cohen's kappa of two judges over the items that both judged, and their number.

    It is None where it is not defined: nothing judged in common, or both always said the same one thing.

    >>> kappa({1: "c", 2: "w", 3: "c", 4: "w"}, {1: "c", 2: "w", 3: "c", 4: "c"})
    (0.5, 4)
    """
    common = a.keys() & b.keys()
    count = len(common)
    if not count:
        return None, 0
    agreed = sum(a[item] == b[item] for item in common) / count
    first, second = Counter(a[item] for item in common), Counter(b[item] for item in common)
    chance = sum(first[verdict] * second[verdict] for verdict in first) / count**2
    return (None if chance == 1 else (agreed - chance) / (1 - chance)), count
