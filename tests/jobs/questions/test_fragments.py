"""Which words of a sentence say what happened on a date."""

import pytest

from likewise.jobs.questions import fragments as module
from likewise.jobs.questions.fragments import fragments


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("In 1937, the Golden Gate Bridge was built.", [("1937", "the Golden Gate Bridge was built")]),
        ("The Golden Gate Bridge was built in 1937.", [("1937", "The Golden Gate Bridge was built")]),
        ("The bridge was built in 1937 by many men.", [("1937", "The bridge was built by many men")]),
        ("The bridge was built in 1937; it was painted red in 1940.",
         [("1937", "The bridge was built"), ("1940", "it was painted red")]),
        ("Max Born (born 11 December 1882) was a physicist.", [("1882-12-11", "Max Born was born")]),
        ("Max Born (1882–1970) was a physicist.", [("1882", "Max Born was born"), ("1970", "Max Born died")]),
        ("Ada Born (May 2, 1882 [O.S. April 20] – June 5, 1970) was head of the school (1920–1931).",
         [("1882-05-02", "Ada Born was born"), ("1970-06-05", "Ada Born died"),
          ("1920", "Ada Born was head of the school"), ("1931", "Ada Born was head of the school")]),
        ("Ada Born, 2nd Lady Mell (Latin: Adda; also known by her pet name, Addie, which her mother had first given to "
         "her; 2 May 1882 – 5 June 1970) was a writer.",
         [("1882-05-02", "Ada Born, 2nd Lady Mell was born"), ("1970-06-05", "Ada Born, 2nd Lady Mell died")]),
        ("In 1907 he married Ada Born (1882–1970) in the old church.",
         [("1882", "Ada Born was born"), ("1970", "Ada Born died"), ("1907", "he married Ada Born in the old church")]),
        ("He starred in Red Rock (1951), by Dee, and in Two Green Rivers (1955).",
         [("1951", "He starred in Red Rock"), ("1955", "in Two Green Rivers")]),
        ("The fair of Mellin was held from 1911 to 1913 in June.",
         [("1911", "The fair of Mellin was held in June"), ("1913", "The fair of Mellin was held in June")]),
        ("The League of Mellin played from 1960 until 1969, when it merged.",
         [("1960", "The League of Mellin played"), ("1969", "The League of Mellin played when it merged")]),
        ("1969 – Apollo lands on the moon", [("1969", "Apollo lands on the moon")]),
        (f"The {'very ' * 40}long wall was built in 1937{' and on' * 20}.",
         [("1937", f"{'very ' * 26}long wall was built{' and on' * 15}")]),
        ("It rained in 1990.", []),
        ("She died in 1990.", [("1990", "She died")]),
        ("Nothing happened at all that day.", []),
    ],
)  # fmt: skip
def test_fragments(sentence, expected):
    assert [(one.date.iso, one.text) for one in fragments(sentence)] == expected


@pytest.mark.parametrize("piece", ["Ada Lovelace (born 1990) ", "1990 ", "Soup was sold in 1947 and ", "(born 1990; "])
def test_a_sentence_of_thousands_of_dates_is_read_a_stretch_at_a_time(piece, monkeypatch):
    looked_at, dates = [], module.dates
    monkeypatch.setattr(module, "dates", lambda text: looked_at.append(len(text)) or dates(text))
    found = list(fragments(piece * (40_000 // len(piece))))
    assert max(looked_at) <= module._LONGEST
    assert all(one.date.year in (1947, 1990) for one in found)
    assert found or piece.startswith(("1990", "("))


@pytest.mark.parametrize("letters", range(module._LONGEST - 2, module._LONGEST + 2))
def test_a_stretch_that_ends_at_a_blank_is_no_longer_than_a_stretch(letters):
    text = f"{'x' * letters} Soup was sold in 1947 {'y' * module._LONGEST}"
    assert [one.date.year for one in fragments(text)] == [1947]
