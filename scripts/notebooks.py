"""Run the notebooks of the tutorial and keep what they print, so that readers see it without running anything.

    python scripts/notebooks.py            # run all and write their outputs
    python scripts/notebooks.py --check    # say which of them print something else than they show

Cells run in this process, one notebook after the other: no kernel, no port. The output of a cell with the tag "varies"
(it depends on the version of Python) is kept, but not compared.
"""

import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "tutorial"


def main() -> int:
    stale = []
    for path in sorted(FOLDER.glob("*.ipynb")):
        if "--check" in sys.argv:
            stale += differences(path)
        else:
            path.write_text(json.dumps(executed(path), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print("\n".join(stale), file=sys.stderr)
    return 1 if stale else 0


def differences(path: Path) -> list[str]:
    """Return where a notebook prints something else than it shows."""
    shown = json.loads(path.read_text(encoding="utf-8"))["cells"]
    found = executed(path)["cells"]
    return [
        f"{path.name}, cell {number}: {new.get('outputs')} instead of {old.get('outputs')}"
        for number, (old, new) in enumerate(zip(shown, found, strict=True))
        if old.get("outputs") != new.get("outputs") and "varies" not in old["metadata"].get("tags", [])
    ]


def executed(path: Path) -> dict[str, Any]:
    """Return a notebook with the outputs of its cells, run in an empty folder."""
    notebook: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    back = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
            for number, cell in enumerate(code, 1):
                cell["execution_count"] = number
                cell["outputs"] = outputs("".join(cell["source"]), f"{path.name}[{number}]", names, number)
        finally:
            os.chdir(back)
    return notebook


def outputs(source: str, where: str, names: dict[str, Any], number: int) -> list[dict[str, Any]]:
    """Run a cell and return what it prints, and the value of its last expression."""
    tree = ast.parse(source, where)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value = None
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
        exec(compile(tree, where, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), where, "eval"), names)
    made: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        made.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        made.append({"data": data, "execution_count": number, "metadata": {}, "output_type": "execute_result"})
    return made


if __name__ == "__main__":
    sys.exit(main())
