"""What every result can do."""

import pickle

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import likewise as lw
from likewise.errors import OptionError

LEFT = ["Ada Lovelace", "Gödel, Kurt", "Grace Hopper"]
RIGHT = ["Kurt Gödel", "Lovelace, Ada", "Hopper, Grace"]
MATCHED = lw.match(LEFT, RIGHT, min_score=0.1)


def test_a_result_is_a_sequence():
    assert len(MATCHED) == len(list(MATCHED)) == 3
    assert [match.left for match in MATCHED] == [0, 1, 2]
    assert MATCHED[0] == next(iter(MATCHED))
    assert MATCHED[-1] == list(MATCHED)[2]
    assert [match.left for match in MATCHED[1:]] == [1, 2]
    assert [match.left for match in MATCHED[::-1]] == [2, 1, 0]
    assert isinstance(MATCHED.head(2), type(MATCHED))
    assert len(MATCHED.head(2)) == 2
    assert next(iter(MATCHED.rows()))["right_text"] == "Lovelace, Ada"
    with pytest.raises(IndexError, match="there is no pair 3: the result has 3 pairs"):
        MATCHED[3]


def test_repr_is_one_short_line():
    assert repr(MATCHED) == "MatchResult(3 pairs)"
    assert repr(MATCHED.head(1)) == "MatchResult(1 pair)"
    assert "was 0.85 meant?" in repr(lw.match(LEFT, LEFT, min_score=85))
    assert repr(lw.dedupe(LEFT, min_score=0.5)) == "DedupeResult(3 clusters)"


def test_frames():
    import polars

    assert MATCHED.to_pandas().shape == MATCHED.to_polars().shape == (3, 6)
    assert polars.DataFrame(MATCHED).equals(MATCHED.to_polars())
    assert pa.table(MATCHED).equals(MATCHED.to_arrow())


def test_clusters_are_sliced_as_clusters():
    found = lw.dedupe([*LEFT, "Lovelace Ada"], min_score=0.5)
    assert [cluster.ids for cluster in found] == [(0, 3), (1,), (2,)]
    assert found[0].ids == (0, 3)
    assert [cluster.ids for cluster in found[1:]] == [(1,), (2,)]
    assert found.head(1).to_arrow().num_rows == 2


def test_write_goes_by_the_name(tmp_path):
    for name in ("a.csv", "a.tsv", "a.jsonl", "a.csv.gz", "a.parquet"):
        MATCHED.write(tmp_path / name)
    assert pq.read_table(tmp_path / "a.parquet").equals(MATCHED.to_arrow())
    assert (tmp_path / "a.tsv").read_text().startswith("left\tright\t")
    assert (tmp_path / "a.csv.gz").read_bytes()[:2] == b"\x1f\x8b"


@pytest.mark.parametrize(
    ("method", "good", "bad"),
    [("to_csv", "a.txt", "a.parquet"), ("to_jsonl", "a.ndjson", "a.csv"), ("to_parquet", "a.pq", "a.jsonl")],
)
def test_methods_write_what_they_say(tmp_path, method, good, bad):
    getattr(MATCHED, method)(tmp_path / good)
    content = (tmp_path / good).read_bytes()
    assert content.startswith({"to_csv": b"left,right", "to_jsonl": b'{"left"', "to_parquet": b"PAR1"}[method])
    with pytest.raises(OptionError, match=f"{method} writes .*, but the name .* says {bad[2:]}"):
        getattr(MATCHED, method)(tmp_path / bad)
    assert not (tmp_path / bad).exists()


def test_notebooks_get_a_small_table_with_bars_and_marks():
    page = MATCHED._repr_html_()
    assert "<mark>" in page
    assert "linear-gradient" in page
    assert page.count("<tr>") == 4
    many = lw.match([f"name {n}" for n in range(50)], [f"name {n}" for n in range(50)])
    assert many._repr_html_().count("<tr>") == 11
    assert "40 more rows" in many._repr_html_()
    hostile = lw.match(["<script>alert(1)</script>"], ["<script>alert(1)</script>"])
    assert "<script>" not in hostile._repr_html_()


def test_results_survive_pickling():
    assert list(pickle.loads(pickle.dumps(MATCHED))) == list(MATCHED)
