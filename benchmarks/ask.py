"""Temporal TREC questions answered from nuggets, without expansion and with 1 to 4 paraphrases a word.

    python benchmarks/ask.py DATA [--entity pp-entity.parquet] [--relative ...] [--ngram ...] [--json out.json]

DATA is the folder with ``web/enwiki`` and ``qa``. Score: reciprocal rank of the first date among the top 10 that
matches an answer pattern, summed over the questions; QH and QL count the questions that expansion helped and hurt.
"""

import argparse
import json
import re
import tempfile
import time
from pathlib import Path

from likewise.jobs.ask import Nuggets
from likewise.jobs.nuggets import nuggets
from likewise.results.paraphrases import Paraphrases

TEMPORAL = re.compile(r"(?:When|What year)\b", re.IGNORECASE)


def questions(folder: Path) -> list[tuple[str, str, list[re.Pattern[str]]]]:
    """Questions that begin with When or What year and have answer patterns."""
    found = []
    for path in sorted(folder.glob("*-q.tsv")):
        patterns: dict[str, list[re.Pattern[str]]] = {}
        for line in path.with_name(path.name.replace("-q", "-p")).read_text(encoding="utf-8").splitlines():
            number, _, pattern = line.partition("\t")
            if number and pattern:
                patterns.setdefault(number, []).append(re.compile(pattern, re.IGNORECASE))
        for line in path.read_text(encoding="utf-8").splitlines():
            number, _, question = line.split("\t", 2)
            if TEMPORAL.match(question) and number in patterns:
                found.append((f"{path.stem}:{number}", question, patterns[number]))
    return found


def reciprocal_rank(answers, patterns) -> float:
    for rank, answer in enumerate(answers, 1):
        if any(pattern.search(form) for pattern in patterns for form in (answer.date, *answer.forms)):
            return 1 / rank
    return 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--index", type=Path, help="folder of nuggets; made in a temporary place if absent")
    for anchors in ("ngram", "entity", "relative"):
        parser.add_argument(f"--{anchors}", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    index = options.index or Path(tempfile.mkdtemp()) / "nuggets"
    if not (index / "manifest.json").exists():
        started = time.perf_counter()
        count = nuggets(options.data / "web" / "enwiki", index)
        print(f"{count:,} nuggets in {time.perf_counter() - started:.1f} s")
    opened = Nuggets(index)
    asked = questions(options.data / "qa")
    base = {name: reciprocal_rank(opened.ask(question), patterns) for name, question, patterns in asked}
    answered = sum(bool(opened.ask(question)) for _, question, _ in asked)
    print(f"{len(asked)} questions, {len(opened):,} nuggets; without expansion: {answered} answered at all")
    table = []
    for anchors in ("ngram", "entity", "relative"):
        path = getattr(options, anchors)
        if path is None:
            continue
        pairs = Paraphrases.read(path)
        for disjuncts in range(1, 6):
            scores = {
                name: reciprocal_rank(opened.ask(question, pairs, disjuncts - 1), patterns)
                for name, question, patterns in asked
            }
            row = {
                "anchors": anchors,
                "pairs": len(pairs),
                "disjuncts": disjuncts,
                "helped": sum(scores[name] > base[name] for name in scores),
                "hurt": sum(scores[name] < base[name] for name in scores),
                "score": round(sum(scores.values()), 2),
            }
            table.append(row)
            print(row)
    if options.json:
        options.json.write_text(json.dumps({"questions": len(asked), "nuggets": len(opened), "rows": table}, indent=1))


if __name__ == "__main__":
    main()
