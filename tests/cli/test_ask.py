"""``likewise nuggets`` and ``likewise ask``."""

import json

import typer
from typer.testing import CliRunner

import likewise as lw

TEXT = "In 1947, Bell Labs invented the transistor. Amtrak started operations on May 1, 1971."


def test_commands(tmp_path):
    from likewise.cli.ask import ask
    from likewise.cli.nuggets import nuggets as collect

    app = typer.Typer()
    app.command("ask")(ask)
    app.command("nuggets")(collect)

    def run(*words):
        return CliRunner().invoke(app, [str(word) for word in words])

    (tmp_path / "a.txt").write_text(TEXT)
    assert "2 nuggets" in run("nuggets", tmp_path / "a.txt", "-o", tmp_path / "n").stderr
    assert run("nuggets", tmp_path / "a.txt", "-o", tmp_path / "n", "--quiet", "--force").exit_code == 0
    pictures = [tmp_path / f"{name}.jpg" for name in range(5)]
    for picture in pictures:
        picture.write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF")
    told = run("nuggets", tmp_path / "a.txt", *pictures, "-o", tmp_path / "n", "--force").stderr
    assert "likewise: skipped 5 files (binary)" in told
    assert told.count("skipped") == 1
    shown = run("ask", tmp_path / "n", "When was the transistor invented?")
    assert shown.stdout.startswith("1947\t")
    first = json.loads(run("ask", tmp_path / "n", "When was the transistor invented?", "--json").stdout.splitlines()[0])
    assert first["date"] == "1947"
    assert run("ask", tmp_path / "n", "When did the zeppelin crash?").exit_code == 1
    assert run("ask", tmp_path / "n", "Who invented it?").exit_code != 0
    lw.Paraphrases.of_rows([("made", "invented", 9)]).write(tmp_path / "pp.parquet")
    wide = run("ask", tmp_path / "n", "When was the transistor made?", "--expand", tmp_path / "pp.parquet")
    assert wide.stdout.startswith("1947")
    assert run("ask", tmp_path / "n", "Who made it?", "--show-query").exit_code
    query = run("ask", tmp_path / "n", "When was it made?", "--expand", tmp_path / "pp.parquet", "--show-query")
    assert query.stdout == "(made | invented)\n"
