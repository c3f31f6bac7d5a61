"""What looks alike without being kin: copies and boilerplate."""

from likewise.jobs.link import link
from likewise.read import Document

LICENCE = "Permission is granted to copy and change this manual under the old garden licence of Springfield county."
GARDEN = [
    ("Tomatoes want warm soil and much water through the summer months.", "Plant them out in the late spring weeks."),
    ("Beans grow up poles and like warm soil in the summer months.", "Pick beans young, before the pods grow tough."),
    ("Warm soil and much water through summer make tomatoes sweet.", "Roots rot in wet clay during a cold winter."),
]
BOOK = [f"{first}\n\n{LICENCE}\n\n{last}" for first, last in GARDEN]


def test_copies_are_marked_dropped_or_kept():
    documents = [Document(f"d{n}", text) for n, text in enumerate(BOOK)]
    marked = link(documents, preset="21", n=3, boilerplate=False)
    assert [(x.left, x.right) for x in marked if x.copy] == [(1, 4), (1, 7)]
    kin = [(x.left, x.right) for x in marked if not x.copy]
    assert kin[0] == (0, 6)
    assert not {1, 4, 7} & {end for pair in kin for end in pair}
    assert not any(x.copy for x in link(documents, preset="21", n=3, copies="drop", boilerplate=False))
    kept = link(documents, preset="21", n=3, copies="keep", boilerplate=False)
    assert {(x.left, x.right) for x in kept} == {(1, 4), (1, 7), (4, 7)}


def test_boilerplate_does_not_count():
    documents = [Document(f"d{n}", text.replace("\n\n", " ")) for n, text in enumerate(BOOK)]
    documents += [
        Document(f"e{n}", f"Chapter {n} is about something else: soups of kind {n} and stews.") for n in range(6)
    ]
    plain = link(documents, preset="21", n=3, copies="keep", boilerplate=False)
    without = link(documents, preset="21", n=3, copies="keep")
    assert "licenc" in {entry.term for x in plain for entry in plain.shared(x)}
    terms = {entry.term for x in without for entry in without.shared(x)}
    assert "licenc" not in terms
    assert "tomato" in terms


def test_a_sentence_of_three_texts_in_four_is_no_boilerplate():
    told = "The quick brown fox jumps over the lazy dog near the river bank today."
    found = link([told, "Nothing is here of interest to anybody at all in this place.", told, told])
    assert [(x.left, x.right, x.copy) for x in found] == [(0, 2, True), (0, 3, True)]


FRAMES = ["secrets", "threading", "queue", "decimal", "fractions", "random"]


def test_sentences_that_differ_in_one_word_all_over_are_boilerplate():
    pages = [
        Document(name, f"The page about {name} says this and that of {name} in many words.\n\n"
                 f"Source code of this module stands in the library file called {name} always.")
        for name in FRAMES
    ]  # fmt: skip
    with_frames = link(pages, boilerplate=False, min_matches=1, min_strength=-1.0)
    assert len(with_frames) > 0
    assert len(link(pages, min_matches=1, min_strength=-1.0)) == 0


def test_a_title_above_a_notice_makes_no_passage_of_it():
    notice = "The rewrite of this tutorial is done under another name."
    subjects = (
        "clear soup of old bones",
        "dark bread of coarse rye",
        "dry plums of early autumn",
        "sharp knives of steel",
    )
    pages = [Document(f"{verb}{n}", f"1 {verb} {one}\n\n{notice}") for verb in ("Making", "Keeping") for n, one in
             enumerate(subjects)]  # fmt: skip
    settings = {"min_strength": -9.0, "min_matches": 1, "copies": "drop"}
    assert not len(link(pages, **settings))
    assert len(link(pages, boilerplate=False, **settings)) >= 4
