"""Tables drawn with lines, as data base shells print them and Markdown has them: read as if bars parted their cells."""

import re
from collections.abc import Iterator
from itertools import islice

_BARS = "|│┃║"
_BAR = re.compile(rf"(?<!\\)[{_BARS}]")
# A line between rows: dashes, with what they cross.
_RULE = re.compile(r"[-=─━═+:┌┐└┘├┤┬┴┼╭╮╰╯┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬╞╡╪╤╧╟╢╫|│┃║ \t]*[-=─━═]{2}[^\w]*")


def is_drawn(content: str) -> bool:
    """Say whether a text is a table drawn with lines: one of them above the names of the columns, or right below.

    >>> is_drawn("| name | born |\\n|------|-----:|\\n| Ada  | 1815 |\\n"), is_drawn("name|born\\nAda|1815\\n")
    (True, False)
    """
    lines = list(islice(filter(str.strip, content.splitlines()), 3))
    if len(lines) < 3:
        return False
    above = [bool(_RULE.fullmatch(line.strip())) for line in lines]
    names = lines[1] if above[0] else lines[0]
    return above[0] != above[1] and bool(_BAR.search(names)) and (above[1] or above[2])


def undrawn(lines: Iterator[str]) -> Iterator[str]:
    """Yield the lines with one bar between cells and none around them; a line between rows is empty.

    >>> list(undrawn(iter(["+-----+------+", "| Ada | 1815 |"])))
    ['', 'Ada|1815']
    """
    for line in lines:
        text = line.strip()
        if _RULE.fullmatch(text):
            yield ""
            continue
        cells = [cell.strip() for cell in _BAR.split(text)]
        around = len(cells) > 2 and not cells[0] and text[0] in _BARS
        inner = cells[1 : -1 if text[-1] in _BARS else None] if around else cells
        yield "|".join(cell.replace("\\|", "/") for cell in inner)
