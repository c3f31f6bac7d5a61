"""``likewise link`` and ``likewise judge``: what goes to which stream, exit codes, and bad input in words."""

import contextlib
import json
import os
import subprocess
import sys

import pytest
from tests import killing

LIMITED = """
import resource, sys
from likewise.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
main()
"""
WRITE = """
import likewise.cli.link, likewise.jobs.link.job
from likewise import link
found = link(sys.argv[2], language="english", preset="21", n=1)
watch(int(sys.argv[1]))
found.to_folder(sys.argv[3])
"""


def kitchen(folder):
    (folder / "book").mkdir()
    (folder / "book" / "soup.md").write_text(
        "# Soup\n\nClear soup is boiled from bones and vegetables for many hours.\n\nServe soup in deep plates.\n"
    )
    (folder / "book" / "stock.md").write_text(
        "# Stock\n\nFor stock, bones and vegetables are boiled for many hours; it makes a clear soup.\n"
    )
    (folder / "book" / "bread.md").write_text("# Bread\n\nDough rises in a warm place until it has doubled.\n")


def test_json_on_stdout_messages_on_stderr(cli, tmp_path):
    kitchen(tmp_path)
    (tmp_path / "book" / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00")
    done = cli("link", "book", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(row["left"], row["right"]) for row in rows] == [("soup.md:2", "stock.md:2")]
    assert "skipped book/photo.jpg: binary" in done.stderr
    assert done.returncode == 0


def test_strict_stops_and_bad_values_are_explained(cli, tmp_path):
    kitchen(tmp_path)
    (tmp_path / "book" / "photo.jpg").write_bytes(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00")
    for arguments, words in (
        (["link", "book", "--strict"], "photo.jpg: binary"),
        (["link", "nowhere"], "nowhere: no such file or folder"),
        (["link", "book", "--preset", "21+99"], "there is no list '99'"),
        (["link", "book", "--n", "0"], "n must be 1 or more, not 0"),
        (["link", "book", "-o", "out.xyz"], "cannot tell what to write"),
        (["link", "book", "--check", "--subjects", "s.csv"], "--subjects cannot go with --check"),
        (["link", "book", "--sentences", "--choices", "c.csv"], "--choices cannot go with --sentences"),
        (["link", "book", "--split-from", "-3"], "--split-from must be 0 or more, not -3"),
        (["judge", "table", "nowhere.judge"], "nowhere.judge is not a study"),
    ):
        done = cli(*arguments)
        assert done.returncode == 2, arguments
        assert words in done.stderr
        assert "Traceback" not in done.stderr


def test_a_path_of_several_words_is_no_text(cli, tmp_path):
    kitchen(tmp_path)
    for name in ("two words", "two\nlines", "two [words]"):
        (tmp_path / "book").rename(tmp_path / name)
        for arguments in ([name], [f"{name}/*.md"] if "[" not in name else [name], [name, "--to", name]):
            done = cli("link", *arguments)
            assert done.returncode == 0, done.stderr
            assert "of 3 documents" in done.stderr or "--to" in arguments, done.stderr
            assert "1 passage" not in done.stderr
        (tmp_path / name).rename(tmp_path / "book")
    for arguments in (["no such book"], ["book", "--to", "no such book"], ["no\nbook"]):
        done = cli("link", *arguments)
        assert (done.returncode, "no such file or folder" in done.stderr) == (2, True), done.stderr


def test_a_book_without_links_is_a_result(cli, tmp_path):
    (tmp_path / "one.txt").write_text("A single paragraph of text.")
    done = cli("link", "one.txt", "-o", "one.html")
    assert done.returncode == 0
    assert "0 links" in done.stderr
    assert (tmp_path / "one.html").stat().st_size > 5000


def test_judging_from_a_pipe(cli, tmp_path):
    kitchen(tmp_path)
    assert cli("link", "book", "-o", "links.jsonl").returncode == 0
    assert cli("judge", "prepare", "links.jsonl", "-o", "s.judge").returncode == 0
    (tmp_path / "gold.tsv").write_text("stock.md:2\tsoup.md:2\n")
    assert "1/1 (100%)" in cli("judge", "gold", "s.judge", "gold.tsv").stdout
    figures = json.loads(cli("judge", "table", "s.judge", "--json").stdout)
    assert figures["judges"] == ["gold"]
    assert cli("judge", "overlap", "links.jsonl", "links.jsonl").stdout.startswith("Ranks 1 - 21         1/1 (100%)")


def test_one_key_each_on_a_terminal(cli, tmp_path):
    """On a real terminal a key counts without Enter."""
    import os
    import pty
    import subprocess
    import sys

    import likewise

    kitchen(tmp_path)
    cli("link", "book", "-o", "links.jsonl")
    cli("judge", "prepare", "links.jsonl", "-o", "s.judge")
    master, slave = pty.openpty()
    package = os.path.dirname(os.path.dirname(likewise.__file__))
    command = [
        sys.executable,
        "-c",
        "from likewise.cli import main; main()",
        "judge",
        "run",
        "s.judge",
        "--judge",
        "ada",
    ]
    environment = os.environ | {"PYTHONPATH": package}
    process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=tmp_path, env=environment)
    os.close(slave)
    shown = b""
    while b"quit" not in shown:
        shown += os.read(master, 4096)
    for _ in range(60):
        os.write(master, b"a")
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=1)
            break
    assert process.returncode == 0
    os.close(master)
    assert b"Clear soup is boiled" in shown
    assert json.loads(cli("judge", "table", "s.judge", "--json").stdout)["judged"] == 1


@pytest.mark.parametrize("arguments", [["-o", "out/copies"], ["-o", "out/book.html", "--split-from", "2"]])
def test_a_link_that_finds_no_room_leaves_nothing_and_can_be_done_again(cli, tmp_path, arguments):
    kitchen(tmp_path)
    with open(tmp_path / "book" / "z.md", "w") as file:  # the last one, larger than there is room
        file.write("# Pots\n\n" + "\n\n".join(f"Pot number {n} is of iron, for soup number {n}." for n in range(9000)))
    command = [sys.executable, "-c", LIMITED, "200000", "link", "book", "--preset", "21", "--n", "1", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=dict(os.environ))
    assert (done.returncode, "cannot write" in done.stderr) == (2, True), done.stderr
    assert not (tmp_path / "out").exists()
    (tmp_path / "out").mkdir()
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, env=dict(os.environ)).returncode == 2
    assert list((tmp_path / "out").iterdir()) == []
    (tmp_path / "book" / "z.md").unlink()
    done = cli(*command[4:])
    assert done.returncode == 0, done.stderr


def test_copies_are_made_again_whenever_their_writer_was_killed(cli, tmp_path):
    kitchen(tmp_path)
    changes = killing.run(WRITE, 0, tmp_path / "book", tmp_path / "whole")
    for point in killing.points(changes, 6):
        target = tmp_path / f"copies{point}"
        assert killing.run(WRITE, point, tmp_path / "book", target) == -1
        done = cli("link", "book", "-o", target, "--preset", "21", "--n", "1", "--language", "english")
        assert done.returncode == 0, done.stderr
        assert {path.name for path in target.iterdir()} == {path.name for path in (tmp_path / "whole").iterdir()}


def test_pages_without_their_book_are_those_of_a_run_that_was_killed(cli, tmp_path):
    kitchen(tmp_path)
    assert cli("link", "book", "-o", "book.html", "--split-from", "2").returncode == 0
    assert "give --force" in cli("link", "book", "-o", "book.html", "--split-from", "2").stderr
    (tmp_path / "book.html").unlink()
    done = cli("link", "book", "-o", "book.html", "--split-from", "2")
    assert done.returncode == 0, done.stderr
