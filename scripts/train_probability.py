"""Learn the weights of ``probability`` from mined corpora, with WordNet and judged pairs as labels.

    likewise mine CORPUS -o pp.parquet --keep-work
    python scripts/train_probability.py WORDNET pp.parquet.work ... [--test other.parquet.work ...]

WORDNET is the folder with ``data.noun`` and the rest (Debian: package wordnet-base, /usr/share/wordnet). The judged
pairs (``scripts/judged_pairs.csv``: phrase, paraphrase, right) are of the same corpora. WordNet lacks many pairs that
say the same, so that its silence is believed only for pairs that a first fit to WordNet alone ranks low; above that the
judged ones count, each for as many as its band of ranks holds (10 at most). Nothing of the labels goes into the file of
weights. ``--test`` reports the precision of the words among the best 100, 200, 500 and 1,000 on other corpora, by
probability and by the older score (specific, held against standing side by side). ``scripts/judged_later.csv`` holds
pairs that were judged since, on which no weights were learned: to test others.
"""

import argparse
import collections
import csv
import functools
import json
import re
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from likewise.analyse.variants import STRINGS
from likewise.jobs.mine.evidence import Evidence
from likewise.jobs.mine.features import NAMES, features
from likewise.jobs.mine.weigh import numbered

HERE = Path(__file__).parent
OUTPUT = HERE.parent / "src" / "likewise" / "jobs" / "mine" / "probability.json"
PARTS = ("noun", "verb", "adj", "adv")
ENDINGS = {
    "noun": ["s>", "ses>s", "xes>x", "zes>z", "ches>ch", "shes>sh", "men>man", "ies>y"],
    "verb": ["s>", "ies>y", "es>e", "es>", "ed>e", "ed>", "ing>e", "ing>"],
    "adj": ["er>", "est>", "er>e", "est>e"],
    "adv": [],
}
# What two blind judges of 443 pairs of RFCs and Debian packages gave phrases beyond what single words teach: odds that
# were learned on one half of these pairs made the other half fit better, both ways. What a judge gave forms of one word
# (*agreed*, *has agreed*): the odds that fit 106 such pairs of RFCs best also fit 128 of news better.
JUDGED = {"one side": 0.9, "both sides": 0.65, "forms": 2.0}
RIDGE, MOST, BANDS, BELIEVED = 20.0, 10.0, (100, 400, 2000), 2000


class WordNet:
    """Which words share a synset, after their endings are taken off."""

    def __init__(self, folder: Path) -> None:
        self.synsets = collections.defaultdict(set)
        self.irregular = collections.defaultdict(set)
        for part in PARTS:
            for line in (folder / f"data.{part}").read_text(encoding="utf-8").splitlines():
                if not line.startswith(" "):
                    fields = line.split(" | ")[0].split()
                    for place in range(int(fields[3], 16)):
                        word = re.sub(r"\(.*\)", "", fields[4 + 2 * place]).lower().replace("_", " ")
                        self.synsets[word, part].add(fields[0])
            for line in (folder / f"{part}.exc").read_text(encoding="utf-8").splitlines():
                form, *words = line.replace("_", " ").split()
                self.irregular[form].update((word, part) for word in words)
        self.lemmas = functools.cache(self._lemmas)

    def _lemmas(self, word: str) -> set[tuple[str, str]]:
        word = word.lower()
        found = set(self.irregular.get(word, ()))
        doubled = re.match(r"(.+?)([bdgklmnprt])\2(?:ed|ing)$", word)
        if doubled:
            found.add((doubled[1] + doubled[2], "verb"))
        for part in PARTS:
            found.add((word, part))
            for ending, other in (rule.split(">") for rule in ENDINGS[part]):
                if word.endswith(ending) and len(word) > len(ending) + 1:
                    found.add((word[: -len(ending)] + other, part))
        return {lemma for lemma in found if lemma in self.synsets}

    def label(self, phrase: str, paraphrase: str) -> int:
        """1: forms or synonyms of each other; 0: not; -1: a phrase is unknown."""
        left, right = self.lemmas(phrase), self.lemmas(paraphrase)
        if not left or not right:
            return -1
        shared = any(a[1] == b[1] and self.synsets[a] & self.synsets[b] for a in left for b in right)
        return int(bool(left & right) or shared)


def load(folder: Path):
    """Return the pairs of a work folder, their figures, and the older score."""
    pairs = pq.read_table(folder / "pairs.parquet")
    phrases, numbers = numbered(pairs)
    evidence = Evidence(np.load(folder / "evidence" / "total.npy"), folder / "evidence" / "neighbours.arrow")
    kept = sum(json.loads(p.read_text()).get("kept", 0) for p in (folder / "sentences").glob("*.json"))
    figures = features(pairs, len(phrases), numbers, evidence, kept)
    support, specific = (pairs.column(name).to_numpy().astype(float) for name in ("support", "specific"))
    together = evidence.split(len(phrases))[1][:3].sum(axis=0)
    older = specific / np.sqrt(support) * support / (support + 4 * together)
    older *= np.where(column(figures, "numbers"), 0, np.where(column(figures, "inside"), 0.1, 1))
    names = list(zip(pairs.column("phrase").to_pylist(), pairs.column("paraphrase").to_pylist(), strict=True))
    return names, figures, older


def column(figures, name):
    return figures[:, NAMES.index(name)] > 0


def fit(figures, labels, weights):
    """Return weights, bias, and the range of the figures, of a ridge logistic regression, by Newton's method."""
    # The rare extremes of one corpus say nothing of another; of flags all is kept.
    least, most = (np.percentile(figures, share, axis=0) for share in (0.5, 99.8))
    flags = [NAMES.index(name) for name in STRINGS]
    least[flags], most[flags] = figures[:, flags].min(0), figures[:, flags].max(0)
    figures = np.clip(figures, least, most)
    middle, spread = figures.mean(0), figures.std(0) + 1e-9
    matrix = np.column_stack([np.ones(len(figures)), (figures - middle) / spread])
    found, ridge = np.zeros(matrix.shape[1]), np.eye(matrix.shape[1]) * RIDGE
    ridge[0, 0] = 0
    for _ in range(50):
        guess = 1 / (1 + np.exp(-matrix @ found))
        slope = matrix.T @ (weights * (labels - guess)) - ridge @ found
        bend = (matrix * (weights * guess * (1 - guess))[:, None]).T @ matrix + ridge
        step = np.linalg.solve(bend, slope)
        found += step
        if np.abs(step).max() < 1e-9:
            break
    return found[1:] / spread, found[0] - (found[1:] * middle / spread).sum(), least, most


def odds(model, figures):
    weights, bias, least, most = model
    found = bias + (np.clip(figures, least, most) * weights).sum(axis=1)
    return np.where(column(figures, "numbers"), -99.0, found)


def training_labels(names, figures, lexicon, judged):
    """Return labels (-1: none) and weights of the pairs to learn from."""
    by_lexicon = np.array([lexicon.label(*pair) for pair in names])
    known = by_lexicon >= 0
    first = odds(fit(figures[known], by_lexicon[known], np.ones(known.sum())), figures)
    silent = [place for place in np.argsort(-first, kind="stable") if by_lexicon[place] == 0]
    labels, weights = np.where(by_lexicon == 1, 1, -1), np.ones(len(names))
    labels[silent[BELIEVED:]] = 0
    said = np.array([judged.get(pair, -1) for pair in names])
    start = 0
    for end in BANDS:
        band = [place for place in silent[start:end] if said[place] >= 0]
        labels[band] = said[band]
        weights[band] = min(MOST, (end - start) / max(1, len(band)))
        start = end
    other = (by_lexicon < 0) & (said >= 0)
    labels[other], weights[other] = said[other], MOST * 0.6
    labels[column(figures, "numbers")] = -1
    return labels, weights


def report(names, figures, older, model, lexicon):
    words = [place for place, pair in enumerate(names) if " " not in pair[0] + pair[1]]
    labels = {place: lexicon.label(*names[place]) for place in words}
    for title, score in (("probability", odds(model, figures)), ("older score", older)):
        ranked = [labels[p] for p in sorted(words, key=lambda p: (-score[p], p)) if labels[p] >= 0]
        print(f"  {title}:", ", ".join(f"{np.mean(ranked[:n]):.3f} of {n}" for n in (100, 200, 500, 1000)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wordnet", type=Path)
    parser.add_argument("work", type=Path, nargs="+")
    parser.add_argument("--judged", type=Path, default=HERE / "judged_pairs.csv")
    parser.add_argument("--test", type=Path, nargs="*", default=[])
    parser.add_argument("-o", "--output", type=Path, default=OUTPUT)
    options = parser.parse_args()
    lexicon = WordNet(options.wordnet)
    with open(options.judged, encoding="utf-8", newline="") as file:
        judged = {(row["phrase"], row["paraphrase"]): int(row["right"]) for row in csv.DictReader(file)}
    parts = []
    for folder in options.work:
        names, figures, _ = load(folder)
        parts.append((figures, *training_labels(names, figures, lexicon, judged)))
    figures, labels, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
    used = labels >= 0
    model = fit(figures[used], labels[used], weights[used])
    content = {
        "origin": "scripts/train_probability.py on 71 MB of Debian documentation and 48 MB of Wikipedia; labels: "
        "WordNet 3.0 (Princeton University, used to learn the weights only, nothing of it is here) and "
        "scripts/judged_pairs.csv",
        "pairs": int(used.sum()),
        "right": int((labels == 1).sum()),
        "bias": round(float(model[1]), 6),
        "judged": JUDGED,
        **{
            part: {name: round(float(value), 6) for name, value in zip(NAMES, values, strict=True)}
            for part, values in (("weights", model[0]), ("least", model[2]), ("most", model[3]))
        },
    }
    options.output.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    for folder in (*options.work, *options.test):
        print(folder)
        report(*load(folder), model, lexicon)


if __name__ == "__main__":
    main()
