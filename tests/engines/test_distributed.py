"""Pairs found block by block are the pairs of one machine, to the bit: on the embedded engine and on a real cluster."""

import random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likewise as lw
from likewise.jobs.distributed import input as input_job
from likewise.jobs.distributed import job, run, sides
from likewise.jobs.distributed.analysed import analysed
from likewise.jobs.distributed.blocks import Block, plan
from likewise.jobs.distributed.pairs import PairTask
from likewise.jobs.distributed.sides import Sides
from likewise.records.options import MatchOptions

SYLLABLES = ["an", "bel", "cor", "da", "el", "fi", "gor", "hu", "in", "jo", "ka", "lu", "mar", "no", "os"]


def names(count, seed):
    """Names with repeated ones, misspelt ones and gaps."""
    draw = random.Random(seed)
    made = [
        " ".join("".join(draw.choices(SYLLABLES, k=draw.randint(1, 3))).title() for _ in range(2)) for _ in range(count)
    ]
    for place in draw.sample(range(count), count // 5):
        other = draw.choice(made)
        made[place] = other if draw.random() < 0.5 else other.replace("a", "e", 1)
    made[3] = ""
    return made


LEFT, RIGHT = names(230, 1), names(170, 2)
RECORDS = [{"name": a, "city": b if place % 3 else None} for place, (a, b) in enumerate(zip(LEFT, RIGHT, strict=False))]
CASES = {
    "top": (LEFT, RIGHT, None, {"top": 2}),
    "top, one table": (LEFT, None, None, {"top": 3}),
    "top from a score on": (LEFT, RIGHT, None, {"top": 2, "min_score": 0.4}),
    "all pairs": (LEFT, RIGHT, None, {"all_pairs": True, "min_score": 0.4}),
    "all pairs, one table": (LEFT, None, None, {"all_pairs": True, "min_score": 0.4}),
    "a direction": (LEFT, None, lw.Spectra(coefficient="coverage"), {"all_pairs": True, "min_score": 0.6}),
    "phrases": (LEFT, RIGHT, lw.TfIdf(phrases=True), {"top": 2}),
    "soft": (LEFT[:60], None, lw.SoftTfIdf(), {"top": 1}),
    "bm25": (LEFT, RIGHT, lw.BM25(), {"top": 1}),
    "fields": (RECORDS, None, None, {"on": {"name": 2, "city": 1}, "top": 2}),
    "a measure a field": (RECORDS, None, {"name": "tfidf"}, {"on": ["name", "city"], "top": 1}),
    "fields, all pairs": (
        RECORDS[:90],
        RECORDS[50:],
        None,
        {"on": ["name", "city"], "all_pairs": True, "min_score": 0.5},
    ),
    "reciprocal": (LEFT, RIGHT, None, {"reciprocal": True, "min_score": 0.3}),
    "reciprocal, one table, a direction": (LEFT, None, lw.Spectra(coefficient="coverage"), {"reciprocal": True}),
    "reciprocal, a direction": (RIGHT, LEFT, lw.Spectra(coefficient="coverage"), {"reciprocal": True}),
    "no equals": (LEFT, None, None, {"exclude_equal": True, "top": 2}),
    "no equals, all pairs": (LEFT, RIGHT, None, {"exclude_equal": True, "all_pairs": True, "min_score": 0.4}),
    "fields, no equals": (RECORDS[:90], RECORDS, None, {"on": ["name", "city"], "exclude_equal": True, "top": 1}),
    "long texts": ([f"{a} " * 40 for a in LEFT[:60]], None, None, {"top": 1}),
    "in a language": (LEFT, RIGHT, None, {"top": 1, "language": "de"}),
    "all columns": (RECORDS, None, None, {"top": 1}),
    "equal city": (RECORDS + RECORDS, None, None, {"on": "name", "equal_on": "city", "top": 2}),
}


def on_embedded_engine(monkeypatch, left, right, measure, options, block=90, strips=2, **running):
    monkeypatch.setattr(run, "BLOCK", block)
    monkeypatch.setattr(run, "LARGEST", block)
    monkeypatch.setattr(job, "_STRIPS", strips)
    return lw.match(left, right, measure=measure, options=options, threads=2, engine="duckdb", **running)


@pytest.mark.parametrize("case", CASES)
def test_blocks_give_what_one_join_gives(case, monkeypatch):
    left, right, measure, named = CASES[case]
    options = MatchOptions(**named)
    found = on_embedded_engine(monkeypatch, left, right, measure, options)
    here = lw.match(left, right, measure=measure, options=options)
    assert len(found)
    assert found.to_arrow().equals(here.to_arrow())
    assert found.unmatched.equals(here.unmatched)
    assert str(found.measure) == str(here.measure)


FIRMS = [
    {"firm": f"{name.replace('a', 'á')} {form}".strip(), "street": f"{place % 7} {name} st."}
    for place, (name, form) in enumerate(zip(LEFT[:90], ["GmbH", "Ltd.", "", "S.A.", "Inc."] * 18, strict=True))
]
PLAIN = [{"firm": row["firm"].replace("á", "a"), "street": row["street"]} for row in FIRMS[::2]]


@pytest.mark.parametrize(
    ("clean", "named"),
    [
        ("accents", {"top": 2}),
        (("companies", {"st.": "street"}), {"all_pairs": True, "min_score": 0.5}),
        ("file", {"top": 1}),
    ],
)
def test_texts_are_cleaned_before_they_are_weighed_and_compared(clean, named, monkeypatch, tmp_path):
    """As on one machine, and not in vain; a file of abbreviations is read here, for other machines may not have it."""
    if clean == "file":
        clean = str(tmp_path / "short.tsv")
        (tmp_path / "short.tsv").write_text("st.\tstreet\n")
    both = FIRMS, PLAIN, None
    options = MatchOptions(on=["firm", "street"], clean=clean, **named)
    found = on_embedded_engine(monkeypatch, *both, options, block=20, work=str(tmp_path / "w"))
    here = lw.match(*both[:2], options=options)
    assert found.to_arrow().equals(here.to_arrow())
    assert found.unmatched.equals(here.unmatched)
    assert not here.to_arrow().equals(lw.match(*both[:2], on=["firm", "street"], **named).to_arrow())
    if isinstance(clean, str) and clean.endswith(".tsv"):
        (tmp_path / "short.tsv").write_text("st.\tsaint\n")
        with pytest.raises(lw.StorageError, match="other input or options"):
            on_embedded_engine(monkeypatch, *both, options, work=str(tmp_path / "w"))
        (tmp_path / "short.tsv").unlink()
        with pytest.raises(lw.OptionError, match=r"short\.tsv' cannot be read"):
            on_embedded_engine(monkeypatch, *both, options, work=str(tmp_path / "w"))


def test_what_needs_all_records_is_found_in_one_process():
    found = lw.match(LEFT, RIGHT, engine="duckdb", top=1, clean=str.upper)
    here = lw.match(LEFT, RIGHT, top=1, clean=str.upper)
    assert found.to_arrow().equals(here.to_arrow())
    assert found.unmatched.equals(here.unmatched)


@pytest.mark.parametrize(
    ("tables", "named"),
    [
        ((LEFT[:90], RIGHT[:50]), {"top": 2}),
        ((LEFT[:90], None), {"all_pairs": True, "min_score": 0.4}),
        ((LEFT[:90], RIGHT[:50]), {"reciprocal": True}),
        ((FIRMS, PLAIN), {"on": {"firm": 2, "street": 1}, "top": 1, "clean": "accents"}),
    ],
)
def test_tasks_explain_the_pairs_of_a_list_with_the_words_of_one_machine(tables, named, monkeypatch, tmp_path):
    options = MatchOptions(explain=True, **named)
    work = str(tmp_path / "w")
    found = on_embedded_engine(monkeypatch, *tables, None, options, block=20, work=work)
    here = lw.match(*tables, options=options)
    assert found.to_arrow().equals(here.to_arrow())
    assert found.to_arrow().column_names[-1] == "why"
    stages = {stage.name: stage for stage in found.report.stages}
    assert stages["explain"].counts["explained"] == len(here) > 0
    assert (
        on_embedded_engine(monkeypatch, *tables, None, options, block=20, work=work).to_arrow().equals(here.to_arrow())
    )


def test_labels_are_learnt_from_and_too_many_records_are_refused():
    labels = [(place, place if place % 3 else place + 40, place % 3 > 0) for place in range(30)]
    right = [text.replace("o", "u", 1) for text in LEFT[:120]] + RIGHT[:50]
    found = lw.match(LEFT, right, labels=labels, engine="duckdb")
    here = lw.match(LEFT, right, labels=labels)
    assert found.to_arrow().equals(here.to_arrow())
    assert found.model is not None
    assert found.decision == here.decision
    with pytest.raises(lw.OptionError, match=r"about \d GB, memory is 512MB: .* top, all or all_pairs"):
        lw.match(LEFT * 160, clean=str.upper, engine="duckdb", memory="512MB")


@pytest.mark.parametrize("block", [1, 7, 64, 1000])
def test_the_size_of_blocks_changes_nothing(block, monkeypatch):
    options = MatchOptions(top=2)
    found = on_embedded_engine(monkeypatch, LEFT[:40], RIGHT[:30], None, options, block)
    assert found.to_arrow().equals(lw.match(LEFT[:40], RIGHT[:30], options=options).to_arrow())


def test_scores_of_yesterday_can_be_repeated_when_the_collection_has_grown(tmp_path):
    before = lw.match(LEFT, engine="duckdb", top=1, work=str(tmp_path / "1"))
    before.measure.save(tmp_path / "measure.json")
    after = lw.match(LEFT, RIGHT + LEFT, engine="duckdb", measure=str(tmp_path / "measure.json"), top=400)
    scores = {(match.left, match.right - len(RIGHT)): match.score for match in after}
    assert all(scores[match.left, match.right] == match.score for match in before)
    weighed_anew = lw.match(LEFT, RIGHT + LEFT, engine="duckdb", top=400)
    assert {match.score for match in weighed_anew} != set(scores.values())


def test_files_with_large_row_groups_are_read_in_small_ones(monkeypatch, tmp_path):
    for place in range(2):
        pq.write_table(pa.table({"name": LEFT[place::2] * 3}), tmp_path / f"{place}.parquet")
    monkeypatch.setattr(input_job, "_LARGE", 100)
    monkeypatch.setattr(input_job, "_GROUP", 1000)
    named = {"all_pairs": True, "min_score": 0.6}
    found = lw.match(str(tmp_path / "*.parquet"), engine="duckdb", work=str(tmp_path / "w"), **named)
    assert [pq.read_metadata(path).num_row_groups for path in (tmp_path / "w" / "left").iterdir()] == [2, 2]
    assert found.to_arrow().equals(lw.match(str(tmp_path / "*.parquet"), **named).to_arrow())


def test_documents_that_strips_share_are_analysed_once(monkeypatch):
    """Rows of terms are mapped by those who come later, with the scores of one machine; measures may be mixed."""
    texts = [f"{a} {b} " * 30 for a, b in zip(LEFT, RIGHT, strict=False)]
    counted = []
    monkeypatch.setattr(sides, "analysed", lambda path, *rest: counted.append(path) or analysed(path, *rest))
    options = MatchOptions(all_pairs=True, min_score=0.45)  # below what goes by the rarest terms
    found = on_embedded_engine(monkeypatch, texts, None, None, options, block=30)
    assert found.to_arrow().equals(lw.match(texts, options=options).to_arrow())
    assert len(found)
    assert len(set(counted)) == 6 < len(counted)


def test_a_run_goes_on_from_finished_strips(monkeypatch, tmp_path):
    options = MatchOptions(top=1)
    first = on_embedded_engine(monkeypatch, LEFT, RIGHT, None, options, work=str(tmp_path / "w")).to_arrow()
    made = sorted((tmp_path / "w" / "pairs").iterdir())
    made[1].unlink()
    kept = made[0].stat().st_mtime_ns
    again = on_embedded_engine(monkeypatch, LEFT, RIGHT, None, options, work=str(tmp_path / "w"))
    assert again.to_arrow().equals(first)
    assert made[0].stat().st_mtime_ns == kept


def test_blocks_cover_every_row_once(tmp_path):
    tmp_path.joinpath("left").mkdir()
    for part, rows in enumerate((5, 0, 9, 1)):
        table = pa.table({"name": [f"{part}-{row}" for row in range(rows)]}, schema=pa.schema([("name", pa.string())]))
        pq.write_table(table, tmp_path / "left" / f"part-{part}.parquet", row_group_size=2)
    blocks = plan(sorted(tmp_path.joinpath("left").iterdir()), 4)
    assert [len(block) for block in blocks] == [4, 4, 4, 3]
    texts = [
        text for block in blocks for text in block.read(["name"], None, "left", {}).table.column("name").to_pylist()
    ]
    assert texts == [f"{part}-{row}" for part, rows in enumerate((5, 0, 9, 1)) for row in range(rows)]
    assert blocks[2].read(["name"], None, "left", {}).ids.to_pylist() == [8, 9, 10, 11]


def test_blocks_fit_the_memory_of_a_task_however_large_the_input(monkeypatch, tmp_path):
    """What a task holds is bounded by counts: ten times the input means more blocks, not larger ones."""
    sizes = []
    monkeypatch.setattr("likewise.engines.options._LEAST", 0)
    for times in (1, 10):
        texts = [f"{name} " * 1500 for name in LEFT[:50]] * times
        work = tmp_path / str(times)
        lw.match(texts, measure=lw.TfIdf(), top=1, engine="duckdb", threads=1, memory="256MB", work=str(work))
        read = [pq.read_metadata(path).num_rows for path in sorted((work / "pairs").iterdir())]
        sizes.append(int((work / "pairs-block.json").read_text()))
        assert max(read) <= sizes[-1]
    assert sizes[1] <= sizes[0] < 500 / 4  # larger counts take some room, too


def test_progress_names_the_stage_and_how_many_of_its_tasks_are_done():
    told = []
    lw.match(LEFT[:40], top=1, engine="duckdb", progress=lambda *said: told.append(said))
    stages = list(dict.fromkeys(unit.partition(":")[0] for _, _, unit in told))
    assert stages == ["start", "keep", "learn", "pairs"]
    assert (0, None, "pairs") in told
    assert (1, 1, "pairs: blocks matched") in told


def test_a_strip_meets_itself_and_what_comes_after_it_in_few_pieces(tmp_path):
    """However many strips there are: every piece looks up the lists of the strip once more."""
    rights = (Block(0, 0, (("a", 0, 60),)), Block(1, 60, (("a", 60, 100),)))
    sides = Sides(("name",), ("name",), (1.0,), False, (None, None))
    task = PairTask(tmp_path, sides, rights, tmp_path, 0, 0.8, self_join=True, half=True)
    met = [(block.first, block.end) for block in task._order(Block(1, 10, (("a", 10, 20),)))]
    assert met == [(10, 20), (20, 60), (60, 100)]
