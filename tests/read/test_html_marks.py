"""Emphasis, code, links, pictures and roles of HTML: where they stand in the text, with and without main content."""

import itertools
import signal
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.read import ReadOptions
from likewise.read.html import read_html
from likewise.read.markup import read_page

PAGE = """<html><head><title>T</title></head><body><nav><ul><li><a href="x">Home page</a></li></ul></nav><main>
<h1>Soup</h1><div class="toc"><dl><dt><a href="#a">1. Stock</a></dt><dt><a href="#b">2. Broth</a></dt></dl></div>
<p>Clear <em>soup</em> is boiled from <a href="b.html#x"><code>bones</code></a> <strong> and</strong> vegetables for
many hours over a small fire, and then strained through a cloth.</p>
<p><img src="pot.png" alt="A pot"> on a fire <img src="fire.svg"></p>
<table><tr><th><p>Name</p></th><th><p>Time</p></th></tr><tr><td></td><td><p>3 <b>h</b></p></td></tr></table>
<pre><code>pour(<b>x</b>)</code></pre>
<p>What is said here of soup holds for stock as well, and for every broth that anybody <i>makes</i>.</p></main>
</body></html>"""


@pytest.mark.parametrize("main", [True, False])
def test_marks_and_roles_are_where_they_were(main) -> None:
    content = read_html(PAGE, ReadOptions(main_content=main, marks=True))
    marks = [(mark.kind, mark.span.of(content.text), mark.target) for block in content.blocks for mark in block.marks]
    assert [mark for mark in marks if not mark[2].startswith(("#", "x"))] == [
        ("emphasis", "soup", ""),
        ("code", "bones", ""),
        ("link", "bones", "b.html#x"),
        ("strong", "and", ""),
        ("image", "A pot", "pot.png"),
        ("image", "▣", "fire.svg"),
        ("emphasis", "makes", ""),
    ]
    assert "boiled from bones and vegetables" in content.text
    roles = {block.span.of(content.text): block.role for block in content.blocks}
    assert roles["1. Stock"] == roles["2. Broth"] == "contents"
    assert roles["Name\tTime\n\t3 h"] == "table"
    assert roles["pour(x)"] == "code"


@pytest.mark.parametrize("main", [True, False])
def test_the_text_is_the_same_without_marks(main) -> None:
    plain = read_html(PAGE.replace("<img", "<x"), ReadOptions(main_content=main))
    marked = read_html(PAGE.replace("<img", "<x"), ReadOptions(main_content=main, marks=True))
    assert marked.text == plain.text
    assert not any(block.marks for block in plain.blocks)


@given(st.lists(st.sampled_from(["<em>", "</em>", "<a href=x>", "</a>", "<p>", " red ", "fish", "<td>", "<b> </b>"])))
def test_any_soup_of_tags_gives_marks_inside_their_blocks(pieces) -> None:
    try:
        content = read_html("<body>" + "".join(pieces), ReadOptions(marks=True))
    except ValueError:
        return
    assert not any("\ue000" <= letter <= "\ue010" for letter in content.text)
    for block in content.blocks:
        for mark in block.marks:
            assert block.span.start <= mark.span.start < mark.span.end <= block.span.end


def test_tables_in_tables_mark_each_cell_once() -> None:
    inner = "<table><tr><td>a<td>b<tr><td>1<td>2</table>"
    deep = f"{'<table><tr><td>' * 150}{inner}{'</table>' * 150}"
    content = read_html(f"<body>{deep}<p>after", ReadOptions())
    assert [(block.role, block.span.of(content.text)) for block in content.blocks] == [
        ("table", "a\tb\n1\t2"),
        ("body", "after"),
    ]


SPHINX = """<html><head><title>2. Archive</title></head><body><div class="body"><h1>2. Archive<a class="headerlink"
href="#a" title="Permalink">¶</a></h1><h2>C#<a href="#c"> # </a></h2><h2><a href="b.html">Areas</a></h2>
<p>Packages in the main archive area must comply with the guidelines.</p>
<dl><dt>area<a class="headerlink" href="#b">¶</a></dt></dl></div></body></html>"""
GENINDEX = """<html><body><h1 id="index">Index</h1><div class="genindex-jumpbox"><a href="#A">A</a> | B</div>
<table class="indextable genindextable"><tr><td><ul><li><a href="a.html">archive</a></li></ul></td>
<td><ul><li>areas</li></ul></td></tr></table></body></html>"""
SEARCH = """<html><body><h1 id="search-documentation">Search</h1><p>Searching for multiple words only shows matches that
contain all words.</p></body></html>"""


@pytest.mark.parametrize("main", [True, False])
def test_the_sign_that_links_to_a_title_is_no_word_of_it(main) -> None:
    content = read_html(SPHINX, ReadOptions(main_content=main))
    assert [block.span.of(content.text) for block in content.blocks if block.kind == "title"] == [
        *("2. Archive", "C#", "Areas")
    ]
    assert "¶" not in content.text
    assert "¶" not in read_page(SPHINX).text


@pytest.mark.parametrize("page", [GENINDEX, SEARCH])
def test_the_index_and_the_search_page_of_sphinx_are_no_text_of_the_book(page) -> None:
    content = read_html(page, ReadOptions())
    assert {block.role for block in content.blocks} - {"heading"} <= {"contents", "navigation"}
    assert len(content.blocks) > 1


@pytest.mark.parametrize("point", [1, 100, 500, 900])
def test_ctrl_c_while_a_page_is_read_prints_nothing(capfd, point):
    """The parser calls Python for weak references: an exception there is a panic, of which it prints all frames."""
    calls = itertools.count(1)

    def look(frame, event, _):
        if event == "call" and frame.f_code.co_filename.endswith("weakref.py") and next(calls) == point:
            signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # Spark has one of its own
    page = "".join(f"<div><p>Word <b>soup {n}</b> is <a href='x'>old</a>.</p><dfn>pot</dfn></div>" for n in range(20))
    sys.setprofile(look)
    try:
        with pytest.raises(KeyboardInterrupt):
            read_html(page, ReadOptions(marks=True))
    finally:
        sys.setprofile(None)
        after = signal.signal(signal.SIGINT, before)
    assert next(calls) > point
    assert capfd.readouterr().err == ""
    assert after is signal.default_int_handler
