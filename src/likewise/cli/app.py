"""Build the typer application from the commands at hand and run it with the manners of a good tool."""

import os
import re
import signal
import sys
from collections.abc import Callable
from difflib import get_close_matches
from inspect import getdoc
from typing import Any

import typer

from likewise.cli.commands import GROUPS
from likewise.cli.flags import as_flags
from likewise.errors import Cancelled, LikewiseError
from likewise.said import printable

_WANTED = {"int_parsing": "a whole number", "int_from_float": "a whole number", "float_parsing": "a number"}


def build(commands: dict[str, Callable[..., Any] | typer.Typer]) -> typer.Typer:
    """Return the application; the reference pages are made from it, too."""
    app = typer.Typer(
        name="likewise",
        help="Find texts that say the same thing, exactly, fast, and see why.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    # A callback keeps typer from flattening an application that has just one command registered.
    @app.callback()
    def root(version: bool = typer.Option(False, "--version", help="Show the version and exit.")) -> None:
        """Find texts that say the same thing, exactly, fast, and see why."""
        if version:
            from likewise import __version__

            print(f"likewise {__version__}")
            raise typer.Exit

    panels = {name: panel for panel, group in GROUPS.items() for name in group}
    for name, command in commands.items():
        if isinstance(command, typer.Typer):
            for inner in command.registered_commands:
                inner.help = flowing(getdoc(inner.callback) or "")
            app.add_typer(command, name=name, rich_help_panel=panels.get(name))
        else:
            app.command(name, rich_help_panel=panels.get(name), help=flowing(getdoc(command) or ""))(command)
    return app


def flowing(text: str) -> str:
    """Return a help text with a line for each paragraph, which a terminal breaks at its own width.

    Typer keeps the line breaks of the source in all paragraphs but the first. Indented lines are examples and stay.

    >>> flowing("One line.\\n\\nA paragraph of\\ntwo lines.\\n\\n  an example")
    'One line.\\n\\nA paragraph of two lines.\\n\\n  an example'
    """
    return re.sub(r"(?<=\S)\n(?=\S)", " ", text)


def run(commands: dict[str, Callable[..., Any] | typer.Typer]) -> None:
    """Run the application; errors of ours, a full disk and Ctrl-C become one line on stderr and an exit code."""
    stopped = []

    def stop(*_: object) -> None:
        stopped.append(True)
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, stop)
    try:
        try:
            code = build(commands)(standalone_mode=False)
        finally:
            sys.stdout.flush()
    except BaseException as error:
        if stopped:
            fail("stopped", 130)
        elif hasattr(error, "format_message"):  # what typer says of a command line that it cannot read
            _misused(error)
        elif isinstance(error, LikewiseError):
            fail(str(error), 130 if isinstance(error, Cancelled) else 2)
        elif isinstance(error, BrokenPipeError) or isinstance(error.__context__, BrokenPipeError):
            _close_stdout()  # the reader has gone (`| head`), of which typer makes an exit code of 1: say nothing
            sys.exit(0)
        elif isinstance(error, OSError):
            _close_stdout()
            place = error.filename or "standard output"
            fail(f"cannot read or write {place}: {error.strerror or error}")
        else:
            raise
    if stopped:  # typer made an exit code of it
        fail("stopped", 130)
    if code:
        sys.exit(code)


def _misused(error: Any) -> None:
    """Say in one line what is wrong with a command line, and what would help; the help, if it is bare."""
    if type(error).__name__ == "NoArgsIsHelpError":
        error.show()
        sys.exit(2)
    context = getattr(error, "ctx", None)
    place = context.command_path if context else "likewise"
    near = get_close_matches(getattr(error, "option_name", ""), getattr(error, "possibilities", None) or (), 1)
    if near:
        message = f"there is no option {error.option_name}; did you mean {near[0]}?"
    elif isinstance(error.__cause__, ValueError) and hasattr(error.__cause__, "errors"):
        (found, *_) = error.__cause__.errors()
        wanted = _WANTED.get(found["type"], found["msg"])
        message = f"{error.param.opts[0]} must be {wanted}, not {found['input']!r}"
    else:
        message = error.format_message().rstrip(".")
        extra = re.match(r"Got unexpected extra arguments? ?\(?s?\)? \((\S+).*\)", message)
        if extra:
            first = extra[1].rstrip(")")
            message = f"one argument too many: {first}; several files are one table as a pattern in quotes ('*.csv')"
        group = re.fullmatch(r"No such command '(.*)'", message)
        if group:
            message = f"{place} needs one of its commands first, not {group[1]!r}"
        if hasattr(error, "possibilities") and not getattr(error, "option_name", "--").startswith("--"):
            message += "; behind -- a text may begin with a dash"
    fail(f"{message[0].lower()}{message[1:]} ({place} -h shows how it is used)")


def _close_stdout() -> None:
    """Keep Python from complaining about what it cannot write any more while it closes stdout."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(message: str, code: int = 2) -> None:
    """Say what went wrong in one line on stderr and leave."""
    print(f"likewise: {printable(as_flags(message))}", file=sys.stderr)
    sys.exit(code)
