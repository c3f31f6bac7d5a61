"""Real text that is on every machine with Python: a book, tens of thousands of names, and pages of prose."""

import inspect
import sys
import unicodedata
from importlib import import_module


def language_reference() -> dict[str, str]:
    """Return the topics of Python's language reference: the size of a book."""
    topics: dict[str, str] = import_module("pydoc_data.topics").topics
    return dict(sorted(topics.items()))


def character_names() -> list[str]:
    """Return the names of Unicode's characters, without the ideographs and syllables that are merely numbered.

    >>> "LATIN SMALL LETTER SHARP S" in character_names()
    True
    """
    names = (unicodedata.name(chr(code), "") for code in range(sys.maxunicode + 1))
    numbered = ("CJK", "HANGUL SYLLABLE", "TANGUT IDEOGRAPH", "NUSHU CHARACTER", "KHITAN SMALL SCRIPT CHARACTER")
    return [name for name in names if name and not name.startswith(numbered)]


def docstrings() -> dict[str, str]:
    """Return the documentation that the modules of the standard library carry, by module."""
    found = {}
    for name in sorted(sys.stdlib_module_names):
        if name.startswith("_") or name in ("antigravity", "this", "idlelib"):
            continue
        try:
            module = import_module(name)
        except Exception:  # a module for another system, or without its library
            continue
        parts = [inspect.getdoc(module) or ""]
        for _, value in sorted(vars(module).items()):
            if (inspect.isfunction(value) or inspect.isclass(value)) and value.__module__ == name:
                parts.append(inspect.getdoc(value) or "")
                if inspect.isclass(value):
                    parts += [inspect.getdoc(member) or "" for member in vars(value).values() if callable(member)]
        text = "\n\n".join(part for part in parts if part)
        if text:
            found[name] = text
    return found
