import json


def test_er_with_curve(tmp_path, cli):
    (tmp_path / "m.csv").write_text("left,right,score\na,x,0.9\nb,y,0.8\n")
    (tmp_path / "g.csv").write_text("left,right\na,x\n")
    done = cli("evaluate", "er", "m.csv", "g.csv", "--json", "--plot", "curve.svg")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["iap"] == 1.0
    assert (tmp_path / "curve.svg").read_text().startswith("<svg")
    plain = cli("evaluate", "er", "m.csv", "g.csv")
    assert "best_f1" in plain.stdout


def test_errors_are_one_line(tmp_path, cli):
    (tmp_path / "m.csv").write_text("left,right,score\na,x,0.9\n")
    done = cli("evaluate", "er", "m.csv", "missing.csv")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "missing.csv" in done.stderr


def test_help_teaches(cli):
    done = cli("evaluate", "er", "--help")
    assert "SecondString" in done.stdout


def test_unpacked_collections_go_through_search_and_match(tmp_path, cli):
    from tests.evaluate.gold.test_collections import COLLECTIONS, write

    write(tmp_path / "ir" / "time", COLLECTIONS["time"])
    done = cli("evaluate", "unpack", ".", "time", "-o", "time")
    assert done.returncode == 0, done.stderr
    assert "where the whole collection has" in done.stderr
    assert (tmp_path / "time" / "queries.tsv").read_text() == "1\tWHO ?\n2\tWHAT ?\n"
    assert (tmp_path / "time" / "qrels.txt").read_text() == "1 0 1 1\n1 0 2 1\n2 0 2 1\n"
    (tmp_path / "names.txt").write_text("a\tk1\tAda, Countess\nb\tk1\tAda\n")
    done = cli("evaluate", "unpack", ".", "names", "-o", "er")
    assert (tmp_path / "er" / "left.csv").read_text() == 'id,text\n0,"Ada, Countess"\n'
    assert (tmp_path / "er" / "gold.csv").read_text() == "left,right\n0,0\n"
    done = cli("evaluate", "unpack", ".", "nothing", "-o", "other")
    assert done.returncode == 2
    assert "known names" in done.stderr
