"""The classes of Paşca and Dienes (2005, table 3) that a machine can decide, and the SMART list as judge of stop words.

========================  ====================================================  =========================
class                     rule                                                  theirs
========================  ====================================================  =========================
case                      equal without regard to case                          (2) equal if case-insensitive
hyphenation               equal without hyphens and blanks                      (4) hyphenation
punctuation/spelling      equal without marks, or but for British/American      (1) punct., symbols, spelling
stop words                both consist of stop words that can stand for each    (3) both are stop words
                          other: no two modals, prepositions or numbers
morphology                equal stems, also of phrases, forms of one modal      (5) morphological variation
other                     the rest: synonyms, siblings, antonyms, errors        (6) to (11)
========================  ====================================================  =========================
"""

import functools
import itertools
import re
import unicodedata

from likewise.analyse.opposites import of_one_class, opposites
from likewise.analyse.words import is_stop_phrase, stem_languages

CLASSES = ("punctuation/spelling", "case", "stop words", "hyphenation", "morphology", "other")

# What told_by_strings says of a pair.
STRINGS = (
    "case or hyphens", "spelling", "inflection", "stop words", "one stop phrase", "one kind", "inside", "shared edge",
    "numbers", "names", "one name", "mark at edge", "marks", "code", "length", "several words",
    "common start", "same ending", "one class", "opposites",
)  # fmt: skip
_HYPHENS = re.compile(r"[-\u2010-\u2015\u00ad\s]")
_MARKS = re.compile(r"[^\w]|_")
# Signs of operations, money and programs are no punctuation: a plus is not a minus, nor </D> the beginning of a D.
_SIGNS = re.compile(r"[<>=+$€£^~|¬±×÷%*#\\@&]+|(?<!\S)/(?!\S)")
_DIGITS = re.compile(r"\d+")
# Names of things in programs and formulas: case, marks or digits inside a word, letters alone.
_CODE = re.compile(r"\w[_/:@]|[a-z][A-Z]|[A-Z]{3}|[A-Za-z]\d|-\w+-|(?<!\S)[b-zB-HJ-Z]\.?(?!\S)")
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


# Stop words that exclude each other: to these two of one kind are siblings, not ways to say the same.
_KINDS = {
    word: kind
    for kind, words in {
        "modal": "can could may might must shall should will would cannot ought",
        "preposition": "about above across after against along around at back before behind below beneath beside "
        "beyond by down during except for from in inside into near of off on onto out outside over past since through "
        "to toward towards under until up upon with within without",
        "number": "one two three four five six seven eight nine first second third",
        "person": "i you he she it we they me him her us them my your his its our their",
        "question": "who what when where why how which whose",
    }.items()
    for word in words.split()
}
_FORMS = [frozenset(forms.split()) for forms in (
    "can could", "may might", "will would", "he him his", "she her", "they them their", "we us our",
    "it its", "i me my", "you your",
)]  # fmt: skip
# Prepositions that can stand for each other.
_SAME = [frozenset(("upon", "on")), frozenset(("toward", "towards")), frozenset(("within", "in"))]
# Forms of these are so far from each other that they count as words of their own.
_BE = frozenset((
    "am", "are", "be", "been", "being", "is", "was", "were", "has", "have", "had", "having", "do", "does", "did",
    "doing",
))  # fmt: skip
# Words that make forms of others: *will take* and *takes*, *that indicates* and *indicating*; not *can* or *must*.
_FORMING = _BE | {"will", "would", "that", "which", "who", "to", "a", "an", "the"}
_MOST_FORMING, _SHORT = 2, 3
# Languages whose verbs change a vowel at their end with the mood.
_VOWELLED, _MOOD = frozenset(("spanish", "portuguese", "italian")), re.compile(r"[aeiou]+[ns]?$")
_NEGATIONS = frozenset(("not", "n't", "no", "never", "nor"))
# Endings that change what a word says.
_CHANGING = ("ful", "less", "able", "ible")


@functools.cache
def _stemmer(language: str) -> object:
    import Stemmer

    return Stemmer.Stemmer("porter" if language == "english" else language)


def _american(phrase: str) -> str:
    words = []
    for word in phrase.split():
        for pattern, replacement in _SPELLINGS:
            word = pattern.sub(replacement, word)
        words.append(word)
    return " ".join(words)


def _stems(phrase: str, language: str) -> list[str]:
    words = [word for word in _MARKS.sub(" ", phrase).split() if word]
    if language not in stem_languages():
        return words
    return list(_stemmer(language).stemWords(words))  # type: ignore[attr-defined]


def classify(phrase: str, paraphrase: str, language: str = "english") -> str:
    """Return the class of a pair; kinds of stop words are told apart in English only.

    >>> [classify(*pair) for pair in [("Treasury", "treasury"), ("e-mail", "email"), ("centre of", "center of"),
    ...                               ("is", "are"), ("flows", "flow"), ("trip", "visit")]]
    ['case', 'hyphenation', 'punctuation/spelling', 'stop words', 'morphology', 'other']
    >>> classify("operator <", "operator >")
    'other'
    >>> classify("can", "could"), classify("may", "should"), classify("up", "back"), classify("cause", "causes")
    ('morphology', 'other', 'other', 'morphology')
    >>> classify("der", "dem", "german"), classify("Funktion", "Funktionen", "german")
    ('stop words', 'morphology')
    >>> classify("abra", "abre", "spanish"), classify("usa", "utiliza", "spanish")
    ('morphology', 'other')
    """
    left, right = phrase.casefold(), paraphrase.casefold()
    if left == right:
        return "case"
    if _HYPHENS.sub("", left) == _HYPHENS.sub("", right):
        return "hyphenation"
    if _SIGNS.findall(left) != _SIGNS.findall(right):
        return "other"
    bare_left, bare_right = (_MARKS.sub("", unicodedata.normalize("NFKD", side)) for side in (left, right))
    if not bare_left or not bare_right:
        return "punctuation/spelling" if _punctuation(left) and _punctuation(right) else "other"
    if bare_left == bare_right:
        return "punctuation/spelling"
    if language == "english" and _american(left) == _american(right):
        return "punctuation/spelling"
    if is_stop_phrase(phrase, language) and is_stop_phrase(paraphrase, language):
        return _stop_class(left, right) if language == "english" else "stop words"
    inflected = _inflected(left, right, language) or (language == "english" and _forms_of_phrase(left, right))
    return "morphology" if inflected else "other"


def _punctuation(text: str) -> bool:
    """Whether a text is marks of punctuation only: a plus is not a minus, but a semicolon is nearly a comma."""
    return all(unicodedata.category(letter).startswith(("P", "Z")) for letter in text)


def _inflected(left: str, right: str, language: str = "english") -> bool:
    ours, theirs = ([_root(stem, language) for stem in _stems(side, language)] for side in (left, right))
    same = bool(ours) and ours == theirs
    return same and (language != "english" or not _changed(left, right))


def _root(stem: str, language: str) -> str:
    """Return a stem without the vowel that tells moods apart, where a verb has one: *abra*, *abre*; *está*, *estén*."""
    if language not in _VOWELLED:
        return stem
    plain = unicodedata.normalize("NFKD", stem).encode("ascii", "ignore").decode()
    cut = _MOOD.sub("", plain)
    return cut if len(cut) >= _SHORT else plain


def _changed(left: str, right: str) -> bool:
    """Whether an ending changes what a word says: used to, useful to."""
    return any(
        a.endswith(_CHANGING) != b.endswith(_CHANGING) or _does_it(a, b) or _does_it(b, a)
        for a, b in zip(left.split(), right.split(), strict=False)
    )


def _does_it(who: str, what: str) -> bool:
    """Whether the one word is for who does what the other says: operator, operation; but not order, ordered."""
    return (
        who.endswith(("or", "ors", "er", "ers"))
        and what.endswith(("ion", "ions", "ing", "ed"))
        and not what.startswith(who.removesuffix("s"))
    )


def core_of(phrase: str, paraphrase: str) -> tuple[str, str]:
    """Return what is left of a pair without the words that both begin or end with; the smaller first.

    >>> core_of("the name of", "the size of"), core_of("name", "size"), core_of("of", "of the")
    (('name', 'size'), ('name', 'size'), ('', 'the'))
    """
    left, right = phrase.split(" "), paraphrase.split(" ")
    while left and right and left[0] == right[0]:
        left, right = left[1:], right[1:]
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    first, second = sorted((" ".join(left), " ".join(right)))
    return first, second


def _forms_of_phrase(left: str, right: str) -> bool:
    """Whether two phrases have the same content words, in other forms, and differ else in words that make forms.

    >>> _forms_of_phrase("will take", "takes"), _forms_of_phrase("can take", "takes"), _forms_of_phrase("to a", "a")
    (True, False, False)
    >>> _forms_of_phrase("value is", "values are"), _forms_of_phrase("for maintaining", "to maintain")
    (True, True)
    """
    ours, theirs = (
        ["to" if word == "for" and "ing" in side else word for word in side.split()] for side in (left, right)
    )
    if len(ours) == len(theirs) == 1 or abs(len(ours) - len(theirs)) > _MOST_FORMING:
        return False
    words = [[word for word in side if word not in _FORMING and _MARKS.sub("", word)] for side in (ours, theirs)]
    verbs = [[word for word in side if word in _BE or word in ("will", "would")] for side in (ours, theirs)]
    stems = [_stems(" ".join(side), "english") for side in words]
    content = [word for word in words[0] if word not in _KINDS and len(word) > _SHORT]
    return bool(content) and stems[0] == stems[1] and (words[0] != words[1] or verbs[0] != verbs[1])


def _stop_class(left: str, right: str) -> str:
    """Two stop phrases: forms of one word, words that can stand for each other, or members of one kind."""
    ours, theirs = ({word for word in side.split() if _MARKS.sub("", word)} for side in (left, right))
    ours, theirs = ours - theirs, theirs - ours
    if (ours ^ theirs) & _NEGATIONS or _changed(left, right):
        return "other"
    if not ours & _BE and (_inflected(left, right) or _forms_of_phrase(left, right)):
        return "morphology"
    alone = len(ours) == len(theirs) == 1
    for a in ours:
        for b in theirs:
            if alone and any({a, b} <= forms for forms in _FORMS):
                return "morphology"
            if {a, b} in _SAME:
                return "stop words"
            if a in _KINDS and _KINDS[a] == _KINDS.get(b):
                return "other"
    return "stop words"


def strings_factor(phrase: str, paraphrase: str) -> float:
    """Return what the two strings alone leave of a pair made by hand: nothing of numbers that differ.

    >>> strings_factor("chapter 1", "chapter 2"), strings_factor("the", "the early"), strings_factor("trip", "visit")
    (0.0, 0.1, 1.0)
    """
    if _DIGITS.findall(phrase) != _DIGITS.findall(paraphrase):
        return 0.0
    return 0.1 if _inside(phrase, paraphrase) else 1.0


def _inside(phrase: str, paraphrase: str) -> bool:
    return f" {phrase} " in f" {paraphrase} " or f" {paraphrase} " in f" {phrase} "


def is_content(phrase: str, paraphrase: str, language: str = "english") -> bool:
    """Say whether a pair differs in more than form and stop words, and at both its edges: else a shorter pair says it.

    >>> is_content("began", "started"), is_content("e-mail", "email"), is_content("center of", "middle of")
    (True, False, False)
    >>> is_content("name", "names"), is_content("in", "within")
    (False, False)
    """
    left, right = phrase.split(" "), paraphrase.split(" ")
    shared = left[0] == right[0] or left[-1] == right[-1] or _inside(phrase, paraphrase)
    words = all(any(letter.isalnum() for letter in edge) for edge in (left[0], left[-1], right[0], right[-1]))
    stops = is_stop_phrase(phrase, language) and is_stop_phrase(paraphrase, language)
    return words and not shared and not stops and classify(phrase, paraphrase, language) == "other"


def told_by_strings(phrase: str, paraphrase: str, language: str = "english") -> list[float]:
    """Return what the strings of a pair say of it, in the order of :data:`STRINGS`.

    >>> dict(zip(STRINGS, told_by_strings("U.S.", "United States"), strict=True))["spelling"]
    1.0
    """
    kind = classify(phrase, paraphrase, language)
    left, right = phrase.split(" "), paraphrase.split(" ")
    stops = is_stop_phrase(phrase, language) + is_stop_phrase(paraphrase, language)
    names = phrase[:1].isupper() + paraphrase[:1].isupper()
    edges = (left[0], left[-1], right[0], right[-1])
    lengths = sorted((len(left), len(right)))
    start = sum(1 for _ in itertools.takewhile(lambda letters: letters[0] == letters[1], zip(phrase, paraphrase)))  # noqa: B905
    told = [
        kind in ("case", "hyphenation"),
        kind == "punctuation/spelling" or _short_for(phrase, paraphrase) or _short_for(paraphrase, phrase),
        kind == "morphology",
        stops == 2,
        stops == 1,
        stops == 2 and kind == "other",
        _inside(phrase, paraphrase),
        lengths[1] > 1 and (left[0] == right[0] or left[-1] == right[-1]),
        _DIGITS.findall(phrase) != _DIGITS.findall(paraphrase),
        names == 2,
        names == 1,
        kind == "other" and not all(any(letter.isalnum() for letter in edge) for edge in edges),
        any(not any(letter.isalnum() for letter in side) for side in (phrase, paraphrase)),
        any(_CODE.search(side) for side in (phrase, paraphrase)),
        lengths[1] - lengths[0],
        lengths[0] > 1,
        start / max(len(phrase), len(paraphrase)),
        lengths == [1, 1] and phrase[-2:] == paraphrase[-2:],
        of_one_class(left, right),
        opposites(left, right),
    ]
    return [float(value) for value in told]


def _short_for(short: str, phrase: str) -> bool:
    """Whether a word is the initials of a phrase: U.S. of United States."""
    initials = "".join(word[0] for word in phrase.split() if word[0].isupper())
    return len(initials) > 1 and " " not in short and _MARKS.sub("", short) == initials
