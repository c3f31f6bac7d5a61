"""Which of the old encodings a text is in: the one that reads its words as words of some language.

Every candidate decodes the words that are not ASCII, and the result is scored by letters: how usual each is in one
language, whether it stands where such a letter can (a capital inside a word, a sign between letters are unlikely). A
sign that belongs to numbers (12 €, 5 °C, 3 × 4) is at home beside one, an accented letter is not. The best reading
wins; how far the next best different one is behind says how sure that is. Detectors in libraries were tried on 300
small tables of names in 25 encodings: they were right on seven of ten, and wrong on French and Spanish.
"""

import codecs
import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# Words with bytes beyond ASCII that are looked at, the commonest first, and how long they may be together.
_MOST_WORDS, _MOST_BYTES = 2000, 1 << 16
# Natural logarithms of how likely a character is that a language does not know, or a sign where none belongs.
_FOREIGN, _SIGN_INSIDE, _CONTROL = -9.0, -9.0, -14.0
_SIGN, _ODD_CASE, _BESIDE_ASCII, _TWO_ACCENTS = -5.0, -4.0, -4.0, -3.0
# A capital is this much rarer than its small letter, unless it stands behind another: then the word is in capitals.
_CAPITAL = -2.0
# A letter that comes next in a language's list is this much rarer.
_DECAY = 0.85
_SIGNS = frozenset("’‘“”„–—…«»°§€£½¼²³·•©®™×\xa0\xad")
# Signs that stand before, behind or between numbers, or behind a word, and how likely one is there. 5 ¾ 6 is no
# number but Spanish, 5 ó 6.
_BEFORE, _BEHIND, _BETWEEN = frozenset("€£¥§±©–Øø\xa0"), frozenset("€£¥¢°½¼¾¹²³‰ºªµ\xa0"), frozenset("×÷±–·\xa0")
_BEHIND_WORD = frozenset("™®")
_OF_NUMBERS = _BEFORE | _BEHIND | _BETWEEN | _BEHIND_WORD
_AT_HOME = -1.0
# A currency with nothing beside it, as in a column of its own; a letter with nothing but a number beside it.
_CURRENCIES, _CURRENCY_ALONE = frozenset("€£¥"), -3.0
_LETTER_ALONE, _CAPITAL_ALONE = -3.0, -6.0
# The reading is sure if the next one is so much less likely.
SURE = 6.0
# Bytes from 0x40 on can be the second half of a character in Shift-JIS, Big5 and GBK: words do not end there.
# What a sign is told by comes along: the number before it or behind it. Of what is no word, as a megabyte of base64 is
# none, the end will do: to look from each of its letters for a byte that never comes takes the square of its length.
_WORD = re.compile(rb"(?:[0-9-] )?[\x27\x2d0-9\x40-\x7f]{0,60}[\x80-\xff][\x27\x2d0-9\x40-\xff]*(?: [0-9])?")
_SHOWN = 60  # bytes of a word that is shown

# Encoding -> the scripts or groups of languages written in it, and how unlikely it is before anything is seen.
_CANDIDATES: dict[str, tuple[str, float]] = {
    "cp1252": ("west", 0.0),
    "cp1250": ("centre", -1.0),
    "iso8859_2": ("centre", -2.0),
    "cp1257": ("baltic", -2.0),
    "cp1254": ("turkish", -1.0),
    "mac_roman": ("west", -3.0),
    "cp850": ("west", -4.0),
    "cp852": ("centre", -5.0),
    "cp1251": ("cyrillic", -1.0),
    "koi8_r": ("cyrillic", -2.0),
    "cp866": ("cyrillic", -3.0),
    "iso8859_5": ("cyrillic", -4.0),
    "cp1253": ("greek", -1.0),
    "cp1255": ("hebrew", -1.0),
    "cp1256": ("arabic", -1.0),
    "cp874": ("thai", -1.0),
    "gb18030": ("chinese", -1.0),
    "big5": ("chinese", -1.0),
    "cp932": ("japanese", -1.0),
    "euc_jp": ("japanese", -1.0),
    "cp949": ("korean", -1.0),
}


@dataclass(frozen=True, slots=True)
class Guess:
    """An encoding, the next best that reads the text otherwise, and how much less likely that is (its logarithm).

    ``word`` is the first that the two read differently.
    """

    encoding: str
    other: str = ""
    margin: float = math.inf
    word: bytes = b""

    @property
    def sure(self) -> bool:
        """Whether the next best reading is out of the question."""
        return self.margin >= SURE


def guess(data: bytes) -> Guess | None:
    """Return the likeliest of the old encodings, or ``None`` if not one of them fits.

    >>> found = guess("Łódź, Kraków, Gdańsk, Święty".encode("cp1250"))
    >>> found.encoding, found.sure
    ('cp1250', True)
    """
    words = Counter(_WORD.findall(data))
    chosen = [word for word, _ in words.most_common(_MOST_WORDS)]
    if not chosen:
        return None
    whole = b"\n".join(chosen)
    sample = whole[:_MOST_BYTES]
    found = []
    for encoding, (group, before) in _CANDIDATES.items():
        try:  # what is cut may end within a character
            text = codecs.getincrementaldecoder(encoding)().decode(sample, final=sample == whole)
        except UnicodeDecodeError:
            continue
        found.append((before + max(_score(text, letters) for letters in _models(group)), encoding, text))
    if not found:
        return None
    found.sort(reverse=True)
    best = found[0]
    if best[0] < _FOREIGN / 1.5 * len(re.findall(rb"[\x80-\xff]", sample)):
        return None
    other = next((one for one in found if one[2] != best[2]), None)
    if other is None:
        return Guess(best[1])
    differs = (
        word for word in sample.split(b"\n") if word.decode(best[1], "replace") != word.decode(other[1], "replace")
    )
    return Guess(best[1], other[1], best[0] - other[0], next(differs, b"")[:_SHOWN])


Letters = dict[str, float]


def _score(text: str, letters: Letters) -> float:
    total = 0.0
    before = "\n"
    for at, letter in enumerate(text):
        if letter > "\x7f":
            after = text[at + 1] if at + 1 < len(text) else "\n"
            known = letters.get(letter)
            if letter in _OF_NUMBERS and _is_at_home(text, at):
                total += _AT_HOME
            elif known is not None:
                total += known + _misplaced(letter, before, after)
                if letter.isupper() and before.isupper():
                    total -= _CAPITAL
                # Characters of Chinese and Japanese are words, and units.
                alone = letter < "\u2e80" and letter.isalpha() and not (before.isalpha() or after.isalpha())
                if alone and any(_numbers(text, at)):
                    total += _CAPITAL_ALONE if letter.isupper() else _LETTER_ALONE
            elif letter.isalpha():
                total += _FOREIGN
            elif letter < "\xa0" or letter == "\ufffd" or "\ue000" <= letter <= "\uf8ff":
                total += _CONTROL
            elif letter in _CURRENCIES and before.isspace() and after.isspace():
                total += _CURRENCY_ALONE
            else:
                inside = before.isalpha() and after.isalpha() and letter != "’"
                total += _SIGN_INSIDE if inside or letter not in _SIGNS else _SIGN
        before = letter
    return total


def _misplaced(letter: str, before: str, after: str) -> float:
    """How much less likely a letter is for what stands beside it."""
    if letter.isupper() and before.islower():
        return _ODD_CASE
    if letter > "\u036f":
        return _BESIDE_ASCII if _is_latin(before) or _is_latin(after) else 0.0
    return _TWO_ACCENTS if before > "\x7f" and before.isalpha() else 0.0


def _is_at_home(text: str, at: int) -> bool:
    """Say whether a sign stands where it belongs: at a number, with a blank between them or none.

    >>> [_is_at_home(text, 2) for text in ("5 €", "a €", "5 ¾ 6", "5 × 6", "12°C", "12‰~")]
    [True, False, False, True, True, False]
    """
    sign, before, after = text[at], text[at - 1 : at], text[at + 1 : at + 2]
    if sign in _BEHIND_WORD:
        return before.isalpha() and not after.isalpha()
    follows, leads = _numbers(text, at)
    if follows and leads:
        return sign in _BETWEEN
    if follows:
        return sign in _BEHIND and (sign in "°µ" or not (after.isalnum() or after in tuple("@[\\^_`{}~")))
    # The sign of number: Nº 5, n° 5.
    return (leads and sign in _BEFORE) or (sign in "°º" and before in ("N", "n"))


def _numbers(text: str, at: int) -> tuple[bool, bool]:
    """Whether a number (or ``,-`` of an amount) stands before a character, and whether one stands behind it."""
    before = text[max(0, at - 2) : at].rstrip(" ")[-1:]
    return before.isdigit() or before == "-", text[at + 1 : at + 3].lstrip(" ")[:1].isdigit()


def _is_latin(letter: str) -> bool:
    return letter < "\x80" and letter.isalpha()


@cache
def _models(group: str) -> list[Letters]:
    """The letters of each language of a group with the logarithm of how usual they are, and of all together."""
    lines = files("likewise.read").joinpath("letters.txt").read_text(encoding="utf-8").split("\n")
    languages = [line.split(" ", 1)[1] for line in lines if line.startswith(f"{group} ")]
    found = [_ranked(line) for line in languages]
    if len(found) > 1:
        # A list of people from everywhere: every letter of the group, none as usual as at home.
        merged: Letters = {}
        for model in found:
            for letter, value in model.items():
                merged[letter] = max(merged.get(letter, _FOREIGN), value - 1.0)
        found.append(merged)
    for model in found:
        for letter in list(model):
            upper = letter.upper()
            if len(upper) == 1 and upper not in model:
                model[upper] = model[letter] + _CAPITAL
    return [*found, *_SCRIPTS.get(group, list)()]


def _ranked(letters: str) -> Letters:
    weights = [_DECAY**place for place in range(len(letters))]
    total = sum(weights)
    return {letter: math.log(weight / total) for letter, weight in zip(letters, weights, strict=True)}


class _Han(Letters):
    """Characters of which some hundreds are usual and thousands are not: the rest is known by its range."""

    def __init__(self, usual: Letters, ranges: tuple[tuple[str, str, float], ...]) -> None:
        super().__init__(usual)
        self._ranges = ranges

    def get(self, letter: str, default: float | None = None) -> float | None:  # type: ignore[override]
        value = super().get(letter)
        if value is None:
            value = next((one for first, last, one in self._ranges if first <= letter <= last), default)
        return value


def _usual(name: str) -> Letters:
    lines = files("likewise.read").joinpath("letters.txt").read_text(encoding="utf-8").split("\n")
    line = next(line for line in lines if line.startswith(f"{name}: "))
    return dict.fromkeys(line.split(": ", 1)[1], -5.0)


_FULL_WIDTH = ("\u3000", "\u303f", -6.0), ("\uff01", "\uff5e", -6.0)
_SCRIPTS = {
    "chinese": lambda: [
        _Han(_usual("simplified"), (("\u4e00", "\u9fff", -10.0), *_FULL_WIDTH)),
        _Han(_usual("traditional"), (("\u4e00", "\u9fff", -10.0), *_FULL_WIDTH)),
    ],
    "japanese": lambda: [
        _Han(_usual("kanji"), (("\u3041", "\u30fe", -4.0), ("\u4e00", "\u9fff", -9.5), *_FULL_WIDTH)),
    ],
    "korean": lambda: [_Han({}, (("\uac00", "\ud7a3", -7.0), *_FULL_WIDTH))],
}
