"""Tables 7 to 9: paraphrase and entailment with the oracle threshold, the one of the best F1 on the ranking."""

from collections.abc import Iterable
from typing import Any

from likewise.evaluate.reproduce.grid import steady
from likewise.evaluate.reproduce.published import Published
from likewise.measure import Measure, SoftTfIdf, Spectra, TfIdf
from likewise.quality.pairs import LabelledPairs
from likewise.quality.ranking import Best, Ranking


def compute(wanted: Iterable[Published], pairs: LabelledPairs) -> dict[str, tuple[float, str]]:
    """Return row id -> (figure at the best F1, remark)."""
    known: dict[tuple[str, ...], Best] = {}
    values = {}
    for row in wanted:
        if row.measure == "quoted":
            continue
        key = (row.measure, row.q, row.padding, row.weights, row.coefficient, row.stem)
        if key not in known:
            known[key] = _best(_measure(row), pairs)
        best = known[key]
        figure = {"accuracy": best.accuracy, "precision": best.precision, "recall": best.recall, "f1": best.f1}
        values[row.id] = (figure[row.metric.partition(".")[2]], f"threshold {best.threshold:.4f}")
    return values


def _best(measure: Measure, pairs: LabelledPairs) -> Best:
    if measure.adaptive:
        measure.fit([*pairs.lefts, *pairs.rights])
    return Ranking.of(steady(measure.scores(pairs.lefts, pairs.rights)), pairs.labels).best_f1()


def _measure(row: Published) -> Measure:
    # Published before folding accents was thought of.
    analysis: dict[str, Any] = {"stem": row.stem or None, "accents": "keep"}
    if row.measure == "soft-tfidf":
        return SoftTfIdf(weights=row.weights, cut=0.7, **analysis)
    if row.measure == "cosine":
        return TfIdf(weights=row.weights, **analysis)
    start, end = (int(part) for part in row.q.split(":"))
    p = float(row.coefficient)
    return Spectra(q=(start, end), padding=row.padding, weights=row.weights, coefficient=p, **analysis)
