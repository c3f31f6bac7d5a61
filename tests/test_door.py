"""The public door: what is there, that it is quick, and that nothing shadows it."""

import importlib
import pkgutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import likewise


def test_all_is_sorted_and_importable():
    assert likewise.__all__ == sorted(likewise.__all__)
    for name in likewise.__all__:
        assert getattr(likewise, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        likewise.nonsense  # noqa: B018


def test_type_checkers_see_the_same_names():
    source = Path(likewise.__file__).read_text(encoding="utf-8")
    mirror = source.split("if TYPE_CHECKING:")[-1]
    for name in likewise.__all__:
        assert name in mirror, f"{name} is missing from the TYPE_CHECKING mirror"


def test_no_module_shadows_a_public_name():
    for module in pkgutil.iter_modules(likewise.__path__):
        assert module.name not in likewise.__all__


def test_public_names_survive_importing_every_module():
    before = {name: getattr(likewise, name) for name in likewise.__all__}
    for module in pkgutil.walk_packages(likewise.__path__, "likewise."):
        if "spark" in module.name or "serve" in module.name or "spacy" in module.name:
            continue
        importlib.import_module(module.name)
    assert {name: getattr(likewise, name) for name in likewise.__all__} == before
    assert likewise.compare("a b", "a c").score == likewise.compare("a b", "a c").score


@pytest.mark.parametrize(
    ("arguments", "limit"),
    [
        (["-c", "import likewise"], 0.1),
        (["-c", "import sys; sys.argv = ['likewise', '--version']; import likewise.cli; likewise.cli.main()"], 0.2),
    ],
)
def test_start_is_quick(arguments, limit):
    def seconds(extra):
        started = time.perf_counter()
        subprocess.run([sys.executable, *extra], check=True, capture_output=True)
        return time.perf_counter() - started

    # The best of several, less what the interpreter itself takes: this machine may be busy with other tests.
    bare = min(seconds(["-c", "pass"]) for _ in range(5))
    assert min(seconds(arguments) for _ in range(5)) - bare < limit


def test_import_loads_nothing_heavy():
    code = (
        "import likewise, sys; print([m for m in ('numpy', 'pyarrow', 'duckdb', 'typer', 'rich') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
