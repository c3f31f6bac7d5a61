"""What a user's type checker says who has nothing but the wheel: the documentation's code is right, a slip is not."""

import doctest
import json
import re
import subprocess
import sys
import venv

import pytest
from tests.conftest import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "docs/guide").glob("*.md"))]
SLIPS = {
    'lw.match(["a"], ["b"], tpo=3)': "tpo",
    'lw.Spectra(wieghts="c")': "wieghts",
    'lw.link("book", presett="21")': "presett",
    'lw.dedupe(["a"], linkage="sinlge")': "sinlge",
    'lw.mine("folder", suport=3)': "suport",
    'lw.Index.build(["a"]).search("a", tpo=3)': "tpo",
    'lw.match(["a"], ["b"], top="three")': "three",
}


@pytest.fixture(scope="module")
def python(tmp_path_factory):
    """Return the interpreter of an environment that holds the wheel alone (types need no compiled module)."""
    folder = tmp_path_factory.mktemp("fresh")
    pip = [sys.executable, "-m", "pip"]
    build = [
        "wheel",
        "-q",
        "--no-deps",
        "--no-build-isolation",
        "-C",
        "wheel.cmake=false",
        "-w",
        folder / "wheels",
        ROOT,
    ]
    subprocess.run([*pip, *map(str, build)], check=True, capture_output=True)
    venv.create(folder / "venv")
    found = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    (wheel,) = (folder / "wheels").iterdir()
    subprocess.run([*pip, "--python", str(found), "install", "-q", "--no-deps", str(wheel)], check=True)
    return found


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """Return a folder with the code of each page as a module, and the slips."""
    folder = tmp_path_factory.mktemp("project")
    for page in PAGES:
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
        code = [
            "".join(example.source for example in doctest.DocTestParser().get_examples(block))
            if ">>>" in block
            else block
            for block in blocks
        ]
        if code:
            (folder / f"{page.stem.replace('-', '_').lower()}_page.py").write_text("\n".join(code), encoding="utf-8")
    (folder / "slips.py").write_text("import likewise as lw\n\n" + "\n".join(SLIPS) + "\n", encoding="utf-8")
    rules = {"typeCheckingMode": "standard", "reportUnusedExpression": False, "reportMissingImports": False}
    (folder / "pyrightconfig.json").write_text(json.dumps(rules), encoding="utf-8")
    return folder


def run(*command, folder):
    done = subprocess.run([str(part) for part in command], cwd=folder, capture_output=True, text=True)
    return done.stdout + done.stderr


def mypy(python, folder, *names):
    options = ("--strict", "--allow-redefinition", "--ignore-missing-imports", "--no-incremental")
    return run(sys.executable, "-m", "mypy", *options, "--python-executable", python, *names, folder=folder)


def pyright(python, folder, *names):
    return run(sys.executable, "-m", "basedpyright", "--pythonpath", python, *names, folder=folder)


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_the_code_of_the_documentation_is_accepted(checker, python, project):
    pages = sorted(path.name for path in project.glob("*_page.py"))
    assert len(pages) > 10
    assert not [line for line in checker(python, project, *pages).splitlines() if "error:" in line]


@pytest.mark.parametrize("checker", [mypy, pyright])
def test_a_slip_is_refused(checker, python, project):
    found = checker(python, project, "slips.py")
    lines = {int(place) for place in re.findall(r"slips\.py:(\d+)[^\n]*error", found)}
    assert lines == {place + 3 for place in range(len(SLIPS))}, found
