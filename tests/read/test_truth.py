"""Yes and no: the same words mean the same in labels, gold and predictions."""

import pytest

from likewise.errors import FormatError, InputError
from likewise.evaluate import results
from likewise.evaluate.gold import tables
from likewise.quality import pairs
from likewise.read.tables import read_table
from likewise.read.truth import truth
from likewise.records.labels import read_labels

WORDS = [("1", "0"), ("y", "n"), ("T", "F"), ("yes", "no"), ("TRUE", "false"), ("match", "non-match"), ("1.0", "0.0")]


@pytest.mark.parametrize(("yes", "no"), WORDS)
def test_every_reader_knows_every_word(tmp_path, yes, no):
    assert (truth(yes), truth(no)) == (True, False)
    texts = tmp_path / "pairs.csv"
    texts.write_text(f"id,left,right,label\n1,a,b,{yes}\n2,c,d,{no}\n")
    assert pairs.read(texts).labels.tolist() == [True, False]
    predictions = tmp_path / "predicted.csv"
    predictions.write_text(f"id,label\n1,{yes}\n2,{no}\n")
    assert results.pairs(predictions, texts).figures["accuracy"] == 1.0
    gold = tmp_path / "gold.csv"
    gold.write_text(f"left,right,label\n1,2,{yes}\n3,4,{no}\n")
    assert tables.gold_pairs(gold) == {("1", "2")}
    records = read_table([{"id": key, "x": "a"} for key in "1234"], id="id")
    assert read_labels(gold, records, records)[2].tolist() == [True, False]


def test_a_word_that_is_neither_is_an_error_with_its_row(tmp_path):
    gold = tmp_path / "gold.csv"
    gold.write_text("left,right,label\n1,2,1\n3,4,perhaps\n")
    with pytest.raises(FormatError, match=r"line 3: label must be 1 or 0, .* not 'perhaps'"):
        tables.gold_pairs(gold)
    texts = tmp_path / "pairs.csv"
    texts.write_text("id,left,right,label\n1,a,b,1\n")
    predictions = tmp_path / "predicted.csv"
    predictions.write_text("id,label\n1,perhaps\n")
    with pytest.raises(InputError, match="line 2: label must be"):
        results.pairs(predictions, texts)


def test_a_label_of_thousands_of_digits_is_a_number():
    """``int`` refuses it, and that was a traceback."""
    assert (truth("9" * 5000), truth("0" * 5000), truth("0" * 5000 + "1")) == (True, False, True)
