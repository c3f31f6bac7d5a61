"""Numbers of the terms of all texts, from blocks that have vocabularies of their own, and never all words in memory.

A block says of each of its terms 128 bits that stand for it. One part of all bits after the other is sorted, which
brings together what is the same term: where it came first (block, and number there) and how many texts have it. A term
that only one text has joins nothing: it counts for the length of that text and needs no number. The others are numbered
in the order in which they came, which is that of one machine, so that sums over terms round alike.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.index.container import map_arrays

_SORTED = 96  # bytes that a term of a block takes while a part is sorted
_ONE = 32  # bits that number the terms of a block


@dataclass(frozen=True, slots=True)
class Numbered:
    """The terms that several texts have, in the order in which they came."""

    firsts: NDArray[np.int64]
    """Where each came first: its block, and its number there in the lower 32 bits."""
    texts: NDArray[np.uint32]
    """How many texts have it."""


def hashed(words: Sequence[bytes]) -> dict[str, NDArray[Any]]:
    """Return the bits of a block's terms, sorted, with the number that each has there."""
    digests = b"".join([hashlib.blake2b(word, digest_size=16).digest() for word in words])
    high, low = np.frombuffer(digests, np.uint64).reshape(-1, 2).T
    order = np.lexsort((low, high)).astype(np.int32)
    return {"high": high[order], "low": low[order], "order": order}


def number(paths: Sequence[Path], kept: Path, memory: int) -> Numbered:
    """Number the terms of blocks, as many at a time as ``memory`` sorts.

    ``kept`` has of each term of each block, in the order of its bits, where it came first.
    """
    sizes = [len(map_arrays(path)["order"]) for path in paths]
    begins = np.cumsum([0, *sizes])
    several = max(1, -(-int(begins[-1]) * _SORTED // max(memory, 1)))
    firsts, texts = [np.zeros(0, np.int64)], [np.zeros(0, np.uint32)]
    with open(kept, "wb") as file:
        file.truncate(int(begins[-1]) * 8)
        for part in range(several):
            bounds = part * (1 << 64) // several, (part + 1) * (1 << 64) // several
            pieces = [_piece(path, block, *bounds) for block, path in enumerate(paths)]
            first, places, seen = _together(
                *(np.concatenate(one) for one in zip(*(one[1:] for one in pieces), strict=True))
            )
            at = 0
            for begin, (start, high, *_) in zip(begins.tolist(), pieces, strict=False):
                file.seek((begin + start) * 8)
                file.write(places[at : at + len(high)].tobytes())
                at += len(high)
            firsts.append(first[seen > 1])
            texts.append(np.minimum(seen[seen > 1], 2**32 - 1).astype(np.uint32))
    joined, counts = np.concatenate(firsts), np.concatenate(texts)
    del firsts, texts
    order = np.argsort(joined)
    return Numbered(joined[order], counts[order])


def _piece(path: Path, block: int, least: int, end: int) -> tuple[int, Any, Any, Any, Any]:
    """Return of the terms of a block whose bits are in a range where they begin, their bits, places and counts."""
    made = map_arrays(path)
    high = made["high"]
    start = int(np.searchsorted(high, np.uint64(least)))
    stop = len(high) if end == 1 << 64 else int(np.searchsorted(high, np.uint64(end)))
    own = made["order"][start:stop]
    places = own.astype(np.int64) | block << _ONE
    return start, high[start:stop].copy(), made["low"][start:stop].copy(), places, made["texts"][own]


def _together(
    high: NDArray[np.uint64], low: NDArray[np.uint64], places: NDArray[np.int64], texts: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return of distinct terms where they came first; the same of every term that was given; how many texts have each.

    >>> bits, one = np.array([5, 3, 5], np.uint64), np.array([1, 1, 1], np.uint64)
    >>> [found.tolist() for found in _together(bits, one, np.array([7, 8, 9]), np.array([1, 1, 2]))]
    [[8, 7], [7, 8, 7], [1, 3]]
    """
    order = np.argsort(high, kind="stable")
    opens = np.ones(len(order), bool)
    ordered = high[order]
    opens[1:] = ordered[1:] != ordered[:-1]
    if (low[order][1:] != low[order][:-1])[~opens[1:]].any():  # half of the bits are the same, of two terms
        order = np.lexsort((low, high))
        ordered, lower = high[order], low[order]
        opens[1:] = (ordered[1:] != ordered[:-1]) | (lower[1:] != lower[:-1])
    starts = np.flatnonzero(opens)
    first = places[order][starts]
    where = np.empty(len(order), np.int64)
    where[order] = np.repeat(first, np.diff(np.append(starts, len(order))))
    seen = np.add.reduceat(texts[order], starts) if len(starts) else np.zeros(0, np.int64)
    return first, where, seen


@dataclass(frozen=True, slots=True)
class Places:
    """Of the terms of one block, by their number there: their order among all terms, and their number."""

    ranks: NDArray[np.int32]
    """The order of the block's terms among all, from 0 on."""
    numbers: NDArray[np.int32]
    """By rank: the number; of a term that no other text has it is the number of terms that have one."""

    @classmethod
    def of(cls, kept: Path, begin: int, order: NDArray[np.int32], firsts: NDArray[np.int64]) -> "Places":
        """Read what :func:`number` kept of a block, whose terms begin at a place; ``firsts`` are of all numbers."""
        places = np.empty(len(order), np.int64)
        places[order] = np.fromfile(kept, np.int64, len(order), offset=begin * 8)
        ascending = np.argsort(places, kind="stable")
        ranks = np.empty(len(order), np.int32)
        ranks[ascending] = np.arange(len(order), dtype=np.int32)
        wanted = places[ascending]
        found = np.searchsorted(firsts, wanted)
        there = found < len(firsts)
        there[there] = firsts[found[there]] == wanted[there]
        return cls(ranks, np.where(there, found, len(firsts)).astype(np.int32))
