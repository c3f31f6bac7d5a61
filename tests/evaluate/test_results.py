import json

import pytest

from likewise.errors import ColumnError, FormatError, InputError, OptionError
from likewise.evaluate import results


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    return write


MATCHES = "left,right,score\na,x,0.9\nb,y,0.8\nc,y,0.7\n"


def test_matches_against_pairs(write):
    report = results.er(write("m.csv", MATCHES), write("g.csv", "left,right\na,x\nc,y\nd,z\n"))
    assert report.figures["found"] == 2
    assert report.figures["precision"] == pytest.approx(2 / 3)
    assert report.figures["recall"] == pytest.approx(2 / 3)
    assert report.figures["correct"] == 3
    assert json.dumps(report.figures)


def test_decided_matches_are_ranked_by_their_probability(write):
    decided = "left,right,score,probability\na,x,0.2,0.9\nb,y,0.8,0.6\n"
    report = results.er(write("m.csv", decided), write("g.csv", "left,right\na,x\n"))
    assert (report.figures["average_precision"], report.figures["best_threshold"]) == (1.0, 0.9)


def test_gold_with_labels_and_other_names(write):
    gold = write("g.csv", "first,second,label\na,x,1\nb,y,0\n")
    assert results.er(write("m.csv", MATCHES), gold).figures["correct"] == 1


def test_matches_against_secondstring(write):
    gold = write("g.txt", "r\tk1\tA\nr\tk2\tB\ns\tk2\tB\ns\tk1\tA\n")
    report = results.er(write("m.csv", "left,right,score\n0,1,0.9\n1,0,0.8\n1,1,0.3\n"), gold)
    assert report.figures["iap"] == 1.0


def test_self_join_against_entities(write):
    gold = write("g.csv", "id,person\n1,a\n2,a\n3,b\n4,b\n")
    report = results.er(write("m.csv", "left,right,score\n2,1,0.9\n1,3,0.2\n"), gold, entity="person", id="id")
    assert report.figures["found"] == 1
    assert report.figures["correct"] == 2


def test_clusters_against_entities(write):
    gold = write("g.csv", "id,person\n1,a\n2,a\n3,b\n")
    report = results.er(write("c.csv", "id,cluster\n1,0\n2,0\n3,1\n"), gold, entity="person", id="id")
    assert report.figures["pairwise"]["f1"] == report.figures["bcubed"]["f1"] == 1.0


def test_records_without_a_label_are_with_no_other(write):
    gold = write("g.csv", "id,person\n1,a\n2,a\n3,\n4,\n")
    figures = results.er(write("c.csv", "id,cluster\n1,0\n2,0\n3,\n4,\n"), gold, entity="person", id="id").figures
    assert figures["clusters"] == figures["entities"] == 3


def test_links_have_no_direction_and_may_have_only_ranks(write):
    report = results.links(write("l.csv", "left,right,rank\nx,a,1\nb,c,2\n"), write("g.csv", "left,right\na,x\n"))
    assert report.figures["iap"] == 1.0


def test_runs_and_their_comparison(write):
    qrels = write("q", "".join(f"q{q} 0 d{q} 1\n" for q in range(8)))
    good = write("good.run", "".join(f"q{q} Q0 d{q} 1 2.0 t\nq{q} Q0 x 2 1.0 t\n" for q in range(8)))
    bad = write("bad.run", "".join(f"q{q} Q0 x 1 2.0 t\nq{q} Q0 d{q} 2 1.0 t\n" for q in range(7)))
    figures = results.ir(good, qrels, against=bad).figures
    assert figures["map"] == 1.0
    assert figures["against"]["map"]["difference"] == pytest.approx(1 - 3.5 / 8)
    assert figures["against"]["map"]["p_value"] < 0.02
    report = results.ir(bad, qrels)
    assert report.notes == ("1 judged queries have no results and count 0",)


def test_predictions_against_labels(write):
    gold = write("g.tsv", "id\tleft\tright\tlabel\np\tA\tB\tyes\nq\tC\tD\tno\n")
    report = results.pairs(write("r.csv", "id,label,score\nq,0,0.1\np,1,0.7\n"), gold)
    assert report.figures["accuracy"] == 1.0
    assert report.figures["oracle"]["best_f1"] == 1.0


def test_pairs_that_share_an_id_keep_their_order(write):
    gold = write("g.tsv", "id\tleft\tright\tlabel\np\tA\tB\tyes\np\tC\tD\tno\nb\tE\tF\tyes\n")
    assert results.pairs(write("r.csv", "id,label\nb,1\np,1\np,0\n"), gold).figures["accuracy"] == 1.0


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda w: results.er(w("m.csv", "left,score\n1,2\n"), w("g.csv", "a,b\n1,2\n")), ColumnError, "right"),
        (
            lambda w: results.links(w("m.csv", "left,right,score\n1,2,high\n"), w("g.csv", "a,b\n1,2\n")),
            InputError,
            "'high'",
        ),
        (lambda w: results.er(w("m.csv", MATCHES), w("g.csv", "a,b,label\n1,2,0\n")), FormatError, "no gold pairs"),
        (lambda w: results.er(w("c.csv", "id,cluster\n1,1\n"), w("g.csv", "a,b\n1,2\n")), InputError, "--entity"),
        (
            lambda w: results.er(w("c.csv", "id,cluster\n1,1\n"), w("g.csv", "a,b\n1,2\n"), entity="a", pattern="("),
            OptionError,
            "not a regular expression",
        ),
        (
            lambda w: results.pairs(w("r.csv", "id\n1\n"), w("g.tsv", "left\tright\tlabel\na\tb\t1\n")),
            ColumnError,
            "score",
        ),
        (
            lambda w: results.pairs(w("r.csv", "id,label\n9,1\n"), w("g.tsv", "left\tright\tlabel\na\tb\t1\n")),
            InputError,
            "do not hold the same pairs",
        ),
        (lambda w: results.ir(w("r", "1 Q0 d 1 1.0 t\n"), w("q", "1 0 d 0\n")), InputError, "no query with a relevant"),
    ],
)
def test_bad_input_is_told_in_words(write, call, error, words):
    with pytest.raises(error, match=words):
        call(write)


def test_ids_that_never_meet_are_remarked(write):
    with pytest.raises(InputError, match="the gold and the result have no id in common"):
        results.er(write("m.csv", MATCHES), write("g.csv", "left,right\n77,88\n"))
    first = MATCHES.splitlines()[1].split(",")[0]
    report = results.er(write("m.csv", MATCHES), write("g.csv", f"left,right\n{first},88\n"))
    assert "same ids" in report.notes[0]
