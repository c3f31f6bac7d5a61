"""Labels that are given."""

from likewise.records.labels import asked_for


def test_labels_that_are_empty_are_none():
    assert asked_for([]) is None
    assert asked_for(None) is None
    assert asked_for([("a", "b", True)]) == [("a", "b", True)]
