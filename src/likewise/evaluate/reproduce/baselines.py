"""The other measures that the paper draws beside spectra (Fig. 6.2): cosines, SoftTFIDF, soft cardinality."""

from dataclasses import dataclass

from likewise.evaluate.gold import GoldSet
from likewise.evaluate.reproduce.grid import steady
from likewise.measure import BM25, Measure, SoftCardinality, SoftTfIdf, TfIdf
from likewise.quality.ranking import Ranking


@dataclass(frozen=True, slots=True)
class Baseline:
    """Figures of one measure on one data set."""

    measure: str
    iap: float
    iap10: float
    best_f1: float
    curve: tuple[float, ...]


def measures(task: str) -> dict[str, Measure]:
    """Return the measures by the names the paper gives them; quadratic soft cardinality is for short texts only."""
    found: dict[str, Measure] = {
        "cosine boolean": TfIdf(weights="boolean"),
        "cosine tf-idf": TfIdf(weights="tfidf"),
        "SoftTFIDF boolean": SoftTfIdf(weights="boolean", cut=0.9),
        "SoftTFIDF idf": SoftTfIdf(weights="idf", cut=0.9),
        "SoftTFIDF tf-idf": SoftTfIdf(weights="tfidf", cut=0.9),
    }
    if task == "er":
        found["soft cardinality"] = SoftCardinality(weights="boolean", similarity="bigrams", cut=0.0)
    else:
        found["BM25"] = BM25()
    return found


def run_baselines(gold: GoldSet, task: str) -> list[Baseline]:
    """Rank all pairs of a data set by each of the other measures."""
    found = []
    for name, measure in measures(task).items():
        if measure.adaptive:
            # BM25 knows documents only; the paper's idf counts all texts at hand.
            measure.fit(list(gold.rights) if name == "BM25" else gold.texts)
        ranking = Ranking.of_matrix(steady(measure.matrix(gold.lefts, gold.rights)), gold.gold)
        found.append(
            Baseline(
                name,
                ranking.iap(),
                ranking.iap(full_recall=False),
                ranking.best_f1().f1,
                tuple(ranking.interpolated().tolist()),
            )
        )
    return found
