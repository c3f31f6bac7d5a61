import gzip
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise._core import TaggerModel, penn_flags
from likewise.analyse.tagger import PerceptronTagger, foreign_tagger, model, tag_numbers, tokenise
from likewise.errors import OptionError

TOKENS = [
    ("It's a dog's life.", "It 's a dog 's life ."),
    ("Don't, can't, won't and cannot", "Do n't , ca n't , wo n't and can not"),
    ("He can’t go", "He ca n’t go"),
    ("the U.S. and the U.K. agree", "the U.S. and the U.K. agree"),
    ("made in the U.S.", "made in the U.S."),
    ("Mr. J. Smith of Inc. fame", "Mr. J. Smith of Inc. fame"),
    ("It was a no.", "It was a no ."),
    ("e.g. this, i.e. that etc.", "e.g. this , i.e. that etc ."),
    ("1,000.50 at 10:30 in 1990s", "1,000.50 at 10:30 in 1990s"),
    ("well-known AT&T e-mail", "well-known AT&T e-mail"),
    ("and/or (see [1])", "and / or ( see [ 1 ] )"),
    ("wait... what?! --- no", "wait ... what ? ! --- no"),
    ("see http://a.org/b.html, or me@a.org.", "see http://a.org/b.html , or me@a.org ."),
    ("in /usr/lib/x.so, ~/notes (usr/share/doc) at 5 km/h", "in /usr/lib/x.so , ~/notes ( usr/share/doc ) at 5 km / h"),
    ('"Yes," she said', '" Yes , " she said'),
    ("$5 – 7%", "$ 5 – 7 %"),
    ("", ""),
    ("naïve Ærøskøbing Москва", "naïve Ærøskøbing Москва"),
]


@pytest.mark.parametrize(("text", "tokens"), TOKENS)
def test_tokens(text, tokens):
    assert [span.of(text) for span in tokenise(text)] == tokens.split()


@given(st.text())
def test_tokens_cover_the_text_in_order(text):
    spans = tokenise(text)
    end = 0
    for span in spans:
        assert span.start >= end
        assert span.of(text)
        end = span.end
    kept = sum(len(span) for span in spans)
    assert kept >= sum(character.isalnum() for character in text)


@pytest.mark.parametrize(
    ("word", "flags"),
    [("the", 5), ("The", 17), ("1990", 3), ("1990s", 1), (",", 0), ("x" * 31, 13), ("ß" * 30, 5), ("'s", 1)],
)
def test_flags(word, flags):
    assert penn_flags(word) & 31 == flags


def test_tags_of_a_sentence():
    text = "Together they form the Platte River, which eventually flows into the Gulf of Mexico."
    tags = PerceptronTagger().tag([[span.of(text) for span in tokenise(text)]])[0]
    assert " ".join(tags) == "RB PRP VBP DT NNP NNP , WDT RB VBZ IN DT NNP IN NNP ."


def test_tagging_does_not_depend_on_what_was_tagged_before():
    sentences = [[f"w{n % 7}", "runs", "home", str(n), "."] for n in range(50)] + [["Time", "flies"]]
    together = PerceptronTagger().tag(sentences)
    shuffled = list(range(len(sentences)))
    random.Random(3).shuffle(shuffled)
    tagger = PerceptronTagger()
    for n in shuffled:
        assert tagger.tag([sentences[n]])[0] == together[n]


def test_no_words_no_tags():
    assert PerceptronTagger().tag([[], ["Yes"]])[0] == []


def test_a_foreign_tagger_speaks_in_numbers():
    class Upper:
        def tag(self, sentences):
            return [["NNP" if word[0].isupper() else "???" for word in words] for words in sentences]

    names = model().tags
    assert [names[n] for n in tag_numbers(Upper(), [["Ada", "ran"], ["Bob"]])] == ["NNP", "FW", "NNP"]


def test_a_foreign_tagger_must_give_a_tag_for_every_word():
    class Short:
        def tag(self, sentences):
            return [["NN"] for _ in sentences]

    with pytest.raises(OptionError, match="Short gave another number of tags"):
        tag_numbers(Short(), [["Ada", "ran"]])


@pytest.mark.parametrize(
    "source", [None, "nowhere", "no_such_module:Tagger", "likewise.analyse.tagger:Nobody", "json:loads"]
)
def test_a_tagger_that_is_not_there_is_an_error_in_words(source):
    with pytest.raises(OptionError, match="tagger_from must be the module:name of a tagger"):
        foreign_tagger("own", source)


CORPUS = [(["The", "dog", "barks"], ["DT", "NN", "VBZ"]), (["Dogs", "bark"], ["NNS", "VBP"])] * 20


def train(seed=1):
    names = sorted({tag for _, tags in CORPUS for tag in tags})
    offsets = [0]
    for words, _ in CORPUS:
        offsets.append(offsets[-1] + len(words))
    return TaggerModel.train(
        [word for words, _ in CORPUS for word in words],
        [names.index(tag) for _, tags in CORPUS for tag in tags],
        offsets, names, epochs=3, seed=seed, dictionary_count=99, dictionary_share=0.99, smallest_weight=1,
    )  # fmt: skip


def test_training_gives_the_same_bytes_and_learns():
    from likewise._core import Tagger

    weights = train()
    assert weights == train()
    made = TaggerModel(weights)
    assert [made.tags[n] for n in Tagger(made).tag(["The", "dog", "barks"])] == ["DT", "NN", "VBZ"]


@pytest.mark.parametrize("damage", [b"", b"nonsense", train()[:-5], train()[:40]])
def test_damaged_weights_are_refused(damage):
    with pytest.raises(ValueError):
        TaggerModel(damage)


@pytest.mark.data
def test_accuracy_on_text_not_trained_on(data):
    path = data / "tagging" / "en_ewt-ud-test.conllu.gz"
    sentences, gold = [[]], [[]]
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            cells = line.split("\t")
            if len(cells) > 4 and cells[0].isdigit():
                sentences[-1].append(cells[1])
                gold[-1].append(cells[4])
            elif not line.strip() and sentences[-1]:
                sentences.append([])
                gold.append([])
    found = [tag for tags in PerceptronTagger().tag(sentences) for tag in tags]
    truth = [tag for tags in gold for tag in tags]
    assert sum(map(str.__eq__, found, truth)) / len(truth) >= 0.94
    proper = [(a.startswith("NNP"), b.startswith("NNP")) for a, b in zip(found, truth, strict=True)]
    both = sum(a and b for a, b in proper)
    assert 2 * both / sum(a + b for a, b in proper) >= 0.86
