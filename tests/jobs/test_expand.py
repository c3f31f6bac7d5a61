"""Query expansion: groups of alternatives, longest phrase first, operators left alone."""

import pytest

import likewise as lw
from likewise.errors import InputError, OptionError
from likewise.index.query import parse
from likewise.index.widen import expand

PAIRS = lw.Paraphrases.of_rows(
    [("took effect", "came into force", 9), ("took effect", "became effective", 8), ("effect", "result", 7),
     ("began", "started", 6), ("began", "Began", 9), ("law", "act", 5), ("is", "was", 20), ("law", 'the "law"', 30),
     ("war", "War", 4), ("1 day", "2 days", 9)]
)  # fmt: skip


@pytest.mark.parametrize(
    ("query", "per_phrase", "expected"),
    [
        ("the law took effect", 4, 'the (law | act) ("took effect" | "came into force" | "became effective")'),
        ("took effect", 1, '("took effect" | "came into force")'),
        ("took effect", 0, "took effect"),
        ("an effect", 4, "an (effect | result)"),
        ('"took effect" law', 1, '("took effect" | "came into force") (law | act)'),
        ("(law | rule) -law year:1990 law:x", 4, "(law | rule) -law year:1990 law:x"),
        ("When it began?", 4, "When it (began | started)"),
        ("BEGAN", 4, "(BEGAN | started)"),
        ("is", 4, "is"),
        ("war", 4, "war"),
        ("1 day", 4, "1 day"),
        ("", 4, ""),
        ("unknown words", 4, "unknown words"),
    ],
)
def test_expansion(query, per_phrase, expected):
    assert expand(query, PAIRS, per_phrase) == expected
    if expected:
        parse(expected)


def test_from_a_file_and_in_a_search(tmp_path):
    PAIRS.write(tmp_path / "pp.parquet")
    assert expand("law", tmp_path / "pp.parquet") == "(law | act)"
    index = lw.Index.build(["the treaty came into force", "the dog slept", "an effect of it"])
    assert [hit.text for hit in index.search("took effect", expand=tmp_path / "pp.parquet")][:1] == [
        "the treaty came into force"
    ]


def test_wrong_arguments(tmp_path):
    with pytest.raises(OptionError):
        expand("law", PAIRS, -1)
    with pytest.raises(InputError):
        expand("law", tmp_path / "absent.parquet")


def test_groups_that_never_close_are_left_in_time_that_grows_with_their_number() -> None:
    query = "( " * 1_000_000  # the square of it would run into the limit of a test
    assert expand(query, PAIRS) == query.strip()
