"""What a judge can say: three verdicts on links, as Salton and Buckley (1990), eleven classes of
paraphrases, as Paşca and Dienes (2005), and of two records whether they are the same."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scheme:
    """Verdicts by key, in the order in which they are offered, and the totals that are made of them.

    ``strata`` are the places in a ranking from which pairs are taken: a name, and the share of the list at which it is.
    """

    name: str
    question: str
    verdicts: dict[str, str]
    totals: dict[str, tuple[str, ...]]
    strata: dict[str, float]
    size: int
    ordered: bool = True
    shuffled: bool = True
    """Whether each judge has an order of their own; otherwise pairs are asked in the order of the list."""


LINKS = Scheme(
    name="links",
    question="Do the two passages treat the same subject?",
    verdicts={"c": "correct", "a": "acceptable", "w": "wrong"},
    totals={"correct pairs": ("correct",), "acceptable pairs": ("correct", "acceptable")},
    # Salton and Buckley: the best ranks, around 550 and around 1,100 of 2,400.
    strata={"Early output (best ranks)": 0.0, "Medium output": 550 / 2400, "Late output": 1100 / 2400},
    size=20,
)

_CLASSES = [
    "Correct; punctuation, symbols, spelling",
    "Correct; equal if case-insensitive",
    "Correct; both are stop words",
    "Correct; hyphenation",
    "Correct; morphological variation",
    "Correct; synonyms",
    "Siblings rather than synonyms",
    "One side adds an elaboration",
    "Entailment",
    "Incorrect; antonyms",
    "Incorrect; other",
]
_NAMED = [f"({number}) {name}" for number, name in enumerate(_CLASSES, start=1)]

PARAPHRASES = Scheme(
    name="paraphrases",
    question="How do the two phrases relate?",
    verdicts=dict(zip("1234567890-", _NAMED, strict=True)),
    totals={
        "Total correct": tuple(_NAMED[:6]),
        "Total siblings": tuple(_NAMED[6:9]),
        "Total incorrect": tuple(_NAMED[9:]),
    },
    strata={"Top": 0.0, "Mid": 0.5, "Low": 1.0},
    size=100,
    ordered=False,
)

RECORDS = Scheme(
    name="records",
    question="Are these two records the same?",
    verdicts={"y": "same", "n": "different", "u": "unsure"},
    totals={"the same": ("same",)},
    strata={"Most doubtful": 0.0},
    size=50,
    shuffled=False,
)

SCHEMES = {scheme.name: scheme for scheme in (LINKS, PARAPHRASES, RECORDS)}
