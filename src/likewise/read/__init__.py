"""First stage of the path: files, tables, HTML and WARC become :class:`Document` and :class:`Record`, as a stream.

:func:`documents` reads text, Markdown, HTML, EPUB, WARC, ARC, Wikipedia-extractor files, JSON lines and Parquet,
compressed or not, within the limits of :class:`ReadOptions`; what cannot be read is reported as :class:`Skipped`, never
lost silently.
"""

from likewise.read.document import Block, Document, Record, Span
from likewise.read.documents import Documents, documents
from likewise.read.options import ReadOptions
from likewise.read.skipped import REASONS, Skipped

__all__ = ["REASONS", "Block", "Document", "Documents", "ReadOptions", "Record", "Skipped", "Span", "documents"]
