"""Which pairs may be linked: minima, documents, corpora, neighbours, roles."""

import pytest
from tests.jobs.link.books import PLAIN, topics

from likewise.errors import OptionError
from likewise.jobs.link import link
from likewise.read import Document


def test_minimum_and_n():
    documents = topics()
    assert len(link(documents, preset="21", n=7, **PLAIN)) == 7
    close = [x.score for x in link(documents, preset="21", min_score=0.3, **PLAIN)]
    assert min(close) >= 0.3
    assert close == sorted(close, reverse=True)
    matched = [x.score for x in link(documents, preset="3sd", min_matches=6, **PLAIN)]
    assert min(matched) >= 6
    assert matched == sorted(matched, reverse=True)


def test_within_across_and_two_corpora():
    documents = topics()
    everything = link(documents, preset="21", n=400, **PLAIN)
    home = [unit.document for unit in everything.book.units]
    inside = link(documents, preset="21", n=20, pairs="within", **PLAIN)
    across = link(documents, preset="21", n=20, pairs="across", **PLAIN)
    key = [(x.left, x.right) for x in everything]
    assert [(x.left, x.right) for x in inside] == [k for k in key if home[k[0]] == home[k[1]]][:20]
    assert [(x.left, x.right) for x in across] == [k for k in key if home[k[0]] != home[k[1]]][:20]
    between = link(documents[:4], documents[4:], preset="21", n=400, **PLAIN)
    assert between.book.split == sum(h < 4 for h in home)
    assert all(x.left < between.book.split <= x.right for x in between)
    wanted = [k for k in key if k[0] < between.book.split <= k[1]]
    assert [(x.left, x.right) for x in between][: len(wanted)] == wanted


@pytest.mark.parametrize("pairs", ["within", "across"])
@pytest.mark.parametrize("preset", ["21", "3sd", "17sd"])
def test_document_by_document_equals_a_filter(monkeypatch, pairs, preset):
    """What is joined in parts is what a filter behind one great join would leave."""
    documents = topics()
    monkeypatch.setattr("likewise.jobs.link.allowed._PATIENCE", 0)
    found = link(documents, preset=preset, n=30, pairs=pairs, neighbours="drop", faithful=False, order="list",
                 copies="keep", boilerplate=False, title_weight=1, least_matches=1, roles=("all",), stop="smart",
                 min_terms=0)  # fmt: skip
    everything = link(documents, preset=preset, n=10**6, **PLAIN)
    home = [unit.document for unit in everything.book.units]
    wanted = [
        x
        for x in everything
        if (home[x.left] == home[x.right]) == (pairs == "within")
        and not (home[x.left] == home[x.right] and abs(x.left - x.right) == 1)
    ]
    if preset == "21":
        assert [(x.left, x.right) for x in found] == [(x.left, x.right) for x in wanted[:30]]
    else:
        assert [x.score for x in found] == [x.score for x in wanted[: len(found)]]
    assert all((home[x.left] == home[x.right]) == (pairs == "within") for x in found)


def test_neighbours_are_marked_or_dropped():
    documents = topics()
    marked = link(documents, preset="21", n=50, copies="keep", boilerplate=False)
    assert any(x.neighbours for x in marked)
    assert all(abs(x.left - x.right) == 1 for x in marked if x.neighbours)
    dropped = link(documents, preset="21", n=50, neighbours="drop", order="list", copies="keep", boilerplate=False)
    assert len(dropped) == 50
    assert not any(abs(x.left - x.right) == 1 and home(dropped, x) for x in dropped)


def home(links, x):
    return links.unit(x.left).document == links.unit(x.right).document


def test_roles_say_what_is_linked():
    glossary = "# Words\n\n## Glossary\n\nStock: bones and vegetables boiled for many hours into clear soup.\n\n"
    glossary += "Clear soup: what bones and vegetables give when boiled for many hours.\n"
    body = "# Soup\n\nClear soup is boiled from bones and vegetables for many hours.\n"
    documents = [Document("words.txt", glossary), Document("soup.txt", body)]
    found = link(documents, roles=("body",), min_strength=-9.0, min_matches=1)
    both = {found.unit(x.left).role for x in found} | {found.unit(x.right).role for x in found}
    assert both <= {"body"}
    with pytest.raises(OptionError, match="roles must be one of"):
        link(documents, roles=("prose",))


@pytest.mark.parametrize("preset", ["kin", "21"])
def test_books_by_name_are_linked_as_asked(preset):
    soup = "Clear soup is boiled from bones and vegetables for many hours over a small fire."
    books = {name: [Document("page", f"{soup} The {name} adds {name} salt at noon.")] for name in ("old", "new", "odd")}
    books["new"].append(Document("more", f"{soup} Nobody in the village adds anything else to it."))
    options = {
        "preset": preset,
        "min_strength": -9.0,
        "min_matches": 1,
        "n": 99,
        "boilerplate": False,
        "copies": "keep",
    }

    def pairs(*rules):
        found = link(books, books=rules, **options)
        return {frozenset((found.unit(x.left).id, found.unit(x.right).id)) for x in found}

    names = {"old": ["old/page:1"], "new": ["new/page:1", "new/more:1"], "odd": ["odd/page:1"]}
    across = {
        frozenset((a, b))
        for one, other in (("old", "new"), ("old", "odd"), ("new", "odd"))
        for a in names[one]
        for b in names[other]
    }
    inside = {frozenset(names["new"])}
    assert pairs() == across | inside
    assert pairs("across") == across
    assert pairs("within") == inside
    assert pairs("new-odd") == pairs("odd-new") == {pair for pair in across if not pair & {"old/page:1"}}
    with pytest.raises(OptionError, match="books are old, new, odd"):
        pairs("old-last")
    with pytest.raises(OptionError, match="no books are named"):
        link(books["new"], books=("across",))
