"""The command line: one thin command per job, each in the module that bears its name.

Only the module of the command at hand is imported, so that the start stays quick. Data goes to stdout, messages and
progress to stderr; exit 0 done, 2 error, 1 nothing found (look-ups only).
"""

import os
import signal
import sys
from importlib import import_module

from likewise.cli.commands import COMMANDS as COMMANDS


def main() -> None:
    """Run the command line."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # While modules are imported nothing is half done, and an exception inside an import may come out as any other.
        signal.signal(signal.SIGINT, _stop)
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        from likewise import __version__

        print(f"likewise {__version__}")
        return
    from likewise.cli.app import run

    named = next((word for word in arguments if not word.startswith("-")), None)
    wanted = [named] if named in COMMANDS else list(COMMANDS)
    functions = {}
    for command in wanted:
        module, _, function = COMMANDS[command].partition(":")
        functions[command] = getattr(import_module(module), function)
    run(functions)


def _stop(*_: object) -> None:
    os.write(2, b"likewise: stopped\n")
    os._exit(130)
