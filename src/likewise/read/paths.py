"""From what the user names (files, folders, globs, lists of files) to files, in a fixed order, each once."""

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from likewise.errors import InputError
from likewise.read.order import in_reading_order
from likewise.targets import brought_along, is_ours

Paths = str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def files(paths: Paths) -> Iterator[tuple[Path, str]]:
    """Yield every file with its name for ids: the path below the folder that was named, or the file's own name.

    A string with ``*``, ``?`` or ``[`` that is no file is a glob (``**`` goes down); ``@list.txt`` names a file with
    one path a line. A folder is read in the order of its table of contents if it has one, else by name. Hidden files
    and folders inside a folder are left out, and so is what copies of an earlier run only brought along. A folder
    inside that Likewise wrote is given as it is: whoever reads says that it was left out. Names are made distinct if
    two files of different folders share one.
    """
    given = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    if not given:
        raise InputError("paths is empty: name at least one file or folder")
    seen: set[str] = set()
    names: set[str] = set()
    for path, name in _expand(given):
        key = os.path.realpath(path)
        if key in seen:
            continue
        seen.add(key)
        if name in names:
            name = str(path)
        name = in_unicode(name)
        names.add(name)
        yield path, name


def in_unicode(name: str) -> str:
    """Return a name that can be written: a file may be called by bytes that are no UTF-8.

    >>> in_unicode(os.fsdecode(b"caf\\xe9.txt"))
    'caf\\\\xe9.txt'
    """
    return name if name.isascii() else os.fsencode(name).decode("utf-8", "backslashreplace")


def _expand(given: Iterable[str | os.PathLike[str]]) -> Iterator[tuple[Path, str]]:
    for item in given:
        text = os.fspath(item)
        path = Path(text)
        if isinstance(item, str) and text.startswith("@") and not path.exists():
            yield from _listed(Path(text[1:]))
        elif path.is_dir():
            yield from _folder(path)
        elif path.exists():
            yield path, path.name
        elif glob.has_magic(text):
            found = sorted(glob.glob(text, recursive=True))
            if not found:
                raise InputError(f"no file matches {text}")
            for name in found:
                if os.path.isfile(name):
                    yield Path(name), Path(name).name
        else:
            hint = "; texts, not paths, go into a list" if " " in text else ""
            raise InputError(f"{text}: no such file or folder{hint}")


def _listed(path: Path) -> Iterator[tuple[Path, str]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the list of files {path}: {error}") from error
    # A path of a list may have gone: opening it later reports that, because a list can be long.
    for line in lines:
        if line.strip():
            yield Path(line.strip()), line.strip()


def _folder(root: Path) -> Iterator[tuple[Path, str]]:
    found, ours = [], []
    brought = {root / name for name in brought_along(root)}
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(name for name in subfolders if not name.startswith("."))
        ours += [Path(folder, name) for name in subfolders if is_ours(Path(folder, name))]
        subfolders[:] = [name for name in subfolders if Path(folder, name) not in ours]
        shown = [Path(folder, name) for name in sorted(names) if not name.startswith(".")]
        found += [path.relative_to(root).as_posix() for path in shown if path not in brought]
    for name in in_reading_order(root, found):
        yield root / name, name
    for path in ours:  # read by nobody, but told
        yield path, path.relative_to(root).as_posix()
