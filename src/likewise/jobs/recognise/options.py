"""Options of learning to recognise."""

from dataclasses import dataclass

from likewise.options import check_choice, check_integer, option

GOALS = ("accuracy", "f1")


@dataclass(frozen=True, slots=True)
class RecogniseOptions:
    """How a recogniser is learned; the search itself is small and fixed, so that it cannot be tuned to a test set."""

    goal: str = option("accuracy", "What to maximise on the training pairs.", choices=GOALS)
    folds: int = option(5, "Number of folds for cross-validation.")
    repeats: int = option(3, "How many times cross-validation is repeated, each time with other folds.")
    combine: bool = option(True, "Also try combinations of two measures.")
    stem: str = option("porter", "Stemmer, as for all measures; 'none' for none.")
    seed: int = option(0, "Random seed of the folds: the same pairs and seed give the same model.")

    def __post_init__(self) -> None:
        check_choice("goal", self.goal, GOALS)
        check_integer("folds", self.folds, 2, 50)
        check_integer("repeats", self.repeats, 1, 100)
        check_integer("seed", self.seed, 0)
