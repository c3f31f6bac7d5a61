"""Kernels of Likewise: signatures by hand, in the order of bindings/."""

from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Progress = Callable[[int, int], object]

# analyse

unicode_version: str

def pack(texts: Sequence[str]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]: ...
def factorise(texts: list[str], known: dict[str, int]) -> NDArray[np.int64]: ...
def count_rows(
    indptr: NDArray[np.int64], ids: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]: ...

class Tokens:
    @property
    def indptr(self) -> NDArray[np.int64]: ...
    @property
    def words(self) -> NDArray[np.int32]: ...
    @property
    def char_starts(self) -> NDArray[np.int64]: ...
    @property
    def char_ends(self) -> NDArray[np.int64]: ...

class Vocabulary:
    def __init__(self) -> None: ...
    def tokenise(
        self,
        bytes: NDArray[np.uint8],
        offsets: NDArray[np.int64],
        chains: bool = False,
        bigrams: bool = False,
        spans: bool = False,
        threads: int = 0,
        ends: NDArray[np.int64] | None = None,
        lower: bool = False,
    ) -> Tokens: ...
    def pending_words(self) -> list[str]: ...
    def pending_others(self) -> list[str]: ...
    def pending_chains(self) -> list[str]: ...
    def resolve_words(self, terms: list[str | None]) -> None: ...
    def resolve_others(self, terms: list[str]) -> None: ...
    def resolve_chains(self, stopped: Sequence[bool]) -> None: ...
    def terms_of(
        self, tokens: Tokens, positions: bool = False
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]: ...
    def intern_terms(self, terms: Sequence[str]) -> NDArray[np.int32]: ...
    def find_term(self, term: str) -> int: ...
    def term(self, id: int) -> str: ...
    def terms(self, first: int = 0, end: int = ...) -> list[str]: ...
    def reserve_terms(self, count: int) -> None: ...
    def forget_words(self) -> None: ...
    @property
    def word_count(self) -> int: ...
    def __len__(self) -> int: ...

class TermCounter:
    def __init__(self, counts: bool) -> None: ...
    def add(self, vocabulary: Vocabulary, tokens: Tokens, repeats: NDArray[np.int64]) -> None: ...
    def take(
        self,
    ) -> tuple[
        tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]],
        tuple[int, int, NDArray[np.float64], NDArray[np.float64]],
    ]: ...

class TextNumbers:
    def __init__(self) -> None: ...
    def add(
        self, bytes: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
    ) -> NDArray[np.int64]: ...

# measure

class Rows:
    def __init__(self, indptr: NDArray[np.int64], ids: NDArray[np.int32], weights: NDArray[np.float64]) -> None: ...
    @property
    def indptr(self) -> NDArray[np.int64]: ...
    @property
    def ids(self) -> NDArray[np.int32]: ...
    @property
    def weights(self) -> NDArray[np.float64]: ...
    def __len__(self) -> int: ...

class PairScorer:
    def score(self, left: int, right: int, cutoff: float = ...) -> float: ...
    @property
    def left_size(self) -> int: ...
    @property
    def right_size(self) -> int: ...

class DotScorer(PairScorer):
    def __init__(self, left: Rows, right: Rows) -> None: ...

class Padding(Enum):
    none = 0
    single = 1
    full = 2

class TermGrams:
    def __init__(self, q_from: int, q_to: int, padding: Padding, context: bool) -> None: ...
    def set_weights(
        self, terms: NDArray[np.float64], unseen_term: float, grams: NDArray[np.float64], unseen_gram: float
    ) -> None: ...
    def add(self, vocabulary: Vocabulary) -> None: ...
    def intern_grams(self, keys: list[bytes]) -> NDArray[np.int32]: ...
    def gram(self, id: int) -> bytes: ...
    def grams(self) -> list[bytes]: ...
    @property
    def gram_count(self) -> int: ...
    def entry(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]: ...
    def gram_sums(self, term_counts: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def __len__(self) -> int: ...

class SpectraTexts:
    def __init__(
        self,
        term_grams: TermGrams,
        indptr: NDArray[np.int64],
        terms: NDArray[np.int32],
        frequencies: NDArray[np.float64],
        threads: int = 0,
    ) -> None: ...
    @property
    def cardinalities(self) -> NDArray[np.float64]: ...
    @property
    def grams(self) -> NDArray[np.int32]: ...
    @property
    def values(self) -> NDArray[np.float64]: ...
    @property
    def counts(self) -> NDArray[np.int32]: ...
    def __len__(self) -> int: ...

class CoefficientKind(Enum):
    mean = 0
    jaccard = 1
    coverage = 2
    common = 3

class Coefficient:
    def __init__(self, kind: CoefficientKind, p: float = 0.0) -> None: ...
    @property
    def kind(self) -> CoefficientKind: ...
    @property
    def p(self) -> float: ...

class SpectraScorer(PairScorer):
    def __init__(
        self, term_grams: TermGrams, left: SpectraTexts, right: SpectraTexts, coefficient: Coefficient
    ) -> None: ...
    def common(self, left: int, right: int) -> float: ...

class SpectraPair:
    def __init__(
        self,
        vocabulary: Vocabulary,
        term_grams: TermGrams,
        coefficient: Coefficient,
        frequencies: bool,
        chains: bool,
        bigrams: bool,
        lower: bool,
        ready: bool,
    ) -> None: ...
    def score(self, left: str, right: str) -> float | None: ...

class TermSimilarity:
    def __call__(self, a: int, b: int) -> float: ...

class JaroWinkler(TermSimilarity):
    def __init__(self, prefix_weight: float, max_prefix: int, boost: float) -> None: ...
    def add(self, vocabulary: Vocabulary) -> None: ...

class GramJaccard(TermSimilarity):
    def __init__(self, q: int) -> None: ...
    def add(self, vocabulary: Vocabulary) -> None: ...

class SimilarityTable(TermSimilarity):
    def __init__(self, indptr: Sequence[int], terms: Sequence[int], values: Sequence[float]) -> None: ...

def similar_terms(
    similarity: TermSimilarity, size: int, cut: float, threads: int = 0, progress: Progress | None = None
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float64]]: ...

class SoftTfIdfScorer(PairScorer):
    def __init__(self, similarity: TermSimilarity, left: Rows, right: Rows, cut: float, best: bool) -> None: ...

class SoftCardinalityScorer(PairScorer):
    def __init__(
        self,
        similarity: TermSimilarity,
        left: Rows,
        right: Rows,
        cut: float,
        softness: float,
        coefficient: Coefficient,
    ) -> None: ...

class PhraseRows:
    def __init__(self, indptr: NDArray[np.int64], phrases: NDArray[np.int32], positions: NDArray[np.int64]) -> None: ...

class PhraseCount(Enum):
    matches = 0
    common = 1
    tf = 2

class PhraseScorer(PairScorer):
    def __init__(self, terms: DotScorer, left: PhraseRows, right: PhraseRows, count: PhraseCount) -> None: ...

def pair_scores(
    scorer: PairScorer,
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    threads: int = 0,
    progress: Progress | None = None,
    cutoff: float = ...,
) -> NDArray[np.float64]: ...
def matrix(scorer: PairScorer, threads: int = 0, progress: Progress | None = None) -> NDArray[np.float64]: ...

# assign

def assign(
    indptr: NDArray[np.int64],
    rights: NDArray[np.int64],
    weights: NDArray[np.float64],
    right_size: int,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.float64]]: ...

# cluster

def complete_linkage(n: int, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.int64]: ...
def components(n: int, left: NDArray[np.int64], right: NDArray[np.int64]) -> NDArray[np.int64]: ...

# fit

def least(
    curve: NDArray[np.float64], goal: NDArray[np.float64], start: NDArray[np.float64], rounds: int
) -> NDArray[np.float64]: ...
def rising(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]: ...

# rivals

def ranks(record: NDArray[np.int64], strength: NDArray[np.float64], size: int, count: int) -> NDArray[np.int64]: ...
def take_once(
    order: NDArray[np.int64], left: NDArray[np.int64], right: NDArray[np.int64], lefts: int, rights: int
) -> NDArray[np.uint8]: ...

# fields

_Columns = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], int]

class FieldsScorer(PairScorer):
    """The weighted mean of several scorers over shared fields."""

    def __init__(
        self,
        scorers: list[PairScorer],
        weights: list[float],
        left: list[NDArray[np.int32]],
        right: list[NDArray[np.int32]],
        lefts: int,
        rights: int,
    ) -> None: ...

def blocks_join(
    scorer: PairScorer,
    left_indptr: NDArray[np.int64],
    left_rows: NDArray[np.int64],
    right_indptr: NDArray[np.int64],
    right_rows: NDArray[np.int64],
    count: int,
    min_score: float,
    self_join: bool,
    threads: int,
    progress: Callable[[int, int], object] | None,
) -> _Columns: ...
def fields_join(
    scorer: FieldsScorer,
    indexes: list[JoinIndex],
    bounds: list[DotScorer | None],
    lefts: NDArray[np.int64],
    count: int,
    min_score: float,
    self_join: bool,
    prices: NDArray[np.float64] | None,
    least: NDArray[np.float64] | None,
    threads: int,
    progress: Callable[[int, int], object] | None,
) -> _Columns: ...

# join

class JoinMode(Enum):
    top = 0
    above = 1
    best = 2

class JoinIndex:
    """The inverted lists of a right side, kept between joins."""

    @staticmethod
    def build(scorer: PairScorer, bound: DotScorer | None) -> JoinIndex: ...

def join(
    scorer: PairScorer,
    bound: DotScorer | None,
    index: JoinIndex | None,
    mode: JoinMode,
    count: int,
    min_score: float,
    self_join: bool,
    symmetric: bool | None,
    threads: int,
    progress: Callable[[int, int], object] | None,
    floors: NDArray[np.float64] | None = None,
    rarest: bool | None = None,
    sums: bool | None = None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], dict[str, int]]: ...
def near_pairs(
    indptr: NDArray[np.int64],
    ids: NDArray[np.int32],
    scale: NDArray[np.float64],
    lengths: NDArray[np.float64],
    min_score: float,
    threads: int,
    progress: Callable[[int, int], object] | None,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], dict[str, int]]: ...

class NearLists:
    def __init__(
        self,
        indptr: NDArray[np.int64],
        ids: NDArray[np.int32],
        scale: NDArray[np.float64],
        lengths: NDArray[np.float64],
        texts: NDArray[np.float64],
        min_score: float,
    ) -> None: ...
    def among_themselves(
        self, first: int, most: int, threads: int, progress: Callable[[int, int], object] | None
    ) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], dict[str, int]], int]: ...
    def others(
        self,
        indptr: NDArray[np.int64],
        ids: NDArray[np.int32],
        lengths: NDArray[np.float64],
        first: int,
        most: int,
        threads: int,
        progress: Callable[[int, int], object] | None,
    ) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64], dict[str, int]], int]: ...

def join_sizes(scorer: PairScorer) -> tuple[int, int]: ...

# mine

class MineBatch:
    def __init__(
        self,
        vocabulary: NDArray[np.uint8],
        word_offsets: NDArray[np.int32],
        ids: NDArray[np.int32],
        tags: NDArray[np.uint8],
        sentence_offsets: NDArray[np.int32],
    ) -> None: ...

class MineAnalyser:
    def __init__(self, model: TaggerModel) -> None: ...
    def run(
        self,
        text: bytes,
        offsets: NDArray[np.int64],
        documents: NDArray[np.int32],
        min_words: int,
        max_words: int,
        tagged: bool,
        keep_tags: bool,
        english: bool,
        tags: NDArray[np.uint8],
    ) -> dict[str, Any]: ...

class MineAnchors(Enum):
    ngram = 0
    entity = 1
    relative = 2

class MineCounts(Enum):
    candidates = 0
    anchors = 1

class MinePruner:
    def __init__(
        self,
        context: int,
        min_phrase: int,
        max_phrase: int,
        anchors: MineAnchors,
        tags: list[str],
        support: int,
        bits: int,
    ) -> None: ...
    def count_candidates(self, batch: MineBatch) -> None: ...
    def count_anchors(self, batch: MineBatch) -> None: ...
    def table(self, which: MineCounts) -> bytes: ...
    def add_table(self, which: MineCounts, table: bytes) -> None: ...
    def emit(self, batch: MineBatch) -> dict[str, Any]: ...
    def hashes(self, batch: MineBatch) -> tuple[NDArray[np.int64], NDArray[np.int64]]: ...

class MineEvidence:
    def __init__(self, phrases: list[str], pairs: NDArray[np.int32], longest: int, english: bool = True) -> None: ...
    def count(self, batch: MineBatch) -> dict[str, NDArray[Any]]: ...

def row_products(
    offsets: NDArray[np.int64], columns: NDArray[np.int32], values: NDArray[np.float64], pairs: NDArray[np.int32]
) -> NDArray[np.float64]: ...

# tagger

class TaggerModel:
    def __init__(self, weights: bytes) -> None: ...
    @property
    def tags(self) -> list[str]: ...
    @staticmethod
    def train(
        words: list[str],
        tags: list[int],
        offsets: list[int],
        names: list[str],
        epochs: int,
        seed: int,
        dictionary_count: int,
        dictionary_share: float,
        smallest_weight: int,
    ) -> bytes: ...

class Tagger:
    def __init__(self, model: TaggerModel) -> None: ...
    def tag(self, words: list[str]) -> list[int]: ...

def penn_flags(word: str) -> int: ...
def penn_spans(text: str) -> list[tuple[int, int]]: ...

# search

def invert_dot(
    rows: Rows,
) -> tuple[
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.uint16],
    NDArray[np.uint16],
    NDArray[np.float64],
    NDArray[np.float64],
    NDArray[np.float64],
]: ...
def invert_grams(
    texts: SpectraTexts,
) -> tuple[
    NDArray[np.int32],
    NDArray[np.int64],
    NDArray[np.uint16],
    NDArray[np.uint8],
    NDArray[np.float64],
    NDArray[np.float64],
]: ...

class DotSegment:
    def __init__(
        self,
        ids: NDArray[np.int32],
        list_of: NDArray[np.int32],
        indptr: NDArray[np.int64],
        texts: NDArray[np.uint16],
        impacts: NDArray[np.uint16],
        weights: NDArray[np.float64],
        maxima: NDArray[np.float64],
        levels: NDArray[np.float64],
        text_count: int,
    ) -> None: ...
    def list(self, term: int) -> tuple[int, int]: ...
    def __len__(self) -> int: ...

class DotSearcher:
    def __init__(self, segments: list[DotSegment]) -> None: ...
    def top(
        self,
        rows: Rows,
        k: int,
        floor: float = 0.0,
        dead: Sequence[NDArray[np.uint8] | None] = (),
        threads: int = 0,
        progress: Progress | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]: ...
    def top_text(
        self,
        vocabulary: Vocabulary,
        term_weights: NDArray[np.float64],
        unseen_weight: float,
        text: str,
        chains: bool,
        bigrams: bool,
        lower: bool,
        k: int,
        dead: Sequence[NDArray[np.uint8] | None] = (),
    ) -> tuple[NDArray[np.int64], NDArray[np.float64], bool] | None: ...
    def scores(self, ids: NDArray[np.int32], weights: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def __len__(self) -> int: ...

class GramSegment:
    def __init__(
        self,
        ids: NDArray[np.int32],
        list_of: NDArray[np.int32],
        indptr: NDArray[np.int64],
        texts: NDArray[np.uint16],
        codes: NDArray[np.uint8],
        smallest: NDArray[np.float64],
        largest: NDArray[np.float64],
        cardinalities: NDArray[np.float64],
        term_indptr: NDArray[np.int64],
        terms: NDArray[np.int32],
        frequencies: NDArray[np.float64],
        known_terms: int,
        more_terms: NDArray[np.int32],
    ) -> None: ...
    def stored(self, term: int) -> int: ...
    def __len__(self) -> int: ...

class GramSearcher:
    def __init__(self, segments: list[GramSegment]) -> None: ...
    def top(
        self,
        term_grams: TermGrams,
        queries: SpectraTexts,
        coefficient: Coefficient,
        k: int,
        floor: float = 0.0,
        dead: Sequence[NDArray[np.uint8] | None] = (),
        threads: int = 0,
        progress: Progress | None = None,
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]]: ...
    def __len__(self) -> int: ...
