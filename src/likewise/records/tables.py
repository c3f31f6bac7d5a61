"""Turn pairs of records into the tables that people read: texts, reasons, records without a partner."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from likewise.join import Pairs
from likewise.measure import Explanation, FieldsMeasure, Measure
from likewise.read.long_texts import texts_at
from likewise.read.tables import Records
from likewise.records.candidates import Candidates
from likewise.records.columns import Column, shown
from likewise.records.comparison import Comparison
from likewise.records.decision import Decision
from likewise.records.distinct import ranks

if TYPE_CHECKING:
    import pyarrow as pa

BEFORE = "before"
"""The name of what the odds are before any evidence."""
_NEAREST = 50  # pairs to judge where nothing is given
_WHY = 5  # parts shown in the column of reasons
_DOUBT = 0.04  # what is less likely than this is surely wrong, what is more likely than the rest surely right
_BANDS = 4  # of log odds, in which pairs are doubtful


def pair_table(left: Records, right: Records, comparison: Comparison, pairs: Pairs) -> "pa.Table":
    """Return pairs as a table: ``left``, ``right`` (ids), ``score``, ``rank``, ``left_text``, ``right_text``."""
    import pyarrow as pa

    a, b = pa.array(pairs.left), pa.array(pairs.right)
    return pa.table(
        {
            "left": left.ids.take(a),
            "right": right.ids.take(b),
            "score": pa.array(pairs.score, pa.float64()),
            "rank": pa.array(ranks(pairs.left) + 1, pa.int64()),
            "left_text": shown(comparison.left).take(a),
            "right_text": shown(comparison.right).take(b),
        }
    )


def alone(left: Records, right: Records, comparison: Comparison, pairs: Pairs) -> "pa.Table":
    """Return the records of both tables that are in no pair."""
    texts = shown(comparison.left)
    if right is left:
        return unmatched_table([("left", left, np.concatenate([pairs.left, pairs.right]), texts)])
    others = shown(comparison.right)
    return unmatched_table([("left", left, pairs.left, texts), ("right", right, pairs.right, others)])


def unmatched_table(sides: Sequence[tuple[str, Records, NDArray[np.int64], "pa.Array"]]) -> "pa.Table":
    """Return the records that are in no pair: which side, their id, their text."""
    import pyarrow as pa

    parts = []
    for side, records, used, texts in sides:
        alone = np.ones(len(records), bool)
        alone[used] = False
        rows = pa.array(np.flatnonzero(alone))
        ids = records.ids.take(rows)
        sided = pa.array([side] * len(rows), pa.string())
        parts.append(pa.table({"side": sided, "id": ids, "text": texts.take(rows)}))
    kinds = [{part.schema.field(name).type for part in parts} for name in parts[0].column_names]
    both = [kind.pop() if len(kind) == 1 else pa.string() for kind in kinds]
    schema = pa.schema(list(zip(parts[0].column_names, both, strict=True)))
    return pa.concat_tables([part.cast(schema) for part in parts])


def reasons(
    lefts: Sequence[Column], rights: Sequence[Column], pairs: Pairs, measure: Measure, field_names: Sequence[str]
) -> list[str]:
    """Return for each pair the parts that contributed most, with what each adds to the score."""
    left_values = [column.values() for column in lefts]
    right_values = [column.values() for column in rights]
    found = []
    for a, b in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True):
        if isinstance(measure, FieldsMeasure):
            left = {name: values[a] for name, values in zip(field_names, left_values, strict=True)}
            right_names = [field.right_name or field.name for field in measure.fields]
            right = {name: values[b] for name, values in zip(right_names, right_values, strict=True)}
            why = measure.explain(left, right)
        else:
            why = measure.explain(left_values[0][a] or "", right_values[0][b] or "")
        found.append(_reason(why))
    return found


def _reason(why: Explanation) -> str:
    parts = sorted(why.contributions, key=lambda part: -part.value)
    words = [
        f"{part.left if part.left == part.right else f'{part.left} ~ {part.right}'} {part.value:.3f}"
        for part in parts[:_WHY]
    ]
    rest = sum(part.value for part in parts[_WHY:])
    return "; ".join([*words, f"others {rest:.3f}"] if len(parts) > _WHY else words)


def cluster_table(
    records: Records, texts: "pa.Array", groups: NDArray[np.int64], chosen: NDArray[np.int64]
) -> "pa.Table":
    """Return the cluster of each record: ``id``, ``cluster``, ``size``, ``canonical``, ``text``."""
    import pyarrow as pa

    numbers, sizes, stands = cluster_numbers(groups, chosen)
    return pa.table(
        {
            "id": records.ids,
            "cluster": pa.array(numbers, pa.int64()),
            "size": pa.array(sizes, pa.int64()),
            "canonical": pa.array(stands, pa.bool_()),
            "text": texts,
        }
    )


def cluster_numbers(
    groups: NDArray[np.int64], chosen: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_]]:
    """Return for each record the number of its cluster, the size of that, and whether it is the canonical one."""
    # Clusters are counted by their first record.
    _, at, numbers = np.unique(groups, return_index=True, return_inverse=True)
    order = np.argsort(np.argsort(at))
    stands = np.zeros(len(groups), bool)
    stands[chosen] = True
    return order[numbers], np.bincount(numbers)[numbers] if len(numbers) else numbers, stands


def given_pairs(
    decision: Decision,
    scores: Callable[[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]], NDArray[np.float64]],
) -> tuple[Pairs, NDArray[np.int64]]:
    """Return the pairs that are given, in order, and the candidate of each; ``scores`` of records and candidates."""
    kept = np.flatnonzero(decision.keep)
    a, b, chosen = decision.found.left[kept], decision.found.right[kept], kept
    if decision.found.self_join:  # a pair is listed under both of its records
        a, b, chosen = np.concatenate([a, b]), np.concatenate([b, a]), np.concatenate([kept, kept])
    score = scores(a, b, chosen)
    order = np.lexsort((b, -score, a))
    return Pairs(a[order], b[order], score[order]), chosen[order]


def to_review(decision: Decision) -> NDArray[np.int64]:
    """Return the candidates to judge: the doubtful ones, or the nearest where nothing is doubtful, as nothing is known.

    That is so where nothing is given, or only what is equal in everything.
    """
    doubtful = unsure(decision)
    unknown = not decision.keep.any() or np.isnan(decision.calibration.recall)
    return likeliest_left_out(decision) if unknown and not len(doubtful) else doubtful


def judged_pairs(
    records: Records,
    texts: "pa.Array",
    first: NDArray[np.int64],
    pairs: Pairs,
    groups: NDArray[np.int64],
    probability: NDArray[np.float64] | None = None,
) -> "pa.Table":
    """Return pairs of distinct records with the decision (``same``); ``first`` is a record of each kind."""
    import pyarrow as pa

    a, b = pa.array(first[pairs.left]), pa.array(first[pairs.right])
    columns = {"left": records.ids.take(a), "right": records.ids.take(b), "score": pa.array(pairs.score, pa.float64())}
    if probability is not None:
        columns["probability"] = pa.array(probability, pa.float64())
    columns["same"] = pa.array(groups[pairs.left] == groups[pairs.right], pa.bool_())
    if isinstance(texts, pa.ChunkedArray):  # long ones, each held once
        both = texts_at(texts, np.concatenate([first[pairs.left], first[pairs.right]]))
        return pa.table({**columns, "left_text": both[: len(a)], "right_text": both[len(a) :]})
    return pa.table({**columns, "left_text": texts.take(a), "right_text": texts.take(b)})


def best_of_each(found: Candidates, comparison: Comparison) -> NDArray[np.float64]:
    """Return the best score of each record of one table."""
    return best_scores(found, comparison.scores(found.left, found.right))


def best_scores(found: Candidates, scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the best of the scores of candidates of each record of one table."""
    best = np.zeros(found.lefts)
    np.maximum.at(best, found.left, scores)
    np.maximum.at(best, found.right, scores)
    return best


def doubtful(pairs: Pairs, groups: NDArray[np.int64], threshold: float, margin: float) -> NDArray[np.int64]:
    """Return the pairs close to the threshold on either side, or above it and yet apart; the closest first."""
    distance = np.abs(pairs.score - threshold)
    same = groups[pairs.left] == groups[pairs.right]
    found = np.flatnonzero((distance <= margin) | ((pairs.score >= threshold) != same))
    return found[np.lexsort((pairs.right[found], pairs.left[found], distance[found]))]


def decided_table(
    left: Records,
    right: Records,
    comparison: Comparison,
    decision: Decision,
    pairs: Pairs,
    chosen: NDArray[np.int64],
    explain: bool,
) -> "pa.Table":
    """Return pairs with the probability of their candidates, and, to explain, what each field weighs."""
    import pyarrow as pa

    table = pair_table(left, right, comparison, pairs)
    table = table.append_column("probability", pa.array(decision.probability[chosen], pa.float64()))
    return table.append_column("why", pa.array(weights_in_words(decision, chosen), pa.string())) if explain else table


def literal_note(decision: Decision, same: NDArray[np.bool_]) -> list[str]:
    """Return a warning where most pairs are literal copies, candidates of the ``same`` texts, and so say it all."""
    literal, given = int(same[decision.keep].sum()), int(decision.keep.sum())
    if 2 * literal <= given:
        return []
    return [
        f"{literal:,} of {given:,} pairs are equal in all that is compared: what is expected is learnt from them and "
        f"says little of the other {given - literal:,}"
    ]


def doubt_note(decision: Decision) -> list[str]:
    """Return a warning where more of what is given is expected to be wrong than right."""
    share = decision.calibration.precision
    if not decision.keep.any() or share >= 0.5:
        return []
    return [
        f"most of the pairs that are given may be wrong: {100 * share:.0f} in 100 are expected to be right, as near "
        "variants are hard to tell apart (a higher precision gives the surer ones, the probability says which)"
    ]


def group_note(decision: Decision) -> list[str]:
    """Return a warning where pairs that are given look like members of a group rather than the same."""
    names = decision.differing()
    if not names:
        return []
    differ = ", ".join(map(repr, names))
    return [
        f"most of the pairs that are given differ altogether in {differ}: members of one group rather than the same? "
        f"compare what tells them apart ({'on=' + repr(names[0])}), or give a min_score"
    ]


def evidence_table(left: Records, right: Records, decision: Decision, chosen: NDArray[np.int64]) -> "pa.Table":
    """Return what each field says about some candidates: ``left``, ``right``, ``field``, ``weight``.

    ``before`` is what the odds are before any evidence.
    """
    import pyarrow as pa

    names = [BEFORE, *decision.fields]
    weights = np.column_stack([np.full(len(chosen), decision.prior), decision.parts[chosen]])
    rows = np.repeat(chosen, len(names))
    return pa.table(
        {
            "left": left.ids.take(pa.array(decision.found.left[rows])),
            "right": right.ids.take(pa.array(decision.found.right[rows])),
            "field": pa.array(np.tile(np.array(names, object), len(chosen)), pa.string()),
            "weight": pa.array(weights.ravel(), pa.float64()),
        }
    )


def weights_in_words(decision: Decision, chosen: NDArray[np.int64]) -> list[str]:
    """Return for each candidate what its fields say, the heaviest first: ``model +6.1, before -2.0, price -1.2``."""
    found = []
    names = [BEFORE, *decision.fields]
    for row in np.column_stack([np.full(len(chosen), decision.prior), decision.parts[chosen]]):
        order = np.argsort(-np.abs(row), kind="stable")
        said = [f"{names[place]} {row[place]:+.1f}" for place in order.tolist() if abs(row[place]) >= 0.05]
        found.append(", ".join(said))
    return found


def unsure(decision: Decision) -> NDArray[np.int64]:
    """Return the doubtful candidates, neither surely the same nor surely not, in rounds.

    Each round has one of each band of log odds, the most doubtful of it. So the first ones show how sure the model may
    be, not only which of its even odds are right.
    """
    chance = decision.probability
    # On both sides of what was decided; where rivals left nothing of a pair there is no doubt.
    found = np.flatnonzero((chance >= _DOUBT) & (chance <= 1 - _DOUBT))
    found = found[np.lexsort((found, np.abs(chance[found] - 0.5)))]
    widest = np.log((1 - _DOUBT) / _DOUBT)
    odds = np.log(chance[found] / (1 - chance[found]))
    band = np.minimum(((odds + widest) / (2 * widest) * _BANDS).astype(np.int64), _BANDS - 1)
    order = np.argsort(band, kind="stable")
    round_of = np.empty(len(found), np.int64)
    round_of[order] = ranks(band[order])
    return found[np.argsort(round_of, kind="stable")]


def likeliest_left_out(decision: Decision) -> NDArray[np.int64]:
    """Return the candidates of the highest odds that are not given: what to judge where nothing is doubtful."""
    order = np.argsort(-decision.odds, kind="stable")
    return order[~decision.keep[order]][:_NEAREST]
