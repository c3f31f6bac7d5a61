"""The public door: what is there, that it is quick, and that nothing shadows it."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import likewise


def test_free_threaded_python_is_refused_in_words():
    program = "import sys; sys.version = '3.14.0 free-threading build (main)'; import likewise"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stderr.splitlines()[-1].startswith("ImportError: likewise does not support the free-threaded build")


def test_all_is_sorted_and_importable():
    assert likewise.__all__ == sorted(likewise.__all__)
    for name in likewise.__all__:
        assert getattr(likewise, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        likewise.nonsense  # noqa: B018


def test_type_checkers_see_the_same_names():
    stub = ast.parse(Path(likewise.__file__).with_name("__init__.pyi").read_text(encoding="utf-8"))
    said, defined = [], set()
    for node in stub.body:
        if isinstance(node, ast.ImportFrom):
            # Only ``import x as x`` is public in a stub.
            defined.update(one.name for one in node.names if one.name == one.asname)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__":
            said = ast.literal_eval(node.value)
    assert sorted(said) == likewise.__all__
    assert sorted(defined) == likewise.__all__


def test_no_module_shadows_a_public_name():
    for module in pkgutil.iter_modules(likewise.__path__):
        assert module.name not in likewise.__all__


def trained():
    lefts, rights = [f"text {i % 6}" for i in range(24)], [f"text {i % 6}" if i % 2 else f"word {i}" for i in range(24)]
    labels = np.array([left == right for left, right in zip(lefts, rights, strict=True)])
    pairs = likewise.LabelledPairs("toy", [str(i) for i in range(24)], lefts, rights, labels)
    return likewise.recognise(pairs, folds=2, repeats=1)


VERBS = {
    "compare": lambda: likewise.compare("a b", "a c").score,
    "dedupe": lambda: likewise.dedupe(["a b", "a b", "c"]).to_arrow().to_pylist(),
    "link": lambda: [
        link.score for link in likewise.link([likewise.Document("1", "a b"), likewise.Document("2", "a b")])
    ],
    "match": lambda: likewise.match(["a b"], ["a b", "c"]).to_arrow().to_pylist(),
    "mine": lambda: likewise.mine(__file__, support=1).to_arrow().to_pylist(),
    "recognise": lambda: trained().predict(["a b"], ["a b"]).tolist(),
}


def test_public_names_survive_importing_every_module():
    before = {name: getattr(likewise, name) for name in likewise.__all__}
    for module in pkgutil.walk_packages(likewise.__path__, "likewise."):
        if "spark" in module.name or "serve" in module.name or "spacy" in module.name:
            continue
        importlib.import_module(module.name)
    assert {name: getattr(likewise, name) for name in likewise.__all__} == before
    verbs = {name for name in likewise.__all__ if inspect.isfunction(getattr(likewise, name))}
    assert set(VERBS) <= verbs
    for name, call in VERBS.items():
        assert call() == call(), name


def test_everything_the_guides_import_is_public():
    """What a guide uses comes from likewise itself, but for the few parts that are no part of the door."""
    root = Path(__file__).resolve().parent.parent
    parts = ("serve", "engines", "analyse.tagger", "evaluate.gold", "report", "sklearn", "duckdb", "spark")
    apart = tuple(f"likewise.{part}" for part in parts)
    pages = [root / "README.md", *sorted((root / "docs").glob("guide/*.md")), *sorted((root / "examples").glob("*.py"))]
    found = []
    for page in pages:
        for line in page.read_text(encoding="utf-8").splitlines():
            words = line.strip().removeprefix(">>> ").split()
            inside = (
                len(words) > 1
                and words[0] in ("from", "import")
                and words[1].startswith("likewise.")
                and len(words) > 2
            )
            if inside and not words[1].startswith(apart):
                found.append(f"{page.name}: {line.strip()}")
    assert found == []


@pytest.mark.timing
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
