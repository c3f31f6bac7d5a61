"""What can be found of a book: its parts under their titles, exercises and contents apart."""

import pytest

from likewise import Document, Index
from likewise.errors import OptionError
from likewise.jobs.collect import CollectOptions
from likewise.jobs.index_paths import index_paths
from likewise.read import ReadOptions, documents
from likewise.segment.parts import parts

BOOK = """---
title: Hormones
---

# The Endocrine System

## The Pituitary Gland

It hangs below the hypothalamus and makes hormones that rule the other glands, such as growth hormone.

Its front part makes six of them.

## Review Questions

1. What does the pituitary gland do?

2. The pituitary gland

## The Thyroid

### Form

Two lobes lie beside the windpipe; each is fed by two arteries of its own.

## Appendix
"""


@pytest.fixture
def book(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / "book" / "hormones.md").write_text(BOOK)
    return tmp_path / "book"


def made(book, unit):
    return [part for document in documents(book, options=ReadOptions()) for part in parts(document, unit)]


def test_sections_hold_what_stands_under_one_title(book) -> None:
    found = made(book, "section")
    last = [part.heading.split(" › ")[-1] for part in found]
    assert last == ["The Pituitary Gland", "Review Questions", "Form", "The Endocrine System"]
    assert "six of them" in found[0].text
    assert found[0].heading == "Hormones › The Endocrine System › The Pituitary Gland"
    assert [part.fields["role"] for part in found] == ["body", "exercise", "body", "heading"]
    assert found[3].text == "Appendix"  # a title with nothing under it is all there is to find


@pytest.mark.parametrize("unit", ["section", "paragraph", "sentence", "line"])
def test_parts_are_spans_of_the_text_with_ids_of_their_own(book, unit) -> None:
    (document,) = documents(book)
    found = list(parts(document, unit))
    assert len({part.id for part in found}) == len(found)
    for part in found:
        assert document.text[part.fields["start"] :].startswith(part.text)
    words = " ".join(f"{part.heading} {part.text}" for part in found).split()
    assert {word.strip(".#") for word in document.text.split()} <= {word.strip(".#") for word in words}


@pytest.mark.parametrize("unit", ["section", "paragraph"])
def test_the_section_comes_before_the_question_about_it(book, tmp_path, unit) -> None:
    index = index_paths(book, tmp_path / "idx", options=CollectOptions(unit=unit))
    best = index.search("what does the pituitary gland do")[0]
    assert best.heading.endswith("The Pituitary Gland")  # the words are in the title above it
    assert best.score == pytest.approx(index.measure.score(best.reading, f"{best.heading}.\n{best.text}"))
    assert best.explain().total == pytest.approx(best.score)
    roles = {hit.fields["role"] for hit in index.search("pituitary gland", top=9)}
    assert roles == {"body"}
    asked = index.search("pituitary gland", top=9, leave_out=("none",))
    assert {hit.fields["role"] for hit in asked} == {"body", "exercise"}
    assert {hit.fields["role"] for hit in index.search("pituitary role:exercise", top=9)} == {"exercise"}
    assert {hit.fields["role"] for hit in index.search("pituitary", filters={"role": "exercise"})} == {"exercise"}
    assert [hit.text[:8] for hit in index.search('"pituitary gland" "growth hormone"')] == ["It hangs"]
    with pytest.raises(OptionError, match="leave_out must be one of"):
        index.search("gland", leave_out=("riddle",))


def test_titles_stay_with_their_texts_through_a_life_of_changes(book, tmp_path) -> None:
    index = index_paths(book, tmp_path / "idx", options=CollectOptions(unit="paragraph"))
    before = index.search("pituitary thyroid", top=9)
    index.add([Document("other", "A thyroid.")])
    index.remove(["other"])
    index.compact()
    index.refit()
    again = Index.open(tmp_path / "idx").search("pituitary thyroid", top=9)
    assert (again.ids, again.scores.tolist()) == (before.ids, before.scores.tolist())
    assert [hit.heading for hit in again] == [hit.heading for hit in before]


@pytest.mark.parametrize("title", ["Questions", "Problems", "Common problems", "3.1 Questions"])
def test_a_title_alone_makes_no_exercise(tmp_path, title) -> None:
    answers = (
        "**Does it send my texts anywhere?** No. It never uses the network.\n\nThe disk may be full; delete files."
    )
    (tmp_path / "faq.md").write_text(f"# {title}\n\n{answers}\n")
    (document,) = documents(tmp_path)
    assert {part.fields["role"] for part in parts(document, "paragraph")} == {"body"}


@pytest.mark.parametrize("title", ["Questions", "12 Problems", "Review questions", "Practice problems"])
def test_questions_without_answers_are_exercises(tmp_path, title) -> None:
    (tmp_path / "a.md").write_text(
        f"# {title}\n\n1. Why is soup hot?\n\n2. A pot holds 3 l. Find the mass of the soup.\n"
    )
    (document,) = documents(tmp_path)
    assert {part.fields["role"] for part in parts(document, "paragraph")} == {"exercise"}


def test_a_search_that_finds_only_what_is_left_out_says_so(tmp_path) -> None:
    (tmp_path / "a.md").write_text("# Soup\n\nSoup is boiled from bones.\n\n# Exercises\n\nWhat is consommé?\n")
    index = index_paths(tmp_path / "a.md", tmp_path / "idx", options=CollectOptions(unit="paragraph"))
    assert index.search("consommé").left_out == ("exercise",)
    assert "role:exercise" in index.search("consommé").notes[0]
    assert index.search("granite").notes == ()
    assert index.search("bones").left_out == ()
