"""Yes and no as tables write them: the one list of words for labels, gold and predictions."""

_YES = frozenset(("1.0", "yes", "y", "true", "t", "match", "same", "entailment", "paraphrase"))
_NO = frozenset(
    ("0.0", "no", "n", "false", "f", "non-match", "different", "not_entailment", "unknown", "contradiction", "-1")
)
KNOWN = "1 or 0, yes or no, true or false, y or n, t or f, match or non-match, same or different"


def truth(value: object) -> bool | None:
    """Return what a label says, or ``None`` if it is not understood; a grade of 1 or more is a yes.

    >>> truth("Y"), truth(" f "), truth(True), truth("2"), truth("perhaps"), truth(None)
    (True, False, True, True, None, None)
    """
    word = str(value).strip().lower()
    if word.isdecimal():
        return any(map(int, word))  # a number of thousands of digits is none for int
    return True if word in _YES else False if word in _NO else None
