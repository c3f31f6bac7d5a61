"""Threads that share a measure, also while it meets new words, get what one thread gets."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from likewise import _core
from likewise.measure import parse

MEASURES = (
    "spectra(weights=c)",
    "spectra(weights=c.tfidf)",
    "soft-tfidf(weights=boolean)",
    "soft-cardinality",
    "tfidf",
)
WORKERS = 4


def texts_of(seed, count=60, vocabulary=400):
    """Texts of a few words, some of which other seeds have, too."""
    random = np.random.default_rng(seed)
    words = [f"w{number:03d}x{number % 7}" for number in range(seed * 40, seed * 40 + vocabulary)]
    return [" ".join(random.choice(words, 5)) for _ in range(count)]


def fitted(name):
    """A measure that knows the words of the first texts."""
    return parse(name).fit(texts_of(0))


def work(measure, seed):
    """Score by rows, one by one, as a matrix, and by single calls, over new words."""
    known, fresh = texts_of(0), texts_of(seed)
    left = [text for text in known for _ in range(20)]
    right = [fresh[number % len(fresh)] for number in range(len(left))]
    rows = measure.scores(left, right, threads=2)
    single = [measure.score(a, b) for a, b in zip(known[:20], fresh[:20], strict=True)]
    return rows.tolist(), single, measure.matrix(known[:10], fresh, threads=2).tolist()


@pytest.mark.parametrize("name", MEASURES)
def test_one_measure_serves_threads_that_add_words(name):
    # Ids, and with them the order of sums, depend on who comes first: the same to within rounding.
    alone = fitted(name)
    expected = [work(alone, seed) for seed in range(1, WORKERS + 1)]
    shared = fitted(name)
    with ThreadPoolExecutor(WORKERS) as pool:
        found = list(pool.map(lambda seed: work(shared, seed), range(1, WORKERS + 1)))
    for one, other in zip(expected, found, strict=True):
        for part, again in zip(one, other, strict=True):
            np.testing.assert_allclose(again, part, rtol=1e-9)


def test_words_are_looked_up_while_others_are_added():
    vocabulary = _core.Vocabulary()
    buffer, offsets = _core.pack(["alpha beta"])
    vocabulary.tokenise(buffer, offsets)
    vocabulary.resolve_words(vocabulary.pending_words())
    grams = _core.TermGrams(2, 3, _core.Padding.single, True)
    grams.add(vocabulary)
    coefficient = _core.Coefficient(_core.CoefficientKind.mean, 1.0)
    pair = _core.SpectraPair(vocabulary, grams, coefficient, False, False, False, False, True)
    expected = pair.score("alpha", "alpha beta")
    many = " ".join(f"n{number}" for number in range(40000))  # so long that Python's lock is let go

    def add(_):
        vocabulary.tokenise(*_core.pack([many + f" own{_}"]), threads=2)

    def look(_):
        return {pair.score("alpha", "alpha beta") for _ in range(3000)}

    with ThreadPoolExecutor(WORKERS) as pool:
        added, found = pool.map(add, range(6)), pool.map(look, range(6))
        assert set().union(*found) == {expected}
        list(added)
    assert len(set(vocabulary.pending_words())) == 40006


def test_one_analyser_of_sentences_serves_many_threads():
    from likewise.analyse.tagger import model

    analyser = _core.MineAnalyser(model())

    def run(seed):
        text = " ".join(f"The cat number {seed} saw dog {number} today ." for number in range(50)).encode()
        kept = analyser.run(
            text, np.array([0, len(text)]), np.zeros(1, np.int32), 1, 10**6, True, True, False, np.empty(0, np.uint8)
        )
        return kept["tokens"], len(kept["ids"])

    with ThreadPoolExecutor(WORKERS) as pool:
        assert len(set(pool.map(run, range(20)))) == 1


def test_tables_of_a_pruner_are_whole_while_others_count():
    pruner = _core.MinePruner(1, 1, 2, _core.MineAnchors.ngram, [], 200, 12)
    words = np.arange(50, dtype=np.int32)
    letters, ends = np.full(50, 97, np.uint8), np.arange(51, dtype=np.int32)
    batch = _core.MineBatch(letters, ends, words, np.empty(0, np.uint8), np.array([0, 50], np.int32))
    with ThreadPoolExecutor(WORKERS) as pool:
        counting = pool.map(lambda _: pruner.count_candidates(batch), range(50))
        tables = pool.map(lambda _: pruner.table(_core.MineCounts.candidates), range(50))
        list(counting)
        assert {len(table) for table in tables} == {4096}
    assert max(pruner.table(_core.MineCounts.candidates)) == 200


def test_python_without_its_lock_is_refused():
    code = "import sys; sys._is_gil_enabled = lambda: False; import likewise._core"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 1
    assert "ImportError: likewise needs Python's global lock" in done.stderr
