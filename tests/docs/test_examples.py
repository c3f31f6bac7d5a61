"""Every example in the README and in docs/ runs: Python as doctests, console blocks as commands.

A page's examples run in order, in one folder of their own. ``...`` in expected output stands for anything. A block that
cannot run (it needs the network, or never ends) has ``<!-- not run: reason -->`` above it.
"""

import doctest
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.conftest import ROOT

import likewise

PAGES = sorted([ROOT / "README.md", *ROOT.glob("docs/**/*.md")])
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """An example: its language, its text, and the line it starts on."""

    language: str
    body: str
    line: int


def blocks_of(text: str) -> list[Block]:
    found = []
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        opening = re.match(r"^ *```(\w+)", lines[number])
        number += 1
        if not opening:
            continue
        begin = number
        while number < len(lines) and not re.match(r"^ *```\s*$", lines[number]):
            number += 1
        before = next((line for line in reversed(lines[: begin - 1]) if line.strip()), "")
        if not before.startswith("<!-- not run:"):
            found.append(Block(opening.group(1), "\n".join(lines[begin:number]) + "\n", begin + 1))
        number += 1
    return found


RUN = ("python", "pycon", "console")
WITH_EXAMPLES = [
    page for page in PAGES if any(block.language in RUN for block in blocks_of(page.read_text(encoding="utf-8")))
]


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Be in a folder of its own, with `likewise` on the path."""
    tools = tmp_path / "bin"
    tools.mkdir()
    package = Path(likewise.__file__).resolve().parent.parent
    command = tools / "likewise"
    command.write_text(
        f'#!/bin/sh\nPYTHONPATH="{package}" exec "{sys.executable}" -c "from likewise.cli import main; main()" "$@"\n'
    )
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("COLUMNS", "120")
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("page", WITH_EXAMPLES, ids=lambda page: str(page.relative_to(ROOT)))
def test_examples(page, place):
    names: dict[str, object] = {}
    for block in blocks_of(page.read_text(encoding="utf-8")):
        where = f"{page.relative_to(ROOT)}:{block.line}"
        if block.language == "console":
            run_console(block.body, where)
        elif block.language in ("python", "pycon"):
            run_python(block.body, where, names)


def run_python(body: str, where: str, names: dict[str, object]) -> None:
    if ">>> " not in body:
        exec(compile(body, where, "exec"), names)
        return
    complaints: list[str] = []
    example = doctest.DocTestParser().get_doctest(body, names, where, where, 0)
    doctest.DocTestRunner(optionflags=FLAGS).run(example, out=complaints.append, clear_globs=False)
    names.update(example.globs)
    assert not complaints, "".join(complaints)


def run_console(body: str, where: str) -> None:
    for number, (command, expected) in enumerate(commands_of(body)):
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True)
        what = f"{where}, command {number + 1}: {command}\n{done.stdout}{done.stderr}"
        assert done.returncode == 0, what  # a look-up on a page finds something; `|| echo` shows an error's exit code
        assert "Traceback" not in done.stderr, what
        if expected.strip():
            checker = doctest.OutputChecker()
            either = checker.check_output(expected, done.stdout, FLAGS) or checker.check_output(
                expected, done.stdout + done.stderr, FLAGS
            )
            assert either, f"{what}\nexpected:\n{expected}"


def commands_of(body: str) -> list[tuple[str, str]]:
    found: list[tuple[list[str], list[str]]] = []
    for line in body.split("\n"):
        if line.startswith("$ "):
            found.append(([line[2:]], []))
        elif found and found[-1][0][-1].endswith("\\") and not found[-1][1]:
            found[-1][0].append(line)
        elif found:
            found[-1][1].append(line)
    return [("\n".join(command), "\n".join(output).strip("\n") + "\n") for command, output in found]


def test_every_command_has_a_place_in_the_reference():
    from likewise.cli import COMMANDS

    text = (ROOT / "docs" / "reference" / "cli.md").read_text(encoding="utf-8")
    assert [name for name in COMMANDS if f"## likewise {name}" not in text] == []


def test_reference_is_what_the_code_says():
    done = subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "reference.py"), "--check"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(Path(likewise.__file__).resolve().parent.parent)},
    )
    assert done.returncode == 0, done.stderr
