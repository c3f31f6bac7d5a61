"""``likewise serve``: the web pages and the HTTP interface over a folder."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.flags import flags
from likewise.errors import MissingExtraError
from likewise.serve.settings import ServeOptions

_EXTRA = ("fastapi", "starlette", "pydantic", "uvicorn", "h11", "jinja2")


@flags(settings=ServeOptions)
def serve(
    folder: Annotated[
        Path, typer.Argument(help="Folder with tables, books, indexes; results go to .likewise in it.")
    ] = Path("."),
    settings: ServeOptions = ServeOptions(),  # noqa: B008 - replaced by what the flags say
) -> None:
    """Serve the web pages and the HTTP interface for a folder.

    Listens on this machine only. To be reached from others, give an address and a token:

    likewise serve data --host 0.0.0.0 --token "$(openssl rand -hex 16)"
    """
    open_pages(folder, settings)


def open_pages(folder: Path, settings: ServeOptions) -> None:
    """Serve a folder until Ctrl-C; say where."""
    try:
        from likewise.serve.server import run
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in _EXTRA:
            raise
        raise MissingExtraError(str(error.name), "serve") from error
    run(folder, settings, announce=lambda address: print(f"likewise: {address} (Ctrl-C stops)", file=sys.stderr))
