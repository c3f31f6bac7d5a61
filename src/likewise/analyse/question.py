"""A question that asks for a date, taken apart: whether it does, the words that count, which of them are names.

Words that only ask are recognised where they stand, at the beginning: *Time* magazine and *Father's Day* keep theirs.
"""

import functools
import re
from dataclasses import dataclass

from likewise.analyse.words import smart_stop_words, stem

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
    # *Did he found it* is no finding.
    (r"(?<=\b[Dd]id )(.*?)\bfound\b", r"\1founded"),
)
_WORLD_WAR, _WARS = re.compile(r"\bWW(II?|1|2)\b"), {"I": "I", "1": "I", "II": "II", "2": "II"}
# Questions have the verb (*did it win*) where sentences have its past (*won*), which no stemmer knows.
_IRREGULAR = """
arise arose arisen; awake awoke awoken; bear bore borne; beat beaten; become became; begin began begun; bend bent;
bind bound; bite bit bitten; bleed bled; blow blew blown; break broke broken; bring brought; build built; buy bought;
catch caught; choose chose chosen; come came; cut; deal dealt; dig dug; draw drew drawn; drink drank drunk; drive drove
driven; eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fly flew flown;
forbid forbade forbidden; freeze froze frozen; get got gotten; give gave given; go went gone; grow grew grown; hang
hung; hear heard; hide hid hidden; hold held; keep kept; know knew known; lay laid; lead led; leave left; lend lent;
lose lost; make made; mean meant; meet met; pay paid; overthrow overthrew overthrown; ride rode ridden; ring rang rung;
rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent; shake shook shaken; shoot shot;
show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat; slay slew slain; sleep slept; speak spoke
spoken; spend spent; spring sprang sprung; stand stood; steal stole stolen; stick stuck; strike struck stricken; swear
swore sworn; sweep swept; swim swam swum; take took taken; teach taught; tear tore torn; tell told; think thought; throw
threw thrown; undertake undertook undertaken; wake woke woken; wear wore worn; weave wove woven; win won; withdraw
withdrew withdrawn; write wrote written
"""
# The frequent kinds of events, with the words that tell them. One of a kind speaks for the others.
KINDS = {
    "birth": "born birth birthday",
    "death": "die died dies death dead killed assassinated executed murdered drowned suicide",
    "founding": "founded founder founding established formed incorporated created started organized",
    "invention": "invented invention patented developed inventor designed",
    "introduction": "introduced introduction unveiled launched debuted",
    "beginning": "begin began begun start started commenced outbreak broke",
    "ending": "end ended ends over ceased concluded finished",
    "dissolution": "dissolved dissolution disbanded collapsed collapse split breakup fell broke",
    "building": "built build constructed erected construction completed finished opened",
    "destruction": "destroyed destruction demolished razed",
    "wedding": "married marry wedding marriage wed",
    "publication": "published publish released appeared issued",
    "performance": "performed premiered premiere debuted",
    "election": "elected election",
    "murder": "shot assassinated assassination murdered killed",
    "execution": "executed execution hanged beheaded",
    "sinking": "sink sank sunk sinking",
    "eruption": "erupt erupted eruption",
    "explosion": "exploded explosion bombed disaster",
    "crash": "crash crashed disaster",
    "statehood": "state statehood admitted",
    "independence": "independent independence",
    "purchase": "buy bought purchased purchase acquired acquisition",
    "sale": "sold sale",
    "writing": "write wrote written composed completed",
    "battle": "fought battle fight",
    "invasion": "invaded invasion occupied occupation",
    "conquest": "conquered conquest captured seized occupied",
    "discovery": "discovered discovery discover isolated identified",
    "arrival": "arrived arrival reached landed",
    "flight": "flew flight",
    "accession": "joined join member admitted",
    "becoming": "become admitted elected appointed inaugurated crowned sworn succeeded",
    "coronation": "crowned coronation throne",
    "leaving": "resigned resignation retired left quit",
    "victory": "win won victory awarded received",
    "treaty": "signed treaty ratified concluded adopted",
    "law": "passed enacted approved adopted",
    "moving": "moved relocated",
    "naming": "named renamed",
    "leading": "lead led leader",
    "closing": "close closed closure shut ceased",
    "stopping": "stop stopped ceased discontinued ended abandoned quit",
    "abolition": "abolish abolished abolition repealed suspended banned outlawed prohibited",
    "merger": "merge merged merger amalgamated",
    "expiry": "expired lapsed ended",
}
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
    """A word of a question that counts, as written, without 's; whether it is written like a name."""

    text: str
    name: bool


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

    >>> words("De Beers' Co. was London's first")
    ['de', 'beers', 'co', 'was', 'london', 'first']
    """
    return [word.casefold() for word in written_words(text)]


def stems(folded: list[str]) -> list[str]:
    """Return the stems by which questions and nuggets are compared; U.S. is US, won is win, and 1.2 is not 12.

    >>> stems(["u.s.", "won", "winning", "founded", "found", "1.2"])
    ['us', 'win', 'win', 'found', 'find', '1.2']
    """
    plain = (word if word[:1].isdigit() else word.replace(".", "") for word in folded)
    return stem([_verbs().get(word, word) for word in plain], "english")


@functools.cache
def _verbs() -> dict[str, str]:
    """Return the verb that an irregular form belongs to."""
    lines = (line.split() for line in _IRREGULAR.split(";"))
    return {form: verb for verb, *forms in lines for form in forms}


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
    found, lasting = set(stems(words(rest))), _kind_stems("leading")
    sides = (
        (_kind_stems("beginning"), "start"),
        (found if _STOPPED.search(rest) else set(), "end"),
        (_kind_stems("ending"), "end"),
        (_kind_stems(*_STARTING), "start"),
        (_kind_stems(*_ENDING), "end"),
        # What somebody did last has an end if it lasts; a victory does not.
        ({"last"} if not (found - lasting) & same_kind().keys() else set(), "end"),
        (lasting, "start"),
    )
    return next((side for told, side in sides if found & told), "")


@functools.cache
def _kind_stems(*kinds: str) -> frozenset[str]:
    return frozenset(stems(" ".join(KINDS[kind] for kind in kinds).split()))


def tells_end(stemmed: str, side: str) -> bool:
    """Say whether a stem tells nothing but that end of a time.

    >>> tells_end("stop", "end"), tells_end("stop", "start"), tells_end("die", "end")
    (True, False, False)
    """
    return side in _ENDS and stemmed in _kind_stems(*_ENDS[side])


def event_stems(question: str) -> frozenset[str]:
    """Return the stems that say what happened: the participle, else words of a kind of event, else all but names.

    >>> [sorted(event_stems(f"When {text}?")) for text in ("was Corvix 6 frozen", "did it stop", "did he stop eating")]
    [['freez'], ['stop'], ['eat']]
    """
    rest = _rest(question)
    found = [word.text.casefold() for word in question_words(question) if not word.name and not word.text[0].isdigit()]
    if _STOPPED.search(rest):  # what was stopped
        found = [word for word in found if not tells_end(stems([word])[0], "end")] or found
    done = [word for word in found if word.endswith("ed") or word in _verbs()] if _PASSIVE.match(rest) else []
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
    """
    rest = _HAPPENS.sub(" ", _asking(_in_one_word(question))[1])
    rest = _WORLD_WAR.sub(lambda war: "World War " + _WARS[war[1]], rest)
    while auxiliary := _AUXILIARY.match(rest):
        rest = rest[auxiliary.end() :]
    kept = []
    name = False
    for word in _WORD.findall(rest):
        text = _POSSESSIVE.sub("", word)
        # A number after a name is part of it, unless it looks like a year.
        name, folded = text[0].isupper() or (name and text[0].isdigit() and len(text) < 4), text.casefold()
        little = folded in smart_stop_words() and folded not in _TELLING
        if not little or (name and (len(text) > 3 or text.isupper())):
            kept.append(QuestionWord(text, name))
    return kept


@functools.cache
def same_kind() -> dict[str, frozenset[str]]:
    """Return, for the stem of a word that tells a kind of event, the stems of the others of its kinds.

    >>> sorted(same_kind()["birthday"])
    ['birth', 'born']
    """
    made: dict[str, set[str]] = {}
    for line in KINDS.values():
        kind = set(stems(line.split()))
        for one in kind:
            made.setdefault(one, set()).update(kind - {one})
    return {one: frozenset(others) for one, others in made.items()}
