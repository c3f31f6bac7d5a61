"""Build the wheel twice from the last commit, in two folders, and say whether the bytes are the same.

python scripts/reproducible.py [--figures FILE]
"""

import argparse
import hashlib
import json
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
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", type=Path)
    figures = parser.parse_args().figures
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        wheels = [build(Path(first)), build(Path(second))]
        digests = [hashlib.sha256(wheel.read_bytes()).hexdigest() for wheel in wheels]
        print(wheels[0].name, *digests, sep="\n  ")
        if figures is not None:
            figures.write_text(json.dumps({"wheel": wheels[0].name, "sha256": digests}, indent=1), encoding="utf-8")
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
