"""Build the core with sanitizers and run the tests that touch it: ``sanitized_tests.py asan|ubsan|tsan``.

    python scripts/sanitized_tests.py asan [--examples 10] [--jobs 1] [--minutes M] [--anew] [tests ...] [-k ...]

The package is laid over the installed one in ``build/PRESET/package``, also for the processes that tests start. What
came of each test is kept in ``build/PRESET/seen.jsonl``: as long as the core is the same, a run goes on where the one
before it stopped (``--anew``: from the beginning), and a test that ends its process ends no other. Figures are added to
``docs/results/reliability/sanitizers.json``. What is left out: ``scripts/sanitized_plugin.py``.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from reliability import FIGURES, ROOT
from sanitized_reports import ours

# Every folder of tests that ends in the core.
TOUCHING = ["core", "analyse", "segment", "measure", "join", "index", "quality", "jobs", "records"]
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


def environment(preset: str, package: Path) -> dict[str, str]:
    """Return what a Python needs that is to run under a sanitizer; its reports go to files."""
    compiler = os.environ.get("CXX", "c++")
    preload = [
        subprocess.run(
            [compiler, f"-print-file-name={name}"], capture_output=True, text=True, check=True
        ).stdout.strip()
        for name in RUNTIMES[preset]
    ]
    presets = json.loads((ROOT / "CMakePresets.json").read_text(encoding="utf-8"))["configurePresets"]
    (chosen,) = (one for one in presets if one["name"] == preset)
    return {
        **os.environ,
        **{name: f"{value}:log_path={package.parent / 'report'}" for name, value in OPTIONS.items()},
        "LD_PRELOAD": " ".join(preload),
        "PYTHONPATH": f"{package}:{ROOT / 'scripts'}",
        "LIKEWISE_SANITIZED": str(package.parent),
        "LIKEWISE_SANITIZE": chosen["cacheVariables"]["LIKEWISE_SANITIZE"],
    }


def seen_before(folder: Path, *, anew: bool) -> None:
    """Keep what is known of tests with this core, and forget the rest."""
    (module,) = folder.glob("_core*.so")
    core = hashlib.sha256(module.read_bytes()).hexdigest()
    known = folder / "core.sha256"
    if anew or not known.exists() or known.read_text(encoding="utf-8") != core:
        (folder / "seen.jsonl").write_text("", encoding="utf-8")
        known.write_text(core, encoding="utf-8")
    for old in folder.glob("report.*"):
        old.unlink()


def seen(folder: Path) -> dict[str, dict[str, Any]]:
    """Return by test what came of it the last time that it was run to its end."""
    lines = (folder / "seen.jsonl").read_text(encoding="utf-8").splitlines()
    return {one["test"]: one for one in map(json.loads, lines) if one["outcome"] != "skipped"}


def main(chosen: argparse.Namespace, options: list[str]) -> int:
    """Build, then run the tests; what the sanitizer finds fails them."""
    package = build(chosen.preset)
    folder = package.parent
    seen_before(folder, anew=chosen.anew)
    passed = [test for test, one in seen(folder).items() if one["outcome"] == "passed"]
    (folder / "passed.json").write_text(json.dumps(passed), encoding="utf-8")
    parts = chosen.tests or [f"tests/{name}" for name in TOUCHING]
    # Sanitizers make everything slower and larger: limits of time and memory are not for them. The tests run in
    # processes of their own, so that one that is ended by a report is told, and the rest goes on.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "sanitized_plugin"]
    command += [
        "--timeout",
        "3000",
        "-n",
        str(chosen.jobs),
        "--dist",
        "loadfile",
        "--no-loadscope-reorder",
        *options,
        *parts,
    ]
    variables = environment(chosen.preset, package) | {
        "LIKEWISE_MOST_EXAMPLES": str(chosen.examples),
        "LIKEWISE_UNTIL": str(time.time() + 60 * chosen.minutes),
    }
    begun = time.monotonic()
    code = subprocess.run(command, cwd=ROOT, env=variables).returncode
    told = [said for path in sorted(folder.glob("report.*")) if (said := ours(path.read_text(errors="replace")))]
    sys.stderr.write("".join(told))
    slowest = sorted(seen(folder).values(), key=lambda one: -one["seconds"])[:10]
    print(*(f"{one['seconds']:7.1f} s  {one['test']}" for one in slowest), sep="\n")
    print(f"{(time.monotonic() - begun) / 60:.1f} minutes")
    note(chosen.preset, folder, [part for part in parts if not options], chosen.examples, len(told))
    return code or len(told)


def part_of(test: str) -> str:
    """Return the folder of a test, or its file where that is in none."""
    return "/".join(test.partition("::")[0].split("/")[:2])


def note(preset: str, folder: Path, parts: list[str], examples: int, told: int) -> None:
    """Keep what came of all runs with this core for the page of results: by folder of tests."""
    path = FIGURES / "sanitizers.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    every = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    figures = every.setdefault(preset, {})
    found: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for test, one in seen(folder).items():
        found[part_of(test)].append(one)
    collected = Counter(map(part_of, json.loads((folder / "collected.json").read_text(encoding="utf-8"))))
    for part, ones in found.items():
        failed, said = sum(one["outcome"] != "passed" for one in ones), sum(one["said"] for one in ones)
        of = collected[part] if part in parts else figures.get(part, {}).get("of")
        figures[part] = {"tests": len(ones), "failed": failed, "reports": said, "examples": examples}
        figures[part] |= {"of": of} if of else {}
    every.setdefault("processes", {})[preset] = told
    path.write_text(json.dumps(every, indent=1), encoding="utf-8")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("preset", choices=RUNTIMES)
    parser.add_argument("tests", nargs="*")
    parser.add_argument("--examples", type=int, default=10, help="the most that a property is tried with; 0: all")
    parser.add_argument("--jobs", type=int, default=1, help="processes that run tests")
    parser.add_argument("--minutes", type=float, default=1e6, help="tests that begin later are left for the next run")
    parser.add_argument("--anew", action="store_true", help="also what passed before")
    parser.add_argument("-k", help="of the tests those that match")
    arguments = parser.parse_intermixed_args()  # options may stand before the tests
    sys.exit(main(arguments, ["-k", arguments.k] if arguments.k else []))
