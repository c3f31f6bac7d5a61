"""The published tables of Jimenez and Gelbukh (2012), computed again from the original files.

``published`` holds every figure as a row, ``grid`` computes the 55 spectra of a data set with shared work,
``baselines`` runs the other measures beside, ``run`` puts published and own figures side by side;
:func:`reproduce` does it all.
"""

from likewise.evaluate.reproduce.run import Reproduction, reproduce

__all__ = ["Reproduction", "reproduce"]
