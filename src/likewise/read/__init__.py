"""First stage of the path: files, tables, HTML and WARC become :class:`Document`, as a stream.

:func:`documents` reads text, Markdown, HTML, EPUB, WARC, ARC, Wikipedia-extractor files, JSON lines and Parquet,
compressed or not, within the limits of :class:`ReadOptions`; what cannot be read is reported as :class:`Skipped`, never
lost silently.
"""

from likewise.read.document import ROLES, Block, Document, Mark, Span
from likewise.read.documents import Documents, documents
from likewise.read.options import ReadOptions
from likewise.read.skipped import REASONS, Skipped

__all__ = ["REASONS", "ROLES", "Block", "Document", "Documents", "Mark", "ReadOptions", "Skipped", "Span", "documents"]
