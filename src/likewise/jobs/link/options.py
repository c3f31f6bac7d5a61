"""Options of linking: what a list of pairs is made of, and what is done with the lists."""

from dataclasses import dataclass, replace
from typing import Any

from likewise.analyse import AnalyseOptions
from likewise.analyse.words import spoken
from likewise.errors import OptionError
from likewise.languages import Language, language
from likewise.options import check_choice, check_integer, check_range, option
from likewise.read import ROLES

SCOPES = ("paragraph", "sentence")
MEASURES = ("tfidf", "idf", "tf", "matches")
PAIRS = ("all", "within", "across")
SHOWN = ("mark", "drop", "keep")
ORDERS = ("standout", "list")
UNITS = ("paragraph", "document")
TITLES = ("with", "alone", "without")

# Salton and Buckley (1990) kept 2,400 pairs for 1,137 paragraphs.
PAIRS_PER_PARAGRAPH = 2400 / 1137


@dataclass(frozen=True, slots=True)
class ListOptions:
    """One ranked list of pairs: what is paired, by which terms, scored how, and how much of it is kept."""

    scope: str = option("paragraph", "What the pairs are made of.", choices=SCOPES)
    measure: str = option(
        "tfidf", "Score: the cosine of tf·idf or idf weights, tf, or the number of matches.", choices=MEASURES
    )
    best_terms: int | None = option(None, "Index by this many of the paragraph's best tf·idf terms only.")
    phrases: bool = option(False, "Also index pairs of adjacent terms.")
    across_dropped: bool = option(False, "Terms with only dropped stop words between them count as adjacent.")
    min_matches: int | str | None = option(
        None,
        "Keep pairs with this many matches, ranked by them; auto: the smallest number that leaves at most N pairs.",
    )
    nearest: int | None = option(None, "Keep only this many of each passage's nearest neighbours that stand out.")
    within: str | None = option(None, "Only sentences from the paragraph pairs of this list.")
    min_score: float | None = option(None, "Minimum score of pairs, instead of keeping the N best.")

    def __post_init__(self) -> None:
        check_choice("scope", self.scope, SCOPES)
        check_choice("measure", self.measure, MEASURES)
        for name in ("best_terms", "nearest"):
            if getattr(self, name) is not None:
                check_integer(name, getattr(self, name), 1)
        if self.nearest is not None and (self.scope, self.measure) != ("paragraph", "tfidf"):
            raise OptionError("nearest needs scope 'paragraph' and measure 'tfidf'")
        if self.min_score is not None:
            check_range("min_score", self.min_score, 0)
        check_min_matches(self.min_matches)
        if self.within is not None and self.scope != "sentence":
            raise OptionError(f"within needs scope 'sentence', not {self.scope!r}")
        if self.min_matches is not None and self.measure != "matches":
            raise OptionError(f"min_matches needs measure 'matches', not {self.measure!r}")
        if self.within is not None and self.measure == "tfidf":
            raise OptionError("within needs measure 'matches' or 'tf'")


@dataclass(frozen=True, slots=True)
class LinkOptions:
    """How passages are linked."""

    preset: str = option(
        "kin",
        "Links: kin (what each passage chooses), or lists of Salton and Buckley, joined by + | - (and, or, not); a "
        "list of your own as paragraph(...) or sentence(measure=matches,phrases=true,min_matches=4).",
    )
    each: int | None = option(None, "Number of links that each passage chooses (default: 5).")
    most_links: int | None = option(
        12, "Maximum number of links of a passage, including those chosen by other passages."
    )
    min_strength: float | None = option(
        None,
        "Minimum strength of a link: how close two passages and their sections are, and how much they share (default: "
        "1.65; less among fewer than a hundred passages).",
    )
    roles: tuple[str, ...] = option(
        ("body", "body-glossary"),
        "Roles of passages to link: body, caption, exercise, …; two as body-glossary; all; may be repeated.",
        cli_type=list[str],
    )
    n: int | None = option(None, "Number of pairs kept in a list, N (default: 2.1 per paragraph).")
    min_score: float | None = option(None, "Minimum cosine of paragraph pairs, instead of keeping the N best.")
    min_matches: int | None = option(
        None, "Minimum number of matches of a sentence pair, instead of the preset's rule."
    )
    least_matches: int = option(5, "Lower limit for the number of matches that a preset may choose.")
    pairs: str = option(
        "all", "Pair passages of all documents, within one document, or across documents.", choices=PAIRS
    )
    books: tuple[str, ...] = option(
        (),
        "Links between books named as name=path: within each, across them, or two as name-name (default: all); may be "
        "repeated.",
        cli_type=list[str],
    )
    unit: str = option("paragraph", "What is linked: paragraphs, or whole documents (entries, rows).", choices=UNITS)
    titles: str = option("with", "A title counts with the paragraph below it, alone, or not at all.", choices=TITLES)
    title_weight: int = option(2, "How often the words of a title count in the paragraph below it.")
    order: str = option(
        "standout",
        "Order of links by cosine: as the list has them, or by how far a pair stands out among its nearest passages.",
        choices=ORDERS,
    )
    faithful: bool = option(
        False,
        "Do exactly what Salton and Buckley (1990) did, without special treatment of titles, copies and boilerplate.",
    )
    min_terms: int = option(5, "Passages with fewer distinct index terms are not linked.")
    copies: str = option("mark", "Near-identical passages: mark as copies, drop, or keep as links.", choices=SHOWN)
    boilerplate: bool = option(True, "Ignore boilerplate: sentences that recur throughout the text.")
    neighbours: str = option("mark", "Links between neighbouring passages: mark, drop, or keep.", choices=SHOWN)
    language: str | None = option(
        None,
        "Language of the texts, such as german or de: its stop words, stems and sentence ends (default: detected).",
    )
    stop: str | tuple[str, ...] | None = option(
        "language",
        "Stop words to leave out: those of the language, of another one, smart (the D of vitamin D, too), or none.",
        cli_type=str | None,
    )
    stem: str | None = option(
        "language", "Stemmer: that of the language, of another one, or porter; none for whole words."
    )
    index_terms: int | None = option(
        None,
        "Number of terms in the subject index, besides those that a glossary explains (default: one for each 150 words "
        "that are no stop words); 0: none.",
    )
    index_places: int = option(5, "Maximum number of passages that the subject index names for a term.")
    threads: int | None = option(None, "Number of threads (default: all cores).")

    def __post_init__(self) -> None:
        if self.index_terms is not None:
            check_integer("index_terms", self.index_terms, 0)
        check_integer("index_places", self.index_places, 1)
        if self.n is not None:
            check_integer("n", self.n, 1)
        if self.min_score is not None:
            check_range("min_score", self.min_score, 0)
        check_min_matches(self.min_matches)
        check_choice("pairs", self.pairs, PAIRS)
        check_choice("unit", self.unit, UNITS)
        check_choice("titles", self.titles, TITLES)
        check_choice("copies", self.copies, SHOWN)
        check_choice("neighbours", self.neighbours, SHOWN)
        check_choice("order", self.order, ORDERS)
        check_integer("least_matches", self.least_matches, 1)
        check_integer("title_weight", self.title_weight, 1)
        check_integer("min_terms", self.min_terms, 0)
        if self.threads is not None:
            check_integer("threads", self.threads, 1)
        for name in ("stop", "stem"):
            if getattr(self, name) == "none":
                object.__setattr__(self, name, None)
        self.analysis  # noqa: B018 - refuses what is unknown
        if self.min_strength is not None:
            check_range("min_strength", self.min_strength)
        for name in ("each", "most_links"):
            if getattr(self, name) is not None:
                check_integer(name, getattr(self, name), 1)
        object.__setattr__(self, "books", tuple(self.books))
        object.__setattr__(self, "roles", tuple(self.roles))
        for entry in self.roles:
            for role in entry.split("-", 1):
                check_choice("roles", role, (*ROLES, "all"))

    @property
    def spoken(self) -> Language:
        """The language of the texts; English, if nobody said."""
        return language(self.language or "english")

    @property
    def analysis(self) -> AnalyseOptions:
        """How the texts become terms."""
        stop, stem = spoken(self.spoken)
        return AnalyseOptions(
            accents="keep" if self.faithful else "fold",
            stop=stop if self.stop == "language" else self.stop,
            stem=stem if self.stem == "language" else self.stem,
        )


# What Salton and Buckley (1990) had: every block and every paragraph, nothing recognised and left out.
_PUBLISHED: dict[str, Any] = {
    "preset": "21+31sd",
    "roles": ("all",),
    "min_terms": 0,
    "title_weight": 1,
    "order": "list",
    "copies": "keep",
    "boilerplate": False,
    "neighbours": "keep",
    "least_matches": 1,
    "language": "english",
    "stop": "smart",
}


def as_published(options: LinkOptions) -> LinkOptions:
    """Return the options without anything that Salton and Buckley (1990) do not have; what was chosen stays."""
    default = LinkOptions()
    changes = {name: value for name, value in _PUBLISHED.items() if getattr(options, name) == getattr(default, name)}
    return replace(options, **changes)


def check_min_matches(value: int | str | None) -> None:
    """Raise :class:`OptionError` unless ``value`` is None, ``"auto"`` or a whole number from 1."""
    if value is not None and value != "auto":
        check_integer("min_matches", value, 1)
