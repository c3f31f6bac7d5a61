"""Text and blocks of HTML and Markdown: what is kept, and that spans slice to it."""

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.read.depth import too_deep
from likewise.read.html import read_html
from likewise.read.markdown import read_markdown
from likewise.read.markup import read_page
from likewise.read.options import ReadOptions
from likewise.read.skipped import SkipError


def html_blocks(page, read):
    found = read(f"<body>{page}")
    return [(block.kind, block.span.of(found.text)) for block in found.blocks]


def by_resiliparse(page):
    return read_html(page, ReadOptions())


def by_python(page):
    """Read as the base install does, which has no other parser."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("resiliparse.extract.html2text", "resiliparse.parse.html"):
            patch.setitem(sys.modules, name, None)
        return read_html(page, ReadOptions())


READERS = pytest.mark.parametrize("read", [by_resiliparse, by_python])


@READERS
@pytest.mark.parametrize(
    ("page", "blocks"),
    [
        ("<h2>A  b</h2><p>C\n d", [("title", "A b"), ("paragraph", "C d")]),
        ("<ul><li>a<li>b</ul>c", [("item", "a"), ("item", "b"), ("paragraph", "c")]),
        ("<pre>x\n  y &lt; z</pre>", [("code", "x\n  y < z")]),
        ("<table><tr><th>a<th>b<tr><td>1<td>2</table>after", [("table", "a\tb\n1\t2"), ("paragraph", "after")]),
        ("<p>a<br>b</p>", [("paragraph", "a b")]),
        ("<div>a</div><div>b</div>", [("paragraph", "a"), ("paragraph", "b")]),
        ("<math display=block><mi>x</mi></math>", [("formula", "x")]),
        ("<p>&lt;script&gt;alert(1)&lt;/script&gt;", [("paragraph", "<script>alert(1)</script>")]),
        ("<p onclick='x()'>a <a href='javascript:x()'>b</a><script>c</script>", [("paragraph", "a b")]),
        ("<p>\ue000\ue001 private", [("paragraph", "private")]),
    ],
)
def test_html_blocks(page, blocks, read):
    assert html_blocks(page, read) == blocks


def test_a_page_with_a_head_by_python():
    page = by_python("<head><title>Hot\n soup</title><style>p {}</style><p>One<p>Two<ul><li>a<p>b<li>c</ul>")
    assert page.title == "Hot soup"
    assert page.text == "One\n\nTwo\n\na\n\nb\n\nc"


def test_thousands_of_open_elements_take_no_time_by_python():
    page = by_python("<p>one <ul>" + "<li>item" * 20_000 + "</ul>" + "<p>x" * 20_000)
    assert len(page.blocks) == 40_001


@pytest.mark.parametrize(
    ("source", "blocks"),
    [
        ("# A #\n\nb\nc", [("title", "A"), ("paragraph", "b c")]),
        ("A\n===\nB\n---\n", [("title", "A"), ("title", "B")]),
        ("```rust\nlet a;\n```\ntext", [("code", "let a;"), ("paragraph", "text")]),
        (
            "* a\n* b\n  more\n\n  second\n\ntext",
            [("item", "a"), ("item", "b more"), ("item", "second"), ("paragraph", "text")],
        ),
        ("1. a\n2. b", [("item", "a"), ("item", "b")]),
        ("| a | b |\n|---|---|\n| 1 | 2 |\n\nx", [("table", "a\tb\n1\t2"), ("paragraph", "x")]),
        ("$$\nx^2\n$$\ny", [("formula", "x^2"), ("paragraph", "y")]),
        ("> q\n> r\n\nx", [("quote", "q r"), ("paragraph", "x")]),
        ("---\ntitle: x\n---\ntext", [("paragraph", "text")]),
        ("a\n\n<!-- no\n\nno -->\n\nb", [("paragraph", "a"), ("paragraph", "b")]),
        ("[a]: http://x\n\nsee [b][a] and [a]", [("paragraph", "see b and a")]),
        ("{{#include x.rs}}\n\na", [("paragraph", "a")]),
        ("a\n***\nb", [("paragraph", "a"), ("paragraph", "b")]),
    ],
)
def test_markdown_blocks(source, blocks):
    found = read_markdown(source)
    assert [(block.kind, block.span.of(found.text)) for block in found.blocks] == blocks


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("**a** and _b_ and ***c***", "a and b and c"),
        ("`a*b*c` \\* x", "a*b*c * x"),
        ("[a](u_(v)) <https://x.org> <b>c</b>", "a https://x.org c"),
        ("x &amp; y[^1]", "x & y"),
        ("in _src/front_of_house.rs_ or my__init__.py", "in src/front_of_house.rs or my__init__.py"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("an array a[0] and [not a link]", "an array a[0] and [not a link]"),
        (r"\*x\* and \_\_\_\_", "*x* and ____"),
        (r"see [\[link\]](#f), [x](<a b>), [a [b] c](u)", "see [link], x, a [b] c"),
        ("*μ*m and ~~gone~~ here", "μm and gone here"),
        ("## Soup {#soup .clear}", "Soup"),
        ("Clear.\n{: #fig .big}\n\nSoup{: .x} is `a{b}`.", "Clear.\n\nSoup is a{b}."),
        ("mass $E=mc^2$ costs $5 and $7", "mass E=mc^2 costs $5 and $7"),
        ("hard\\\nbreak", "hard break"),
        ("<cnx-pi>no</cnx-pi> yes <img alt='x>y' src=a>.", "no yes ."),
        ("::: note\nInside.\n:::\n\nOutside.", "Inside.\n\nOutside."),
        ("^\n\ntext", "text"),
        ("```\n::: kept\n```", "::: kept"),
    ],
)
def test_inline(source, text):
    assert read_markdown(source).text == text


ROLES = """---
title: "Soups & stocks"
---

![A pot of soup](pot.png)

Term
: What it means.

A fact.[^1]

[^1]: Its source.

<table>
<tr><td>cell one</td>

<td>cell two</td></tr>
</table>

<figure><img src="a.png" alt="Pot"><figcaption>A caption.</figcaption></figure>

!!! note "Mind"
    Stir it.

$$ x = y $$
"""


def test_roles_titles_and_html_in_markdown():
    page = read_markdown(ROLES)
    assert page.title == "Soups & stocks"
    assert [(block.kind, block.role, block.span.of(page.text)) for block in page.blocks] == [
        ("paragraph", "caption", "A pot of soup"),
        ("item", "body", "Term: What it means."),
        ("paragraph", "body", "A fact."),
        ("paragraph", "footnote", "Its source."),
        ("table", "table", "cell one\tcell two"),
        ("paragraph", "caption", "Pot"),
        ("paragraph", "caption", "A caption."),
        ("paragraph", "body", "Mind"),
        ("paragraph", "body", "Stir it."),
        ("formula", "formula", "x = y"),
    ]


def test_marks_lie_on_what_is_marked():
    page = read_markdown('See *very* [good **soup**](soup.md "t"){.x} and `a  b`.\n\n* ![pot](pot.png)\n')
    marks = [(mark.kind, mark.span.of(page.text), mark.target) for block in page.blocks for mark in block.marks]
    assert marks == [
        ("emphasis", "very", ""),
        ("strong", "soup", ""),
        ("link", "good soup", "soup.md"),
        ("code", "a b", ""),
        ("image", "pot", "pot.png"),
    ]


def test_origins_point_at_the_source():
    source = "# Soup\n\nIt is *hot*.\n\n```\ncode\n```\n\n> quoted\n> text\n"
    assert [block.origin.of(source) for block in read_markdown(source).blocks] == [
        "# Soup",
        "It is *hot*.",
        "```\ncode\n```",
        "quoted\n> text",
    ]


PIECES = [
    *"ab .\n#*_`>-|$[]()<!/=~1\t\x00é😀",
    "\n\n",
    "<p>",
    "<li>",
    "<table>",
    "<td>",
    "</p>",
    "<pre>",
    "```",
    "    ",
]
markup = st.lists(st.sampled_from(PIECES), max_size=60).map("".join)


@settings(max_examples=300, deadline=None)
@given(markup)
def test_spans_are_in_order_and_cover_the_text(source):
    for page in (read_markdown(source), by_resiliparse("<body>" + source), by_python("<body>" + source)):
        end = 0
        for block in page.blocks:
            assert not page.text[end : block.span.start].strip()
            assert block.span.of(page.text).strip()
            end = block.span.end
        assert not page.text[end:].strip()


def test_honest_pages_are_not_deep():
    assert not too_deep("<p>one<br><img src=x>" * 5000, 100)
    assert not too_deep("<ul>" + "<li>one" * 5000, 100)
    assert not too_deep("<font size=2>x" * 5000, 100)
    assert not too_deep("<div><span>x</div>" * 5000, 100)
    assert not too_deep("<svg>" + "<path d='M0'/><use href='#a'/>" * 5000 + "</svg>", 100)
    assert too_deep("<div>" * 200, 100)


def test_the_word_above_a_note_is_no_title():
    page = "<h1>Soup</h1><div class=note><h3 class=title>Note</h3><p>Stir it.</p></div><p>More."
    found = read_html(f"<body>{page}<div class=author><h3>Ann</h3></div>", ReadOptions())
    assert [(block.kind, block.role, block.span.of(found.text)) for block in found.blocks] == [
        ("title", "heading", "Soup"),
        ("paragraph", "pointer", "Note"),
        ("paragraph", "body", "Stir it."),
        ("paragraph", "body", "More."),
        ("paragraph", "front", "Ann"),
    ]


def test_tables_around_navigation_and_notes_have_no_data():
    page = (
        '<div class="navheader"><table><tr><th>Chapter 4</th></tr><tr><td><a accesskey="p" href="3.html">Prev</a></td>'
        '<td><a accesskey="n" href="5.html">Next</a></td></tr></table></div><h1>Soups</h1><p>Soup is hot.</p>'
        '<div class="note"><table><tr><td><img alt="[Note]" src="note.png"></td><th>Note</th></tr>'
        "<tr><td><p>Stir it.</p></td></tr></table></div><p>Eat it.</p>"
    )
    found = read_html(page, ReadOptions(marks=True))
    said = [(block.kind, block.role, block.span.of(found.text)) for block in found.blocks]
    assert {kind for kind, _, _ in said} == {"paragraph", "title"}
    assert {text for _, role, text in said if role == "navigation"} >= {"Chapter 4"}
    assert [text for _, role, text in said if role == "body"] == ["Soup is hot.", "Note", "Stir it.", "Eat it."]


def test_foreign_content_hides_no_depth():
    assert too_deep("<svg>" + "<g>" * 200, 100)
    assert too_deep("<svg><foreignObject>" + "<div/>" * 200, 100)
    assert too_deep("<svg><div/>" + "<x-a/>" * 200, 100)
    assert too_deep("<div/>" * 200, 100)
    assert too_deep("<svg></svg>" + "<x-a/>" * 200, 100)


@READERS
def test_roles_of_html(read):
    page = "<nav>Home</nav><p>Text.<figure><img><figcaption>A pot.</figcaption></figure><aside class=footnote>Note.</aside>"  # noqa: E501
    page += (
        "<dl class=glossary><dt>Pot<dd>A vessel.</dl><div class=toc><ul><li>One</ul></div><p>More.<footer>©</footer>"
        "<div class=caption><p>A pan.</p></div><div class=list-of-figures><p>Figures</p></div>"
        "<div class=legalnotice><p>All rights.</p></div>"
        "<p>Next: <a rel=next href=b>Stock</a></p><ul><li><a accesskey=p href=a>Prev</a></ul>"
        "<div class=index>Pot, 3</div><dl><dt class='sig'>boil(bones)<dd>Boils.</dl>"
    )
    found = read(f"<body>{page}")
    assert [(block.role, block.span.of(found.text)) for block in found.blocks] == [
        ("navigation", "Home"),
        ("body", "Text."),
        ("caption", "A pot."),
        ("footnote", "Note."),
        ("glossary", "Pot"),
        ("glossary", "A vessel."),
        ("contents", "One"),
        ("body", "More."),
        ("navigation", "©"),
        ("caption", "A pan."),
        ("contents", "Figures"),
        ("front", "All rights."),
        ("navigation", "Next: Stock"),
        ("navigation", "Prev"),
        ("contents", "Pot, 3"),
        ("code", "boil(bones)"),
        ("body", "Boils."),
    ]


@pytest.mark.parametrize("never_closed", ["<!-- ", "<![CDATA[", "<? ", "<a <", "<!"])
def test_what_never_closes_is_looked_for_once(never_closed):
    page = read_page("<p>Soup is hot.</p>" + never_closed * 20_000)  # the square of it would take minutes
    assert page.text == "Soup is hot."


def test_the_time_limit_holds_without_the_extra():
    def over():
        raise SkipError("time limit")

    with pytest.raises(SkipError):
        read_page("<p>Soup", check=over)


def test_front_matter_below_blank_lines_is_no_text():
    page = read_markdown("\n\n---\ntitle: Soups\n---\n\n# Soup\n\nHot.\n")
    assert (page.title, page.text) == ("Soups", "Soup\n\nHot.")
    assert read_markdown("\n---\n\nSoup: hot.\n\n---\n").text == "Soup: hot."


@pytest.mark.parametrize("read", [by_resiliparse, by_python])
def test_the_word_of_a_picture_is_kept_where_nothing_repeats_it(read):
    page = '<body><p><img alt="Warning" src="w.png"> Never pour water into hot oil.</p>'
    page += '<table><tr><td><img alt="Caution" src="c.png"></td><td>Oil burns.</td></tr></table>'
    text = read(page).text
    assert "Warning Never pour water" in text
    assert "Caution" in text


def test_two_pictures_are_a_caption_of_each():
    page = read_markdown('<p><img alt="Fig one" src="a.png"> <img alt="Fig two" src="b.png"></p>\n')
    assert [block.role for block in page.blocks] == ["caption"]


@pytest.mark.parametrize("read", [by_resiliparse, by_python])
def test_two_breaks_end_a_paragraph(read):
    page = "<body><p><font>Soup is hot.<br>\n It is good.<br>\n</font> <font> <br> &nbsp;Bread <b>is<br><br>\nold</b>."
    page += "</font><br><br><br><br>Salt.</p><h1>One<br><br>title</h1><ul><li>a<br>b<br><br>c</ul><pre>x<br><br>y</pre>"
    found = read(page)
    assert [(block.kind, " ".join(block.span.of(found.text).split())) for block in found.blocks] == [
        ("paragraph", "Soup is hot. It is good."),
        ("paragraph", "Bread is"),
        ("paragraph", "old."),
        ("paragraph", "Salt."),
        ("title", "One title"),
        ("item", "a b"),
        ("item", "c"),
        ("code", "x y"),
    ]
