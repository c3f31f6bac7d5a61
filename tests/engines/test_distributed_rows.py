"""Batches of queries, pairs and questions, and documents, on an engine: the rows of one machine, in its order."""

import gzip

import pytest
from tests.engines.test_distributed import LEFT, RIGHT

import likewise as lw
from likewise.analyse import analyser
from likewise.engines.options import EngineOptions
from likewise.errors import ColumnError, InputError, StorageError
from likewise.index import segment
from likewise.index.search import SearchOptions
from likewise.jobs.distributed import build, rows, run
from likewise.jobs.distributed.asked import Job
from likewise.jobs.distributed.frames import read_documents
from likewise.jobs.distributed.rows import Asking, Predicting, Searching, answer
from likewise.jobs.questions.options import AskOptions
from likewise.jobs.recognise.predictions import predictions
from likewise.read import ReadOptions
from likewise.read.options import TableOptions


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    monkeypatch.setattr(rows, "_ROWS", 7)


def embedded(**named):
    return Job(EngineOptions(engine="duckdb", **named), TableOptions(), 2)


def test_a_batch_of_queries_finds_what_each_finds(tmp_path):
    index = lw.Index.build(RIGHT, path=tmp_path / "index")
    queries = [{"key": f"q{place}", "query": text or None} for place, text in enumerate(LEFT[:40])]
    asked = Searching(str(tmp_path / "index"), "query", SearchOptions(top=3))
    found = answer(embedded(), queries, asked, "key", "search").to_arrow().to_pylist()
    here = [
        {
            "query": one["key"],
            "rank": hit.rank,
            "id": hit.id,
            "score": hit.score,
            "text": hit.text,
            "source": hit.source,
            "query_text": one["query"],
        }
        for one in queries
        if one["query"]
        for hit in index.search(one["query"], top=3)
    ]
    assert found == here
    assert found
    queries[7]["query"] = '"not closed'
    with pytest.raises(InputError, match="query 'q7': the phrase is not closed"):
        answer(embedded(), queries, asked, "key", "search")


def test_a_batch_of_pairs_is_decided_as_on_one_machine(tmp_path):
    train = [(a, b, a.split()[:1] == b.split()[:1]) for a, b in zip(LEFT, [*LEFT[1:60], *LEFT[59:]], strict=False)]
    train = [(a, b, same) for a, b, same in train if a and b][30:90]
    model = lw.recognise(train)
    model.save(tmp_path / "model.json")
    pairs = [{"one": a, "two": b} for a, b, _ in train[:50]]
    asked = Predicting(str(tmp_path / "model.json"), "one", "two", explain=True)
    found = answer(embedded(), pairs, asked, None, "predict").to_arrow()
    here = predictions(model, range(50), *zip(*((a, b) for a, b, _ in train[:50]), strict=True), explain=True)
    assert found.equals(here)
    with pytest.raises(InputError, match="id 1 has no text in column 'two'"):
        answer(embedded(), [{"one": "a", "two": "b"}, {"one": "a", "two": None}], asked, None, "predict")
    with pytest.raises(ColumnError, match="has no column 'two'"):
        answer(embedded(), [{"one": "a"}], asked, None, "predict")


def test_a_batch_of_questions_is_answered_as_on_one_machine(tmp_path):
    (tmp_path / "a.txt").write_text("In 1947, Bell Labs invented the transistor. In 1815, Ada Lovelace was born there.")
    lw.nuggets(tmp_path / "a.txt", tmp_path / "n")
    questions = ["When was the transistor invented?", "What is a transistor?", None, "When was Ada Lovelace born?"]
    asked = Asking(str(tmp_path / "n"), "question", AskOptions())
    found = answer(embedded(), [{"question": one} for one in questions], asked, None, "ask").to_arrow().to_pylist()
    assert [(row["id"], row["question"], row["date"]) for row in found if row["rank"] == 1] == [
        (0, questions[0], "1947"),
        (3, questions[3], "1815"),
    ]
    here = lw.Nuggets(tmp_path / "n").ask(questions[0])
    assert [(one.date, one.sure, one.match) for one in here] == [
        (row["date"], row["sure"], row["match"]) for row in found if row["id"] == 0
    ]


def test_a_run_against_an_index_that_changed_is_refused(tmp_path):
    index = lw.Index.build(RIGHT, path=tmp_path / "index")
    asked = Searching(str(tmp_path / "index"), "query", SearchOptions())
    queries = [{"query": LEFT[0]}]
    answer(embedded(work=str(tmp_path / "w")), queries, asked, None, "search")
    index.add(["one more"])
    with pytest.raises(StorageError, match="other input or options"):
        answer(embedded(work=str(tmp_path / "w")), queries, asked, None, "search")


def test_what_is_no_frame_or_no_index_is_told_before_spark_is_asked(tmp_path):
    from likewise.spark import ask, build_index, dedupe, link, match, predict, search

    for call in (match, dedupe, link, lambda one: build_index(one, tmp_path / "i"), lambda one: search("i", one)):
        with pytest.raises(InputError, match="must be a Spark DataFrame here, not list"):
            call(["Ada Lovelace"])
    for call in (lambda one: predict("m", one), lambda one: ask("n", one)):
        with pytest.raises(InputError, match="must be a Spark DataFrame here, not dict"):
            call({"question": "When?"})
    asked = Searching(str(tmp_path / "none"), "query", SearchOptions())
    with pytest.raises(StorageError, match="none: No such file or directory"):
        answer(embedded(), [{"query": "a"}], asked, None, "search")


def test_documents_are_those_of_one_machine(tmp_path):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "a.txt").write_text("Red fish. Blue fish.")
    (folder / "b.html").write_text("<title>Soup</title><p>One fish, two fish.")
    page = b"<html><title>Page</title><p>A page of the Web, with a few words.</html>"
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + page
    head = (
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
    )
    head += b"WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>\r\nContent-Length: %d\r\n" % len(body)
    head += b"Content-Type: application/http; msgtype=response\r\n\r\n"
    (folder / "c.warc.gz").write_bytes(gzip.compress(head + body + b"\r\n\r\n"))
    found = read_documents(embedded(), folder, ReadOptions()).to_arrow().to_pylist()
    pages = lw.documents(folder)
    none = dict.fromkeys(("url", "date", "from"))
    here = [{"id": one.id, "title": one.title, "text": one.text, "source": one.source, **none} for one in pages]
    assert found == [*here[:2], here[2] | {"url": "http://a.example/"}]
    assert len(found) == 3


@pytest.mark.parametrize("measure", ["bm25", "tfidf(phrases=true)", "spectra(weights=c.idf.qidf)", "soft-tfidf"])
def test_an_index_is_built_with_the_bytes_of_one_machine(measure, monkeypatch, tmp_path):
    monkeypatch.setattr(segment, "SEGMENT_TEXTS", 50)
    monkeypatch.setattr(build, "SEGMENT_TEXTS", 50)
    monkeypatch.setattr(segment, "SEGMENT_CHARACTERS", 600)
    monkeypatch.setattr(build, "SEGMENT_CHARACTERS", 600)
    monkeypatch.setattr(run, "BLOCK", 33)
    monkeypatch.setattr(analyser, "_WORDS", 5)  # words are forgotten after each segment
    rows = [{"key": f"k{place}", "name": text or None, "born": 1900 + place} for place, text in enumerate(LEFT)]
    found = build.build_on(embedded(), rows, tmp_path / "there", "name", "key", ["born"], measure)
    items = [segment.Item(row["key"], row["name"] or "", "", {"born": row["born"]}) for row in rows]
    here = lw.Index.build(items, measure=measure, path=tmp_path / "here")
    assert len(found.snapshot.segments) > 3
    for there, one in zip(found.snapshot.segments, here.snapshot.segments, strict=True):
        assert (tmp_path / "there" / there.name).read_bytes() == (tmp_path / "here" / one.name).read_bytes()
    assert found.snapshot.measure_json == here.snapshot.measure_json
    assert lw.Index.open(tmp_path / "there").search(LEFT[0]).ids == here.search(LEFT[0]).ids
    early = {"born": (1900, 1950)}
    assert found.search(LEFT[0], filters=early).ids == here.search(LEFT[0], filters=early).ids


def test_segments_of_an_index_fit_the_memory(monkeypatch, tmp_path):
    monkeypatch.setattr(build, "resident_memory", lambda: 0)
    monkeypatch.setattr(build, "_SLACK", 0)
    monkeypatch.setattr(build, "_LEAST", 1)
    monkeypatch.setattr(build, "_AT_MOST", 1 << 19)  # as if a character took so many bytes
    texts = [{"name": f"{name} {place}"} for place, name in enumerate(LEFT)]
    longest = {}
    for memory in ("512MB", "1GB"):
        found = build.build_on(embedded(memory=memory), texts, tmp_path / memory, "name", None, [], "bm25")
        sizes = [sum(map(len, one.texts())) for one in found.snapshot.segments]
        assert sum(sizes) == sum(len(one["name"]) for one in texts)
        longest[memory] = max(sizes)
    assert longest["512MB"] <= (512 - 96 << 20) >> 19 < longest["1GB"] <= (1024 - 96 << 20) >> 19
