"""Self-joins of names and descriptions by character 3-grams, beside sparse_dot_topn, string_grouper and RapidFuzz.

python -m benchmarks.join [--write docs/results/join.md] [--repeat 3] [--quick] [--million] [--peer-python PYTHON]

Every case goes from a list of strings to the finished columns, analysis and index included, and runs in a process of
its own. Peers use words padded on both sides, as we do (``char_wb``), except string_grouper, which cuts whole strings.
py_stringmatching wants NumPy 1, which the others no longer work with: ``--peer-python`` names an interpreter with it.
"""

import argparse
import math
import random

from benchmarks.measuring import DATA, Measured, give_page, measure

FILES = {"names": "names_200k.txt", "descriptions": "descs_50k.txt"}
THREADS = 2
SOFT, SOFT_PAIRS = 10_000, 5_000  # descriptions of the SoftTfIdf join; pairs that py_stringmatching is timed on
SAMPLE = 40  # rows that are checked against all scores, and that RapidFuzz is timed on
MILLION = 1_000_000
GOALS = {  # kind, count, mode -> how many times as fast as the peer, in CPU seconds
    ("names", 10_000, "top"): 1.5,
    ("names", 200_000, "top"): 5.0,
    ("descriptions", 50_000, "top"): 5.0,
    ("names", 200_000, "above"): 4.0,
    ("descriptions", 50_000, "above"): 4.0,
}
Ratios = dict[tuple[str, int, str], list[tuple[Measured, Measured]]]
"""What was measured beside a peer: kind, count, mode -> ours with the peer, once for each weighting."""


def texts(kind: str, count: int) -> list[str]:
    if kind == "combined":
        return combined(count)
    lines = (DATA / "bench" / FILES[kind]).read_text(encoding="utf-8").splitlines()
    if count <= len(lines):
        return lines[:count]
    # More than there are: each name together with another, a different stride away for each round.
    rounds = range(1, count // len(lines) + 1)
    more = [f"{lines[i]} {lines[(i * 7 + turn * 1009) % len(lines)]}" for turn in rounds for i in range(len(lines))]
    return (lines + more)[:count]


def combined(count: int) -> list[str]:
    """Return distinct names: those there are, then the first word of one with the rest of another, drawn by chance."""
    known = (DATA / "bench" / FILES["names"]).read_text(encoding="utf-8").splitlines()
    draw, made = random.Random(11), dict.fromkeys(known[:count])
    while len(made) < count:
        one, other = draw.choice(known).split(), draw.choice(known).split()
        made[" ".join([one[0], *(other[1:] or other)])] = None
    return list(made)


def measure_of(name: str):
    from likewise import Spectra, TfIdf

    return TfIdf() if name == "cosine" else Spectra(q=3, padding="single", weights=name)


def ours(kind: str, count: int, weights: str, mode: str, value: float, threads: int = THREADS):
    """Yield what the engine found: pairs, work, seconds of the join alone, and whether sampled rows are right."""
    import time

    import numpy as np

    from likewise import _core, join

    lines, measure = texts(kind, count), measure_of(weights)
    yield
    measure.fit(lines)
    prepared = measure.prepare(lines, threads=threads)
    scorer = measure.scorer(prepared, prepared)
    options = {"self_join": True, "threads": threads}
    if mode != "above":  # which has the lists that its threshold asks for
        options["prepared"] = join.prepare(scorer)
    start = time.process_time()
    if mode == "top":
        pairs = join.top(scorer, int(value), **options)
    elif mode == "above":
        pairs = join.above(scorer, value, **options)
    else:
        pairs = join.best(scorer, int(value), **options)
    seconds = time.process_time() - start
    answer = {"pairs": len(pairs), "join": seconds, "texts": len(lines), **pairs.stats}
    yield answer
    sample = np.linspace(0, len(lines) - 1, SAMPLE).astype(int)
    scores = _core.matrix(measure.scorer(measure.prepare([lines[i] for i in sample]), prepared), threads)
    for row, left in zip(scores, sample.tolist(), strict=True):
        row[left] = 0
        if mode == "top":
            order = np.lexsort((np.arange(len(row)), -row))[: int(value)]
            found = pairs.right[pairs.left == left]
            right = np.array_equal(found, order[row[order] > 0])
        elif mode == "above":
            found = np.concatenate([pairs.right[pairs.left == left], pairs.left[pairs.right == left]])
            right = np.array_equal(np.sort(found), np.flatnonzero((row >= value) & (row > 0)))
        else:
            least = pairs.score[-1]
            found = np.concatenate([pairs.right[pairs.left == left], pairs.left[pairs.right == left]])
            right = set(np.flatnonzero(row > least)) <= set(found)
        if not right:
            raise AssertionError(f"{kind} {weights} {mode}: row {left} differs from brute force")
    yield answer


def checked(kind: str, count: int, weights: str, mode: str, value: float):
    """Run the case to its end, where sampled rows are compared with all scores; not timed."""
    *_, answer = ours(kind, count, weights, mode, value)
    return answer


def sparse_dot_topn(kind: str, count: int, k: int):
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sparse_dot_topn import sp_matmul_topn

    lines = texts(kind, count)
    yield
    matrix = TfidfVectorizer(analyzer="char_wb", ngram_range=(3, 3)).fit_transform(lines).tocsr()
    best = sp_matmul_topn(matrix, matrix.T.tocsr(), top_n=k + 1, sort=True, n_threads=THREADS)
    yield {"pairs": int(best.nnz), "texts": len(lines)}


def string_grouper(kind: str, count: int, least: float):
    import pandas
    from string_grouper import match_strings

    lines = pandas.Series(texts(kind, count))
    yield
    yield {"pairs": len(match_strings(lines, min_similarity=least, number_of_processes=THREADS)), "texts": count}


def rapidfuzz(kind: str, count: int):
    from rapidfuzz import fuzz, process

    lines = texts(kind, count)
    sample = lines[:: len(lines) // SAMPLE][:SAMPLE]
    yield
    process.cdist(sample, lines, scorer=fuzz.token_set_ratio, workers=THREADS)
    yield {"pairs": len(sample) * len(lines), "texts": len(lines)}


def soft(count: int, k: int):
    """Yield the best partners by SoftTfIdf; no peer has such a join."""
    from likewise import SoftTfIdf, join

    lines = texts("descriptions", count)
    yield
    measure = SoftTfIdf().fit(lines)
    prepared = measure.prepare(lines, threads=THREADS)
    scorer, bound = measure.scorer(prepared, prepared), measure.bound(prepared, prepared)
    pairs = join.top(scorer, k, bound=bound, self_join=True, threads=THREADS)
    answer = {"pairs": len(pairs), "texts": len(lines), **pairs.stats}
    yield answer


def stringmatching(count: int, pairs: int):
    """Yield the sum of the scores of random pairs; the corpus is prepared before."""
    import random

    from py_stringmatching import JaroWinkler, SoftTfIdf

    corpus = [line.lower().split() for line in texts("descriptions", count)]
    measure = SoftTfIdf(corpus, sim_func=JaroWinkler().get_raw_score, threshold=0.9)
    choice = random.Random(1).choices(corpus, k=2 * pairs)
    yield
    yield sum(measure.get_raw_score(a, b) for a, b in zip(choice[::2], choice[1::2], strict=True) if a and b)


def soft_joins(repeat: int, peer_python: str | None) -> list[str]:
    out = [f"\n### {SOFT:,} descriptions by SoftTfIdf (words alike by Jaro–Winkler 0.9 and more)\n", HEADER]
    out.append(line(measure(soft, SOFT, 10, name="top(10), SoftTfIdf", repeat=repeat)))
    if peer_python:
        peer = measure(stringmatching, SOFT, SOFT_PAIRS, repeat=1, python=peer_python)
        whole = peer.cpu / SOFT_PAIRS * SOFT * (SOFT - 1) / 2
        out.append(f"\npy_stringmatching, from {SOFT_PAIRS:,} pairs: {whole:,.0f} CPU s for each pair once.")
    return out


def line(measured: Measured, against: Measured | None = None) -> str:
    answer = measured.answer
    work = f"{answer['postings'] / answer['texts']:,.0f}" if "postings" in answer else ""
    ratio = f"{against.cpu / measured.cpu:.1f}×" if against else ""
    return (
        f"| {measured.name} | {measured.cpu:.2f} | {measured.wall:.2f} | {measured.memory:.0f} | {answer['pairs']:,} "
        f"| {work} | {ratio} |"
    )


HEADER = (
    "| case | CPU s | wall s | peak MB | pairs | postings looked at per text | against peer (CPU) |\n"
    "|---|--:|--:|--:|--:|--:|--:|"
)


def compare(kind: str, count: int, repeat: int, beside: Ratios) -> list[str]:
    """Return the table of one size, and keep what has a peer."""
    out = [f"\n### {count:,} {kind}\n", HEADER]
    peer = measure(sparse_dot_topn, kind, count, 10, name="sparse_dot_topn, top 10", repeat=repeat)
    out.append(line(peer))
    for weights in ("c", "c.idf.qidf", "cosine"):
        measure(checked, kind, count, weights, "top", 10, repeat=1)
        mine = measure(ours, kind, count, weights, "top", 10, name=f"top(10), {weights}", repeat=repeat)
        out.append(line(mine, peer if weights != "cosine" else None))
        if weights != "cosine":
            beside.setdefault((kind, count, "top"), []).append((mine, peer))
    grouper = measure(string_grouper, kind, count, 0.5, name="string_grouper, 0.5", repeat=repeat)
    out.append(line(grouper))
    for weights in ("c", "c.idf.qidf", "cosine"):
        measure(checked, kind, count, weights, "above", 0.5, repeat=1)
        mine = measure(ours, kind, count, weights, "above", 0.5, name=f"above(0.5), {weights}", repeat=repeat)
        out.append(line(mine, grouper if weights != "cosine" else None))
        if weights != "cosine":
            beside.setdefault((kind, count, "above"), []).append((mine, grouper))
    fuzz = measure(rapidfuzz, kind, count, repeat=1)
    whole = fuzz.cpu * count / SAMPLE
    out.append(f"\nRapidFuzz `cdist` (token_set_ratio), from {SAMPLE} rows: {whole:,.0f} CPU s for all.")
    return out


def goals(beside: Ratios) -> list[str]:
    """Say which goals were reached, and where a peer needs less time or memory."""
    out = [
        "\n## Read beside the goals\n",
        "| | goal | weights c | c.idf.qidf | reached |",
        "|---|--:|--:|--:|---|",
    ]
    for (kind, count, mode), goal in GOALS.items():
        if (kind, count, mode) not in beside:
            continue
        both = beside[kind, count, mode]
        times = [peer.cpu / mine.cpu for mine, peer in both]
        cells = " | ".join(f"{one:.1f}×" for one in times)
        reached = "yes" if min(times) >= goal else "in part" if max(times) >= goal else "no"
        out.append(f"| {both[0][1].name}, {count:,} {kind} | {goal:g}× | {cells} | {reached} |")
    out.append("")
    for what, unit in (("cpu", "CPU time"), ("memory", "memory")):
        lost = [
            f"{mine.name}, {count:,} {kind} ({peer.name})"
            for (kind, count, _), both in beside.items()
            for mine, peer in both
            if getattr(mine, what) > getattr(peer, what)
        ]
        out.append(f"- A peer needs less {unit} in: {'; '.join(lost) or 'no case'}.")
    more = [
        f"{mine.name}, {count:,} {kind}: {mine.answer['pairs'] / peer.answer['pairs']:.1f} times the pairs"
        for (kind, count, mode), both in beside.items()
        for mine, peer in both
        if mode == "above" and mine.answer["pairs"] > 2 * peer.answer["pairs"]
    ]
    if more:
        out.append(f"- The same threshold gives more to report than string_grouper's in: {'; '.join(more)}.")
    return [*out, "- Paragraphs have [a page of their own](paragraphs.md)."]


def thresholds(kind: str, count: int, weights: str) -> list[str]:
    out = [f"\n### {count:,} {kind}, {weights}: what a threshold saves\n", HEADER]
    found = {}
    for least in (0.0, 0.5, 0.7, 0.9):
        found[least] = measure(ours, kind, count, weights, "above", least, name=f"above({least})", repeat=1)
        out.append(line(found[least]))
    share = found[0.9].answer["postings"] / found[0.0].answer["postings"]
    out.append(f"\nPostings looked at for 0.9, of those for 0: {share:.1%} (goal: at most 25 %).")
    return out


def growth(weights: str, repeat: int) -> str:
    seconds = [
        measure(ours, "names", count, weights, "top", 10, repeat=repeat).answer["join"] for count in (50_000, 200_000)
    ]
    slope = math.log(seconds[1] / seconds[0]) / math.log(4)
    return f"- top(10), {weights}: {seconds[0]:.2f} → {seconds[1]:.2f} CPU s, exponent {slope:.2f} (goal: at most 1.7)"


def many_names(counts: list[int]) -> list[str]:
    """Return a page: pairs from 0.8 on of more and more names, and how the work grows."""
    out = [
        "# Very many names",
        f"\nOnce each, {THREADS} threads: all pairs from 0.8 on, c.idf.qidf, q = 3. "
        "There are 200,000 names; more are made by combining them, the first word of one "
        f"with the rest of another, both drawn by chance, each such name once. {SAMPLE} rows of the fewest names are "
        "compared with all scores.\n",
        HEADER.replace("against peer (CPU)", "exponent (CPU)"),
    ]
    found: list[tuple[int, Measured]] = []
    for count in counts:
        before = found[-1] if found else None
        if before is None:
            measure(checked, "combined", count, "c.idf.qidf", "above", 0.8, repeat=1)
        mine = measure(ours, "combined", count, "c.idf.qidf", "above", 0.8, name=f"{count:,} names", repeat=1)
        found.append((count, mine))
        slope = f"{exponent(before, found[-1]):.2f}" if before else ""
        out.append(f"{line(mine).removesuffix(' |')}{slope} |")
        print(out[-1], flush=True)
    if len(found) > 2:
        out.append(f"\nFrom {counts[0]:,} to {counts[-1]:,} names: exponent {exponent(found[0], found[-1]):.2f}.")
    return out


def exponent(less: tuple[int, Measured], more: tuple[int, Measured]) -> float:
    """Say how CPU seconds grow from so many texts to more."""
    return math.log(more[1].cpu / less[1].cpu) / math.log(more[0] / less[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", help="file for the tables")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="10,000 texts of each kind only")
    parser.add_argument("--million", action="store_true", help="a million names, too")
    parser.add_argument(
        "--above", type=int, nargs="+", help="nothing but pairs from 0.8 on of so many names, such as 10000000"
    )
    parser.add_argument("--peer-python", help="interpreter that has py_stringmatching")
    arguments = parser.parse_args()
    if arguments.above:
        give_page(many_names(sorted(arguments.above)), arguments.write)
        return
    out = [
        "# Joins of names and descriptions",
        f"\n{THREADS} threads, median of {arguments.repeat}, q = 3, words padded on both sides.",
    ]
    beside: Ratios = {}
    sizes = [("names", 10_000), ("descriptions", 10_000)]
    if not arguments.quick:
        sizes += [("names", 50_000), ("names", 200_000), ("descriptions", 50_000)]
    for kind, count in sizes:
        out += compare(kind, count, arguments.repeat, beside)
        print("\n".join(out[-14:]), flush=True)
    for kind in FILES:
        for weights in ("c", "c.idf.qidf"):
            out += thresholds(kind, 10_000, weights)
    if not arguments.quick:
        out += ["\n### Growth, 50,000 to 200,000 names\n", growth("c", arguments.repeat)]
        out += [growth("c.idf.qidf", arguments.repeat)]
    out += soft_joins(arguments.repeat, arguments.peer_python)
    if arguments.million:
        mine = measure(ours, "names", MILLION, "c.idf.qidf", "top", 10, name="top(10), c.idf.qidf", repeat=1)
        out += ["\n### 1,000,000 names, made by combining the 200,000\n", HEADER, line(mine)]
    out += goals(beside)
    give_page(out, arguments.write)


if __name__ == "__main__":
    main()
