"""Match the records of two tables, or of one with itself: for each the best partners, exactly.

:func:`match` reads both sides, compares the chosen columns (:mod:`likewise.records`) and gives a
:class:`~likewise.results.matches.MatchResult`.
"""

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from likewise.engines.options import EngineOptions
from likewise.errors import OptionError
from likewise.jobs.distributed.asked import Job, is_frame
from likewise.jobs.distributed.limits import AllAtOnceError, check_fits, collected
from likewise.join import Pairs
from likewise.measure import Measure
from likewise.options import least_score
from likewise.progress import Progress
from likewise.read.tables import Records, TableOptions, read_table
from likewise.records.assignment import assigned_pairs, reciprocal_pairs
from likewise.records.build import build, copies_note, why_nothing, why_words
from likewise.records.cleaning import cleaned, without_placeholders
from likewise.records.comparison import Comparison
from likewise.records.deciding import as_model, check_model, decide_records, known_measure
from likewise.records.decision import FEWEST
from likewise.records.fields import both_named
from likewise.records.labels import asked_for, check_asked, judged_tables, read_labels
from likewise.records.model import Model
from likewise.records.options import AUTO, MatchOptions, names, parse_on
from likewise.records.pairing import only_one, paired, with_names_of
from likewise.records.partners import Relation
from likewise.records.refit import Labels
from likewise.records.tables import (
    alone,
    decided_table,
    doubt_note,
    evidence_table,
    given_pairs,
    group_note,
    pair_table,
    reasons,
    to_review,
)
from likewise.records.threshold import check_threshold, labelled, none_from, suggested
from likewise.results.joined import ALL, check_joined
from likewise.results.matches import MatchResult
from likewise.results.threshold import Threshold
from likewise.verb import verb


@verb(options=MatchOptions, read=TableOptions, running=EngineOptions)
def match(
    left: Any,
    right: Any = None,
    *,
    measure: Any = None,
    labels: Any = None,
    model: Any = None,
    columns: Sequence[str] | None = None,
    progress: Progress | None = None,
    options: MatchOptions,
    read: TableOptions,
    running: EngineOptions,
) -> MatchResult:
    """Find the records of two tables that are the same; without ``right``, within the left table itself.

    A model that needs no labels decides which pairs match and gives each pair a probability. ``all``, ``top`` or a
    ``min_score`` give the raw list instead: the best partners of each left record, exactly.

    - Tables are lists of texts or dicts, pandas, polars or Arrow tables, or paths of files.
    - ``measure`` is any measure, its specification, or a mapping from field to measure. One whose weights come from a
      collection, and that is not fitted, is fitted to both sides together.
    - ``labels`` are pairs that somebody judged: ids, and whether they match. The model learns from them, best from the
      doubtful ones (``review``), and what was judged is decided so. With few records, or in a raw list, they choose
      the minimum score.
    - ``model`` is the model of an earlier result, or its file. It decides, also on few records, and nothing is learned.
    - ``columns`` are those of the right table that :meth:`MatchResult.join` adds (``*``: all). One that does not exist
      is an error before any work is done.

    With an ``engine``, or for Spark DataFrames, the work is done in blocks and the result stays on disk until you ask
    for it: the same rows, from tables larger than memory. Tasks make raw lists, and find and compare candidates; this
    process decides on numbers, and solves an assignment. It also does what needs all records: fewer than 20 of them,
    or a function as ``clean``, as far as ``memory`` reaches.

    >>> import likewise as lw
    >>> found = lw.match(["IBM Corp.", "Apple Inc"], ["apple incorporated", "I.B.M. corporation", "ibm corp"], top=1)
    >>> [(match.left_text, match.right_text) for match in found]
    [('IBM Corp.', 'ibm corp'), ('Apple Inc', 'apple incorporated')]
    """
    labels = asked_for(labels)
    check_asked(labels, model)
    on_engine = running.engine is not None or is_frame(left) or is_frame(right)
    brought = None if columns is None else (columns,) if isinstance(columns, str) else tuple(columns)
    if right is None and options.relation in (Relation.TO_MANY, Relation.TO_ONE):
        raise OptionError(f"relation {options.relation!r} is of two tables; within one table it is 1:1 or m:m")
    if on_engine and not _needs_all(options, labels):
        from likewise.jobs.distributed.match import match_on

        job = Job(running, read, options.threads, progress)
        with contextlib.suppress(AllAtOnceError):  # what tasks do not decide
            tables = None if labels is None else judged_tables(labels, read)
            return match_on(job, left, right, measure, options, as_model(model), brought, tables)
    brought = None if brought == ALL else brought
    if on_engine:
        fields = len(parse_on("on", options.left_on or options.on))
        left, right = collected(left, running, fields), collected(right, running, fields)
    sources = _read(left, right, options, read, brought or ())
    if on_engine:
        records = len(sources[0]) + (0 if right is None else len(sources[1]))
        check_fits(records, running, fields or len(sources[0].columns))
    found = _matched(sources, options, read, measure, labels, as_model(model), progress)
    return replace(found, sources=sources, columns=brought)


def _matched(
    sources: tuple[Records, Records],
    options: MatchOptions,
    read: TableOptions,
    measure: Any,
    labels: Any,
    known: Model | None,
    progress: Progress | None,
) -> MatchResult:
    """Return what is found in two tables that are in memory: decided, or listed by score."""
    options = both_named(options, *(source.comparable for source in sources))
    lefts = cleaned(sources[0], options.left_on or options.on, options)
    rights = lefts if sources[1] is sources[0] else cleaned(sources[1], options.right_on or options.on, options)
    decides = options.decides and min(len(lefts), len(rights)) >= (FEWEST if known is None else 1)
    same: Mapping[str, str] = {}
    told: list[str] = []
    if decides:
        lefts, rights, same, told = _to_decide_on(lefts, rights, options, known)
    check_model(known, lefts, rights, options)
    known = None if known is None else known.for_relation(options.decided_relation)
    sides = [lefts] if rights is lefts else [lefts, rights]
    comparison, measured, field_names = build(lefts, rights, options, known_measure(measure, known), progress)
    notes = [*(note for side in sides for note in side.notes), *told, *why_nothing(comparison, *sides)]
    notes += [] if measure is not None else why_words(comparison)
    both = _Both(lefts, rights, comparison, measured, field_names, notes)
    if decides:
        judged = None if labels is None else read_labels(labels, lefts, rights, read)
        return _decided(both, options, known, judged, same)
    return _listed(both, options, labels, read)


def _to_decide_on(
    left: Records, right: Records, options: MatchOptions, known: Model | None
) -> tuple[Records, Records, Mapping[str, str], list[str]]:
    """Return both sides without words for no value, paired columns named alike; which these are, and what to say."""
    one_table = right is left
    left = without_placeholders(left, options.left_on or options.on, options)
    if one_table:
        return left, left, {}, []
    right = without_placeholders(right, options.right_on or options.on, options)
    if options.on is not None or options.left_on is not None:
        return left, right, {}, []
    same = paired(left, right) if known is None else known.paired
    right, told = with_names_of(left, right, same)
    return *only_one(left, right), same, told


@dataclass(frozen=True, slots=True)
class _Both:
    """Both sides as they are compared: the measure of their scores, the names of the fields, and what is to be said."""

    left: Records
    right: Records
    comparison: Comparison
    measure: Measure
    fields: list[str]
    notes: list[str]


def _needs_all(options: MatchOptions, labels: Any) -> bool:
    """Return whether what is asked for needs all records in one process, also where there is an engine."""
    # A list with a precision, and no labels to measure it on, is refused there.
    refused = not options.decides and labels is None and options.precision is not None
    return refused or callable(options.clean)


def _listed(both: _Both, options: MatchOptions, labels: Any, read: TableOptions) -> MatchResult:
    """Return the best partners by score, or all from a score on."""
    left, right, comparison, notes = both.left, both.right, both.comparison, both.notes
    asked = labels is not None or options.min_score is not None or options.precision is not None
    if options.decides and not asked and min(len(left), len(right)):
        notes.append(f"fewer than {FEWEST} records a side: the best partners are given, nothing is decided")
    threshold = _threshold(both, labels, options, read)
    least = options.min_score if threshold is None else threshold.value
    pairs, said = _pairs(comparison, options, least_score(float(least or 0)))
    notes += said
    if not len(pairs) and least:
        notes.append(none_from(float(least)))
    table = pair_table(left, right, comparison, pairs)
    if options.explain:
        why = reasons(comparison.left, comparison.right, pairs, both.measure, both.fields)
        table = table.append_column("why", [why])
    return MatchResult(table, alone(left, right, comparison, pairs), both.measure, tuple(notes), threshold)


def _decided(
    both: _Both, options: MatchOptions, known: Model | None, labels: Labels | None, same: Mapping[str, str]
) -> MatchResult:
    """Return the pairs that are decided to match, with their probability, and the doubtful ones."""
    left, right, comparison, measure, notes = both.left, both.right, both.comparison, both.measure, both.notes
    decision, model, weighed = decide_records(
        left, right, comparison, measure, options, options.decided_relation, known, labels
    )
    kept, doubtful = np.flatnonzero(decision.keep), to_review(decision)
    pairs, chosen = given_pairs(decision, lambda a, b, _: comparison.scores(a, b))
    table = decided_table(left, right, comparison, decision, pairs, chosen, options.explain)
    a, b = decision.found.left[doubtful], decision.found.right[doubtful]
    review = decided_table(left, right, comparison, decision, Pairs(a, b, comparison.scores(a, b)), doubtful, True)
    if not len(table):
        notes.append("no match: nothing stands out from what a wrong partner looks like")
    notes += doubt_note(decision) + group_note(decision)
    if right is not left and decision.relation is Relation.ONE and options.decided_relation is None:
        notes += copies_note(comparison, left, right)
    return MatchResult(
        table,
        alone(left, right, comparison, pairs),
        measure,
        tuple(notes),
        None,
        decision.summary(options.precision, None if known is None else known.name),
        review,
        evidence_table(left, right, decision, np.union1d(kept, doubtful)),
        model=None if model is None else replace(model, paired=same),
        weighed=weighed,
    )


def _read(
    left: Any, right: Any, settings: MatchOptions, read: TableOptions, brought: tuple[str, ...]
) -> tuple[Records, Records]:
    """Both tables; the right one has the columns that are ``brought`` along."""
    equal_on = names("equal_on", settings.equal_on)
    left_wanted = [*parse_on("on", settings.left_on or settings.on), *equal_on]
    left_wanted += brought if right is None else ()
    left_records = read_table(
        left, settings.read_side("left", read), id=settings.left_id or settings.id, wanted=left_wanted, name="left"
    )
    left_records = left_records.said_of(list(parse_on("on", settings.left_on or settings.on)))
    if right is None:
        settings.check_one_table()
        check_joined(left_records, brought)
        return left_records, left_records
    right_wanted = [*parse_on("on", settings.right_on or settings.on), *equal_on, *brought]
    records = read_table(
        right, settings.read_side("right", read), id=settings.right_id or settings.id, wanted=right_wanted, name="right"
    )
    check_joined(records, brought)
    return left_records, records.said_of(list(parse_on("on", settings.right_on or settings.on)))


def _threshold(both: _Both, labels: Any, settings: MatchOptions, read: TableOptions) -> Threshold | None:
    """Return the minimum score where it is to be suggested."""
    check_threshold(settings.min_score, labels)
    if labels is not None:
        a, b, same = read_labels(labels, both.left, both.right, read)
        return labelled(both.comparison, both.comparison.scores(a, b), same, settings.precision)
    if settings.precision is not None:
        raise OptionError(
            f"precision needs labels to be measured on, or a decision, which needs {FEWEST} records a side"
        )
    return suggested(both.comparison) if settings.min_score == AUTO else None


def _pairs(comparison: Comparison, settings: MatchOptions, min_score: float) -> tuple[Pairs, list[str]]:
    """Return the pairs that are given, and what is to be said about them."""
    if settings.all_pairs:
        return comparison.above(min_score, settings.exclude_equal), []
    if settings.one_to_one:
        pairs, told = assigned_pairs(comparison, min_score, settings.exclude_equal)
        return pairs, [told] if len(pairs) else []
    if settings.reciprocal:
        return reciprocal_pairs(comparison, min_score, settings.exclude_equal), []
    return comparison.top(settings.top or 1, min_score, exclude_equal=settings.exclude_equal), []
