"""From documents to links and their outputs."""

import json
import pydoc_data.topics
import xml.etree.ElementTree as ElementTree

import pytest
from tests.jobs.link.books import TOPICS, topics

from likewise.errors import FormatError, OptionError
from likewise.jobs.link import LinkOptions, link
from likewise.jobs.link.book import make_book
from likewise.jobs.link.sentences import _STAMP
from likewise.read import Document


def test_code_can_be_linked_and_english_can_be_left():
    code = "Do so:\n\n    total = price + tax_rate * price;\n    print(total, currency);\n"
    documents = [Document(str(n), code) for n in range(2)] + [Document("x", "Nothing of the kind is here.")]
    options = {"preset": "21", "n": 1, "copies": "keep", "boilerplate": False, "min_terms": 3}
    assert [unit.kind for unit in link(documents, roles=("code",), **options).book.units] == ["code", "code"]
    assert len(link(documents, roles=("code", "body", "body-code"), **options)) == 1
    assert LinkOptions(stop="none", stem="none").stem is None


def test_whole_documents_can_be_linked(tmp_path):
    entries = [
        Document("1", "soup\n\n   A hot dish boiled from bones.\n\n   Bones and vegetables boil for hours."),
        Document("2", "stock\n\n   What soup is made of: bones boiled for hours.\n\n   (1995-01-01)"),
        Document("3", "bread\n\n   Baked from dough.\n\n   Dough rises in a warm place."),
    ]
    found = link(entries, unit="document", preset="21", n=1)
    assert [unit.id for unit in found.book.units] == ["1", "2", "3"]
    assert [(x.left, x.right) for x in found] == [(0, 1)]
    assert found.unit(0).title_sentences == 1
    assert found.unit(0).titles == ("soup",)
    found.to_html(tmp_path / "book.html")
    assert 'id="u2"' in (tmp_path / "book.html").read_text()


@pytest.mark.parametrize(
    "texts",
    [
        [],
        [""],
        ["One paragraph only."],
        ["no sentence ends " * 40],
        ["word"],
        ["Same text here again.\n\n" * 3],
        ["1 2 3 4 5 6 7\n\n1 2 3"],
    ],
)
def test_odd_books(texts, tmp_path):
    found = link([Document(f"d{n}", text) for n, text in enumerate(texts)])
    for ending in ("html", "jsonl", "csv", "parquet", "graphml"):
        found.write(tmp_path / f"out.{ending}")
        assert (tmp_path / f"out.{ending}").exists()
    found.write(tmp_path / "markdown")


def test_one_paragraph_of_five_megabytes():
    text = "alpha beta gamma delta epsilon zeta eta theta iota kappa " * 90_000
    found = link(
        [Document("big", text), Document("small", "Alpha beta gamma delta and epsilon zeta eta theta iota kappa.")]
    )
    assert len(found) <= 1


def test_outputs(tmp_path):
    found = link(topics(), n=40)
    assert len(found) > 5
    found.to_jsonl(tmp_path / "a.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text(encoding="utf-8").splitlines()]
    texts = {document.id: document.text for document in found.book.documents}
    for row, entry in zip(rows, found, strict=True):
        left = texts[row["left"].rsplit(":", 1)[0]]
        assert left[slice(*row["left_span"])] == row["left_text"]
        for term in row["terms"]:
            for start, end in term["left"]:
                assert term["term"][0] == left[start:end].casefold()[0]
        for pair, numbers in zip(row["sentences"], entry.sentences, strict=True):
            assert left[slice(*pair["left"])] == found.book.sentence(entry.left, numbers.left)
    table = found.to_arrow()
    assert table.column_names[:4] == ["left", "right", "score", "rank"]
    found.to_graphml(tmp_path / "a.graphml")
    graph = ElementTree.parse(tmp_path / "a.graphml").getroot()
    assert len(graph.findall(".//{*}edge")) == len(found)
    with pytest.raises(FormatError, match="name"):
        found.write(tmp_path / "a.xyz")


def test_the_same_links_for_any_number_of_threads():
    one = link(topics(), threads=1)
    assert list(one) == list(link(topics(), threads=2))


def test_a_misspelt_option_is_refused_in_words():
    with pytest.raises(OptionError, match="unknown option 'tpo'"):
        link(topics(), tpo=3)


def test_the_result_says_what_it_is():
    assert repr(link(topics(), preset="21", n=3, copies="drop")) == "Links(3 between 113 passages of 10 documents)"


def test_capitals_that_stand_alone_count_and_two_short_texts_are_enough():
    skin = "Vitamin D is made in the skin by light, and the kidney turns it into its active form."
    kidney = "The kidney makes the active form of vitamin D, which the skin made by light."
    found = link([Document("skin", skin), Document("kidney", kidney)])
    assert [(x.left, x.right) for x in found] == [(0, 1)]
    assert "vitamin d" in {entry.term for entry in found.shared(found[0])}


@pytest.mark.parametrize(
    ("documents", "options", "why"),
    [
        ([], {}, "no document"),
        (["print(1);\n    x = 2;\n"], {"roles": ("caption",)}, "roles: caption"),
        (["Short text.", "Another short text."], {}, "min_terms"),
        (
            ["Apples ripen slowly along garden walls facing south.", "Ships carry copper, timber, wool across oceans."],
            {},
            "share",
        ),
        (TOPICS[:1], {"min_matches": 99}, "min_matches"),
    ],
)
def test_an_empty_result_says_why(documents, options, why):
    texts = [pydoc_data.topics.topics.get(text, text) for text in documents]
    found = link([Document(str(n), text) for n, text in enumerate(texts)], **options)
    assert len(found) == 0
    assert why in found.notes[0]


def test_a_title_goes_with_the_first_passage_below_it_that_may_be_linked():
    soup = "1 Soup\n\nFor more see Section 7.\n\nSoup is boiled from bones."
    text = f"{soup}\n\n2 Bread\n\nSee Section 8.\n\n2.1 Rye\n\nRye is dark."
    book = make_book([Document("a", text)], None, LinkOptions())
    found = [[span.of(text) for span in unit.sentences] for unit in book.units]
    assert found == [["1 Soup", "Soup is boiled from bones."], ["2 Bread", "2.1 Rye", "Rye is dark."]]
    assert [unit.span.of(text) for unit in book.units] == ["Soup is boiled from bones.", "2.1 Rye\n\nRye is dark."]


def test_dates_are_evidence_and_longer_numbers_stay_whole():
    texts = ["Released on 2024-01-15 with soup.", "The soup of 2024-01-15 was hot."]
    found = link([*texts, "Number 1234-56-789 is mine."], preset="21", min_terms=1)
    assert {"2024", "01", "15"} & {entry.term for entry in found.shared(found[0])}
    assert {"1234", "56", "789"} <= set(found.evidence._terms.analyser.vocabulary.terms())


def test_documents_of_which_nothing_is_linked_are_named(tmp_path):
    for name, text in {"a.md": "# Soup\n\nSoup is hot.", "b.md": "# Acknowledgements\n\nI thank Ann and Bob."}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    notes = link(tmp_path, language="english").notes
    assert "documents of which nothing is linked, by their roles: b.md (front, passages: 1) (see roles)" in notes
    assert not any("roles" in note for note in link(tmp_path / "a.md", language="english").notes)


def test_addresses_are_found_in_one_pass():
    """A word of a million letters without an address: to look for one from each of its letters took hours."""
    text = "mail ada@example.org, or <ada.b@x.co.uk>. see www.x.org/a b@c"
    assert _STAMP.sub("#", text) == "mail #, or #>. see # b@c"
    for word in ("<a>", "a@", "a.", "(version 1"):
        assert _STAMP.sub("#", word * 300_000) == word * 300_000


def test_numbers_of_sections_come_after_the_words_that_are_shared():
    texts = [f"8.1.2 Soup {verb} in the old pot since 1990." for verb in ("boils", "waits")]
    [best] = found = link([*texts, "Nothing of the kind."], preset="21", min_terms=1)
    terms = [entry.term for entry in found.shared(best)]
    assert {"8", "1", "2", "1990", "soup", "pot", "8 1"} <= set(terms)
    assert terms == sorted(terms, key=lambda term: (" " in term, term.replace(" ", "").isdigit()))
    for entry in found.shared(best):
        for unit, spans in ((best.left, entry.left), (best.right, entry.right)):
            text = found.book.documents[found.unit(unit).document].text
            assert all(span.of(text)[0].lower() == entry.term[0] for span in spans)


def test_stamps_prove_nothing():
    stamp = 'the "Pot Book (version 2.100)" (2023-02-04 11:59:01 UTC)'
    found = link([f"Contents of {stamp} are mine.", f"I hope that {stamp} gives directions."], preset="21", min_terms=1)
    assert [entry.term for entry in found.shared(found[0])] == ["pot", "book", "pot book"]


def test_one_book_in_several_formats_is_told(tmp_path):
    words = [
        f"Soup number {n} is boiled from {'abcdefghij'[n % 10] * 4} and {'klmnopq'[n % 7] * 5}." for n in range(40)
    ]
    (tmp_path / "book.md").write_text("\n\n".join(words))
    (tmp_path / "book.html").write_text("".join(f"<p>{one}</p>" for one in words[:30]))
    said = "the same text in several formats: html (book.html), markdown (book.md); name one of them"
    assert said in link(tmp_path).notes
    (tmp_path / "book.html").write_text("".join(f"<p>Other: {one}</p>" for one in words[:30]) + f"<p>{words[0]}</p>")
    assert not any("several formats" in note for note in link(tmp_path).notes)
