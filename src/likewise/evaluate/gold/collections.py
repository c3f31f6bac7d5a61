"""The data sets of the spectra paper by name: where their files lie, how they are read, how many texts they have.

Files are looked for below a data folder, in ``er/``, ``ir/<name>/`` and ``pairs/`` or right there, whatever the case of
their names.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from likewise.errors import InputError
from likewise.evaluate.gold import collection_formats, secondstring, smart
from likewise.evaluate.gold.sets import GoldSet, gold_set
from likewise.quality import pairs
from likewise.quality.pairs import LabelledPairs
from likewise.read.old_files import read_text

# Name in the paper -> SecondString file. hotels was never published.
ER_FILES = {
    "birds-scott1": "birdScott1.txt",
    "birds-scott2": "birdScott2.txt",
    "birds-kunkel": "birdKunkel.txt",
    "birds-nybird": "birdNybirdExtracted.txt",
    "business": "business.txt",
    "demos": "gameExtracted.txt",
    "parks": "parks.txt",
    "restaurant": "restaurant.txt",
    "ucd-people": "ucdPeopleMatch.txt",
    "census": "censusText.txt",
}

PAIR_FILES = {
    "msr-test": "msr_paraphrase_test.txt",
    "msr-train": "msr_paraphrase_train.txt",
    "rte3-test": "rte3_test.xml",
    "rte3-dev": "rte3_dev.xml",
}


@dataclass(frozen=True, slots=True)
class _Collection:
    """File name patterns of documents, queries and judgements, and the counts that a whole collection has."""

    documents: str
    queries: str
    judgements: str
    size: tuple[int, int]


_IR = {
    "adi": _Collection(r"adi\.all", r"adi\.qry", r"adi\.rel", (82, 35)),
    "cacm": _Collection(r"cacm\.all", r"query\.text|cacm\.qry", r"qrels\.text|cacm\.rel", (3204, 64)),
    "cf": _Collection(r"cf7\d(\.xml)?", r"cfquery(\.xml)?", r"cfquery(\.xml)?", (1239, 100)),
    "cisi": _Collection(r"cisi\.all", r"cisi\.qry", r"cisi\.rel", (1460, 112)),
    "cran": _Collection(r"cran\.all(\.1400)?", r"cran\.qry", r"cranqrel|cran\.rel", (1400, 225)),
    "lisa": _Collection(r"lisa\d\.\d+", r"lisa\.que", r"lisarj\.num|lisa\.rel", (6004, 35)),
    "med": _Collection(r"med\.all", r"med\.qry", r"med\.rel", (1033, 30)),
    "npl": _Collection(r"doc-text", r"query-text", r"rlv-ass", (11429, 93)),
    "time": _Collection(r"time\.all", r"time\.que", r"time\.rel", (423, 83)),
}
IR_NAMES = tuple(sorted(_IR))


def er_set(data: str | Path, name: str) -> GoldSet | None:
    """Read a name-matching set by the paper's name (or the file's); ``None`` where its file is absent."""
    file = ER_FILES.get(name, name if name.endswith(".txt") else f"{name}.txt")
    paths = _find([Path(data), Path(data) / "er"], re.escape(file))
    return secondstring.read(paths[0]) if paths else None


def pair_set(data: str | Path, name: str) -> LabelledPairs | None:
    """Read a set of labelled pairs by name; ``None`` where its file is absent."""
    paths = _find([Path(data), Path(data) / "pairs"], re.escape(PAIR_FILES[name]))
    return pairs.read(paths[0]) if paths else None


def ir_set(data: str | Path, name: str, *, as_published: bool = False) -> GoldSet | None:
    """Read a retrieval collection: queries left, documents right; ``None`` where its files are absent.

    ``as_published`` makes the slip that the paper's figures show: cran's queries by their ``.I`` number and time's
    documents by their ``*TEXT`` number, where the gold counts positions.
    """
    if name not in _IR:
        raise InputError(f"unknown collection {name!r}; known: {', '.join(IR_NAMES)}")
    known = _IR[name]
    folders = [Path(data) / name, Path(data) / "ir" / name, Path(data)]
    files = [_find(folders, pattern) for pattern in (known.documents, known.queries, known.judgements)]
    if not all(files):
        return None
    notes: list[str] = []
    document_text = "\n".join(read_text(path) for path in files[0])
    query_text, judged_text = read_text(files[1][0]), read_text(files[2][0])
    read = _READERS.get(name, _read_smart)
    documents, queries, grades = read(name, document_text, query_text, judged_text, notes, as_published)
    for what, found, expected in zip(("documents", "queries"), (documents, queries), known.size, strict=True):
        if len(found) != expected:
            notes.append(f"{len(found)} {what} were read where the whole collection has {expected}")
    return gold_set(name, queries, documents, grades, notes)


_Parts = tuple[dict[str, str], dict[str, str], dict[tuple[str, str], int]]


def _read_smart(name: str, documents: str, queries: str, judged: str, notes: list[str], as_published: bool) -> _Parts:
    by_position = name == "cran" and not as_published
    return (
        smart.documents(documents, notes),
        smart.queries(queries, notes, by_position=by_position),
        smart.judgements(judged, notes),
    )


def _read_npl(_: str, documents: str, queries: str, judged: str, notes: list[str], as_published: bool) -> _Parts:
    return (
        collection_formats.npl_texts(documents, notes),
        collection_formats.npl_texts(queries, notes),
        collection_formats.npl_judgements(judged, notes),
    )


def _read_lisa(_: str, documents: str, queries: str, judged: str, notes: list[str], as_published: bool) -> _Parts:
    return (
        collection_formats.lisa_documents(documents, notes),
        collection_formats.lisa_queries(queries, notes),
        collection_formats.lisa_judgements(judged, notes),
    )


def _read_time(_: str, documents: str, queries: str, judged: str, notes: list[str], as_published: bool) -> _Parts:
    return (
        collection_formats.time_texts(documents, notes, by_position=not as_published),
        collection_formats.time_texts(queries, notes, by_position=False),
        collection_formats.time_judgements(judged, notes),
    )


def _read_cf(_: str, documents: str, queries: str, judged: str, notes: list[str], as_published: bool) -> _Parts:
    texts, grades = collection_formats.cf_queries(queries, notes)
    return collection_formats.cf_documents(documents, notes), texts, grades


_READERS: dict[str, Callable[[str, str, str, str, list[str], bool], _Parts]] = {
    "cf": _read_cf,
    "lisa": _read_lisa,
    "npl": _read_npl,
    "time": _read_time,
}


def _find(folders: Iterable[Path], pattern: str) -> list[Path]:
    """Return the files of the first folder that has any whose name matches as a whole, sorted by name."""
    wanted = re.compile(pattern, re.IGNORECASE)
    for folder in folders:
        if folder.is_dir():
            found = sorted(path for path in folder.iterdir() if path.is_file() and wanted.fullmatch(path.name))
            if found:
                return found
    return []
