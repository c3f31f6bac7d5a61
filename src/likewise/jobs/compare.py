"""Compare two texts and see why: the smallest job, and the door to every measure."""

from collections.abc import Sequence

from likewise.measure import Explanation, Measure, as_measure
from likewise.verb import verb


@verb()
def compare(
    left: str,
    right: str,
    measure: Measure | str | None = None,
    *,
    collection: Sequence[str] | None = None,
    explain: bool = True,
) -> Explanation:
    """Return the score of two texts with the contributions that make it up.

    ``measure`` is a measure, a specification such as ``"tfidf(weights=tf)"`` or a saved file; the default is
    :class:`Spectra`, which needs nothing but the two texts. A measure that weighs by a collection is fitted to
    ``collection`` and the two texts; one that is fitted already stays as it is unless a collection is given. Without
    any collection the two texts are all it knows: a word that both have is then in every text, and idf gives it no
    weight (unless the measure has ``smooth=true``). Of long texts the contributions cost far more than the score:
    without ``explain`` there are none.

    >>> result = compare("Gonzalo Gonzalez", "Gonzales, Gonzalo")
    >>> round(result.score, 3), [(part.left, part.right) for part in result.contributions[:2]]
    (0.822, [('gonzalo', 'gonzalo'), ('gonzalez', 'gonzales')])
    >>> compare("red fish", "blue fish", "tfidf").score
    0.0
    >>> compare("red fish", "blue fish", "tfidf", collection=["a house", "a tree"]).score > 0
    True
    """
    chosen = as_measure(measure)
    if chosen.adaptive and (collection is not None or not chosen.ready):
        chosen = chosen.copy().fit([*(collection or ()), left, right])
    if not explain:
        return Explanation(chosen.score(left, right), left, right, str(chosen))
    return chosen.explain(left, right)
