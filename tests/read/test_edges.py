"""Small decisions of readers, each of which a changed source once got wrong without a test that noticed."""

import zlib

import pytest

from likewise.read import ReadOptions, documents
from likewise.read.arrow import written
from likewise.read.asciidoc import read_asciidoc
from likewise.read.dialect import has_index
from likewise.read.formats import by_ending
from likewise.read.header import is_header
from likewise.read.responses import _decompress


def test_a_number_is_written_whole_as_long_as_every_whole_number_is_one():
    assert (written(2.0**53 - 1), written(2.0**53)) == ("9007199254740991", "9007199254740992.0")


@pytest.mark.parametrize("packed", [zlib.compress(b"soup"), zlib.compress(b"soup", wbits=-15)])
def test_deflate_comes_with_and_without_a_header(packed):
    assert _decompress(packed, "deflate", 99) == b"soup"


@pytest.mark.parametrize("level", [1, 2, 5])
def test_the_level_of_a_title_is_the_number_of_its_signs(level):
    (block,) = read_asciidoc("=" * level + " Soup is hot\n", ReadOptions()).blocks
    assert block.level == level


def test_sources_of_sphinx_may_have_more_points_in_their_names():
    assert [by_ending(name).name for name in ("a.rst.txt", "a.b.rst.txt", "a.b.txt")] == ["rst", "rst", "text"]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["a", "b"], ["1", "x", "y"]], True),
        ([["a", "b"]], False),
        ([["a"], ["1", "x"]], False),
        ([["", "a"], ["7", "y"]], True),
        ([["", "a"], ["x", "y"]], False),
    ],
)
def test_an_index_is_a_cell_more_than_the_header_or_numbers_without_a_name(rows, expected):
    assert has_index(rows) == expected


def test_names_that_repeat_are_a_header_if_half_of_them_are_usual_ones():
    body = [["Ada", "b", "c", "Rome"]]
    assert is_header([["name", "foo", "foo", "city"], *body])
    assert not is_header([["name", "foo", "foo", "bar"], *body])


def test_a_page_says_how_it_is_encoded(tmp_path):
    (tmp_path / "a.html").write_bytes('<meta charset="windows-1251"><p>Суп горячий.</p>'.encode("cp1251"))
    assert [document.text for document in documents(tmp_path)] == ["Суп горячий."]
