"""First chapter: two texts, a score, and why."""

from likewise.demo import Demo
from likewise.jobs.compare import compare
from likewise.measure import Spectra
from likewise.report.explanation import show

PAIRS = (
    ("LATIN SMALL LETTER E WITH ACUTE", "SMALL LATIN LETTER E, ACUTE"),
    ("database management systems", "data base managment system"),
    ("took effect on 1 July", "came into force in July"),
)


def chapter(demo: Demo) -> None:
    """Compare pairs of texts by the default measure and explain the first."""
    demo.title("Compare: how alike are two texts, and why?")
    demo.say(f"The default measure is {Spectra()}.\nIt needs nothing but the two texts.\n")
    for left, right in PAIRS:
        demo.say(f"  {compare(left, right).score:.3f}  {left}  |  {right}")
    left, right = PAIRS[1]
    demo.say("\nWhat the second score is made of:\n")
    show(compare(left, right), demo.console)
    demo.command(f'likewise compare "{left}" "{right}" --explain')
