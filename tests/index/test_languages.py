"""Search in texts without spaces, with accents, with other quotation marks."""

from itertools import pairwise

import pytest

from likewise import Index, Matches

JAPANESE = [
    "東京は日本の首都である。",
    "猫は縁側で寝ている。",
    "コンピュータの記憶装置にデータを保存する。",
]
CHINESE = ["北京是中国的首都。", "我家的猫在院子里睡觉。", "计算机把数据保存在内存中。"]
THAI = ["กรุงเทพเป็นเมืองหลวงของประเทศไทย", "แมวนอนอยู่ในสวน", "คอมพิวเตอร์เก็บข้อมูลไว้ในหน่วยความจำ"]
KOREAN = ["서울은 대한민국의 수도이다.", "고양이가 마당에서 잔다.", "컴퓨터는 데이터를 메모리에 저장한다."]


@pytest.mark.parametrize(
    ("texts", "query", "found"),
    [
        (JAPANESE, "日本の首都", 0),
        (JAPANESE, "猫", 1),
        (JAPANESE, "データの保存", 2),
        (JAPANESE, "「記憶装置」", 2),
        (CHINESE, "中国首都", 0),
        (CHINESE, "猫", 1),
        (CHINESE, '"数据保存"', 2),
        (THAI, "เมืองหลวง", 0),
        (THAI, "แมว", 1),
        (THAI, "ข้อมูล", 2),
        (KOREAN, "수도", 0),
        (KOREAN, "고양이", 1),
        (KOREAN, "데이터 저장", 2),
    ],
)
def test_a_word_is_found_in_a_text_without_spaces(texts, query, found):
    index = Index.build(texts)
    hits = index.search(query)
    assert hits.ids[0] == found
    [first] = [hit for hit in hits if hit.rank == 1]
    spans = first.snippet().highlights
    assert spans
    assert all(before.end < after.start for before, after in pairwise(spans))


def test_what_is_not_there_is_not_found():
    # No pair of characters is read as another that looks like it.
    assert len(Index.build(JAPANESE).search("大阪")) == 0
    assert len(Index.build(KOREAN).search("부산")) == 0


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Das Wasser, H₂O, siedet", "h2o"),
        ("Ångström measured it", "angstrom"),
        ("unit Å of length", "A"),
        ("le café de Zürich", "zurich cafe"),
        ("a naive reader", "naïve"),
        ("Ｆｕｌｌ ｗｉｄｔｈ", "full width"),
        ("the law took effect", "“took effect”"),
        ("das Gesetz trat in Kraft", "„trat in Kraft“"),
        ("la loi est entrée en vigueur", "«entrée en vigueur»"),
    ],
)
def test_other_ways_to_write_the_same_are_found(text, query):
    index = Index.build([text, "nothing of the kind", "one more text"])
    assert index.search(query).ids[0] == 0


@pytest.mark.parametrize("marks", ["“”", "„“", "„”", "””", "«»", "»«", "‹›", "›‹", "「」", "『』", "〝〞", "＂＂"])
@pytest.mark.parametrize("space", ["", " ", "\u202f"])
def test_every_kind_of_quotation_marks_makes_a_phrase(marks, space):
    index = Index.build(["the law took effect", "in effect it took years", "it took no effect"])
    assert index.search(f"{marks[0]}{space}took effect{space}{marks[1]}").ids == [0]
    assert index.search(f"law years -{marks[0]}took effect{marks[1]}").ids == [1]


def test_the_explanation_shows_both_spellings():
    index = Index.build(["Zürich am See", "Genf am See"])
    [hit] = index.search("zurich")
    [part] = hit.explain().contributions
    assert (part.left, part.right) == ("zurich", "zürich")
    assert [span.of("Zürich am See") for span in part.right_spans] == ["Zürich"]


def test_accents_can_tell_words_apart():
    index = Index.build(["la pêche", "le péché"], measure="bm25(accents=keep)")
    assert index.search("pêche", forgive=False).ids == [0]
    assert Matches(accents="keep").score("pêche", "peche") == 0.0
