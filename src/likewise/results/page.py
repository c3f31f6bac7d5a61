"""The frame of every HTML file that Likewise writes: one file, nothing loaded from anywhere, no script but its own."""

import base64
import hashlib
import html


def head(title: str, style: str, script: str = "", *, images: bool = False) -> str:
    """Return a page up to the start of its body; ``script`` is the only one that will run, ``title`` is plain text.

    >>> head("Soup & bread", "p { margin: 0 }").splitlines()[-3:]
    ['<style>p { margin: 0 }</style>', '</head>', '<body>']
    """
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy(script, images=images)}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
    )


def tail(script: str = "") -> str:
    """Return the end of a page, with its script."""
    return (f"<script>{script}</script>\n" if script else "") + "</body>\n</html>\n"


def policy(script: str = "", *, images: bool = False) -> str:
    """Return what the page may do: its own style, its own script by its hash, pictures that it carries; nothing else.

    >>> policy()
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
    """
    parts = ["default-src 'none'", "style-src 'unsafe-inline'"]
    if script:
        digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        parts.append(f"script-src 'sha256-{digest}'")
    if images:
        parts.append("img-src data:")
    return "; ".join([*parts, "base-uri 'none'", "form-action 'none'"])
