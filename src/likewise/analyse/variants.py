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

from likewise.analyse.words import is_stop_phrase

CLASSES = ("punctuation/spelling", "case", "stop words", "hyphenation", "morphology", "other")

_HYPHENS = re.compile(r"[-\u2010-\u2015\u00ad\s]")
_MARKS = re.compile(r"[^\w]|_")
_DIGITS = re.compile(r"\d+")
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


def strings_factor(phrase: str, paraphrase: str) -> float:
    """Return what the two strings alone leave of a score: different numbers nothing, an elaboration a tenth.

    >>> strings_factor("chapter 1", "chapter 2"), strings_factor("the", "the early"), strings_factor("trip", "visit")
    (0.0, 0.1, 1.0)
    """
    if _DIGITS.search(phrase + paraphrase) and _DIGITS.findall(phrase) != _DIGITS.findall(paraphrase):
        return 0.0
    if f" {phrase} " in f" {paraphrase} " or f" {paraphrase} " in f" {phrase} ":
        return 0.1
    return 1.0
