"""What happens to a word, once per distinct word: fold, look up in the stop list, stem.

All functions take and give whole lists, because one call on thousands of words costs little more than a call on one.
"""

import re
from collections.abc import Collection
from functools import cache
from importlib.resources import files

from likewise.analyse.folding import fold
from likewise.errors import OptionError
from likewise.languages import Language, language

# SMART has every letter as a word; with "english" a capital that stands alone counts, as in "vitamin D" and "T cell".
_PLAIN_CAPITALS = frozenset("AI")
# Thai to Tibetan, Burmese, Khmer, Chinese and Japanese, Korean.
_NO_SPACES = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3005\u3041-\u3100\u3105-\u312f\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)


@cache
def smart_stop_words() -> frozenset[str]:
    """Return the English stop words of the SMART system: 571 lines, one word of which stands there twice.

    >>> "however" in smart_stop_words(), len(smart_stop_words())
    (True, 570)
    """
    text = files("likewise.analyse").joinpath("smart-571.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


# Pieces of contracted words, as the tokeniser cuts them.
_CONTRACTED = frozenset(("n't", "'s", "'re", "'ve", "'ll", "'d", "'m", "ca", "wo"))


def is_stop_phrase(phrase: str, language: str = "english") -> bool:
    """Say whether a phrase consists of stop words and marks only.

    >>> is_stop_phrase("is not ,"), is_stop_phrase("took effect"), is_stop_phrase("n't")
    (True, False, True)
    >>> is_stop_phrase("der", "german"), is_stop_phrase("der")
    (True, False)
    """
    stops = smart_stop_words() if language == "english" else _stop_words(language)
    return all(
        token in stops or token in _CONTRACTED or not any(letter.isalnum() for letter in token)
        for token in phrase.lower().replace("’", "'").split()
    )


@cache
def _stop_words(language: str) -> frozenset[str]:
    return stop_words(language)


def stop_words(stop: str | Collection[str] | None) -> frozenset[str]:
    """Return the folded stop words that the option ``stop`` means: none, a named list, or the words given.

    >>> "nicht" in stop_words("german"), "however" in stop_words("english"), sorted(stop_words(["THE"]))
    (True, True, ['the'])
    """
    if stop is None:
        return frozenset()
    if isinstance(stop, str):
        if stop == "smart":
            return smart_stop_words()
        try:
            chosen = language(stop)
        except OptionError as error:
            raise OptionError(
                f"stop must be 'smart', a language, a collection of words, or None, not {stop!r}; {error}"
            ) from None
        return smart_stop_words() if chosen.name == "english" else chosen.words
    return frozenset(fold([word.strip().replace("’", "'") for word in stop], "keep"))


def has_no_spaces(text: str) -> bool:
    """Tell whether a text has a letter of a script that is cut into pairs of characters.

    >>> has_no_spaces("東京"), has_no_spaces("Tokyo")
    (True, False)
    """
    return _NO_SPACES.search(text) is not None


def is_letter(word: str) -> bool:
    """Tell whether a word, as the text has it, is a capital that means something by itself.

    >>> [word for word in ["D", "T", "A", "I", "d", "DNA"] if is_letter(word)]
    ['D', 'T']
    """
    return len(word) == 1 and word.isupper() and word not in _PLAIN_CAPITALS


@cache
def stem_languages() -> tuple[str, ...]:
    """Return the names of the stemmers: those of Snowball."""
    import Stemmer

    return tuple(sorted(Stemmer.algorithms()))


def stemmer_of(name: str) -> str:
    """Return the stemmer that a name or the code of a language means.

    >>> stemmer_of("porter"), stemmer_of("de")
    ('porter', 'german')
    """
    if name in stem_languages():
        return name
    try:
        found = language(name).name
    except OptionError:
        found = ""
    if found in stem_languages():
        return found
    raise OptionError(f"stem must be one of {', '.join(stem_languages())}, or None, not {name!r}")


def spoken(one: Language) -> tuple[str, str | None]:
    """Return the stop list and the stemmer for texts in a language; some have no stemmer.

    >>> from likewise.languages import language
    >>> spoken(language("en")), spoken(language("german")), spoken(language("ja"))
    (('english', 'porter'), ('german', 'german'), ('japanese', None))
    """
    stemmer = "porter" if one.name == "english" else one.name
    return one.name, stemmer if stemmer in stem_languages() else None


def stem(words: list[str], stemmer: str | None) -> list[str]:
    """Return the stems of the words; ``None`` leaves them as they are.

    >>> stem(["retrieval", "retrieved"], "porter")
    ['retriev', 'retriev']
    """
    if stemmer is None:
        return words
    import Stemmer

    # A stemmer is cheap to make and must not be shared between threads.
    return list(Stemmer.Stemmer(stemmer_of(stemmer)).stemWords(words))
