"""Chapter: learn to tell whether two docstrings describe the same operation, and measure it honestly."""

import builtins
import cmath
import collections
import inspect
import math
import ntpath
import posixpath
import random
from itertools import product

from likewise.demo import Demo
from likewise.jobs import recognise as recognise_job

# Pairs of places in which functions of the same name do the same to different things, described in different words.
TWINS = (
    (str, bytes), (str, collections.UserString), (bytes, bytearray), (math, cmath), (posixpath, ntpath),
    (list, collections.deque), (dict, collections.OrderedDict), (set, frozenset), (int, float), (builtins.range, list),
)  # fmt: skip


def chapter(demo: Demo) -> None:
    """Learn from half of the functions, decide about the other half."""
    train, test = split(pairs())
    demo.title(f"Recognise: do two docstrings describe the same operation? {len(train)} pairs to learn from")
    for name, part in (("train", train), ("test", test)):
        lines = [f"{left}\t{right}\t{int(label)}\n" for left, right, label in part]
        (demo.folder / f"{name}.tsv").write_text("left\tright\tlabel\n" + "".join(lines), encoding="utf-8")
    model = recognise_job.recognise(demo.folder / "train.tsv", repeats=1, combine=False)
    figures = model.evaluate(demo.folder / "test.tsv")
    demo.say("Chosen by cross-validation:")
    for one in model.parts:
        demo.say(f"  {one.signal}")
    demo.say(f"  threshold {model.threshold:.3f}\n")
    honest = figures["honest"]
    demo.say(
        f"On {len(test)} pairs of functions it has not seen: accuracy {honest['accuracy']:.3f}, F1 {honest['f1']:.3f}"
        f" (always no: {sum(not label for _, _, label in test) / len(test):.3f}).\n"
    )
    for left, right, _ in [pair for pair in test if pair[2]][:3]:
        why = model.explain(left, right)
        missing = ", ".join(part.text for part in why.uncovered[:6]) or "nothing"
        demo.say(f"  {left}\n  {right}\n  {'yes' if why.decision else 'no'}; not covered: {missing}\n")
    model.save(demo.folder / "recogniser.json")
    demo.command("likewise recognise fit train.tsv -o recogniser.json")
    demo.command("likewise recognise evaluate recogniser.json test.tsv")


def docstrings(place: object) -> dict[str, str]:
    """Return the first paragraph of the docstring of every public function of a class or module."""
    found = {}
    for name, value in inspect.getmembers(place, callable):
        text = (inspect.getdoc(value) or "").split("\n\n")
        text = [part for part in text if "(" not in part.split("\n")[0] or " " in part.split("(")[0]]
        if text and not name.startswith("_"):
            found[name] = " ".join(text[0].split())
    return found


def pairs() -> list[tuple[str, str, bool]]:
    """Return pairs of different docstrings: the same name in two places, and as many of different names, and more."""
    chance = random.Random(7)
    yes: set[tuple[str, str]] = set()
    no: set[tuple[str, str]] = set()
    for left, right in TWINS:
        a, b = docstrings(left), docstrings(right)
        for one, other in product(sorted(a), sorted(b)):
            if a[one] and b[other] and a[one] != b[other]:
                (yes if one == other else no).add((a[one], b[other]))
    some = chance.sample(sorted(no - yes), min(2 * len(yes), len(no)))
    return [(left, right, True) for left, right in sorted(yes)] + [(left, right, False) for left, right in some]


def split(found: list[tuple[str, str, bool]]) -> tuple[list[tuple[str, str, bool]], list[tuple[str, str, bool]]]:
    """Return two halves at random."""
    shuffled = random.Random(1).sample(found, len(found))
    return shuffled[: len(found) // 2], shuffled[len(found) // 2 :]
