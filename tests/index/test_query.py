"""The query language: what is understood, and where a message points when it is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.errors import QueryError
from likewise.index.query import parse, plain

UNDERSTOOD = [
    ("red fish", [("words", False, [["red", "fish"]])]),
    ("client-server a - b", [("words", False, [["client-server", "a", "-", "b"]])]),
    ('"red fish" sea', [("phrase", False, [["red fish"]]), ("words", False, [["sea"]])]),
    ("„red fish“ »a b« ‹c d›", [("phrase", False, [[text]]) for text in ("red fish", "a b", "c d")]),
    ("x -“red fish”", [("words", False, [["x"]]), ("phrase", True, [["red fish"]])]),
    ("x -red", [("words", False, [["x"]]), ("words", True, [["red"]])]),
    ('x -"red fish"', [("words", False, [["x"]]), ("phrase", True, [["red fish"]])]),
    ("(a | b c|d)", [("group", False, [["a"], ["b", "c"], ["d"]])]),
    ('("a b" | c) -(d | "e f")', [("group", False, [["a b"], ["c"]]), ("group", True, [["d"], ["e f"]])]),
    ("x year:1999", [("words", False, [["x"]]), ("field", False, [["1999"]])]),
    ('x -title:"red fish"', [("words", False, [["x"]]), ("field", True, [["red fish"]])]),
    ("at 10:30 http://x.org", [("words", False, [["at", "10:30", "http://x.org"]])]),
    ("x when:2001-02-03T10:30", [("words", False, [["x"]]), ("field", False, [["2001-02-03T10:30"]])]),
    ("don't (it's | isn't)", [("words", False, [["don't"]]), ("group", False, [["it's"], ["isn't"]])]),
    ("naïve Straße 日本", [("words", False, [["naïve", "Straße", "日本"]])]),
]


@pytest.mark.parametrize(("text", "clauses"), UNDERSTOOD)
def test_what_is_understood(text: str, clauses) -> None:
    found = [(c.kind, c.negated, [[part.text for part in row] for row in c.parts]) for c in parse(text).clauses]
    assert found == clauses


MALFORMED = [
    ("", 0, "empty"),
    ("  \n", 0, "empty"),
    ('a "red fish', 11, "not closed"),
    ('a ""', 2, "phrase is empty"),
    ("(a | b", 6, "not closed"),
    ("x (a | )", 7, "alternative is missing"),
    ("()", 1, "alternative is missing"),
    ("(|a)", 1, "alternative is missing"),
    ("a | b", 2, "inside"),
    ("a) b", 1, "no ( for this )"),
    ("(a (b | c))", 3, "inside a group"),
    ("(a | year:3)", 5, "inside a group"),
    ("title:(a | b)", 6, "one value"),
    ("x " + '"a" ' * 2000, None, "at most"),
]


@pytest.mark.parametrize(("text", "place", "words"), MALFORMED)
def test_a_message_points_at_the_place(text: str, place: int | None, words: str) -> None:
    with pytest.raises(QueryError) as caught:
        parse(text)
    assert words in str(caught.value)
    if place is not None:
        assert caught.value.position == place
    if "^" in str(caught.value):
        _, shown, mark = str(caught.value).split("\n")
        assert mark.index("^") <= len(shown)


def test_plain_text_is_only_words() -> None:
    clauses = plain('what (is | "it) -x year:3').clauses
    assert [(clause.kind, clause.negated) for clause in clauses] == [("words", False)]
    with pytest.raises(QueryError):
        plain(" ")


@given(st.text('ab"()|-: ', max_size=30))
def test_any_text_is_understood_or_refused(text: str) -> None:
    clauses, place = (), 0
    try:
        clauses = parse(text).clauses
    except QueryError as error:
        place = error.position
    assert 0 <= place <= len(text)
    for clause in clauses:
        for row in clause.parts:
            for part in row:
                assert part.span.of(text).strip('"') == part.text
