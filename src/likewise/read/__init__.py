"""First stage of the path: files and tables of every kind become :class:`Document` or records, as a stream.

:func:`documents` reads within the limits of :class:`ReadOptions`; what cannot be read is reported as :class:`Skipped`,
never lost silently. :func:`likewise.read.tables.read_table` reads tables. The modules:

=====================  ================================================================================================
what travels           ``document``, ``content`` (of one page), ``source``, ``skipped``, ``options``
from names to files    ``paths``, ``order``, ``partitions``, ``open`` (decompressed), ``pieces`` (of large files)
what a file is         ``formats``: the one table of formats; ``encoding``, ``guess``, ``old_files``
plain text and markup  ``text``, ``markdown``, ``rst``, ``asciidoc``, ``latex``, ``man``, ``notebook``
HTML                   ``html``, ``html_marks``, ``markup``, ``depth``, ``deadline``
pages and books        ``pdf``, ``pdf_pages``, ``pdf_lines``, ``pdf_furniture``, ``pdf_outline``, ``pdf_streams``,
                       ``office``, ``epub``
what may crash         ``apart``, ``answering``: a process of its own for PDF files and workbooks
archives               ``archive``, ``warc``, ``arc``, ``responses``, ``mail``, ``wiki``
all documents          ``documents``: the door; ``corpus`` reads them as a table
tables                 ``tables``: the door; ``table_files``, ``delimited``, ``dialect``, ``header``, ``drawn``,
                       ``json_lines``, ``json_records``, ``nested``, ``geojson``, ``parquet``, ``zipped``;
                       ``workbooks``, ``sheets``, ``cells``; as documents ``rows`` and ``table_documents``
values in Python       ``texts``, ``arrow``, ``long_texts``, ``mapped``, ``truth``
=====================  ================================================================================================
"""

from likewise.read.document import ROLES, Block, Document, Mark, Span
from likewise.read.documents import Documents, documents
from likewise.read.options import ReadOptions
from likewise.read.skipped import REASONS, Skipped

__all__ = ["REASONS", "ROLES", "Block", "Document", "Documents", "Mark", "ReadOptions", "Skipped", "Span", "documents"]
