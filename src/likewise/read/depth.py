"""How deep HTML is nested, by one linear scan before the parser sees it.

Building the tree takes time that grows with the square of the depth (200,000 nested ``<div>`` take over a minute in
native code that nothing interrupts), so a page that is deeper than any honest one is refused unparsed. The scan follows
the tree builder where that keeps honest pages from looking deep (implied ends, stray end tags), and counts too much
rather than too little elsewhere.
"""

import re

_TAG = re.compile(r"<(?:(!--)|(/?)([a-zA-Z][a-zA-Z0-9]*)([^<>]*))")
_SCRIPT_END = re.compile(r"</script", re.IGNORECASE)
_VOID = frozenset(
    (
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    )
)
# The tree builder closes these by itself when the next one opens; what they nest through is counted.
_IMPLIED = frozenset(
    (
        "body",
        "colgroup",
        "dd",
        "dt",
        "head",
        "html",
        "li",
        "optgroup",
        "option",
        "p",
        "rb",
        "rp",
        "rt",
        "rtc",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
    )
)
# Formatting is opened again in every later block until its own end tag, at most three times for equal tags.
_FORMATTING = frozenset(
    ("a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u")
)
# End tags of elements outside have no effect inside these.
_BARRIERS = frozenset(("applet", "caption", "marquee", "math", "object", "svg", "table", "template", "foreignobject"))

# Inside svg and math a tag that ends in "/" opens nothing; these lead back to HTML, the first by being opened there.
_BREAKOUT = frozenset(
    [
        "b",
        "big",
        "blockquote",
        "center",
        "code",
        "div",
        "dl",
        "em",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "i",
        "listing",
        "menu",
        "nobr",
        "ol",
        "pre",
        "ruby",
        "s",
        "small",
        "span",
        "strong",
        "strike",
        "sub",
        "sup",
        "table",
        "tt",
        "u",
        "ul",
        "var",
    ]
)
_HTML_INSIDE = ("foreignobject", "desc", "title", "mi", "mo", "mn", "ms", "mtext", "annotation")


def too_deep(html: str, limit: int) -> bool:
    """Tell whether elements of ``html`` may nest deeper than ``limit``.

    >>> too_deep("<div>" * 600, 512), too_deep("<p>one<br>" * 600, 512), too_deep("<b>x</b>" * 600, 512)
    (True, False, False)
    """
    return html.count("<") > limit and _depth(html, limit) > limit


def too_wide(html: str, limit: int = 4000) -> bool:
    """Tell whether one tag may hold more attributes than ``limit``; the parser compares each with all before it."""
    for piece in html.split(">"):
        if len(piece) > 2 * limit and (start := piece.find("<")) >= 0:
            tag = piece[start:]
            if sum(tag.count(mark) for mark in " /\n\t\f\r") > limit:
                return True
    return False


def _depth(html: str, limit: int) -> int:
    open_tags: list[str] = []
    places: dict[str, list[int]] = {}
    formatting: dict[str, list[str]] = {}
    copies: dict[str, int] = {}
    formatted = 0
    deepest = 0
    position = 0
    scripts = True
    while match := _TAG.search(html, position):
        position = match.end()
        if match[1]:
            ends = [at for at in (html.find("-->", position - 2), html.find("--!>", position)) if at >= 0]
            if not ends:
                break
            position = min(ends) + 3
            continue
        name, rest = match[3].lower(), match[4]
        if name in _VOID or name in _IMPLIED:
            continue
        if name in _FORMATTING:
            if not match[2]:
                tag = name + rest
                formatting.setdefault(name, []).append(tag)
                copies[tag] = copies.get(tag, 0) + 1
                formatted += copies[tag] <= 3
            elif formatting.get(name):
                tag = formatting[name].pop()
                formatted -= copies[tag] <= 3
                copies[tag] -= 1
        elif not match[2]:
            if (foreign := _foreign(places)) >= 0:
                if name in _BREAKOUT:
                    _close(open_tags, places, foreign)
                elif rest.endswith("/"):
                    continue
            if name == "script" and scripts and not places.get("svg") and not places.get("math"):
                end = _SCRIPT_END.search(html, position)
                scripts = end is not None
                position = end.start() if end else position
            places.setdefault(name, []).append(len(open_tags))
            open_tags.append(name)
        elif places.get(name) and _reaches(places, name):
            _close(open_tags, places, places[name][-1])
        deepest = max(deepest, len(open_tags) + formatted)
        if deepest > limit:
            break
    return deepest


def _reaches(places: dict[str, list[int]], name: str) -> bool:
    """Whether an end tag finds its element before it meets a barrier."""
    at = places[name][-1]
    return all(not places.get(barrier) or places[barrier][-1] <= at for barrier in _BARRIERS)


def _close(open_tags: list[str], places: dict[str, list[int]], cut: int) -> None:
    while len(open_tags) > cut:
        places[open_tags.pop()].pop()


def _foreign(places: dict[str, list[int]]) -> int:
    """The place of the svg or math that the scan is in, or -1 if it is in HTML."""
    at = max((places[name][-1] for name in ("svg", "math") if places.get(name)), default=-1)
    inside = max((places[name][-1] for name in _HTML_INSIDE if places.get(name)), default=-1)
    return at if at > inside else -1
