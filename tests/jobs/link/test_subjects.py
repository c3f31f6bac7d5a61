"""The subject index: which terms a book has, under which form, and which passages are named for them."""

import json
from collections import Counter

import numpy as np
import pytest

from likewise.jobs.link import back_matter, link
from likewise.jobs.link.grams import grams_of, words_of
from likewise.jobs.link.options import LinkOptions
from likewise.read import Document, Span
from likewise.read.content import Blocks
from likewise.results.subjects import MADE, REASONS, letter_of, order_of
from likewise.results.units import Book, Unit

BREAD = """# Sour dough

A sour dough is a mixture of flour and water. The sour dough rises slowly in a warm oven.

Two sour doughs need twice the flour. Old-fashioned bakers keep the sour dough cool.

## The oven

An oven must be hot. Bread from a cold oven stays pale; a stone oven keeps the heat of the stone.

## Stone ovens

Stone ovens are heated with beech wood. The *rye flour* is put in last, and the stone oven is closed.
"""
SOUP = """# Soups

A clear soup is boiled from bones; the clear soup is then strained. Bones give the taste.

## Clear soup

Strain the clear soup through a cloth. For the next day, keep rye flour and the sour dough in the cold.
"""


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory):
    folder = tmp_path_factory.mktemp("kitchen")
    (folder / "bread.md").write_text(BREAD, encoding="utf-8")
    (folder / "soup.md").write_text(SOUP, encoding="utf-8")
    return link(folder, index_terms=20, language="english")


def test_terms_are_whole_phrases_under_their_commonest_form(kitchen):
    terms = [subject.term for subject in kitchen.subjects]
    assert {"sour dough", "clear soup", "stone oven", "oven", "rye flour"} <= set(terms)
    assert "bones" not in terms  # one word that nothing sets off
    assert "sour" not in terms  # a fragment: it stands nowhere else
    assert "sour doughs" not in terms
    assert "old" not in terms  # part of a hyphenated word
    assert terms == sorted(terms, key=order_of)


def test_what_treats_a_term_comes_first_and_once_for_each_section(kitchen):
    book = kitchen.book
    dough = next(subject for subject in kitchen.subjects if subject.term == "sour dough")
    assert (dough.places[0].why, book.units[dough.places[0].unit].titles) == ("heading", ("Sour dough",))
    sections = [(book.units[place.unit].document, book.units[place.unit].titles) for place in dough.places]
    assert len(set(sections)) == len(sections)
    flour = next(subject for subject in kitchen.subjects if subject.term == "rye flour")
    assert [place.why for place in flour.places] == ["definition"]  # what is set off; a mere mention is left out
    ranks = [[REASONS.index(place.why) for place in subject.places] for subject in kitchen.subjects]
    assert all(one == sorted(one) for one in ranks)


def test_longer_terms_are_seen_from_the_shorter(kitchen):
    by_name = {subject.term: subject for subject in kitchen.subjects}
    assert by_name["oven"].see == ("stone oven",)
    letters = dict(kitchen.subjects.letters())
    assert [entry.term for entry, _ in letters["S"]][-2:] == ["sour dough", "stone oven"]


def test_terms_that_begin_with_another_stand_below_it():
    text = "Lists\n\nA list is long. Each list has items.\n\nList items\n\nThe list items are many; list items count.\n"
    made = link([Document("a.md", text)], index_terms=9, language="english").subjects
    below = {subject.term: subject.under for subject in made}
    assert below["list items"] == next(name for name in below if name in ("list", "lists"))


def test_the_number_of_terms_and_places_can_be_set(kitchen):
    assert [len(link(kitchen.book.documents, index_terms=n).subjects) for n in (0, 3)] == [0, 3]
    assert len(link(kitchen.book.documents).subjects) == 0  # too little for an index that nobody asked for
    one = link(kitchen.book.documents, index_terms=9, index_places=1).subjects
    assert {len(subject.places) for subject in one} == {1}


def test_as_a_table(kitchen, tmp_path):
    kitchen.subjects.write(tmp_path / "subjects.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "subjects.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(rows) == sum(len(subject.places) for subject in kitchen.subjects)
    assert {"term", "passage", "why", "under"} <= rows[0].keys()
    assert {row["passage"] for row in rows} <= {unit.id for unit in kitchen.book.units}
    assert len(kitchen.subjects[:2]) == 2


@pytest.mark.parametrize("count", [None, 0, 1, 2, 3, 4, 5])
def test_runs_are_those_that_a_slow_count_finds(kitchen, count):
    if count is not None:
        kitchen = link([Document("a", " ".join(["soup bones"] * count)[: 5 * count])], language="english")
        assert len(kitchen.subjects) == len(kitchen.glossary) == 0
    terms = kitchen.evidence._terms
    words = words_of(kitchen.book, terms)
    texts = [document.text for document in kitchen.book.documents]
    stems = [terms.analyser.term(stem) for stem in words.stems]
    slow = Counter()
    for length in range(1, 5):
        for at in range(len(stems) - length + 1):
            one = range(at, at + length)
            gaps = [texts[words.document[i]][words.end[i] : words.start[i + 1]] for i in one[:-1]]
            together = len({int(words.sentence[i]) for i in one}) == 1
            if (
                together
                and all(gap == "-" or gap.isspace() for gap in gaps)
                and words.begins[at]
                and words.ends[one[-1]]
            ):
                slow[tuple(stems[i] for i in one)] += 1
    found = Counter()
    for grams in grams_of(words):
        for run in range(grams.count):
            at = grams.of(run)
            assert np.all(np.diff(at) > 0)
            found[tuple(stems[at[0] : at[0] + grams.length])] = len(at)
    assert found == Counter({run: times for run, times in slow.items() if times > 1})


@pytest.mark.parametrize("text", ["", "Soup.", "Soup bones.", "Soup bones boil.", "\u200b"])
def test_books_of_a_few_words_have_no_index(text):
    links = link([Document("a", text)], options=LinkOptions(min_terms=0))
    assert not links.subjects
    assert not links.glossary


def test_without_index_and_glossary_no_word_is_looked_at(kitchen, monkeypatch):
    monkeypatch.setattr(back_matter, "words_of", lambda *_: pytest.fail("the words of the book were counted"))
    links = link(kitchen.book.documents, index_terms=0)
    assert not links.subjects
    assert not links.glossary


def test_sections_are_what_stands_under_the_same_titles():
    homes = [(0, ("Soup",)), (0, ("Soup",)), (0, ("Soup", "Stock")), (0, ("Soup",)), (1, ("Soup",)), (2, ()), (2, ())]
    units = tuple(Unit(str(n), home, n, Span(0, 0), (), titles) for n, (home, titles) in enumerate(homes))
    assert Book((), (), units).sections().tolist() == [0, 0, 2, 0, 4, 5, 5]


def test_terms_of_headings_have_the_capitals_of_sentences():
    blocks = Blocks()
    for n, (title, text) in enumerate(
        [
            ("CLEAR DEBIAN SOUPS", "See CLEAR DEBIAN SOUPS here, so clear for Debian people."),
            ("Straining upwards", "Put a sieve over it."),
            ("CLEAR DEBIAN SOUPS", "All our soups were hot with Debian cooks, and clear."),
            ("Straining upwards", "Have a rest."),
            ("USB Stick", "It is small. An old USB key is a stick, too."),
            ("USB Stick", "Put the stick away."),
            ("MailDrop class", "A maildrop is here, with a class of maildrop."),
            ("MailDrop class", "Have it."),
        ]
    ):
        blocks.add("title", title, 1)
        blocks.add("paragraph", f"Number {n}. {text}")
    content = blocks.content()
    found = link([Document("a", content.text, blocks=content.blocks)], index_terms=40, language="french", min_terms=0)
    terms = {subject.term for subject in found.subjects}
    assert {"clear Debian soups", "straining upwards", "USB stick", "MailDrop class"} <= terms


def test_a_page_that_an_earlier_run_made_is_not_read():
    text = f"Index\n\n{MADE}\n\nsour dough: Bread"
    assert len(link([Document("subject-index.md", text), Document("a", "Bread is good.")]).book.documents) == 1


def test_letters():
    assert [letter_of(term) for term in ("Éclair", "oven", "7-bit", "")] == ["E", "O", "Symbols", "Symbols"]


def test_options_are_checked():
    with pytest.raises(ValueError, match="index_places"):
        LinkOptions(index_places=0)


GLOSSARY = """# Glossary

**Quota**: the space that a user may fill in the spool.

Spool
:   A folder in which mail waits.

- **Relay** -- a host that passes mail on.
"""
MAIL = """# Mail

Mail waits in a spool until a relay takes it. The spool is a folder.

Quotas are set for each user, and relaying is not allowed. A quota of nothing means that a user has no spool.

# Hosts

Each relay has a name. A relay may be a spool, too.
"""


def test_glossary_and_text_lead_to_each_other(tmp_path):
    (tmp_path / "glossary.md").write_text(GLOSSARY, encoding="utf-8")
    (tmp_path / "mail.md").write_text(MAIL, encoding="utf-8")
    found = link(tmp_path, language="english", min_strength=9)
    entries = {entry.term: entry for entry in found.glossary}
    assert [*entries] == ["Quota", "Spool", "Relay"]
    text = next(one for one in found.book.documents if one.id == "mail.md").text
    # The first use in each section; singular and plural are one, "relaying" is something else.
    assert [use.span.of(text) for use in entries["Quota"].uses] == ["Quotas"]
    assert [use.span.of(text) for use in entries["Relay"].uses] == ["relay", "relay"]
    assert [found.book.units[use.unit].titles for use in entries["Relay"].uses] == [("Mail",), ("Hosts",)]
    assert entries["Quota"].see == (entries["Spool"].unit,)
    assert [place.why for place in entries["Spool"].treated][:1] == ["definition"]
    book = tmp_path / "book.html"
    found.to_html(book)
    page = book.read_text(encoding="utf-8")
    spool = entries["Spool"].unit
    assert f'waits in a <a class="term" href="#u{spool}">spool</a> until' in page
    assert f'. See also: <a href="#u{spool}">Spool</a>.</p>' in page
    assert f'<p class="entry">In the text: <a href="#u{entries["Spool"].treated[0].unit}">Mail</a>' in page


def test_what_a_glossary_explains_is_in_the_index(tmp_path):
    (tmp_path / "glossary.md").write_text(GLOSSARY, encoding="utf-8")
    (tmp_path / "mail.md").write_text(MAIL, encoding="utf-8")
    found = link(tmp_path, language="english", index_terms=4)
    relay = next(subject for subject in found.subjects if subject.term == "Relay")
    assert relay.places[0].why == "glossary"
    assert found.book.units[relay.places[0].unit].role == "glossary"
    found.to_html(tmp_path / "book.html")
    page = (tmp_path / "book.html").read_text(encoding="utf-8")
    assert f'Relay: <a href="#u{relay.places[0].unit}" class="main" title="Glossary">Glossary</a>' in page


def test_german_terms_are_nouns_and_no_words_of_a_licence():
    book = Document(
        "brot.md",
        "# Der Sauerteig\n\nDer Sauerteig ruht lange. Man kann *rühren* und *rühren*, bis der Sauerteig ruht.\n\n"
        "## Der Steinofen\n\nDer Steinofen wird *geheizt*; den Steinofen *geheizt* zu halten, kostet Buchenholz.\n\n"
        "## Lizenz\n\nThe terms *of the* licence: a copy *of the* text, and parts *of the* text.\n",
    )
    terms = {subject.term for subject in link([book], language="german", index_terms=20).subjects}
    assert {"Sauerteig", "Steinofen"} <= terms
    assert not terms & {"rühren", "geheizt", "of the", "the", "of"}


def test_terms_with_stop_words_and_signs_are_found(tmp_path):
    (tmp_path / "glossary.md").write_text(
        "# Glossary\n\n**State of the art**: what is best now.\n\n**TCP/IP**: how packets travel.\n\n"
        "**The spool**: a folder.\n\n**Data class**: a kind of record with names for all that it has.\n",
        encoding="utf-8",
    )
    text = "The state of the art is TCP/IP now. Art of the state. The data wait in a spool. State the art."
    (tmp_path / "mail.txt").write_text(text, encoding="utf-8")
    found = link(tmp_path, language="english")
    uses = {entry.term: [use.span.of(text) for use in entry.uses] for entry in found.glossary}
    assert uses == {
        "State of the art": ["state of the art"],
        "TCP/IP": ["TCP/IP"],
        "The spool": ["spool"],
        "Data class": [],
    }
