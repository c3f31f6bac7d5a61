"""Near-duplicates of more long texts than memory holds: the rows of one machine, from terms on disk."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.join.test_long_texts import paragraphs

import likewise as lw
from likewise.engines.duckdb import DuckDB
from likewise.index.container import map_arrays
from likewise.jobs.distributed import near, terms
from likewise.jobs.distributed.blocks import plan
from likewise.jobs.distributed.run import Run
from likewise.jobs.distributed.sides import Sides

TABLES = ("table", "canonical", "pairs", "review")


@pytest.fixture
def corpus(tmp_path):
    """Long texts in a Parquet file, some of them more than once, some blank, without terms or missing."""
    texts = [*paragraphs(300, 5), None, " ", "!", "! ", *paragraphs(300, 5)[:20], None]
    texts += [f"{text} and more" for text in texts[:300:50]]
    path = tmp_path / "corpus.parquet"
    pq.write_table(pa.table({"id": [f"n{place}" for place in range(len(texts))], "text": texts}), path)
    return path


def asked(path, **more):
    return lw.dedupe(path, on="text", id="id", min_score=0.7, **more)


def same(here, there):
    for name in TABLES:
        one, other = getattr(here, name), getattr(there, name)
        assert one.to_pylist() == other.to_pylist(), name
    assert len(here) == len(there)
    assert np.array_equal(here.threshold.scores(), there.threshold.scores())
    assert here.notes == there.notes
    # The vocabulary is in the same order, so that sums over terms round alike.
    assert here.measure.to_json() == there.measure.to_json()


@pytest.mark.parametrize(("block", "room"), [(1000, 1 << 30), (37, 1 << 30), (37, 90_000), (10, 1)])
def test_rows_of_one_machine(corpus, tmp_path, monkeypatch, block, room):
    """However the texts are cut into blocks, and these into strips."""
    monkeypatch.setattr("likewise.jobs.distributed.fitted.block_size", lambda *_: block)
    settled = Run.settled
    monkeypatch.setattr(Run, "settled", lambda run, name, value: settled(run, name, room if "strip" in name else value))
    found = asked(corpus, memory="1GB", work=str(tmp_path / "work"))
    same(asked(corpus), found)
    assert len(found.pairs) > 20
    blocks = len(list((tmp_path / "work" / "terms").iterdir()))
    strips = len(list((tmp_path / "work" / "pairs").iterdir()))
    distinct = sum(pq.read_metadata(path).num_rows for path in (tmp_path / "work" / "distinct").iterdir())
    assert blocks == -(-distinct // block)
    assert strips == (1 if room == 1 << 30 else blocks if room == 1 else strips)
    assert (strips > 1) == (room < 1 << 30)


def test_a_stopped_run_goes_on(corpus, tmp_path, monkeypatch):
    """What was analysed is not analysed again, nor a strip that was written, and the rows stay the same."""
    monkeypatch.setattr("likewise.jobs.distributed.fitted.block_size", lambda *_: 40)
    counted, seen = terms.Counted.of.__func__, []

    def stopped(cls, block, *rest):
        if len(seen) == 3:
            raise KeyboardInterrupt
        seen.append(block.number)
        return counted(cls, block, *rest)

    monkeypatch.setattr(terms.Counted, "of", classmethod(stopped))
    work = str(tmp_path / "work")
    with pytest.raises(KeyboardInterrupt):
        asked(corpus, memory="1GB", work=work)
    seen.clear()

    def told(cls, block, *rest):
        seen.append(block.number)
        return counted(cls, block, *rest)

    monkeypatch.setattr(terms.Counted, "of", classmethod(told))
    found = asked(corpus, memory="1GB", work=work)
    assert seen
    assert min(seen) == 3
    same(asked(corpus), found)
    monkeypatch.setattr(near.NearTask, "_pairs", None)  # nothing is compared a second time
    same(asked(corpus), asked(corpus, memory="1GB", work=work))


def test_pairs_have_no_texts_until_asked(corpus, tmp_path):
    """Texts are beside no pair on disk, and looked up a few pairs at a time."""
    found = asked(corpus, memory="1GB", work=str(tmp_path / "work"))
    for path in found.parts["pairs"].files:
        assert not [name for name in pq.read_schema(path).names if "text" in name]
    found.parts["pairs"].write(tmp_path / "folder")
    written = pq.read_table(tmp_path / "folder")
    assert written.column("left_text").to_pylist() == asked(corpus).pairs.column("left_text").to_pylist()


def test_what_strips_take(corpus, tmp_path, monkeypatch):
    """Strips hold as many terms as the memory that is left has room for, and one block at least."""
    monkeypatch.setattr("likewise.jobs.distributed.fitted.block_size", lambda *_: 20)
    asked(corpus, memory="1GB", work=str(tmp_path / "work"))
    kept = sorted((tmp_path / "work" / "distinct").iterdir())
    blocks = tuple(plan(kept, 20))
    weighed = tmp_path / "work" / "weighed"
    rows = [map_arrays(weighed / f"{block.name}.arrays") for block in blocks]
    kept = terms.Terms(weighed, blocks, tuple((len(one["ids"]), len(np.unique(one["ids"]))) for one in rows))
    assert [one["distinct"][0] for one in rows] == [distinct for _, distinct in kept.sizes]
    monkeypatch.setattr(near, "resident_memory", lambda: 100 << 20)
    (tmp_path / "cut").mkdir()
    engine = DuckDB(256 << 20, 1, tmp_path / "spilled")
    run = Run(engine, tmp_path / "cut", limit=149 << 20)
    sizes = [near._bytes(kept, block, 1) for block in blocks]
    room = run.limit - (100 << 20) - near._SLACK - near._ANY * len(kept) - 2 * max(sizes)
    monkeypatch.setattr(Run, "settled", lambda run, name, value: min(value, 3 * max(sizes)))
    strips = near.strips_of(run, kept)
    engine.close()
    assert room > 3 * max(sizes)
    assert [first for _, first, _ in strips[1:]] == [end for _, _, end in strips[:-1]]
    assert (strips[0][1], strips[-1][2]) == (0, len(blocks))
    assert len(strips) > 3
    assert all(sum(sizes[first:end]) <= 3 * max(sizes) for _, first, end in strips)


@pytest.mark.parametrize(("block", "room"), [(1000, 1 << 30), (10, 1)])
def test_a_match_within_memory_is_that_of_one_machine(corpus, tmp_path, monkeypatch, block, room):
    """Every pair of one table from a score on, equal texts and ranks included, and who is in none."""
    monkeypatch.setattr("likewise.jobs.distributed.fitted.block_size", lambda *_: block)
    settled = Run.settled
    monkeypatch.setattr(Run, "settled", lambda run, name, value: settled(run, name, room if "strip" in name else value))
    wanted = {"on": "text", "id": "id", "min_score": 0.7, "all_pairs": True}
    here, found = lw.match(corpus, **wanted), lw.match(corpus, **wanted, memory="1GB", work=str(tmp_path / "work"))
    assert list((tmp_path / "work" / "terms").iterdir())
    assert here.table.to_pylist() == found.table.to_pylist()
    assert here.unmatched.to_pylist() == found.unmatched.to_pylist()
    assert here.notes == found.notes
    assert here.measure.to_json() == found.measure.to_json()
    assert len(found) > 40


@pytest.mark.parametrize("job", ["match", "dedupe"])
def test_a_cluster_has_the_rows_of_one_machine(corpus, tmp_path, monkeypatch, session, job):
    """Blocks with numbers of their own, numbered anew; texts are brought to the pairs by Spark when it is asked."""
    monkeypatch.setattr(terms, "_FEWEST", 20)
    work = tmp_path / "work"
    if job == "dedupe":
        here, found = asked(corpus), asked(corpus, engine=session, work=str(work))
        same(here, found)
        here, parts = here.pairs, found.parts["pairs"]
    else:
        wanted = {"on": "text", "id": "id", "min_score": 0.7, "all_pairs": True}
        here, found = lw.match(corpus, **wanted), lw.match(corpus, **wanted, engine=session, work=str(work))
        assert here.unmatched.to_pylist() == found.unmatched.to_pylist()
        assert here.measure.to_json() == found.measure.to_json()
        here, parts = here.table, found.parts
    assert len(list((work / "pairs").iterdir())) > 3
    assert here.to_pylist() == parts.to_arrow().to_pylist()
    said = parts.to_spark(session).toArrow().select(here.column_names)
    order = [("left", "ascending"), ("right", "ascending")]
    assert said.sort_by(order).to_pylist() == here.sort_by(order).to_pylist()


def test_how_long_texts_are_is_looked_up_a_few_at_a_time(corpus, monkeypatch):
    """As many as memory holds: 8,192 documents at a time were many times that, where they are long."""
    sizes, read = [], Sides.read
    monkeypatch.setattr("likewise.engines.options._LEAST", 0)
    monkeypatch.setattr(Sides, "read", lambda own, side, block: sizes.append(len(block)) or read(own, side, block))
    monkeypatch.setattr("likewise.jobs.distributed.fitted.block_size", lambda *_: 10)
    asked(corpus, memory="256MB", threads=1)
    assert max(sizes) > 100
    sizes.clear()
    monkeypatch.setattr("likewise.jobs.distributed.fitted._HELD", 1 << 12)
    asked(corpus, memory="256MB", threads=1)
    assert max(sizes) < 50
