"""Tell whether the *first* or *last* of a fragment is the one that a question asks for.

*The nineteenth DebConf* is another, *the first DebConf in Asia* and *the last a.out release* are the first and the last
of some, *at first* and *last year* count nothing.
"""

import re
import string
from collections.abc import Sequence, Set

from likewise.analyse.words import smart_stop_words

_ORDINAL = re.compile(
    r"\d*(?:1st|2nd|3rd|\dth)|(?:\w+-)?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)"
    r"|tenth|eleventh|twelfth|\w+teenth|\w+tieth|inaugural|earliest|debut|last|final|latest"
)
# The words after *first* that say of what.
_OF_SOME = 6
# They end with what is said of it.
_SAID = frozenset("was were is are had has have been be did took came went held occurred happened appeared".split())  # noqa: SIM905
# The first of these is that of all.
_OF_ALL = frozenset("time times ever known recorded official successful practical major real true".split())  # noqa: SIM905
# With these it is another word.
_OTHERWISE = re.compile(
    r"few|names?|lady|minutes?|class|person|party|aid|hand|half|quarter|stage|season|night|minister"
    r"|(?:day|week|month|year|decade)s?|century|centuries"
)
# *The first in ten years*, *the first outside France*.
_LIMITS = frozenset(("since", "outside", "under", "after", "with", "without"))
_FIRST, _LAST = frozenset(("first", "1st", "inaugural", "earliest", "debut")), frozenset(("last", "final", "latest"))
# *The first adhesive stamp* may be the first stamp, and what was *first synthesized* may have been first made then.
_SOME = 0.5


def counts_another(folded: Sequence[str], asked: Set[str]) -> bool:
    """Say whether a fragment counts, and not the one asked for.

    >>> counts_another(["the", "twenty-second", "debconf"], {"first"}), counts_another(["won", "again"], {"first"})
    (True, True)
    """
    found = {word for word in folded if _ORDINAL.fullmatch(word)}
    if "last" in asked:
        return bool(found) and found <= _FIRST  # the twentieth may be the last
    return bool(found and not found & asked) or ("first" in asked and "again" in folded)


def meant(written: Sequence[str], stemmed: Sequence[str], asked: Set[str], known: Set[str]) -> tuple[float, int | None]:
    """Return how much an ordinal asked for counts all of what is asked for, and its place; ``known`` are its stems.

    >>> words = "The first DebConf in Asia followed the first DebConf".split()
    >>> meant(words, [word.lower() for word in words], {"first"}, {"debconf"})
    (1.0, 7)
    >>> meant(words[:5], [word.lower() for word in words], {"first"}, {"debconf"})
    (0.0, None)
    """
    places = [place for place, word in enumerate(written) if word.casefold() in asked]
    best = max(((_of_all(written, stemmed, place, known), -place) for place in places), default=(0.0, 0))
    return best[0], -best[1] if best[0] else None


def _of_all(written: Sequence[str], stemmed: Sequence[str], place: int, known: Set[str]) -> float:
    after = written[place + 1].casefold() if place + 1 < len(written) else ""
    if (place and written[place - 1].casefold() == "at") or (
        _OTHERWISE.fullmatch(after) and stemmed[place + 1] not in known
    ):
        return 0.0
    some = 0.0 if written[place].casefold() in _LAST else _SOME
    if _of_another(written, stemmed, place, known):
        return 0.0
    named = False  # what is counted
    which = False  # a word that says which of them
    for one in range(place + 1, min(place + 1 + _OF_SOME, len(written))):
        word = written[one].casefold()
        if stemmed[one].rstrip(string.digits) in known:
            if which and not named:
                return some
            named = True
        elif word in _SAID:
            break
        elif (
            (one == place + 1 and _OTHERWISE.fullmatch(word))
            or (word in _LIMITS and named)
            or written[one][0].isupper()
        ):
            return 0.0
        elif word not in smart_stop_words() and word not in _OF_ALL:
            which = True
    return some if which and not named else 1.0


def _of_another(written: Sequence[str], stemmed: Sequence[str], place: int, known: Set[str]) -> bool:
    """Whether *first* belongs to a verb of something else: *dselect first appeared* is no first release of Debian.

    >>> words = "dselect first appeared".split()
    >>> _of_another(words, words, 1, {"debian", "appeared"}), _of_another(words, words, 1, {"dselect", "appeared"})
    (True, False)
    """
    if not 0 < place < len(written) - 1:
        return False
    before, after = written[place - 1].casefold(), written[place + 1].casefold()
    other = before.isalpha() and before not in smart_stop_words() and stemmed[place - 1] not in known
    return other and after.endswith("ed") and stemmed[place + 1] in known
