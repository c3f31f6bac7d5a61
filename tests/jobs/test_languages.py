"""Goldens in ten languages and more: which language it is, its stop words, stems and sentences."""

import pytest

from likewise.analyse import AnalyseOptions, Analyser
from likewise.analyse.words import spoken
from likewise.errors import OptionError
from likewise.jobs.collect import CollectOptions
from likewise.jobs.index_paths import _sample, index_paths, languages_said
from likewise.jobs.link import link
from likewise.jobs.match import match
from likewise.languages import detect, language, languages
from likewise.measure.arguments import MeasureOptions
from likewise.read import ReadOptions
from likewise.segment import sentences

# Their function words are cut like all others.
UNSPACED = {"ja", "ko", "th", "zh"}
# Language -> two sentences about a house and a cat, and their terms without stop words, stemmed, accents folded.
GOLDEN = {
    "english": (
        "The old houses stand at the edge of the town. Their cats are not sleeping.",
        "hous stand edg town cat sleep",
    ),
    "german": (
        "Die alten Häuser stehen am Rand der Stadt. Ihre Katzen schlafen z. B. nicht.",
        "alt haus steh rand stadt katz schlaf z b",
    ),
    "french": (
        "Les vieilles maisons se dressent au bord de la ville. Leurs chats ne dorment pas.",
        "vieil maison dressent bord vill chat dorment",
    ),
    "spanish": (
        "Las casas viejas están en el borde de la ciudad. Sus gatos no duermen.",
        "cas viej bord ciud gat duerm",
    ),
    "italian": (
        "Le vecchie case stanno ai margini della città. I loro gatti non dormono.",
        "vecc cas stann margin citt gatt dorm",
    ),
    "portuguese": (
        "As casas velhas ficam na beira da cidade. Os seus gatos não dormem.",
        "cas velh fic beir cidad gat dorm",
    ),
    "dutch": (
        "De oude huizen staan aan de rand van de stad. Hun katten slapen niet.",
        "oude huis staan rand stad kat slaap",
    ),
    "russian": (
        "Старые дома стоят на краю города. Их кошки не спят.",
        "стар дом сто кра город кошк спят",
    ),
    "swedish": (
        "De gamla husen står i utkanten av staden. Deras katter sover inte.",
        "gaml hus star utkant stad katt sov",
    ),
    "turkish": (
        "Eski evler şehrin kenarında duruyor ve çok büyük. Ama kediler hiç uyumuyor.",
        "eski ev sehr kenar duruyor buyuk kedi uyumuyor",
    ),
    "finnish": (
        "Vanhat talot ovat kaupungin laidalla. Niiden kissat eivät nuku.",
        "vanh talo kaupung laida kis nuku",
    ),
    "japanese": (
        "古い家は町の外れにある。猫は寝ていない。",
        "古 古い い家 家 家は は町 町 町の の外 外 外れ れに にあ 猫 猫は は寝 寝 寝て てい いな ない",
    ),
    "chinese": (
        "老房子在城边。猫没有睡觉。",
        "老 老房 房 房子 子 子在 在城 城 城边 边 猫 猫没 没 有睡 睡 睡觉 觉",
    ),
    "korean": (
        "오래된 집들이 도시 끝에 있다. 고양이는 자지 않는다.",
        "오래 래된 집들 들이 도시 끝에 고양 양이 이는 자지 않는 는다",
    ),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_goldens(name):
    text, terms = GOLDEN[name]
    found = detect([text])
    assert found is not None
    assert found.name == name
    spans = sentences(text, found.code)
    assert len(spans) == 2
    assert [text[span.start : span.end] for span in spans] == [span.of(text) for span in spans]
    stop, stem = spoken(found)
    analyser = Analyser(AnalyseOptions(stop=stop, stem=stem))
    rows = analyser.terms([text], positions=True)
    assert [analyser.term(term) for term in rows.terms] == terms.split()
    # Every term stands where its span says.
    for term, span in rows.spans(0):
        assert analyser.term(term) in [analyser.term(one) for one in analyser.terms([span.of(text)]).terms]


@pytest.mark.parametrize("one", languages().values(), ids=lambda one: one.name)
def test_every_language_knows_its_own_words(one):
    assert len(one.words) >= 30
    assert detect([" ".join(sorted(one.words))]) in (one, languages()["id"])  # Malay is nearly Indonesian
    stop, stem = spoken(one)
    assert AnalyseOptions(stop=stop, stem=stem).stop == one.name
    if one.code not in {"en", *UNSPACED}:
        assert Analyser(AnalyseOptions(stop=one.code)).terms([" ".join(one.words)]).terms.tolist() == []


@pytest.mark.parametrize(("name", "code"), [("German", "de"), ("pt_BR", "pt"), ("zh-TW", "zh"), ("nb", "no")])
def test_names_of_languages(name, code):
    assert language(name).code == code


def test_an_unknown_language_is_refused_with_those_that_are_known():
    with pytest.raises(OptionError, match=r"language must be one of .*german \(de\).*, not 'klingon'"):
        language("klingon")


@pytest.mark.parametrize("text", ["", "12 34", "Ada Lovelace", "x = f(y); return 0", "🙂"])
def test_what_has_too_few_words_is_of_no_language(text):
    assert detect([text]) is None


def test_single_letters_that_mean_something_survive_stop_lists():
    def terms(text, stop):
        analyser = Analyser(AnalyseOptions(stop=stop))
        return [analyser.term(term) for term in analyser.terms([text]).terms]

    assert terms("vitamin D and T cells", "english") == ["vitamin", "d", "t", "cells"]
    assert terms("Vitamin D und T-Zellen", "german") == ["vitamin", "d", "t", "zellen"]
    assert terms("la vitamina C y las células T", "spanish") == ["vitamina", "c", "celulas", "t"]


GERMAN = [
    "Die Katzen schlafen im Garten hinter dem alten Haus, und der Hund bewacht sie.",
    "Im Garten hinter den alten Häusern schläft eine Katze, die der Hund bewachte.",
    "Das Parlament hat das neue Gesetz über die Steuern nach langer Debatte nicht beschlossen.",
]


def test_link_detects_the_language_and_uses_its_stems():
    found = link(GERMAN, preset="21", n=1)
    assert found.options["language"] == "german"
    [best] = found
    assert (best.left, best.right) == (0, 1)
    assert {"katz", "gart", "haus"} <= {entry.term for entry in found.shared(best)}
    assert link(GERMAN, preset="21", n=1, language="en", faithful=True).options["language"] == "en"


ENGLISH = [
    "The cats are sleeping in the garden behind the old house, and the dog is guarding them. It is a quiet place.",
    "In the garden behind the old houses a cat sleeps, which was guarded by the dog. There are no other animals.",
    "Parliament has not passed the new law on taxes after a long debate, and it will be voted on again in May.",
]
JAPANESE = ["猫は古い家の裏の庭で寝ている。犬は猫を見張っている。", "古い家の裏の庭で猫が寝ている。犬が見張っていた。"]


def test_link_takes_each_document_in_its_own_language():
    """Stems and stop words of one language harm the others; a name without a sentence is in that of most."""
    said = "Das ist nicht neu, aber es ist wahr, und wir haben es so gesehen, wie es nun auch in dem Buch steht."
    german = [f"{text} {said}" for text in GERMAN]
    longer = "This has been said before, and it is what they will say when we have come back from the town. " * 6
    texts = [*ENGLISH[:2], ENGLISH[2] + " " + longer, *german, *JAPANESE, "Ada Lovelace"]
    found = link(texts, preset="21", n=3, min_terms=1)
    assert found.options["language"] == "english"
    assert found.book.languages == (*["en"] * 3, *["de"] * 3, *["ja"] * 2, "en")
    linked = {(found.unit(one.left).document, found.unit(one.right).document): one for one in found}
    assert {(0, 1), (3, 4), (6, 7)} <= linked.keys()
    terms = {pair: {entry.term for entry in found.shared(one)} for pair, one in linked.items()}
    assert {"sleep", "hous", "guard"} <= terms[0, 1]
    assert {"katz", "gart", "haus"} <= terms[3, 4]
    assert not {"der", "die", "und", "the"} & set().union(*terms.values())
    # A term stands where its span says, whatever the language of the text before it.
    for pair, one in linked.items():
        for entry in found.shared(one):
            for number, spans in zip(pair, (entry.left, entry.right), strict=True):
                assert all(span.of(texts[number])[:3].casefold() == entry.term[:3] for span in spans if number < 3)
    one = link(texts, preset="21", n=3, language="english")
    assert one.book.languages == ()


def test_a_page_of_a_few_foreign_words_stays_in_the_language_of_most():
    quoting = "He said: der Hund und die Katze sind nicht im Haus. The others did not know what it was about. " * 3
    assert link([*ENGLISH, quoting], preset="21", n=1).book.languages == ()


def test_a_word_counts_once_though_its_pairs_of_characters_are_terms(monkeypatch):
    """Else links in such scripts are strong by the number of terms alone."""
    from likewise.languages import Language

    plain = link(JAPANESE, min_strength=-9.0, min_terms=1, min_matches=1)
    monkeypatch.setattr(Language, "terms_per_word", 1)
    each = link(JAPANESE, min_strength=-9.0, min_terms=1, min_matches=1)
    assert [one.score for one in plain] == [one.score for one in each]
    assert plain.links[0].strength < each.links[0].strength - 0.2


def test_an_index_in_a_language_finds_inflected_words_and_cuts_its_sentences(tmp_path):
    (tmp_path / "a.txt").write_text("猫は寝ている。犬は走る。", encoding="utf-8")
    (tmp_path / "b.txt").write_text(" ".join(GERMAN), encoding="utf-8")
    japanese = index_paths(tmp_path / "a.txt", tmp_path / "ja", unit="sentence")
    assert len(japanese) == 2
    german = index_paths(tmp_path / "b.txt", tmp_path / "de", unit="sentence", language="de")
    assert str(german.measure) == "bm25(k1=1.2, b=0.75, stop=german, stem=german)"
    assert sorted(german.search("Haus").ids) == ["b.txt#1", "b.txt#2"]
    with pytest.raises(OptionError, match="its own analysis"):
        index_paths(tmp_path / "b.txt", tmp_path / "no", measure="bm25(stem=porter)", language="de")


def test_an_index_of_sentences_detects_their_language_and_one_of_names_does_not(tmp_path):
    (tmp_path / "b.txt").write_text("\n\n".join(f"{text} Das ist nicht neu, aber es ist wahr." for text in GERMAN))
    (tmp_path / "names.csv").write_text("name\nThe Who\nThe The\nMary of Scotland\nA Man at the Door\n")
    found = index_paths(tmp_path / "b.txt", tmp_path / "de", unit="paragraph")
    assert str(found.measure) == "bm25(k1=1.2, b=0.75, stop=german, stem=german)"
    nothing = found.search("was ist das")
    assert repr(nothing) == "Hits(0 hits; every word of the query is on the stop list german)"
    assert str(index_paths(tmp_path / "b.txt", tmp_path / "as", measure="bm25").measure) == "bm25(k1=1.2, b=0.75)"
    names = index_paths(tmp_path / "names.csv", tmp_path / "names")
    assert [hit.text for hit in names.search("the who", top=1)] == ["The Who"]


@pytest.mark.parametrize(("german", "spoken"), [(40, "german"), (32, "german"), (12, None)])
def test_documents_in_many_languages_have_no_stems_of_one_of_them(tmp_path, german, spoken):
    """The German ones come first by name, as of a manual in ten languages."""
    others = [GOLDEN[name][0] for name in ("english", "french", "spanish", "dutch")]
    for number in range(40):
        text = GERMAN[number % 3] if number < german else others[number % 4]
        (tmp_path / f"{number:02}.txt").write_text(text, encoding="utf-8")
    index = index_paths(tmp_path, tmp_path.parent / "index")
    assert index.measure.options.stop == spoken
    said = languages_said(index)
    if german == 40:
        assert said.startswith("language: german (detected;")
        assert "languages" not in index.settings
    elif spoken:
        assert said.startswith("language: german (detected in samples: german 1")
    else:
        assert said.startswith("language: several (detected in samples: ")
        assert len(index.settings["languages"]) >= 3
    again = index_paths(tmp_path / "00.txt", tmp_path.parent / "index", remove=["00.txt"])
    assert (len(again), again.settings) == (40, index.settings)


def test_pictures_and_style_sheets_take_no_place_of_a_sample(tmp_path):
    """A page of English comes first, and of ten files nine hold no text, as in a folder of Web pages."""
    for number in range(300):
        (tmp_path / f"{number:03}.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    (tmp_path / "0.txt").write_text(f"{GOLDEN['english'][0]} " * 400, encoding="utf-8")
    for number in range(30):
        (tmp_path / f"{number:03}.txt").write_text(f"{GERMAN[number % 3]} Das ist nicht neu.", encoding="utf-8")
    index = index_paths(tmp_path, tmp_path.parent / "index")
    assert index.measure.options.stop == "german"
    assert len(_sample([tmp_path], CollectOptions(unit="section"), ReadOptions())) >= 15


@pytest.mark.parametrize("unit", ["section", "paragraph", "sentence"])
def test_a_book_that_begins_with_titles_has_a_language_in_every_unit(tmp_path, unit):
    titles = "".join(f"# Teil {number}\n\n" for number in range(30))
    (tmp_path / "a.md").write_text(f"{titles}{' '.join(GERMAN)}\n", encoding="utf-8")
    index = index_paths(tmp_path / "a.md", tmp_path / "index", unit=unit)
    assert "stem=german" in str(index.measure)


def test_a_measure_takes_a_language_by_name():
    assert (
        str(MeasureOptions(measure="tfidf", language="fr").build()) == "tfidf(weights=tfidf, stop=french, stem=french)"
    )
    assert str(MeasureOptions(measure="tfidf", language="ja").build()) == "tfidf(weights=tfidf, stop=japanese)"
    assert str(MeasureOptions(measure="tfidf", stop="de").build()) == "tfidf(weights=tfidf, stop=de)"


def test_sentences_without_spaces_are_texts_and_are_linked():
    found = link(
        [
            "東京は日本の首都であり、人口が多い大都市である。経済の中心でもある。",
            "日本の首都である東京は、経済の中心で人口の多い大都市だ。",
            "猫は縁側で寝ている。犬は庭で走り回っている。",
        ],
        preset="21",
        n=1,
    )
    assert found.options["language"] == "japanese"
    assert [(one.left, one.right) for one in found] == [(0, 1)]


def test_names_in_other_scripts_are_matched():
    left = ["東京大学", "Пётр Чайковский", "Łódź", "ก่อสร้างไทย"]
    right = ["Lodz", "Чайковский Петр", "บริษัท ก่อสร้างไทย", "東京大學"]
    assert [one.right for one in match(left, right, top=1)] == [3, 1, 0, 2]


def test_records_are_compared_by_stems_of_their_language():
    left, right = ["Die Häuser der Stadt", "Der alte Baum"], ["Haus einer Stadt", "Bäume, alt"]
    plain, german = match(left, right, top=1), match(left, right, top=1, language="de")
    assert [one.score for one in german] == [1.0, 1.0]
    assert max(one.score for one in plain) < 0.6
    assert "stop=german, stem=german" in str(german.measure)
    assert [one.score for one in match(left, right, top=1, language="de", engine="duckdb")] == [1.0, 1.0]
    with pytest.raises(OptionError, match="has its own analysis"):
        match(left, right, top=1, language="de", measure="tfidf(stem=porter)")
