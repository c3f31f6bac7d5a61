"""Texts in any form that Python has: lists, generators, ``{id: text}``, columns and tables of pandas, polars and Arrow.

The one door for all that takes texts and no table: measures, indexes, linking, mining, recognition. What is missing
(``None``, ``NaN``, ``pd.NA``) is a text that says nothing; a table must have one column, or one that is called text.
"""

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from likewise.errors import InputError
from likewise.read.document import Document

_LIBRARIES = ("pandas", "polars", "pyarrow", "duckdb")
_WANTED = "a list of texts, {id: text}, or a column of pandas, polars or Arrow is wanted"


def texts_in(source: Any, name: str = "texts") -> list[str]:
    """Return the texts that a Python value holds.

    >>> texts_in(["Ada", None, 7]), texts_in({"a": "Ada"}), texts_in(text for text in ("Ada", "Grace"))
    (['Ada', '', '7'], ['Ada'], ['Ada', 'Grace'])
    """
    if isinstance(source, list) and set(map(type, source)) <= {str}:
        return source
    return texts_and_ids(source, name)[0]


def texts_and_ids(source: Any, name: str) -> tuple[list[str], list[Any] | None]:
    """Return the texts that a Python value holds, and their ids where it brings them along."""
    from likewise.read.arrow import ids_of
    from likewise.read.tables import read_table, texts_of

    if isinstance(source, str | bytes):
        raise InputError(f"{_WANTED}, not a single {type(source).__name__}: put it into a list")
    if isinstance(source, os.PathLike) or not (isinstance(source, Iterable) or is_column(source)):
        raise InputError(f"{_WANTED}, not {type(source).__name__}")
    if not isinstance(source, Mapping) and not is_column(source):
        source = list(source)
        if all(isinstance(text, str) for text in source):
            return [str(text) for text in source], None
    records = read_table(source, name=name)
    columns = records.columns
    if not len(records):
        return [], None
    column = columns[0] if len(columns) == 1 else "text" if "text" in columns else None
    if column is None:
        raise InputError(f"{name} have the columns {', '.join(columns)}: give the one that holds the texts")
    texts = texts_of(records.table, column, name).to_pylist()
    return [text or "" for text in texts], ids_of(source, name)


def is_column(source: Any) -> bool:
    """Whether a value is a column or a table of another library."""
    return type(source).__module__.partition(".")[0] in _LIBRARIES


def given_documents(source: Any, name: str, is_text: Callable[[str], bool] | None = None) -> list[Document] | None:
    """Return the documents that a Python value holds; ``None``: it names files, which have to be read.

    A string is the path of a file when it stands alone; of several, those of two words and more that are no file's
    name are texts, or those that ``is_text`` takes for one.

    >>> given_documents("book/", "left"), given_documents(["One text.", "Another text."], "left")[1].text
    (None, 'Another text.')
    """
    if isinstance(source, str | os.PathLike):
        return None
    if not isinstance(source, Mapping) and not is_column(source):
        if not isinstance(source, Iterable) or isinstance(source, bytes):
            raise InputError(f"{name} must be paths, documents or texts, not {type(source).__name__}")
        source = list(source)
        documents = [one for one in source if isinstance(one, Document)]
        if len(documents) == len(source):
            return documents
        if documents:
            raise InputError(f"{name} must be paths or documents, not both in one list")
        named = [one for one in source if isinstance(one, str | os.PathLike)]
        if named and not all(isinstance(one, str) and (is_text or _has_words)(one) for one in named):
            strange = next((one for one in source if not isinstance(one, str | os.PathLike)), None)
            if strange is not None:
                raise InputError(f"{name} must be paths, documents or texts, not {type(strange).__name__} among paths")
            return None
    texts, ids = texts_and_ids(source, name)
    return [Document(str(number if ids is None else ids[number]), text) for number, text in enumerate(texts)]


def is_text(item: str) -> bool:
    """Whether a string cannot be the path of a file: there is no such file, and it has lines or is no pattern."""
    return not os.path.exists(item[:4000]) and ("\n" in item or not set(item) & set("*?["))


def _has_words(item: str) -> bool:
    return len(item.split()) > 1 and is_text(item)
