"""The measure of a match unless told otherwise."""

from likewise.measure import Spectra


def default_measure() -> Spectra:
    """Return the measure that match uses unless told otherwise, not fitted yet (docs/design/match.md says why).

    Smoothed, so that two short lists that share a word in every text still match.
    """
    return Spectra(q=(2, 4), padding="single", weights="c.idf.qidf", coefficient="harmonic", smooth=True)
