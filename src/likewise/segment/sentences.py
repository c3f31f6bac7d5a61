"""Sentences with exact spans: sentencex finds the ends, a few joins put right what it is known to break."""

import re
from collections.abc import Iterator

from likewise.read.document import Span

# After these a sentence never ends, though sentencex thinks so before a capital or a number.
_OPEN_END = re.compile(
    r"(?:^|[\s(\[])(?:vs|approx|ca|cf|viz|e\.g|i\.e|resp|incl|eqs?|figs?|secs?|chaps?|nos?)\.$", re.I
)
# The number of a list item or section is no sentence of its own.
_NUMBER = re.compile(r"[(\[]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)\]]{1,2}$")
# Characters that sentencex sees at once: of quotation marks or full stops alone it takes the square of their number.
_WINDOW = 10_000


def sentences(text: str, language: str = "en") -> list[Span]:
    """Return the spans of the sentences of ``text``, white space at their edges left out.

    >>> text = "See Fig. 3.2 by Dr. J. R. Jones vs. No. 7. It costs $3.50."
    >>> [span.of(text) for span in sentences(text)]
    ['See Fig. 3.2 by Dr. J. R. Jones vs. No. 7.', 'It costs $3.50.']
    """
    spans: list[Span] = []
    joining: int | None = None
    last = at = 0
    for piece, goes_on in _pieces(text, language):
        start, at = at, at + len(piece)
        stripped = piece.strip()
        if not stripped:
            # An empty line: what is open ends here.
            if joining is not None and "\n" in piece:
                spans.append(Span(joining, last))
                joining = None
            continue
        start += len(piece) - len(piece.lstrip())
        first = start if joining is None else joining
        last = start + len(stripped)
        numbered = len(stripped) <= 8 and joining is None and _NUMBER.match(stripped)
        if goes_on or numbered or _OPEN_END.search(stripped[-12:]):
            joining = first
            continue
        spans.append(Span(first, last))
        joining = None
    if joining is not None:
        spans.append(Span(joining, last))
    return spans


def _pieces(text: str, language: str) -> Iterator[tuple[str, bool]]:
    """What sentencex cuts a text into, and whether a piece goes on in the next.

    The last piece of a window begins the next one. If that is half of the window, it goes on instead.
    """
    from sentencex import segment

    at = 0
    while len(text) - at > _WINDOW:
        *found, last = segment(language, text[at : at + _WINDOW])
        yield from ((piece, False) for piece in found)
        at += _WINDOW - len(last)
        if 2 * len(last) >= _WINDOW:
            end = max(map(last.rfind, " \n")) + 1 or len(last)
            yield last[:end], True
            at += end
    yield from ((piece, False) for piece in segment(language, text[at:]))
