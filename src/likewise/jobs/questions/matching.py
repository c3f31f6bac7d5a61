"""Find a word of a question in a fragment, or what may stand for it, and how well it fits."""

import functools
import math
import string

from likewise.analyse.events import stems
from likewise.analyse.folding import fold
from likewise.analyse.question import word_spans, written_words
from likewise.jobs.questions.asked import Group

# What a word of the question is worth to a nugget that has it elsewhere or otherwise.
TITLE, KIND, NAME_LIKE, NAME_FOR_WORD = 0.8, 0.9, 0.5, 0.6

# Where clauses begin and end.
_BEGINS_CLAUSE = frozenset("and but when which who while after before until where that although though as".split())  # noqa: SIM905
_ENDS_CLAUSE = frozenset(',;:()–—"“”')

Found = tuple[float, int | None]
"""How well a fragment has a word, and at which place."""


class Text:
    """The words of a fragment: as written, folded, stemmed."""

    def __init__(self, text: str) -> None:
        self.written = written_words(text)
        self.folded = fold(self.written)
        self.stems = stems(self.folded)
        self._text = text

    @functools.cached_property
    def clauses(self) -> list[int]:
        """The number of the clause that each word is in."""
        clause, found, end = 0, [], 0
        for word, start, after in zip(self.folded, *word_spans(self._text), strict=True):
            clause += word in _BEGINS_CLAUSE or any(mark in _ENDS_CLAUSE for mark in self._text[end:start])
            found.append(clause)
            end = after
        return found


class Matcher:
    """Finds a word of the question, or what may stand for it, in a fragment."""

    def __init__(self, group: Group, ordinals: frozenset[str]) -> None:
        self.group, self.folded, self.stem = group, fold([group.word.text])[0], group.stem
        self.ordinal, self.name = self.folded in ordinals, group.word.name
        self.kinds = group.kinds
        listed = [(stems(written_words(text)), fit) for text, fit in _others(group)]
        self.single = {one[0]: fit for one, fit in reversed(listed) if len(one) == 1}
        self.several = [(one, fit) for one, fit in listed if len(one) > 1]

    def find(self, text: Text, titles: set[str], at: int) -> Found:
        """Return how well the fragment has the word, and where: nearest to ``at`` of the best."""
        best: tuple[float, float, int | None] = (TITLE if self.stem in titles else 0.0, -math.inf, None)
        for place, stem in enumerate(text.stems):
            worth = self._worth(text, place, stem)
            if worth:
                best = max(best, (worth, -abs(place - at), place))
        for several, fit in self.several:
            if fit > best[0] and set(several) <= set(text.stems):
                best = (fit, 0.0, text.stems.index(several[0]))
        return best[0], best[2]

    def _worth(self, text: Text, place: int, stem: str) -> float:
        if stem == self.stem:
            if text.folded[place] == self.folded:
                # Borders is a shop, borders are none.
                return NAME_FOR_WORD if self.name and text.written[place][0].islower() else 1.0
            if self.name:
                return NAME_LIKE  # Titans are not the Titanic
            return NAME_FOR_WORD if place and text.written[place][0].isupper() else 1.0  # nor the States a state
        if self.name and stem.rstrip(string.digits) == self.stem:
            return NAME_LIKE  # Debconf5 is one of the DebConfs
        return KIND if stem in self.kinds else self.single.get(stem, 0.0)


def _others(group: Group) -> list[tuple[str, float]]:
    return list(zip(group.others, group.fits or (TITLE,) * len(group.others), strict=True))
