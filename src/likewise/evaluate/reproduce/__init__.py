"""The published tables of the spectra paper, computed again from the original files: ``likewise reproduce DATA``.

:mod:`~.published` holds every figure as a row, :mod:`~.grid` computes the 55 spectra of a data set with shared work,
:mod:`~.tables` puts published and own figures side by side, :mod:`~.baselines` runs the other measures beside;
:func:`reproduce` does it all.
"""

from likewise.evaluate.reproduce.run import Reproduction, reproduce

__all__ = ["Reproduction", "reproduce"]
