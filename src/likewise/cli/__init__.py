"""The command line: one thin command per job, each in the module that bears its name.

Only the module of the command at hand is imported, so that the start stays quick. Data goes to stdout, messages and
progress to stderr; exit 0 done, 2 error, 1 nothing found (look-ups only).
"""

import atexit
import codecs
import io
import os
import signal
import sys
from contextlib import suppress
from importlib import import_module

from likewise.cli.commands import COMMANDS as COMMANDS

# What other tools call the options of match and dedupe.
_OTHER_WORDS_FOR = ("match", "dedupe")
_OTHER_WORDS = {
    **dict.fromkeys(("--threshold", "--cutoff", "--score-cutoff", "--min-similarity"), "--min-score"),
    **dict.fromkeys(("--limit", "--max-n-matches"), "--top"),
    **dict.fromkeys(("--column", "--field", "--key"), "--on"),
    **dict.fromkeys(("--scorer", "--metric"), "--measure"),
    **dict.fromkeys(("--processor", "--preprocess"), "--clean"),
    "--out": "--output",
}

# What is done with characters that the encoding of the terminal does not have.
_AS_JSON = "likewise-json"


def main() -> None:
    """Run the command line, and end the process.

    It ends at once, without taking the interpreter apart: there, threads of Arrow that are about to rest now and then
    make the process abort (apache/arrow issue 34314) after its work is done.
    """
    code: object = 0
    try:
        command()
    except SystemExit as ended:
        code = ended.code
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # closed by whoever read it
            stream.flush()
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def command() -> None:
    """Run the command line; what failed ends as an exit code (SystemExit)."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # While modules are imported nothing is half done, and an exception inside an import may come out as any other.
        signal.signal(signal.SIGINT, _stop)
    codecs.register_error(_AS_JSON, _as_json)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_AS_JSON)
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        from likewise import __version__

        print(f"likewise {__version__}")
        return
    from likewise.cli.app import run

    named = next((word for word in arguments if not word.startswith("-")), None)
    wanted = [named] if named in COMMANDS else list(COMMANDS)
    if named in _OTHER_WORDS_FOR:
        for word in arguments:
            ours = _OTHER_WORDS.get(word.partition("=")[0])
            if ours is not None:
                print(f"likewise: {word.partition('=')[0]} is called {ours} here", file=sys.stderr)
                sys.exit(2)
    functions = {}
    for command in wanted:
        module, _, function = COMMANDS[command].partition(":")
        functions[command] = getattr(import_module(module), function)
    run(functions)


def _as_json(error: UnicodeError) -> tuple[str, int]:
    """Write what the terminal's encoding does not have as JSON writes it, so that JSON stays the same."""
    import json

    assert isinstance(error, UnicodeEncodeError)
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _stop(*_: object) -> None:
    os.write(2, b"likewise: stopped\n")
    os._exit(130)
