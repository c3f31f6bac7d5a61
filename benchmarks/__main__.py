"""Run the benchmarks one after the other: ``python -m benchmarks [NAME ...]``; without names, all of them (hours)."""

import pkgutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Modules that others stand on, and runs that need something of their own (a cluster, a second terminal).
NOT_RUN = {"__main__", "measuring", "mining_baseline", "record_decisions", "record_peers", "record_sets"}


def main() -> None:
    known = sorted(module.name for module in pkgutil.iter_modules([str(HERE)]) if module.name not in NOT_RUN)
    wanted = sys.argv[1:] or known
    for name in wanted:
        if name not in known:
            sys.exit(f"no benchmark {name}; there are: {', '.join(known)}")
        print(f"\n# {name}\n", flush=True)
        if subprocess.run([sys.executable, "-m", f"benchmarks.{name}"], cwd=HERE.parent).returncode:
            sys.exit(f"benchmark {name} failed")


if __name__ == "__main__":
    main()
