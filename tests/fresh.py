"""An environment as a user has it who installed the wheel and nothing else.

The wheel is built without compiling, takes the module that the tests run on, and finds the packages of the base install
by links to those of the tests; so it takes seconds, needs no network, and hides every extra.
"""

import os
import re
import subprocess
import sys
import tomllib
import venv
from importlib.metadata import PackageNotFoundError, distribution, requires
from pathlib import Path

from tests.conftest import ROOT

import likewise._core


def build_wheel(folder: Path) -> Path:
    """Return a wheel of this checkout, without the compiled module."""
    settings = ("-C", "wheel.cmake=false", "-C", "wheel.py-api=py3")
    options = ("-q", "--no-deps", "--no-build-isolation", *settings, "-w", str(folder))
    subprocess.run([sys.executable, "-m", "pip", "wheel", *options, str(ROOT)], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return wheel


def empty_environment(folder: Path, wheel: Path) -> Path:
    """Return the interpreter of a new environment with the wheel alone: types and Python sources, no packages."""
    venv.create(folder, symlinks=os.name != "nt")
    python = folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    command = [sys.executable, "-m", "pip", "--python", str(python), "install", "-q", "--no-deps", str(wheel)]
    subprocess.run(command, check=True)
    return python


def base_environment(folder: Path, wheel: Path) -> Path:
    """Return the interpreter of a new environment with the wheel, its module and the packages of the base install."""
    python = empty_environment(folder, wheel)
    (site,) = folder.glob("lib/python*/site-packages")
    module = Path(likewise._core.__file__)
    (site / "likewise" / module.name).symlink_to(module)
    for name in base_packages():
        for place in _places(name):
            if not (site / place.name).exists():
                (site / place.name).symlink_to(place)
    return python


def base_packages() -> set[str]:
    """Return the names of all packages that a base install brings, those of the dependencies too."""
    found: set[str] = set()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    waiting = list(project["dependencies"])
    while waiting:
        name = re.split(r"[^\w.-]", waiting.pop(), maxsplit=1)[0].lower().replace("_", "-")
        if name not in found:
            try:
                waiting += [need for need in requires(name) or () if "extra ==" not in need]
            except PackageNotFoundError:  # for another platform or version
                continue
            found.add(name)
    return found


def _places(name: str) -> set[Path]:
    """Return what a package put at the top of the folder of packages."""
    one = distribution(name)
    site = Path(str(one.locate_file(""))).resolve()
    tops = {file.parts[0] for file in one.files or () if file.parts[0] not in ("..", "__pycache__")}
    return {site / top for top in tops}
