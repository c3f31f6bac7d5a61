"""N-grams and anchors: every clause from both sides, and against the twin."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.jobs.mine.tagged import parse, rows_of
from tests.reference import paraphrases as twin

PLATTE = parse(
    "Together/RB they/PRP form/VBP the/DT Platte/NNP River/NNP ,/, which/WDT eventually/RB flows/VBZ into/IN the/DT "
    "Gulf/NNP of/IN Mexico/NNP ./."
)


def attached(sentence, candidate, **options):
    return {(c, a) for c, a, v in rows_of([parse(sentence)], **options) if v == candidate}


def test_golden_platte_river():
    [(context, with_entity)] = [(c, a) for c, a, v in rows_of([PLATTE], anchors="entity", context=3) if v == "flows"]
    assert (context, with_entity) == (", which eventually\tinto the Gulf", "Platte River\tMexico")
    [(context, clause)] = [(c, a) for c, a, v in rows_of([PLATTE], anchors="relative", context=3) if v == "flows"]
    # "which eventually" is inside the n-gram: nothing of the clause is left of it.
    assert (context, clause) == (", which eventually\tinto the Gulf", "Platte River\t\tof Mexico")


def test_ngrams_of_every_length_with_marks_as_tokens_and_case_kept():
    sentence = parse("A/DT b/NN ,/, C/NN d/NN e/NN f/NN")
    assert rows_of([sentence], context=2, max_phrase=3) == {
        ("A b\tC d", "", ","), ("b ,\td e", "", "C"), (", C\te f", "", "d"),
        ("A b\td e", "", ", C"), ("b ,\te f", "", "C d"), ("A b\te f", "", ", C d"),
    }  # fmt: skip
    assert {v for _, _, v in rows_of([sentence], context=2, min_phrase=3, max_phrase=3)} == {", C d"}
    assert ("a b\tc d", "", ",") in rows_of([sentence], context=2, fold_case=True)
    assert rows_of([sentence], context=4) == set()


ENTITY = [
    # both sides required
    ("Ada/NNP met/VBD and/CC saw/VBD the/DT Bob/NNP", "and", {("met\tsaw", "Ada\tBob")}),
    ("she/PRP met/VBD and/CC saw/VBD the/DT Bob/NNP", "and", set()),
    ("Ada/NNP met/VBD and/CC saw/VBD the/DT dog/NN", "and", set()),
    # the nearest, as a maximal run
    ("Eve/NNP ,/, Ada/NNP King/NNP met/VBD and/CC saw/VBD New/NNP York/NNP in/IN May/NNP", "and",
     {("met\tsaw", "Ada King\tNew York")}),
    # an entity that straddles the edge counts in full ...
    ("Ada/NNP King/NNP and/CC saw/VBD the/DT Bob/NNP", "and", {("King\tsaw", "Ada King\tBob")}),
    ("Ada/NNP met/VBD and/CC New/NNP York/NNP", "and", {("met\tNew", "Ada\tNew York")}),
    # ... one that lies inside the n-gram does not
    ("Ada/NNP then/RB Eve/NNP and/CC saw/VBD Bob/NNP", "and", {("Eve\tsaw", "Ada\tBob")}),
    ("then/RB Eve/NNP and/CC saw/VBD Bob/NNP", "and", set()),
    # one run around the whole n-gram is not two
    ("New/NNP York/NNP Stock/NNP Exchange/NNP Board/NNP", "Stock", set()),
    # plural proper nouns are proper nouns, common nouns are not
    ("The/DT Alps/NNPS rise/VBP and/CC fall/VBP over/IN Andes/NNPS", "and", {("rise\tfall", "Alps\tAndes")}),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "candidate", "expected"), ENTITY)
def test_entity_anchor(sentence, candidate, expected):
    assert attached(sentence, candidate, anchors="entity", context=1) == expected


RELATIVE = [
    # what may stand between the entity and the Wh word: , - ( nothing
    ("Ada/NNP ,/, who/WP wrote/VBD good/JJ programs/NNS ./.", "good", {("wrote\tprograms", "Ada\twho\t")}),
    ("Ada/NNP -/, who/WP wrote/VBD good/JJ programs/NNS ./.", "good", {("wrote\tprograms", "Ada\twho\t")}),
    ("Ada/NNP (/-LRB- who/WP wrote/VBD good/JJ programs/NNS )/-RRB- died/VBD ./.", "good",
     {("wrote\tprograms", "Ada\twho\t")}),
    ("Ada/NNP who/WP wrote/VBD good/JJ programs/NNS ./.", "good", {("wrote\tprograms", "Ada\twho\t")}),
    ("Ada/NNP ;/: who/WP wrote/VBD good/JJ programs/NNS ./.", "good", set()),
    ("Ada/NNP and/CC who/WP wrote/VBD good/JJ programs/NNS ./.", "good", set()),
    # Wh is who, when, which or where
    ("Paris/NNP ,/, where/WRB she/NN ate/VBD good/JJ bread/NN ./.", "good", {("ate\tbread", "Paris\twhere she\t")}),
    ("Paris/NNP ,/, which/WDT ate/VBD good/JJ bread/NN ./.", "good", {("ate\tbread", "Paris\twhich\t")}),
    ("1990/CD ,/, when/WRB Eve/NNP ate/VBD good/JJ bread/NN ./.", "good", {("ate\tbread", "1990\twhen Eve\t")}),
    ("Paris/NNP ,/, that/WDT ate/VBD good/JJ bread/NN ./.", "good", set()),
    ("Paris/NNP ,/, whose/WP$ Eve/NNP ate/VBD good/JJ bread/NN ./.", "good", set()),
    # what is modified is an entity or a date, in full
    ("The/DT dog/NN ,/, which/WDT ate/VBD good/JJ bread/NN ./.", "good", set()),
    ("Ada/NNP King/NNP ,/, who/WP ate/VBD good/JJ bread/NN ./.", "good", {("ate\tbread", "Ada King\twho\t")}),
    ("On/IN May/NNP 5/CD ,/, 1990/CD ,/, when/WRB Eve/NNP ate/VBD good/JJ bread/NN", "good",
     {("ate\tbread", "May 5 , 1990\twhen Eve\t")}),
    ("On/IN 5/CD May/NNP 1990/CD ,/, when/WRB Eve/NNP ate/VBD good/JJ bread/NN", "good",
     {("ate\tbread", "5 May 1990\twhen Eve\t")}),
    ("In/IN 57/CD ,/, when/WRB Eve/NNP ate/VBD good/JJ bread/NN", "good", set()),
    # the clause ends at , - ) . and the sentence end counts as "."
    ("Ada/NNP ,/, who/WP ate/VBD good/JJ old/JJ bread/NN ,/, died/VBD ./.", "good",
     {("ate\told", "Ada\twho\tbread")}),
    ("Ada/NNP ,/, who/WP ate/VBD good/JJ old/JJ bread/NN -/, died/VBD ./.", "good", {("ate\told", "Ada\twho\tbread")}),
    ("Ada/NNP ,/, who/WP ate/VBD good/JJ old/JJ bread/NN", "good", {("ate\told", "Ada\twho\tbread")}),
    ("Ada/NNP ,/, who/WP ate/VBD good/JJ old/JJ bread/NN !/.", "good", {("ate\told", "Ada\twho\tbread")}),
    ("Ada/NNP ,/, who/WP ate/VBD good/JJ old/JJ bread/NN ;/: died/VBD ./.", "good",
     {("ate\told", "Ada\twho\tbread ; died")}),
    # pronouns, personal or possessive, discard the clause; others do not
    ("Ada/NNP ,/, who/WP gave/VBD him/PRP good/JJ bread/NN ./.", "good", set()),
    ("Ada/NNP ,/, who/WP ate/VBD good/JJ bread/NN of/IN her/PRP$ mill/NN ./.", "good", set()),
    ("Ada/NNP ,/, who/WP ate/VBD good/JJ bread/NN ,/, saw/VBD him/PRP ./.", "good",
     {("ate\tbread", "Ada\twho\t")}),
    ("Ada/NNP ,/, who/WP ate/VBD good/JJ bread/NN with/IN this/DT ./.", "good",
     {("ate\tbread", "Ada\twho\twith this")}),
    # without a verb the clause goes on to the right, or, at the end of the sentence, goes
    ("Ada/NNP ,/, who/WP ,/, in/IN good/JJ spirits/NNS ,/, died/VBD ./.", "good",
     {("in\tspirits", "Ada\twho ,\t, died")}),
    ("Ada/NNP ,/, who/WP ,/, in/IN good/JJ spirits/NNS ./.", "good", set()),
    ("Ada/NNP ,/, who/WP can/MD good/JJ things/NNS ./.", "good", {("can\tthings", "Ada\twho\t")}),
    # the variable part must lie in the clause, Wh excluded; the constants need not
    ("Ada/NNP ,/, who/WP ate/VBD bread/NN ,/, died/VBD ./.", "ate", {("who\tbread", "Ada\t\t")}),
    ("Ada/NNP ,/, who/WP ate/VBD bread/NN ,/, died/VBD ./.", "who", set()),
    ("Ada/NNP ,/, who/WP ate/VBD bread/NN ,/, died/VBD ./.", "who ate", set()),
    ("Ada/NNP ,/, who/WP ate/VBD bread/NN ,/, died/VBD ./.", "bread", {("ate\t,", "Ada\twho\t")}),
    ("Ada/NNP ,/, who/WP ate/VBD bread/NN ,/, died/VBD ./.", "bread ,", set()),
    ("Ada/NNP ,/, who/WP ate/VBD bread/NN ,/, died/VBD ./.", "died", set()),
    # of two clauses the inner one
    ("Ada/NNP who/WP met/VBD Bob/NNP who/WP ate/VBD good/JJ bread/NN", "good", {("ate\tbread", "Bob\twho\t")}),
]  # fmt: skip


@pytest.mark.parametrize(("sentence", "candidate", "expected"), RELATIVE)
def test_relative_anchor(sentence, candidate, expected):
    assert attached(sentence, candidate, anchors="relative", context=1) == expected


WORDS = st.sampled_from(
    ["Ada/NNP", "Bob/NNP", "Alps/NNPS", "dog/NN", "ran/VBD", "can/MD", "running/VBG", "he/PRP", "his/PRP$", ",/,",
     "-/,", "–/,", "(/-LRB-", ")/-RRB-", "./.", ";/:", "who/WP", "which/WDT", "when/WRB", "where/WRB", "that/WDT",
     "1990/CD", "1990s/CD", "5/CD", "May/NNP", "2001-05-05/CD", "the/DT"]
)  # fmt: skip
SENTENCES = st.lists(st.lists(WORDS, min_size=1, max_size=16).map(" ".join).map(parse), min_size=1, max_size=4)


@settings(max_examples=300)
@given(
    SENTENCES, st.sampled_from(["ngram", "entity", "relative"]), st.integers(1, 3), st.integers(1, 2), st.integers(2, 4)
)
def test_rows_as_the_twin_makes_them(sentences, anchors, context, shortest, longest):
    found = rows_of(sentences, anchors=anchors, context=context, min_phrase=shortest, max_phrase=longest)
    assert found == twin.rows(sentences, anchors, context, shortest, longest)
