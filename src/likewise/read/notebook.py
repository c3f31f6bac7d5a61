"""Jupyter notebooks: Markdown cells as Markdown, code cells as code; what the code printed is left out."""

import json

from likewise.read.content import Blocks, Content
from likewise.read.markdown import read_markdown
from likewise.read.options import ReadOptions
from likewise.read.skipped import SkipError


def read_notebook(page: str, options: ReadOptions) -> Content:
    """Return text, blocks and title (the first heading) of a notebook.

    >>> cells = [{"cell_type": "markdown", "source": ["# Soup"]}, {"cell_type": "code", "source": "pour()"}]
    >>> read_notebook(json.dumps({"cells": cells}), ReadOptions()).text
    'Soup\\n\\npour()'
    """
    try:
        notebook = json.loads(page)
        cells = notebook.get("cells") or [cell for sheet in notebook["worksheets"] for cell in sheet["cells"]]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise SkipError("broken", "not a notebook") from error
    found = Blocks()
    title = ""
    for cell in cells if isinstance(cells, list) else ():
        source = cell.get("source", cell.get("input", "")) if isinstance(cell, dict) else ""
        text = "".join(map(str, source)) if isinstance(source, list) else str(source)
        text = text.encode("utf-8", "replace").decode()  # JSON can carry halves of surrogate pairs
        if isinstance(cell, dict) and cell.get("cell_type") == "code":
            found.add("code", text.strip("\n").rstrip())
        elif isinstance(cell, dict) and cell.get("cell_type") in ("markdown", "heading"):
            content = read_markdown(text, options)
            title = title or content.title
            found.extend(content)
    return found.content(title)
