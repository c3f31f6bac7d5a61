"""How messages put things."""


def counted(number: int, one: str, several: str | None = None) -> str:
    """Return a number with its noun.

    >>> counted(1, "row"), counted(2000, "row"), counted(0, "copy", "copies")
    ('1 row', '2,000 rows', '0 copies')
    """
    return f"{number:,} {one if number == 1 else several or f'{one}s'}"
