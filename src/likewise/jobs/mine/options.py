"""Options of mining: what is mined, and where it runs."""

import dataclasses
import os
from dataclasses import dataclass
from typing import Any

from likewise.analyse.tagger import TAGGERS
from likewise.engines.options import ENGINES, EngineOptions
from likewise.errors import OptionError
from likewise.options import check_choice, check_integer, check_threads, option

ANCHORS = ("ngram", "entity", "relative")
# The support that suits so many sentences (about 48 MB of articles).
_SUPPORT, _SENTENCES = 5, 250_000
STAGES = ("sentences", "rows", "pairs")


@dataclass(frozen=True, slots=True)
class MineOptions:
    """What counts as a paraphrase: the shape of n-grams, the anchor, the support.

    >>> MineOptions(anchors="clause")
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: anchors must be one of 'ngram', 'entity', 'relative', not 'clause'
    """

    anchors: str = option("ngram", "What must be equal around two phrases.", choices=ANCHORS)
    context: int = option(2, "Tokens on each side of a phrase that must be equal (with the whole Web, 3 is better).")
    min_phrase: int = option(1, "Minimum number of tokens in a phrase (Min_P).")
    max_phrase: int = option(4, "Maximum number of tokens in a phrase (Max_P).")
    support: int | None = option(
        None, "Minimum number of distinct contexts that a pair shares (default: 5, more for large corpora)."
    )
    fold_case: bool = option(False, "Ignore case.")
    max_candidates: int | None = option(None, "Leave out anchors with more phrases than this; counted in the report.")
    samples: int = option(3, "Sample anchors kept for each pair.")
    tagger: str = option(
        "perceptron",
        "Part-of-speech tagger (English); frequency takes the most frequent words for function words, in any language; "
        "none leaves out the checks of sentences that need tags.",
        choices=TAGGERS,
    )
    tagger_from: str | None = option(
        None,
        "For the spacy tagger, its model (package or folder); for own, the module:name of a class with a method tag.",
    )
    any_language: bool = option(False, "Keep documents that do not look English.")
    min_words: int = option(5, "Minimum number of words in a sentence.")
    max_words: int = option(30, "Maximum number of words in a sentence.")

    def __post_init__(self) -> None:
        check_choice("anchors", self.anchors, ANCHORS)
        check_integer("context", self.context, 1, 10)
        check_integer("min_phrase", self.min_phrase, 1, 20)
        check_integer("max_phrase", self.max_phrase, self.min_phrase, 20)
        if self.support is not None:
            check_integer("support", self.support, 1)
        if self.max_candidates is not None:
            check_integer("max_candidates", self.max_candidates, 2)
        check_integer("samples", self.samples, 0, 100)
        check_choice("tagger", self.tagger, TAGGERS)
        if (self.tagger_from is None) if self.tagger == "own" else (self.tagger_from and self.tagger != "spacy"):
            raise OptionError(f"tagger {self.tagger!r} does not go with tagger_from {self.tagger_from!r}")
        check_integer("min_words", self.min_words, 1)
        check_integer("max_words", self.max_words, self.min_words)
        if not self.tagged and self.anchors != "ngram":
            raise OptionError(f"anchors {self.anchors!r} needs part-of-speech tags: tagger must not be {self.tagger!r}")

    @property
    def tagged(self) -> bool:
        """Whether words get tags, which only English ones do."""
        return self.tagger not in ("none", "frequency")

    @property
    def fewest(self) -> int:
        """The support of a run whose text is known, or was given."""
        return _SUPPORT if self.support is None else self.support

    def for_text(self, sentences: int) -> "MineOptions":
        """Return the options with a support for so many sentences, if none was given.

        Chance makes pairs with the square of the text, which is why support grows with its root: so pairs grow about
        as the text does.

        >>> [MineOptions().for_text(count).support for count in (1_000, 250_000, 1_000_000, 4_000_000)]
        [5, 5, 10, 20]
        """
        if self.support is not None:
            return self
        return dataclasses.replace(self, support=max(_SUPPORT, round(_SUPPORT * (sentences / _SENTENCES) ** 0.5)))


@dataclass(frozen=True, slots=True)
class RunOptions(EngineOptions):
    """Where and how a long job runs.

    >>> RunOptions(memory="much")
    Traceback (most recent call last):
    ...
    likewise.errors.OptionError: memory must be a size such as 512MB or 4GB, not 'much'
    """

    engine: Any = option("duckdb", "Where the work runs.", choices=ENGINES, cli_type=str)
    threads: int | None = option(None, "Number of threads on this machine (default: all cores).")
    keep_work: bool = option(False, "Keep the intermediate tables.")
    stop_after: str | None = option(None, "Stop after this stage and keep its table.", choices=STAGES)

    def __post_init__(self) -> None:
        EngineOptions.__post_init__(self)
        check_threads(self.threads)
        if self.stop_after is not None:
            check_choice("stop_after", self.stop_after, STAGES)

    @property
    def thread_count(self) -> int:
        """How many threads to use."""
        return self.threads or os.cpu_count() or 1
