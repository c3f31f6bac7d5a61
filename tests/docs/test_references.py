"""What is cited can be found: papers by name (docs/references.md), names of modules and functions that exist."""

import importlib
import re
import subprocess

import pytest
from tests.conftest import ROOT

# Codes of documents that a reader of the repository does not have.
_CODES = re.compile(
    r"\b(?:SPEC|DESIGN) \d|\[[1-9]\] (?:Table|Fig|§|\d)|\b(?:[Oo]f|[Ii]n|[Aa]s|[Ww]ith|[Bb]eyond) \[[1-9]\]"
)
_ROLES = re.compile(r":(?:mod|class|func|meth|data|attr):`~?([\w.]+)`")
_TEXT = (".py", ".md", ".js", ".html", ".toml", ".cpp", ".hpp")


def sources(*folders: str) -> list[str]:
    listed = subprocess.run(["git", "ls-files", *folders], cwd=ROOT, capture_output=True, text=True, check=True)
    return [name for name in listed.stdout.split("\n") if name.endswith(_TEXT) and (ROOT / name).is_file()]


def test_no_codes_of_other_documents():
    found = []
    for name in sources("src", "docs", "tests", "benchmarks", "core", "bindings", "scripts", "README.md"):
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").split("\n"), 1):
            if _CODES.search(line) and not name.startswith("tests/docs/"):
                found.append(f"{name}:{number}: {line.strip()}")
    assert found == []


def test_cited_papers_are_on_the_page_of_references():
    page = (ROOT / "docs" / "references.md").read_text(encoding="utf-8")
    for paper in ("Salton and Buckley (1990)", "Jimenez and Gelbukh (2012)", "Paşca and Dienes (2005)"):
        assert f"**{paper}**" in page


@pytest.mark.parametrize("name", sources("src"))
def test_names_in_docstrings_exist(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    missing = {target for target in _ROLES.findall(text) if target.startswith("likewise.") and not exists(target)}
    assert not missing


def exists(target: str) -> bool:
    """Return whether a dotted name leads to a module, or to something inside one."""
    parts = target.split(".")
    for length in range(len(parts), 0, -1):
        try:
            value = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            if not hasattr(value, part):
                return part in getattr(value, "__dataclass_fields__", ()) or part in getattr(
                    value, "__annotations__", {}
                )
            value = getattr(value, part)
        return True
    return False
