"""Build the typer application from the commands at hand and run it with the manners of a good tool."""

import os
import sys
from collections.abc import Callable
from typing import Any

import typer

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

    for name, command in commands.items():
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name)
        else:
            app.command(name)(command)
    return app


def run(commands: dict[str, Callable[..., Any] | typer.Typer]) -> None:
    """Run the application; errors of ours become one line on stderr and exit code 2."""
    try:
        build(commands)()
    except LikewiseError as error:
        fail(str(error), 130 if isinstance(error, Cancelled) else 2)
    except KeyboardInterrupt:
        fail("stopped", 130)
    except BrokenPipeError:
        # The reader has gone (`| head`): say nothing, and keep Python from complaining while it closes stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)


def fail(message: str, code: int = 2) -> None:
    """Say what went wrong in one line on stderr and leave."""
    print(f"likewise: {message}", file=sys.stderr)
    sys.exit(code)
