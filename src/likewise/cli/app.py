"""Build the typer application from the commands at hand and run it with the manners of a good tool."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import typer

from likewise.cli.commands import GROUPS
from likewise.errors import Cancelled, LikewiseError


def build(commands: dict[str, Callable[..., Any] | typer.Typer]) -> typer.Typer:
    """Return the application; the reference pages are made from it, too."""
    app = typer.Typer(
        name="likewise",
        help="Find the texts that say the same thing, exactly, fast, and see why.",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    # A callback keeps typer from flattening an application that has just one command registered.
    @app.callback()
    def root(version: bool = typer.Option(False, "--version", help="Show the version and exit.")) -> None:
        """Find the texts that say the same thing, exactly, fast, and see why."""
        if version:
            from likewise import __version__

            print(f"likewise {__version__}")
            raise typer.Exit

    panels = {name: panel for panel, group in GROUPS.items() for name in group}
    for name, command in commands.items():
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name, rich_help_panel=panels.get(name))
        else:
            app.command(name, rich_help_panel=panels.get(name))(command)
    return app


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
            build(commands)()
        finally:
            sys.stdout.flush()
    except BaseException as error:
        if stopped:
            fail("stopped", 130)
        elif isinstance(error, LikewiseError):
            fail(str(error), 130 if isinstance(error, Cancelled) else 2)
        elif isinstance(error, BrokenPipeError):
            _close_stdout()  # the reader has gone (`| head`): say nothing
            sys.exit(0)
        elif isinstance(error, OSError):
            _close_stdout()
            fail(f"{error.filename}: {error.strerror}" if error.filename else str(error.strerror or error))
        else:
            raise


def _close_stdout() -> None:
    """Keep Python from complaining about what it cannot write any more while it closes stdout."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(message: str, code: int = 2) -> None:
    """Say what went wrong in one line on stderr and leave."""
    print(f"likewise: {message}", file=sys.stderr)
    sys.exit(code)
