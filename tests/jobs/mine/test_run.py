"""Whole runs on the embedded engine: as the twin, the same bytes, restartable, bounded, honest about bad input."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests import killing
from tests.jobs.mine import corpus
from tests.reference import paraphrases as twin

import likewise as lw
from likewise.analyse.tagger import model
from likewise.errors import Cancelled, ForeignError, FormatError, InputError, LockedError, OptionError, StorageError
from likewise.jobs import shards
from likewise.jobs.mine import run as module
from likewise.jobs.mine.options import MineOptions, RunOptions
from likewise.jobs.mine.stages import read_sentences
from likewise.jobs.shards import group, plan
from likewise.jobs.work_folder import WorkFolder
from likewise.read import ReadOptions


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return corpus.write(tmp_path_factory.mktemp("corpus") / "texts")


def sentences_of(folder, tmp_path, **options):
    """The checked, tagged sentences of a corpus, as the twin takes them."""
    out = tmp_path / "sentences.parquet"
    module.run(folder, out, MineOptions(**options), RunOptions(stop_after="sentences"), ReadOptions())
    names = model().tags
    stage = tmp_path / "sentences.parquet.work" / "sentences"
    found = []
    for shard in plan(folder):
        for batch in read_sentences(stage, shard):
            for tokens, tags in zip(batch.column("tokens").to_pylist(), batch.column("tags").to_pylist(), strict=True):
                found.append([(token, names[tag]) for token, tag in zip(tokens, tags, strict=True)])
    return found


@pytest.mark.parametrize(
    ("anchors", "context", "support"), [("ngram", 3, 3), ("ngram", 2, 5), ("entity", 1, 3), ("relative", 2, 4)]
)
def test_pairs_and_counts_as_the_twin_finds_them(folder, tmp_path, anchors, context, support):
    sentences = sentences_of(folder, tmp_path, anchors="entity")
    expected = twin.pairs(sentences, support, anchors=anchors, context=context)
    assert expected
    for threads in (1, 2):
        found = lw.mine(folder, anchors=anchors, context=context, support=support, threads=threads, memory="1GB")
        assert {(p.phrase, p.paraphrase): (p.support, p.anchors) for p in found} == expected


def test_the_papers_own_examples_are_found(folder):
    for anchors in ("ngram", "entity", "relative"):
        found = lw.mine(folder, anchors=anchors, context=2, support=4)
        pairs = {(p.phrase, p.paraphrase) for p in found}
        assert ("pulled out of", "withdrew from") in pairs
        assert ("came into force", "took effect") in pairs
        best = found.of("took effect", 1)[0]
        assert best.paraphrase == "came into force"
        assert best.samples[0]["phrase_source"].endswith(".txt")


def test_bytes_do_not_depend_on_threads_or_memory(folder, tmp_path):
    made = set()
    for number, (threads, memory) in enumerate([(1, "1GB"), (2, "1GB"), (2, "4GB")]):
        out = tmp_path / f"{number}.parquet"
        lw.mine(folder, output=out, support=3, threads=threads, memory=memory)
        made.add(out.read_bytes())
    assert len(made) == 1


def test_columns_ranks_and_report(folder, tmp_path):
    out = tmp_path / "pp.parquet"
    found = lw.mine(folder, output=out, support=3)
    table = pq.read_table(out)
    assert table.column_names == [
        "phrase", "paraphrase", "support", "anchors", "rank", "specific", "probability", "class",
        "phrase_count", "paraphrase_count", "documents", "together", "both", "samples",
    ]  # fmt: skip
    assert table.column("rank").to_pylist() == list(range(1, len(found) + 1))
    supports = table.column("support").to_pylist()
    assert supports == sorted(supports, reverse=True)
    report = json.loads((tmp_path / "pp.parquet.report.json").read_text())
    counts = report["counts"]["sentences"]
    assert counts["sentences"] == sum(counts[name] for name in ("kept", "fewer words", "more words",
        "no verb", "no lower case", "long word", "numbers")) + counts["in documents not English"]  # fmt: skip
    assert report["counts"]["pairs"]["pairs"] == len(found)
    assert [step["table"] for step in report["steps"]][:2] == ["rows_0", "rows_1"]
    assert "<h1>" in (tmp_path / "pp.parquet.report.html").read_text()
    assert not (tmp_path / "pp.parquet.work").exists()


@pytest.mark.parametrize("anchors", ["ngram", "entity"])
def test_a_tagger_of_ones_own_is_asked(folder, anchors):
    ours = lw.mine(folder, anchors=anchors, context=1, support=3).to_arrow()
    for name in ("likewise.analyse.tagger:PerceptronTagger", "tests.jobs.mine.tagged:Borrowed"):
        found = lw.mine(folder, anchors=anchors, context=1, support=3, tagger="own", tagger_from=name)
        assert found.to_arrow().equals(ours)
        assert len(found)


def test_the_tags_of_a_tagger_of_ones_own_count(tmp_path):
    """A river that is no name leaves its anchors."""
    text = "Together they form the Platte River, which eventually {} into the Gulf of Mexico."
    (tmp_path / "a.txt").write_text("\n\n".join(text.format(verb) for verb in ("flows", "pours", "runs")))
    options = {"anchors": "entity", "context": 2, "support": 1}
    attached = [
        {sample["attached"] for pair in found for sample in pair.samples}
        for found in (
            lw.mine(tmp_path, **options),
            lw.mine(tmp_path, **options, tagger="own", tagger_from="tests.jobs.mine.tagged:Borrowed"),
        )
    ]
    assert attached == [{f"{river}\t{place}" for place in ("Gulf", "Mexico")} for river in ("Platte River", "Platte")]


def test_max_candidates_leaves_wide_anchors_out_and_counts_them(folder):
    all_of_them = lw.mine(folder, support=2)
    bounded = lw.mine(folder, support=2, max_candidates=2)
    assert len(bounded) < len(all_of_them)
    assert bounded.report.counts["pairs"]["anchors dropped by max_candidates"] > 0


def test_copies_do_not_inflate_support(folder, tmp_path):
    once = lw.mine(folder, support=3)
    texts = sorted(folder.glob("*.txt"))
    for number, path in enumerate([*texts, *texts]):
        (tmp_path / f"{number}.txt").write_bytes(path.read_bytes())
    twice = lw.mine(tmp_path, support=3)
    rows = [[(p.phrase, p.paraphrase, p.support, p.anchors) for p in found] for found in (once, twice)]
    assert rows[0] == rows[1]


@pytest.mark.parametrize("stage", ["sentences", "rows", "pairs"])
def test_a_run_stops_after_a_stage_and_goes_on_to_the_same_bytes(folder, tmp_path, stage):
    straight, resumed = tmp_path / "a.parquet", tmp_path / "b.parquet"
    lw.mine(folder, output=straight, support=3)
    stopped = module.run(folder, resumed, MineOptions(support=3), RunOptions(stop_after=stage), ReadOptions())
    assert stopped is None
    assert not resumed.exists()
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "b.parquet.work" / "sentences").glob("*.arrow")}
    assert before
    kept = lw.mine(folder, output=resumed, support=3, keep_work=True)
    after = {path: path.stat().st_mtime_ns for path in (tmp_path / "b.parquet.work" / "sentences").glob("*.arrow")}
    assert after == before
    assert straight.read_bytes() == resumed.read_bytes()
    assert len(kept)


def test_other_options_start_over(folder, tmp_path):
    out = tmp_path / "pp.parquet"
    module.run(folder, out, MineOptions(support=3), RunOptions(stop_after="rows"), ReadOptions())
    found = lw.mine(folder, output=out, support=4)
    assert len(found) == len(lw.mine(folder, support=4))


def test_a_progress_callback_stops_the_work_and_nothing_is_lost(folder, tmp_path):
    def stop(done, total, unit):
        if unit == "shards anchored":
            raise Cancelled("enough")

    out = tmp_path / "pp.parquet"
    with pytest.raises(Cancelled):
        lw.mine(folder, output=out, support=3, progress=stop)
    assert not out.exists()
    assert len(list((tmp_path / "pp.parquet.work" / "sentences").glob("*.json"))) == len(plan(folder))
    lw.mine(folder, output=out, support=3)


def one_file(folder, path):
    """The texts of a folder as one file, in the format that its name says."""
    texts = [text.read_text(encoding="utf-8") for text in sorted(folder.glob("*.txt"))]
    paragraphs = [part for text in texts for part in text.split("\n\n") if part.strip()]
    if ".jsonl" in path.name:
        data = "".join(json.dumps({"text": part}) + "\n" for part in paragraphs)
    elif ".txt" in path.name:
        data = "\n\n".join(paragraphs)
    else:
        data = "".join(f'<doc id="{n}" title="">\n{part}\n</doc>\n' for n, part in enumerate(paragraphs))
    path.write_bytes(gzip.compress(data.encode()) if path.suffix == ".gz" else data.encode())
    return path


@pytest.mark.parametrize("name", ["all.jsonl", "all.jsonl.gz", "all.txt", "all"])
def test_a_large_file_in_pieces_gives_the_bytes_of_the_whole(folder, tmp_path, monkeypatch, name):
    path = one_file(folder, tmp_path / name)
    limit = 30_000 if name == "all.txt" else 16 << 20
    made = []
    for number, size in enumerate([1 << 30, 4_000]):
        monkeypatch.setattr(shards, "_PIECE", size)
        monkeypatch.setattr(shards, "_SMALL", 1)
        out = tmp_path / f"{number}.parquet"
        found = lw.mine(path, output=out, support=3, max_bytes=limit)
        made.append((out.read_bytes(), found.report.counts, found.report.skipped))
        assert len(found) > 100
    assert len(plan(path, ReadOptions(max_bytes=limit))) > 1
    assert made[0] == made[1]


KILLED = """
import likewise as lw
from likewise.jobs import shards
shards._PIECE = shards._SMALL = 20_000
watch(int(sys.argv[1]))
lw.mine(sys.argv[2], output=sys.argv[3], support=3, threads=1)
"""


def test_killed_runs_end_with_the_same_bytes(folder, tmp_path):
    """Killed four times, each time further on; benchmarks/mining_kills.py does many more. One file is cut in pieces."""
    source = one_file(folder, tmp_path / "all.jsonl")
    straight, killed = tmp_path / "a.parquet", tmp_path / "b.parquet"
    changes = killing.run(KILLED, 0, source, straight)
    for _ in range(4):
        assert killing.run(KILLED, changes // 5, source, killed) == -1
        assert not killed.exists()
    killing.run(KILLED, 0, source, killed)
    assert straight.read_bytes() == killed.read_bytes()


def test_two_runs_in_one_folder_are_refused(folder, tmp_path):
    with WorkFolder(tmp_path / "w", ()).locked(), pytest.raises(LockedError, match="another run"):
        lw.mine(folder, output=tmp_path / "o.parquet", work=str(tmp_path / "w"))


def test_a_folder_of_other_things_is_no_work_folder(folder, tmp_path):
    (tmp_path / "precious.txt").write_text("mine")
    with pytest.raises(ForeignError):
        lw.mine(folder, output=tmp_path / "o.parquet", work=str(tmp_path))
    assert (tmp_path / "precious.txt").read_text() == "mine"


BAD_INPUT = [
    ("empty.txt", b"", "no text"),
    ("zeros.bin", bytes(5000), "binary"),
    ("cut.txt.gz", gzip.compress(b"The cat sat on the mat. " * 5000)[:-20], "truncated"),
    ("not.gz", b"\x1f\x8b this is no gzip", "broken"),
]


@pytest.mark.parametrize(("name", "content", "reason"), BAD_INPUT)
def test_bad_input_is_counted_and_its_neighbours_are_kept(folder, tmp_path, name, content, reason):
    (tmp_path / name).write_bytes(content)
    found = lw.mine([folder, tmp_path / name], support=3)
    assert found.report.skipped.get(reason) == 1, found.report.skipped
    assert len(found) == len(lw.mine(folder, support=3))
    with pytest.raises(FormatError):
        lw.mine([folder, tmp_path / name], support=3, strict=True)


def test_nothing_to_mine_gives_an_empty_table(tmp_path):
    (tmp_path / "a.txt").write_text("Too short. Also short.")
    out = tmp_path / "pp.parquet"
    assert len(lw.mine(tmp_path / "a.txt", output=out)) == 0
    assert len(lw.Paraphrases.read(out)) == 0
    assert lw.Paraphrases.read(out).of("anything") == []


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"anchors": "clause"}, OptionError, "anchors must be one of"),
        ({"context": 0}, OptionError, "context must be between"),
        ({"max_phrase": 1, "min_phrase": 2}, OptionError, "max_phrase"),
        ({"tagger": "none", "anchors": "entity"}, OptionError, "needs part-of-speech tags"),
        ({"tagger": "own"}, OptionError, "tagger_from"),
        ({"tagger_from": "en_core_web_sm"}, OptionError, "tagger_from"),
        ({"tagger": "own", "tagger_from": "nowhere:Tagger"}, OptionError, "module:name"),
        ({"memory": "10MB"}, OptionError, "512MB or more"),
        ({"master": "local[2]"}, OptionError, "engine 'spark'"),
        ({"suport": 3}, OptionError, "unknown option 'suport'"),
        ({"stop_after": "rows"}, OptionError, "stop_after"),
    ],
)
def test_wrong_options_are_refused_in_words(folder, options, error, words):
    with pytest.raises(error, match=words):
        lw.mine(folder, **options)


def test_wrong_paths_are_refused_in_words(folder, tmp_path):
    with pytest.raises(InputError, match="no such file"):
        lw.mine(tmp_path / "absent")
    with pytest.raises(StorageError):
        lw.mine(folder, output=tmp_path)
    with pytest.raises(StorageError):
        lw.mine(folder, output="/proc/nowhere/pp.parquet")


def test_a_full_disk_is_an_error_and_finished_shards_stay(folder, tmp_path, monkeypatch):
    from likewise.jobs.mine import stages

    real, calls = stages.finish, []

    def full(marker, table, counts):
        calls.append(marker)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return real(marker, table, counts)

    monkeypatch.setattr(stages, "finish", full)
    out = tmp_path / "pp.parquet"
    with pytest.raises(StorageError, match=r"No space left.*finished shards"):
        lw.mine(folder, output=out, support=3, threads=1)
    monkeypatch.undo()
    assert len(list((tmp_path / "pp.parquet.work" / "sentences").glob("*.json"))) >= 1
    assert len(lw.mine(folder, output=out, support=3)) > 0


def test_small_files_share_a_shard_and_large_ones_do_not():
    shards = group([((str(n), str(n), None), 50_000) for n in range(20)] + [(("big", "big", None), 10**7)])
    assert sum(len(shard.files) for shard in shards) == 21
    assert 1 < len(shards) < 8


def test_rows_survive_a_table_of_any_size(folder, monkeypatch):
    """Smaller tables of counters let more rows through and change no result."""
    wanted = pa.table({})
    for bits in (12, 15, 24):
        monkeypatch.setattr(module, "_table_bits", lambda *_, bits=bits: bits)
        found = lw.mine(folder, support=3).to_arrow()
        assert bits == 12 or found.equals(wanted)
        wanted = found


def test_a_table_that_lost_its_end_is_made_again(folder, tmp_path):
    """Shards are not synced one by one; after a loss of power a table may be shorter than its marker says."""
    straight, damaged = tmp_path / "a.parquet", tmp_path / "b.parquet"
    lw.mine(folder, output=straight, support=3)
    module.run(folder, damaged, MineOptions(support=3), RunOptions(stop_after="rows"), ReadOptions())
    stage = tmp_path / "b.parquet.work"
    for table in (next((stage / "sentences").glob("*.arrow")), next((stage / "rows").glob("*.parquet"))):
        table.write_bytes(table.read_bytes()[:-100])
    lw.mine(folder, output=damaged, support=3)
    assert straight.read_bytes() == damaged.read_bytes()


def test_progress_tells_the_stages_and_the_speed(folder):
    told = []
    lw.mine(folder, support=3, progress=lambda done, total, unit: told.append((done, total, unit)))
    units = [unit for _, _, unit in told]
    assert any("sentences/s" in unit for unit in units)
    assert units[-1] == "shards weighed"
    assert all(done <= total for done, total, _ in told)
