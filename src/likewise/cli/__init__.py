"""The command line: one thin command per job, each in the module that bears its name.

Only the module of the command at hand is imported, so that the start stays quick. Data goes to stdout, messages and
progress to stderr; exit 0 done, 2 error, 1 nothing found (look-ups only).
"""

import os
import signal
import sys
from importlib import import_module

# Command -> module:function. In the order in which --help lists them.
COMMANDS: dict[str, str] = {
    "compare": "likewise.cli.compare:compare",
    "match": "likewise.cli.match:match",
    "dedupe": "likewise.cli.dedupe:dedupe",
    "cluster": "likewise.cli.cluster:cluster",
    "link": "likewise.cli.link:link",
    "mine": "likewise.cli.mine:mine",
    "paraphrases": "likewise.cli.paraphrases:paraphrases",
    "nuggets": "likewise.cli.nuggets:nuggets",
    "ask": "likewise.cli.ask:ask",
    "recognise": "likewise.cli.recognise:app",
    "index": "likewise.cli.index:index",
    "search": "likewise.cli.search:search",
    "evaluate": "likewise.cli.evaluate:app",
    "judge": "likewise.cli.judge:app",
    "reproduce": "likewise.cli.reproduce:reproduce",
    "serve": "likewise.cli.serve:serve",
    "demo": "likewise.cli.demo:demo",
}


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
