"""Passages and sentences: kinds, title paths, hard sentence ends, and spans that slice to what they say."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.read import Block, Document, Span
from likewise.read.content import Content
from likewise.read.html import read_html
from likewise.read.markdown import read_markdown
from likewise.read.options import ReadOptions
from likewise.segment import KINDS, passages, sentences
from likewise.segment.layout import layout_blocks
from likewise.segment.pointers import only_points


@pytest.mark.parametrize(
    "pieces",
    [
        ["Dr. Smith paid $3.50 to Mr. J. R. Jones.", "He left."],
        ["See Fig. 3.2 for details.", "It is clear."],
        ["The U.S. Army came.", "It won at 3.14 p.m. on Jan. 5.", "Then it left."],
        ['He said "Go. Now." and left.', "Then (see Sec. 4.) he came."],
        ["J. S. Bach wrote it, e.g. the fugue, i.e. music, etc.", "It is good."],
        ["v1.2.3 is out.", "Use foo.bar() now.", "Really?!", "Yes."],
        ["For the example of Fig. 5 vs. No. 7, pp. 3-4, cf. Knuth et al. (1990).", "New sentence."],
        ["Approx. 5 km away.", "Gen. Lee and Lt. Col. Fox met."],
        ["“Quoted sentence one. Two.”", "Next."],
        ["1. First thing.", "2. Second thing."],
        ["no end at all"],
        ["George W. Bush met I. Newton.", "So did I.", "We left."],
    ],
)
def test_hard_sentence_ends(pieces):
    text = " ".join(pieces)
    assert [span.of(text) for span in sentences(text)] == pieces


@given(st.text(alphabet=st.sampled_from(list("aB .!?\n1,\"'()…é😀\u2028\t")), max_size=80))
def test_sentence_spans_leave_out_white_space_only(text):
    end = 0
    for span in sentences(text):
        assert span.of(text) == span.of(text).strip() != ""
        assert not text[end : span.start].strip()
        end = span.end
    assert not text[end:].strip()


BOOK = """\
CHAPTER I. SOUPS

A soup is hot. It is
eaten with a spoon.

Clear Soups
===========

Pour it:

    pour(soup);
    stir(soup)

* salt
* pepper, which
  is black

    a = b^2 + c^2

name    price   size
salt    1.00    big
pepper  2.00    small

Exercise 3. Cook a soup.

Exercises
=========

What is a soup?
"""


def test_a_plain_book():
    document = Document("soup", BOOK)
    found = [(p.kind, p.span.of(BOOK).split("\n")[0], p.titles[-1:]) for p in passages(document)]
    clear = ("Clear Soups",)
    assert found == [
        ("title", "CHAPTER I. SOUPS", ()),
        ("paragraph", "A soup is hot. It is", ("CHAPTER I. SOUPS",)),
        ("title", "Clear Soups", ("CHAPTER I. SOUPS",)),
        ("paragraph", "Pour it:", clear),
        ("code", "pour(soup);", clear),
        ("item", "salt", clear),
        ("item", "pepper, which", clear),
        ("formula", "a = b^2 + c^2", clear),
        ("table", "name    price   size", clear),
        ("exercise", "Exercise 3. Cook a soup.", clear),
        ("title", "Exercises", ("CHAPTER I. SOUPS",)),
        ("exercise", "What is a soup?", ("Exercises",)),
    ]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("soup\nbroth\n\n   A hot dish.", ["title", "paragraph"]),
        ("A hot dish.\n\nWith bones.", ["paragraph", "paragraph"]),
        ("soup", ["paragraph"]),
        ("* soup\n* broth\n\nBoth are hot.", ["item", "item", "paragraph"]),
        ("x = soup()\n\nThat was code.", ["paragraph", "paragraph"]),
    ],
)
def test_first_lines_that_are_short_and_bare_are_the_title(text, kinds):
    assert [passage.kind for passage in passages(Document("a", text))] == kinds


def test_title_path_of_markdown():
    page = read_markdown("# A\n\n## B\n\nx\n\n### C\n\ny\n\n## D\n\nz\n")
    found = passages(Document("a", page.text, blocks=page.blocks))
    assert [p.titles for p in found if p.kind == "paragraph"] == [("A", "B"), ("A", "B", "C"), ("A", "D")]


def test_lines_are_paragraphs_in_wiki_text():
    text = "Soup\n\nSoup is hot. It is good.\nHistory and origin.\nIt was old.\n"
    document = Document("a", text, layout="lines")
    assert [(p.kind, len(p.sentences)) for p in passages(document)] == [
        ("title", 1),
        ("paragraph", 2),
        ("title", 1),
        ("paragraph", 1),
    ]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "x", "word " * 200_000, "no sentence end\n" * 1000, "=====\n=====\n====="]
)
def test_odd_texts(text):
    found = passages(Document("a", text))
    assert "".join("".join(p.span.of(text).split()) for p in found) == "".join(text.split())[: 10**7] or "=" in text


PIECES = [
    *"aB.!?1,\"'(=*-|\t",
    " ",
    "\n",
    "\n\n",
    "    ",
    "===",
    "Chapter 1",
    "1.2 Title",
    "* ",
    "é😀",
    "# ",
    "<p>",
    "<li>",
]


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=60).map("".join))
def test_spans_are_in_order_and_sentences_lie_inside(source):
    options = ReadOptions()
    for page in (Content(source), read_markdown(source), read_html(f"<body>{source}", options)):
        text = page.text
        end = 0
        for passage in passages(Document("a", text, blocks=page.blocks)):
            assert passage.kind in KINDS
            assert passage.span.start >= end
            assert passage.span.of(text) == passage.span.of(text).strip("\n") != ""
            end = passage.span.end
            inner = passage.span.start
            for sentence in passage.sentences:
                assert inner <= sentence.start < sentence.end <= end
                inner = sentence.end


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("For assistance with entering transactions, see Chapter 6 of the manual and Section 2.9.", True),
        ("More information is available at http://www.example.org/articles/162.", True),
        ("You might also want to read the Snort statistics HOWTO.", True),
        ("Keys are described in apt-key(8).", True),
        ("Quellen beziehen (siehe Abschnitt 8.35, „Quellen“)", True),
        ("Weitere Optionen, siehe Kapitel 5.", True),
        ("Voir aussi le chapitre 3.", True),
        ("Die Suppe wird lange gekocht (siehe Abschnitt 3).", False),
        ("Section 9.7, “Selling shares”", True),
        ("This chapter will show you how to manage your credit cards.", True),
        ("The main window should look something like this:", True),
        ("Keys are kept in a ring (see Section 7), which only the owner may read.", False),
        ("This chapter is about cards. A card is a small loan that is paid back every month.", False),
        ("He that is slow to anger is better than the mighty:", False),
        ("You can see the moon through a window of the cabin.", False),
    ],
)
def test_passages_that_only_point(text, points):
    found = passages(Document("a", f"1 Soup\n\n{text}"))[1]
    assert (found.kind, found.role) == ("paragraph", "pointer" if points else "body")


@pytest.mark.parametrize(
    ("title", "text", "role"),
    [
        ("Appendix A. Changelog/History", "Revision 2-91 January 2003 by Ann and Bob.", "front"),
        ("1.1. Authors", "The maintainer of this document is Ann.", "front"),
        ("Soup", "<< previous | up | next >>", "navigation"),
        ("Soup", "Next comes the soup.", "body"),
        ("See also", "soup(1), stock(8)", "pointer"),
        ("History", "Soup was first boiled in a pot of clay.", "body"),
        ("Revision history", "Second edition, by Ann.", "front"),
        ("Notes", "Soup keeps for a week in a cold place.", "body"),
        ("Notes", "12. Brown says so, too.", "footnote"),
        ("Endnotes", "Brown says so, too.", "footnote"),
        ("Contents", "Soup and stock", "contents"),
        ("Contents", " ".join(["What is in a tin of soup is told by law on the tin itself."] * 4), "body"),
        ("Sources", " ".join(["The sources of apt are lines of a file that names servers."] * 4), "body"),
        ("Sources", "Brown, A. (1999). Soup. London.", "bibliography"),
        ("Suppen", "Abbildung 3.1: Ein Topf.", "caption"),
        ("Suppen", "Abbildung 3.1 zeigt einen Topf auf dem Feuer.", "body"),
        ("Suppen", "[Koch-Buch] Ann Koch: Suppen, Küchenheft, https://example.org/suppen", "bibliography"),
        ("Suppen", "[Option] setzt den Wert, mehr nicht.", "body"),
        ("A history of soup", "It was first boiled in a pot of clay.", "body"),
        ("Soup", "Copyright © 2017 the cooks of this book.", "front"),
        ("Soup", "This image shows the bowl after the second serving.", "caption"),
        ("Soup", "The image of soup has suffered since it comes from tins.", "body"),
    ],
)
def test_what_is_told_by_title_and_beginning(title, text, role):
    blocks = (
        Block("title", Span(0, len(title)), 1),
        Block("paragraph", Span(len(title) + 2, len(title) + 2 + len(text))),
    )
    found = passages(Document("a", f"{title}\n\n{text}", blocks=blocks))
    assert found[1].role == role


def test_numbered_lines_that_stand_alone_are_titles():
    lines = ["Installation", "3.1 Requirements", "It needs a shell.", "3.2.1 From source", "3.5 litres are enough."]
    lines.append("3.2 Soup: 4.5 of 10")
    places = [(sum(len(line) + 1 for line in lines[:n]), len(line)) for n, line in enumerate(lines)]
    blocks = tuple(Block("paragraph" if start else "title", Span(start, start + size), 1) for start, size in places)
    found = passages(Document("a", "\n".join(lines), blocks=blocks))
    assert [(one.kind, one.level, len(one.titles)) for one in found] == [
        ("title", 1, 0),
        ("title", 2, 1),
        ("paragraph", 0, 2),
        ("title", 3, 2),
        ("paragraph", 0, 3),
        ("paragraph", 0, 3),
    ]


def test_one_word_of_many_thousand_letters_is_no_pointer():
    # The patterns for pointers look at each piece of a word: without an end it took a minute.
    assert only_points(["See https://example.org/" + "a" * 1_000])
    assert not only_points(["See https://example.org/" + "a" * 4_000])
    assert not only_points(["See section 1." + "1." * 200_000])


def test_a_line_around_listings_underlines_nothing():
    text = """Manual
------

Get it, then look:

---------------------
$ git clone soup
$ cd soup

$ git log
---------------------

Once more.
---------------------
$ git status
---------------------

---------------------
$ git fetch --all -vv
---------------------

Salt and pepper
---------------

Add both.
"""
    titles = [block.span.of(text) for block in layout_blocks(text) if block.kind == "title"]
    assert titles == ["Manual", "Salt and pepper"]
    wide = "Salt\n--------------------\n\nAdd it.\n\nPepper\n--------------------\n\nAdd it, too."
    assert [block.span.of(wide) for block in layout_blocks(wide) if block.kind == "title"] == ["Salt", "Pepper"]


CHANGE_LOGS = [
    "soup (1.2-3) unstable; urgency=medium\n\n  * It is hot.\n\n -- Ann <a@e.org>  Mon, 05 Jan 2026 10:00:00 +0000\n\n"
    "soup (1.2-2~rc1) bookworm-security; urgency=high, binary-only=yes\n\n  * It is CVE-2026-1.\n",
    "2026-01-05  Ann Bee  <a@e.org>\n\n\t* soup.c (boil): It is hot.\n\n"
    "2026-01-04  Ann Bee  <a@e.org>\n\t* pot.c: It is CVE-2026-1.\n",
    "Version 1.3 (5 Jan 2026)\n\n  - It is hot.\n\nVersion 1.2: Jan 4 2026\n  - It is CVE-2026-1.\n",
    "v1.3 / 2026-01-05\n* It is hot.\n\nv1.2 / 2026-01-04\n* It is CVE-2026-1.\n",
]


@pytest.mark.parametrize("text", CHANGE_LOGS)
def test_a_change_stands_under_its_release(text):
    releases = [" ".join(line.split()) for line in text.split("\n") if line[:1].isalnum()]
    found = [one for one in passages(Document("changelog", text)) if one.kind != "title"]
    for words, release in zip(("hot", "CVE"), releases, strict=True):
        assert [one.titles for one in found if words in one.span.of(text)] == [(release,)]


def test_a_sentence_with_a_version_and_a_year_is_no_release():
    text = "Soup 1.2 was made in 2026\nand is hot.\n\nIt is good."
    assert [passage.kind for passage in passages(Document("a", text))] == ["paragraph", "paragraph"]


def test_sayings_of_a_file_of_fortunes_are_apart():
    """A line of nothing but a per cent sign parts them; elsewhere it is a line like others."""
    text = "A complex system works.\n%\nHappiness is a hard disk.\nIt is warm.\n\t\t-- Anon\n%\n100 % of it\n"
    assert [block.span.of(text) for block in layout_blocks(text)] == [
        "A complex system works.",
        "Happiness is a hard disk.\nIt is warm.\n\t\t-- Anon",
        "100 % of it",
    ]
    plain = "Half of it, in\n% of all.\nSo it is."
    assert [block.span.of(plain) for block in layout_blocks(plain)] == [plain]
