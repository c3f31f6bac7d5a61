"""Every example in a docstring of the package runs."""

import doctest
import importlib
import pkgutil

import pytest

import likewise

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
MODULES = sorted(
    one.name
    for one in pkgutil.walk_packages(likewise.__path__, "likewise.")
    if not one.name.endswith(("__main__", "._core"))
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_run(name, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=FLAGS)
    assert not failed, capsys.readouterr().out


def test_there_are_examples():
    finder = doctest.DocTestFinder()
    found = [one for name in MODULES for one in finder.find(importlib.import_module(name)) if one.examples]
    assert len(found) > 200, "docstrings with an example"
