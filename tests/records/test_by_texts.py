"""A single text that several records have: copies do not hide what they are copies of, and what is said holds."""

import random
from types import SimpleNamespace

import numpy as np
import pytest
from tests.records.made import pairs_of

import likewise as lw
from likewise import OptionError
from likewise.records.by_texts import _relation, held_again
from likewise.records.chances import expected
from likewise.records.partners import Relation

SYLLABLES = ("ba", "re", "mi", "to", "lu", "ka", "ne", "vo", "si", "du", "fa", "go", "zen", "tron", "max", "pol")
ENDINGS = ("Inc.", "Corp.", "Co., Ltd", "GmbH", "Technologies", "Systems", "Electronics", "International")


def makers(seed: int, copies: float = 0.04) -> tuple[list[str], list[str], set[tuple[int, int]]]:
    """Two lists of makers, a third in both, some of each written twice or three times; and which are the same."""
    rng = random.Random(seed)
    word = lambda: "".join(rng.choices(SYLLABLES, k=rng.randint(2, 4))).title()  # noqa: E731
    words = list(dict.fromkeys(word() for _ in range(1500)))[:900]
    names = [f"{one} {rng.choice(ENDINGS)} {rng.choice(ENDINGS)}" for one in words]

    def written(name: str) -> str:
        first, *rest = name.split(" ", 1)
        return first + rng.choice([" " + rest[0], " " + rest[0].replace(".", "").upper(), "", ", Limited"])

    sides = [[(at, written(names[at])) for at in places] for places in (range(600), range(400, 900))]
    for side in sides:
        for at, text in rng.sample(side, int(copies * len(side))):
            side += [(at, rng.choice([text, text.upper(), f"{text}."])) for _ in range(rng.randint(1, 2))]
        rng.shuffle(side)
    gold = {(i, j) for i, (a, _) in enumerate(sides[0]) for j, (b, _) in enumerate(sides[1]) if a == b}
    return [text for _, text in sides[0]], [text for _, text in sides[1]], gold


def folded(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


@pytest.mark.parametrize("options", [{}, {"clean": "companies"}, {"relation": "m:m"}])
@pytest.mark.parametrize("seed", [1, 2])
def test_copies_in_lists_of_names_hide_nothing(options: dict[str, str], seed: int) -> None:
    left, right, gold = makers(seed)
    found = lw.match(left, right, **options)
    given = {(match.left, match.right) for match in found}
    assert found.decision is not None
    precision = len(given & gold) / len(given)
    assert precision >= 0.85
    assert abs(found.decision.precision - precision) < 0.15
    equal = {(i, j) for i, j in gold if folded(left[i]) == folded(right[j])}
    assert len(equal & given) >= 0.97 * len(equal)
    assert found.decision.relation == "m:m"


def test_who_has_one_partner_gets_one_of_the_copies() -> None:
    left, right, gold = makers(3)
    found = lw.match(left, right, relation="1:1")
    pairs = [(match.left, match.right) for match in found]
    assert len({a for a, _ in pairs}) == len({b for _, b in pairs}) == len(pairs)
    assert len(gold.intersection(pairs)) >= 0.9 * len(pairs)
    # Which of several copies it is, nothing says.
    copies = [match for match in found if left.count(match.left_text) == 2]
    assert copies
    assert all(match.probability <= 0.5 for match in copies)


@pytest.mark.parametrize("options", [{}, {"relation": "1:1"}])
def test_what_a_model_of_copies_gives_again(options: dict[str, str]) -> None:
    left, right, _ = makers(4)
    found = lw.match(left, right, **options)
    again = lw.match(left, right, model=found.model, **options)
    assert again.decision is not None
    assert found.decision is not None
    assert again.decision.relation == found.decision.relation
    assert again.table["probability"].to_pylist() == found.table["probability"].to_pylist()


def test_a_model_of_copies_serves_who_wants_one_partner_each_but_no_other_relation() -> None:
    left, right, _ = makers(1)
    model = lw.match(left, right).model
    assert model is not None
    assert model.learnt.relation == "m:m"
    given = lw.match(left, right, model=model, one_to_one=True)
    assert len(given) == len({match.left for match in given}) == len({match.right for match in given}) > 0
    with pytest.raises(OptionError, match="learnt for the relation m:m, not m:1"):
        lw.match(left, right, model=model, relation="m:1")


def test_of_equal_probabilities_all_are_given_or_none() -> None:
    rng = random.Random(7)
    for _ in range(200):
        steps = sorted(rng.choices([0.2, 0.4, 0.55, 0.7, 0.745, 0.9, 1.0], k=rng.randint(1, 60)))
        for wish in (None, 0.8, 0.95):
            reached = expected(np.array(steps), wish)
            given = [step for step in steps if step >= reached.threshold]
            assert not given or reached.precision == pytest.approx(np.mean(given))
            assert wish is None or not given or np.mean(given) >= wish - 1e-9


def test_which_side_has_several():
    found = pairs_of([0, 0, 1, 2], [0, 1, 2, 2], 3, 3)
    assert _relation(found, np.array([1, 0, 1, 0], bool)) is Relation.ONE
    assert _relation(found, np.array([1, 1, 1, 0], bool)) is Relation.TO_MANY
    assert _relation(found, np.array([1, 0, 1, 1], bool)) is Relation.TO_ONE
    assert _relation(found, np.array([1, 1, 1, 1], bool)) is Relation.MANY


@pytest.mark.parametrize(("values", "share"), [([], 0.0), ([-1], 0.0), ([0, 1, -1], 0.0), ([0, 0, 1, 1, 0, -1], 0.6)])
def test_the_share_of_records_whose_text_another_has(values, share):
    side_has = lambda side: np.array(values, np.int64)  # noqa: E731
    assert held_again(SimpleNamespace(values=side_has, codes=side_has), 0) == pytest.approx(share)


@pytest.mark.parametrize("blank", [None, ""])
@pytest.mark.parametrize("other", [None, "", "Ada"])
def test_a_column_without_any_text_matches_nothing(blank, other):
    for left, right in ((blank, other), (other, blank)):
        result = lw.match({"name": [left] * 30}, {"name": [right] * 30})
        assert len(result) == 0
        assert result.decision is not None
        assert len(result.unmatched) == 60
