"""The kinds of jobs: each calls the verb of its name and writes the result into the job's folder."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from likewise.progress import Progress
from likewise.serve.folder import Folder

Kind = Callable[[dict[str, Any], Folder, Path, Progress], dict[str, Any]]

KINDS: dict[str, Kind] = {}
