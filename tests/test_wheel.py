"""The wheel, as a user has it who has nothing else.

Every job works with the base install, what needs an extra names it, and nothing looks for a compiler. Type checkers
find the documentation's code right, and a slip wrong.
"""

import doctest
import json
import os
import re
import subprocess
import sys
import tomllib

import pytest
from tests.conftest import ROOT
from tests.fresh import base_environment, base_packages, build_wheel, empty_environment

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

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
def wheel(tmp_path_factory):
    return build_wheel(tmp_path_factory.mktemp("wheels"))


@pytest.fixture(scope="module")
def python(tmp_path_factory, wheel):
    """Return the interpreter of an environment that holds the wheel alone (types need no compiled module)."""
    return empty_environment(tmp_path_factory.mktemp("fresh") / "venv", wheel)


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


def test_every_job_works_without_an_extra_or_a_compiler(tmp_path, wheel):
    python = base_environment(tmp_path / "venv", wheel)
    bare = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "CC", "CXX")}
    command = [str(python), str(ROOT / "scripts" / "wheel_test.py")]
    done = subprocess.run(command, env=bare | {"PATH": str(python.parent)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("not installed: mine, web, serve, zstd, sheets, pdf\n")


def test_heavy_packages_are_extras():
    assert base_packages().isdisjoint({"duckdb", "resiliparse", "fastwarc", "pandas", "polars", "fastapi", "pyspark"})


def test_every_dependency_has_a_lower_bound_and_a_reason():
    reasons = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    for extra, needs in (PROJECT["optional-dependencies"] | {"": PROJECT["dependencies"]}).items():
        assert f"`{extra}`" in reasons or not extra
        for need in needs:
            name = re.split(r"[^\w-]", need, maxsplit=1)[0]
            assert name == "likewise" or re.search(r"[>=]=\d", need), need
            assert extra in ("dev", "bench", "docs", "all") or name in reasons, need


def test_the_citation_has_the_version():
    assert f"\nversion: {PROJECT['version']}\n" in (ROOT / "CITATION.cff").read_text(encoding="utf-8")
