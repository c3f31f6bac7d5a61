"""Third stage, in SQL that every engine runs: from rows to pairs with support.

Only SELECT, WHERE, JOIN, GROUP BY, HAVING, COUNT, SUM, MIN, CAST, FLOOR, SUBSTR, DISTINCT and ROW_NUMBER; strings are
compared byte by byte on every engine, so that the order is the same.

Schema of ``pairs.parquet``: phrase, paraphrase (the smaller string is the phrase), support (distinct contexts),
anchors (distinct full anchors), specific (sum over the anchors of 1/(candidates - 1), in millionths), documents (that
the shared places come from), and for each side places and specific over all its places. Schema of
``samples.parquet``: phrase, paraphrase, place, context, attached, phrase_source, paraphrase_source. The pairs have the
same order in both.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from likewise.jobs.mine.options import MineOptions

# Most n-grams that the tables of counters let through share a slot with another one, or say the same twice. Which
# anchors have two candidates is told by their hashes, of 64 bits, for a fraction of what strings cost; what two anchors
# with one hash let through too much is dropped below.
SHARED_HASHES = """
SELECT f.anchor AS anchor
FROM distinct_hashes f
JOIN (SELECT candidate FROM distinct_hashes GROUP BY candidate HAVING COUNT(*) >= {support}) c
ON f.candidate = c.candidate
GROUP BY f.anchor HAVING COUNT(*) >= 2
"""
DISTINCT_HASHES = "SELECT anchor, candidate FROM hashes GROUP BY anchor, candidate"
# Equal n-grams count once, wherever they come from.
DISTINCT_ROWS = """
SELECT context, attached, candidate, MIN(source) AS source
FROM rows GROUP BY context, attached, candidate
"""
# One round of pruning: candidates in too few contexts go, then anchors that are left with fewer than two candidates.
FREQUENT = """
SELECT {columns}
FROM {rows} r
JOIN (SELECT candidate FROM {rows} GROUP BY candidate HAVING {contexts} >= {support}) f ON r.candidate = f.candidate
"""
PRUNED = f"""
SELECT k.context, k.attached, k.candidate, k.source
FROM ({FREQUENT}) k
JOIN (SELECT context, attached FROM ({FREQUENT}) t GROUP BY context, attached HAVING COUNT(*) >= 2) s
ON k.context = s.context AND k.attached = s.attached
"""
PRUNED_NUMBERS = f"""
SELECT k.anchor, k.context, k.candidate
FROM ({FREQUENT}) k JOIN (SELECT anchor FROM ({FREQUENT}) t GROUP BY anchor HAVING COUNT(*) >= 2) s
ON k.anchor = s.anchor
"""
# Without attachments every row of a candidate is a context of its own, and nothing need be told apart.
DISTINCT_CONTEXTS, EVERY_ROW = "COUNT(DISTINCT context)", "COUNT(*)"
TOO_WIDE = "SELECT anchor FROM {rows} GROUP BY anchor HAVING COUNT(*) > {max_candidates}"
NOT_TOO_WIDE = """
SELECT r.anchor, r.context, r.candidate
FROM {rows} r LEFT JOIN wide w ON r.anchor = w.anchor WHERE w.anchor IS NULL
"""
# What the first round leaves is numbered, and the rest is done on numbers, which take a fraction of the memory and time
# of strings. Numbers have the order of the strings: they are counted within the strings of one beginning, and from how
# many have an earlier one, since a window over all of them would be in the memory of one worker.
BEGINNINGS = """
SELECT SUBSTR({first}, 1, 4) AS beginning, COUNT(*) AS count FROM {distinct}
GROUP BY SUBSTR({first}, 1, 4) ORDER BY beginning
"""
NUMBERS = """
SELECT {strings}, o.before + ROW_NUMBER() OVER (PARTITION BY o.beginning ORDER BY {strings}) AS id
FROM {distinct} d JOIN {offsets} o ON SUBSTR(d.{first}, 1, 4) = o.beginning
"""
SOURCES = """
SELECT a.id AS anchor, x.id AS context, c.id AS candidate, r.source AS source
FROM {rows} r
JOIN anchors a ON a.context = r.context AND a.attached = r.attached
JOIN (SELECT context, MIN(id) AS id FROM anchors GROUP BY context) x ON x.context = r.context
JOIN candidates c ON c.candidate = r.candidate
"""
# A place that many phrases can take says little of two of them: an anchor of k candidates gives a pair 1/(k-1), in
# millionths, because sums of whole numbers do not depend on their order.
NUMBERED = """
SELECT n.anchor AS anchor, n.context AS context, n.candidate AS candidate, s.share AS share
FROM {rows} n
JOIN (
    SELECT anchor, CAST(FLOOR(CAST(1000000 AS DOUBLE) / (COUNT(*) - 1)) AS BIGINT) AS share
    FROM {rows} GROUP BY anchor HAVING COUNT(*) >= 2
) s ON n.anchor = s.anchor
"""
# Support: distinct contexts; the inner grouping makes the contexts distinct and adds up their full anchors.
COUNTED = """
SELECT phrase, paraphrase, COUNT(*) AS support, CAST(SUM(anchors) AS BIGINT) AS anchors,
       CAST(SUM(shares) AS BIGINT) AS specific
FROM (
    SELECT a.candidate AS phrase, b.candidate AS paraphrase, a.context AS context, COUNT(*) AS anchors,
           SUM(a.share) AS shares
    FROM numbered a JOIN numbered b ON a.anchor = b.anchor
    WHERE a.candidate < b.candidate
    GROUP BY a.candidate, b.candidate, a.context
) by_context
GROUP BY phrase, paraphrase
HAVING COUNT(*) >= {support}
"""
# Without attachments a context is an anchor, and one grouping does.
COUNTED_BY_ANCHOR = """
SELECT a.candidate AS phrase, b.candidate AS paraphrase, COUNT(*) AS support, COUNT(*) AS anchors,
       CAST(SUM(a.share) AS BIGINT) AS specific
FROM numbered a JOIN numbered b ON a.anchor = b.anchor
WHERE a.candidate < b.candidate
GROUP BY a.candidate, b.candidate
HAVING COUNT(*) >= {support}
"""
# In how many places a phrase stands at all, and how specific they are: what two have in common is held against it.
PLACES = """
SELECT candidate, COUNT(*) AS places, CAST(SUM(share) AS BIGINT) AS specific FROM numbered GROUP BY candidate
"""
PAIRS = """
SELECT p.candidate AS phrase, q.candidate AS paraphrase, n.support AS support, n.anchors AS anchors,
       n.specific AS specific, d.documents AS documents, a.places AS phrase_places, b.places AS paraphrase_places,
       a.specific AS phrase_specific, b.specific AS paraphrase_specific
FROM counted n
JOIN candidates p ON p.id = n.phrase
JOIN candidates q ON q.id = n.paraphrase
JOIN places a ON a.candidate = n.phrase
JOIN places b ON b.candidate = n.paraphrase
JOIN documents d ON d.phrase = n.phrase AND d.paraphrase = n.paraphrase
"""
# A pair that one document makes says less than one that many make.
DOCUMENTS = """
SELECT phrase, paraphrase, COUNT(DISTINCT source) AS documents
FROM (
    SELECT s.phrase AS phrase, s.paraphrase AS paraphrase, l.source AS source
    FROM shared s JOIN sources l ON l.anchor = s.anchor AND l.candidate = s.phrase
    UNION ALL
    SELECT s.phrase AS phrase, s.paraphrase AS paraphrase, r.source AS source
    FROM shared s JOIN sources r ON r.anchor = s.anchor AND r.candidate = s.paraphrase
) found
GROUP BY phrase, paraphrase
"""
# Samples are the first anchors of a pair by number. A window over all of them is shorter to write, but takes memory
# that no engine bounds; the smallest, then the smallest beyond it, and so on, are plain groupings.
SHARED = """
SELECT n.phrase AS phrase, n.paraphrase AS paraphrase, a.anchor AS anchor
FROM numbered a
JOIN numbered b ON a.anchor = b.anchor
JOIN counted n ON n.phrase = a.candidate AND n.paraphrase = b.candidate
"""
FIRST = """
SELECT phrase, paraphrase, CAST(1 AS BIGINT) AS place, MIN(anchor) AS anchor FROM shared GROUP BY phrase, paraphrase
"""
NEXT = """
SELECT s.phrase AS phrase, s.paraphrase AS paraphrase, CAST({place} AS BIGINT) AS place, MIN(s.anchor) AS anchor
FROM shared s JOIN {before} p ON p.phrase = s.phrase AND p.paraphrase = s.paraphrase
WHERE s.anchor > p.anchor
GROUP BY s.phrase, s.paraphrase
"""
SAMPLES = """
SELECT p.candidate AS phrase, q.candidate AS paraphrase, c.support AS support, c.anchors AS anchors, n.place AS place,
       x.context AS context, x.attached AS attached, l.source AS phrase_source, r.source AS paraphrase_source
FROM ({places}) n
JOIN counted c ON c.phrase = n.phrase AND c.paraphrase = n.paraphrase
JOIN candidates p ON p.id = n.phrase
JOIN candidates q ON q.id = n.paraphrase
JOIN anchors x ON x.id = n.anchor
JOIN sources l ON l.anchor = n.anchor AND l.candidate = n.phrase
JOIN sources r ON r.anchor = n.anchor AND r.candidate = n.paraphrase
"""
ORDERED_PAIRS = "SELECT * FROM pairs ORDER BY support DESC, anchors DESC, phrase, paraphrase"
ORDERED_SAMPLES = """
SELECT phrase, paraphrase, place, context, attached, phrase_source, paraphrase_source
FROM samples ORDER BY support DESC, anchors DESC, phrase, paraphrase, place
"""


class Tables(Protocol):
    """The part of an engine that alignment needs."""

    def create(self, name: str, sql: str) -> int:
        """Make a table from a query and return its number of rows."""

    def drop(self, name: str) -> None:
        """Forget a table."""

    def load(self, name: str, files: Sequence[Path]) -> None:
        """Make a table of Parquet files."""

    def fetch(self, sql: str) -> pa.Table:
        """Return the result of a query."""


def align(engine: Tables, options: MineOptions, folder: Path) -> list[tuple[str, int]]:
    """Turn table ``rows`` into ``pairs`` and ``samples``; return the number of rows after each step.

    ``folder`` is for small tables that every worker reads.

    Pruning goes on until nothing is left to drop: where that ends does not depend on what was dropped before.
    """
    steps: list[tuple[str, int]] = []

    def create(name: str, sql: str, **values: object) -> int:
        count = engine.create(name, sql.format(**values))
        steps.append((name, count))
        return count

    pruning = {
        "support": options.fewest,
        "contexts": EVERY_ROW if options.anchors == "ngram" else DISTINCT_CONTEXTS,
    }
    left = create("rows_0", DISTINCT_ROWS)
    columns = "r.context, r.attached, r.candidate, r.source"
    after = create("rows_1", PRUNED, rows="rows_0", columns=columns, **pruning)
    engine.drop("rows_0")
    _number(engine, "candidates", ("candidate",), folder)
    _number(engine, "anchors", ("context", "attached"), folder)
    engine.create("sources", SOURCES.format(rows="rows_1"))
    engine.drop("rows_1")
    now, turn = "sources", 1
    while after != left:
        turn += 1
        columns = "r.anchor, r.context, r.candidate"
        left, after = after, create(f"rows_{turn}", PRUNED_NUMBERS, rows=now, columns=columns, **pruning)
        if turn > 2:
            engine.drop(now)
        now = f"rows_{turn}"
    if options.max_candidates is not None:
        create("wide", TOO_WIDE, rows=now, max_candidates=options.max_candidates)
        create("rows_bounded", NOT_TOO_WIDE, rows=now)
        now = "rows_bounded"
    engine.create("numbered", NUMBERED.format(rows=now))
    engine.create(
        "counted", (COUNTED_BY_ANCHOR if options.anchors == "ngram" else COUNTED).format(support=options.fewest)
    )
    engine.create("shared", SHARED)
    engine.create("documents", DOCUMENTS)
    engine.create("places", PLACES)
    create("pairs", PAIRS)
    samples = _samples(engine, options.samples)
    create("samples", SAMPLES, places=" UNION ALL ".join(f"SELECT * FROM {sample}" for sample in samples))
    # Nobody asks for these any more; the results are about to be fetched.
    for name in ("counted", "numbered", "documents", "places", "shared", *samples, "candidates", "anchors", "sources"):
        engine.drop(name)
    return steps


def _number(engine: Tables, name: str, columns: tuple[str, ...], folder: Path) -> None:
    """Make a table of the distinct strings of ``rows_1`` with their numbers, from 1, in their order."""
    distinct, offsets, listed = f"{name}_distinct", f"{name}_offsets", ", ".join(columns)
    engine.create(distinct, f"SELECT {listed} FROM rows_1 GROUP BY {listed}")
    counted = engine.fetch(BEGINNINGS.format(first=columns[0], distinct=distinct))
    counts = counted.column("count").to_numpy()
    before = pa.array(counts.cumsum() - counts, pa.int64())
    path = folder / f"{offsets}.parquet"
    pq.write_table(pa.table({"beginning": counted.column("beginning"), "before": before}), path)
    engine.load(offsets, [path])
    strings = ", ".join(f"d.{column}" for column in columns)
    engine.create(name, NUMBERS.format(strings=strings, first=columns[0], distinct=distinct, offsets=offsets))
    engine.drop(distinct)


def _samples(engine: Tables, wanted: int) -> list[str]:
    """Make tables of the first anchors of each pair, of the second and so on; with none wanted an empty one."""
    engine.create("place_1", FIRST if wanted else FIRST.replace("GROUP BY", "WHERE anchor < 0 GROUP BY"))
    for place in range(2, wanted + 1):
        engine.create(f"place_{place}", NEXT.format(place=place, before=f"place_{place - 1}"))
    return [f"place_{place}" for place in range(1, max(1, wanted) + 1)]
