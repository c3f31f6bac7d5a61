"""How long it takes to start.

python -m benchmarks.start
"""

import subprocess
import sys
import time

CASES = [
    ("python itself", ["-c", "pass"], None),
    ("import likewise", ["-c", "import likewise"], 0.1),
    ("likewise --version", ["-m", "likewise", "--version"], 0.2),
    ("likewise compare a b", ["-m", "likewise", "compare", "a", "b"], None),
]


def main() -> None:
    print("| case | best wall s of 10 | goal |\n|---|---:|---:|")
    for name, arguments, goal in CASES:
        seconds = []
        for _ in range(10):
            started = time.perf_counter()
            subprocess.run([sys.executable, *arguments], check=True, capture_output=True)
            seconds.append(time.perf_counter() - started)
        print(f"| {name} | {min(seconds):.3f} | {goal or ''} |")


if __name__ == "__main__":
    main()
