"""Everything Likewise raises on purpose, as one tree.

::

    LikewiseError
    ├── OptionError        (ValueError)    an argument has a value that is not allowed
    ├── InputError         (ValueError)    data that cannot be used as it is
    │   ├── ColumnError    (LookupError)   a table lacks a column, or the column is of no use
    │   ├── FormatError                    a file is not of the format it should be
    │   └── QueryError                     a query that cannot be understood; says where
    ├── NotFittedError     (RuntimeError)  an adaptive measure was asked for a score before it saw a collection
    ├── StorageError       (OSError)       something on disk
    │   ├── DamagedError                   a file does not have the content its manifest promises
    │   ├── ForeignError                   a file that Likewise did not write, or another format version
    │   └── LockedError                    another writer is at work
    ├── EngineError        (RuntimeError)  the execution engine (DuckDB, Spark) cannot do what was asked
    ├── MissingExtraError  (ImportError)   an optional dependency is not installed; says the pip line
    └── Cancelled                          the caller stopped the work

Messages name the argument, its value and what is allowed. The core throws only standard C++ exceptions; values from
users are checked in Python before they reach it.
"""


class LikewiseError(Exception):
    """Root of every error that Likewise raises on purpose."""


class OptionError(LikewiseError, ValueError):
    """An argument has a value that is not allowed."""


class InputError(LikewiseError, ValueError):
    """Data that cannot be used as it is."""


class ColumnError(InputError, LookupError):
    """A table lacks a column, or the column is of no use."""

    def __str__(self) -> str:  # LookupError would otherwise show the message's repr
        return str(self.args[0]) if self.args else ""


class FormatError(InputError):
    """A file is not of the format it should be."""


class QueryError(InputError):
    """A query that cannot be understood; ``position`` is the character at which reading stopped."""

    def __init__(self, message: str, query: str = "", position: int = 0) -> None:
        super().__init__(message)
        self.query = query
        self.position = position


class NotFittedError(LikewiseError, RuntimeError):
    """An adaptive measure was asked for a score before it saw a collection."""


class StorageError(LikewiseError, OSError):
    """Something on disk cannot be read or written."""


class DamagedError(StorageError):
    """A file does not have the content that its manifest promises."""


class ForeignError(StorageError):
    """A file that Likewise did not write, or one of another format version."""


class LockedError(StorageError):
    """Another writer is at work."""


class EngineError(LikewiseError, RuntimeError):
    """The execution engine cannot do what was asked."""


class MissingExtraError(LikewiseError, ImportError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"{package} is needed for this: pip install 'likewise[{extra}]'")
        self.package = package
        self.extra = extra


class Cancelled(LikewiseError):  # noqa: N818 - not an error of anybody
    """The caller stopped the work (progress callback, Ctrl-C in a job, HTTP cancel)."""
