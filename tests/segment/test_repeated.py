"""Texts of one piece over and over are cut in time that grows with their length.

Nothing here looks at a clock: by the square of their length these would run into the limit of a test.
"""

import pytest
import sentencex

from likewise.read import documents
from likewise.read.document import LONGEST_TITLE, Document
from likewise.segment import passages, sentences
from likewise.segment.parts import parts

SIZE = 1_000_000
# What stands before, and what is repeated.
CASES = [
    ("a\n", "|a"),
    ("a\n", "+ "),
    ("a\n", "a("),
    ("a\n", "\x0c"),
    ("a\n", ";"),
    ("a\n", "=  "),
    ("a\n", "a.."),
    ("", "1. a "),
    ("", "[1] "),
    ("Questions\n\n", "?"),
    ("Questions\n\n", ". ("),
]


@pytest.mark.parametrize(("before", "piece"), CASES)
def test_a_text_of_one_piece(before, piece):
    text = before + piece * (SIZE // len(piece)) + "a\n\nA soup is hot."
    assert passages(Document("a.txt", text))[-1].span.of(text) == "A soup is hot."


@pytest.mark.parametrize(
    "piece", ["“", "中。", "‘A. ", "a ", "a", "? ‹", " ", "A soup is hot. It is eaten with a spoon. "]
)
def test_no_more_than_a_window_of_a_long_text_is_seen_at_once(monkeypatch, piece):
    seen, segment = [], sentencex.segment
    monkeypatch.setattr(sentencex, "segment", lambda language, text: seen.append(len(text)) or segment(language, text))
    text = piece * (40_000 // len(piece))
    found = sentences(text)
    assert max(seen) <= 10_000
    assert sum(seen) <= 2 * len(text)
    assert "".join("".join(span.of(text) for span in found).split()) == "".join(text.split())


@pytest.mark.parametrize(
    "pieces",
    [
        ["A soup is hot.", "It is eaten with a spoon by Dr. J. Jones, e.g. in 1947, they say.", "“Is it?” she asked."]
        * 500,
        ["A soup is hot.", "It is " + "hot and " * 5000 + "good.", "Then it is eaten."],
        ["A " + "b" * 30_000 + " ends.", "Then it is eaten."],
    ],
)
def test_sentences_over_the_edge_of_a_window_are_whole(pieces):
    text = " ".join(pieces)
    assert [span.of(text) for span in sentences(text)] == pieces


@pytest.mark.parametrize(
    ("name", "before"), [("a.md", "# A {}\n\n"), ("a.html", "<title>A {}</title><p>"), ("a.rst", "A {}\n====\n\n")]
)
def test_no_part_repeats_a_title_of_many_thousand_letters(tmp_path, name, before):
    paragraphs = [f"Soup {n} is hot." for n in range(20)]
    (tmp_path / name).write_text(
        before.format("soup " * 20_000) + ("<p>" if "<" in before else "\n\n").join(paragraphs)
    )
    found = list(parts(next(iter(documents(tmp_path))), "paragraph"))
    assert [part.text for part in found[-20:]] == paragraphs
    for part in found[-20:]:
        assert part.heading.startswith("A soup soup") or name == "a.rst"  # a rule shorter than its title makes none
        assert max(map(len, (part.heading, *map(str, part.fields.values())))) <= 2 * LONGEST_TITLE + len(" › ")
