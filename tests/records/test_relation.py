"""Members of groups, and copies on one side, told from what is compared."""

import numpy as np

from likewise.records.evidence import Evidence
from likewise.records.relation import members_of


def said(alike, equal=()):
    """Return the evidence of a field without nulls; ``equal`` are places."""
    alike, same = np.array(alike, float), np.zeros(len(alike), bool)
    same[list(equal)] = True
    return Evidence(np.zeros(len(alike), bool), alike, same, np.full(len(alike), 0.01))


def test_neighbours_with_another_name_are_no_matches_where_they_are_many():
    name = said([1.0] * 7 + [0.9, 0.1, 0.0], range(7))
    street = said([0.8] * 9 + [1.0], [9])
    likely = np.ones(10, bool)
    # The pair with an equal street was renamed, maybe; that with a like one is a neighbour.
    assert members_of([name, street], ["name", "text"], likely).tolist() == [False] * 8 + [True, False]
    assert members_of([name, street], ["text", "text"], likely) is None
    assert members_of([name], ["name"], likely) is None
    few = np.concatenate([name.alike, np.ones(10)])
    more = [said(few, [*range(7), *range(10, 20)]), said(np.full(20, 0.8))]
    assert members_of(more, ["name", "text"], np.ones(20, bool)).sum() == 2
    assert members_of([said(np.ones(20), range(20)), more[1]], ["name", "text"], np.ones(20, bool)) is None
