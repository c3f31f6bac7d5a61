"""Tables 5 and 6: one spectrum, every weighting scheme; and per-query figures beside, for retrieval."""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from likewise.evaluate.gold import GoldSet
from likewise.evaluate.reproduce.grid import steady
from likewise.evaluate.reproduce.published import Published
from likewise.measure import BM25, Measure, Spectra, TfIdf
from likewise.quality.ranking import Ranking
from likewise.quality.retrieval import of_matrix


def compute(wanted: Iterable[Published], gold: GoldSet, slipped: GoldSet | None) -> dict[str, tuple[float, str]]:
    """Return row id -> (IAP, remark); rows of a known slip are computed with it, and rightly in the remark."""
    values = {}
    for row in wanted:
        scores = _scores(row, gold)
        ranking = Ranking.of_matrix(scores, gold.gold)
        remark = ""
        figure = ranking.iap()
        if row.variant == "gold-twice":
            remark = f"computed with every gold pair counted twice; rightly it is {figure:.4f}"
            twice = Ranking(ranking.threshold, ranking.position, ranking.found, 2 * ranking.total, ranking.size)
            figure = twice.iap()
        elif row.variant and slipped is not None:
            remark = f"computed with numbers read as the paper must have read them; rightly it is {figure:.4f}"
            figure = Ranking.of_matrix(_scores(row, slipped), slipped.gold).iap()
        else:
            shuffled = Ranking.of_matrix(scores, gold.gold, seed=0).iap()
            if abs(shuffled - figure) >= 0.0005:
                remark = f"with ties in random order {shuffled:.4f}"
        values[row.id] = (figure, remark)
    return values


def _scores(row: Published, gold: GoldSet) -> NDArray[np.float64]:
    start, end = (int(part) for part in row.q.split(":"))
    measure = Spectra(q=(start, end), padding=row.padding, weights=row.weights, coefficient=row.coefficient)
    if measure.adaptive:
        measure.fit(gold.texts)
    return steady(measure.matrix(gold.lefts, gold.rights))


def per_query_figures(gold: GoldSet) -> dict[str, dict[str, float]]:
    """Return what a retrieval person asks for: a list per query, as search gives it, for spectra and its rivals."""
    measures: dict[str, Measure] = {
        "spectra c 4 (none)": Spectra(q=4, padding="none", weights="c"),
        "spectra c.idf.qidf 4 (none)": Spectra(q=4, padding="none", weights="c.idf.qidf"),
        "spectra qidf 4 (none)": Spectra(q=4, padding="none", weights="qidf"),
        "cosine tf-idf": TfIdf(weights="tfidf"),
        "BM25": BM25(),
    }
    found = {}
    for name, measure in measures.items():
        if measure.adaptive:
            measure.fit(list(gold.rights) if name == "BM25" else gold.texts)
        figures = of_matrix(measure.matrix(gold.lefts, gold.rights), gold.gold, gold.grades).means()
        found[name] = {key: figures[key] for key in ("map", "iap11", "nDCG@10", "P@10", "R@100", "mrr")}
    return found
