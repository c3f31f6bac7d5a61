"""Texts to terms: folding, scripts, stop words, stems, phrases, batches."""

import numpy as np
import pytest

from likewise import _core
from likewise.analyse import AnalyseOptions, Analyser
from likewise.analyse import analyser as module
from likewise.analyse.phrases import phrases
from likewise.analyse.words import smart_stop_words
from likewise.errors import InputError


def terms(text, **options):
    analyser = Analyser(AnalyseOptions(**options))
    return [analyser.term(term) for term in analyser.terms([text]).terms]


FOLDING = [
    ("Straße STRASSE", ["strasse", "strasse"]),
    ("ΣΊΣΥΦΟΣ Σίσυφος", ["σίσυφοσ", "σίσυφοσ"]),
    ("İ i ı I", ["i̇", "i", "ı", "i"]),
    ("cafe\u0301 CAFÉ", ["café", "café"]),
    ("ﬁne", ["fine"]),
    ("Ångström Å", ["ångström", "å"]),
    ("naïve_text x-ray 3.14 a1b2", ["naïve", "text", "x", "ray", "3", "14", "a1b2"]),
    ("Привет, МИР!", ["привет", "мир"]),
    ("مَرْحَبًا بالعالم", ["مَرْحَبًا", "بالعالم"]),
    ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
    ("Ⅷ ½ ²", ["ⅷ", "½", "²"]),
    ("東京に行く。楽しい", ["東京に行く", "楽しい"]),
    ("สวัสดี ครับ", ["สวัสดี", "ครับ"]),
    ("한국어를 배웁니다", ["한국어를", "배웁니다"]),
    ("emoji🙂between👍🏽words", ["emoji", "between", "words"]),
    ("", []),
    ("—…", []),
]


@pytest.mark.parametrize(("text", "expected"), FOLDING)
def test_terms_are_folded_runs_of_letters_marks_and_numbers(text, expected):
    assert terms(text, accents="keep", unspaced="run") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("東京 abc", ["東", "東京", "京", "abc"]),
        ("猫", ["猫"]),
        ("あ abc", ["あ", "abc"]),
        ("ไป x", ["ไป", "x"]),
        ("ดี", ["ดี"]),
        ("ที่นี่", ["ที่นี่"]),
        ("カメラとpython3で", ["カメ", "メラ", "ラと", "python3", "で"]),
        ("東京に行く。楽", ["東", "東京", "京", "京に", "に行", "行", "行く", "楽"]),
        ("人々は2024年", ["人", "人々", "々", "々は", "2024", "年"]),
        ("한국어를 배워", ["한국", "국어", "어를", "배워"]),
        ("がﾊﾟ", ["がパ"]),
    ],
)
def test_scripts_without_spaces_are_cut_into_pairs(text, expected):
    assert terms(text) == expected


def test_pairs_have_the_spans_of_their_characters():
    text = "🙂ab東京に ดีๆ"
    rows = Analyser().terms([text], positions=True)
    assert [span.of(text) for _, span in rows.spans(0)] == ["ab", "東", "東京", "京", "京に", "ดีๆ"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Crème Brûlée Ñandú Å Łódź Øre Þór", ["creme", "brulee", "nandu", "a", "lodz", "ore", "thor"]),
        ("H₂O x² Ⅷ ½ ﬁne Ａｂｃ", ["h2o", "x2", "viii", "½", "fine", "abc"]),
        ("İ ı Việt Nam", ["i", "i", "viet", "nam"]),
        ("Σίσυφος ἀρχή", ["σισυφοσ", "αρχη"]),
        ("ёлка Йод", ["елка", "йод"]),
        ("مَرْحَبًا أحمد", ["مرحبا", "احمد"]),
        ("שָׁלוֹם", ["שלום"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),
        ("cafe\u0301 q\u0303 \u0301", ["cafe", "q", "\u0301"]),
    ],
)
def test_accents_and_forms_of_letters_fold(text, expected):
    assert terms(text) == expected


def test_stemmers_see_the_accents_of_their_language():
    assert terms("Häuser", stem="german") == terms("Haus", stem="german") == ["haus"]
    assert terms("élèves", stem="french") == terms("eleves", stem="french") == ["elev"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The cat isn't here", ["cat"]),
        ("They’ve seen DON’T panic", ["panic"]),
        ("rock'n'roll o'clock", ["rock", "roll", "clock"]),
        ("it's the dog's bone", ["dog", "bone"]),
        ("isn' t 'twas", ["isn", "twas"]),
    ],
)
def test_smart_stop_words_with_apostrophes(text, expected):
    assert terms(text, stop="smart") == expected


def test_every_smart_stop_word_disappears():
    assert terms(" ".join(sorted(smart_stop_words())), stop="smart") == []


def test_own_stop_words_are_folded():
    assert terms("Der Hund und die Katze", stop=("DER", "die", "und")) == ["hund", "katze"]
    assert terms("Qu’est-ce", stop=("qu'est",)) == ["ce"]


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [
        ("porter", "retrieval", "retriev"),
        ("english", "generously", "generous"),
        ("german", "Häuser", "haus"),
        ("russian", "книги", "книг"),
    ],
)
def test_stems_in_many_languages(language, word, stem):
    assert terms(word, stem=language) == [stem]


def test_stop_words_are_looked_up_before_stemming():
    # "being" is on the list; its stem "be" is what a look-up afterwards would need.
    assert terms("Being beings", stop=("being",), stem="porter") == ["be"]


def test_ids_do_not_depend_on_threads():
    texts = [f"word{i * 7919 % 4999} other{i % 311} Straße{i % 17} " * 20 for i in range(3000)]
    results = []
    for threads in (1, 2, 8):
        analyser = Analyser()
        rows = analyser.terms(texts, threads=threads, positions=True)
        results.append(
            (rows.terms.tobytes(), rows.indptr.tobytes(), rows.starts.tobytes(), analyser.vocabulary.terms())
        )
    assert results[0] == results[1] == results[2]


@pytest.mark.parametrize("size", [1, 7, 60])
def test_parts_give_what_the_whole_gives(monkeypatch, size):
    texts = ["", "the red house", "don't", "red roofs", "x" * 50, "", "a house, the house", "it isn't"]
    whole = Analyser(AnalyseOptions(stop="smart"))
    expected = whole.terms(texts)
    monkeypatch.setattr(module, "_PART", size)
    parts = Analyser(AnalyseOptions(stop="smart"))
    rows = parts.terms(texts)
    assert (rows.terms.tolist(), rows.indptr.tolist()) == (expected.terms.tolist(), expected.indptr.tolist())
    assert parts.vocabulary.terms() == whole.vocabulary.terms()


def test_spans_in_characters():
    text = "é🙂 naïve x"
    buffer, offsets = _core.pack([text])
    tokens = _core.Vocabulary().tokenise(buffer, offsets, spans=True)
    words = [text[a:b] for a, b in zip(tokens.char_starts, tokens.char_ends, strict=True)]
    assert words == ["é", "naïve", "x"]


def test_broken_utf8_in_the_buffer_separates():
    buffer = np.frombuffer(b"ab\xff\xfecd \xe2\x82 ef\xf0", dtype=np.uint8)
    vocabulary = _core.Vocabulary()
    vocabulary.tokenise(buffer, np.array([0, len(buffer)]))
    assert vocabulary.pending_words() == ["ab", "cd", "ef"]


@pytest.mark.parametrize("texts", ["one string", 7, [[1]], [b"bytes"]])
def test_wrong_types(texts):
    with pytest.raises(InputError):
        Analyser().terms(texts)


PHRASES = [
    ("exact match of values", {"exact match", "match of", "of values"}, {}),
    ("exact match of values", {"exact match"}, {"stop": "smart"}),
    ("The end. Start here", {"the end", "start here"}, {}),
    ("Dr. Smith e.g. 3.5 km", {"dr smith", "smith e", "e g", "g 3", "3 5", "5 km"}, {}),
    ("word", set(), {}),
    ("", set(), {}),
]


@pytest.mark.parametrize(("text", "expected", "options"), PHRASES)
def test_phrases_are_adjacent_within_a_sentence(text, expected, options):
    analyser = Analyser(AnalyseOptions(**options))
    found = phrases(analyser, analyser.terms([text], positions=True), [text])
    assert {analyser.term(phrase) for phrase in found.phrases} == expected


def test_phrases_can_reach_over_stop_words():
    analyser = Analyser(AnalyseOptions(stop="smart"))
    rows = analyser.terms(["match of values"], positions=True)
    assert len(phrases(analyser, rows).phrases) == 0
    assert [analyser.term(p) for p in phrases(analyser, rows, skip_dropped=True).phrases] == ["match values"]


@pytest.mark.parametrize("options", [{}, {"stop": "english", "stem": "porter"}])
def test_words_can_be_forgotten_and_terms_stay(options, monkeypatch):
    monkeypatch.setattr(module, "_WORDS", 3)
    text = "Don't stop the retrieval: Zürich retrieved RED and red fish, fishes"
    analyser = Analyser(AnalyseOptions(**options))
    before = analyser.terms([text]).terms.tolist()
    terms, words = analyser.vocabulary.terms(), analyser.vocabulary.word_count
    assert analyser.vocabulary.terms(1, 3) == terms[1:3]
    buffer, offsets = _core.pack([text])
    tokens = analyser.vocabulary.tokenise(buffer, offsets)
    analyser.forget_words()
    assert analyser.vocabulary.word_count == 0
    with pytest.raises(ValueError, match="the tokens are of another vocabulary"):
        analyser.vocabulary.terms_of(tokens)
    assert analyser.terms([text]).terms.tolist() == before
    assert analyser.vocabulary.terms() == terms
    assert analyser.vocabulary.word_count == words
    few = Analyser(AnalyseOptions(**options))
    few.terms(["red"])
    few.forget_words()
    assert few.vocabulary.word_count == 1
