"""A folder of documents, or a WARC file, as records: read by tasks, a row for each document that has text."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from likewise.jobs.distributed.documents import DocumentTask, as_given, documents_on
from likewise.jobs.distributed.run import Run
from likewise.jobs.shards import plan_files
from likewise.read import ReadOptions
from likewise.read.corpus import ID, TEXT, check_documents, documents_note
from likewise.read.paths import files
from likewise.read.skipped import skipped_lines

SCHEMA = pa.schema([(ID, pa.string()), (TEXT, pa.string())])


def corpus_records(run: Run, path: str, strict: bool, folder: Path) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """Return Parquet files, in ``folder``, of ids and texts, in the order of the documents, and what is to be said."""
    named, read = list(files(path)), ReadOptions(strict=strict)
    task = DocumentTask(folder, read, called=as_given(named), with_text=True)
    found, skipped = documents_on(run, plan_files(named, read), task)
    count = sum(pq.read_metadata(one).num_rows for one in found)
    check_documents(path, count, skipped)
    return found, (documents_note(path, count), *skipped_lines(skipped))
