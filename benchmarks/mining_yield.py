"""What mining yields on enwiki, what it costs, how often it is right, what it does for questions: a page of results.

    python -m benchmarks.mining_yield DATA [--keep FOLDER] [--more FOLDER] [--write docs/results/mining.md]

``--keep`` writes the tables. Growth is that of the defaults (``benchmarks.mining --growth``); ``--more`` names shards
beyond enwiki for it, as from ``benchmarks.debian_text``. Pairs against input size: ``likewise mine --curve``.
"""

import argparse
import csv
import tempfile
from collections import Counter
from itertools import pairwise
from pathlib import Path

from benchmarks.measuring import give_page
from benchmarks.mining import growth
from likewise import Nuggets, mine, nuggets
from likewise.evaluate.questions import PUBLISHED, evaluate_questions, read_questions

HERE = Path(__file__).resolve().parent
SETTINGS = [
    ("ngram", 3), ("ngram", 2), ("entity", 3), ("entity", 2), ("entity", 1), ("relative", 3), ("relative", 2),
    ("relative", 1),
]  # fmt: skip
BANDS = (1.01, 0.9, 0.8, 0.6, 0.4, 0.2, 0.05, 0.0)


def yielded(source, keep):
    """Return the table of pairs by setting, and the pairs of each."""
    lines = [
        "| anchors | L_C | support | pairs | 1-1 | 1-n | n-n | other than classes 1-5 |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    tables = {}
    for anchors, context in SETTINGS:
        lowest = mine(source, anchors=anchors, context=context, support=3)
        for support in (3, 5):
            found = tables[anchors, context, support] = lowest.filter(min_support=support)
            if keep:
                keep.mkdir(parents=True, exist_ok=True)
                found.write(keep / f"{anchors}-{context}-{support}.parquet")
            shares, kinds = found.shares(), Counter(pair.kind for pair in found)
            other = kinds["other"] / max(1, len(found))
            lines.append(
                f"| {anchors} | {context} | {support} | {len(found):,} | {shares['1-1']:.0%} | "
                f"{shares['1-n']:.0%} | {shares['n-n']:.0%} | {other:.0%} |"
            )
            print(lines[-1], flush=True)
    return lines, tables


def judged(pairs):
    """Return how often judged pairs of enwiki are right, by what their probability says."""
    with (HERE.parent / "scripts" / "judged_later.csv").open(encoding="utf-8", newline="") as rows:
        labels = {(row["phrase"], row["paraphrase"]): row["right"] == "1" for row in csv.DictReader(rows)
                  if row["text"] == "wikipedia"}  # fmt: skip
    said = [(pair.probability, labels.get((pair.phrase, pair.paraphrase))) for pair in pairs]
    lines = ["| probability | pairs | judged | said of them | right |", "|---|---:|---:|---:|---:|"]
    for above, least in pairwise(BANDS):
        here = [one for one in said if least <= one[0] < above]
        known = [one for one in here if one[1] is not None]
        mean = f"{sum(one[0] for one in known) / len(known):.2f}" if known else ""
        right = f"{sum(one[1] for one in known)} ({sum(one[1] for one in known) / len(known):.2f})" if known else ""
        lines.append(f"| {least:g} to {min(above, 1):g} | {len(here):,} | {len(known)} | {mean} | {right} |")
    return lines


def asked(source, data, lists):
    """Return how questions of TREC are answered by disjuncts, and those of our own without."""
    with tempfile.TemporaryDirectory() as folder:
        count = nuggets(source, Path(folder) / "nuggets")
        index = Nuggets(Path(folder) / "nuggets")
        questions = read_questions(data / "qa").asked
        theirs = {
            (name, most): row
            for most, rows in PUBLISHED.items()
            for name, row in zip(("entity", ""), rows, strict=True)
        }
        lines = [
            f"{count:,} nuggets; {len(questions)} questions of TREC 1999 to 2001, which begin with When or What year.",
            "",
            "| pairs | disjuncts | QH / QL / score (right first) | without the kinds of events | the paper's |",
            "|---|---:|---:|---:|---:|",
        ]
        rows = [evaluate_questions(index, questions, lists, kinds=kinds) for kinds in (True, False)]
        for ours, bare in zip(*rows, strict=True):
            published = theirs.get(("entity" if ours.pairs == "none" else ours.pairs, ours.disjuncts))
            beside = "" if published is None else "{} / {} / {:.2f}".format(*published)
            cells = (f"{one.helped} / {one.hurt} / {one.score:.2f} ({one.first})" for one in (ours, bare))
            lines.append(f"| {ours.pairs} | {ours.disjuncts} | {' | '.join(cells)} | {beside} |")
            print(lines[-1], flush=True)
        lines += ["", "| questions of our own (the weights were learned on them, too) | asked | score | right first |"]
        lines.append("|---|---:|---:|---:|")
        for name in ("scripts", "benchmarks/questions"):
            own = read_questions(HERE.parent / name).asked
            [row] = evaluate_questions(index, own, {})
            lines.append(f"| `{name}` | {len(own)} | {row.score:.2f} | {row.first} |")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--keep", type=Path, help="folder for the tables")
    parser.add_argument("--more", type=Path, help="folder of further shards for the growth")
    parser.add_argument("--write", type=Path, help="Markdown page to write")
    options = parser.parse_args()
    source = options.data / "web" / "enwiki"
    shards = sorted(source.glob("*.gz")) + (sorted(options.more.glob("*.gz")) if options.more else [])
    # First: the peak of a process begins with that of the one that starts it, and this one will hold all the tables.
    grown = growth(shards, [len(shards) // part for part in (4, 2, 1)], 1, "1GB")
    found, tables = yielded(source, options.keep)
    default = mine(source)  # probabilities are those of a list of its own, not of a part of a longer one
    # Questions are widened with the default, and with what entity anchors yield at all.
    lists = {"ngram": default, "entity": tables["entity", 1, 3]}
    lines = [
        "# Mining: what it yields, what it costs",
        "",
        "See [how mining works](../design/mining.md), which also has what was judged blind on other text.",
        "",
        "## Pairs of 48 MB of Wikipedia",
        "",
        *found,
        "",
        "## How often they are right",
        "",
        "Pairs of the default list that are in `scripts/judged_later.csv`: one automated reader, contexts shown,",
        "probabilities hidden. The weights were learned on this text, too; case, hyphens and marks were not judged.",
        "",
        *judged(default),
        "",
        "## Growth of the default run",
        "",
        *grown,
        "",
        "## Questions",
        "",
        *asked(source, options.data, lists),
    ]
    give_page(lines, options.write)


if __name__ == "__main__":
    main()
