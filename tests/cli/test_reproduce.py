import json

import pytest


@pytest.mark.data
def test_one_row(data, cli):
    done = cli("reproduce", data, "--rows", "t5.ucd-people.c.idf", "--json")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads(done.stdout)["results"]
    assert row["ours"] == 1.0
    assert row["command"] == "likewise reproduce DATA --rows t5.ucd-people.c.idf"


def test_a_figure_out_of_tolerance_fails(tmp_path, cli):
    (tmp_path / "er").mkdir()
    (tmp_path / "er" / "ucdPeopleMatch.txt").write_text("a\t1\tAda\nb\t1\tBob\na\t2\tCy\nb\t3\tAda\nb\t2\tDan\n")
    done = cli("reproduce", tmp_path, "--only", "er", "--html", "report.html")
    assert done.returncode == 2
    assert "further from the published" in done.stderr
    assert "differs" in done.stdout
    assert (tmp_path / "report.html").read_text().startswith("<!doctype html>")
