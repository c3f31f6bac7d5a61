"""Compare two texts and see why: the smallest job, and the door to every measure."""

from likewise.measure import Explanation, Measure, Spectra, parse


def compare(left: str, right: str, measure: Measure | str | None = None) -> Explanation:
    """Return the score of two texts with the contributions that make it up.

    ``measure`` is a measure, or a specification such as ``"tfidf(weights=tf)"``; the default is :class:`Spectra`, which
    needs nothing but the two texts.

    >>> result = compare("Gonzalo Gonzalez", "Gonzales, Gonzalo")
    >>> round(result.score, 3), [(part.left, part.right) for part in result.contributions[:2]]
    (0.822, [('gonzalo', 'gonzalo'), ('gonzalez', 'gonzales')])
    """
    if measure is None:
        measure = Spectra()
    elif isinstance(measure, str):
        measure = parse(measure)
    return measure.explain(left, right)
