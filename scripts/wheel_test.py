"""What an installed wheel must do anywhere: every job by Python and by the command, and a message for each extra.

Needs nothing but the wheel: ``python scripts/wheel_test.py`` in any environment. Extras that are installed are used,
those that are not must be named by the message of what needs them.
"""

import contextlib
import importlib.util
import io
import subprocess
import sys
import tempfile
import unittest.mock
import zipfile
from collections.abc import Callable
from pathlib import Path

import likewise as lw
from likewise.cli import command as run_command

FRUIT = ["apple juice", "orange juice", "pear cider", "apple  juices", "tomato soup"]
PROSE = {
    "broth.txt": "Soup\n\nClear soup is boiled from bones and roots for many hours.\n\nThe ships sail at dawn.\n",
    "stock.md": "# Stock\n\nStock is boiled from *bones* and roots for many hours, as clear soup is.\n",
    "pot.html": "<title>Pots</title><h1>Pots</h1><p>A pot for clear soup holds bones and roots &amp; water.</p>",
    "tide.rst": "Tides\n=====\n\nThe tide of 14 July 1789 rose at dawn, and the ships did sail.\n",
    "keel.tex": "\\section{Keels}\nA keel of oak keeps ships upright when they sail.\n",
}
# Extra -> the package to look for, and a command that needs it.
EXTRAS = {
    "mine": ("duckdb", ("mine", "prose", "-o", "pp.parquet")),
    "web": ("fastwarc", ("link", "page.warc", "--strict")),
    "serve": ("uvicorn", ("serve", "prose", "--port", "0")),
    "zstd": ("zstandard", ("match", "a.csv.zst", "right.csv")),
    "sheets": ("python_calamine", ("match", "a.xlsx", "right.csv")),
    "pdf": ("pypdfium2", ("link", "a.pdf", "--strict")),
}


def main() -> int:
    """Run all checks in a temporary folder; return 0, or stop with a traceback."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_inputs(folder)
        python_jobs(folder)
        commands(folder)
        missing = extras(folder)
    print(f"likewise {lw.__version__} works; not installed: {', '.join(missing) or 'nothing'}")
    return 0


def write_inputs(folder: Path) -> None:
    """Write a few small files of several formats."""
    (folder / "prose").mkdir()
    for name, text in PROSE.items():
        (folder / "prose" / name).write_text(text, encoding="utf-8")
    for name, rows in (("left", FRUIT), ("right", FRUIT[::-1])):
        lines = "".join(f"{number},{row}\n" for number, row in enumerate(rows))
        (folder / f"{name}.csv").write_text(f"id,name\n{lines}", encoding="utf-8")
    (folder / "page.warc").write_bytes(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: 0\r\n\r\n\r\n\r\n")
    (folder / "a.pdf").write_bytes(b"%PDF-1.4\n%%EOF\n")
    (folder / "a.csv.zst").write_bytes(b"\x28\xb5\x2f\xfd\x00")
    with zipfile.ZipFile(folder / "a.xlsx", "w") as book:
        book.writestr("xl/workbook.xml", "<workbook/>")
        book.writestr("[Content_Types].xml", "<Types/>")


def python_jobs(folder: Path) -> None:
    """Every job of the library, on texts in memory and on files."""
    assert lw.compare("apple juice", "juice of apples").score > 0.3
    assert lw.match(["aple juice"], FRUIT, top=1)[0].right_text == "apple juice"
    assert any(len(cluster.ids) == 2 for cluster in lw.dedupe(FRUIT, min_score=0.7))
    assert len(lw.link(folder / "prose")) > 0
    index = lw.Index.build(FRUIT)
    assert next(iter(index.search("apple"))).text in ("apple juice", "apple  juices")
    read = {document.format for document in lw.documents(folder / "prose")}
    assert len(read) == len(PROSE), read
    pairs = [(text, text.upper(), 1) for text in FRUIT * 4] + [(text, "quite another thing", 0) for text in FRUIT * 4]
    table = folder / "pairs.tsv"
    table.write_text("left\tright\tlabel\n" + "".join(f"{a}\t{b}\t{c}\n" for a, b, c in pairs), encoding="utf-8")
    lw.match(folder / "left.csv", folder / "right.csv", on="name").to_csv(folder / "python.csv")
    for frame in ("pandas", "polars"):
        if importlib.util.find_spec(frame) is None:
            assert "likewise[frames]" in error_of(getattr(lw.match(FRUIT, FRUIT, top=1), f"to_{frame}"))


def commands(folder: Path) -> None:
    """Every command of the command line that needs no extra."""
    subprocess.run([sys.executable, "-m", "likewise", "--version"], check=True, cwd=folder, capture_output=True)
    run(folder, "compare", "apple juice", "apple juices", "--explain")
    run(folder, "match", "left.csv", "right.csv", "--on", "name", "-o", "pairs.csv")
    run(folder, "dedupe", "left.csv", "--on", "name", "-o", "clusters.csv")
    run(folder, "link", "prose", "-o", "book.html", "-o", "links.jsonl")
    run(folder, "index", "prose", "-o", "shelf")
    run(folder, "search", "shelf", "soup")
    if importlib.util.find_spec("duckdb") is not None:
        run(folder, "nuggets", "prose", "-o", "dates")
    run(folder, "recognise", "fit", "pairs.tsv", "-o", "model.json")
    run(folder, "demo", "tour", "--chapters", "compare")


def extras(folder: Path) -> list[str]:
    """Return the extras that are not installed, each after its message was seen."""
    missing = []
    for extra, (package, command) in EXTRAS.items():
        if importlib.util.find_spec(package) is None:
            said = run(folder, *command, fails=True)
            assert f"pip install 'likewise[{extra}]'" in said, f"{command} says: {said}"
            missing.append(extra)
    return missing


def run(folder: Path, *command: str, fails: bool = False) -> str:
    """Run a command in this process and return what it said on stderr."""
    said, shown = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(folder),
        contextlib.redirect_stderr(said),
        contextlib.redirect_stdout(shown),
        unittest.mock.patch.object(sys, "argv", ["likewise", *command]),
    ):
        try:
            run_command()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    if (code != 0) is not fails:
        raise SystemExit(f"likewise {' '.join(command)}: exit code {code}\n{shown.getvalue()}{said.getvalue()}")
    return said.getvalue()


def error_of(call: Callable[[], object]) -> str:
    """Return the words of our error that a call raises; none if it raises none."""
    try:
        call()
    except lw.LikewiseError as error:
        return str(error)
    return ""


if __name__ == "__main__":
    raise SystemExit(main())
