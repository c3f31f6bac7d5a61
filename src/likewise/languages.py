"""Languages: their function words and letters, and telling which one a text is in.

The list is made of facts anybody can look up: which letters a language is written with, and its articles, pronouns,
prepositions, conjunctions and auxiliary verbs. They make up a third of running text, so a few sentences are enough to
tell languages apart, and they are the stop words of every language but English, which has the longer SMART list.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from likewise.errors import OptionError

# Names that people and other programs give to some of them.
_ALIASES = {"nb": "no", "nn": "no", "bokmal": "no", "nynorsk": "no", "cmn": "zh", "mandarin": "zh", "iw": "he",
            "farsi": "fa", "bs": "hr", "bosnian": "hr", "slovene": "sl"}  # fmt: skip
# How much is looked at in all, and in each of many texts.
_SAMPLE = 20_000
_PIECE = 2_000
# Of each of texts that may be in several languages: so many pieces of this length.
_PIECES, _SHORT = 10, 500
# Below these a text has too few function words to tell: a list of names, code, numbers.
_LEAST_SHARE = 0.05
_LEAST_WORDS = 3
# A text is in another language than most if so many of its function words say so, and so many times those of most.
_SURE, _CLEARER = 20, 1.5
# Where pairs of characters are terms, a word gives so many.
_TERMS_PER_WORD = {"KANA": 3, "CJK": 2, "THAI": 3, "HANGUL": 2}
# Of letters without spaces, so many are kana in Japanese text; in Chinese none.
_LEAST_KANA = 0.05


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its code (ISO 639-1), English name, letters beyond the common ones, and function words."""

    code: str
    name: str
    letters: frozenset[str]
    words: frozenset[str]

    @property
    def script(self) -> str:
        """The script it is written in, as Unicode names it."""
        return _script(min(self.words))

    @property
    def terms_per_word(self) -> int:
        """About how many terms a word gives: more than one where a script is cut into pairs of characters."""
        return _TERMS_PER_WORD.get(self.script, 1)


@cache
def languages() -> dict[str, Language]:
    """Return the languages that have a list of function words, by code.

    >>> languages()["de"].name, "nicht" in languages()["de"].words
    ('german', True)
    """
    text = files("likewise").joinpath("languages.txt").read_text(encoding="utf-8")
    found = {}
    for line in text.splitlines():
        if line.startswith("#"):
            continue
        head, _, words = line.partition(": ")
        code, name, letters = head.split(" ")
        found[code] = Language(code, name, frozenset(letters) - {"-"}, frozenset(_words(words)))
    return found


def language(name: str) -> Language:
    """Return the language of a name or code.

    >>> language("German").code, language("pt-BR").name, language("nb").name
    ('de', 'portuguese', 'norwegian')
    """
    wanted = name.strip().casefold()
    wanted = _ALIASES.get(wanted, wanted)
    for code in (wanted, wanted.replace("_", "-").partition("-")[0]):
        for one in languages().values():
            if code in (one.code, one.name):
                return one
    known = ", ".join(sorted(f"{one.name} ({one.code})" for one in languages().values()))
    raise OptionError(f"language must be one of {known}, not {name!r}")


def detect(texts: Iterable[str]) -> Language | None:
    """Return the language that texts are in, or ``None`` if they have too few words to tell.

    >>> detect(["Der Hund und die Katze sind nicht im Garten, aber sie kommen."]).name
    'german'
    >>> detect(["東京は日本の首都である。"]).code, detect(["北京是中国的首都。"]).code, detect(["Ada Lovelace"])
    ('ja', 'zh', None)
    """
    sample = _sample(texts)
    letters = Counter(letter for letter in sample if letter.isalpha())
    scripts: Counter[str] = Counter()
    for letter, count in letters.items():
        scripts[_script(letter)] += count
    if not scripts:
        return None
    kana, han = scripts.pop("KANA", 0), scripts.pop("CJK", 0)
    # One such character says about as much as three letters.
    if 3 * (kana + han) > scripts.total():
        return languages()["ja" if kana >= _LEAST_KANA * (kana + han) else "zh"]
    script = scripts.most_common(1)[0][0] if scripts else ""
    if script in ("HANGUL", "THAI"):
        return _written_in(script)[0][0]
    return _by_words(Counter(_words(sample)), script)


def language_of_each(texts: Iterable[str]) -> tuple[Language | None, list[Language | None]]:
    """Return the language of most of the text, and that of each text: another one only where there is no doubt.

    >>> german = "Der Hund und die Katze sind nicht im Garten, aber sie kommen bald wieder zu uns in das Haus. " * 2
    >>> most, each = language_of_each(["The dog and the cat are in the garden. " * 9, german, "Ada Lovelace"])
    >>> most.name, [one.name for one in each]
    ('english', ['english', 'german', 'english'])
    """
    pieces = [(len(text), _spread(text)) for text in texts]
    found = [detect([piece]) for _, piece in pieces]
    sizes: Counter[Language] = Counter()
    for one, (size, _) in zip(found, pieces, strict=True):
        if one is not None:
            sizes[one] += size
    if not sizes:
        return None, found
    most = sizes.most_common(1)[0][0]
    if len(sizes) == 1:
        return most, [most] * len(found)
    sure = (one is not None and _surely(one, most, piece) for one, (_, piece) in zip(found, pieces, strict=True))
    return most, [one if certain else most for one, certain in zip(found, sure, strict=True)]


def _spread(text: str) -> str:
    """Return pieces from all over a text: parts of it, as what stands above each page, may be in another language."""
    if len(text) <= _PIECES * _SHORT:
        return text
    step = len(text) // _PIECES
    return "\n".join(text[at : at + _SHORT] for at in range(0, step * _PIECES, step))


def _surely(one: Language, most: Language, text: str) -> bool:
    """Tell whether a text is in one language rather than in another, which most texts are in."""
    if one is most or one.terms_per_word > 1:
        return True
    counts = Counter(_words(text))
    for_one, for_most = (sum(counts[word] for word in each.words) for each in (one, most))
    return for_one >= max(_SURE, _CLEARER * for_most)


@cache
def _written_in(script: str) -> tuple[list[Language], Counter[str], frozenset[str]]:
    """The languages of a script, how many of them know a function word, and the letters that only some have."""
    found = [one for one in languages().values() if one.script == script]
    known = Counter(word for one in found for word in one.words)
    return found, known, frozenset(letter for one in found for letter in one.letters)


def _by_words(counts: Counter[str], script: str) -> Language | None:
    """Return the language whose function words and letters a text has; rare evidence counts more."""
    candidates, known, letters = _written_in(script)
    special = [(frozenset(word) & letters, count) for word, count in counts.items() if not letters.isdisjoint(word)]
    best: tuple[float, Language] | None = None
    for one in candidates:
        found = {word: counts[word] for word in one.words.intersection(counts)}
        if len(found) < _LEAST_WORDS or sum(found.values()) < _LEAST_SHARE * counts.total():
            continue
        score = sum(count * math.log(1 + len(candidates) / known[word]) for word, count in found.items())
        score += sum(0.3 * count if held <= one.letters else -count for held, count in special)
        if best is None or score > best[0]:
            best = (score, one)
    return best[1] if best is not None and best[0] > 0 else None


def _sample(texts: Iterable[str]) -> str:
    """The beginnings of texts, as much as is worth looking at."""
    pieces: list[str] = []
    size = 0
    for text in texts:
        pieces.append(text[: _PIECE if pieces else _SAMPLE])
        size += len(pieces[-1])
        if size >= 2 * _SAMPLE:
            break
    return "\n".join(pieces)


# Letters, and the marks that belong to them: accents, Hebrew points, Arabic vowels, Indic and Thai vowels.
_WORD = re.compile(r"(?:[^\W\d_]|[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0900-\u0dff\u0e00-\u0eff])+")


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text).casefold())


@cache
def _script(letter: str) -> str:
    first = unicodedata.name(letter[0], "").partition(" ")[0]
    return "KANA" if first in ("HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA") else first
