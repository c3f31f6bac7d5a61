"""Written by scripts/reference.py from the options dataclasses; change those and run it again."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Self

from likewise.analyse import AnalyseOptions as AnalyseOptions
from likewise.analyse import Analyser as Analyser
from likewise.analyse.cleaning import cleaner as cleaner
from likewise.engines.options import EngineOptions as EngineOptions
from likewise.errors import Cancelled as Cancelled
from likewise.errors import ColumnError as ColumnError
from likewise.errors import DamagedError as DamagedError
from likewise.errors import EngineError as EngineError
from likewise.errors import ForeignError as ForeignError
from likewise.errors import FormatError as FormatError
from likewise.errors import InputError as InputError
from likewise.errors import LikewiseError as LikewiseError
from likewise.errors import LockedError as LockedError
from likewise.errors import MissingExtraError as MissingExtraError
from likewise.errors import NotFittedError as NotFittedError
from likewise.errors import OptionError as OptionError
from likewise.errors import QueryError as QueryError
from likewise.errors import StorageError as StorageError
from likewise.index.hits import Hit as Hit
from likewise.index.hits import Hits as Hits
from likewise.index.index import Index as _Index
from likewise.index.search import SearchOptions as SearchOptions
from likewise.jobs.collect import CollectOptions as CollectOptions
from likewise.jobs.link import Link as Link
from likewise.jobs.link import LinkOptions as LinkOptions
from likewise.jobs.link import Links as Links
from likewise.jobs.link import ListOptions as ListOptions
from likewise.jobs.mine.options import MineOptions as MineOptions
from likewise.jobs.mine.options import RunOptions as RunOptions
from likewise.jobs.questions.answers import Answer as Answer
from likewise.jobs.questions.ask import Nuggets as Nuggets
from likewise.jobs.recognise import Recogniser as Recogniser
from likewise.jobs.recognise.options import RecogniseOptions as RecogniseOptions
from likewise.measure import BM25 as _BM25
from likewise.measure import Common as _Common
from likewise.measure import Contribution as Contribution
from likewise.measure import Distance as _Distance
from likewise.measure import Explanation as Explanation
from likewise.measure import FunctionMeasure as _FunctionMeasure
from likewise.measure import Matches as _Matches
from likewise.measure import Measure as Measure
from likewise.measure import SoftCardinality as _SoftCardinality
from likewise.measure import SoftTfIdf as _SoftTfIdf
from likewise.measure import Spectra as _Spectra
from likewise.measure import Tf as _Tf
from likewise.measure import TfIdf as _TfIdf
from likewise.measure.fields import FieldMeasure as FieldMeasure
from likewise.measure.fields import FieldsMeasure as FieldsMeasure
from likewise.progress import Progress as Progress
from likewise.quality.clusters import bcubed as bcubed
from likewise.quality.clusters import pairwise as pairwise
from likewise.quality.pairs import LabelledPairs as LabelledPairs
from likewise.quality.ranking import Ranking as Ranking
from likewise.quality.retrieval import per_query as per_query
from likewise.quality.significance import bootstrap as bootstrap
from likewise.quality.significance import paired as paired
from likewise.read import Documents as Documents
from likewise.read import ReadOptions as ReadOptions
from likewise.read import Skipped as Skipped
from likewise.read.document import Document as Document
from likewise.read.document import Span as Span
from likewise.read.tables import TableOptions as TableOptions
from likewise.records.options import ClusterOptions as ClusterOptions
from likewise.records.options import DedupeOptions as DedupeOptions
from likewise.records.options import MatchOptions as MatchOptions
from likewise.results.base import Result as Result
from likewise.results.clusters import Change as Change
from likewise.results.clusters import Cluster as Cluster
from likewise.results.clusters import DedupeResult as DedupeResult
from likewise.results.groups import Group as Group
from likewise.results.groups import Groups as Groups
from likewise.results.matches import Match as Match
from likewise.results.matches import MatchResult as MatchResult
from likewise.results.paraphrases import Paraphrase as Paraphrase
from likewise.results.paraphrases import Paraphrases as Paraphrases
from likewise.results.threshold import Threshold as Threshold
from likewise.segment import Passage as Passage
from likewise.segment import passages as passages
from likewise.segment.parts import parts as parts

__version__: str
__all__ = [
    "AnalyseOptions",
    "Analyser",
    "Answer",
    "BM25",
    "Cancelled",
    "Change",
    "Cluster",
    "ClusterOptions",
    "CollectOptions",
    "ColumnError",
    "Common",
    "Contribution",
    "DamagedError",
    "DedupeOptions",
    "DedupeResult",
    "Distance",
    "Document",
    "Documents",
    "EngineError",
    "EngineOptions",
    "Explanation",
    "FieldMeasure",
    "FieldsMeasure",
    "ForeignError",
    "FormatError",
    "FunctionMeasure",
    "Group",
    "Groups",
    "Hit",
    "Hits",
    "Index",
    "InputError",
    "LabelledPairs",
    "LikewiseError",
    "Link",
    "LinkOptions",
    "Links",
    "ListOptions",
    "LockedError",
    "Match",
    "MatchOptions",
    "MatchResult",
    "Matches",
    "Measure",
    "MineOptions",
    "MissingExtraError",
    "NotFittedError",
    "Nuggets",
    "OptionError",
    "Paraphrase",
    "Paraphrases",
    "Passage",
    "Progress",
    "QueryError",
    "Ranking",
    "ReadOptions",
    "RecogniseOptions",
    "Recogniser",
    "Result",
    "RunOptions",
    "SearchOptions",
    "Skipped",
    "SoftCardinality",
    "SoftTfIdf",
    "Span",
    "Spectra",
    "StorageError",
    "TableOptions",
    "Tf",
    "TfIdf",
    "Threshold",
    "bcubed",
    "bootstrap",
    "cleaner",
    "cluster",
    "compare",
    "dedupe",
    "documents",
    "expand_query",
    "index_paths",
    "link",
    "load_measure",
    "match",
    "mine",
    "nuggets",
    "paired",
    "pairwise",
    "parse_measure",
    "parts",
    "passages",
    "per_query",
    "read_pairs",
    "recognise",
]

class BM25(_BM25):
    def __init__(
        self,
        *,
        accents: Literal["fold", "keep"] = "fold",
        stop: str | tuple[str, ...] | None = None,
        stem: str | None = None,
        unspaced: Literal["bigrams", "run"] = "bigrams",
        phrases: bool = False,
        best_terms: int | None = None,
        k1: float = 1.2,
        b: float = 0.75,
    ) -> None: ...

class Common(_Common):
    def __init__(
        self,
        *,
        accents: Literal["fold", "keep"] = "fold",
        stop: str | tuple[str, ...] | None = None,
        stem: str | None = None,
        unspaced: Literal["bigrams", "run"] = "bigrams",
        phrases: bool = False,
        best_terms: int | None = None,
    ) -> None: ...

class Distance(_Distance):
    def __init__(
        self,
        *,
        accents: Literal["fold", "keep"] = "fold",
        stop: str | tuple[str, ...] | None = None,
        stem: str | None = None,
        unspaced: Literal["bigrams", "run"] = "bigrams",
        kind: Literal[
            "edit",
            "damerau",
            "osa",
            "indel",
            "hamming",
            "jaro",
            "jaro-winkler",
            "lcs",
            "prefix",
            "postfix",
            "ratio",
            "partial-ratio",
            "token-sort-ratio",
            "token-set-ratio",
            "token-ratio",
            "weighted-ratio",
        ] = "edit",
        raw: bool = False,
    ) -> None: ...

class FunctionMeasure(_FunctionMeasure):
    def __init__(
        self,
        *,
        accents: Literal["fold", "keep"] = "fold",
        stop: str | tuple[str, ...] | None = None,
        stem: str | None = None,
        unspaced: Literal["bigrams", "run"] = "bigrams",
        function: Callable[[str, str], float] | None = None,
    ) -> None: ...

class Index(_Index):
    @classmethod
    def build(
        cls,
        documents: Any,
        *,
        measure: Measure | str | None = None,
        ids: Sequence[str | int] | None = None,
        path: str | PathLike[str] | None = None,
        settings: Mapping[str, Any] | None = None,
        progress: Progress | bool | None = None,
    ) -> Self:
        "Index texts or documents: a list of them, ``{id: text}``, a column or a table of pandas, polars or Arrow."
    def match(
        self,
        texts: Sequence[str],
        *,
        top: int = 1,
        min_score: float | None = None,
        threads: int | None = None,
        progress: Progress | bool | None = None,
    ) -> MatchResult:
        "Return for each text its best partners in the index; ``unmatched`` lists the texts that have none."
    def search(
        self,
        query: str,
        *,
        filters: Mapping[str, Any] | None = None,
        expand: Any = None,
        top: int = 10,
        min_score: float | None = None,
        plain: bool = False,
        page: int = 1,
        forgive: bool = True,
        leave_out: tuple[str, ...] = ("exercise", "contents", "navigation"),
        per_phrase: int = 4,
        min_probability: float = 0.5,
        options: SearchOptions | None = None,
    ) -> Hits:
        "Return the best texts for a query in the query language."

class Matches(_Matches):
    def __init__(
        self,
        *,
        accents: Literal["fold", "keep"] = "fold",
        stop: str | tuple[str, ...] | None = None,
        stem: str | None = None,
        unspaced: Literal["bigrams", "run"] = "bigrams",
        phrases: bool = False,
        best_terms: int | None = None,
    ) -> None: ...

class SoftCardinality(_SoftCardinality):
    def __init__(
        self,
        *,
        accents: Literal["fold", "keep"] = "fold",
        stop: str | tuple[str, ...] | None = None,
        stem: str | None = None,
        unspaced: Literal["bigrams", "run"] = "run",
        similarity: str | Callable[[str, str], float] = "bigrams",
        cut: float = 0.0,
        boost: float = 0.0,
        weights: Literal["tfidf", "idf", "boolean"] = "boolean",
        smooth: bool = False,
        softness: float = 2.0,
        coefficient: str | float = "harmonic",
    ) -> None: ...

class SoftTfIdf(_SoftTfIdf):
    def __init__(
        self,
        *,
        accents: Literal["fold", "keep"] = "fold",
        stop: str | tuple[str, ...] | None = None,
        stem: str | None = None,
        unspaced: Literal["bigrams", "run"] = "run",
        similarity: str | Callable[[str, str], float] = "jaro-winkler",
        cut: float = 0.9,
        boost: float = 0.0,
        weights: Literal["tfidf", "idf", "boolean"] = "tfidf",
        smooth: bool = False,
        pairs: Literal["best", "all"] = "best",
    ) -> None: ...

class Spectra(_Spectra):
    def __init__(
        self,
        *,
        accents: Literal["fold", "keep"] = "fold",
        stop: str | tuple[str, ...] | None = None,
        stem: str | None = None,
        unspaced: Literal["bigrams", "run"] = "run",
        q: int | tuple[int, int] = (2, 4),
        padding: Literal["none", "single", "full"] = "single",
        weights: str = "c",
        coefficient: str | float = "harmonic",
        smooth: bool = False,
        term_weights: Mapping[str, float] | None = None,
        gram_weights: Mapping[str, float] | None = None,
    ) -> None: ...

class Tf(_Tf):
    def __init__(
        self,
        *,
        accents: Literal["fold", "keep"] = "fold",
        stop: str | tuple[str, ...] | None = None,
        stem: str | None = None,
        unspaced: Literal["bigrams", "run"] = "bigrams",
        phrases: bool = False,
        best_terms: int | None = None,
    ) -> None: ...

class TfIdf(_TfIdf):
    def __init__(
        self,
        *,
        accents: Literal["fold", "keep"] = "fold",
        stop: str | tuple[str, ...] | None = None,
        stem: str | None = None,
        unspaced: Literal["bigrams", "run"] = "bigrams",
        phrases: bool = False,
        best_terms: int | None = None,
        weights: Literal["tfidf", "idf", "tf", "boolean"] = "tfidf",
        smooth: bool = False,
    ) -> None: ...

def cluster(
    pairs: Any,
    *,
    ids: Any = None,
    left: str | None = None,
    right: str | None = None,
    score: str | None = None,
    min_score: float | None = None,
    linkage: Literal["complete", "components"] = "components",
    format: Literal["jsonl", "parquet", "arrow", "csv", "tsv", "json", "sheet", "lines"] | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    sheet: str | None = None,
    strict: bool = False,
    options: ClusterOptions | None = None,
    read: TableOptions | None = None,
) -> Groups:
    "Make clusters of pairs: a table of two ids and how sure each pair is (1 where it does not say)."

def compare(
    left: str,
    right: str,
    measure: Measure | str | None = None,
    *,
    collection: Sequence[str] | None = None,
    explain: bool = True,
) -> Explanation:
    "Return the score of two texts with the contributions that make it up."

def dedupe(
    table: Any,
    *,
    measure: Any = None,
    labels: Any = None,
    model: Any = None,
    state: str | PathLike[str] | None = None,
    add: Any = None,
    remove: Any = None,
    refit: bool = False,
    progress: Progress | bool | None = None,
    on: str | Sequence[str] | Mapping[str, float] | None = None,
    id: str | None = None,
    equal_on: str | Sequence[str] | None = None,
    min_score: float | Literal["auto"] | None = None,
    precision: float | None = None,
    kinds: str | Sequence[str] | Mapping[str, str] | None = None,
    clean: str | Sequence[str] | Mapping[str, str] | Callable[[str], str] | None = None,
    language: str | None = None,
    threads: int | None = None,
    linkage: Literal["complete", "components"] | None = None,
    margin: float = 0.05,
    survivor: str | Sequence[str] | Mapping[str, str] | None = None,
    newest_by: str | None = None,
    format: Literal["jsonl", "parquet", "arrow", "csv", "tsv", "json", "sheet", "lines"] | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    sheet: str | None = None,
    strict: bool = False,
    engine: Any = None,
    master: str | None = None,
    memory: str | None = None,
    work: str | None = None,
    options: DedupeOptions | None = None,
    read: TableOptions | None = None,
    running: EngineOptions | None = None,
) -> DedupeResult:
    "Find the records of one table that are the same, and the one that stands for each."

def documents(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    *,
    on_skip: Callable[[Skipped], None] | None = None,
    format: Literal[
        "auto",
        "text",
        "markdown",
        "html",
        "rst",
        "asciidoc",
        "latex",
        "man",
        "notebook",
        "pdf",
        "docx",
        "odt",
        "epub",
        "warc",
        "arc",
        "wiki",
        "mail",
        "zip",
        "tar",
        "jsonl",
        "parquet",
        "arrow",
        "csv",
        "tsv",
        "json",
        "sheet",
    ] = "auto",
    text_column: str = "text",
    id: str | None = None,
    encoding: str | None = None,
    main_content: bool = False,
    only_language: str | None = None,
    max_bytes: int = 16777216,
    max_depth: int = 512,
    max_seconds: float = 30.0,
    strict: bool = False,
    marks: bool = False,
    options: ReadOptions | None = None,
) -> Documents:
    "Read files, folders, globs or lists of them as a stream of documents."

def expand_query(query: str, paraphrases: Any, per_phrase: int = 4, min_probability: float = 0.5) -> str:
    "Return the query with every phrase that ``paraphrases`` knows as ``(phrase | paraphrase | ...)``."

def index_paths(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    output: str | PathLike[str],
    *,
    measure: Measure | str | None = None,
    add: bool = False,
    remove: Sequence[str] = (),
    on_skip: Callable[[Skipped], None] | None = None,
    progress: Progress | bool | None = None,
    unit: Literal["document", "section", "paragraph", "sentence", "line"] | None = None,
    on: tuple[str, ...] = (),
    language: str | None = None,
    format: Literal[
        "auto",
        "text",
        "markdown",
        "html",
        "rst",
        "asciidoc",
        "latex",
        "man",
        "notebook",
        "pdf",
        "docx",
        "odt",
        "epub",
        "warc",
        "arc",
        "wiki",
        "mail",
        "zip",
        "tar",
        "jsonl",
        "parquet",
        "arrow",
        "csv",
        "tsv",
        "json",
        "sheet",
    ] = "auto",
    text_column: str = "text",
    id: str | None = None,
    encoding: str | None = None,
    main_content: bool = False,
    only_language: str | None = None,
    max_bytes: int = 16777216,
    max_depth: int = 512,
    max_seconds: float = 30.0,
    strict: bool = False,
    marks: bool = False,
    engine: Any = None,
    master: str | None = None,
    memory: str | None = None,
    work: str | None = None,
    options: CollectOptions | None = None,
    read: ReadOptions | None = None,
    running: EngineOptions | None = None,
) -> Index:
    "Index folders, files or tables into a folder on disk; with ``add``, into the index that is there."

def link(
    left: str | PathLike[str] | Iterable[str | PathLike[str]] | Iterable[Document] | Mapping[str, Any],
    right: str | PathLike[str] | Iterable[str | PathLike[str]] | Iterable[Document] | Mapping[str, Any] | None = None,
    *,
    lists: Mapping[str, ListOptions] | None = None,
    update: str | PathLike[str] | None = None,
    on_skip: Callable[[Skipped], None] | None = None,
    progress: Progress | bool | None = None,
    preset: str = "kin",
    each: int | None = None,
    most_links: int | None = 12,
    min_strength: float | None = None,
    roles: tuple[str, ...] = ("body", "body-glossary"),
    n: int | None = None,
    min_score: float | None = None,
    min_matches: int | None = None,
    least_matches: int = 5,
    pairs: Literal["all", "within", "across"] = "all",
    books: tuple[str, ...] = (),
    unit: Literal["paragraph", "document"] = "paragraph",
    titles: Literal["with", "alone", "without"] = "with",
    title_weight: int = 2,
    order: Literal["standout", "list"] = "standout",
    faithful: bool = False,
    min_terms: int = 5,
    copies: Literal["mark", "drop", "keep"] = "mark",
    boilerplate: bool = True,
    neighbours: Literal["mark", "drop", "keep"] = "mark",
    language: str | None = None,
    stop: str | tuple[str, ...] | None = "language",
    stem: str | None = "language",
    index_terms: int | None = None,
    index_places: int = 5,
    threads: int | None = None,
    format: Literal[
        "auto",
        "text",
        "markdown",
        "html",
        "rst",
        "asciidoc",
        "latex",
        "man",
        "notebook",
        "pdf",
        "docx",
        "odt",
        "epub",
        "warc",
        "arc",
        "wiki",
        "mail",
        "zip",
        "tar",
        "jsonl",
        "parquet",
        "arrow",
        "csv",
        "tsv",
        "json",
        "sheet",
    ] = "auto",
    text_column: str = "text",
    id: str | None = None,
    encoding: str | None = None,
    main_content: bool = False,
    only_language: str | None = None,
    max_bytes: int = 16777216,
    max_depth: int = 512,
    max_seconds: float = 30.0,
    strict: bool = False,
    marks: bool = False,
    engine: Any = None,
    master: str | None = None,
    memory: str | None = None,
    work: str | None = None,
    options: LinkOptions | None = None,
    read: ReadOptions | None = None,
    running: EngineOptions | None = None,
) -> Links:
    "Find the passages that treat the same subject, within one corpus or between two."

def load_measure(path: str | PathLike[str]) -> Measure:
    "Read a measure that was saved to a file."

def match(
    left: Any,
    right: Any = None,
    *,
    measure: Any = None,
    labels: Any = None,
    model: Any = None,
    columns: Sequence[str] | None = None,
    progress: Progress | bool | None = None,
    on: str | Sequence[str] | Mapping[str, float] | None = None,
    id: str | None = None,
    equal_on: str | Sequence[str] | None = None,
    min_score: float | Literal["auto"] | None = None,
    precision: float | None = None,
    kinds: str | Sequence[str] | Mapping[str, str] | None = None,
    clean: str | Sequence[str] | Mapping[str, str] | Callable[[str], str] | None = None,
    language: str | None = None,
    threads: int | None = None,
    left_on: str | Sequence[str] | Mapping[str, float] | None = None,
    right_on: str | Sequence[str] | Mapping[str, float] | None = None,
    left_id: str | None = None,
    right_id: str | None = None,
    left_sheet: str | None = None,
    right_sheet: str | None = None,
    left_encoding: str | None = None,
    right_encoding: str | None = None,
    left_format: Literal["jsonl", "parquet", "arrow", "csv", "tsv", "json", "sheet", "lines"] | None = None,
    right_format: Literal["jsonl", "parquet", "arrow", "csv", "tsv", "json", "sheet", "lines"] | None = None,
    left_delimiter: str | None = None,
    right_delimiter: str | None = None,
    all: bool = False,
    top: int | None = None,
    all_pairs: bool = False,
    one_to_one: bool = False,
    reciprocal: bool = False,
    exclude_equal: bool = False,
    relation: Literal["1:1", "1:m", "m:1", "m:m"] | None = None,
    explain: bool = False,
    format: Literal["jsonl", "parquet", "arrow", "csv", "tsv", "json", "sheet", "lines"] | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    header: bool | None = None,
    sheet: str | None = None,
    strict: bool = False,
    engine: Any = None,
    master: str | None = None,
    memory: str | None = None,
    work: str | None = None,
    options: MatchOptions | None = None,
    read: TableOptions | None = None,
    running: EngineOptions | None = None,
) -> MatchResult:
    "Find the records of two tables that are the same; without ``right``, within the left table itself."

def mine(
    paths: Any,
    *,
    output: str | PathLike[str] | None = None,
    session: Any = None,
    progress: Progress | bool | None = None,
    anchors: Literal["ngram", "entity", "relative"] = "ngram",
    context: int = 2,
    min_phrase: int = 1,
    max_phrase: int = 4,
    support: int | None = None,
    fold_case: bool = False,
    max_candidates: int | None = None,
    samples: int = 3,
    tagger: Literal["perceptron", "frequency", "spacy", "own", "none"] = "perceptron",
    tagger_from: str | None = None,
    any_language: bool = False,
    min_words: int = 5,
    max_words: int = 30,
    engine: Any = "duckdb",
    master: str | None = None,
    memory: str | None = None,
    work: str | None = None,
    threads: int | None = None,
    keep_work: bool = False,
    stop_after: Literal["sentences", "rows", "pairs"] | None = None,
    format: Literal[
        "auto",
        "text",
        "markdown",
        "html",
        "rst",
        "asciidoc",
        "latex",
        "man",
        "notebook",
        "pdf",
        "docx",
        "odt",
        "epub",
        "warc",
        "arc",
        "wiki",
        "mail",
        "zip",
        "tar",
        "jsonl",
        "parquet",
        "arrow",
        "csv",
        "tsv",
        "json",
        "sheet",
    ] = "auto",
    text_column: str = "text",
    id: str | None = None,
    encoding: str | None = None,
    main_content: bool = False,
    only_language: str | None = None,
    max_bytes: int = 16777216,
    max_depth: int = 512,
    max_seconds: float = 30.0,
    strict: bool = False,
    marks: bool = False,
    options: MineOptions | None = None,
    running: RunOptions | None = None,
    read: ReadOptions | None = None,
) -> Paraphrases:
    "Mine paraphrases from documents: files, folders, globs, of any kind that :mod:`likewise.read` knows; or texts."

def nuggets(
    paths: str | PathLike[str] | Iterable[str | PathLike[str]],
    output: str | PathLike[str],
    *,
    session: Any = None,
    on_skip: Callable[[Skipped], None] | None = None,
    progress: Progress | bool | None = None,
    engine: Any = None,
    master: str | None = None,
    memory: str | None = None,
    work: str | None = None,
    format: Literal[
        "auto",
        "text",
        "markdown",
        "html",
        "rst",
        "asciidoc",
        "latex",
        "man",
        "notebook",
        "pdf",
        "docx",
        "odt",
        "epub",
        "warc",
        "arc",
        "wiki",
        "mail",
        "zip",
        "tar",
        "jsonl",
        "parquet",
        "arrow",
        "csv",
        "tsv",
        "json",
        "sheet",
    ] = "auto",
    text_column: str = "text",
    id: str | None = None,
    encoding: str | None = None,
    main_content: bool = False,
    only_language: str | None = None,
    max_bytes: int = 16777216,
    max_depth: int = 512,
    max_seconds: float = 30.0,
    strict: bool = False,
    marks: bool = False,
    running: EngineOptions | None = None,
    read: ReadOptions | None = None,
) -> int:
    "Read documents and write the index of their nuggets to folder ``output``; return the number of distinct ones."

def parse_measure(text: str) -> Measure:
    "Return the measure that a specification describes."

def read_pairs(path: str | Path, *, labels: bool = True) -> LabelledPairs:
    "Read labelled pairs of any known format; with ``labels=False`` a file without labels will do."

def recognise(
    train: Any,
    *,
    goal: Literal["accuracy", "f1"] = "accuracy",
    folds: int = 5,
    repeats: int = 3,
    combine: bool = True,
    stem: str = "porter",
    seed: int = 0,
    options: RecogniseOptions | None = None,
) -> Recogniser:
    "Learn to tell pairs of texts apart from labelled ones."
