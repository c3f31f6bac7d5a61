"""Each passage chooses, and what stands out among its nearest."""

import pytest
from tests.jobs.link.books import STOP, topics
from tests.reference.linking import choices

from likewise.errors import OptionError
from likewise.jobs.link import link
from likewise.read import Document
from likewise.read.content import Blocks

SOUP = "Clear soup is boiled from bones and vegetables for many hours."
STOCK = "For stock, bones and vegetables are boiled for many hours; it makes a clear soup."


def test_standout_is_the_cosine_less_both_neighbourhoods():
    documents = topics()
    found = link(
        documents,
        preset="21",
        n=30,
        copies="keep",
        boilerplate=False,
        title_weight=1,
        min_terms=3,
        roles=("all",),
        stop="smart",
    )
    plain = link(documents, preset="21", n=10**6, faithful=True, min_terms=3)
    nearest: dict[int, list[float]] = {}
    for x in plain:
        for end in (x.left, x.right):
            nearest.setdefault(end, []).append(x.score)
    mean = {end: sum(sorted(scores, reverse=True)[:10]) / 10 for end, scores in nearest.items()}
    for x in found:
        assert x.standout == pytest.approx(x.score - (mean[x.left] + mean[x.right]) / 2)
    assert [x.standout for x in found] == sorted((x.standout for x in found), reverse=True)
    assert {(x.left, x.right) for x in found} == {(x.left, x.right) for x in plain.links[:30]}


def test_each_passage_chooses_as_brute_force_would():
    """Of its nearest passages those of best kinship, one for each section, none of its own."""
    plain = {"copies": "keep", "boilerplate": False, "title_weight": 1, "stop": "smart", "min_terms": 1}
    found = link(topics(), each=2, most_links=None, min_matches=1, min_strength=-9.0, **plain)
    book = found.book
    text = [[book.sentence(u, s) for s in range(len(unit.sentences))] for u, unit in enumerate(book.units)]
    sections = [(unit.document, unit.titles) for unit in book.units]
    wanted, strength = choices(text, sections, [unit.titles for unit in book.units], STOP)
    chosen = {}
    for x in found:
        for end, place, other in ((x.left, x.choices[0], x.right), (x.right, x.choices[1], x.left)):
            if place is not None:
                chosen[end, place] = other
    assert len(chosen) > 100
    assert [wanted[unit][place - 1] for unit, place in chosen] == list(chosen.values())
    for unit, best in enumerate(wanted):
        mine = found.choices.of(unit)
        assert [one.other for one in mine] == best[:2]
        assert all(one.linked for one in mine)
    for x in found:
        a, b = book.units[x.left], book.units[x.right]
        shorter = min(len(a.titles), len(b.titles))
        branch = shorter > 0 and a.titles[:shorter] == b.titles[:shorter]
        inside = (0.2 + branch) * (a.document == b.document)
        assert x.strength == pytest.approx(strength(x.left, x.right) - inside)
    assert [x.strength for x in found] == sorted((x.strength for x in found), reverse=True)


def test_a_book_of_one_document_pays_nothing_for_links_inside_it():
    one = f"1 Soup\n\n{SOUP}\n\n2 Stock\n\n{STOCK}"
    alone = link([Document("a", one)])
    beside = link([Document("a", one), Document("b", "1 Bread\n\nDough of rye rises slowly in a warm and dry place.")])
    assert [len(alone), len(beside)] == [1, 1]
    assert alone[0].strength > beside[0].strength - 0.1


def marked(name, *parts):
    """A page of titles, in capitals after their level, and paragraphs."""
    blocks = Blocks()
    for part in parts:
        level, _, title = part.partition(" ")
        blocks.add("title", title, int(level)) if level.isdigit() else blocks.add("paragraph", part)
    content = blocks.content()
    return Document(name, content.text, blocks=content.blocks, title=parts[0].partition(" ")[2])


def test_the_lead_of_a_page_is_not_linked_with_its_parts():
    bread = marked("bread", "1 Bread", "Dough of rye rises slowly in a warm and dry place.")
    apart = [marked("soup", "1 Soup", SOUP, "1 Stock", STOCK), bread]
    below = [marked("soup", "1 Soup", SOUP, "2 Stock", STOCK), bread]
    kept, left = (link(pages, min_strength=0.9) for pages in (apart, below))
    assert [(x.left, x.right) for x in kept] == [(0, 1)]
    assert len(left) == 0
    assert [one.other for one in left.choices.of(0)] == [1]  # chosen all the same


def test_names_of_pages_and_signatures_are_not_linked():
    pages = [
        marked(name, f"1 {name}", "2 NAME", f"{name} - prepare clear soups and stocks from old bones", "2 Calls", call)
        for name in ("boil", "roast", "simmer")
        for call in [f"{name}_bones(kettle text, water number) returns soup"]
    ]
    found = link(pages, roles=("all",), boilerplate=False)
    assert {unit.role for unit in found.book.units} == {"front", "code"}
    assert not len(link(pages))


def test_a_place_on_the_same_page_is_not_called_by_the_page():
    parts = ("1 Soup", "Soup is hot.", "2 Stock", "Bones boil.", "2 Broth", "3 Clear", "Skim it.")
    book = link([marked("soup", *parts), marked("bread", "1 Bread", "Dough rises.")], min_terms=0).book
    assert [book.label(n) for n in range(4)] == ["Soup", "Soup › Stock", "Soup › Clear", "Bread"]
    assert [book.label(n, 1) for n in range(4)] == ["Soup is hot.", "Bones boil.", "Broth › Clear", "Bread"]


def test_a_long_section_is_not_linked_with_itself():
    options = [
        f"If option {chr(97 + n % 26) * 3} is true, soup number{n} will be shown at the top." for n in range(130)
    ]
    found = link([Document("a", "1 Options\n\n" + "\n\n".join(options))], boilerplate=False, min_strength=-9.0)
    assert not [x for x in found if not x.copy]


def test_addresses_are_no_evidence():
    texts = [f"{name} is told at https://lists.example.org/archive/2005/msg{n}.html by many people." for n, name in
             enumerate(("Soup", "Bread", "Noodles", "Honey"))]  # fmt: skip
    found = link([Document(str(n), text) for n, text in enumerate(texts)], preset="21", min_terms=1, copies="keep")
    assert not {entry.term for x in found for entry in found.shared(x)} & {"archiv", "list", "exampl", "org", "html"}


def test_no_passage_has_more_links_than_it_may():
    found = link(topics(), each=5, most_links=3, min_strength=-9.0, min_matches=1, copies="drop")
    assert max(len(ends) for ends in found.ends().values()) == 3


def test_choices_are_kept_whether_they_became_links_or_not(tmp_path):
    found = link(topics(), each=2, min_strength=99.0, copies="drop")
    assert len(found) == 0
    assert [one.place for one in found.choices.of(0)] == [1, 2]
    assert not found.choices.linked.any()
    found.write_choices(tmp_path / "best.csv")
    lines = (tmp_path / "best.csv").read_text().splitlines()
    assert lines[0] == "passage,place,other,strength,link,other_label"
    assert len(lines) == len(found.choices.passage) + 1
    with pytest.raises(OptionError, match="kin"):
        link(topics(), preset="21").write_choices(tmp_path / "none.csv")
