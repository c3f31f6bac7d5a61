"""Choose measures and threshold on training pairs by cross-validation.

The space is small: eight weighting schemes, ten readings of each, three cosines, SoftTFIDF; and the best of them
combined with one other by logistic regression. Every figure that chooses is computed on pairs that the threshold and
the combination did not see.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from likewise.errors import InputError
from likewise.jobs.recognise.model import Part, Recogniser
from likewise.jobs.recognise.options import RecogniseOptions
from likewise.jobs.recognise.signals import Signal, candidates
from likewise.products import crossed, times
from likewise.quality.pairs import LabelledPairs
from likewise.quality.ranking import classification
from likewise.verb import verb

_PARTNERS = 5  # how many of the best single signals are tried with every other one


@dataclass(frozen=True, slots=True)
class _Choice:
    figure: float
    places: tuple[int, ...]


@verb(options=RecogniseOptions)
def recognise(train: Any, *, options: RecogniseOptions) -> Recogniser:
    """Learn to tell pairs of texts apart from labelled ones.

    ``train`` is a list of (left text, right text, label), a file (MSR paraphrase, RTE XML, TSV, JSONL), or
    :class:`~likewise.quality.pairs.LabelledPairs`.

    >>> left = ["the cat sat on the mat", "rain is expected", "he bought a car", "shares fell on Monday"] * 3
    >>> right = ["a cat sat on a mat", "the sun will shine", "a car he bought", "we like tea"] * 3
    >>> pairs = list(zip(left, right, [True, False, True, False] * 3))
    >>> model = recognise(pairs, folds=2, combine=False)
    >>> model.predict(["a dog sat on the mat"], ["the dog sat on a mat"]).tolist()
    [True]
    """
    pairs = LabelledPairs.of(train)
    labels = pairs.labels
    for value, count in ((True, int(labels.sum())), (False, int((~labels).sum()))):
        if count < options.folds:
            raise InputError(
                f"{options.folds} folds need at least as many pairs of each kind; {count} are labelled {value}"
            )
    stem = None if options.stem == "none" else options.stem
    found = list(candidates(pairs.lefts, pairs.rights, stem))
    signals = [signal for signal, _ in found]
    scores = np.column_stack([values for _, values in found])
    folds = [_folds(labels, options.folds, options.seed + turn) for turn in range(options.repeats)]
    singles = [_Choice(_validated(scores[:, [at]], labels, folds, options.goal), (at,)) for at in range(len(signals))]
    singles.sort(key=lambda one: (-one.figure, one.places))
    best = singles[0]
    if options.combine:
        best = _with_partner(scores, labels, folds, options.goal, singles)
    chosen = scores[:, list(best.places)]
    weights, centre, spread = _combination(chosen, labels)
    total = times((chosen - centre) / spread, weights)
    threshold = _threshold(total, labels, options.goal)
    parts = tuple(
        Part(_refitted(signals[place], pairs), float(weights[at]), float(centre[at]), float(spread[at]))
        for at, place in enumerate(best.places)
    )
    protocol = {
        "train": pairs.name,
        "pairs": len(pairs),
        "positive": int(labels.sum()),
        "goal": options.goal,
        "folds": options.folds,
        "repeats": options.repeats,
        "seed": options.seed,
        "tried": len(signals),
        "cross_validated": round(best.figure, 4),
        "best_single": str(signals[singles[0].places[0]]),
        "best_single_cross_validated": round(singles[0].figure, 4),
        "on_training_pairs": {
            name: round(value, 4) for name, value in classification(labels, total >= threshold).items()
        },
    }
    return Recogniser(parts, threshold, protocol)


def _refitted(signal: Signal, pairs: LabelledPairs) -> Signal:
    if not signal.measure.ready:
        signal.measure.fit([*pairs.lefts, *pairs.rights])
    return signal


def _with_partner(
    scores: NDArray[np.float64],
    labels: NDArray[np.bool_],
    folds: Sequence[NDArray[np.int64]],
    goal: str,
    singles: Sequence[_Choice],
) -> _Choice:
    """Return the best of the singles and of their combinations; a combination must be clearly better to be taken."""
    best = singles[0]
    tried = set()
    pairs = []
    for first in singles[:_PARTNERS]:
        for other in singles:
            places = tuple(sorted((first.places[0], other.places[0])))
            if places[0] == places[1] or places in tried:
                continue
            tried.add(places)
            pairs.append(_Choice(_validated(scores[:, list(places)], labels, folds, goal), places))
    pair = max(pairs, key=lambda one: (one.figure, [-place for place in one.places]), default=best)
    # Half a standard error of a share: the winner of hundreds is partly lucky.
    margin = 0.5 * float(np.sqrt(best.figure * (1 - best.figure) / len(labels)))
    return pair if pair.figure > best.figure + margin else best


def _validated(
    chosen: NDArray[np.float64], labels: NDArray[np.bool_], folds: Sequence[NDArray[np.int64]], goal: str
) -> float:
    """Return the figure on held-out parts, averaged over the repeats."""
    total = 0.0
    for parts in folds:
        guess = np.zeros(len(labels), dtype=bool)
        for part in range(int(parts.max()) + 1):
            seen, held = parts != part, parts == part
            weights, centre, spread = _combination(chosen[seen], labels[seen])
            values = times((chosen - centre) / spread, weights)
            guess[held] = values[held] >= _threshold(values[seen], labels[seen], goal)
        total += classification(labels, guess)[goal]
    return total / len(folds)


def _combination(
    chosen: NDArray[np.float64], labels: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Return weights, centres and spreads: one signal as it is, two by logistic regression (Newton's method)."""
    count = chosen.shape[1]
    if count == 1:
        return np.ones(1), np.zeros(1), np.ones(1)
    centre, spread = chosen.mean(axis=0), np.maximum(chosen.std(axis=0), 1e-12)
    table = np.column_stack([np.ones(len(chosen)), (chosen - centre) / spread])
    penalty = np.diag([0.0] + [1e-3] * count)
    weights = np.zeros(count + 1)
    target = labels.astype(np.float64)
    for _ in range(25):
        chance = 1.0 / (1.0 + np.exp(-np.clip(times(table, weights), -40.0, 40.0)))
        slope = times(table.T, chance - target) / len(table) + penalty @ weights
        bend = crossed(table, chance * (1.0 - chance)) / len(table) + penalty
        step = np.linalg.solve(bend + 1e-12 * np.eye(count + 1), slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    return weights[1:], centre, spread


def _threshold(values: NDArray[np.float64], labels: NDArray[np.bool_], goal: str) -> float:
    """Return the cut that is best on these pairs, halfway between two scores."""
    order = np.argsort(-values, kind="stable")
    ranked, marks = values[order], labels[order]
    found = np.cumsum(marks)
    taken = np.arange(1, len(values) + 1)
    positive = int(marks.sum())
    figure = (2 * found - taken).astype(np.float64) if goal == "accuracy" else 2.0 * found / (taken + max(positive, 1))
    figure[:-1][ranked[1:] == ranked[:-1]] = -np.inf
    at = int(np.argmax(figure))
    if goal == "accuracy" and figure[at] <= 0:
        return float(np.nextafter(ranked[0], np.inf))  # to say no to all is better than any cut
    return float(ranked[at] if at + 1 == len(ranked) else (ranked[at] + ranked[at + 1]) / 2)


def _folds(labels: NDArray[np.bool_], count: int, seed: int) -> NDArray[np.int64]:
    """Return the part of each pair; every part has its share of both labels."""
    random = np.random.default_rng(seed)
    parts = np.empty(len(labels), dtype=np.int64)
    for value in (True, False):
        places = np.flatnonzero(labels == value)
        random.shuffle(places)
        parts[places] = np.arange(len(places)) % count
    return parts
