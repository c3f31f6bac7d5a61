"""Compare a result file with a gold file: what ``likewise evaluate er|ir|links|pairs RESULT GOLD`` does.

Each function returns a :class:`Report`: the figures, and the ranking behind them where a curve can be drawn.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from likewise.errors import ColumnError, FormatError, InputError
from likewise.evaluate.gold import secondstring, tables, trec
from likewise.quality import clusters
from likewise.quality import pairs as pair_reader
from likewise.quality.ranking import Ranking, classification
from likewise.quality.retrieval import per_query
from likewise.quality.significance import bootstrap, bootstrap_figure, paired
from likewise.read.table_files import row_place
from likewise.read.tables import read_table, texts_of
from likewise.read.truth import KNOWN, truth

_RANKED_BY = ("probability", "score")  # what was decided by comes first


@dataclass(frozen=True, slots=True)
class Report:
    """Figures by name, the ranking that a precision-recall curve can be drawn from, and remarks."""

    figures: Mapping[str, Any]
    ranking: Ranking | None = None
    notes: tuple[str, ...] = field(default=())


def er(
    result: str | Path,
    gold: str | Path,
    *,
    entity: str | None = None,
    id: str | None = None,  # noqa: A002 - the word users see
    pattern: str | None = None,
    symmetric: bool = False,
) -> Report:
    """Compare matches (``left``, ``right``, ``score``) or clusters (``cluster``) with the gold.

    Matches that were decided are ranked by their ``probability``, others by their score.

    The gold is a SecondString file (ids are positions in its two relations), a table of id pairs, or a table with an
    ``entity`` column, whose records are known by ``id``. ``symmetric`` takes (a, b) and (b, a) for the same pair, as in
    a self-join.
    """
    table = read_table(result, wanted=("left", "right", "score", "cluster")).table
    if "cluster" in table.column_names and "score" not in table.column_names:
        return _clusters(result, gold, entity, id, pattern)
    found = _scored(result)
    if entity is not None:
        wanted, symmetric = _entity_pairs(tables.entities(gold, entity, id=id, pattern=pattern)), True
    elif _is_secondstring(Path(gold)):
        truth = secondstring.read(gold)
        wanted = {(str(a), str(b)) for a, b in truth.gold.tolist()}
    else:
        wanted = tables.gold_pairs(gold)
    return _ranked(found, wanted, symmetric)


def links(result: str | Path, gold: str | Path) -> Report:
    """Compare links between passages with gold links; a link has no direction.

    A result without ``score`` is taken in the order of its ``rank``, else as it stands.
    """
    return _ranked(_scored(result), tables.gold_pairs(gold), True)


def ir(result: str | Path, gold: str | Path, *, against: str | Path | None = None, seed: int = 0) -> Report:
    """Compare a TREC run with qrels; ``against`` is a second run to be compared query by query."""
    run, qrels = trec.read_run(result), trec.read_qrels(gold)
    figures = per_query(run, qrels)
    if not figures.queries:
        raise InputError(f"{gold} has no query with a relevant document")
    missing = [query for query in figures.queries if query not in run]
    notes = [f"{len(missing)} judged queries have no results and count 0"] if missing else []
    values: dict[str, Any] = {"queries": len(figures.queries), **figures.means()}
    interval = bootstrap(figures.values["map"], seed=seed)
    values["map_interval"] = [interval.low, interval.high]
    marks = [(score, qrels[query].get(document, 0) > 0) for query in figures.queries
             for document, score in run.get(query, {}).items()]  # fmt: skip
    total = sum(grade > 0 for query in figures.queries for grade in qrels[query].values())
    ranking = Ranking.of([score for score, _ in marks], [mark for _, mark in marks], total=total)
    values["iap"] = ranking.iap()
    if not ranking.found.size:
        notes.append("not one relevant document is in the run: do both use the same ids?")
    if against is not None:
        other = per_query(trec.read_run(against), qrels)
        values["against"] = {}
        for name in ("map", "nDCG@10", "P@10", "mrr"):
            one = paired(other.values[name], figures.values[name], seed=seed)
            values["against"][name] = {
                "theirs": float(other.values[name].mean()),
                "difference": one.difference,
                "interval": [one.low, one.high],
                "p_value": one.p_value,
                "better": one.better,
                "worse": one.worse,
            }
    return Report(values, ranking, tuple(notes))


def pairs(result: str | Path, gold: str | Path, *, seed: int = 0) -> Report:
    """Compare yes/no predictions (``id``, ``label`` and, for the curve, ``score``) with labelled pairs."""
    truth = pair_reader.read(gold)
    table = read_table(result, wanted=("id", "label", "score")).table
    names = table.column_names
    if "label" not in names and "score" not in names:
        raise ColumnError(f"{result} has neither a column 'label' nor 'score'; its columns: {', '.join(names)}")
    ids = texts_of(table, "id", str(result)).to_pylist() if "id" in names else [str(key) for key in truth.ids]
    if len(ids) != len(table) or Counter(ids) != Counter(truth.ids):
        raise InputError(f"{result} and {gold} do not hold the same pairs: {len(table)} rows against {len(truth)}")
    # Both in the order of the ids; pairs that share an id keep the order of their file.
    order, back = (np.argsort(np.array(keys), kind="stable") for keys in (ids, truth.ids))
    order = order[np.argsort(back)]
    values: dict[str, Any] = {"pairs": len(truth), "positive": int(truth.labels.sum())}
    ranking = None
    if "label" in names:
        guess = np.array(_yes_or_no(table, result))[order]
        values.update(classification(truth.labels, guess))
        right = (guess == truth.labels).astype(float)
        interval = bootstrap(right, seed=seed)
        values["accuracy_interval"] = [interval.low, interval.high]
        spread = bootstrap_figure(
            lambda at: classification(truth.labels[at], guess[at])["f1"], len(truth), rounds=500, seed=seed
        )
        values["f1_interval"] = [spread.low, spread.high]
    if "score" in names:
        scores = np.array(_numbers(table, "score", result))[order]
        ranking = Ranking.of(scores, truth.labels)
        values["oracle"] = ranking.summary() | {"best_accuracy_at_best_f1": ranking.best_f1().accuracy}
    return Report(values, ranking, truth.notes)


def _scored(path: str | Path) -> dict[tuple[str, str], float]:
    table = read_table(path, wanted=("left", "right", "score")).table
    lefts, rights = (texts_of(table, side, str(path)).to_pylist() for side in ("left", "right"))
    by = next((name for name in _RANKED_BY if name in table.column_names), None)
    if by is not None:
        scores = _numbers(table, by, path)
    elif "rank" in table.column_names:
        scores = [-rank for rank in _numbers(table, "rank", path)]
    else:
        scores = [-float(at) for at in range(len(lefts))]
    found: dict[tuple[str, str], float] = {}
    for a, b, score in zip(lefts, rights, scores, strict=True):
        if a is not None and b is not None:
            found[a, b] = max(score, found.get((a, b), score))
    return found


def _yes_or_no(table: Any, path: str | Path) -> list[bool]:
    found = []
    for row, value in enumerate(texts_of(table, "label", str(path)).to_pylist()):
        mark = truth(value)
        if mark is None:
            raise InputError(f"{path}, {row_place(path, row)}: label must be {KNOWN}, not {value!r}")
        found.append(mark)
    return found


def _numbers(table: Any, column: str, path: str | Path) -> list[float]:
    found = []
    for row, value in enumerate(table.column(column).to_pylist()):
        try:
            found.append(float(value))
        except (TypeError, ValueError):
            place = row_place(path, row)
            raise InputError(f"{path}, {place}: {value!r} in column {column!r} is not a number") from None
    return found


def _ranked(found: dict[tuple[str, str], float], wanted: set[tuple[str, str]], symmetric: bool) -> Report:
    known, ours = set().union(*wanted), set().union(*found)
    if found and not known & ours:
        raise InputError(
            f"the gold and the result have no id in common (gold: {min(known)!r}; result: {min(ours)!r}): the gold "
            "needs columns left and right with the ids of the result, or an entity column"
        )
    if symmetric:
        wanted = {(min(pair), max(pair)) for pair in wanted}
        both: dict[tuple[str, str], float] = {}
        for pair, score in found.items():
            key = (min(pair), max(pair))
            both[key] = max(score, both.get(key, score))
        found = both
    marks = [pair in wanted for pair in found]
    ranking = Ranking.of(list(found.values()), marks, total=len(wanted))
    taken, hit = len(found), sum(marks)
    shuffled = Ranking.of(list(found.values()), marks, total=len(wanted), seed=0)
    values = ranking.summary() | {
        "iap_ties_shuffled": shuffled.iap(),
        "found": hit,
        "precision": hit / taken if taken else 0.0,
        "recall": hit / len(wanted),
        "f1": 2 * hit / (taken + len(wanted)),
    }
    notes = () if hit else ("not one gold pair is in the result: do both use the same ids?",)
    return Report(values, ranking, notes)


def _clusters(
    result: str | Path, gold: str | Path, entity: str | None, id: str | None, pattern: str | None  # noqa: A002
) -> Report:  # fmt: skip
    if entity is None:
        if not _is_secondstring(Path(gold)):
            raise InputError("clusters need --entity, the column of the gold table that names each record's entity")
        _, keys = secondstring.read_clusters(gold)
        truth = {str(at): key for at, key in enumerate(keys)}
    else:
        truth = tables.entities(gold, entity, id=id, pattern=pattern)
    table = read_table(result, wanted=("id", "cluster")).table
    names = table.column_names
    key = "id" if "id" in names else id if id in names else None
    labels = texts_of(table, "cluster", str(result)).to_pylist()
    ids = texts_of(table, key, str(result)).to_pylist() if key else [str(at) for at in range(len(labels))]
    ours = dict(zip(ids, labels, strict=True))
    both = [one for one in truth if one in ours]
    if not both:
        raise InputError(f"{result} and {gold} have no id in common")
    # A record without a label is with no other one.
    left, right = ([labels[one] or (one,) for one in both] for labels in (ours, truth))
    pairwise, bcubed = clusters.pairwise(left, right), clusters.bcubed(left, right)
    notes = [f"{len(truth) - len(both)} gold records are not in the result"] if len(both) < len(truth) else []
    return Report(
        {
            "records": len(both),
            "clusters": len(set(left)),
            "entities": len(set(right)),
            "pairwise": {"precision": pairwise.precision, "recall": pairwise.recall, "f1": pairwise.f1},
            "bcubed": {"precision": bcubed.precision, "recall": bcubed.recall, "f1": bcubed.f1},
        },
        None,
        tuple(notes),
    )


def _entity_pairs(owners: Mapping[str, str]) -> set[tuple[str, str]]:
    groups: dict[str, list[str]] = {}
    for key, owner in owners.items():
        if owner:
            groups.setdefault(owner, []).append(key)
    found = {(a, b) for members in groups.values() for at, a in enumerate(members) for b in members[at + 1 :]}
    if not found:
        raise FormatError("no two records of the gold table have the same entity")
    return found


def _is_secondstring(path: Path) -> bool:
    """Three fields by tabs, and no header: relation names repeat from line to line."""
    if path.suffix != ".txt":
        return False
    with open(path, "rb") as file:
        head = [file.readline() for _ in range(3)]
    return all(len(re.findall(rb"\t", line)) >= 2 for line in head if line.strip())
