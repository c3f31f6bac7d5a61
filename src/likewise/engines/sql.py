"""Numbers in SQL, as every engine reads them back to the last bit."""


def double(value: float) -> str:
    """Return a number as SQL that gives it back to the last bit.

    >>> double(0.1)
    "CAST('0.1' AS DOUBLE)"
    """
    return f"CAST('{value!r}' AS DOUBLE)"
