"""A study on disk: the sample, and every judgement the moment it is made, in SQLite.

A checksum of the sample, and one of the judgements that is brought up to date with each of them, are compared when a
study is opened: what was changed or lost on the way is not taken for what somebody said.
"""

import contextlib
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from dataclasses import fields as fields_of
from pathlib import Path

from likewise.errors import DamagedError, ForeignError, InputError, OptionError, StorageError
from likewise.evaluate.judging.sampling import Item
from likewise.evaluate.judging.schemes import SCHEMES, Scheme
from likewise.seals import parse_json
from likewise.storage import atomic_path

_VERSION = 2
_COLUMNS = [field.name for field in fields_of(Item)]
_KEYS = ("version", "scheme", "seed", "columns")
_JUDGEMENT = "item, judge, verdict, at"
_RANGE = 1 << 256
_FIELDS = ", ".join(f'"{name}"' for name in _COLUMNS)
_TABLES = {
    "study": "CREATE TABLE study (key TEXT PRIMARY KEY, value TEXT)",
    "items": f"CREATE TABLE items (number INTEGER PRIMARY KEY, {_FIELDS})",
    "judgements": "CREATE TABLE judgements (item INTEGER REFERENCES items, judge TEXT, verdict TEXT, "
    "at TEXT DEFAULT CURRENT_TIMESTAMP, PRIMARY KEY (item, judge))",
}
_SCHEMA = "SELECT name, sql FROM sqlite_master ORDER BY name"


def _sample(database: sqlite3.Connection) -> Iterable[Sequence[object]]:
    yield from database.execute(_SCHEMA)
    yield from database.execute("SELECT * FROM items ORDER BY number")


def _digest(*rows: Sequence[object]) -> str:
    return hashlib.sha256(json.dumps(rows, default=repr).encode()).hexdigest()


def _number(row: Sequence[object]) -> int:
    """Return a judgement as a number; the sum of all of them tells whether one has changed, come or gone."""
    return int(_digest(row), 16)


def _sum(rows: Iterable[Sequence[object]], start: int = 0) -> str:
    return f"{(start + sum(map(_number, rows))) % _RANGE:x}"


class Study:
    """A sample of pairs and what judges said of them.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "study.judge"
    >>> study = Study.create(path, [Item("21", "Early", 1, "a", "b", "Soup.", "Broth.")], SCHEMES["links"])
    >>> study.judge("ada", 1, "correct")
    >>> study.verdicts("ada")
    {1: 'correct'}
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if not self.path.is_file():
            raise ForeignError(f"{path} is not a study: there is no such file")
        try:
            self._database = self._open()
            rows = dict(self._database.execute("SELECT key, value FROM study"))
            version, self.seed = int(rows["version"]), int(rows["seed"])
            self.scheme: Scheme = SCHEMES[rows["scheme"]]
            self._columns: list[str] = [str(name) for name in parse_json(rows.get("columns", "[]"))]
            if version == 1:
                version = self._seal(rows)
            if version == _VERSION:
                self._check(rows)
        except (sqlite3.Error, KeyError, ValueError, TypeError) as error:
            raise ForeignError(f"{path} is not a study of Likewise: {error}") from error
        if version != _VERSION:
            raise ForeignError(f"{path} is a study of version {version}; this Likewise reads version {_VERSION}")

    def _seal(self, rows: dict[str, str]) -> int:
        """Give a study of version 1 its checksums; return its new version."""
        rows["version"] = str(_VERSION)
        rows["sample"] = _digest([rows[key] for key in _KEYS], *_sample(self._database))
        rows["judgements"] = _sum(self._database.execute(f"SELECT {_JUDGEMENT} FROM judgements"))
        self._database.execute("BEGIN IMMEDIATE")
        self._database.executemany("INSERT OR REPLACE INTO study VALUES (?, ?)", rows.items())
        self._database.execute("COMMIT")
        return _VERSION

    def _check(self, rows: dict[str, str]) -> None:
        """Compare sample and judgements with their checksums."""
        database = self._database
        database.execute("BEGIN")
        try:
            [whole] = database.execute("PRAGMA integrity_check").fetchone()
            said = dict(database.execute("SELECT key, value FROM study WHERE key = 'judgements'"))
            sample = _digest([rows[key] for key in _KEYS], *_sample(database))
            judged = _sum(database.execute(f"SELECT {_JUDGEMENT} FROM judgements"))
        finally:
            database.execute("ROLLBACK")
        if whole != "ok" or rows["sample"] != sample or said["judgements"] != judged:
            raise DamagedError(f"{self.path} has changed since it was written")

    def _open(self) -> sqlite3.Connection:
        database = sqlite3.connect(self.path, isolation_level=None, timeout=10)
        # A view or a trigger in a file of somebody else would run when it is read: it is a study's own tables, or none.
        database.execute("PRAGMA trusted_schema=OFF")
        made = [(name, sql) for name, sql in database.execute(_SCHEMA) if sql is not None]
        if made != sorted(_TABLES.items()):
            raise ValueError("its tables are others")
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        return database

    @classmethod
    def create(
        cls,
        path: str | os.PathLike[str],
        items: Sequence[Item],
        scheme: Scheme,
        seed: int = 0,
        columns: Sequence[str] = (),
        *,
        force: bool = False,
    ) -> "Study":
        """Make a new study. ``force`` replaces one in which nobody has judged: judgements are somebody's work.

        ``columns`` orders the table and keeps columns in it that have no item.
        """
        path = Path(path)
        if path.exists():
            if not force:
                raise StorageError(f"{path} exists already; --force replaces a study in which nothing is judged yet")
            with contextlib.closing(cls(path)) as before:
                if judges := before.judges():
                    named = ", ".join(judges)
                    raise StorageError(
                        f"{path} has judgements of {named}, which are not overwritten; delete it yourself"
                    )
        if not items:
            raise InputError("there is nothing to judge: the sample is empty")
        with atomic_path(path) as temporary:
            cls._write(temporary, items, scheme, seed, columns)
        return cls(path)

    @staticmethod
    def _write(path: Path, items: Sequence[Item], scheme: Scheme, seed: int, columns: Sequence[str]) -> None:
        database = sqlite3.connect(path, isolation_level=None)
        try:
            database.execute("PRAGMA journal_mode=OFF")  # where it fails there is no study, and no journal beside it
            # One transaction: a sync for every row would take seconds.
            database.execute("BEGIN")
            for statement in _TABLES.values():
                database.execute(statement)
            values = {"version": _VERSION, "scheme": scheme.name, "seed": seed, "columns": json.dumps(list(columns))}
            marks = ", ".join("?" * len(_COLUMNS))
            rows = [tuple(asdict(item).values()) for item in items]
            database.executemany(f"INSERT INTO items ({_FIELDS}) VALUES ({marks})", rows)
            values |= {"sample": _digest([str(values[key]) for key in _KEYS], *_sample(database)), "judgements": "0"}
            database.executemany(
                "INSERT INTO study VALUES (?, ?)", [(key, str(value)) for key, value in values.items()]
            )
            database.execute("COMMIT")
        finally:
            database.close()

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def items(self) -> dict[int, Item]:
        """Return all items by number."""
        rows = self._database.execute(f"SELECT number, {_FIELDS} FROM items ORDER BY number")
        return {row[0]: Item(*row[1:]) for row in rows}

    def columns(self) -> list[str]:
        """Return the columns of the table: as given, then any others in the order of the items."""
        return list(dict.fromkeys([*self._columns, *(item.column for item in self.items().values())]))

    def order(self, judge: str) -> list[int]:
        """Return the numbers of all items in this judge's order, which tells nothing of lists and ranks.

        Where judges teach a model (records), the pairs that it is least sure of come first.
        """
        if not self.scheme.shuffled:
            return list(self.items())

        def key(number: int) -> bytes:
            return hashlib.sha256(json.dumps([self.seed, judge, number]).encode()).digest()

        return sorted(self.items(), key=key)

    def judge(self, judge: str, item: int, verdict: str) -> None:
        """Keep a judgement, in place of an earlier one of this judge."""
        if verdict not in self.scheme.verdicts.values():
            raise OptionError(f"verdict must be one of {', '.join(self.scheme.verdicts.values())}, not {verdict!r}")
        if not judge.strip():
            raise OptionError("judge must be a name, not an empty one")
        database = self._database
        database.execute("BEGIN IMMEDIATE")
        try:
            [[said]] = database.execute("SELECT value FROM study WHERE key = 'judgements'")
            one = f"SELECT {_JUDGEMENT} FROM judgements WHERE item = ? AND judge = ?"
            before = sum(map(_number, database.execute(one, (item, judge))))
            database.execute(
                "INSERT INTO judgements (item, judge, verdict) VALUES (?, ?, ?) "
                "ON CONFLICT (item, judge) DO UPDATE SET verdict = excluded.verdict, at = CURRENT_TIMESTAMP",
                (item, judge, verdict),
            )
            now = _sum(database.execute(one, (item, judge)), int(said, 16) - before)
            database.execute("UPDATE study SET value = ? WHERE key = 'judgements'", (now,))
            database.execute("COMMIT")
        except BaseException:
            if database.in_transaction:
                database.execute("ROLLBACK")
            raise

    def verdicts(self, judge: str) -> dict[int, str]:
        """Return what a judge said so far, by item."""
        rows = self._database.execute("SELECT item, verdict FROM judgements WHERE judge = ? ORDER BY item", (judge,))
        return dict(rows.fetchall())

    def judges(self) -> list[str]:
        """Return the names of those who judged."""
        return [row[0] for row in self._database.execute("SELECT DISTINCT judge FROM judgements ORDER BY judge")]

    def labels(self, judges: Sequence[str] | None = None) -> list[tuple[str, str, bool]]:
        """Return the ids of judged records and whether they are the same, as most judges say; ties are left out."""
        if self.scheme.name != "records":
            raise OptionError(f"labels come from judged records, not from {self.scheme.name}")
        votes: dict[int, int] = {}
        for judge in self.judges() if judges is None else judges:
            for number, verdict in self.verdicts(judge).items():
                votes[number] = votes.get(number, 0) + {"same": 1, "different": -1}.get(verdict, 0)
        items = self.items()
        return [
            (items[number].left, items[number].right, votes[number] > 0) for number in sorted(votes) if votes[number]
        ]

    def fill(self, gold: Iterable[tuple[str, str]], judge: str = "gold") -> int:
        """Let gold pairs (ids, either way round) be the judge: correct or wrong; return the number of items."""
        if self.scheme.name != "links":
            raise OptionError("gold pairs can judge links only")
        known = {frozenset(pair) for pair in gold}
        items = self.items()
        for number, item in items.items():
            self.judge(judge, number, "correct" if frozenset((item.left, item.right)) in known else "wrong")
        return len(items)
