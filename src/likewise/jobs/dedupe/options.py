"""Options of dedupe: the only place of their defaults and help."""

from dataclasses import dataclass

from likewise.errors import OptionError
from likewise.jobs.match.options import ColumnOptions, check_min_score
from likewise.options import check_choice, check_integer, check_range, option

LINKAGES = ("complete", "components")


@dataclass(frozen=True, slots=True)
class DedupeOptions(ColumnOptions):
    """When two records are the same, and how groups are made of pairs."""

    min_score: float | None = option(
        None, "Score from which on two records are the same; suggested from labels or the scores otherwise."
    )
    linkage: str = option(
        "complete",
        "complete: all records of a cluster reach the score pairwise, no chains; components: chains are followed.",
        choices=LINKAGES,
    )
    precision: float | None = option(None, "Wished precision of a threshold from labels; best F1 otherwise.")
    margin: float = option(0.05, "Pairs this close to the threshold are doubtful and listed for review.")
    threads: int | None = option(None, "Number of threads; every core otherwise.")

    def __post_init__(self) -> None:
        ColumnOptions.__post_init__(self)
        check_min_score(self.min_score)
        check_choice("linkage", self.linkage, LINKAGES)
        check_range("margin", self.margin, 0)
        if self.precision is not None:
            check_range("precision", self.precision, 0, 1)
            if self.min_score is not None:
                raise OptionError("min_score and precision exclude each other: the threshold is given or suggested")
        if self.threads is not None:
            check_integer("threads", self.threads, 1)
