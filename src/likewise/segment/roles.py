"""The role of a passage in its book, where the markup does not say it: told by its title and how it begins."""

import re

from likewise.read.document import PROSE, Block

_NUMBER = (
    r"(?:(?:chapter|appendix|part|kapitel|anhang|chapitre|annexe|cap[ií]tulo|ap[eé]ndice)\s+)?"
    r"(?:[\dA-Z]+(?:\.\d+)*\.?\s+)?"
)
# Before what may be said of anything, only a number or a letter counts: "Common problems" are no exercises.
_COUNT = r"(?:(?:chapter|part|kapitel|chapitre|cap[ií]tulo)\s+)?(?:(?:\d+|[A-Z]|[IVXL]+)(?:\.\d+)*\.?\s+)?"
# What a book has beside its text: a question or an entry of the contents has the words of a query, and no answer.
APART = ("exercise", "contents", "navigation")
# Role -> the titles under which passages have it, in English, German, French and Spanish. The whole title must say so:
# "Problems of history" is no exercise.
_SECTIONS = {
    "exercise": re.compile(
        rf"{_COUNT}(?:(?:\w+ )?exercises?|homework|quiz|problems|questions"
        r"|(?:review|study|discussion|self-check|critical thinking|interactive link) questions"
        r"|(?:practice|review|challenge|additional|homework) problems"
        r"|übungen|(?:übungs)?aufgaben|exercices|ejercicios)\b[^a-z]*$",
        re.I,
    ),
    "contents": re.compile(
        rf"{_NUMBER}(?:(?:table of |list of )?contents|list of (?:figures|tables|illustrations)|in this chapter"
        r"|(?:(?:subject|concept|general|alphabetical|name|function|command) )?index"
        r"|(?:inhalts|stichwort|abbildungs|tabellen)verzeichnis|inhalt|sachregister|table des mati[eè]res|sommaire"
        r"|[ií]ndice(?: general| alfab[eé]tico)?)\W*$",
        re.I,
    ),
    "bibliography": re.compile(
        rf"{_NUMBER}(?:bibliography|references?|works cited|literature(?: cited)?|further reading|sources"
        r"|(?:weiterführende )?literatur(?:verzeichnis|hinweise|angaben)?|quellen(?:verzeichnis|angaben)?"
        r"|bibliogra(?:ph|f)(?:ie|ía|ia)|r[eé]f[eé]rences|referencias)\W*$",
        re.I,
    ),
    "glossary": re.compile(
        rf"{_NUMBER}(?:(?:\w+ ){{0,2}}glossary(?: of \w+)?|key terms|definitions of terms"
        r"|glossar|glossaire|glosario)\W*$",
        re.I,
    ),
    "pointer": re.compile(
        rf"{_NUMBER}(?:see also|related (?:topics|information|links|pages)"
        r"|siehe auch|voir aussi|v[eé]ase tambi[eé]n)\W*$",
        re.I,
    ),
    "footnote": re.compile(rf"{_NUMBER}(?:(?:foot|end)?notes|fußnoten|anmerkungen|notas)\W*$", re.I),
    "front": re.compile(
        rf"{_NUMBER}(?:legal notices?|copyrights?(?: (?:notices?|and licen[cs]e|information))?|licen[cs]e|colophon"
        r"|(?:about the )?authors?|contributors|translators?|acknowledge?ments?|credits(?: and contributors)?"
        r"|dedication|(?:document |revision |version |publication |release |change )history"
        r"|(?:(?:document|revision|version) )?(?:changelog|change log)(?:/history)?"
        r"|changelog/history|revisions|(?:the )?gnu (?:free documentation|general public) licen[cs]e.*)\W*$",
        re.I,
    ),
}
# Titles of exercises, and of pages with answers to questions or with troubles and what helps: what they hold decides.
_MAYBE = re.compile(rf"{_COUNT}(?:problems|questions|aufgaben)\b[^a-z]*$", re.I)
_ASKED = re.compile(
    r"\?\W{0,20}$|(?:^|[.:;)]\s+)(?:\W{0,20}\d[\d.)]{0,20}\s+|\(?[a-h][.)]\s+)?"
    r"(?:prove|show that|find (?:the|all|an?)|compute|calculate|determine"
    r"|derive|solve|sketch|explain (?:why|how|what)|describe how|discuss|estimate|evaluate|verify that"
    r"|write (?:an?|the) (?:\w+ )?(?:program|function|essay|expression|equation)|suppose"
    r"|zeigen? sie|beweisen?|berechnen?|bestimmen?|ermitteln?|lösen?)\b",
    re.I,
)
_BEGINNINGS = {
    "exercise": re.compile(r"(?:exercise|problem|question)\s+\d+(?:[.-]\d+)*\s*[.:)]", re.I),
    "caption": re.compile(
        r"(?:figure|fig\.|table|listing|plate|abbildung|abb\.|tabelle|tab\.|beispiel|tableau|figura|tabla)"
        r"\s+\d+(?:[.-]\d+)*[.:)]?\s+\S",
        re.I,
    ),
    "bibliography": re.compile(r"\[[^\[\]\s]{2,40}\]\s+\S.*(?:https?://|\bISBN\b|\bpp?\. ?\d)", re.DOTALL),
    "navigation": re.compile(r"(?:\W*\b(?:prev|previous|next|up|home|top|contents|toc|index)\b)+\W*$", re.I),
    "front": re.compile(r"(?:copyright|©|\(c\))\s*(?:©|\(c\))?\s*\d{4}", re.I),
}
# "soup_boil(bones text) returns broth": what reference pages call a thing by, before they say what it does.
_SIGNATURE = re.compile(r"[A-Za-z_][\w.:]*\((?!\d\w?\))[^.!?;]{0,300}\)(?:\s*(?:returns|→|->|=>|:)\s*[^.!?;]{1,80})?$")
# "soup - a thing to eat": the line by which manual pages name themselves, under NAME or their own title.
_OWN_NAME = re.compile(r"(\S[^.!?\n]{0,80}?)\s+[-–—]{1,2}\s+\S")
_NAME = re.compile(r"(?:name|bezeichnung|nom|nombre|nome)\W*$", re.I)
# A picture's words where no markup says that they are its caption.
_PICTURE = re.compile(
    r"(?:(?:this|an?|the)\s+)?(?:screen ?(?:shot|image)|image|picture|photo(?:graph)?)s?\s+"
    r"(?:shows?|showing|illustrat\w+|depict\w+)\b"
    r"|(?:this is (?:an?|the)\s+|an?\s+|the\s+(?=screen))?"
    r"(?:screen ?(?:shot|image)|image|picture|photo(?:graph)?)s?\s+of\b",
    re.I,
)
# An entry is shorter than this, or cites a year, an address or pages; notes at the end are numbered.
_ENTRY_WORDS = 40
_CITES = re.compile(r"\b1[5-9]\d\d\b|\b20\d\d\b|https?:|\bwww\.|\b(?:pp?|S)\.\s*\d|\b(?:ISBN|doi|RFC)\b", re.I)
_ENDNOTES = re.compile(r"(?:foot|end)notes|fußnoten", re.I)
_NUMBERED = re.compile(r"\W{0,2}(?:\d{1,3}(?:[\].):^↩ ]|$)|[*†‡§]|[a-z][\].):])", re.I)
_WORD = re.compile(r"[^\W\d_]{2}")
# A caption is short; "Figure 3 shows that …" begins a sentence like any other.
_LONGEST_CAPTION = 400
_SHOWS = re.compile(
    r"\S+\s+\S+\s+(?:and\s+\S+\s+)?(?:shows?|is|are|was|gives?|lists?|illustrates?|depicts?"
    r"|zeigt|ist|sind|gibt|listet|montre|donne|muestra)\b"
)


def role_of(block: Block, text: str, titles: tuple[str, ...]) -> str:
    """Return the role of a block: what its markup said, else the section it stands in, else how it begins.

    >>> from likewise.read.document import Span
    >>> role_of(Block("paragraph", Span(0, 9)), "Figure 1.2: A soup.", ("Soups",))
    'caption'
    >>> role_of(Block("item", Span(0, 9)), "Brown, A. (1999). Soup.", ("Soups", "References"))
    'bibliography'
    >>> role_of(Block("paragraph", Span(0, 9)), "soup - a thing to eat", ("NAME",))
    'front'
    >>> role_of(Block("item", Span(0, 9)), "soup_boil(bones text) returns broth", ("Functions",))
    'code'
    >>> titles = "Git Glossary", "Anhang B Literatur"
    >>> [role_of(Block("item", Span(0, 9)), "Soup: it is hot.", (title,)) for title in titles]
    ['glossary', 'bibliography']
    """
    if block.role != "body" or block.kind not in PROSE:
        return block.role
    if _BEGINNINGS["exercise"].match(text):
        return "exercise"
    if is_linked(block, text):
        return "contents"
    for title in reversed(titles):
        for role, pattern in _SECTIONS.items():
            if pattern.match(title) and _fits(role, title, text):
                return role
    for role in ("front", "navigation", "bibliography"):
        if _BEGINNINGS[role].match(text):
            return role
    if _SIGNATURE.match(text):
        return "code"
    if _names_page(text, titles):
        return "front"
    named = _PICTURE.match(text) or (_BEGINNINGS["caption"].match(text) and not _SHOWS.match(text))
    return "caption" if named and len(text) <= _LONGEST_CAPTION else block.role


def _names_page(text: str, titles: tuple[str, ...]) -> bool:
    """Whether a passage is the name of its page with a few words of what it is about."""
    found = _OWN_NAME.match(text)
    if not found or not titles or len(text.split()) > _ENTRY_WORDS:
        return False
    return bool(_NAME.match(titles[-1])) or found[1].partition(",")[0].casefold() == titles[-1].casefold()


def _fits(role: str, title: str, text: str) -> bool:
    """Whether a passage looks like what its title says: a page called Notes, Sources or Contents may be plain text.

    >>> _fits("footnote", "Notes", "Soup keeps for a week."), _fits("footnote", "Notes", "3. See Brown (1999).")
    (False, True)
    >>> [_fits("exercise", "Questions", text) for text in ("Is it hot? Yes.", "Why is it hot?", "2. Find the heat.")]
    [False, True, True]
    """
    if role == "exercise":
        return _MAYBE.match(title) is None or _ASKED.search(text) is not None
    prose = len(text.split()) > _ENTRY_WORDS
    if role == "contents":
        return not prose
    if role == "bibliography":
        return not prose or _CITES.search(text) is not None
    if role == "footnote":
        return _ENDNOTES.search(title) is not None or _NUMBERED.match(text) is not None
    return True


def is_linked(block: Block, text: str) -> bool:
    """Whether all words of a block are those of links: an entry of some contents, which says nothing itself.

    >>> from likewise.read.document import Mark, Span
    >>> is_linked(Block("item", Span(0, 9), marks=(Mark("link", Span(3, 9), "soup.html"),)), "1. Clear soup")
    False
    >>> is_linked(Block("item", Span(0, 9), marks=(Mark("link", Span(3, 9), "soup.html"),)), "1. Soups.")
    True
    """
    links = [mark.span for mark in block.marks if mark.kind == "link"]
    rest, at = [], block.span.start
    for span in links:
        rest.append(text[at - block.span.start : max(span.start, at) - block.span.start])
        at = max(at, span.end)
    rest.append(text[at - block.span.start :])
    return bool(links) and _WORD.search(text) is not None and _WORD.search(" ".join(rest)) is None
