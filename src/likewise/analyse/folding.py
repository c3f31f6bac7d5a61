"""Folding: what is only another way to write the same letters becomes the same word.

Case always folds. With ``accents="fold"`` (the default) so do accents and other marks that readers leave out when they
type (``Zürich``, ``naïve``, vowel points of Arabic and Hebrew), letters that have a plain twin (``ø``, ``ł``, ``æ``),
and forms of a character that differ only in looks (``H₂O``, full-width ``Ａ``, ``ﬁ``). Marks that make another letter
stay: Indic and Thai vowels, the voicing of Japanese syllables, the Cyrillic ``й``.
"""

import unicodedata
from collections.abc import Sequence

ACCENTS = ("fold", "keep")

# Marks that fold away: general diacritics, Hebrew points, Arabic vowels and hamza, and variation selectors.
_MARKS = (
    (0x0300, 0x036F), (0x0483, 0x0487), (0x0591, 0x05C7), (0x0610, 0x061A), (0x064B, 0x065F), (0x0670, 0x0670),
    (0x06D6, 0x06ED), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE00, 0xFE0F), (0xFE20, 0xFE2F),
    (0xE0100, 0xE01EF),
)  # fmt: skip
# Letters that Unicode does not decompose, and the plain ones that people type for them; the stretched Arabic line goes.
_TWINS = {
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i", "ł": "l", "ŧ": "t", "ə": "e",
    "ҭ": "т", "ـ": "",
}  # fmt: skip
_LETTERS_OF_THEIR_OWN = frozenset("йў")


class _Plain(dict[int, str]):
    """For each character its plain form, worked out when first asked for."""

    def __missing__(self, code: int) -> str:
        self[code] = _plain(chr(code))
        return self[code]


def _plain(character: str) -> str:
    if character in _LETTERS_OF_THEIR_OWN:
        return character
    parts = unicodedata.normalize("NFKD", character)
    if any(unicodedata.category(part)[0] not in "LMN" for part in parts):
        # A fraction, a sign in a circle: its parts would not be one word.
        return character
    kept = "".join(part for part in parts if not any(first <= ord(part) <= last for first, last in _MARKS))
    return "".join(_TWINS.get(part, part) for part in kept.casefold())


_PLAIN = _Plain()


def fold(words: Sequence[str], accents: str = "fold") -> list[str]:
    """Return NFC(casefold(NFC(word))) for each word, and unless accents are kept its plain form.

    >>> fold(["Straße", "Ångström", "H₂O", "İzmir", "Łódź", "が"])
    ['strasse', 'angstrom', 'h2o', 'izmir', 'lodz', 'が']
    >>> fold(["Straße", "ΣΊΣΥΦΟΣ", "İzmir"], accents="keep")
    ['strasse', 'σίσυφοσ', 'i̇zmir']
    """
    # Words hold no separators, and a line break neither composes nor folds: the list can be folded as one string.
    text = "\n".join(words)
    if text.isascii():
        text = text.lower()
    else:
        text = unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())
    folded = text.split("\n") if words else []
    return without_accents(folded) if accents == "fold" and not text.isascii() else folded


def without_accents(folded: Sequence[str]) -> list[str]:
    """Return the plain forms of words whose case is folded; a word of nothing but marks stays as it is.

    >>> without_accents(["élève", "eleve", "x²"])
    ['eleve', 'eleve', 'x2']
    """
    marked = [place for place, word in enumerate(folded) if not word.isascii()]
    plain = unicodedata.normalize("NFC", "\n".join(folded[place] for place in marked).translate(_PLAIN)).split("\n")
    found = list(folded)
    for place, word in zip(marked, plain, strict=False):
        found[place] = word or folded[place]
    return found
