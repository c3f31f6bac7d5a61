"""The building blocks of the core, tested in C++: what no call from Python can reach."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPILER = shutil.which(os.environ.get("CXX", "c++"))


@pytest.mark.skipif(COMPILER is None, reason="no C++ compiler")
@pytest.mark.parametrize("source", sorted((ROOT / "tests" / "core" / "cpp").glob("*.cpp")), ids=lambda path: path.stem)
def test_building_blocks(tmp_path, source):
    program = tmp_path / "program"
    options = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-I", str(ROOT / "core")]
    if sanitizers := os.environ.get("LIKEWISE_SANITIZE"):
        options += [f"-fsanitize={sanitizers}", "-fno-sanitize-recover=all", "-D_GLIBCXX_ASSERTIONS"]
    # The sanitizers' libraries, where tests run under them, are not for the compiler.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    subprocess.run([COMPILER, *options, str(source), "-o", str(program)], check=True, env=environment)
    done = subprocess.run([program], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout
