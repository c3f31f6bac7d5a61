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
