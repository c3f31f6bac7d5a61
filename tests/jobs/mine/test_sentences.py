"""The five sanity checks, each from both sides, and what becomes of documents."""

import pytest
from tests.reference import paraphrases as twin

from likewise.jobs.mine.options import MineOptions
from likewise.jobs.mine.sentences import FATES, analyse, batches, split
from likewise.read import Document

KEPT = "The small dog was under the old table in winter."

CASES = [
    # 1: five to thirty words; marks are no words
    ("He saw the red house.", "kept"),
    ("He saw the house.", "fewer words"),
    ("He saw ( , ; : ) the house.", "fewer words"),
    ("The dog sees " + "very " * 25 + "old houses.", "kept"),
    ("The dog sees " + "very " * 26 + "old houses.", "more words"),
    # 2: a verb that is neither gerund nor modal
    ("The old house by the sea.", "no verb"),
    ("Walking slowly through the old house.", "no verb"),
    ("The old house was by the sea.", "kept"),
    # 3: a word in small letters that is no verb
    ("WAR AND PEACE WAS WRITTEN THERE", "no lower case"),
    ("WAR AND PEACE WAS WRITTEN in THERE", "kept"),
    # 4: no word beyond thirty characters
    (f"The word {'x' * 30} is long enough here.", "kept"),
    (f"The word {'x' * 31} is long enough here.", "long word"),
    # 5: fewer than half of the words are numbers
    ("He got 1 2 3 votes.", "numbers"),
    ("He got 1 2 3 votes there.", "kept"),
]


@pytest.mark.parametrize(("sentence", "fate"), CASES)
def test_checks(sentence, fate):
    batch, counts = analyse([Document("a", sentence)], MineOptions())
    assert counts["sentences"] == 1
    assert {name: counts[name] for name in FATES if counts[name]} == {fate: 1}
    assert batch.num_rows == (fate == "kept")


@pytest.mark.parametrize("anchors", ["ngram", "entity"])
def test_checks_as_the_twin_decides(anchors):
    """Tagging is cut short when nothing but the checks needs it; the answer must not depend on that."""
    import pydoc_data.topics

    text = "\n".join(list(pydoc_data.topics.topics.values())[:8])
    document = Document("topics", text)
    options = MineOptions(anchors=anchors, any_language=True)
    _, counts = analyse([document], options)
    from likewise.analyse.tagger import PerceptronTagger, tokenise

    tagger = PerceptronTagger()
    expected = dict.fromkeys(FATES, 0)
    for sentence in split(document):
        words = [span.of(sentence) for span in tokenise(sentence)]
        fate = twin.check(list(zip(words, tagger.tag([words])[0], strict=True)))
        expected[fate or "kept"] += 1
    assert {name: counts[name] for name in FATES} == expected


def test_without_tagger_checks_two_and_three_are_off():
    sentences = "Das alte Haus am Meer. WAR AND PEACE WAS WRITTEN THERE. Zu kurz."
    _, counts = analyse([Document("a", sentences)], MineOptions(tagger="none"))
    assert (counts["kept"], counts["fewer words"], counts["not English"]) == (2, 1, 0)


def test_documents_in_other_languages_are_left_out_and_counted():
    german = "Der kleine Hund schläft im Winter unter dem alten Tisch und träumt von der Jagd. " * 10
    french = "Le petit chien dort sous la vieille table pendant que les enfants jouent dans le jardin. " * 10
    documents = [Document("de", german), Document("en", (KEPT + " ") * 10), Document("fr", french)]
    batch, counts = analyse(documents, MineOptions())
    assert (counts["not English"], counts["in documents not English"]) == (2, 20)
    assert set(batch.column("document").to_pylist()) == {"en"}
    _, counts = analyse(documents, MineOptions(any_language=True))
    assert counts["not English"] == 0


def test_fates_add_up():
    documents = [Document("a", "\n\n".join(sentence for sentence, _ in CASES)), Document("b", KEPT)]
    _, counts = analyse(documents, MineOptions())
    assert sum(counts[name] for name in FATES) == counts["sentences"]
    assert counts["documents"] == 2


@pytest.mark.parametrize("text", ["", "\n\n", "...", "\x00\x01", "a" * 300_000, "word " * 60_000, "\ud800 broken"])
def test_odd_documents_do_no_harm(text):
    batch, _ = analyse([Document("a", text)], MineOptions())
    assert batch.num_rows == 0


def test_batches_are_bounded_and_keep_the_order():
    documents = [Document(str(n), "x" * 1_500_000) for n in range(7)]
    groups = list(batches(documents))
    assert [document.id for group in groups for document in group] == [str(n) for n in range(7)]
    assert max(len(group) for group in groups) == 3


def test_letters_have_one_form():
    import unicodedata

    text = "El árbol está en la montaña y la niña duerme."
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD")]
    assert forms[0] != forms[1]
    assert [list(split(Document("a", form))) for form in forms] == [[forms[0]]] * 2
