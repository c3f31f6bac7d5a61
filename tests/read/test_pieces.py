"""Large files in pieces: together they give what the whole gives, documents, ids and reports alike."""

import gzip
import json
import random
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.read import ReadOptions
from likewise.read.documents import read_file
from likewise.read.pieces import pieces


def both_ways(path: Path, size: int, **options):
    """Documents and skips of the whole, the same of the pieces one after the other, and how many pieces there are."""
    options = ReadOptions(**options)
    cut = pieces(path, path.name, options, size)
    made = []
    for parts in ([None], cut or [None]):
        skipped = []
        documents = [d for piece in parts for d in read_file(path, path.name, options, skipped.append, piece)]
        made.append((documents, skipped))
    return made[0], made[1], len(cut)


def wiki(draw: random.Random, count: int) -> bytes:
    parts = []
    for number in range(count):
        text = "\n".join("a <doc of words" * draw.randrange(9) for _ in range(draw.randrange(4)))
        end = "" if draw.random() < 0.1 else "</doc>\n"
        parts.append(f'<doc id="{number * 7}" title="T">\n{text}\n{end}')
    return "".join(parts).encode()


def jsonl(draw: random.Random, count: int) -> bytes:
    lines = []
    for number in range(count):
        row = json.dumps({"text": "word " * draw.randrange(30), "n": number})
        lines.append(draw.choice([row] * 8 + ["", "no json", json.dumps({"text": "long " * 20_000})]))
    return "\n".join(lines).encode() + draw.choice([b"", b"\n"])


def text(draw: random.Random, count: int) -> bytes:
    lines = ["word " * draw.choice([1, 5, 60, 300]) for _ in range(count)]
    return "".join(line + draw.choice(["\n", "\n\n", "\r\n", " "]) for line in lines).encode()


KINDS = {"a.txt": text, "a.jsonl": jsonl, "part-0": wiki}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_pieces_give_what_the_whole_gives(tmp_path, name, packed, seed):
    draw = random.Random(seed)
    data = KINDS[name](draw, 300)
    path = tmp_path / (name + ".gz" if packed else name)
    path.write_bytes(gzip.compress(data) if packed else data)
    for size in (1, 100, 3000, 20_000):
        whole, apart, count = both_ways(path, size, max_bytes=draw.choice([400, 2000, 30_000]))
        assert whole == apart
        assert count <= 8 or not packed
    assert whole[0]


@settings(max_examples=60, deadline=None)
@given(
    data=st.binary(max_size=300), size=st.integers(1, 40), limit=st.integers(1, 50), kind=st.sampled_from(list(KINDS))
)
def test_any_bytes_are_read_alike(tmp_path_factory, data, size, limit, kind):
    path = tmp_path_factory.mktemp("bytes") / kind
    path.write_bytes(data.replace(b"\x00", b"\n").replace(b"\x01", b"\n<doc ").replace(b"\x02", b"\n</doc>\n"))
    whole, apart, _ = both_ways(path, size, max_bytes=limit, format={"part-0": "wiki"}.get(kind, "auto"))
    assert whole == apart


def test_parquet_is_cut_between_row_groups(tmp_path):
    path = tmp_path / "rows.parquet"
    table = pa.table({"text": [f"row {n} " * 20 for n in range(1000)]})
    pq.write_table(table, path, row_group_size=90)
    whole, apart, count = both_ways(path, 4000)
    assert whole == apart
    assert count > 3
    assert whole[0][500].id == "rows.parquet#501"


def test_a_truncated_file_is_reported_once_by_its_last_piece(tmp_path):
    path = tmp_path / "a.jsonl.gz"
    rows = "".join(json.dumps({"text": f"{random.Random(n).random()} words"}) + "\n" for n in range(3000))
    path.write_bytes(gzip.compress(rows.encode())[:-2000])
    whole, apart, count = both_ways(path, 10_000)
    assert whole == apart
    assert count > 1
    assert [skip.reason for skip in apart[1]] == ["truncated"]


@pytest.mark.parametrize("name", ["a.html", "a.md", "missing.txt", "zeros.txt"])
def test_what_cannot_be_cut_stays_whole(tmp_path, name):
    path = tmp_path / name
    if name != "missing.txt":
        path.write_bytes(bytes(9000) if name == "zeros.txt" else b"<p>Some words.</p>\n" * 999)
    assert pieces(path, name, ReadOptions(), 100) == []
