"""What is fuzzed: for each target the inputs to begin with, and what is done with an input.

A target fails by an exception that is no :class:`LikewiseError`: those are the words in which bad input is refused.
"""

import atexit
import functools
import json
import os
import random
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given, strategies
from tests.fuzz import flips, seeds
from tests.join import test_assignment, test_fields, test_join
from tests.measure import test_reference

from likewise import Index, match
from likewise.errors import LikewiseError, OptionError
from likewise.index.query import parse as parse_query
from likewise.measure import parse as parse_measure
from likewise.read import ReadOptions, documents
from likewise.read.tables import read_table
from likewise.seals import BLANK_SEAL, MANIFEST_NAME, checksum, seal_file, sealed
from likewise.segment import passages

TABLES = (".csv", ".tsv", ".json", ".xlsx", ".ods", ".xls", ".xlsb", ".parquet", ".arrow", ".jsonl", ".csv.gz")


@dataclass(frozen=True)
class Target:
    """Inputs to begin with, what is done with an input, and how a mutated inside is packed."""

    seeds: list[bytes]
    run: Callable[[bytes], object]
    pack: Callable[[bytes], bytes] = bytes

    def try_input(self, data: bytes) -> str:
        """Do it; return what came of it: ``"done"`` or ``"refused"``."""
        try:
            self.run(self.pack(data))
        except LikewiseError:
            return "refused"
        return "done"


def _folder() -> Path:
    memory = Path("/dev/shm")  # where there is one: most of the time of a small input is its file's
    place = Path(tempfile.mkdtemp(prefix="likewise-fuzz-", dir=memory if os.access(memory, os.W_OK) else None))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    return place


_place = functools.cache(_folder)


def _read(name: str, data: bytes) -> None:
    """Read a file as documents: what gives none is named with a reason."""
    path = _place() / name
    path.write_bytes(data)
    skipped: list[Any] = []
    found = 0
    for document in documents(path, options=ReadOptions(), on_skip=skipped.append):
        found += 1
        document.text.encode()
        passages(document)
    assert found or skipped or not data.strip(), f"{name}: nothing was read and nothing said"
    assert all(one.reason for one in skipped)


def _table(name: str, data: bytes) -> None:
    path = _place() / name
    path.write_bytes(data)
    read_table(path).table.validate(full=True)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape" if data[:1] == b"\xff" else "replace")


@functools.cache
def _index() -> Index:
    return Index.build([f"the {word} river of 19{n:02d}" for n, word in enumerate(("red", "old", "big") * 4)])


def _query(data: bytes) -> None:
    parse_query(_text(data))
    for hit in _index().search(_text(data)[:2000], top=3):
        assert hit.score == hit.score


@functools.cache
def _client() -> Any:
    from fastapi.testclient import TestClient

    from likewise.serve.app import create_app

    folder = _place() / "served"
    folder.mkdir(exist_ok=True)
    (folder / "a.csv").write_bytes(seeds.ROWS)
    Index.build(["red fish", "blue fish"], path=folder / "fish")
    client = TestClient(create_app(folder), base_url="http://localhost", raise_server_exceptions=True)
    client.__enter__()
    return client


def _http(data: bytes) -> None:
    """The first line of an input is a method and a path, the rest is the body."""
    head, _, body = data.partition(b"\n")
    method, _, path = head.decode("ascii", "replace").partition(" ")
    if method not in ("GET", "POST", "PUT", "DELETE") or not path.startswith("/api/") or not path.isprintable():
        return
    path = "".join(sign for sign in path if sign not in "#[]\\")
    answer = _client().request(method, path, content=body, headers={"content-type": "application/json"})
    assert answer.status_code < 500 or answer.status_code == 503, (answer.status_code, answer.text[:300])
    for job in _client().get("/api/jobs").json()["jobs"]:
        _client().delete(f"/api/jobs/{job['id']}")


def _twin(test: Any) -> Target:
    """A property that compares with a slow twin: the bytes of an input take the place of hypothesis's own choices."""

    def run(data: bytes) -> None:
        if test.hypothesis.fuzz_one_input(data) is None:
            raise OptionError("too short to choose an example")

    return Target([random.Random(seed).randbytes(2000) for seed in range(4)], run)


def _twins() -> dict[str, Any]:
    """Measures and joins with what must give the same."""
    names = strategies.sampled_from(sorted(test_join.MEASURES))
    any_texts = given(names, test_join.sides, test_join.sides)(test_join.test_any_texts.hypothesis.inner_test)
    return {
        "twin.spectra": test_reference.test_spectra,
        "twin.terms": test_reference.test_term_measures,
        "twin.soft-tfidf": test_reference.test_soft_tfidf,
        "twin.soft-cardinality": test_reference.test_soft_cardinality,
        "join.texts": any_texts,
        "join.weights": test_join.test_any_weights,
        "join.fields": test_fields.test_prices,
        "join.one-to-one": test_assignment.test_equals_scipy,
    }


HTTP = [
    b'POST /api/compare\n{"left": "the red fish", "right": "fish red", "measure": "spectra(q=2)", "collection": ["a"]}',
    b"GET /api/search?index=fish&query=red+-blue&top=3\n",
    b"GET /api/files\n",
    b"PUT /api/files/b.csv\nname\nAda\n",
    b'POST /api/recognise/decide\n{"model": "law.json", "pairs": [{"left": "a", "right": "b"}], "explain": true}',
    b'POST /api/judge\n{"name": "s", "lists": ["list.jsonl"], "size": 100}',
    b"GET /api/match/0000000000000000/pairs?threshold=0.4&side=above&offset=0&limit=50\n",
]


def _shared(kind: str) -> Target:
    """Files that people share, changed by somebody who also mends the checksums: opened or refused, never a crash."""
    made = _folder() / kind
    flips.KINDS[kind].make(made)
    if made.is_file():
        return Target([made.read_bytes()], lambda data: _ask_file(kind, data))
    files = sorted(path for path in made.iterdir() if path.name not in ("writer.lock", MANIFEST_NAME))
    return Target(
        [bytes([n]) + path.read_bytes() for n, path in enumerate(files)], lambda data: _ask_folder(made, data)
    )


def _ask_file(kind: str, data: bytes) -> None:
    if kind.endswith(".json"):
        data = _sealed_anew(data)
    path = _place() / kind
    path.write_bytes(data)
    if kind.endswith(".state"):
        _seal_anew(path)
    flips.KINDS[kind].ask(path)


def _sealed_anew(data: bytes) -> bytes:
    try:
        values = json.loads(data)
        return json.dumps(sealed({key: value for key, value in values.items() if key != "checksum"})).encode()
    except (ValueError, AttributeError, RecursionError):
        return data


def _seal_anew(path: Path) -> None:
    name = BLANK_SEAL[:-64]
    before, found, after = path.read_bytes().rpartition(name)
    if found:
        path.write_bytes(before + BLANK_SEAL + after[64:])
        seal_file(path)


def _inside_state() -> Target:
    """What the file of a state says about itself, the model among it, changed in a file that is sound otherwise."""
    made = _folder() / "people.state"
    flips.KINDS["people.state"].make(made)
    table = pq.read_table(made)

    def pack(about: bytes) -> bytes:
        sink = pa.BufferOutputStream()
        pq.write_table(table.replace_schema_metadata({b"likewise": about}), sink)
        return sink.getvalue().to_pybytes()

    return Target([table.schema.metadata[b"likewise"]], functools.partial(_ask_file, "people.state"), pack)


LABELS = b"left,right,match\n0,0,1\n1,1,yes\n0,7,no\n"


def _labels(data: bytes) -> None:
    """Pairs that somebody judged, as a table or the model that was learnt with them."""
    path = _place() / ("labels.json" if data[:1] == b"{" else "labels.csv")
    path.write_bytes(_sealed_anew(data))
    match(flips.PEOPLE[:14], flips.OTHERS[:9], id="key", labels=path)  # few: it is the labels that are read


def _ask_folder(made: Path, data: bytes) -> None:
    files = sorted(path for path in made.iterdir() if path.name not in ("writer.lock", MANIFEST_NAME))
    path = files[data[0] % len(files)] if data else files[0]
    before, manifest = path.read_bytes(), (made / MANIFEST_NAME).read_bytes()
    try:
        path.write_bytes(data[1:])
        values = json.loads(manifest)
        values["files"][path.name] = checksum(path)
        (made / MANIFEST_NAME).write_bytes(_sealed_anew(json.dumps(values).encode()))
        flips.KINDS[made.name].ask(made)
    finally:
        path.write_bytes(before)
        (made / MANIFEST_NAME).write_bytes(manifest)


def _targets() -> dict[str, Callable[[], Target]]:
    found: dict[str, Callable[[], Target]] = {}
    for name, inputs in seeds.readers().items():
        ending = name.partition(".")[2]
        found[f"read.{ending}"] = functools.partial(Target, inputs, functools.partial(_read, name))
        if name[1:] in TABLES:
            found[f"table.{ending}"] = functools.partial(Target, inputs, functools.partial(_table, name))
    for name, (inside, pack) in seeds.INSIDE.items():
        ending = name.partition(".")[2]
        found[f"inside.{ending}"] = functools.partial(Target, [inside], functools.partial(_read, name), pack)
        if name[1:] in TABLES:
            run = functools.partial(_table, name)
            found[f"table.inside.{ending}"] = functools.partial(Target, [inside], run, pack)
    queries = [
        b'amtrak (began | "took effect") -freight year:1970..1979',
        b"red -(old | big)",
        "«old» “river”".encode(),
    ]
    found["query"] = lambda: Target(queries, _query)
    specifications = [
        b"spectra(q=2:4, weights=c.idf)",
        b"tfidf(weights=idf, stem=porter)",
        b"3 name: spectra(q=3) + 1 city: tf",
    ]
    found["measure"] = lambda: Target(specifications, lambda data: parse_measure(_text(data)))
    found["labels"] = lambda: Target([LABELS], _labels)
    found["inside.people.state"] = _inside_state
    found["http"] = lambda: Target(HTTP, _http)
    for name, test in _twins().items():
        found[name] = functools.partial(_twin, test)
    for kind in flips.KINDS:
        found[f"shared.{kind}"] = functools.partial(_shared, kind)
    return found


TARGETS = _targets()
