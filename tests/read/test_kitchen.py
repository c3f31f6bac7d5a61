"""A page of each markup with everything in it: each part is what it is, in its order, with its level and its words.

What is expected was read against the page by eye; ``kitchen/EXPECTED.txt`` has a line for each part.
"""

from pathlib import Path

import pytest

from likewise.read import documents

KITCHEN = Path(__file__).resolve().parent / "kitchen"
PAGES = sorted(path.name for path in KITCHEN.glob("page.*"))


def told(path):
    (document,) = documents([path])
    lines = [f"{path.name}: {document.title!r}"]
    for block in document.blocks:
        lines.append(f"{block.kind} {block.level} {block.role} {block.span.of(document.text)!r}")
        lines += [f"    {mark.kind} {mark.span.of(document.text)!r} {mark.target!r}" for mark in block.marks]
    return "\n".join(lines)


@pytest.mark.parametrize("name", PAGES)
def test_all_parts_of_a_page(name):
    expected = (KITCHEN / "EXPECTED.txt").read_text(encoding="utf-8").split("\n\n")
    assert told(KITCHEN / name) in [part.strip("\n") for part in expected]


def test_parts_of_markdown_lie_where_their_source_does():
    (document,) = documents([KITCHEN / "page.md"])
    source = (KITCHEN / "page.md").read_text(encoding="utf-8")
    words = [block.origin.of(source) for block in document.blocks]
    assert words[:4] == [
        "# The *kitchen*",
        "First paragraph with **bold**, `code`, a [link](http://e.org) and ![picture](pot.png)\non two lines.[^1]",
        "Stoves\n======",
        "Gas\n---",
    ]
    assert words[10] == "Quoted words\n> go on.", "the sign before it is markup"
    assert words[-1] == "#### Last ####"
    for block, before, after in zip(document.blocks, document.blocks, document.blocks[1:], strict=False):
        assert block.span.end < after.span.start
        assert before.origin.start <= after.origin.start
