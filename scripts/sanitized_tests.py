"""Build the core with sanitizers and run the tests that touch it: ``sanitized_tests.py asan|ubsan|tsan [pytest ...]``.

The package is laid over the installed one in ``build/PRESET/package``, also for the processes that tests start. Each
folder is a run of its own; what came of it is added to ``docs/results/reliability/sanitizers.json``. Tests that only
drive processes are left out, and LIKEWISE_MOST_EXAMPLES=20 makes the runs shorter (``scripts/sanitized_plugin.py``).
"""

import json
import os
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from reliability import FIGURES, ROOT

# Every folder of tests that ends in the core.
TOUCHING = ["core", "analyse", "measure", "join", "index", "records", "quality", "jobs"]
RUNTIMES = {"asan": ("libasan.so", "libstdc++.so.6"), "ubsan": ("libubsan.so",), "tsan": ("libtsan.so",)}
OPTIONS = {
    # Python keeps memory until it ends, and gives back null where it asks for too much.
    "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=0",
    "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
    "TSAN_OPTIONS": f"halt_on_error=0:exitcode=66:suppressions={ROOT / 'scripts' / 'tsan.txt'}",
}
# The finder of the editable installation comes before every path: it has to go.
CUSTOMIZE = """import sys
sys.meta_path[:] = [finder for finder in sys.meta_path if "Redirecting" not in type(finder).__name__]
sys.path.insert(0, {package!r})
"""


def build(preset: str) -> Path:
    """Compile the module and lay the package over the installed one."""
    tools = Path(sys.executable).parent
    cmake = tools / "cmake"
    launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
    configure = [cmake, "--preset", preset, f"-DPython_EXECUTABLE={sys.executable}", *launcher]
    subprocess.run([*configure, f"-DCMAKE_MAKE_PROGRAM={tools / 'ninja'}"], cwd=ROOT, check=True, stdout=sys.stderr)
    folder = ROOT / "build" / preset
    subprocess.run([cmake, "--build", folder], check=True, stdout=sys.stderr)
    package = folder / "package"
    shutil.rmtree(package, ignore_errors=True)
    (package / "likewise").mkdir(parents=True)
    for entry in (ROOT / "src" / "likewise").iterdir():
        if entry.suffix != ".so" and entry.name != "__pycache__":
            (package / "likewise" / entry.name).symlink_to(entry)
    for module in folder.glob("_core*.so"):
        (package / "likewise" / module.name).symlink_to(module)
    (package / "sitecustomize.py").write_text(CUSTOMIZE.format(package=str(package)), encoding="utf-8")
    return package


def main(preset: str, arguments: list[str]) -> int:
    """Build, then run the tests; what the sanitizer finds fails them."""
    package = build(preset)
    compiler = os.environ.get("CXX", "c++")
    preload = [
        subprocess.run(
            [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in RUNTIMES[preset]
    ]
    # Reports go to files, also those of processes that tests start.
    reports = package.parent / "report"
    options = {name: f"{value}:log_path={reports}" for name, value in OPTIONS.items()}
    environment = {
        **os.environ,
        **options,
        "LD_PRELOAD": " ".join(preload),
        "PYTHONPATH": f"{package}:{ROOT / 'scripts'}",
    }
    # Sanitizers make everything slower and larger: limits of time and memory are not for them.
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "sanitized_plugin",
        "--timeout",
        "3000",
    ]
    command += [argument for argument in arguments if argument.startswith("-")]
    parts = [argument for argument in arguments if not argument.startswith("-")]
    worst = 0
    for part in parts or [f"tests/{name}" for name in TOUCHING]:
        found = package.parent / "found.xml"
        for old in package.parent.glob("report.*"):
            old.unlink()
        code = subprocess.run([*command, f"--junitxml={found}", part], cwd=ROOT, env=environment).returncode
        (suite,) = ElementTree.parse(found).iter("testsuite")
        failed = int(suite.attrib["failures"]) + int(suite.attrib["errors"])
        told = sorted(package.parent.glob("report.*"))
        sys.stderr.write("".join(path.read_text(errors="replace") for path in told))
        most = int(os.environ.get("LIKEWISE_MOST_EXAMPLES", "0"))
        seen = {"tests": int(suite.attrib["tests"]), "failed": failed, "reports": len(told)}
        chosen = " ".join([part, *(argument for argument in arguments if argument.startswith("-k"))])
        note(preset, chosen, seen | ({"examples": most} if most else {}))
        worst = worst or code or len(told)
    return worst


def note(preset: str, part: str, seen: dict[str, int]) -> None:
    """Keep what came of a run for the page of results."""
    path = FIGURES / "sanitizers.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    figures = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    figures.setdefault(preset, {})[part] = seen
    path.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in RUNTIMES:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
