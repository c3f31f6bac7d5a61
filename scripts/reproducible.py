"""Build the wheel twice from the last commit, in two folders, and say whether the bytes are the same.

python scripts/reproducible.py
"""

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def build(folder: Path) -> Path:
    """Build the wheel of the last commit in a folder."""
    (folder / "source").mkdir(parents=True)
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", folder / "source"], input=archive, check=True)
    when = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True)
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", folder / "out"]
    environment = os.environ | {"SOURCE_DATE_EPOCH": when.stdout.strip()}
    subprocess.run([*command, folder / "source"], check=True, env=environment)
    (wheel,) = (folder / "out").glob("*.whl")
    return wheel


def main() -> None:
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        wheels = [build(Path(first)), build(Path(second))]
        digests = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in wheels]
        print(wheels[0].name, *digests, sep="\n  ")
        if digests[0] == digests[1]:
            print("the same bytes")
            return
        left, right = (zipfile.ZipFile(wheel) for wheel in wheels)
        differ = [
            name for name in left.namelist() if name not in right.namelist() or left.read(name) != right.read(name)
        ]
        sys.exit(f"these differ: {', '.join(differ) or 'only times or order'}")


if __name__ == "__main__":
    main()
