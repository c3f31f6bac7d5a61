"""First stage of the path: files, tables, HTML and WARC become :class:`Document` and :class:`Record`, as a stream."""

from likewise.read.document import Document, Record, Span

__all__ = ["Document", "Record", "Span"]
