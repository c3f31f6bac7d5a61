"""What somebody wrote into a text or a name does nothing to the terminal of who reads it."""

import json
import os

import pytest

from likewise.said import printable

# Renames the window, clears it (twice, once in a single character), turns what follows around, goes back to the margin.
EVIL = "\x1b]0;owned\x07\x1b[2J\x9b2J\u202etxt.exe\r"


def harmless(said: str) -> bool:
    return not set(said) & set("\x1b\x07\x9b\u202e\r")


def commands(folder):
    (folder / "texts").mkdir()
    (folder / "texts" / "a.md").write_text(
        f"# Soup {EVIL}\n\nThe red fish {EVIL} swims.\n\n# Fish {EVIL}\n\nThe red fish {EVIL} swims fast.\n"
    )
    name = EVIL.replace("\r", "\n")
    (folder / "texts" / f"{name}.md").write_text("Bell Labs invented the transistor in 1947.\n")
    (folder / "texts" / f"{name}.docx").write_bytes(b"PK no archive")
    yield "index", "texts", "-o", "idx"
    yield "search", "idx", "red fish"
    yield "search", "idx", "transistor", "--explain"
    yield "search", "idx", "fish", "--json"
    yield "search", "idx", f"(fish {EVIL}"
    yield "link", "texts/a.md"
    yield "nuggets", "texts", "-o", "n"
    yield "ask", "n", "When was the transistor invented?"
    yield "compare", f"red {EVIL} fish", f"fish {EVIL}", "--explain"
    yield "match", f"none{EVIL}.csv", "none.csv"


@pytest.mark.skipif(os.name == "nt", reason="Windows takes no such names")
def test_nothing_said_moves_the_cursor(cli, tmp_path):
    said = ""
    for command in commands(tmp_path):
        done = cli(*command)
        assert done.returncode in (0, 2), done.stderr
        assert harmless(done.stdout + done.stderr), (command, ascii(done.stdout + done.stderr))
        said += done.stdout + done.stderr
    assert said.count("\\u001b]0;owned") > 10  # it was there, and is shown


def test_json_stays_the_same():
    text = "".join(map(chr, range(0x20))) + EVIL + "\x7f\x85\u2028\u2069é字\U0001f600 \ud800"
    assert json.loads(printable(json.dumps(text, ensure_ascii=False))) == text
    assert printable("Crème\u00a0brûlée\t👩\u200d🍳\n") == "Crème\u00a0brûlée\t👩\u200d🍳\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_what_the_encoding_of_the_terminal_lacks_is_written_as_in_json(tmp_path, monkeypatch, request, encoding):
    monkeypatch.setenv("PYTHONIOENCODING", encoding)
    cli = request.getfixturevalue("cli")  # which looks at the environment
    for name in ("a", "b"):
        (tmp_path / f"{name}.txt").write_text("Красная рыба 😀 плавает в холодной воде озера.", encoding="utf-8")
    assert cli("index", "a.txt", "b.txt", "-o", "idx").returncode == 0
    done = cli("search", "idx", "рыба", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["query"] == "рыба"
    done = cli("link", "a.txt", "b.txt", "--preset", "21", "--min-strength", "-9", "--n", "1", "--copies", "keep")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
