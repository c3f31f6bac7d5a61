"""The documentation builds without a warning, and the reference shows what a reader needs."""

import html
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import ROOT

import likewise


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def reference(site: Path) -> str:
    return (site / "reference" / "python.html").read_text(encoding="utf-8")


def test_examples_are_code(reference):
    assert "<blockquote>" not in reference
    blocks = re.findall("<pre.*?</pre>", reference, re.DOTALL)
    inside = sum(block.count("&gt;&gt;&gt; ") for block in blocks)
    assert inside == reference.count("&gt;&gt;&gt; ") > 40


def test_no_roles_are_left(reference):
    assert re.findall(r":(?:mod|class|func|meth|data|attr|exc):", reference) == []


@pytest.mark.parametrize("name", [name for name in likewise.__all__ if name != "recognize"])
def test_every_public_name_has_an_entry(reference, name):
    value = getattr(likewise, name)
    assert f'id="{value.__module__}.{value.__qualname__}"' in reference


def test_inherited_methods_and_signatures_are_shown(reference):
    for method in ("scores", "matrix", "save", "fit"):
        assert f'id="{likewise.Spectra.__module__}.Spectra.{method}"' in reference
    text = html.unescape(re.sub(r"<[^>]+>", "", reference))
    assert re.search(r"compare\(\s*left: str,\s*right: str", text)


def test_readers_meet_the_reference_before_the_design(site):
    page = (site / "index.html").read_text(encoding="utf-8")
    places = [page.index(name) for name in ("guide/match.html", "reference/python.html", "design/", "results/")]
    assert places == sorted(places)


def test_what_to_type_can_be_copied(site):
    pages = [site / "quickstart.html", *(site / "guide").glob("*.html"), *(site / "concepts").glob("*.html")]
    for page in pages:
        text = html.unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))
        assert not re.search(r"^(?:\$ |>>> )", text, re.MULTILINE), page.name
