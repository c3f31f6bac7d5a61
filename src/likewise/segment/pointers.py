"""Passages that only point: "see section 7", "more at this address", "the file should look like this:"."""

import re
from collections.abc import Sequence

_ASIDE = re.compile(r"\((?!\d\w?\))[^()]*\)")
# Something else to read, named so that it can be found.
_PLACE = re.compile(
    r"\b(?:https?|ftp|mailto):\S+|\bwww\.\S+|§\s*\d|\b\w[\w.-]*\(\d\w?\)|/usr/share/doc/\S+|[“\"][^”\"]+[”\"]"
    r"|\b(?:sections?|chapters?|appendix|appendices|parts?|figures?|tables?|examples?|pages?)\s+(?:\d|[A-Z]\b)"
    r"|\b(?:Abschnitt|Kapitel|Anhang|Teil|Abbildung|Tabelle|Beispiel|Seite|chapitre|annexe|tableau|secci[oó]n|cap[ií]tulo"
    r"|ap[eé]ndice|figura|tabla|p[aá]gina)\s+(?:\d|[A-Z]\b)|„[^“”\"]+[“”\"]|«[^»]+»"
    r"|\b(?:HOWTO|FAQ|README|RFC ?\d+)\b"
)
_READING = re.compile(
    r"\b(?:documentation|manual|man ?page|guide|reference|book|article|tutorial|web ?site|home ?page|web ?page|wiki"
    r"|mailing list|archive|bug report|section|chapter|appendix|document|help)s?\b",
    re.I,
)
_LOOK = re.compile(
    r"(?:^|[,;:–—-]\s*|\b(?:please|also|you|can|may|might|should|could|to|and|or|then|just|more|details|information)\s+)"
    r"(?:see|refer to|consult|check(?: out)?|read|visit|look (?:at|in|up)|(?:have|take) a look at)\b"
    r"|(?:^|[,;:–—-]\s*|\b(?:bitte|dazu|auch|hierzu|und|oder|aussi|tambi[eé]n)\s+)"
    r"(?:siehe|s\.|vgl\.|vergleiche|lesen Sie|voir|cf\.|v[eé]ase|consulte)\s"
    r"|\b(?:more|further|additional|detailed|full|complete)\b.{0,40}"
    r"\b(?:information|details?|documentation|instructions?|explanations?|examples?|pointers|descriptions?)\b",
    re.I,
)
_STANDS = re.compile(
    r"\b(?:is|are|was|were|be|been)\s+(?:\w+\s+)?(?:described|explained|discussed|covered|documented|detailed|available"
    r"|found|listed|given|provided|retrieved|obtained|downloaded)\s+(?:in|at|on|from|by|under|through)\b",
    re.I,
)
_ANNOUNCES = re.compile(
    r"(?:in )?(?:this|the (?:following|next|above|previous|rest of this|remainder of this)|these|below)\s+"
    r"(?:chapter|section|subsection|document|manual|guide|appendix|part|tutorial|page|article|example|table|figure|list"
    r"|image|screenshot|picture|diagram|procedure|command)s?\b",
    re.I,
)
_LEADS = re.compile(
    r"(?:\bfollow(?:ing|s)\b|\bbelow\b|\blike this\b|\blooks? like\b|\bsomething like\b|\bfor (?:example|instance)\b)"
    r"[^.]*:$",
    re.I,
)
_SEE_ALSO = re.compile(r"(?:see also|siehe auch|voir aussi|v[eé]ase tambi[eé]n)\b", re.I)
_SEE = re.compile(r"\((?:see|siehe|s\.|vgl\.|voir|cf\.|v[eé]ase)\s[^()]*\)$", re.I)
# What is longer says something of its own.
_MOST_WORDS, _MOST_ANNOUNCED, _LEAD, _FEW_WORDS = 60, 30, 10, 3
_MOST_LETTERS = 4_000  # of a "word" of many thousands the patterns would look at every piece


def only_points(sentences: Sequence[str]) -> bool:
    """Tell whether a passage says nothing itself: each sentence sends the reader elsewhere, or on to what follows.

    >>> only_points(["For assistance with loans, see Chapter 6 of the manual."])
    True
    >>> only_points(["See also: loans, savings, interest."]), only_points(["Properties of loans:"])
    (True, True)
    >>> only_points(["Loans are repaid in parts (see Chapter 6)."])
    False
    >>> only_points(["Pakete beziehen (siehe Abschnitt 8.35, „Pakete“)"]), only_points(["Siehe dazu Abschnitt 8.35."])
    (True, True)
    """
    if sum(map(len, sentences)) > _MOST_LETTERS:
        return False
    words = sum(len(sentence.split()) for sentence in sentences)
    return bool(sentences) and words <= _MOST_WORDS and all(map(_points, sentences))


def _points(sentence: str) -> bool:
    said = " ".join(_ASIDE.sub(" ", sentence).split())
    aside = _SEE.search(sentence.rstrip())
    if aside and _PLACE.search(aside[0]) and len(said.split()) <= _LEAD:
        return True  # no sentence, but the name of what stands there
    named = _PLACE.search(said) is not None
    if _LOOK.search(said) and (named or _READING.search(said)):
        return True
    if named and (_STANDS.search(said) or len(_PLACE.sub(" ", said).split()) <= _FEW_WORDS):
        return True
    words = len(said.split())
    if _SEE_ALSO.match(said) or (said.endswith(":") and words <= _LEAD):
        return True
    short = words <= _MOST_ANNOUNCED
    return short and (_ANNOUNCES.match(said) is not None or _LEADS.search(said) is not None)
