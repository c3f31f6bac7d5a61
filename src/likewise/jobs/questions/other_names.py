"""Other names of what a document is about, from the sentence that says what it is: *Caltech*, *NFL*, *Babe Ruth*."""

import itertools
import re
from collections.abc import Iterable

from likewise.analyse.dates import MONTHS
from likewise.analyse.words import smart_stop_words

_SAYS_WHAT = re.compile(r"[()]|\s(?:is|was|are|were)\s")
_NAME = re.compile(
    r"(?<!\w)[A-Z][\w.'’&-]*(?:\s(?:(?:of|the|de|del|di|du|la|le|van|von|der|al|el|ibn|and|for)\s){0,2}[A-Z0-9][\w.'’&-]*)*"
)
_ARTICLE = re.compile(r"^(?:The|An?)\s")
# Before the sentence that says what it is there may be the title, by itself.
_SENTENCES, _LONGEST, _MOST = 2, 300, 6


def other_names(title: str, sentences: Iterable[str]) -> tuple[str, ...]:
    """Return the names that the beginning of a document has for its subject beside its title.

    >>> other_names("Slinky Institute", ["The Slinky Institute (SI), formerly Coil College, is a school in Ohio."])
    ('SI', 'Coil College')
    >>> other_names("Babe Ruth", ["Babe Ruth", "George Herman Ruth (born May 2, 1895) was a player."])
    ('George Herman Ruth',)
    """
    told = (_before_what(sentence) for sentence in itertools.islice(sentences, _SENTENCES))
    before = next((text for text in told if text), "") if title else ""
    found: dict[str, str] = {}
    for name in _NAME.finditer(before):
        text = _ARTICLE.sub("", name[0]).strip(" .'’-")
        language = before[name.end() :].startswith(":")
        if len(text) > 1 and not language and not _says_little(text) and text.casefold() not in title.casefold():
            found.setdefault(text.casefold(), text)
    return tuple(found.values())[:_MOST]


def _before_what(sentence: str) -> str:
    """Return what stands before *is* or *was*, parentheses included."""
    depth = 0
    for one in _SAYS_WHAT.finditer(sentence, 0, _LONGEST):
        if one[0] in "()":
            depth += 1 if one[0] == "(" else -1
        elif depth <= 0:
            return sentence[: one.start()]
    return ""


def _says_little(name: str) -> bool:
    return name.startswith(MONTHS) or name.casefold() in smart_stop_words()
