"""Judging on the terminal: one pair at a time, one key each."""

import sys
import textwrap
from collections.abc import Callable
from typing import TextIO

from likewise.evaluate.judging.study import Study
from likewise.said import printable

BACK, QUIT = "b", "q"


def run(study: Study, judge: str, *, read_key: Callable[[], str], out: TextIO, width: int = 80) -> int:
    """Ask for every item that this judge has not judged yet; return how many were judged in this session.

    A key of the scheme judges and goes on, ``b`` goes one back, ``q`` stops: everything said is kept already.
    """
    order = study.order(judge)
    said = study.verdicts(judge)
    at = next((place for place, number in enumerate(order) if number not in said), len(order))
    count = 0
    while at < len(order):
        number = order[at]
        _show(study, number, at, len(order), said.get(number), out, width)
        key = read_key()
        if key in (QUIT, ""):
            break
        if key == BACK:
            at = max(at - 1, 0)
            continue
        verdict = study.scheme.verdicts.get(key)
        if verdict is None:
            print(f"  {key!r} is not a key here", file=out)
            continue
        study.judge(judge, number, verdict)
        count += number not in said
        said[number] = verdict
        at += 1
        while at < len(order) and order[at] in said:
            at += 1
    print(f"\n{len(said)} of {len(order)} pairs judged.", file=out)
    return count


def _show(study: Study, number: int, at: int, count: int, before: str | None, out: TextIO, width: int) -> None:
    item = study.items()[number]
    print("\n" + "─" * width, file=out)
    print(f"{at + 1} of {count}" + (f", before: {before}" if before else ""), file=out)
    for place, text in ((item.left_place, item.left_text), (item.right_place, item.right_text)):
        print(file=out)
        if place:
            print(f"[{printable(place)}]", file=out)
        for paragraph in printable(text).split("\n\n"):
            print(textwrap.fill(" ".join(paragraph.split()), width), file=out)
    keys = "   ".join(f"{key} {verdict}" for key, verdict in study.scheme.verdicts.items())
    print(f"\n{study.scheme.question}", file=out)
    print(textwrap.fill(f"{keys}   {BACK} back   {QUIT} quit", width), file=out, flush=True)


def terminal_key() -> str:
    """Read one key without waiting for Enter; from a pipe, one character, line ends skipped."""
    if not sys.stdin.isatty():
        while (letter := sys.stdin.read(1)) in ("\n", "\r"):
            pass
        return letter
    import termios
    import tty

    handle = sys.stdin.fileno()
    before = termios.tcgetattr(handle)
    try:
        # What was typed ahead counts: draining keeps it, the default would throw it away.
        tty.setcbreak(handle, termios.TCSADRAIN)
        return sys.stdin.read(1)
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)
