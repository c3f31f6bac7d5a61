"""Decisions of an editor about links: a small JSON file of accepted and rejected ones, which the next run respects."""

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from likewise.errors import FormatError
from likewise.results.copies.pointers import anchors_of
from likewise.seals import parse_json

if TYPE_CHECKING:
    from likewise.results.linked_book import LinkedBook

VERDICTS = ("accept", "reject")
T = TypeVar("T", bound="LinkedBook")


def keys_of(links: "LinkedBook") -> list[str]:
    """Return the name of each link in decisions: made of the words of its passages, so that it outlives other edits."""
    used = sorted({end for link in links.links for end in (link.left, link.right)})
    anchors = anchors_of(links, used)
    return [" ".join(sorted((anchors[link.left], anchors[link.right]))) for link in links.links]


def read_decisions(path: str | os.PathLike[str]) -> dict[str, str]:
    """Return verdicts by link, as the book saves them."""
    try:
        found = parse_json(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FormatError(f"cannot read decisions from {os.fspath(path)}: {error}") from error
    if not isinstance(found, dict) or not all(said in VERDICTS for said in found.values()):  # what the book saves
        raise FormatError(
            f"{os.fspath(path)} holds no decisions: a JSON object of links with accept or reject is wanted"
        )
    return found


def decided(links: T, decisions: dict[str, str]) -> T:
    """Return the links without those that were rejected, numbered anew."""
    kept = [link for link, key in zip(links.links, keys_of(links), strict=True) if decisions.get(key) != "reject"]
    return replace(links, links=tuple(replace(link, rank=rank) for rank, link in enumerate(kept, start=1)))
