"""The mined table: look-up, filters, difference, shares, classes, exports, and the two commands."""

import json

import pytest
from tests.jobs.mine import corpus
from typer.testing import CliRunner

import likewise as lw
from likewise.analyse.variants import classify
from likewise.errors import DamagedError, ForeignError, InputError, OptionError

PAIRS = lw.Paraphrases.of_rows(
    [("took effect", "came into force", 7), ("is", "are", 9), ("Treasury", "treasury", 3), ("cause", "result in", 5),
     ("took effect", "became effective", 6), ("chapter 1", "chapter 2", 8), ("a, b", "c => d", 4)]
)  # fmt: skip


def names(pairs):
    return {(p.phrase, p.paraphrase) for p in pairs}


@pytest.mark.parametrize(
    ("pair", "kind"),
    [
        (("University", "University ,"), "punctuation/spelling"),
        (("colour", "color"), "punctuation/spelling"),
        (("centre of", "center of"), "punctuation/spelling"),
        (("organise", "organize"), "punctuation/spelling"),
        (("café", "cafe"), "punctuation/spelling"),
        ((",", ";"), "punctuation/spelling"),
        (("Treasury", "treasury"), "case"),
        (("is", "are"), "stop words"),
        (("can not", "could"), "other"),
        (("can", "could"), "morphology"),
        (("may", "should"), "other"),
        (("up", "back"), "other"),
        (("cause", "causes"), "morphology"),
        (("that", "which"), "stop words"),
        ((",", "and"), "other"),
        (("+", "−"), "other"),
        (("%", "*"), "other"),
        (("/ D", "D"), "other"),
        (("shall", "should"), "other"),
        (("it", "its value"), "other"),
        (("can also", "could"), "other"),
        (("message ,", "message to"), "other"),
        (("operation", "operator"), "other"),
        (("order", "ordered"), "morphology"),
        (("offers", "offering"), "morphology"),
        (("agreed", "has agreed"), "morphology"),
        (('" will', "would"), "morphology"),
        (("e-mail", "email"), "hyphenation"),
        (("world-wide", "world wide"), "hyphenation"),
        (("flows", "flow"), "morphology"),
        (("values are", "value is"), "morphology"),
        (("that indicates", "indicating"), "morphology"),
        (("takes", "can take"), "other"),
        (("is not used", "is used"), "other"),
        (("in", "within"), "stop words"),
        (("used", "useful"), "other"),
        (("trip", "visit"), "other"),
        (("pour", "fore"), "other"),
    ],
)
def test_classes(pair, kind):
    assert classify(*pair) == classify(*reversed(pair)) == kind


def test_look_up_sees_both_directions_best_first():
    assert [p.paraphrase for p in PAIRS.of("took effect")] == ["came into force", "became effective"]
    assert [p.phrase for p in PAIRS.of("came into force")] == ["came into force"]
    assert PAIRS.of("took effect", 1)[0].support == 7
    assert PAIRS.of("absent") == []
    assert PAIRS.near("effect") == ["took effect", "became effective"]
    assert PAIRS.near("treasury's")[:1] == ["treasury"]
    assert PAIRS.near("xyzzy") == []


def test_filters():
    assert names(PAIRS.filter(multi_word=True)) == {
        ("came into force", "took effect"), ("became effective", "took effect"), ("chapter 1", "chapter 2"),
        ("a, b", "c => d"),
    }  # fmt: skip
    assert ("are", "is") not in names(PAIRS.filter(stop_words=False))
    assert ("Treasury", "treasury") not in names(PAIRS.filter(case=False))
    assert names(PAIRS.filter(classes=["case"])) == {("Treasury", "treasury")}
    assert len(PAIRS.filter(min_support=7)) == 3
    with pytest.raises(OptionError):
        PAIRS.filter(classes=["synonym"])


def test_difference_and_shares():
    other = lw.Paraphrases.of_rows([("is", "are", 1), ("cause", "result in", 1)])
    assert len(PAIRS.difference(other)) == len(PAIRS) - 2
    assert sum(PAIRS.shares().values()) == pytest.approx(1)


def test_numbers_and_elaborations_are_improbable():
    made = {(p.phrase, p.paraphrase): p.probability for p in lw.Paraphrases.of_rows(
        [("chapter 1", "chapter 2", 9), ("the", "the early", 9), ("trip", "visit", 9)])}  # fmt: skip
    assert made["chapter 1", "chapter 2"] == 0
    assert made["the", "the early"] == pytest.approx(made["trip", "visit"] / 10)


def test_siblings_fall_below_paraphrases(tmp_path):
    """The corpus says "north and south" but never "began and started"."""
    lines = []
    for number, noun in enumerate(["army", "river", "road", "wind", "train", "ship"]):
        adverb = "again" if number % 2 else "later"
        lines += [f"The old {noun} went {word} of town {adverb} in spring." for word in ("north", "south")]
        lines += [f"The work of the {noun} {word} in the early summer of that year." for word in ("began", "started")]
        lines.append(f"He followed the {noun} to the north and south of the country.")
    (tmp_path / "a.txt").write_text("\n\n".join(lines))
    found = {(p.phrase, p.paraphrase): p for p in lw.mine(tmp_path, context=2, support=4)}
    siblings, real = found["north", "south"], found["began", "started"]
    assert siblings.support == real.support == 6
    assert siblings.together == 6
    assert siblings.probability < real.probability / 2


def test_synonym_file(tmp_path):
    path = tmp_path / "synonyms.txt"
    lines = PAIRS.to_synonyms(path, per_phrase=1)
    text = path.read_text()
    assert "took effect => took effect, came into force\n" in text
    assert "a\\, b => a\\, b, c \\=> d\n" in text
    assert "Treasury" not in text
    assert len(text.splitlines()) == lines


@pytest.mark.parametrize("ending", ["parquet", "csv", "tsv", "jsonl"])
def test_writes_every_format(tmp_path, ending):
    path = tmp_path / f"pp.{ending}"
    PAIRS.write(path)
    assert path.stat().st_size
    if ending == "parquet":
        again = lw.Paraphrases.read(path)
        assert again.to_arrow().equals(PAIRS.to_arrow())


def test_frames():
    assert len(PAIRS.to_pandas()) == len(PAIRS)
    assert len(PAIRS.to_polars()) == len(PAIRS)


def test_other_files_are_refused(tmp_path):
    with pytest.raises(InputError):
        lw.Paraphrases.read(tmp_path / "absent.parquet")
    (tmp_path / "bad.parquet").write_bytes(b"no")
    with pytest.raises(DamagedError):
        lw.Paraphrases.read(tmp_path / "bad.parquet")
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"a": [1]}), tmp_path / "foreign.parquet")
    with pytest.raises(ForeignError, match="lacks phrase"):
        lw.Paraphrases.read(tmp_path / "foreign.parquet")


@pytest.fixture(scope="module")
def run():
    import typer

    from likewise.cli.mine import mine
    from likewise.cli.paraphrases import paraphrases

    app = typer.Typer()
    app.command("mine")(mine)
    app.command("paraphrases")(paraphrases)
    return lambda *arguments: CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_commands(run, tmp_path):
    folder = corpus.write(tmp_path / "texts", 2)
    out = tmp_path / "pp.parquet"
    done = run("mine", folder, "-o", out, "--support", 4, "--limit", 50, "--synonyms", tmp_path / "s.txt")
    assert done.exit_code == 0, done.output
    assert "took effect" in done.stdout
    assert "pairs ->" in done.stderr
    assert (tmp_path / "s.txt").exists()
    found = run("paraphrases", out, "took effect", "--json", "--limit", 1)
    assert json.loads(found.stdout)["paraphrase"] == "came into force"
    shown = run("paraphrases", out, "took effect", "--examples").stdout
    assert "took effect\tcame into force\t" in shown
    assert "___" in shown
    assert run("paraphrases", out, "no such phrase").exit_code == 1
    assert run("paraphrases", out, "--shares").stdout.startswith("1-1")
    assert run("paraphrases", out, "--minus", out).exit_code == 1
    assert run("paraphrases", out, "--multi-word", "-o", tmp_path / "m.csv").exit_code == 0
    assert (tmp_path / "m.csv").read_text().startswith("phrase,paraphrase,support")
    report = run("mine", folder, "-o", out, "--support", 4, "--json", "--force")
    assert json.loads(report.stdout)["counts"]["sentences"]["kept"] > 0
    assert run("mine", folder, "-o", tmp_path / "pp.unknown").exit_code != 0


def test_an_empty_folder_is_said_in_words_and_leaves_nothing(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no document to read"):
        lw.mine(tmp_path / "empty", output=tmp_path / "pp.parquet")
    assert [path.name for path in tmp_path.iterdir()] == ["empty"]


@pytest.mark.parametrize(
    ("text", "reason"),
    [("One sentence is all that there is here.", "share 5 contexts"), ("1 2 3\n\n4 5 6\n", "passed the checks")],
)
def test_no_pair_is_no_error_but_said(run, tmp_path, text, reason):
    (tmp_path / "a.txt").write_text(text)
    done = run("mine", tmp_path / "a.txt", "-o", tmp_path / "pp.parquet")
    assert done.exit_code == 1
    assert reason in done.stderr
    assert len(lw.Paraphrases.read(tmp_path / "pp.parquet")) == 0
    assert not (tmp_path / "pp.parquet.work").exists()


def test_the_curve_and_the_lengths_of_sentences(run, tmp_path):
    folder = corpus.write(tmp_path / "texts", 4)
    done = run("mine", folder, "-o", tmp_path / "pp.parquet", "--support", 4, "--curve", tmp_path / "curve.svg")
    assert done.exit_code == 0, done.output
    assert "<svg" in (tmp_path / "curve.svg").read_text()
    sizes = [line for line in done.stderr.splitlines() if "characters:" in line]
    assert len(sizes) == 4
    assert sizes[-1].endswith(f" {len(lw.Paraphrases.read(tmp_path / 'pp.parquet')):,} pairs")
    report = json.loads((tmp_path / "pp.parquet.report.json").read_text())
    assert report["tokens a sentence"]["kept"] > 5
    alone = next(iter(folder.iterdir()))
    assert run("mine", alone, "-o", tmp_path / "b.parquet", "--curve", tmp_path / "b.svg").exit_code != 0
