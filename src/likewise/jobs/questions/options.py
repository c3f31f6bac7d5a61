"""How a question is answered."""

from dataclasses import dataclass

from likewise.options import check_choice, check_integer, option
from likewise.results.paraphrases import ORDERS


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How a question is widened, and how much of the answer is shown."""

    per_phrase: int = option(4, "Paraphrases to try for each word.")
    by: str = option("probability", "Which paraphrases of a word to try first.", choices=ORDERS)
    kinds: bool = option(True, "Let words for one kind of event (born, birthday) stand for one another.")
    top: int = option(10, "Dates to show.")
    evidence: int = option(3, "Nuggets to show for each date.")

    def __post_init__(self) -> None:
        check_integer("per_phrase", self.per_phrase, 0)
        check_choice("by", self.by, ORDERS)
        check_integer("top", self.top, 1)
        check_integer("evidence", self.evidence, 0)
