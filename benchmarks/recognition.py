"""Paraphrase and entailment by the honest protocol: learned on one part, tested once on another.

    python -m benchmarks.recognition [DATA] [--write docs/results/recognition.md]

MSR: three random splits of the training file, 70 % to learn from and 30 % to be tested on. RTE-1 and RTE-2: development
part to learn from, test part to be tested on. RTE-3: three random halves of the development part. Where the official
test files are there (msr_paraphrase_test.txt, rte3_test.xml), they are tested, too.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.measuring import DATA, give_page
from likewise.jobs.recognise import recognise
from likewise.jobs.recognise.model import Part, Recogniser
from likewise.jobs.recognise.signals import Signal
from likewise.measure import Spectra
from likewise.quality import pairs
from likewise.quality.pairs import LabelledPairs


def splits(found: LabelledPairs, share: float, count: int):
    for seed in range(count):
        order = np.random.default_rng(seed).permutation(len(found))
        cut = int(share * len(found))
        yield found.take(order[:cut]), found.take(order[cut:])


def published(train: LabelledPairs, test: LabelledPairs, weights: str, p: float) -> float:
    """The oracle's accuracy of the paper's measure on the test part: what the paper would have reported."""
    measure = Spectra(q=(1, 4), padding="none", weights=weights, coefficient=p, stem="porter")
    measure.fit([*test.lefts, *test.rights])
    return Recogniser((Part(Signal(measure)),), 0.0).evaluate(test)["oracle"]["accuracy"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", default=DATA)
    parser.add_argument("--write", type=Path)
    options = parser.parse_args()
    folder = options.data / "pairs"

    def load(name: str) -> LabelledPairs:
        return pairs.read(folder / name)

    msr, rte3 = load("msr_paraphrase_train.txt"), load("rte3_dev.xml")
    tasks = [
        ("MSR train, 70/30, three times", list(splits(msr, 0.7, 3)), ("c", 10.0)),
        ("RTE-1 dev to test", [(load("rte1_dev.xml"), load("rte1_test.xml"))], ("qidf", -1.5)),
        ("RTE-2 dev to test", [(load("rte2_dev.xml"), load("rte2_test.xml"))], ("qidf", -1.5)),
        ("RTE-3 dev, halves, three times", list(splits(rte3, 0.5, 3)), ("qidf", -1.5)),
    ]
    if (folder / "msr_paraphrase_test.txt").exists():
        tasks.append(("MSR train to test", [(msr, load("msr_paraphrase_test.txt"))], ("c", 10.0)))
    if (folder / "rte3_test.xml").exists():
        tasks.append(("RTE-3 dev to test", [(rte3, load("rte3_test.xml"))], ("qidf", -1.5)))
    lines = [
        "# Paraphrase and entailment, learned and tested honestly",
        "",
        "*honest*: measure and threshold chosen on the training part by cross-validation, applied once to the test",
        "part. *oracle*: the paper's measure with the threshold of the best F1 on the test part itself. Accuracy; F1",
        "of the honest one in brackets.",
        "",
        "| task | test pairs | always yes | one measure, honest | two allowed, honest | the paper's, oracle | chosen |",
        "|---|---|---|---|---|---|---|",
    ]
    for title, parts, (weights, p) in tasks:
        rows = []
        chosen: list[str] = []
        for train, test in parts:
            start = time.perf_counter()
            one = recognise(train, combine=False)
            two = recognise(train, combine=True)
            first, second = one.evaluate(test)["honest"], two.evaluate(test)["honest"]
            oracle = published(train, test, weights, p)
            rows.append((first["accuracy"], first["f1"], second["accuracy"], second["f1"], oracle, test.labels.mean()))
            chosen.append(" + ".join(str(part.signal) for part in two.parts))
            print(f"{title}: {rows[-1]} {chosen[-1]} {time.perf_counter() - start:.1f} s", file=sys.stderr, flush=True)
        mean = np.mean(rows, axis=0)
        count = sum(len(test) for _, test in parts)
        names = "; ".join(f"`{name}`" for name in dict.fromkeys(chosen))
        lines.append(
            f"| {title} | {count:,} | {mean[5]:.3f} | {mean[0]:.4f} ({mean[1]:.3f}) | {mean[2]:.4f} ({mean[3]:.3f}) |"
            f" {mean[4]:.4f} | {names} |"
        )
    give_page(lines, options.write)


if __name__ == "__main__":
    main()
