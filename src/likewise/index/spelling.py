"""Typing errors: a word that no text of the index has is read as the most similar word that some text has.

Spectra forgive typing errors by themselves, since parts of words match. Measures that count whole words do not: there
the words of the index are themselves an index, searched by spectra, and the query is read with what it finds. A hit's
``reading`` says what was read.
"""

from likewise import join
from likewise.measure import Spectra

# Words less similar than this are not looked at; of the others the fewest slips of the fingers decide.
_LEAST_ALIKE = 0.3
_LOOKED_AT = 30
_LONGEST = 40
_REMEMBERED = 10_000
# In the large vocabulary of texts a word of a single one is more often an error than what somebody meant. In a list of
# names or words nearly all are such words.
_LARGE, _FEW = 20_000, 0.25
_SHORT, _LONG_WORD = 4, 13  # letters


class Speller:
    """The words of an index, found by what they look like."""

    def __init__(self, counts: dict[str, int]) -> None:
        """Take the words with the number of texts that have each."""
        several = sum(count > 1 for count in counts.values())
        least = 2 if len(counts) > _LARGE and several >= _FEW * len(counts) else 1
        self.counts = counts
        self.words = [word for word, count in counts.items() if count >= least and len(word) <= _LONGEST]
        self._found: dict[str, tuple[str, ...]] = {}
        self._measure = Spectra(q=(2, 3), padding="single", weights="c")
        self._texts = self._measure.prepare(self.words)
        self._lists = join.prepare(self._measure.scorer(self._texts, self._texts))

    def nearest(self, word: str) -> str | None:
        """Return the word that was probably meant, or ``None`` if none is near enough."""
        near = (other for other in self.alike(word) if slips(word, other) <= most_slips(word) and may_be(word, other))
        return next(near, None)

    def alike(self, word: str) -> tuple[str, ...]:
        """Return the words that a form of this one may be: with one slip more; the nearest first, then the frequent."""
        if word not in self._found:
            if len(self._found) >= _REMEMBERED:
                self._found.clear()
            self._found[word] = self._look_up(word)
        return self._found[word]

    def _look_up(self, word: str) -> tuple[str, ...]:
        if len(word) > _LONGEST:
            return ()
        scorer = self._measure.scorer(self._measure.prepare([word]), self._texts)
        alike = join.top(scorer, _LOOKED_AT, min_score=_LEAST_ALIKE, prepared=self._lists, threads=1)
        others = map(self.words.__getitem__, alike.right)
        near = sorted((slips(word, other), -self.counts[other], other) for other in others)
        return tuple(other for count, _, other in near if count <= most_slips(word) + 1)


def most_slips(word: str) -> int:
    """Return how many slips of the fingers are forgiven in a word: with three, one of a dozen letters is another word.

    >>> [most_slips(word) for word in ("wifi", "operatoins", "formatieren", "internationlaisaton")]
    [1, 2, 2, 3]
    """
    return 1 if len(word) < _LONG_WORD // 2 else 2 if len(word) < _LONG_WORD else 3


def may_be(written: str, meant: str) -> bool:
    """Say whether one word may be the other, mistyped: fingers rarely slip on the first letter, and a short word with
    another letter is another word.

    >>> [may_be(*pair) for pair in (("burn", "turn"), ("wifi", "wiki"), ("wfii", "wifi"), ("lawz", "law"))]
    [False, False, True, True]
    >>> may_be("ehlper", "helper")
    True
    """
    if sorted(written) == sorted(meant):
        return written[0] == meant[0] or written[:2] == meant[1::-1]
    return written[0] == meant[0] and (len(written) > _SHORT or len(written) != len(meant))


def slips(left: str, right: str) -> int:
    """Return how many slips of the fingers lie between two words: a letter more, less, other, or two swapped.

    >>> slips("netwrok", "network"), slips("begin", "began"), slips("law", "lawless")
    (1, 1, 4)
    """
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        before, last, row = row, before, [i]
        for j, b in enumerate(right, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
    return row[-1]
