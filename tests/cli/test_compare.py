"""``likewise compare`` as people type it."""

import json
import subprocess
import sys

import pytest

import likewise as lw


def test_score_and_measure(cli):
    done = cli("compare", "Gonzalo Gonzalez", "Gonzales, Gonzalo")
    assert done.returncode == 0
    score, _, measure = done.stdout.strip().partition("  ")
    assert float(score) == pytest.approx(0.821809)
    assert measure == "spectra(q=2:4, padding=single, weights=c, coefficient=harmonic)"


def test_explanation_adds_up_and_is_plain_without_a_terminal(cli):
    done = cli("compare", "red apple", "green apples", "--explain")
    assert "[apple]" in done.stdout
    assert "\x1b" not in done.stdout
    done = cli("compare", "red apple", "green apples", "--json")
    result = json.loads(done.stdout)
    assert sum(part["value"] for part in result["contributions"]) == pytest.approx(result["score"])


def test_files_and_standard_input(cli, tmp_path):
    (tmp_path / "a.txt").write_bytes("\ufeffcafé au lait\r\n".encode())
    done = cli("compare", "@a.txt", "CAFÉ au lait", "--measure", "tfidf", "--weights", "tf")
    assert float(done.stdout.split()[0]) == pytest.approx(1)


def test_saved_measure(cli, tmp_path):
    from likewise import Spectra

    measure = Spectra(weights="c.idf").fit(["a b", "b c", "c d"])
    measure.save(tmp_path / "m.json")
    done = cli("compare", "a b", "b d", "--measure", "m.json", "--json")
    assert json.loads(done.stdout)["score"] == measure.score("a b", "b d")
    assert cli("compare", "a", "b", "--measure", "m.json", "--q", "2").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a", "b", "--q", "11"], "q must be between 0 and 10"),
        (["a", "b", "--measure", "cosine"], "measure must be one of spectra"),
        (["a", "b", "--measure", "matches", "--q", "2"], "matches has no option q"),
        (["@absent.txt", "b"], "cannot read absent.txt"),
        (["@broken.txt", "b"], "broken.txt is not UTF-8: byte 2 is 0xff"),
        (["-", "-"], "only one"),
        (["a", "b", "--stop", "absent.txt"], "stop must be"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(cli, tmp_path, arguments, message):
    (tmp_path / "broken.txt").write_bytes(b"ab\xff")
    done = cli("compare", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_adaptive_measures_mean_one_thing_everywhere(cli, tmp_path):
    import likewise as lw

    collection = ["red house", "green house"]
    (tmp_path / "collection.txt").write_text("\n".join(collection))
    for extra, given in (([], None), (["--fit", "collection.txt"], collection)):
        done = cli("compare", "red fish", "blue fish", "--measure", "tfidf", "--json", *extra)
        score = json.loads(done.stdout)["score"]
        assert score == lw.compare("red fish", "blue fish", "tfidf", collection=given).score
        assert (score > 0) is (given is not None)


def test_nothing_is_explained_that_nobody_asks_for():
    def run(*more):
        broken = "import likewise as lw; lw.Spectra.explain = None; from likewise.cli import main; main()"
        command = [sys.executable, "-c", broken, "compare", "soft soup", "soft soups", *more]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert run().stdout.startswith(f"{lw.compare('soft soup', 'soft soups').score:.6f}  spectra")
    assert run("--explain").returncode
    assert run("--json").returncode
    assert lw.compare("soft soup", "soft soups", explain=False).contributions == ()
