"""Sentences with exact spans: sentencex finds the ends, a few joins put right what it is known to break."""

import re

from likewise.read.document import Span

# After these a sentence never ends, though sentencex thinks so before a capital or a number.
_OPEN_END = re.compile(
    r"(?:^|[\s(\[])(?:vs|approx|ca|cf|viz|e\.g|i\.e|resp|incl|eqs?|figs?|secs?|chaps?|nos?)\.$", re.I
)
# The number of a list item or section is no sentence of its own.
_NUMBER = re.compile(r"[(\[]?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)\]]{1,2}$")


def sentences(text: str, language: str = "en") -> list[Span]:
    """Return the spans of the sentences of ``text``, white space at their edges left out.

    >>> text = "See Fig. 3.2 by Dr. J. R. Jones vs. No. 7. It costs $3.50."
    >>> [span.of(text) for span in sentences(text)]
    ['See Fig. 3.2 by Dr. J. R. Jones vs. No. 7.', 'It costs $3.50.']
    """
    from sentencex import segment

    spans: list[Span] = []
    joining: int | None = None
    last = at = 0
    for piece in segment(language, text):
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
        if _OPEN_END.search(stripped[-12:]) or (len(stripped) <= 8 and joining is None and _NUMBER.match(stripped)):
            joining = first
            continue
        spans.append(Span(first, last))
        joining = None
    if joining is not None:
        spans.append(Span(joining, last))
    return spans
