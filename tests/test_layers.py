"""Folders import only to their left, and no modules import each other in a circle."""

import ast
import re
from pathlib import Path

import pytest

import likewise
from likewise import layers

ROOT = Path(likewise.__file__).parent
LISTED = [
    "read",
    "measure",
    "results",
    "index",
    "records",
    "jobs/link",
    "jobs/mine",
    "jobs/questions",
    "jobs/distributed",
]


@pytest.fixture(scope="module")
def edges():
    return set(layers.imports(layers.modules(ROOT)))


def test_every_folder_has_a_place():
    folders = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert folders == set(layers.ORDER)


@pytest.mark.parametrize("folder", LISTED)
def test_large_folders_say_what_each_module_is_for(folder):
    package = ROOT / folder
    said = ast.get_docstring(ast.parse((package / "__init__.py").read_text(encoding="utf-8"))) or ""
    named = {word for code in re.findall(r"`(.+?)`", said) for word in re.findall(r"\w+", code)}
    modules = {path.stem for path in package.glob("*.py")} - {"__init__"}
    assert modules - named == set()


def test_imports_go_to_the_left(edges):
    assert not layers.backward(edges)


def test_no_modules_import_each_other_in_a_circle(edges):
    assert not layers.cycles(edges)


def test_imports_of_every_kind_are_seen(tmp_path):
    package = tmp_path / "likewise"
    (package / "read").mkdir(parents=True)
    (package / "jobs").mkdir()
    (package / "_core.pyi").touch()
    (package / "read" / "a.py").write_text(
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from likewise.jobs import b\n"
    )
    (package / "jobs" / "__init__.py").touch()
    (package / "jobs" / "b.py").write_text("def late():\n    import likewise.read.a\n")
    found = set(layers.imports(layers.modules(package)))
    assert found == {("likewise.read.a", "likewise.jobs.b"), ("likewise.jobs.b", "likewise.read.a")}
    assert layers.backward(found) == {("likewise.read.a", "likewise.jobs.b")}
    assert layers.cycles(found) == [["likewise.jobs.b", "likewise.read.a"]]
