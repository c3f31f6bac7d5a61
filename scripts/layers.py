"""Draw which folders import which into ARCHITECTURE.md, between its markers; with --check only say whether it is so."""

import sys
from pathlib import Path

from likewise.layers import ORDER, imports, modules, place

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "ARCHITECTURE.md"
BEGIN, END = "<!-- layers: begin -->\n", "<!-- layers: end -->\n"


def drawing() -> str:
    """Return the table: a folder a line, a column for each folder to its left, a mark where it imports it."""
    found = {(place(source), place(target)) for source, target in imports(modules(ROOT / "src" / "likewise"))}
    width = max(map(len, ORDER))
    lines = ["```"]
    for row, name in enumerate(ORDER):
        marks = "".join("■ " if (row, column) in found else "· " for column in range(row))
        wrong = [ORDER[column] for column in range(row + 1, len(ORDER)) if (row, column) in found]
        back = f"   ! {', '.join(wrong)}" if wrong else ""
        lines.append(f"{name:<{width}}  {marks}{name}{back}".rstrip())
    return "\n".join([*lines, "```", ""])


def main() -> int:
    """Write the drawing, or compare it."""
    text = PAGE.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{PAGE.name} has no markers {BEGIN.strip()} and {END.strip()}")
    made = before + BEGIN + drawing() + END + after
    if made == text:
        return 0
    if "--check" in sys.argv[1:]:
        print(f"{PAGE.name} does not show the imports as they are: run scripts/layers.py")
        return 1
    PAGE.write_text(made, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
