"""Pair scores on one core, beside RapidFuzz and py_stringmatching, on 46-character descriptions.

python -m benchmarks.pairs [--write docs/results/pairs.md]
"""

import argparse
import importlib.util
import random

from benchmarks.measuring import DATA, give_page, measure

DESCRIPTIONS = DATA / "bench" / "descs_50k.txt"
SIDE, PAIRS, LOOP, ROW, SLOW = 2000, 1_000_000, 200_000, 49_000, 20_000


def texts() -> list[str]:
    return DESCRIPTIONS.read_text(encoding="utf-8").splitlines()


def sides(count: int) -> tuple[list[str], list[str]]:
    choice = random.Random(1).choices
    return choice(texts(), k=count), choice(texts(), k=count)


def our_matrix(side, threads):
    from likewise import Spectra

    all_texts = texts()
    yield
    matrix = Spectra().matrix(all_texts[:side], all_texts[side : 2 * side], threads=threads)
    yield float(matrix.sum())


def our_scores(count, threads):
    from likewise import Spectra

    lefts, rights = sides(count)
    yield
    yield float(Spectra().scores(lefts, rights, threads=threads).sum())


def _knowing(words_of):
    """Return the measure once it has seen all words, as after the first of many loops."""
    from likewise import Spectra

    known = Spectra()
    known.score(" ".join(words_of), "")
    return known


def our_loop(count):
    lefts, rights = sides(count)
    score = _knowing(lefts + rights).score
    yield
    yield sum(score(left, right) for left, right in zip(lefts, rights, strict=True))


def our_row(count):
    one, *others = texts()[: count + 1]
    score = _knowing([one, *others]).score
    yield
    yield sum(score(one, other) for other in others)


def our_soft(count):
    from likewise import SoftTfIdf

    lefts, rights = sides(count)
    soft = SoftTfIdf().fit(texts())
    yield
    yield float(soft.scores(lefts, rights, threads=1).sum())


def rapidfuzz_loop(count, name):
    from rapidfuzz import fuzz

    lefts, rights = sides(count)
    score = getattr(fuzz, name)
    yield
    yield sum(score(left, right) for left, right in zip(lefts, rights, strict=True))


def rapidfuzz_row(count, name):
    from rapidfuzz import fuzz

    one, *others = texts()[: count + 1]
    score = getattr(fuzz, name)
    yield
    yield sum(score(one, other) for other in others)


def rapidfuzz_matrix(side, name):
    from rapidfuzz import fuzz
    from rapidfuzz.process import cdist

    all_texts = texts()
    yield
    yield float(cdist(all_texts[:side], all_texts[side : 2 * side], scorer=getattr(fuzz, name), workers=1).sum())


def stringmatching_soft(count):
    from py_stringmatching import JaroWinkler, SoftTfIdf

    lefts, rights = sides(count)
    corpus = [text.lower().split() for text in texts()]
    soft = SoftTfIdf(corpus, sim_func=JaroWinkler().get_raw_score, threshold=0.9)
    pairs = [(left.lower().split(), right.lower().split()) for left, right in zip(lefts, rights, strict=True)]
    yield
    yield sum(soft.get_raw_score(left, right) for left, right in pairs if left and right)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", help="also write the table to this file")
    parser.add_argument("--repeat", type=int, default=5)
    options = parser.parse_args()
    cases = [
        ("Likewise matrix 2,000 × 2,000", our_matrix, (SIDE, 1), SIDE * SIDE, 10_000_000),
        ("Likewise matrix, 2 threads", our_matrix, (SIDE, 2), SIDE * SIDE, None),
        ("Likewise scores, 1 M random pairs", our_scores, (PAIRS, 1), PAIRS, 1_500_000),
        ("Likewise scores, 2 threads", our_scores, (PAIRS, 2), PAIRS, None),
        ("Likewise score() in a loop, words known", our_loop, (LOOP,), LOOP, 250_000),
        ("Likewise score() of one text with many, words known", our_row, (ROW,), ROW, None),
        ("Likewise SoftTfIdf scores", our_soft, (PAIRS // 4,), PAIRS // 4, 500_000),
        ("RapidFuzz token_set_ratio in a loop", rapidfuzz_loop, (LOOP, "token_set_ratio"), LOOP, None),
        ("RapidFuzz ratio in a loop", rapidfuzz_loop, (LOOP, "ratio"), LOOP, None),
        ("RapidFuzz token_set_ratio of one text with many", rapidfuzz_row, (ROW, "token_set_ratio"), ROW, None),
        ("RapidFuzz cdist token_set_ratio", rapidfuzz_matrix, (500, "token_set_ratio"), 500 * 500, None),
        ("RapidFuzz cdist ratio", rapidfuzz_matrix, (SIDE, "ratio"), SIDE * SIDE, None),
    ]
    # It wants NumPy 1, which others of the peers no longer work with: it takes part where it is installed.
    if importlib.util.find_spec("py_stringmatching"):
        cases.append(("py_stringmatching SoftTfIdf", stringmatching_soft, (SLOW,), SLOW, None))
    else:
        print("py_stringmatching is not installed and left out\n")
    lines = [
        "| case | pairs | wall s | CPU s | pairs per CPU-s | goal | peak MB |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    print("\n".join(lines))
    for name, case, arguments, pairs, goal in cases:
        done = measure(case, *arguments, name=name, repeat=options.repeat)
        assert done.answer > 0, name
        wanted = f"{goal:,}" if goal else ""
        lines.append(
            f"| {name} | {pairs:,} | {done.wall:.2f} | {done.cpu:.2f} | {pairs / done.cpu:,.0f} | {wanted} "
            f"| {done.memory:.0f} |"
        )
        print(lines[-1], flush=True)
    head = ["# Pair scores", "", f"Medians of {options.repeat} runs, one thread unless said.", ""]
    give_page(head + lines, options.write)


if __name__ == "__main__":
    main()
