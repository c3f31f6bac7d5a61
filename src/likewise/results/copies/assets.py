"""What pages use besides each other: pictures, style sheets, scripts, fonts, parts that they include.

Copies bring it along, as it is. Files that a page only leads to, such as downloads, are not used by it.
"""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from html import unescape
from pathlib import Path
from urllib.parse import unquote

# Elements of HTML but for those that lead elsewhere, with their attributes; what is used of these.
_ELEMENT = re.compile(r"<\??(?!(?:a|area|base|form)\b)[a-z][\w:-]*\s([^>]*)", re.IGNORECASE)
_USED = re.compile(
    r"""(?:^|[\s"':])(?:src|href|poster|data|background)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE
)
_DIRECTIVE = re.compile(
    r"^[ \t]*(?:\.\. (?:\|[^|]+\| )?(?:image|figure|include|literalinclude)::|:file:)[ \t]*(\S[^\n]*?)[ \t]*$",
    re.MULTILINE,
)
_STYLE = re.compile(r"""\burl\(\s*["']?([^"')]+)|@import\s+["']([^"']+)""", re.IGNORECASE)
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#", re.IGNORECASE)


def references(text: str) -> set[str]:
    """Return the files that a page or a style sheet uses, as it names them; no addresses.

    >>> sorted(references('<img src="a%20b.png?v=1"><a href="c.zip"><img src=d&amp;e.png> url(f.woff) @import "g.css"'))
    ['a b.png', 'd&e.png', 'f.woff', 'g.css']
    """
    found = [unescape("".join(one)) for element in _ELEMENT.findall(text) for one in _USED.findall(element)]
    found += [*_DIRECTIVE.findall(text), *("".join(one) for one in _STYLE.findall(text))]
    return _local(found)


def _local(names: Iterable[str]) -> set[str]:
    return {unquote(re.split("[?#]", name)[0]) for name in names if name and not _ELSEWHERE.match(name)}


def assets(
    copied: Mapping[str, tuple[Path, str, Iterable[str]]], taken: Collection[str] = ()
) -> Iterator[tuple[str, Path]]:
    """Give where a file goes and where it lies, for each that the copied documents use and that lies beside them.

    ``copied`` has for the name of each copy the file it was made of, its text, and the pictures that its reader saw;
    ``taken`` are the names of other files that are written.
    """
    seen = {*copied, *taken}
    waiting = [
        (name, path, _root(name, path), references(text) | _local(pictures))
        for name, (path, text, pictures) in copied.items()
    ]
    while waiting:
        name, path, root, used = waiting.pop(0)
        for reference in sorted(used):
            # A path from the root is one from the folder of the sources, as in Sphinx.
            inside = reference.lstrip("/")
            here = "" if inside != reference else posixpath.dirname(name)
            target = posixpath.normpath(posixpath.join(here, inside))
            file = (root if inside != reference else path.parent) / inside
            if target in seen or target.startswith("..") or not _is_inside(file, root):
                continue
            seen.add(target)
            yield target, file
            if file.suffix.lower() == ".css":
                more = references(file.read_text(encoding="utf-8", errors="replace"))
                waiting.append((target, file, root, more))


def _root(name: str, path: Path) -> Path:
    """Return the folder of the sources: what is left of a file's path without the name of its copy."""
    return path.resolve().parents[min(name.count("/"), len(path.resolve().parents) - 1)]


def _is_inside(file: Path, root: Path) -> bool:
    try:
        return file.is_file() and file.resolve().is_relative_to(root)
    except (OSError, ValueError):
        return False
