"""The engine gives what sorting all pairs gives, for every family, mode and number of threads."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from tests.reference import join as reference

from likewise import _core, join
from likewise.errors import OptionError
from likewise.measure import BM25, Matches, SoftCardinality, SoftTfIdf, Spectra, Tf, TfIdf

WORDS = [
    "ana",
    "anna",
    "hanna",
    "susanna",
    "banana",
    "bandana",
    "an",
    "gonzalo",
    "gonzales",
    "gonzalez",
    "data",
    "base",
    "database",
    "the",
    "of",
    "a",
    "in",
    "inn",
]

MEASURES = {
    "spectra": lambda: Spectra(),
    "static c q=3": lambda: Spectra(q=3, weights="c"),
    "no weights, no padding": lambda: Spectra(q=(1, 3), weights="none", padding="none"),
    "jaccard": lambda: Spectra(q=2, weights="c.qidf", coefficient="jaccard"),
    "coverage": lambda: Spectra(q=(2, 3), weights="c", coefficient="coverage"),
    "overlap": lambda: Spectra(q=2, weights="idf", coefficient="overlap"),
    "containment of words": lambda: Spectra(q=0, weights="idf", coefficient="containment"),
    "jaccard of words": lambda: Spectra(q=0, weights="none", coefficient="jaccard"),
    "p = 2.5": lambda: Spectra(q=2, weights="c.idf", coefficient=2.5),
    "p = -0.3": lambda: Spectra(q=(1, 2), weights="c.idf.qidf", coefficient=-0.3),
    "tf in spectra": lambda: Spectra(q=(1, 2), weights="c.tfidf"),
    "tf in spectra, q-gram weights": lambda: Spectra(q=2, weights="tfidf.qidf", coefficient="dice"),
    "cosine": lambda: TfIdf(),
    "matches": lambda: Matches(),
    "matches with phrases": lambda: Matches(phrases=True),
    "tf": lambda: Tf(),
    "bm25": lambda: BM25(),
    "soft tf-idf": lambda: SoftTfIdf(cut=0.8),
    "soft cardinality": lambda: SoftCardinality(),
}


def scorer_of(measure, left, right=None):
    """Return (scorer, bound) of two sides, or of one with itself."""
    a = measure.prepare(left)
    b = a if right is None else measure.prepare(right)
    return measure.scorer(a, b), measure.bound(a, b)


# What is asked of the join: the function, how many, from which score on ("median": of the positive scores).
CALLS = [
    *(("top", k, 0.0) for k in (1, 3, 1000)),
    ("top", 2, "median"),
    *(("above", None, level) for level in (0.0, 0.3, "median", 0.9)),
    *(("best", n, 0.0) for n in (1, 7, 10**6)),
    ("best", 9, "median"),
]


def check(call, measure, left, right=None):
    """Assert that one call gives what sorting all pairs gives."""
    if measure.adaptive:
        measure.fit(left if right is None else left + right)
    scorer, bound = scorer_of(measure, left, right)
    own = right is None
    matrix = _core.matrix(scorer)
    symmetric = not own or np.array_equal(matrix, matrix.T)
    name, count, level = call
    if level == "median":
        positive = matrix[matrix > 0]
        level = float(np.median(positive)) if len(positive) else 0.5
    options = {"min_score": level, "bound": bound, "self_join": own}
    if name == "top":
        expected = reference.top(matrix, count, level, own)
        assert list(join.top(scorer, count, **options)) == expected
        for sums in (True, False):  # where few texts are added up whole, the blocks are to be right, too
            assert top_by(sums, scorer, count, level, bound=bound, self_join=own) == expected
    elif name == "best":
        assert list(join.best(scorer, count, **options)) == reference.best(matrix, count, level, own, symmetric)
    else:
        found = list(join.above(scorer, level, bound=bound, self_join=own))
        assert found == reference.above(matrix, level, own, symmetric)


def top_by(sums, scorer, count, level=0.0, *, bound=None, self_join=False, threads=1):
    """Return the best partners as (left, right, score), by whole sums or by blocks."""
    columns = _core.join(
        scorer, bound, None, _core.JoinMode.top, count, level, self_join, None, threads, None, sums=sums
    )
    return list(zip(*(column.tolist() for column in columns[:3]), strict=True))


def made_up(seed, count, longest=5):
    """Texts of few words, so that ties, repeated q-grams, equal and empty texts all occur."""
    random = np.random.default_rng(seed)
    texts = [" ".join(random.choice(WORDS, size=random.integers(0, longest + 1))) for _ in range(count)]
    return [*texts, "", "zzz", "an an an", texts[0]]


@pytest.mark.parametrize("call", CALLS, ids=str)
@pytest.mark.parametrize("name", MEASURES)
def test_equals_sorting_all_pairs(name, call):
    check(call, MEASURES[name](), made_up(1, 40), made_up(2, 50))
    check(call, MEASURES[name](), made_up(3, 60))


sides = st.lists(st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join), max_size=12)


@pytest.mark.parametrize("name", ["spectra", "static c q=3", "tf in spectra", "cosine", "bm25", "matches"])
@settings(max_examples=40, deadline=None)
@given(left=sides, right=sides)
def test_any_texts(name, left, right):
    assume(left + right or not MEASURES[name]().adaptive)
    for call in CALLS:
        check(call, MEASURES[name](), left, right)


rows_of_numbers = st.lists(
    st.dictionaries(st.integers(0, 12), st.sampled_from([0.0, 1e-9, 0.1, 0.5, 1.0, 3.0, 1e6]), max_size=8), max_size=15
)


def rows(dictionaries):
    indptr = np.cumsum([0] + [len(row) for row in dictionaries]).astype(np.int64)
    ids = np.array([key for row in dictionaries for key in sorted(row)], dtype=np.int32)
    weights = np.array([row[key] for row in dictionaries for key in sorted(row)], dtype=np.float64)
    return _core.Rows(indptr, ids, weights)


@settings(max_examples=150, deadline=None)
@given(left=rows_of_numbers, right=rows_of_numbers, level=st.sampled_from([0.0, 0.01, 0.5, 3.0, 1e7]))
def test_any_weights(left, right, level):
    """Weights of any size on either side: scales and saturation of the accumulators change nothing."""
    scorer = _core.DotScorer(rows(left), rows(right))
    matrix = _core.matrix(scorer)
    assert list(join.above(scorer, level)) == reference.above(matrix, level)
    assert list(join.top(scorer, 2)) == reference.top(matrix, 2)
    assert list(join.best(scorer, 4)) == reference.best(matrix, 4)


def test_asymmetric_weights_in_a_self_join():
    random = np.random.default_rng(5)
    sides = [
        rows([{int(i): float(random.random()) for i in random.choice(20, 5)} for _ in range(50)]) for _ in range(2)
    ]
    scorer = _core.DotScorer(*sides)
    matrix = _core.matrix(scorer)
    for level in (0.0, 0.8):
        assert list(join.above(scorer, level, self_join=True)) == reference.above(matrix, level, True, False)
    assert list(join.best(scorer, 20, self_join=True)) == reference.best(matrix, 20, 0, True, False)
    assert list(join.top(scorer, 4, self_join=True)) == reference.top(matrix, 4, 0, True)


@pytest.fixture(scope="module", params=["c", "c.idf.qidf", "cosine"])
def many(request):
    """More texts than a block has, so that cells, rare features and block bounds are all in play."""
    random = np.random.default_rng(11)
    letters = list("abcdefghijklmnopqrstuvwxyz")
    weights = 1 / np.sqrt(np.arange(1, 27))
    words = [
        "".join(random.choice(letters, size=random.integers(2, 9), p=weights / weights.sum())) for _ in range(3000)
    ]
    rank = 1 / np.sqrt(np.arange(1, 3001))
    texts = [" ".join(random.choice(words, size=random.integers(1, 6), p=rank / rank.sum())) for _ in range(9000)]
    measure = TfIdf() if request.param == "cosine" else Spectra(q=3, weights=request.param)
    measure.fit(texts)
    prepared = measure.prepare(texts)
    return measure, texts, measure.scorer(prepared, prepared)


def test_many_texts_sampled(many):
    measure, texts, scorer = many
    sample = list(range(0, len(texts), 300))
    part = measure.scorer(measure.prepare([texts[i] for i in sample]), measure.prepare(texts))
    matrix = _core.matrix(part)
    for at, left in enumerate(sample):
        matrix[at, left] = 0
    found = join.top(scorer, 5, self_join=True)
    expected = [(sample[left], right, score) for left, right, score in reference.top(matrix, 5)]
    assert [pair for pair in found if pair[0] in set(sample)] == expected
    assert top_by(False, scorer, 5, self_join=True, threads=2) == top_by(True, scorer, 5, self_join=True) == list(found)
    pairs = join.above(scorer, 0.8, self_join=True)
    found_here = {(left, right) for left, right, _ in pairs}
    for left, right, score in reference.above(matrix, 0.8):
        assert (min(sample[left], right), max(sample[left], right)) in found_here, score
    best = join.best(scorer, 500, self_join=True)
    assert list(best) == sorted(pairs, key=reference.by_score)[:500]
    # One side new, the lists of the other kept.
    kept = join.prepare(scorer)
    assert list(join.top(part, 5, prepared=kept)) == reference.top(_core.matrix(part), 5)


def best_of(matrix, k):
    """The k best of each row as (left, right, score), by sorting the whole row."""
    order = np.argsort(-matrix, axis=1, kind="stable")[:, :k]
    scores = np.take_along_axis(matrix, order, axis=1)
    left, place = np.nonzero(scores > 0)
    return left, order[left, place], scores[left, place]


HALVED = ["spectra", "no weights, no padding", "jaccard", "p = 2.5", "tf in spectra", "cosine", "matches", "tf"]


@pytest.mark.parametrize("name", HALVED)
def test_each_pair_of_a_self_join_counts_for_both_texts(name):
    """Several blocks, sizes from one word to nine, and so many ties that lists of candidates overflow."""
    texts = made_up(7, 1500, 9)
    measure = MEASURES[name]()
    if measure.adaptive:
        measure.fit(texts)
    scorer, bound = scorer_of(measure, texts)
    matrix = _core.matrix(scorer)
    np.fill_diagonal(matrix, 0)
    for k, threads in ((1, 1), (4, 3), (10, 2), (60, 2), (150, 2), (5000, 2)):
        for sums in (True, False):
            columns = _core.join(scorer, bound, None, _core.JoinMode.top, k, 0.0, True, None, threads, None, sums=sums)
            for column, expected in zip(columns[:3], best_of(matrix, k), strict=True):
                np.testing.assert_array_equal(column, expected)


def test_many_rows_are_taken_in_larger_chunks():
    """The last chunk of such a size is not full, and the order of work must not show."""
    letters = np.random.default_rng(3).choice(list("abcdefghijklmnopqrstuvwxyz"), (66_000, 8))
    texts = ["".join(row[: 5 + place % 4]) for place, row in enumerate(letters)]
    texts[::1000] = texts[1::1000]  # duplicates, far apart where work begins
    scorer, _ = scorer_of(MEASURES["spectra"](), texts)

    def by(sums):
        return _core.join(scorer, None, None, _core.JoinMode.top, 3, 0.0, True, None, 2, None, sums=sums)[:3]

    for column, expected in zip(by(False), by(True), strict=True):
        np.testing.assert_array_equal(column, expected)


def test_norms_of_any_size_count_for_both_texts():
    random = np.random.default_rng(3)
    texts = [
        {int(i): float(10 ** random.uniform(-3, 3)) for i in random.choice(200, random.integers(1, 60))}
        for _ in range(9000)
    ]
    sides, sample = rows(texts), list(range(0, 9000, 90))
    matrix = _core.matrix(_core.DotScorer(rows([texts[i] for i in sample]), sides))
    matrix[range(len(sample)), sample] = 0
    found = join.top(_core.DotScorer(sides, sides), 5, self_join=True)
    here = np.isin(found.left, sample)
    left, right, score = best_of(matrix, 5)
    np.testing.assert_array_equal(found.left[here], np.array(sample)[left])
    np.testing.assert_array_equal(found.right[here], right)
    np.testing.assert_array_equal(found.score[here], score)


def test_threads_change_nothing(many):
    _, _, scorer = many
    for call in (
        lambda threads: join.top(scorer, 3, self_join=True, threads=threads),
        lambda threads: join.above(scorer, 0.7, self_join=True, threads=threads),
        lambda threads: join.best(scorer, 100, self_join=True, threads=threads),
    ):
        first, *others = [call(threads) for threads in (1, 2, 8)]
        for other in others:
            for column in ("left", "right", "score"):
                assert getattr(first, column).tobytes() == getattr(other, column).tobytes()


@pytest.mark.data
@pytest.mark.parametrize("weights", ["c", "c.idf.qidf"])
def test_a_higher_threshold_costs_less(data, weights):
    names = (data / "bench" / "names_200k.txt").read_text("utf-8").splitlines()[:10_000]
    measure = Spectra(q=3, weights=weights).fit(names)
    scorer, _ = scorer_of(measure, names)
    touched = [join.above(scorer, level, self_join=True, threads=1).stats["postings"] for level in (0, 0.5, 0.7, 0.9)]
    assert touched == sorted(touched, reverse=True)
    assert touched[3] <= touched[0] * 0.26


@pytest.mark.parametrize("empty", [([], ["a"]), (["a"], []), ([], []), ([""], ["a"])])
@pytest.mark.parametrize("name", ["static c q=3", "matches"])
def test_an_empty_side_gives_nothing(name, empty):
    left, right = empty
    scorer, bound = scorer_of(MEASURES[name](), left, right)
    for pairs in (
        join.top(scorer, 3, bound=bound),
        join.above(scorer, 0, bound=bound),
        join.best(scorer, 3, bound=bound),
    ):
        assert len(pairs) == 0
        assert pairs.left.dtype == np.int64
        assert pairs.score.dtype == np.float64


BAD = [
    (lambda s: join.top(s, 0), "k must be 1 or more, not 0"),
    (lambda s: join.top(s, 2.5), "k must be a whole number, not 2.5"),
    (lambda s: join.best(s, -1), "n must be 1 or more, not -1"),
    (lambda s: join.above(s, float("nan")), "min_score must be a finite number of 0 or more, not nan"),
    (lambda s: join.above(s, True), "min_score must be a finite number of 0 or more, not True"),
    (lambda s: join.above(s, "0.5"), "min_score must be a finite number of 0 or more, not '0.5'"),
    (lambda s: join.above(s, -0.1), "min_score must be a finite number of 0 or more, not -0.1"),
    (lambda s: join.top(s, 1, min_score=float("inf")), "min_score must be a finite number of 0 or more, not inf"),
    (lambda s: join.top(s, 1, threads=0), "threads must be 1 or more, not 0"),
    (lambda s: join.top(s, 1, self_join=True), "self_join needs the same texts on both sides, not 1 and 2"),
]


@pytest.mark.parametrize(("call", "message"), BAD)
def test_bad_arguments_are_named(call, message):
    scorer, _ = scorer_of(Matches(), ["a"], ["a", "b"])
    with pytest.raises(OptionError) as caught:
        call(scorer)
    assert str(caught.value) == message


def test_more_than_there_are_can_be_asked_for():
    scorer, _ = scorer_of(Matches(), ["a"], ["a", "b"])
    assert list(join.top(scorer, 10**30)) == list(join.best(scorer, 10**30)) == [(0, 0, 1.0)]


def test_prepared_of_another_right_side():
    scorer, _ = scorer_of(Matches(), ["a"], ["a", "b"])
    other, _ = scorer_of(Matches(), ["a"], ["a", "b", "c"])
    with pytest.raises(OptionError, match="prepared is of 3 texts, the right side has 2"):
        join.top(scorer, 1, prepared=join.prepare(other))
