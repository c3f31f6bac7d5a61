"""The order of the files of a book, as the book itself gives it; and files that are the sources of others.

A folder is read by name unless it holds a table of contents: ``SUMMARY.md`` (mdBook, GitBook), ``mkdocs.yml``, a Sphinx
``toctree`` from ``index.rst`` on, or HTML pages that point to the next one.
"""

import re
from collections.abc import Iterable
from pathlib import Path, PurePosixPath

# No name or tag is longer than this: a page of what opens and never closes must not take forever.
_LINK = re.compile(r"\]\(\s*<?([^)#>\s]{1,300}\.(?:md|markdown|html?|adoc|rst|ipynb))")
_NAV = re.compile(r"[\w./ -]{1,200}\.(?:md|markdown|ipynb)\b")
_TOCTREE = re.compile(r"^\.\.[ \t]+toctree::.*\n((?:[ \t]+.*\n|[ \t]*\n)*)", re.MULTILINE)
_ENTRY = re.compile(r"^[ \t]++(?!:)(?:.*<([^<>\n]+)>|(\S+))[ \t]*$", re.MULTILINE)
_NEXT = re.compile(
    r"<(?:link|a)\b(?=[^>]{0,500}?\brel\s*=\s*[\"']?next\b|[^>]{0,500}?\baccesskey\s*=\s*[\"']?n\b)"
    r"[^>]{0,500}?\bhref\s*=\s*[\"']?([^\"'>\s#]+)",
    re.I,
)
_HREF = re.compile(r"<a\b[^>]{0,500}?\bhref\s*=\s*[\"']?([^\"'>\s#?:]{1,300}\.x?html?)", re.I)
_FIRSTS = ("index", "contents", "toc")
# Pages of one language are named so: index.en.html, index.pt-br.html.
_FIRST = re.compile(rf"({'|'.join(_FIRSTS)})(?:\.[a-z]{{2,3}}(?:[-_][a-z]+)?)?\.x?html?", re.I)
_MOST = 400_000


def in_reading_order(root: Path, names: list[str]) -> list[str]:
    """Return the names of a folder's files, those of its table of contents first and in its order."""
    present = set(names)
    listed: list[str] = []
    for find in (_summary, _mkdocs, _sphinx, _pages):
        found = list(dict.fromkeys(name for name in find(root, present) if name in present))
        if len(found) > 1:
            listed = found
            break
    if not listed:
        return names
    chosen = set(listed)
    first = [name for name in ("index.md", "README.md", "index.html", "index.rst") if name in present - chosen]
    return [*first, *listed, *(name for name in names if name not in chosen and name not in first)]


def _summary(root: Path, present: set[str]) -> Iterable[str]:
    for folder in ("", "src/", "docs/"):
        if f"{folder}SUMMARY.md" in present:
            for link in _LINK.findall(_text(root / folder / "SUMMARY.md")):
                yield _below(folder, link)


def _mkdocs(root: Path, present: set[str]) -> Iterable[str]:
    for file, folder in ((root / "mkdocs.yml", "docs/"), (root.parent / "mkdocs.yml", "")):
        if file.is_file():
            _, _, nav = _text(file).partition("\nnav:")
            for page in _NAV.findall(nav):
                yield _below(folder, page.strip().lstrip("- "))


def _sphinx(root: Path, present: set[str]) -> Iterable[str]:
    ending = next((ending for ending in (".rst", ".rst.txt", ".md") if f"index{ending}" in present), "")
    folder = ""
    if not ending and "_sources/index.rst.txt" in present:
        ending, folder = ".rst.txt", "_sources/"

    found: dict[str, None] = {}
    waiting = [f"{folder}index{ending}"] if ending else []
    while waiting:  # the last one first: what a page lists follows it
        name = waiting.pop()
        if name in found or name not in present:
            continue
        found[name] = None
        listed = []
        for body in _TOCTREE.findall(_text(root / name) + "\n"):
            for titled, bare in _ENTRY.findall(body):
                entry = (titled or bare).removesuffix(ending)
                base = folder if entry.startswith("/") else str(PurePosixPath(name).parent)
                listed.append(_below(base, entry.lstrip("/") + ending))
        waiting += reversed(listed)
    if folder:  # the pages made of the sources
        return [name.removeprefix(folder).removesuffix(ending) + ".html" for name in found]
    return found


def _pages(root: Path, present: set[str]) -> Iterable[str]:
    """Follow "next" from the first page; where there is none, the links of the index page in their order."""
    firsts = sorted((_FIRSTS.index(first[1].lower()), name) for name in present if (first := _FIRST.fullmatch(name)))
    if not firsts:
        return []
    start = firsts[0][1]
    found = [start]
    seen = {start}
    while (follow := _NEXT.search(_text(root / found[-1]))) is not None:
        name = _below(str(PurePosixPath(found[-1]).parent), follow[1])
        if name not in present or name in seen:
            break
        seen.add(name)
        found.append(name)
    if len(found) > 1:
        return found
    return [start, *(_below("", link) for link in _HREF.findall(_text(root / start)))]


def _below(folder: str, name: str) -> str:
    parts: list[str] = []
    for part in (PurePosixPath(folder) / name).parts:
        if part == "..":
            parts = parts[:-1]
        elif part != ".":
            parts.append(part)
    return "/".join(parts)


def _text(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return file.read(_MOST).decode("utf-8", "replace").replace("\r\n", "\n")
    except OSError:
        return ""


def rendering_of(path: Path) -> Path | None:
    """Return the page that was made of a Sphinx source (``_sources/a.rst.txt`` -> ``a.html``) if both are there."""
    parts = path.parts
    if "_sources" not in parts or not path.name.endswith(".txt"):
        return None
    at = len(parts) - 1 - parts[::-1].index("_sources")
    stem = path.name.removesuffix(".txt").rpartition(".")[0]
    page = Path(*parts[:at], *parts[at + 1 : -1], f"{stem}.html")
    return page if page.is_file() else None
