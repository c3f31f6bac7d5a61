"""Dedupe on an engine: equal records are merged, the others compared in strips, and clusters are numbered."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from likewise.analyse.cleaning import with_files_read
from likewise.jobs.distributed.asked import Job
from likewise.jobs.distributed.decided import check_decidable
from likewise.jobs.distributed.decisions import decided_dedupe
from likewise.jobs.distributed.distinct import KIND, Kinds, distinct_records, sample
from likewise.jobs.distributed.fitted import Learnt, Suited, fitted_to, reported, specification, suited
from likewise.jobs.distributed.groups import group, number
from likewise.jobs.distributed.input import Input, Source
from likewise.jobs.distributed.job import Finished, begun
from likewise.jobs.distributed.judged import looked_up
from likewise.jobs.distributed.limits import AllAtOnceError
from likewise.jobs.distributed.match import check_inputs, sides_of
from likewise.jobs.distributed.near import is_near, near_strips
from likewise.jobs.distributed.on_demand import Merging, check_survivors
from likewise.jobs.distributed.part_files import files_of
from likewise.jobs.distributed.review import list_pairs
from likewise.jobs.distributed.run import Run, records_in
from likewise.jobs.distributed.sides import Sides
from likewise.jobs.distributed.strips import strips
from likewise.jobs.distributed.terms import count_terms
from likewise.join import Pairs
from likewise.options import json_of, least_score
from likewise.records.distinct import ranks
from likewise.records.labels import Judged, fingerprint
from likewise.records.model import Model
from likewise.records.options import COMPLETE, DedupeOptions, names, parse_on
from likewise.records.threshold import GIVEN, NEIGHBOURS, best_in, by_margin, partner_step, threshold_notes
from likewise.results.in_parts import DedupeParts
from likewise.results.parts import PairTexts, Parts
from likewise.results.threshold import Threshold

_PAIRS = ("left", "right", "score", "left_text", "right_text")
_REVIEW = ("left", "right", "score", "same", "left_text", "right_text")


def dedupe_on(
    job: Job,
    table: Any,
    measure: Any,
    options: DedupeOptions,
    model: Model | None = None,
    labels: Sequence[Judged] | None = None,
) -> DedupeParts:
    """Return what :func:`likewise.dedupe` gives, found on an engine."""
    options = replace(options, clean=with_files_read(options.clean))
    wanted = (*parse_on("on", options.on), *names("equal_on", options.equal_on))
    source = Source(table, "table", options.id, wanted, job.read)
    identity = {"measure": specification(measure), "options": json_of(replace(options, threads=None))}
    if model is not None:
        identity["model"] = model.fingerprint
    if labels is not None:
        identity["labels"] = fingerprint(labels)
    with begun(job, "dedupe", [source], identity) as run:
        with run.stage("keep"):
            given = source.bring(run, run.place("left")).said_of(list(parse_on("on", options.on)))
            sides = sides_of(options, [given], measure)
            check_inputs(run, [given], sides)
            check_survivors(given, options)
        finished = Finished.of(run, job, [source])
        rows = records_in(given.files)
        value = float(options.min_score) if isinstance(options.min_score, int | float) else None
        if value is None and len(sides.left) > 1:
            check_decidable(job, [given], sides, measure, options, model)
            taught = None if labels is None else looked_up(run, [given], sides, labels, job.read)
            return decided_dedupe(run, given, sides, measure, options, model, finished, taught)
        if any(value is not None for value in (model, labels, options.language, options.clean, options.precision)):
            raise AllAtOnceError
        chosen = suited(run, [given], sides, measure)
        found = _near(chosen, given, sides, value, options.margin)
        if found is None:
            found = _scored(chosen, given, sides, value, options.margin)
        run, kinds, threshold, pairs = found.learnt.run, found.kinds, found.threshold, found.pairs
        with run.stage("clusters"):
            groups = group(run, pairs, threshold.least, options.linkage or COMPLETE)
            count, numbered = number(run, given, kinds, groups, sides)
            judged, review = list_pairs(run, pairs, threshold.least, options.margin, found.texts is None)
        blocks = run.blocks_of(given.files)
        parts = {
            "table": Parts(files_of(run.folder / "table", blocks), ("id", "cluster", "size", "canonical", "text")),
            "canonical": Parts(files_of(run.folder / "canonical", blocks), tuple(given.columns)),
            "pairs": Parts(tuple(judged), _PAIRS, texts=found.texts),
            "review": Parts(tuple(review), _REVIEW, texts=found.texts),
        }
        notes = (*given.notes, *([] if rows else [f"{given.name} has no rows"]), *chosen.notes(measure))
        notes += tuple(threshold_notes(threshold, len(parts["pairs"])))
        merging = Merging(finished, given, numbered, options)
        used = reported(run, found.learnt.measure(sides))
        return DedupeParts(parts, count, threshold, used, notes, run.report, merging=merging)


@dataclass(frozen=True, slots=True)
class _Found:
    """The pairs of distinct records, and where their texts are, where they are not beside them."""

    learnt: Learnt
    kinds: Kinds
    threshold: Threshold
    pairs: tuple[Path, ...]
    texts: PairTexts | None = None


def _scored(chosen: Suited, given: Input, sides: Sides, value: float | None, margin: float) -> _Found:
    """Find the pairs of records of any kind, strip by strip."""
    learnt = fitted_to(chosen, [given], sides)
    run = learnt.run
    kinds = distinct_records(run, given, sides)
    threshold = _threshold(run, kinds, value)
    least = max(0.0, threshold.least - margin)
    return _Found(learnt, kinds, threshold, strips(run, [kinds.files] * 2, kinds.sides, "pairs", 0, least, True))


def _near(chosen: Suited, given: Input, sides: Sides, value: float | None, margin: float) -> _Found | None:
    """Find the pairs of long texts from a high score on, of which only terms are held; ``None`` for any others."""
    run, least = chosen.run, least_score(value) - margin
    if value is None or not is_near(sides, chosen.measures, chosen.bytes_each, least):
        return None
    kinds = distinct_records(run, given, sides)
    with run.stage("learn"):
        terms, fitted = count_terms(run, kinds.files, kinds.sides, chosen.measures[0])
    pairs = near_strips(run, terms, kinds.sides, least)
    # Their best partners below it would take lists of all terms, as on one machine.
    threshold = Threshold(value, GIVEN, lambda: best_in(_numbers(pairs)))
    return _Found(Learnt(run, [fitted]), kinds, threshold, pairs, PairTexts(kinds.files, sides.left[0]))


def _numbers(files: Sequence[Path]) -> Pairs:
    """Return pairs as numbers."""
    found = pq.read_table(list(files), columns=["left_position", "right_position", "score"])
    return Pairs(*(column.to_numpy() for column in found.columns))


def _threshold(run: Run, kinds: Kinds, value: float | None) -> Threshold:
    """Return the threshold that was given, or that of the widest margin; both look at the best partners of a sample."""
    asked = NEIGHBOURS if value is None else 1
    step = partner_step(kinds.count, asked)
    sides = replace(kinds.sides, ids=(KIND, KIND), extras=())
    with run.stage("sample"):
        some = sample(run, kinds, step)
    # A record is found among all of them, too: one more is asked for in its place.
    files = strips(run, [some, kinds.files], sides, "near", asked + 1, 0.0, False, again=True)
    every = _numbers(files)
    left, right, score = every.left, every.right, every.score
    other = left * step != right
    left, right, score = left[other], right[other], score[other]
    keep = ranks(left) < asked
    size = -(-kinds.count // step)
    near = Pairs(left[keep], right[keep], score[keep])
    best: NDArray[np.float64] = np.zeros(size)
    np.maximum.at(best, near.left, near.score)
    if value is not None:
        return Threshold(value, "given", lambda: best)
    return by_margin(near, size, best, step == 1)
