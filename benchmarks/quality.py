"""Quality on entity resolution: every weighting scheme and padding against the usual measures.

    python -m benchmarks.quality [DATA] [--q 2:4] [--lefts 1000] [--write docs/results/er-quality.md]

One ranking of all pairs per set: IAP and best F1; and of the left texts that have a partner, the share whose best match
is one ("top 1"). febrl4 (5,000 x 5,000) is ranked for a sample of its left records, the same for every measure.
"""

import argparse
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from benchmarks.measuring import DATA, give_page
from likewise.evaluate.gold import GoldSet
from likewise.evaluate.gold.collections import er_set
from likewise.evaluate.gold.tables import febrl
from likewise.measure import Measure, SoftCardinality, SoftTfIdf, Spectra, TfIdf
from likewise.quality.ranking import Ranking
from likewise.records.measures import default_measure

SETS = ("birds-scott1", "birds-scott2", "birds-kunkel", "demos", "restaurant", "ucd-people")
SCHEMES = ("none", "c", "idf", "qidf", "c.idf", "c.qidf", "idf.qidf", "c.idf.qidf")
PADDINGS = ("none", "single", "full")


@dataclass(frozen=True)
class Figures:
    iap: float
    f1: float
    top1: float
    seconds: float


def sample(gold: GoldSet, lefts: int) -> GoldSet:
    """The first so many left texts of a set that is too large to rank whole (the files are in random order)."""
    if len(gold.lefts) <= lefts:
        return gold
    kept = gold.gold[:, 0] < lefts
    return replace(
        gold, left_ids=gold.left_ids[:lefts], lefts=gold.lefts[:lefts], gold=gold.gold[kept], grades=gold.grades[kept]
    )


def figures(matrix: np.ndarray, gold: GoldSet, seconds: float) -> Figures:
    ranking = Ranking.of_matrix(np.round(matrix, 11), gold.gold)
    marks = np.zeros(matrix.shape, dtype=bool)
    marks[gold.gold[:, 0], gold.gold[:, 1]] = True
    rows = np.flatnonzero(marks.any(axis=1))
    best = matrix[rows].argmax(axis=1)
    return Figures(ranking.iap(), ranking.best_f1().f1, float(marks[rows, best].mean()), seconds)


def measured(measure: Measure, gold: GoldSet, texts: list[str]) -> Figures:
    start = time.process_time()
    if measure.adaptive:
        measure.fit(texts)
    matrix = measure.matrix(gold.lefts, gold.rights)
    return figures(matrix, gold, time.process_time() - start)


def rapidfuzz_scores(gold: GoldSet) -> Figures:
    from rapidfuzz import fuzz, process, utils

    start = time.process_time()
    matrix = process.cdist(
        gold.lefts, gold.rights, scorer=fuzz.token_set_ratio, processor=utils.default_process, workers=2
    )
    return figures(matrix.astype(np.float64), gold, time.process_time() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", default=DATA)
    parser.add_argument("--q", default="2:4")
    parser.add_argument("--lefts", type=int, default=1000)
    parser.add_argument("--only", default="")
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    sets: dict[str, tuple[GoldSet, list[str]]] = {}
    for name in SETS:
        gold = er_set(options.data, name)
        if gold is not None:
            sets[name] = (gold, gold.texts)
    whole = febrl(options.data / "er" / "febrl")
    sets["febrl4"] = (sample(whole, options.lefts), whole.texts)
    if options.only:
        sets = {name: sets[name] for name in options.only.split(",")}
    table: dict[str, dict[str, Figures]] = {}

    def note(measure: str, name: str, found: Figures) -> None:
        table.setdefault(measure, {})[name] = found
        print(
            f"{measure:34} {name:13} IAP {found.iap:.4f}  F1 {found.f1:.4f}  top 1 {found.top1:.4f} "
            f" {found.seconds:.2f} s",
            file=sys.stderr,
            flush=True,
        )

    for name, (gold, texts) in sets.items():
        for padding in PADDINGS:
            for scheme in SCHEMES:
                spectra = Spectra(q=options.q, padding=padding, weights=scheme)
                note(f"spectra {scheme}, {padding}", name, measured(spectra, gold, texts))
        note("default of match", name, measured(default_measure(), gold, texts))
        note("cosine tf-idf", name, measured(TfIdf(weights="tfidf"), gold, texts))
        note("SoftTFIDF", name, measured(SoftTfIdf(weights="tfidf", cut=0.9), gold, texts))
        soft = SoftCardinality(weights="boolean", similarity="bigrams", cut=0.0)
        note("soft cardinality", name, measured(soft, gold, texts))
        note("RapidFuzz token_set_ratio", name, rapidfuzz_scores(gold))
    give_page(report(table, list(sets), options.q), options.write)


def report(table: dict[str, dict[str, Figures]], names: list[str], q: str) -> list[str]:
    """Return the lines of the page."""

    def mean(measure: str, field: str) -> float:
        return float(np.mean([getattr(table[measure][name], field) for name in names]))

    def leader(field: str) -> str:
        best = max(table, key=lambda measure: mean(measure, field))
        return f"{best}, {mean(best, field):.4f}"

    parts = [
        f"# Entity resolution: which measure, which weights (q = {q})",
        "",
        "One ranking of all pairs per set; the mean is over the sets, each once.",
        "febrl4 is ranked for its first 1,000 left records against all 5,000 right ones.",
        "",
        f"The default of `match` is `{default_measure()}`, one for all sets and not tuned per set. Mean IAP"
        f" {mean('default of match', 'iap'):.4f} (best: {leader('iap')}), mean best F1"
        f" {mean('default of match', 'f1'):.4f} (best: {leader('f1')}); `docs/design/match.md` says why it was chosen.",
    ]
    for title, field in (("IAP", "iap"), ("Best F1", "f1"), ("Right partner as best match", "top1")):
        rows = []
        for measure, found in table.items():
            values = [getattr(found[name], field) for name in names]
            rows.append((float(np.mean(values)), measure, values))
        rows.sort(key=lambda row: -row[0])
        best = [max(row[2][at] for row in rows) for at in range(len(names))]
        parts += ["", f"## {title}", "", f"| measure | {' | '.join(names)} | mean |", "|---" * (len(names) + 2) + "|"]
        for mean, measure, values in rows:
            cells = " | ".join(f"**{v:.3f}**" if v == best[at] else f"{v:.3f}" for at, v in enumerate(values))
            parts.append(f"| {measure} | {cells} | {mean:.4f} |")
    seconds = [(sum(found[name].seconds for name in names), measure) for measure, found in table.items()]
    parts += ["", "## CPU seconds", "", "CPU seconds for fit and matrix over all sets:", ""]
    parts += [f"- {measure}: {total:.1f}" for total, measure in sorted(seconds) if "spectra" not in measure]
    spectra = [total for total, measure in seconds if "spectra" in measure]
    parts.append(f"- spectra: {min(spectra):.1f} to {max(spectra):.1f}")
    return parts


if __name__ == "__main__":
    main()
