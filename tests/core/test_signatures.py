"""The hand-kept signatures of the compiled module name exactly what the module has."""

import ast
from pathlib import Path

from likewise import _core

STUB = Path(__file__).resolve().parents[2] / "src" / "likewise" / "_core.pyi"


def public(names):
    return {name for name in names if not name.startswith("_")}


def test_every_name_is_there_and_no_other():
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.ClassDef)
    stubbed = {node.name for node in tree.body if isinstance(node, kinds)}
    stubbed |= {node.target.id for node in tree.body if isinstance(node, ast.AnnAssign)}
    assert public(stubbed) == public(dir(_core))


def test_every_method_is_there_and_no_other():
    tree = ast.parse(STUB.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            stubbed = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            stubbed |= {item.target.id for item in node.body if isinstance(item, ast.AnnAssign)}
            stubbed |= {item.targets[0].id for item in node.body if isinstance(item, ast.Assign)}
            assert public(stubbed) == public(vars(getattr(_core, node.name))), node.name
