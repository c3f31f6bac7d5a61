"""Long inputs of one piece said over and over, after another piece: time may grow with the length, not with its square.

    python -m tests.fuzz.lengths [TARGET ...] [--size 20000] [--seconds 0.4]

Each reader gets every pair of pieces. What takes longer than ``--seconds`` is read at twice the size, too, and printed
if that takes three times as long.
"""

import argparse
import itertools
import time
from collections.abc import Iterator

from tests.fuzz.seeds import TOKENS
from tests.fuzz.targets import TARGETS, Target

# What markup is made of, and what patterns stumble on: blanks, opened and never closed, half a number.
_WORDS = r"""
a 1 1. * _ ~ + = < <a <! <? </ & &lt; <p> <a_href= ![ ]( \ \( \{ % $ ^ @ << :: ;; :a:` .. .SH \f \*( link: http:// --
{#a ''' == |a || {| a.b (a [a (see x=1; Dr. e.g. a: {"a": [" 1, a," "", a;b, sep= HTTP/1.1 WARC/1.0 Figure 1.
"""
PIECES = sorted(
    {
        *TOKENS,
        *(word.replace("_", " ").encode() for word in _WORDS.split()),
        *(
            b" ",
            b"\n",
            b"a ",
            b"A. ",
            b"\xc3\xa9",
            b"\xff",
            b"> ",
            b"- ",
            b"<a ",
            b".. |",
            b".SH ",
            b"a, ",
            b" | ",
            b"` <",
        ),
        *(b"(see ", b"Figure 1. ", b"\xe2\x80\x9c", b"\xe4\xb8\xad", b"Dr. ", b"a:\n", b"\t\n", b"a\n\n", b"_", b"{: "),
    }
)


def inputs(size: int) -> Iterator[tuple[bytes, bytes, bytes]]:
    """Yield pairs of pieces, and the input that each makes."""
    for before, piece in itertools.product([b"", *PIECES], PIECES):
        yield before, piece, before + piece * (size // len(piece))


def seconds(target: Target, data: bytes) -> float:
    """Return the processor time that an input takes."""
    begun = time.process_time()
    target.try_input(data)
    return time.process_time() - begun


def grows(target: Target, size: int, limit: float) -> Iterator[tuple[bytes, bytes, float, float]]:
    """Yield the pairs of pieces whose time grows faster than their length."""
    for before, piece, data in inputs(size):
        once = seconds(target, data)
        if once > limit:
            twice = seconds(target, before + piece * (2 * size // len(piece)))
            if twice > 3 * once:
                yield before, piece, once, twice


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--size", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=0.4)
    chosen = parser.parse_args()
    for name in chosen.targets or [name for name in TARGETS if name.startswith(("read.", "inside.", "table."))]:
        begun = time.process_time()
        for before, piece, once, twice in grows(TARGETS[name](), chosen.size, chosen.seconds):
            print(f"{name}: {before!r} {piece!r}: {once:.2f} s, {twice:.2f} s", flush=True)
        print(f"{name}: {time.process_time() - begun:.0f} s in all", flush=True)


if __name__ == "__main__":
    main()
