"""``Paraphrases``: the mined table, to look things up in, filter, compare and export."""

import difflib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from likewise.analyse.variants import CLASSES, classify, is_content, strings_factor
from likewise.analyse.words import is_stop_phrase
from likewise.errors import DamagedError, ForeignError, InputError
from likewise.options import check_choice
from likewise.results.base import Result, sliced
from likewise.results.fingerprint import is_as_written, with_fingerprint

if TYPE_CHECKING:
    from likewise.results.run_report import Report

SAMPLE = pa.struct(
    [(name, pa.string()) for name in ("left", "right", "attached", "phrase_source", "paraphrase_source")]
)
SCHEMA = pa.schema(
    [
        ("phrase", pa.string()),
        ("paraphrase", pa.string()),
        ("support", pa.int64()),
        ("anchors", pa.int64()),
        ("rank", pa.int64()),
        ("specific", pa.float64()),
        ("probability", pa.float64()),
        ("class", pa.string()),
        ("phrase_count", pa.int64()),
        ("paraphrase_count", pa.int64()),
        ("documents", pa.int64()),
        ("together", pa.int64()),
        ("both", pa.int64()),
        ("samples", pa.list_(SAMPLE)),
    ]
)
ORDERS = ("probability", "support")
# In more phrases than these nothing that is spelt alike is looked for: it would take seconds.
_FEW = 20_000
# What a table must have to be one of paraphrases; the rest is evidence.
COLUMNS = ("phrase", "paraphrase", "support", "anchors", "rank", "probability", "class")


@dataclass(frozen=True, slots=True)
class Paraphrase:
    """A pair of phrases that stand in the same places, with its evidence."""

    phrase: str
    paraphrase: str
    support: int
    anchors: int
    rank: int
    probability: float
    kind: str
    together: int
    samples: tuple[dict[str, str], ...] = ()


class Paraphrases(Result[Paraphrase]):
    """Mined pairs, each once, the smaller string as ``phrase``; look-ups see both directions.

    >>> pairs = Paraphrases.of_rows([("came into force", "took effect", 7), ("first", "second", 9)])
    >>> [(pair.phrase, pair.paraphrase, pair.support) for pair in pairs.of("took effect")]
    [('took effect', 'came into force', 7)]
    """

    def __init__(self, table: pa.Table, report: "Report | None" = None) -> None:
        self.table = table
        self.report = report
        self._index: dict[str, list[int]] | None = None

    @property
    def language(self) -> str:
        """The language of the texts, which says what its stop words and forms are."""
        return ((self.table.schema.metadata or {}).get(b"language") or b"english").decode()

    @classmethod
    def of_rows(cls, rows: Iterable[tuple[str, str, int]]) -> "Paraphrases":
        """Make a table of (phrase, paraphrase, support) by hand; the more support, the more probable."""
        turned = [(min(a, b), max(a, b), n) for a, b, n in rows]
        listed = sorted(turned, key=lambda row: (-row[2], row[0], row[1]))
        support = [row[2] for row in listed]
        factors = [strings_factor(a, b) for a, b, _ in listed]
        columns: dict[str, list[Any]] = {
            "phrase": [row[0] for row in listed],
            "paraphrase": [row[1] for row in listed],
            "support": support,
            "anchors": support,
            "rank": list(range(1, len(listed) + 1)),
            "specific": [float(n) for n in support],
            "probability": [factor * n / (n + 1) for n, factor in zip(support, factors, strict=True)],
            "class": [classify(a, b) for a, b, _ in listed],
            "phrase_count": [0] * len(listed),
            "paraphrase_count": [0] * len(listed),
            "documents": [0] * len(listed),
            "together": [0] * len(listed),
            "both": [0] * len(listed),
            "samples": [[] for _ in listed],
        }
        return cls(pa.table([pa.array(columns[field.name], field.type) for field in SCHEMA], schema=SCHEMA))

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Paraphrases":
        """Read a table that :meth:`write` or ``likewise mine`` wrote."""
        try:
            table = pq.read_table(path, page_checksum_verification=True)
            table.validate(full=True)
            as_written = is_as_written(table)
        except FileNotFoundError as error:
            raise InputError(f"{os.fspath(path)}: no such file") from error
        except (pa.ArrowException, OSError, TypeError, ValueError) as error:
            name = os.fspath(path)
            raise DamagedError(
                f"{name} is not a Parquet file, or a damaged one; `likewise mine` writes them"
            ) from error
        missing = [name for name in COLUMNS if name not in table.column_names]
        if missing:
            raise ForeignError(f"{os.fspath(path)} is not a table of paraphrases: it lacks {', '.join(missing)}")
        if not as_written:
            raise DamagedError(f"{os.fspath(path)} has changed since it was written")
        return cls(table)

    _noun = ("pair", "pairs")

    def _value(self, row: dict[str, Any]) -> Paraphrase:
        return _pair(row)

    def _part(self, places: slice) -> "Paraphrases":
        return Paraphrases(sliced(self.table, places), self.report)

    def _written(self, ending: str) -> pa.Table:
        """Return the table: in full for Parquet, without the samples for texts."""
        return with_fingerprint(self.table) if ending == ".parquet" else self.table.drop_columns(["samples"])

    def of(self, phrase: str, limit: int | None = None, by: str = "probability") -> list[Paraphrase]:
        """Return the paraphrases of a phrase, best first; the phrase asked for is always ``phrase``."""
        check_choice("by", by, ORDERS)
        if self._index is None:
            self._index = {}
            for side in ("phrase", "paraphrase"):
                for row, text in enumerate(self.table.column(side).to_pylist()):
                    self._index.setdefault(text, []).append(row)
        rows = self.table.take(pa.array(self._index.get(phrase, []), pa.int64())).to_pylist()
        found = [_pair(row if row["phrase"] == phrase else _turned(row)) for row in rows]
        other = ORDERS[by == "probability"]
        found.sort(key=lambda pair: (-getattr(pair, by), -getattr(pair, other), pair.paraphrase))
        return found[:limit]

    def near(self, phrase: str, limit: int = 5) -> list[str]:
        """Return phrases of the table that are spelt most like one, or have its words, for one that has no pair.

        >>> Paraphrases.of_rows([("deleted", "removed", 5), ("is deleted", "is gone", 5)]).near("delete")
        ['deleted', 'is deleted']
        """
        texts = sorted(set(self.table.column("phrase").to_pylist()) | set(self.table.column("paraphrase").to_pylist()))
        inside = [text for text in texts if phrase.casefold() in text.casefold()]
        close = difflib.get_close_matches(phrase, texts, limit) if len(texts) <= _FEW else []
        return list(dict.fromkeys([*close, *sorted(inside, key=len)]))[:limit]

    def filter(
        self,
        *,
        multi_word: bool = False,
        stop_words: bool = True,
        case: bool = True,
        classes: Iterable[str] | None = None,
        min_support: int | None = None,
        min_probability: float | None = None,
        content: bool = False,
    ) -> "Paraphrases":
        """Return the pairs that pass: ``multi_word`` keeps those with blanks on both sides;
        ``stop_words=False`` drops those of stop words only, ``case=False`` case variants; ``content`` keeps those that
        differ in more than form and stop words and say what no shorter pair does; the rest says itself.
        """
        wanted = None if classes is None else set(classes)
        for name in wanted or ():
            check_choice("classes", name, CLASSES)
        keep = []
        columns = (
            self.table.column(name).to_pylist() for name in ("phrase", "paraphrase", "class", "support", "probability")
        )
        for a, b, kind, support, probability in zip(*columns, strict=True):
            keep.append(
                not (multi_word and (" " not in a or " " not in b))
                and (stop_words or not (is_stop_phrase(a, self.language) and is_stop_phrase(b, self.language)))
                and (case or kind != "case")
                and (wanted is None or kind in wanted)
                and (min_support is None or support >= min_support)
                and (min_probability is None or probability >= min_probability)
                and (not content or is_content(a, b, self.language))
            )
        return Paraphrases(self.table.filter(pa.array(keep, pa.bool_())))

    def difference(self, other: "Paraphrases") -> "Paraphrases":
        """Return the pairs that ``other`` does not have."""
        theirs = set(zip(*(other.table.column(name).to_pylist() for name in ("phrase", "paraphrase")), strict=True))
        ours = zip(*(self.table.column(name).to_pylist() for name in ("phrase", "paraphrase")), strict=True)
        return Paraphrases(self.table.filter(pa.array([pair not in theirs for pair in ours], pa.bool_())))

    def shares(self) -> dict[str, float]:
        """Return the shares of pairs of two words (1-1), a word and a phrase (1-n), two phrases (n-n).

        >>> Paraphrases.of_rows([("kill", "murder", 5), ("cause", "result in", 5)]).shares()
        {'1-1': 0.5, '1-n': 0.5, 'n-n': 0.0}
        """
        counts = {"1-1": 0, "1-n": 0, "n-n": 0}
        for pair in zip(*(self.table.column(name).to_pylist() for name in ("phrase", "paraphrase")), strict=True):
            long = sum(" " in text for text in pair)
            counts[("1-1", "1-n", "n-n")[long]] += 1
        total = max(1, len(self))
        return {name: count / total for name, count in counts.items()}

    def by_probability(self) -> "Paraphrases":
        """Return the pairs in the order of their probability."""
        order = pc.sort_indices(
            self.table, sort_keys=[("probability", "descending"), ("support", "descending"), ("rank", "ascending")]
        )
        return Paraphrases(self.table.take(order))

    def to_synonyms(self, path: str | os.PathLike[str], per_phrase: int = 4, min_probability: float = 0.0) -> int:
        """Write a synonym file for Solr, Lucene, Elasticsearch or OpenSearch; return its number of lines."""
        from likewise.results.synonyms import write_synonyms

        return write_synonyms(self, path, per_phrase, min_probability)


def _pair(row: dict[str, Any]) -> Paraphrase:
    return Paraphrase(
        row["phrase"], row["paraphrase"], row["support"], row["anchors"], row["rank"], row["probability"], row["class"],
        row.get("together", 0), tuple(row.get("samples") or ()),
    )  # fmt: skip


def _turned(row: dict[str, Any]) -> dict[str, Any]:
    samples = [
        {**sample, "phrase_source": sample["paraphrase_source"], "paraphrase_source": sample["phrase_source"]}
        for sample in row.get("samples") or ()
    ]
    return {**row, "phrase": row["paraphrase"], "paraphrase": row["phrase"], "samples": samples}
