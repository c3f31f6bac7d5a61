"""The notebooks of the tutorial run and print what they show."""

import json

import pytest
from scripts.notebooks import FOLDER, differences

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


# That on Spark runs where there is a cluster already: tests/engines.
HERE = [path for path in NOTEBOOKS if path.stem != "spark"]


@pytest.mark.parametrize("path", HERE, ids=lambda path: path.stem)
def test_notebooks_print_what_they_show(path):
    assert differences(path) == []


def test_every_notebook_is_in_the_list():
    page = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert all(f"({path.name})" in page for path in NOTEBOOKS)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_show_their_outputs(path):
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert any(cell["outputs"] for cell in cells)
