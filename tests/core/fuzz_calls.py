"""Random calls of everything in the compiled module, with sound, wrong and hostile arguments mixed.

``python -m tests.core.fuzz_calls --seeds 0 20 --calls 2000`` makes them; a crash leaves the last call in
``--trace``. What can be called, and with what, is read from the hand-kept signatures.
"""

import argparse
import ast
import contextlib
import functools
import itertools
import json
import os
import random
import signal
import sys
import time
from pathlib import Path

import numpy as np
from tests.core import arguments
from tests.core.hostile_mining import train

from likewise import _core

STUB = Path(__file__).resolve().parents[2] / "src" / "likewise" / "_core.pyi"
INTEGERS = (-(2**63), -(2**31), -2, -1, 0, 0, 1, 1, 2, 3, 5, 12, 255, 2**31 - 1, 2**31, 2**63 - 1)
FLOATS = (float("nan"), float("inf"), -float("inf"), -1.0, 0.0, 0.25, 0.5, 1.0, 1.0, 2.0, 1e-300, 1e300)
TEXTS = ("", "a", "alpha beta", "don't stop", "é🙂", "\ud800", "x" * 500, "1990 , who came", "alpha and beta")
# Calls that chance alone does not find, for most of their arguments must agree.
TAGGER = train()
MODEL = _core.TaggerModel(TAGGER)
ROW = (arguments.i8(0, 1), arguments.i8(0))
SOUND = {
    (None, "join"): (arguments.DOT, None, None, _core.JoinMode.top, 1, 0.0, False, None, 1, None, arguments.f8(0)),
    (None, "fields_join"): (
        arguments.FIELDS, [_core.JoinIndex.build(arguments.DOT, None)], [None], arguments.i8(0), 1, 0.0, False,
        arguments.f8(0), arguments.f8(0), 1, None,
    ),
    (None, "blocks_join"): (arguments.DOT, *ROW, *ROW, 1, 0.0, False, 1, None),
    (None, "near_pairs"): (*arguments.NEAR_ROWS, 0.5, 1, None),
    ("NearLists", "__init__"): (*arguments.NEAR_ROWS, arguments.f8(2, 2, 1), 0.5),
    ("NearLists", "among_themselves"): (0, 1, 2, None),
    ("NearLists", "others"): (arguments.i8(0, 2), arguments.i4(0, 1), arguments.f8(2), 0, 1, 1, None),
    (None, "pair_scores"): (arguments.DOT, arguments.i8(0), arguments.i8(0)),
    ("PhraseRows", "__init__"): (arguments.i8(0, 2), arguments.i4(0, 1), arguments.i8(0, 1)),
    ("PhraseScorer", "__init__"): (arguments.DOT, arguments.PHRASES, arguments.PHRASES, _core.PhraseCount.matches),
    (None, "assign"): (*ROW, arguments.f8(1), 3),
    (None, "take_once"): (arguments.i8(1, 0), arguments.i8(0, 1), arguments.i8(0, 0), 2, 1),
    (None, "least"): (arguments.f8(2, 1, 1, 2), arguments.f8(1, -1), arguments.f8(0, 0), 9),
    (None, "rising"): (arguments.f8(2, 1, 3), arguments.f8(1, 1, 2)),
    (None, "row_products"): (arguments.i8(0, 1, 2), arguments.i4(0, 0), arguments.f8(1, 2), arguments.i4(0, 1)),
    ("FieldsScorer", "__init__"): ([arguments.DOT], [1.0], [arguments.i4(0)], [arguments.i4(0)], 1, 1),
    ("Rows", "__init__"): (arguments.i8(0, 1, 2), arguments.i4(0, 1), arguments.f8(1, 2)),
    ("JoinIndex", "build"): (arguments.DOT, None),
    ("DotSegment", "__init__"): (*arguments.LISTS, 1),
    ("GramSegment", "__init__"): arguments.GRAM_LISTS,
    ("SimilarityTable", "__init__"): ([0, 1, 1], [0], [0.5]),
    ("SpectraTexts", "__init__"): (arguments.GRAMS, arguments.i8(0, 2), arguments.i4(0, 1), arguments.f8(1, 2)),
    ("MineBatch", "__init__"): (
        arguments.u1(97), arguments.i4(0, 1), arguments.i4(0, 0, 0, 0, 0, 0), arguments.u1(), arguments.i4(0, 6),
    ),
    ("MineAnalyser", "__init__"): (MODEL,),
    ("MineAnalyser", "run"): (b"a b", arguments.i8(0, 3), arguments.i4(0), 1, 9, True, True, False, arguments.u1()),
    ("TaggerModel", "__init__"): (TAGGER,),
    ("TaggerModel", "train"): (["a", "b"], [0, 1], [0, 2], ["NN", "DT"], 1, 0, 1, 0.9, 0),
    ("Tagger", "__init__"): (MODEL,),
}  # fmt: skip
KEPT = 8
SECONDS = 5
MOST_MEMORY = 6 << 30


class SlowError(Exception):
    """A call took longer than a call may."""


def signatures():
    """Return what can be called: (class or None, name, [(parameter, annotation, has default)])."""
    found = []
    for node in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef):
            found.append((None, node.name, parameters(node)))
        elif isinstance(node, ast.ClassDef) and not any(ast.unparse(base) == "Enum" for base in node.bases):
            for item in node.body:
                if isinstance(item, ast.FunctionDef):
                    kinds = {ast.unparse(one) for one in item.decorator_list}
                    if "property" not in kinds:
                        given = parameters(item)
                        found.append((node.name, item.name, given if "staticmethod" in kinds else given[1:]))
    return found


def parameters(node):
    """Return the parameters of a function."""
    without = len(node.args.args) - len(node.args.defaults)
    return [
        (one.arg, ast.unparse(one.annotation) if one.annotation else "", place >= without)
        for place, one in enumerate(node.args.args)
    ]


@functools.cache
def alternatives(annotation):
    """Return the types that an annotation allows."""
    node, found = ast.parse(annotation or "None", mode="eval").body, []
    while isinstance(node, ast.BinOp):
        found.append(ast.unparse(node.right))
        node = node.left
    return [*found, ast.unparse(node)]


class Caller:
    """Makes calls and keeps what they gave, to use it in later ones."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.objects = {}
        self.sound = {}  # arguments of calls that gave something
        for value in vars(arguments).values():
            if type(value).__module__ == _core.__name__:
                self.keep(value)

    def keep(self, value):
        """Remember an object of the module, of each kind a few."""
        for kind in type(value).__mro__[:-1]:
            pool = self.objects.setdefault(kind.__name__, [])
            if len(pool) >= 12:
                pool.pop(self.random.randrange(len(pool)))
            pool.append(value)

    def array(self, dtype, sound):
        """Return an array; a sound one has small values, often ascending from 0."""
        choose = self.random
        size = choose.choice((0, 1, 1, 2, 2, 3, 4, 9))
        if dtype == "float64":
            values = [choose.choice((0.5, 1.0, 2.0) if sound else FLOATS) for _ in range(size)]
        elif sound:
            values = [choose.randrange(4) for _ in range(size)]
            if choose.random() < 0.7:
                values = sorted(values)
            if choose.random() < 0.5 and values:
                values[0] = 0
        else:
            limits = np.iinfo(dtype)
            values = [min(max(choose.choice(INTEGERS), limits.min), limits.max) for _ in range(size)]
        return np.array(values, dtype)

    def argument(self, annotation):
        """Return something for a parameter: mostly of its type, sometimes of any other."""
        choose = self.random
        roll = choose.random()
        if roll < 0.03:
            return choose.choice((None, 1, -1, "x", b"x", [], {}, 1.5, object(), np.zeros((2, 2)), [None]))
        sound = roll < 0.8
        annotation = choose.choice(alternatives(annotation))
        for dtype in ("uint8", "uint16", "int32", "int64", "float64"):
            if annotation == f"NDArray[np.{dtype}]":
                return self.array(dtype, sound)
        if annotation.startswith(("list[tuple", "Sequence[tuple")):
            parts = [self.array(dtype, sound) for dtype in ("int64", "int64", "float64")]
            return [tuple(parts) if "int64], NDArray[np.int64" in annotation else (parts[0], np.ones((2, 2)))]
        if annotation.startswith(("list[", "Sequence[", "dict[")):
            inner = annotation.partition("[")[2].rpartition("]")[0]
            if annotation.startswith("dict["):
                return {"a": 0}
            return [self.argument(inner) for _ in range(choose.choice((0, 1, 1, 2, 3)))]
        simple = {
            "int": lambda: choose.choice((0, 1, 2, 3)) if sound else choose.choice(INTEGERS),
            "float": lambda: choose.choice((0.0, 0.5, 1.0)) if sound else choose.choice(FLOATS),
            "bool": lambda: choose.random() < 0.5,
            "str": lambda: choose.choice(TEXTS),
            "bytes": lambda: choose.randbytes(choose.choice((0, 1, 20, 4096))),
            "None": lambda: None,
        }
        if annotation in simple:
            return simple[annotation]()
        kind = getattr(_core, annotation, None)
        if kind is not None and hasattr(kind, "__members__"):
            return choose.choice(list(kind))
        if annotation in ("Any", "PairScorer"):
            annotation = "PairScorer"
        pool = self.objects.get(annotation)
        return choose.choice(pool) if pool else None

    def arguments(self, owner, name, given):
        """Return arguments by chance, or those of a call that gave something with a few of them spoilt."""
        choose = self.random
        known = list(self.sound.get((owner, name), ()))
        if (owner, name) in SOUND:
            known.append(dict(zip((parameter for parameter, _, _ in given), SOUND[owner, name], strict=False)))
        if not known or choose.random() < 0.4:
            return {
                parameter: 1 if parameter == "threads" and choose.random() < 0.8 else self.argument(annotation)
                for parameter, annotation, default in given
                if not default or choose.random() < 0.5
            }
        arguments = dict(choose.choice(known))
        for parameter, annotation, _ in choose.sample(given, min(len(given), choose.choice((0, 1, 1, 2)))):
            arguments[parameter] = self.spoilt(arguments.get(parameter), annotation)
        return arguments

    def spoilt(self, value, annotation):
        """Return an array with one number exchanged, added or left out; else anything."""
        choose = self.random
        if not isinstance(value, np.ndarray) or value.ndim != 1 or choose.random() < 0.3:
            return self.argument(annotation)
        other = np.ravel(self.array(str(value.dtype), choose.random() < 0.5))
        at = choose.randrange(len(value) + 1)
        return np.concatenate([value[:at], other[:1], value[at + choose.randrange(3) :]])

    def call(self, owner, name, given, trace):
        """Make one call; any exception will do."""
        arguments = self.arguments(owner, name, given)
        if owner is None:
            function = getattr(_core, name)
        elif name == "__init__":
            function = getattr(_core, owner)
        else:
            pool = self.objects.get(owner) or [getattr(_core, owner)]  # the class, for what needs no object
            function = getattr(self.random.choice(pool), name)
        trace(f"{owner}.{name}({arguments!r})")
        try:
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            result = function(**arguments)
        except Exception:
            return
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        self.sound[owner, name] = [*self.sound.get((owner, name), ())[1 - KEPT :], arguments]
        for value in result if isinstance(result, tuple) else (result,):
            if type(value).__module__ == _core.__name__:
                self.keep(value)


def too_slow(*_):
    """End a call that waits in the core: long ones look for signals."""
    raise SlowError


def main(arguments):
    """Make the calls of some seeds."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seeds", nargs=2, type=int, default=(0, 4))
    parser.add_argument("--calls", type=int, default=1000)
    parser.add_argument("--seconds", type=float, help="go on with new seeds for so long")
    parser.add_argument("--trace", type=Path)
    parser.add_argument("--figures", type=Path)
    options = parser.parse_args(arguments)
    try:  # hostile sizes end in MemoryError instead of taking the machine; sanitizers reserve more than that
        import resource

        if "LD_PRELOAD" not in os.environ:
            resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    except ImportError:
        pass
    signal.signal(signal.SIGALRM, too_slow)
    known = signatures()
    made, sound = 0, set()
    end = time.monotonic() + (options.seconds or 0)
    before = json.loads(options.figures.read_text()) if options.figures and options.figures.exists() else {}
    first = options.seeds[0] if options.seconds is None else before.get("calls", 0)  # not those of an earlier run
    for seed in itertools.count(first):
        if seed >= options.seeds[1] if options.seconds is None else time.monotonic() > end:
            break
        caller = Caller(seed)

        def trace(text, seed=seed):
            if options.trace:
                options.trace.write_text(f"seed {seed}: {text}", encoding="utf-8", errors="replace")

        for _ in range(options.calls):
            with contextlib.suppress(SlowError):  # the alarm of a call may ring just after it has ended
                caller.call(*caller.random.choice(known), trace)
            made += 1
        sound |= caller.sound.keys()
    sys.stdout.write(f"{made} calls\n")
    if options.figures:
        most = max(len(sound), before.get("sound", 0))
        figures = {"calls": before.get("calls", 0) + made, "functions": len(known), "sound": most}
        options.figures.write_text(json.dumps(figures), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
