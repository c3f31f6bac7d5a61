"""A question that asks for a date, taken apart: whether it does, the words that count, which of them are names.

Words that only ask are recognised where they stand, at the beginning: *Time* magazine and *Father's Day* keep theirs.
"""

import dataclasses
import functools
import itertools
import re
from dataclasses import dataclass

from likewise.analyse.events import irregular, kind_stems, same_kind, stems
from likewise.analyse.folding import fold
from likewise.analyse.words import smart_stop_words

_TIME = r"(?:years?|date|day|month|century|decade|time\s+period)"
_AT = r"(?:(?:in|on|during|since|at|by|from|until|for|of|to|with)\s+)?"
_ASKS = re.compile(
    rf"^\W*(?:where\s+and\s+)?{_AT}(?:when|how\s+(?:long|many\s+years)\s+ago|(?:date|year)\s+(?:of|when|in\s+which)"
    rf"|(?:what|which)(?:['’]s\s+the|\s+(?:was|is)\s+the)?\s+{_TIME}(?:\s+and\s+{_TIME})?"
    r"(?:\s+of\s+the\s+(?:year|month|week))?)\b",
    re.IGNORECASE,
)
# *The Berlin Wall fell when?* and *Who invented it, and when?*
_ASKS_LAST = re.compile(rf"(?:\band\s+)?\b{_AT}(?:when|(?:what|which)\s+{_TIME})\W*$", re.IGNORECASE)
# *Could you tell me when ...?* asks as *When ...?* does.
_POLITE = re.compile(
    rf"^\W*(?:(?:(?:can|could|would|will|do)\s+you\s+)?(?:please\s+)?(?:tell|give|say|know|name)\s+(?:(?:me|us)\s+)?)"
    rf"(?=(?:the\s+)?(?:{_AT}(?:when|what|which)|date|year)\b)(?:the\s+)?",
    re.IGNORECASE,
)
_ASKS_OTHER = re.compile(
    rf"^\W*(?:{_AT}(?:who|whom|whose|where|why|how|what|which)|did|do|does|was|were|is|are|has|have|had)\b",
    re.IGNORECASE,
)
_ASKS_ELSEWISE = re.compile(
    r"^\W*(?:wann|seit wann|in welchem jahr|quand|en quelle année|cu[aá]ndo|en qué año|quando|wanneer|når|när|kiedy)\b",
    re.IGNORECASE,
)
_AUXILIARY = re.compile(
    r"^\W*(?:did|do|does|was|were|is|are|has|have|had|will|would|of|the|that)\b(?!\s*$)", re.IGNORECASE
)
_YEARLY = re.compile(
    r"^\W*(?:on\s+)?(?:(?:when|(?:what|which)\s+(?:date|day|month))\s+(?:is|are|does|do)|what(?:['’]s|\s+is)\s+the\s+(?:date|day))\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]+(?:['’.&-][^\W_]+)*")
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
# Stop words that say which of several events is meant.
_TELLING = frozenset(("first", "second", "third", "last", "new", "end", "world", "become", "became"))
# What people are called before their names.
_HONOURS = frozenset(
    "president prime minister king queen emperor empress tsar czar pope saint st sir lord lady dr mr mrs general "  # noqa: SIM905
    "admiral colonel captain marshal senator governor chancellor prince princess archbishop bishop cardinal".split()
)
# What a question says of any event.
_HAPPENS = re.compile(r"\b(?:happen(?:ed)?|occur(?:red)?|t(?:ake|ook|aken) place)\b|\bheld(?=\W*$)")
# Two words that say what one does, which sentences have as well, and words of a question that mean another.
_MEANS = (
    (r"\b(?:broke|break|split)\s+up\b", "disbanded"),
    (r"\b(?:came|come)\s+out\b", "released"),
    (r"\b(?:came|come)\s+to\s+an\s+end\b", "ended"),
    (r"\bset\s+up\b", "established"),
    (r"\b(?:ran|run)\s+out\b", "expired"),
    (r"\b(?:blew|blow)(?:n)?\s+up\b", "exploded"),
    (r"\bdie(?:d)?\s+out\b", "extinct"),
    (r"\bpass(?:ed)?\s+away\b", "died"),
    (r"\b(?:took|take)\s+over\b", "seized"),
    (r"\bget\s+married\b", "married"),
    (r"\bmost\s+recent(?:ly)?\b", "last"),
    (r"\bbec[ao]me\s+(?:an?\s+)?(?:[a-z]+\s+)?(?:member|part)(?=\s+of\b)", "joined"),
    (r"\b(?:(?:give|gave)n?|gets?|got)\s+(?:its|his|her|their|the)\s+(?:[a-z]+\s+)?name\b", "named"),
    (r"\bchanged?\s+(?:its|his|her|their|the)\s+name\b", "renamed"),
    (r"\b(?:broke|break|broken)\s+out\b", "began"),
    # *Did he found it* is no finding.
    (r"(?<=\b[Dd]id )(.*?)\bfound\b", r"\1founded"),
)
_WORLD_WAR, _WARS = re.compile(r"\bWW(II?|1|2)\b"), {"I": "I", "1": "I", "II": "II", "2": "II"}
# Ordinals that a question may ask for, with how else a sentence says them.
_ORDINALS = (
    "first 1st inaugural earliest debut",
    "second 2nd",
    "third 3rd",
    "fourth 4th",
    "fifth 5th",
    "last final latest",
)
# Of a range the one end is asked for by these kinds of events, the other by those.
_STARTING = ("birth", "founding", "becoming", "introduction", "coronation")
_ENDING = ("ending", "death", "dissolution", "leaving", "closing", "stopping", "abolition", "merger", "expiry")
# Words that ask for nothing but an end: a date that is that end stands for them.
_ENDS = {"start": ("beginning",), "end": ("ending", "stopping", "leaving")}
# *Until when*, and what somebody stopped doing, ceased to be.
_UNTIL, _SINCE = re.compile(r"\b(?:until|till|to)\b"), re.compile(r"\b(?:since|from)\b")
_STOPPED = re.compile(r"\b(?:stop|cease|quit|end|finish|leave|give\s+up)(?:p?ed|d|s)?\s+(?:[a-z]+ing|to)\b")
_PASSIVE = re.compile(r"^\W*(?:was|were|is|are|has|have|had)\b", re.IGNORECASE)
_BY = re.compile(r"\bby\b")


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A word of a question that counts, as written, without 's; whether it is written like a name.

    ``lesser`` is what a text may leave out of a name: *President* before it, the *F* of *John F Kennedy*.
    """

    text: str
    name: bool
    lesser: bool = False


def written_words(text: str) -> list[str]:
    """Return the words of a text as written, the possessive 's taken off."""
    return [_POSSESSIVE.sub("", word) for word in _WORD.findall(text)]


def word_spans(text: str) -> tuple[list[int], list[int]]:
    """Return where the words of a text begin and end, the possessive 's included.

    >>> word_spans("London's first")
    ([0, 9], [8, 14])
    """
    found = list(_WORD.finditer(text))
    return [word.start() for word in found], [word.end() for word in found]


def words(text: str) -> list[str]:
    """Return the words of a text, folded, the possessive 's taken off.

    >>> words("De Beers' Co. was London's first café")
    ['de', 'beers', 'co', 'was', 'london', 'first', 'cafe']
    """
    return fold(written_words(text))


def asks_for_date(question: str) -> bool:
    """Say whether a question asks for a date; what begins with no question word at all is taken for one.

    >>> [asks_for_date(text) for text in ("When did Nixon die?", "In what year was it?", "Who was Nixon?", "Nixon")]
    [True, True, False, True]
    """
    return says_when(question) or not (_ASKS_OTHER.match(question) or asks_in_another_language(question))


def says_when(question: str) -> bool:
    """Say whether a question has words that ask for a date.

    >>> says_when("CNN began broadcasting in what year?"), says_when("Name the first president.")
    (True, False)
    """
    return bool(_asking(question)[0])


def _asking(question: str) -> tuple[str, str]:
    """Return the words that ask for a date, which are none in other questions, and the rest."""
    plain = _POLITE.sub("", question)
    if found := _ASKS.match(plain):
        return found[0].lower(), plain[found.end() :]
    if found := _ASKS_LAST.search(plain):
        return found[0].lower(), _ASKS_OTHER.sub("", plain[: found.start()])
    return "", plain


def asks_in_another_language(question: str) -> bool:
    """Say whether a question begins as one for a date does in a language that is not read.

    >>> asks_in_another_language("Wann starb Alan Turing?"), asks_in_another_language("When did Alan Turing die?")
    (True, False)
    """
    return bool(_ASKS_ELSEWISE.match(question))


@functools.cache
def _meanings() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(written), meant) for written, meant in _MEANS]


def _in_one_word(question: str) -> str:
    """Return a question with one word for what it says in two.

    >>> _in_one_word("When did the Beatles break up?"), _in_one_word("When did Gates found Microsoft?")
    ('When did the Beatles disbanded?', 'When did Gates founded Microsoft?')
    """
    for written, meant in _meanings():
        question = written.sub(meant, question)
    return question


def phase(question: str) -> str:
    """Say which end of a time a question asks for: ``start``, ``end`` or neither.

    >>> phase("When did the war end?"), phase("When did the war begin?"), phase("When was the war?")
    ('end', 'start', '')
    >>> phase("Until when did he lead it?"), phase("When did he stop leading it?"), phase("When did he lead it?")
    ('end', 'end', 'start')
    >>> phase("When did he last lead it?"), phase("When did he last win?")
    ('end', '')
    """
    asking, rest = _asking(_in_one_word(question))
    if _UNTIL.search(asking) or _SINCE.search(asking):
        return "end" if _UNTIL.search(asking) else "start"
    found, lasting = set(stems(words(rest))), kind_stems("leading")
    sides = (
        (kind_stems("beginning"), "start"),
        (found if _STOPPED.search(rest) else set(), "end"),
        (kind_stems("ending"), "end"),
        (kind_stems(*_STARTING), "start"),
        (kind_stems(*_ENDING), "end"),
        # What somebody did last has an end if it lasts; a victory does not.
        ({"last"} if not (found - lasting) & same_kind().keys() else set(), "end"),
        (lasting, "start"),
    )
    return next((side for told, side in sides if found & told), "")


def tells_end(stemmed: str, side: str) -> bool:
    """Say whether a stem tells nothing but that end of a time.

    >>> tells_end("stop", "end"), tells_end("stop", "start"), tells_end("die", "end")
    (True, False, False)
    """
    return side in _ENDS and stemmed in kind_stems(*_ENDS[side])


def event_stems(question: str) -> frozenset[str]:
    """Return the stems that say what happened: the participle, else words of a kind of event, else all but names.

    >>> [sorted(event_stems(f"When {text}?")) for text in ("was Corvix 6 frozen", "did it stop", "did he stop eating")]
    [['freez'], ['stop'], ['eat']]
    """
    rest = _rest(question)
    found = [word.text.casefold() for word in question_words(question) if not word.name and not word.text[0].isdigit()]
    if _STOPPED.search(rest):  # what was stopped
        found = [word for word in found if not tells_end(stems([word])[0], "end")] or found
    done = [word for word in found if word.endswith("ed") or word in irregular()] if _PASSIVE.match(rest) else []
    kinds = [word for word in found if stems([word])[0] in same_kind()]
    if "become" in found:  # the office says it as well
        kinds = found
    return frozenset(stems(done[-1:] or kinds or found))


def asks_what_was_done(question: str) -> bool:
    """Say whether a question asks what was done to its names, not what they did.

    >>> [asks_what_was_done(f"When {text}?") for text in ("was Acme founded", "was it founded by Acme", "did Acme win")]
    [True, False, False]
    """
    rest = _rest(question)
    return bool(_PASSIVE.match(rest)) and not _BY.search(rest)


def _rest(question: str) -> str:
    return _asking(_in_one_word(question))[1]


def ordinals(question: str) -> frozenset[str]:
    """Return the words for the one of several that a question asks for.

    >>> sorted(ordinals("When was the second Olympiad?")), ordinals("When was the Olympiad?")
    (['2nd', 'second'], frozenset())
    """
    found = set(words(_in_one_word(question)))
    return frozenset(word for line in _ORDINALS for word in line.split() if line.split()[0] in found)


def is_yearly(question: str) -> bool:
    """Say whether a question asks for what comes every year: *When is Bastille Day?*"""
    return bool(_YEARLY.match(question))


def wants_parts(question: str) -> int:
    """Say how many parts of a date a question asks for: 3 if for a day, 2 for a month, else 1.

    >>> wants_parts("What date did he die?"), wants_parts("In which month?"), wants_parts("When did he die?")
    (3, 2, 1)
    """
    asking = _asking(question)[0]
    return 3 if re.search(r"\b(?:date|day)\b", asking) else 2 if re.search(r"\bmonth\b", asking) else 1


def wants_year(question: str) -> bool:
    """Say whether a question asks for a year, to which a day without one is no answer."""
    return "year" in _asking(question)[0]


def wants_years(question: str) -> int:
    """Say how many years the answer may mean: 100 if a question asks for a century, 10 for a decade.

    >>> wants_years("In which century was it built?"), wants_years("In what year was it built?")
    (100, 1)
    """
    asking = _asking(question)[0]
    return 100 if "century" in asking else 10 if "decade" in asking else 1


def question_words(question: str) -> list[QuestionWord]:
    """Return the words of a question that count: no stop words, unless they are part of a name.

    >>> [word.text for word in question_words("When did Time magazine begin publishing?")]
    ['Time', 'magazine', 'begin', 'publishing']
    >>> [word.text for word in question_words("When was London's Docklands Light Railway constructed?")]
    ['London', 'Docklands', 'Light', 'Railway', 'constructed']
    >>> [word.text for word in question_words("When did President John F. Kennedy die?") if word.lesser]
    ['President', 'F']
    """
    rest = _HAPPENS.sub(" ", _asking(_in_one_word(question))[1])
    rest = _WORLD_WAR.sub(lambda war: "World War " + _WARS[war[1]], rest)
    while auxiliary := _AUXILIARY.match(rest):
        rest = rest[auxiliary.end() :]
    kept: list[QuestionWord] = []
    name = False
    for word in _WORD.findall(rest):
        text = _POSSESSIVE.sub("", word)
        # A number after a name is part of it, unless it looks like a year.
        name, folded = text[0].isupper() or (name and text[0].isdigit() and len(text) < 4), text.casefold()
        little = folded in smart_stop_words() and folded not in _TELLING
        if not little or (name and (len(text) > 3 or text.isupper())):
            kept.append(QuestionWord(text, name))
    for place, (word, after) in enumerate(itertools.pairwise(kept)):
        if word.name and after.name and (len(word.text) == 1 or word.text.casefold() in _HONOURS):
            kept[place] = dataclasses.replace(word, lesser=True)
    return kept
