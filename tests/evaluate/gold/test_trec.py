import pytest

from likewise.errors import FormatError
from likewise.evaluate.gold import trec


def test_run_and_qrels_come_back_as_written(tmp_path):
    run = {"1": {"a": 0.1 + 0.2, "b": 7.0}, "2": {"c": -1.0}}
    trec.write_run(tmp_path / "run", run)
    assert (tmp_path / "run").read_text().split("\n")[0] == "1 Q0 b 1 7.0 likewise"
    assert trec.read_run(tmp_path / "run") == run
    qrels = {"1": {"a": 2, "z": 0}}
    trec.write_qrels(tmp_path / "qrels", qrels)
    assert trec.read_qrels(tmp_path / "qrels") == qrels


@pytest.mark.parametrize(
    ("read", "content", "words"),
    [
        (trec.read_run, "", "empty"),
        (trec.read_run, "1 Q0 d 1\n", "4 fields"),
        (trec.read_run, "1 Q0 d 1 high x\n", "not a number"),
        (trec.read_qrels, "1 d 1\n", "3 fields"),
        (trec.read_qrels, "1 0 d x\n", "not a number"),
    ],
)
def test_what_cannot_be_read(tmp_path, read, content, words):
    (tmp_path / "f").write_text(content)
    with pytest.raises(FormatError, match=words):
        read(tmp_path / "f")


def test_ids_with_blanks_are_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(FormatError, match="blank"):
        trec.write_run(tmp_path / "run", {"1": {"a b": 1.0}})
    assert not (tmp_path / "run").exists()
