"""The order of the documentation's pages: mkdocs calls this as a hook; pages that are not named here come last."""

from pathlib import Path
from typing import Any

SECTIONS = {
    "Guides": "guide",
    "Concepts": "concepts",
    "Design notes": "design",
    "Results": "results",
    "Reference": "reference",
}
FIRST = {
    "guide": ["compare", "match", "dedupe", "link", "search", "mine", "ask", "recognise", "evaluate", "judge", "serve"],
    "concepts": ["scores", "spans", "exactness", "engines", "index-format"],
    "reference": ["python", "cli", "http", "options"],
}


def on_config(config: Any) -> Any:
    """Give the site its navigation from the pages that are there."""
    docs = Path(config["docs_dir"])
    top = [name for name in ("index.md", "quickstart.md") if (docs / name).is_file()]
    rest = sorted(path.name for path in docs.glob("*.md") if path.name not in top)
    navigation: list[Any] = list(top)
    for title, folder in SECTIONS.items():
        wanted = FIRST.get(folder, [])
        names = sorted(
            (path.stem for path in (docs / folder).glob("*.md")),
            key=lambda name, wanted=wanted: (wanted.index(name) if name in wanted else len(wanted), name),
        )
        if names:
            navigation.append({title: [f"{folder}/{name}.md" for name in names]})
    known = set(SECTIONS.values())
    others = sorted({path.parent.name for path in docs.glob("*/*.md")} - known)
    navigation += [
        {name.capitalize(): [f"{name}/{path.name}" for path in sorted((docs / name).glob("*.md"))]} for name in others
    ]
    config["nav"] = navigation + rest
    return config
