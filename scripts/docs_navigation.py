"""The order of the documentation's pages: mkdocs calls this as a hook; pages that are not named here come last."""

from pathlib import Path
from typing import Any

TOP = ["index", "install", "quickstart"]
# What a reader needs first comes first: how to do it, what it is called, and only then how it was built.
SECTIONS = {
    "Tutorials": "tutorial",
    "Guides": "guide",
    "Coming from": "coming-from",
    "Concepts": "concepts",
    "Reference": "reference",
    "Help": "help",
    "Design notes": "design",
    "Results": "results",
}
FIRST = {
    "tutorial": ["index"],
    "guide": [
        "compare",
        "match",
        "dedupe",
        "link",
        "search",
        "mine",
        "ask",
        "recognise",
        "evaluate",
        "judge",
        "serve",
        "spark",
        "integrations",
    ],
    "concepts": ["scores", "measures", "text", "spans", "exactness", "engines", "index-format"],
    "reference": ["python", "cli", "http", "options"],
}


def navigation(docs: Path) -> list[Any]:
    """Return the navigation of the pages in a folder."""
    top = [f"{name}.md" for name in TOP if (docs / f"{name}.md").is_file()]
    rest = sorted(path.name for path in docs.glob("*.md") if path.name not in top)
    others = sorted({path.parent.name for path in docs.glob("*/*.md")} - set(SECTIONS.values()))
    sections = SECTIONS | {name.capitalize(): name for name in others}
    return [*top, *({title: pages} for title, folder in sections.items() if (pages := _pages(docs, folder))), *rest]


def _pages(docs: Path, folder: str) -> list[str]:
    wanted = FIRST.get(folder, [])
    names = sorted(path.stem for path in (docs / folder).glob("*.md"))
    ordered = sorted(names, key=lambda name: wanted.index(name) if name in wanted else len(wanted))
    return [f"{folder}/{name}.md" for name in ordered]


def on_config(config: Any) -> Any:
    """Give the site its navigation from the pages that are there."""
    config["nav"] = navigation(Path(config["docs_dir"]))
    return config
