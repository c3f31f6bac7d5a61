"""Examples as readers want to copy them: mkdocs calls this as a hook for every page.

In the sources an example is a session, with prompts and outputs, because the tests run it. On the site what to type
stands in a block of its own without prompts, with what it prints below.
"""

import re
from typing import Any

_BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<language>console|pycon|python)\n(?P<body>.*?)^ *```$", re.MULTILINE | re.DOTALL
)
_PROMPTS = {"console": ("$ ", "> "), "python": (">>> ", "... ")}


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return a page with its sessions taken apart.

    >>> print(on_page_markdown("```console\\n$ echo a\\na\\n```"))
    ```bash
    echo a
    ```
    ``` { .text .no-copy }
    a
    ```
    """
    return _BLOCK.sub(_parted, markdown)


def _parted(block: re.Match[str]) -> str:
    language = "console" if block["language"] == "console" else "python"
    first, more = _PROMPTS[language]
    lines = [line.removeprefix(block["indent"]) for line in block["body"].rstrip("\n").split("\n")]
    if not any(line.startswith(first) for line in lines):
        return block[0]
    parts: list[tuple[bool, list[str]]] = []  # what is typed, or printed
    for line in lines:
        typed = line.startswith(first) or (bool(parts) and parts[-1][0] and f"{line} ".startswith(more))
        if not parts or parts[-1][0] != typed:
            parts.append((typed, []))
        parts[-1][1].append(line[len(first) :] if typed else line)
    made = []
    for typed, shown in parts:
        text = "\n".join(shown).strip("\n")
        if text.strip(". \n"):
            opening = ("bash" if language == "console" else "python") if typed else " { .text .no-copy }"
            # What an example leaves open is shown as readers write it.
            made.append(f"```{opening}\n{text if typed else text.replace('...', '…')}\n```")
    return "\n".join("\n".join(block["indent"] + line for line in one.split("\n")) for one in made)
