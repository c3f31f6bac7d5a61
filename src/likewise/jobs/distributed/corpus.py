"""A folder of documents, or a WARC file, as records: tasks read them, one row for each document with text."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from likewise.jobs.distributed.documents import DocumentTask, as_given, documents_on
from likewise.jobs.distributed.run import Run
from likewise.jobs.shards import plan_files
from likewise.read import ReadOptions
from likewise.read.corpus import FACTS, ID, TEXT, TITLE, check_documents, documents_note
from likewise.read.paths import files
from likewise.read.skipped import skipped_lines


def corpus_records(run: Run, path: str, strict: bool, folder: Path) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Return Parquet files, in ``folder``, of ids and texts, in the order of the documents, and what is to be said."""
    named, read = list(files(path)), ReadOptions(strict=strict)
    task = DocumentTask(folder, read, called=as_given(named), with_text=True)
    found, skipped = documents_on(run, plan_files(named, read), task)
    count = sum(pq.read_metadata(one).num_rows for one in found)
    check_documents(path, count, skipped)
    return found, (documents_note(path, count), *skipped_lines(skipped))


def corpus_schema(found: Sequence[Path]) -> pa.Schema:
    """Return the columns of documents, of what is known besides those that some document has."""
    footers = [pq.read_metadata(path) for path in found]
    names = footers[0].schema.to_arrow_schema().names
    places = {name: names.index(name) for name in (TITLE, *FACTS)}
    told = [name for name, place in places.items() if any(_has_values(footer, place) for footer in footers)]
    return pa.schema([(name, pa.string()) for name in (ID, TEXT, *told)])


def _has_values(footer: Any, place: int) -> bool:
    groups = (footer.row_group(group) for group in range(footer.num_row_groups))
    return any(group.column(place).statistics.null_count < group.num_rows for group in groups)
