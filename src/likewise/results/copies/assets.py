"""What pages use besides each other: pictures, style sheets, scripts, fonts. Copies bring them along, as they are."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

# Of HTML, Markdown, reStructuredText and style sheets.
_REFERENCE = re.compile(
    r"""\b(?:src|href|poster|data)\s*=\s*["']([^"']+)"""
    r"""|!\[[^\]]*\]\(\s*<?([^)\s>]+)"""
    r"""|^[ \t]*\.\. (?:\|[^|]+\| )?(?:image|figure|include|literalinclude)::[ \t]*(\S+)"""
    r"""|\burl\(\s*["']?([^"')]+)""",
    re.IGNORECASE | re.MULTILINE,
)
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|/|#", re.IGNORECASE)


def references(text: str) -> set[str]:
    """Return the files that a page or a style sheet names, as it names them; no addresses.

    >>> sorted(references('<img src="a%20b.png?v=1"><a href="https://example.org/c.png">![x](d.svg) url(e.woff)'))
    ['a b.png', 'd.svg', 'e.woff']
    """
    named = ("".join(groups) for groups in _REFERENCE.findall(text))
    return {unquote(re.split("[?#]", name)[0]) for name in named if name and not _ELSEWHERE.match(name)}


def assets(copied: Mapping[str, tuple[Path, str]]) -> Iterator[tuple[str, Path]]:
    """Give where a file goes and where it lies, for each that the copied documents use and that lies beside them.

    ``copied`` has for the name of each copy the file it was made of and its text.
    """
    seen = set(copied)
    waiting = [(name, path, _root(name, path), text) for name, (path, text) in copied.items()]
    while waiting:
        name, path, root, text = waiting.pop(0)
        for reference in sorted(references(text)):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(name), reference))
            file = path.parent / reference
            if target in seen or target.startswith("..") or not _is_inside(file, root):
                continue
            seen.add(target)
            yield target, file
            if file.suffix.lower() == ".css":
                waiting.append((target, file, root, file.read_text(encoding="utf-8", errors="replace")))


def _root(name: str, path: Path) -> Path:
    """Return the folder of the sources: what is left of a file's path without the name of its copy."""
    return path.resolve().parents[min(name.count("/"), len(path.resolve().parents) - 1)]


def _is_inside(file: Path, root: Path) -> bool:
    try:
        return file.is_file() and file.resolve().is_relative_to(root)
    except (OSError, ValueError):
        return False
