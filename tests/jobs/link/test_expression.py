"""Lists by name, joined, and of one's own."""

import pytest
from tests.jobs.link.books import PLAIN, topics

from likewise.errors import OptionError
from likewise.jobs.link import ListOptions, link
from likewise.jobs.link.expression import parse, ranked
from likewise.read import Document


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


def test_an_own_list_in_the_preset_equals_the_published_one():
    inner = "sentence(measure=matches, phrases=true, min_matches=auto, within=21)"
    found = link(topics(), preset=f"21+{inner}sd", n=60, **PLAIN)
    expected = link(topics(), preset="21+31sd", n=60, **PLAIN)
    assert [(x.left, x.right, x.score) for x in found] == [(x.left, x.right, x.score) for x in expected]
    assert found.lists[f"{inner}sd"] == expected.lists["31sd"]


@pytest.mark.parametrize(
    ("preset", "says"),
    [
        ("sentence(measur=tf)", "did you mean 'measure'"),
        ("sentence(tf)", "must be name=value"),
        ("paragraph(scope=sentence)", "the word before the bracket"),
        ("paragraph(measure=tf)sd", "list of paragraphs"),
        ("sentence(measure=matches,within=3)", "within must name a list of paragraphs"),
        ("word(measure=tf)", "cannot be read"),
    ],
)
def test_bad_lists_of_your_own_are_refused_in_words(preset, says):
    with pytest.raises(OptionError, match=says):
        parse(preset)


def test_phrases_can_go_across_dropped_words():
    texts = ["A match of records is exact.", "Every match the records have is exact."]
    documents = [Document(str(number), text) for number, text in enumerate(texts)]
    scores = {}
    for across in ("false", "true"):
        inner = f"sentence(measure=matches,phrases=true,across_dropped={across})"
        (one,) = link(documents, preset=inner, **PLAIN).sentence_list
        scores[across] = one.score
    assert scores == {"false": 3.0, "true": 4.0}  # match, record, exact, and a phrase; phrases do not overlap
