"""The mistakes that new users make: each is answered in words that say what is wrong and what would help.

Every case names what the answer must say. None is a traceback, none is silent.
"""

import io
import signal
import subprocess
import sys

import pytest

from likewise.cli import command

TABLES = {
    "a.csv": "name,city\nAda Lovelace,London\nGrace Hopper,New York\n",
    "b.csv": "name,city\nHopper Grace,New York\nLovelace Ada,London\n",
    "empty.csv": "",
    "head.csv": "name,city\n",
    "semicolon.csv": "name;city\nAda;London\nBob;Paris\n",
    "ragged.csv": "name,city\nAda,London,England\nGrace,New York\n",
    "quote.csv": 'name,city\n"Ada,London\nGrace,New York\n',
    "single.csv": "name,city\n'Ada, Countess',London\n'Grace',New York\n",
    "sep.csv": "sep=;\nname;city\nAda;London\n",
    "title.csv": "Customers of 2020\n\nname,city\nAda,London\nGrace,New York\n",
    "comment.csv": "# made by us\nname,city\nAda,London\n",
    "german.csv": "Kunde;Stadt;Straße\nMüller;Bonn;Weg 1\nMeier;Köln;Ring 2\n",
    "twice.csv": "name,name\na,b\n",
    "frame.csv": ",name,city\n0,Ada,London\n1,Grace,New York\n",
    "page.csv": "<!DOCTYPE html>\n<html><body><p>Please sign in, or ask us</p></body></html>\n",
    "keys.json": '{"people": [{"name": "Ada"}], "places": [{"name": "London"}]}',
    "ids.csv": "id,name\n1,a b\n1,c d\n",
    "pairs.tsv": "name\tcity\na\tb\n",
    "two/x.md": "# A\n\nText of one.\n",
    "two/y.md": "# B\n\nText of two.\n",
}
ENCODED = {
    "latin.csv": ("name\nJosé Peña\nMüller\n", "latin-1"),
    "russian.csv": ("name\nПривет мир и люди\nМосква столица России\nЕкатерина Великая\n", "cp1251"),
    "czech.csv": ("jméno\nŽluťoučký kůň úpěl ďábelské ódy\nPříliš žluťoučký kůň\nŠtěpán Řehoř\n", "cp1250"),
    "chinese.csv": ("name\n北京大学图书馆\n清华大学计算机系\n上海交通大学\n复旦大学文学院\n", "gbk"),
    "japanese.csv": ("name\n東京大学図書館\n京都大学の先生\nこんにちは世界の皆さん\n", "shift_jis"),
    "mac.csv": ("name\nJosé Peña\nMüller\nFrançois Côté\n", "mac_roman"),
}
REFUSED = {
    "a b --on nmae": "no column 'nmae'; did you mean 'name'? its columns: 'name', 'city'",
    "a b --on Name": "did you mean 'name'?",
    "missing b": "missing.csv does not exist",
    "mixed b": "mixes encodings: line 2 is UTF-8, line 3 is not",
    "empty b": "empty.csv is empty: it has no header and no rows",
    "a b -o out.pdf": "cannot tell what to write",
    "twice b": "more than once; rename one",
    "ids b --id id": "more than once (line 2 and line 3)",
    "a b --measure levenstein": "measure must be one of spectra",
    "a b --measure spectra(wieghts=c)": "'wieghts=c' is not an option of spectra; did you mean 'weights'?",
    "a b --min-score -0.5": "--min-score must be a number from 0, or auto, not -0.5",
    "a b --min-score high": "--min-score must be a number from 0, or auto, not 'high'",
    "a b --onn name": "there is no option --onn; did you mean --on?",
    "a b --threshold 0.5": "--threshold is called --min-score here",
    "a b --limit=3": "--limit is called --top here",
    "a b --top 0": "top must be 1 or more, not 0",
    "a b --top abc": "--top must be a whole number, not 'abc'",
    "a b --on name,city": "name several as a list",
    "a b --precision 95": "was 0.95 meant?",
    "a b people.csv": "one argument too many: people.csv; several files are one table as a pattern in quotes ('*.csv')",
    "folder b": "folder.csv holds no document that can be read",
    "page b": "a Web page, not a table",
    "picture b": "not text: it has NUL bytes",
    "a b --one-to-one --top 3": "exclude each other",
    "a b --engine duckdb --top 1 --html r.html": "--html cannot be made on an engine: leave --engine out",
    "a b --left-on name": "name the columns of both sides: --right-on is missing",
    "a b --clean acents": "accents, companies or a file",
    "a b --columns ctiy --top 1": "no column 'ctiy'; did you mean 'city'?",
    "https://example.org/a b": "https://example.org/a.csv is an address; only files are read, so download it first",
    "- b": "standard input is empty",
}
SAID = {
    "latin b": "cp1252",
    "russian b": "cp1251",
    "czech b": "cp1250",
    "chinese b": "gb18030",
    "japanese b": "cp932",
    "mac b": "mac_roman",
    "head b": "head.csv has no rows",
    "semicolon b": "semicolon",
    "ragged b": "skipped 1 row (line 2): 3 cells where 2 are expected",
    "quote b": "quotation marks are text, as some never close",
    "single b": "single quotes",
    "sep b": "1 line above the table left out",
    "title b": "2 lines above the table left out",
    "comment b": "1 line above the table left out",
    "german b": "first row is the header",
    "frame b": "column 'index' numbers the rows, and is taken as the ids",
    "a b --sheet 2": "a.csv is not a workbook",
    "a b --min-score 85": "was 0.85 meant?",
    "a b --min-score 1.5": "scores are about 0 to 1",
}
OTHERS = {
    "matches a.csv": "Did you mean 'match'?",
    "mine hollow -o p.parquet": "no document to read",
    "link hollow": "there is no document to read in hollow",
    "link two/x.md": "there is one passage only",
    "dedupe a.csv --min-score 70": "scores are about 0 to 1: was 0.7 meant?",
    "dedupe keys.json": "there are several, under 'people', 'places'",
    "search two red": "`likewise index` makes one",
    "link two": "--min-terms",
    "search nowhere red": "there is no index at nowhere; `likewise index` makes one",
    "paraphrases a.csv x": "a.csv is not a Parquet file, or a damaged one",
    "recognise fit pairs.tsv -o m.json": "no column for the left",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes")
    for name in ("folder.csv", "hollow", "two"):
        (folder / name).mkdir()
    for name, text in TABLES.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, (text, encoding) in ENCODED.items():
        (folder / name).write_bytes(text.encode(encoding))
    (folder / "picture.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    (folder / "mixed.csv").write_bytes("name\nJosé\n".encode() + "Müller\n".encode("latin-1"))
    return folder


@pytest.fixture
def run(folder, monkeypatch, capsys):
    """Return a function that runs a command in this process and gives its exit code and what it said."""
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.chdir(folder)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["likewise", *arguments])
        code = 0
        try:
            command()
        except SystemExit as end:
            code = end.code
        return code, " ".join(capsys.readouterr().err.split())

    yield call
    signal.signal(signal.SIGINT, before)


def match(case):
    """Return a case as a command: bare names are tables."""
    left, right, *rest = case.split()
    return ["match", left if left in (".", "-") else f"{left}.csv", f"{right}.csv", *rest]


@pytest.mark.parametrize("case", REFUSED)
def test_refused_in_words(run, case):
    code, said = run(*match(case))
    assert code == 2
    assert REFUSED[case] in said


@pytest.mark.parametrize("case", SAID)
def test_done_and_said(run, case):
    code, said = run(*match(case), *([] if "--min-score" in case else ["--top", "1"]))
    assert code == 0
    assert SAID[case] in said


@pytest.mark.parametrize("case", OTHERS)
def test_other_commands(run, case):
    _, said = run(*case.split())
    assert OTHERS[case] in said


def test_a_quoted_cell_is_read_whole(run, folder):
    run("match", "single.csv", "b.csv", "--on", "name", "--top", "1", "-o", "out.csv", "--force")
    assert '"Ada, Countess"' in (folder / "out.csv").read_text(encoding="utf-8")


def test_a_process_ends_with_its_code_after_what_was_left_to_do(tmp_path):
    code = "import atexit, sys; from likewise.cli import main; atexit.register(print, 'left'); main()"
    for arguments, wanted in ((["--version"], 0), (["match", "none.csv"], 2)):
        done = subprocess.run([sys.executable, "-c", code, *arguments], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == wanted
        assert done.stdout.endswith("left\n")
        assert "Traceback" not in done.stderr
