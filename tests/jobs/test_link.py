"""Linking: each preset equals its slow twin, lists combine as defined, and what the job makes of them."""

import json
import pydoc_data.topics
import xml.etree.ElementTree as ElementTree
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.linking import Twin, choices, words

from likewise.errors import FormatError, OptionError
from likewise.evaluate.judging import Ranking
from likewise.jobs.link import PRESETS, LinkOptions, ListOptions, link
from likewise.jobs.link.book import make_book
from likewise.jobs.link.expression import parse, ranked
from likewise.jobs.link.rankings import Rankings
from likewise.jobs.link.sentences import analyse
from likewise.jobs.link.vectors import BookVectors
from likewise.read import Document

STOP = set(files("likewise.analyse").joinpath("smart-571.txt").read_text(encoding="utf-8").split())
TOPICS = ["assert", "async", "break", "class", "continue", "del", "import", "raise", "return", "with"]
PLAIN = {"faithful": True}


def topics():
    return [Document(name, pydoc_data.topics.topics[name][:6000]) for name in TOPICS]


@pytest.fixture(scope="module")
def small():
    """A small book, its lists, and the twin of them."""
    options = LinkOptions(min_terms=3, title_weight=1, least_matches=1, stop="smart")
    book = make_book(topics(), None, options)
    terms = analyse(book, options)
    lists = Rankings(BookVectors(terms), options, PRESETS, n=60)
    text = [[book.sentence(u, s) for s in range(len(unit.sentences))] for u, unit in enumerate(book.units)]
    return book, lists, Twin(text, STOP, terms.active.tolist(), 60)


def test_the_figure_of_the_paper():
    """G1: nine stems, three phrases; tf 22."""
    a = (
        "The retrieval of records depends on an exact match between the attribute values used in the query formulations"
        " and those attached to the records being sought: each retrieved record will contain the precise attribute"
        " values specified in the query while each nonretrieved record exhibits at least one mismatch between attribute"
        " values attached to the query and those attached to the stored records."
    )
    b = (
        "Retrieval strategies for various document components differ because usually an exact match is required between"
        " the data portions contained in the query specifications and the attribute values attached to the stored"
        " records."
    )
    # A third text, without which every shared term would be in every text and weigh nothing.
    three = [Document("a", a), Document("b", b), Document("c", "Quite another matter is the cooking of clear soups.")]
    found = link(three, preset="31sd", **PLAIN)
    assert [(x.left, x.right, x.score) for x in found] == [(0, 1, 12.0)]
    assert {entry.term for entry in found.shared(found[0])} >= {
        *("attach", "attribut", "exact", "match", "queri", "record", "retriev", "store", "valu"),
        *("attribut valu", "exact match", "store record"),
    }
    assert [x.score for x in link(three, preset="35sd", **PLAIN)] == [9.0]
    assert [x.score for x in link(three, preset="24", **PLAIN)] == [22.0]


@pytest.mark.parametrize("name", ["21", "24", "25", "19"])
def test_scored_lists_equal_their_twin(small, name):
    _, lists, twin = small
    ours = lists.make(name)
    theirs = getattr(twin, f"list_{name}")()
    assert len(ours) == len(theirs) == 60
    np.testing.assert_allclose(ours.score, [row[2] for row in theirs], rtol=1e-9)
    # Equal pairs, but for the order of scores that differ in the last digit only.
    assert _close_order(ours, theirs)


def _close_order(ours, theirs):
    wanted = {(row[0], row[1]): row[2] for row in theirs}
    last = theirs[-1][2]
    mine = set(zip(ours.left.tolist(), ours.right.tolist(), strict=True))
    return all(abs(wanted[pair] - last) < 1e-9 for pair in wanted if pair not in mine) and len(mine) == len(wanted)


@pytest.mark.parametrize("name", ["3", "17", "31", "35"])
def test_matching_lists_equal_their_twin(small, name):
    _, lists, twin = small
    ours = lists.make(name)
    theirs = getattr(twin, f"list_{name}")()
    if name != "17":
        minimum, theirs = theirs
        assert ours.min_matches == minimum
    mine = list(zip(ours.left.tolist(), ours.right.tolist(), ours.score.tolist(), ours.tf.tolist(), strict=True))
    assert mine == [(i, j, float(m), float(t)) for i, j, m, t in theirs]


@pytest.mark.parametrize("name", ["3", "31", "35"])
def test_proposed_pairs_equal_their_twin(small, name):
    _, lists, twin = small
    ours = ranked(parse(f"{name}sd"), lists)
    assert list(zip(ours.left.tolist(), ours.right.tolist(), strict=True)) == twin.propose(
        getattr(twin, f"list_{name}")()[1]
    )


def test_lists_differ_as_they_should(small):
    _, lists, _ = small
    made = {name: ranked(parse(name), lists) for name in ["21", "24", "25", "3sd", "17sd", "19sd", "31sd", "35sd"]}
    pairs = {name: set(zip(x.left.tolist(), x.right.tolist(), strict=True)) for name, x in made.items()}
    names = list(pairs)
    assert all(pairs[a] != pairs[b] for i, a in enumerate(names) for b in names[i + 1 :])
    # 31 and 35 lie inside 21; length decides in 24 and not in 21.
    assert pairs["31sd"] <= pairs["21"]
    assert pairs["35sd"] <= pairs["21"]
    terms = lists.terms
    size = np.diff(terms.first * 0 + terms.rows.indptr[terms.first])
    longer = [np.mean(size[made[name].left] + size[made[name].right]) for name in ("24", "21")]
    assert longer[0] > 1.5 * longer[1]


WORDS = ["soup", "soups", "bone", "boil", "bread", "dough", "knife", "plate", "hot", "the", "of", "isn't"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=8), min_size=1, max_size=3), max_size=7),
    st.integers(1, 12),
)
def test_random_books_equal_their_twin(book, n):
    """Small books of few words, with ties everywhere."""
    paragraphs = [" ".join(" ".join(sentence).capitalize() + "." for sentence in paragraph) for paragraph in book]
    options = LinkOptions(min_terms=1, title_weight=1, least_matches=1, stop="smart")
    made = make_book([Document(str(i), text) for i, text in enumerate(paragraphs)], None, options)
    terms = analyse(made, options)
    lists = Rankings(BookVectors(terms), options, PRESETS, n=n)
    text = [[made.sentence(u, s) for s in range(len(unit.sentences))] for u, unit in enumerate(made.units)]
    twin = Twin(text, STOP, terms.active.tolist(), n)
    np.testing.assert_allclose(lists.make("21").score, [row[2] for row in twin.list_21()], atol=1e-12)
    for name in ("3", "17"):
        theirs = getattr(twin, f"list_{name}")()
        ours = lists.make(name)
        mine = list(zip(ours.left.tolist(), ours.right.tolist(), ours.score.tolist(), ours.tf.tolist(), strict=True))
        assert mine == [(i, j, float(m), float(t)) for i, j, m, t in (theirs if name == "17" else theirs[1])]


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


def pairs_of(lists, expression):
    made = ranked(parse(expression), lists)
    return list(zip(made.left.tolist(), made.right.tolist(), strict=True))


def test_combinations(small):
    _, lists, _ = small
    a, b = pairs_of(lists, "21"), pairs_of(lists, "24")
    sd = pairs_of(lists, "31sd")
    assert pairs_of(lists, "21+24") == [pair for pair in a if pair in b]
    assert pairs_of(lists, "21-24") == [pair for pair in a if pair not in b]
    assert pairs_of(lists, "31sd+21") == pairs_of(lists, "21+31sd") == [pair for pair in a if pair in sd]
    union = pairs_of(lists, "21|24")
    assert set(union) == {*a, *b}
    rank = {pair: min(x.index(pair) for x in (a, b) if pair in x) for pair in union}
    assert [rank[pair] for pair in union] == sorted(rank.values())
    assert pairs_of(lists, "21-(24|31sd)") == [pair for pair in a if pair not in b and pair not in sd]


@pytest.mark.parametrize("preset", ["", "21+", "+21", "99", "21sd", "21+3", "(21", "21)", "21 24", "21*24"])
def test_bad_presets_are_refused_in_words(preset):
    with pytest.raises(OptionError, match="preset"):
        parse(preset)


def test_lists_of_your_own():
    documents = topics()
    own = {"mine": ListOptions(scope="sentence", measure="matches", min_matches=4, within="24")}
    found = link(documents, preset="minesd", lists=own, **PLAIN)
    assert len(found) > 0
    assert all(x.score >= 4 for x in found)
    assert found.lists["minesd"]["min_matches"] == 4
    with pytest.raises(OptionError, match="within"):
        ListOptions(within="21")


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


LICENCE = "Permission is granted to copy and change this manual under the old garden licence of Springfield county."
GARDEN = [
    ("Tomatoes want warm soil and much water through the summer months.", "Plant them out in the late spring weeks."),
    ("Beans grow up poles and like warm soil in the summer months.", "Pick beans young, before the pods grow tough."),
    ("Warm soil and much water through summer make tomatoes sweet.", "Roots rot in wet clay during a cold winter."),
]
BOOK = [f"{first}\n\n{LICENCE}\n\n{last}" for first, last in GARDEN]


def test_copies_are_marked_dropped_or_kept():
    documents = [Document(f"d{n}", text) for n, text in enumerate(BOOK)]
    marked = link(documents, preset="21", n=3, boilerplate=False)
    assert [(x.left, x.right) for x in marked if x.copy] == [(1, 4), (1, 7)]
    kin = [(x.left, x.right) for x in marked if not x.copy]
    assert kin[0] == (0, 6)
    assert not {1, 4, 7} & {end for pair in kin for end in pair}
    assert not any(x.copy for x in link(documents, preset="21", n=3, copies="drop", boilerplate=False))
    kept = link(documents, preset="21", n=3, copies="keep", boilerplate=False)
    assert {(x.left, x.right) for x in kept} == {(1, 4), (1, 7), (4, 7)}


def test_boilerplate_does_not_count():
    documents = [Document(f"d{n}", text.replace("\n\n", " ")) for n, text in enumerate(BOOK)]
    documents += [
        Document(f"e{n}", f"Chapter {n} is about something else: soups of kind {n} and stews.") for n in range(6)
    ]
    plain = link(documents, preset="21", n=3, copies="keep", boilerplate=False)
    without = link(documents, preset="21", n=3, copies="keep")
    assert "licenc" in {entry.term for x in plain for entry in plain.shared(x)}
    terms = {entry.term for x in without for entry in without.shared(x)}
    assert "licenc" not in terms
    assert "tomato" in terms


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
    assert repr(link(topics(), preset="21", n=3, copies="drop")) == "Links(3 between 145 passages of 10 documents)"


def test_capitals_that_stand_alone_count_and_two_short_texts_are_enough():
    skin = "Vitamin D is made in the skin by light, and the kidney turns it into its active form."
    kidney = "The kidney makes the active form of vitamin D, which the skin made by light."
    found = link([Document("skin", skin), Document("kidney", kidney)])
    assert [(x.left, x.right) for x in found] == [(0, 1)]
    assert "vitamin d" in {entry.term for entry in found.shared(found[0])}


FRAMES = ["secrets", "threading", "queue", "decimal", "fractions", "random"]


def test_sentences_that_differ_in_one_word_all_over_are_boilerplate():
    pages = [
        Document(name, f"The page about {name} says this and that of {name} in many words.\n\n"
                 f"Source code of this module stands in the library file called {name} always.")
        for name in FRAMES
    ]  # fmt: skip
    with_frames = link(pages, boilerplate=False, min_matches=1, min_strength=-1.0)
    assert len(with_frames) > 0
    assert len(link(pages, min_matches=1, min_strength=-1.0)) == 0


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


def test_each_passage_chooses_as_brute_force_would():
    """Of its nearest passages those of best kinship, one for each section, none of its own."""
    plain = {"copies": "keep", "boilerplate": False, "title_weight": 1, "stop": "smart", "min_terms": 1}
    found = link(topics(), each=2, most_links=None, min_matches=1, min_strength=-9.0, **plain)
    book = found.book
    text = [[book.sentence(u, s) for s in range(len(unit.sentences))] for u, unit in enumerate(book.units)]
    sections = [(unit.document, unit.titles) for unit in book.units]
    wanted = choices(text, sections, [unit.titles for unit in book.units], STOP)
    chosen = {}
    for x in found:
        for end, place, other in ((x.left, x.choices[0], x.right), (x.right, x.choices[1], x.left)):
            if place is not None:
                chosen[end, place] = other
    assert len(chosen) > 100
    assert [wanted[unit][place - 1] for unit, place in chosen] == list(chosen.values())


def test_no_passage_has_more_links_than_it_may():
    found = link(topics(), each=5, most_links=3, min_strength=-9.0, min_matches=1, copies="drop")
    assert max(len(ends) for ends in found.ends().values()) == 3


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


@pytest.mark.parametrize("name", ["3", "17", "19", "31", "35"])
def test_sentence_lists_come_out_as_they_are(name, tmp_path):
    """Ids, both sentences, score and rank, equal to the twin's; a file of them can be judged."""
    found = link(topics(), preset=name, n=60, min_terms=3, titles="without", **PLAIN)
    book = found.book
    text = [[book.sentence(u, s) for s in range(len(unit.sentences))] for u, unit in enumerate(book.units)]
    active = [len({stem for s in p for _, stem in words(s, STOP)}) >= 3 for p in text]
    theirs = getattr(Twin(text, STOP, active, 60), f"list_{name}")()
    minimum, theirs = theirs if name in ("3", "31", "35") else (None, theirs)
    flat = [(f"{unit.id}.{s + 1}", text[u][s]) for u, unit in enumerate(book.units) for s in range(len(unit.sentences))]
    made = found.sentence_list
    assert made.min_matches == minimum
    assert [one.score for one in made] == pytest.approx([float(row[2]) for row in theirs])
    if name != "19":
        assert [(one.left, one.left_text) for one in made] == [flat[row[0]] for row in theirs]
        assert [(one.right, one.right_text) for one in made] == [flat[row[1]] for row in theirs]
    assert [one.rank for one in made] == list(range(1, len(theirs) + 1))
    for ending in ("jsonl", "csv", "html"):
        made.write(tmp_path / f"list.{ending}")
    first = json.loads((tmp_path / "list.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert (first["left_text"], first["score"]) == (made[0].left_text, made[0].score)
    assert f"List {name}: {len(made)} sentence pairs" in (tmp_path / "list.html").read_text(encoding="utf-8")
    assert len(Ranking.read(tmp_path / "list.jsonl").rows) == len(made)
