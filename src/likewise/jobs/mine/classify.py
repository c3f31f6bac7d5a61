"""The classes of Paşca and Dienes (2005, table 3) that a machine can decide, and the SMART list as judge of stop words.

========================  ====================================================  =========================
class                     rule                                                  theirs
========================  ====================================================  =========================
case                      equal without regard to case                          (2) equal if case-insensitive
hyphenation               equal without hyphens and blanks                      (4) hyphenation
punctuation/spelling      equal without marks, or but for British/American      (1) punct., symbols, spelling
stop words                both consist of stop words                            (3) both are stop words
morphology                equal Porter stems                                    (5) morphological variation
other                     the rest: synonyms, siblings, antonyms, errors        (6) to (11)
========================  ====================================================  =========================
"""

import functools
import re
import unicodedata

CLASSES = ("punctuation/spelling", "case", "stop words", "hyphenation", "morphology", "other")

_HYPHENS = re.compile(r"[-\u2010-\u2015\u00ad\s]")
_MARKS = re.compile(r"[^\w]|_")
# British -> American, on lower-case words long enough that the ending is one.
_SPELLINGS = [
    (re.compile(r"(?<=[a-z]{2})our(?=s?$|ed$|ing$|able$|ite|ful|hood|less|al)"), "or"),
    (re.compile(r"(?<=[bcdfgtv])re(?=s?$|d$)"), "er"),
    (re.compile(r"is(?=e[ds]?$|ing$|ations?$)"), "iz"),
    (re.compile(r"ys(?=e[ds]?$|ing$)"), "yz"),
    (re.compile(r"ogue(?=s?$)"), "og"),
    (re.compile(r"ll(?=ed$|ing$|ers?$|or)"), "l"),
    (re.compile(r"ae|oe"), "e"),
    (re.compile(r"ence(?=s?$)"), "ense"),
    (re.compile(r"mme(?=s?$)"), "m"),
]


@functools.cache
def _stemmer() -> object:
    import Stemmer

    return Stemmer.Stemmer("porter")


@functools.cache
def stop_words() -> frozenset[str]:
    """Return the SMART list that ships with the package."""
    from importlib import resources

    text = resources.files("likewise.analyse").joinpath("smart-571.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


def is_stop_phrase(phrase: str) -> bool:
    """Say whether a phrase consists of stop words and marks only.

    >>> is_stop_phrase("is not ,"), is_stop_phrase("took effect"), is_stop_phrase("n't")
    (True, False, True)
    """
    stops = stop_words()
    for token in phrase.lower().replace("’", "'").split():
        if not any(letter.isalnum() for letter in token) or token in stops:
            continue
        if token in ("n't", "'s", "'re", "'ve", "'ll", "'d", "'m", "ca", "wo"):
            continue
        return False
    return True


def _american(phrase: str) -> str:
    words = []
    for word in phrase.split():
        for pattern, replacement in _SPELLINGS:
            word = pattern.sub(replacement, word)
        words.append(word)
    return " ".join(words)


def _stems(phrase: str) -> list[str]:
    words = [word for word in _MARKS.sub(" ", phrase).split() if word]
    return list(_stemmer().stemWords(words))  # type: ignore[attr-defined]


def classify(phrase: str, paraphrase: str) -> str:
    """Return the class of a pair.

    >>> [classify(*pair) for pair in [("Treasury", "treasury"), ("e-mail", "email"), ("centre of", "center of"),
    ...                               ("is", "are"), ("flows", "flow"), ("trip", "visit")]]
    ['case', 'hyphenation', 'punctuation/spelling', 'stop words', 'morphology', 'other']
    """
    left, right = phrase.casefold(), paraphrase.casefold()
    if left == right:
        return "case"
    if _HYPHENS.sub("", left) == _HYPHENS.sub("", right):
        return "hyphenation"
    bare_left, bare_right = (_MARKS.sub("", unicodedata.normalize("NFKD", side)) for side in (left, right))
    if (bare_left or bare_right) and bare_left == bare_right:
        return "punctuation/spelling"
    if not bare_left and not bare_right:
        return "punctuation/spelling"
    if is_stop_phrase(phrase) and is_stop_phrase(paraphrase):
        return "stop words"
    if _american(left) == _american(right):
        return "punctuation/spelling"
    stems = _stems(left)
    if stems and stems == _stems(right):
        return "morphology"
    return "other"
