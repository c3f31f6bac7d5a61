"""Options of match and dedupe: the only place of their defaults and help."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from likewise.analyse.cleaning import cleaner
from likewise.errors import OptionError
from likewise.languages import language as find_language
from likewise.options import (
    check_choice,
    check_integer,
    check_min_score,
    check_range,
    check_share,
    check_threads,
    option,
)
from likewise.read.encoding import check_encoding
from likewise.read.formats import TABLE_FORMATS
from likewise.read.options import TableOptions
from likewise.records.partners import Relation

AUTO = "auto"
TWO_TABLES = "one_to_one needs two tables; for one table use dedupe"
"""What is said where an assignment is asked for within one table."""
COMPLETE, COMPONENTS = "complete", "components"
LINKAGES = (COMPLETE, COMPONENTS)
FREQUENT, LONGEST, NEWEST = "frequent", "longest", "newest"
SURVIVORS = (FREQUENT, LONGEST, NEWEST)
KIND_NAMES = (
    "name",
    "text",
    "number",
    "money",
    "date",
    "code",
    "email",
    "phone",
    "postcode",
    "category",
    "boolean",
    "coordinates",
)
"""Kinds of fields by name, for those who only want to show them; :mod:`.kinds` knows what they are."""
RELATIONS = tuple(map(str, Relation))
_OF_A_SIDE = ("sheet", "encoding", "format", "delimiter")  # what may differ between two files
On = str | Sequence[str] | Mapping[str, float] | None


@dataclass(frozen=True, slots=True)
class RecordOptions:
    """Which columns are compared, which one holds the ids, and from which score on two records are the same."""

    on: str | Sequence[str] | Mapping[str, float] | None = option(
        None,
        "Column to compare; may be repeated, with weights as in name=3 (default: all columns; a decision "
        "compares each as a field, a raw list all as one text).",
        cli_type=list[str] | None,
    )
    id: str | None = option(None, "Column of ids (default: the index of a pandas object, or positions from 0).")
    equal_on: str | Sequence[str] | None = option(
        None, "Column in which two records must agree exactly; may be repeated.", cli_type=list[str] | None
    )
    min_score: float | Literal["auto"] | None = option(
        None, "Minimum score of a match; with auto, or if omitted, a model decides.", cli_type=str
    )
    precision: float | None = option(None, "Target precision of the decision (default: best expected F1).")
    kinds: str | Sequence[str] | Mapping[str, str] | None = option(
        None,
        f"Kind of a field, as field=kind ({', '.join(KIND_NAMES)}; default: detected).",
        cli_type=list[str] | None,
    )
    clean: str | Sequence[str] | Mapping[str, str] | Callable[[str], str] | None = option(
        None,
        "Clean texts before they are compared: accents, companies (removes legal forms), or a file of abbreviations "
        "(short form, tab, long form); may be repeated. In Python also a function of a text.",
        cli_type=list[str] | None,
    )
    language: str | None = option(
        None, "Language of the texts, such as german or de: leave out its stop words and compare stems."
    )
    threads: int | None = option(None, "Number of threads (default: all cores).")

    def __post_init__(self) -> None:
        parse_on("on", self.on)
        if self.language is not None:
            find_language(self.language)
        if self.clean is not None:
            cleaner(self.clean)
        names("equal_on", self.equal_on)
        parse_kinds(self.kinds)
        object.__setattr__(self, "min_score", _number(self.min_score))
        check_min_score(self.min_score, auto=True)
        if self.precision is not None:
            check_share("precision", self.precision)
            if self.min_score is not None:
                raise OptionError(
                    "min_score and precision exclude each other: give a minimum score, or let one be suggested"
                )
        check_threads(self.threads)
        _check_column("id", self.id)

    @property
    def on_sides(self) -> tuple[dict[str, float], dict[str, float]]:
        """The columns of the left and of the right side that are named to be compared, with their weights."""
        on = parse_on("on", self.on)
        return on, on


@dataclass(frozen=True, slots=True)
class MatchOptions(RecordOptions):
    """Which pairs match gives, and how the two tables differ."""

    left_on: str | Sequence[str] | Mapping[str, float] | None = option(
        None, "Column of the left table, if the names differ.", cli_type=list[str] | None
    )
    right_on: str | Sequence[str] | Mapping[str, float] | None = option(
        None, "Column of the right table.", cli_type=list[str] | None
    )
    left_id: str | None = option(None, "Column of ids of the left table.")
    right_id: str | None = option(None, "Column of ids of the right table.")
    left_sheet: str | None = option(None, "Sheet of the left workbook, if the two differ.")
    right_sheet: str | None = option(None, "Sheet of the right workbook.")
    left_encoding: str | None = option(None, "Encoding of the left table, if the two differ.")
    right_encoding: str | None = option(None, "Encoding of the right table.")
    left_format: str | None = option(None, "Format of the left table, if the two differ.", choices=TABLE_FORMATS)
    right_format: str | None = option(None, "Format of the right table.", choices=TABLE_FORMATS)
    left_delimiter: str | None = option(None, "Delimiter of the left table, if the two differ.")
    right_delimiter: str | None = option(None, "Delimiter of the right table.")
    all: bool = option(False, "Return the best partners of each left record, without deciding which match.")
    top: int | None = option(None, "Return this many best partners of each left record, without deciding which match.")
    all_pairs: bool = option(
        False, "Return every pair that reaches the minimum score; within one table, each pair once."
    )
    one_to_one: bool = option(False, "Use each record at most once, so that the sum of scores is highest.")
    reciprocal: bool = option(False, "Keep only pairs that are best for both sides.")
    exclude_equal: bool = option(False, "Leave out pairs of equal texts.")
    relation: str | None = option(
        None,
        "Partners that a record may have: 1:1, 1:m (a left record several), m:1, m:m (default: seen in the data).",
        choices=RELATIONS,
    )
    explain: bool = option(False, "Add a column that says which parts of the texts matched.")

    def __post_init__(self) -> None:
        RecordOptions.__post_init__(self)
        left, right = parse_on("left_on", self.left_on), parse_on("right_on", self.right_on)
        if self.on is not None and (left or right):
            raise OptionError("on and left_on/right_on exclude each other: name the columns once")
        if left and right and len(left) != len(right):
            raise OptionError(f"left_on names {len(left)} columns, right_on {len(right)}: they go in pairs")
        _check_column("left_id", self.left_id)
        _check_column("right_id", self.right_id)
        for encoding in (self.left_encoding, self.right_encoding):
            if encoding is not None:
                check_encoding(encoding)
        for name in ("left_format", "right_format"):
            if getattr(self, name) is not None:
                check_choice(name, getattr(self, name), TABLE_FORMATS)
        if self.top is not None:
            check_integer("top", self.top, 1)
        modes = [name for name in ("all_pairs", "one_to_one", "reciprocal") if getattr(self, name)]
        if len(modes) > 1:
            raise OptionError(f"{' and '.join(modes)} exclude each other")
        if modes and self.top is not None:
            raise OptionError(f"{modes[0]} and top={self.top} exclude each other: top counts partners of a left record")

        if self.relation is not None:
            check_choice("relation", self.relation, RELATIONS)
            if not self.decides or self.one_to_one:
                raise OptionError(
                    "relation is for a decision: it goes neither with a list of pairs (all, top, all_pairs, min_score, "
                    "reciprocal, exclude_equal) nor with one_to_one"
                )

    def read_side(self, side: Literal["left", "right"], read: TableOptions) -> TableOptions:
        """Return how one of the two tables is read: as both, but for what is said of it alone."""
        own = {name: getattr(self, f"{side}_{name}") for name in _OF_A_SIDE}
        return replace(read, **{name: value for name, value in own.items() if value})

    def check_one_table(self) -> None:
        """Raise :class:`OptionError` if what is asked for needs a right table, for where there is none."""
        for name in ("on", "id", *_OF_A_SIDE):
            if getattr(self, f"right_{name}") is not None:
                raise OptionError(f"right_{name} needs a right table")
        if self.one_to_one and not self.decides:
            raise OptionError(TWO_TABLES)

    @property
    def on_sides(self) -> tuple[dict[str, float], dict[str, float]]:
        """The columns of the left and of the right side that are named to be compared, with their weights."""
        if self.left_on is None:
            on = parse_on("on", self.on)
            return on, on
        return parse_on("left_on", self.left_on), parse_on("right_on", self.right_on)

    @property
    def decided_relation(self) -> Relation | None:
        """The relation that was asked for."""
        return Relation(self.relation) if self.relation else Relation.ONE if self.one_to_one else None

    @property
    def decides(self) -> bool:
        """Whether it is decided which pairs match; otherwise the best, or all from a score on, are listed."""
        listed = self.all or self.top is not None or self.all_pairs or self.reciprocal or self.exclude_equal
        return not listed and (self.min_score is None or self.min_score == AUTO)


@dataclass(frozen=True, slots=True)
class DedupeOptions(RecordOptions):
    """When two records are the same, and how groups are made of pairs."""

    linkage: str | None = option(
        None,
        "complete: all pairs of a cluster match, no chains; components: chains are followed (default: complete if a "
        "score decides; if a model does, the evidence of all pairs between two groups).",
        choices=LINKAGES,
    )
    margin: float = option(0.05, "Pairs this close to the threshold are doubtful and listed for review.")
    survivor: str | Sequence[str] | Mapping[str, str] | None = option(
        None,
        "Which value a merged record gets: frequent, longest or newest; for one field as field=rule (default: "
        "frequent).",
        cli_type=list[str] | None,
    )
    newest_by: str | None = option(None, "Column that says how new a record is, for the survivor newest.")

    def __post_init__(self) -> None:
        RecordOptions.__post_init__(self)
        if self.linkage is not None:
            check_choice("linkage", self.linkage, LINKAGES)
        check_range("margin", self.margin, 0)
        parse_survivors(self.survivor)


@dataclass(frozen=True, slots=True)
class ClusterOptions:
    """How pairs that were made elsewhere are read and clustered."""

    left: str | None = option(None, "Column of the first id (default: left, unique_id_l, id_l, id1 or left_id).")
    right: str | None = option(None, "Column of the second id (default: right, unique_id_r, id_r, id2 or right_id).")
    score: str | None = option(
        None, "Column that says how sure a pair is (default: probability, match_probability, score, ...)."
    )
    min_score: float | None = option(None, "Minimum score of a pair (default: all pairs count).")
    linkage: str = option(
        COMPONENTS,
        "components: chains are followed; complete: every two records of a cluster are a pair.",
        choices=LINKAGES,
    )

    def __post_init__(self) -> None:
        check_choice("linkage", self.linkage, LINKAGES)
        if (self.left is None) != (self.right is None):
            raise OptionError("left and right are named together: the columns of both ids")
        if self.min_score is not None:
            check_min_score(self.min_score)


def _number(value: Any) -> Any:
    """Return a score that was written on the command line as a number."""
    if not isinstance(value, str) or value == AUTO:
        return value
    try:
        return float(value)
    except ValueError:
        return value


def _check_column(argument: str, value: Any) -> None:
    if value is not None:
        _columns(argument, [value])


def _columns(argument: str, value: Any) -> list[str]:
    """Return the names of columns, of one or several."""
    if not isinstance(value, str | Iterable):
        value = [value]
    found = [value] if isinstance(value, str) else list(value)
    for name in found:
        if not isinstance(name, str):
            raise OptionError(f"{argument} must name a column, not {name!r}")
    return found


def parse_on(argument: str, value: On) -> dict[str, float]:
    """Return columns and their weights.

    >>> parse_on("on", ["name=3", "city"])
    {'name': 3.0, 'city': 1.0}
    """
    if value is None:
        return {}
    if isinstance(value, Mapping):
        found = {str(name): weight for name, weight in value.items()}
    else:
        items = _columns(argument, value)
        found = {}
        for item in items:
            name, weight = _weighted(item) if len(items) > 1 or "=" in item else (item, 1.0)
            if name in found:
                raise OptionError(f"{argument} names column {name!r} twice")
            found[name] = weight
    for name, weight in found.items():
        number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not number or not math.isfinite(weight) or weight <= 0:
            raise OptionError(f"{argument}: the weight of {name!r} must be a finite number above 0, not {weight!r}")
    return {name: float(weight) for name, weight in found.items()}


def _weighted(item: str) -> tuple[str, float]:
    name, equals, weight = item.rpartition("=")
    try:
        return (name, float(weight)) if equals else (item, 1.0)
    except ValueError:
        return item, 1.0  # a column whose name has an equals sign in it


def names(argument: str, value: str | Sequence[str] | None) -> list[str]:
    """Return column names, given as one or several."""
    found = [] if value is None else _columns(argument, value)
    if len(set(found)) < len(found):
        raise OptionError(f"{argument} names a column twice: {found}")
    return found


def parse_kinds(value: str | Sequence[str] | Mapping[str, str] | None) -> dict[str, str]:
    """Return the kinds of fields that the user named.

    >>> parse_kinds(["born=date", "phone=phone"])
    {'born': 'date', 'phone': 'phone'}
    """
    if value is None:
        return {}
    if isinstance(value, Mapping):
        found = dict(value)
    else:
        items = [value] if isinstance(value, str) else list(value)
        found = {name: kind for name, _, kind in (item.rpartition("=") for item in items)}
    for name, kind in found.items():
        if not name:
            raise OptionError(f"kinds are given as field=kind, not {kind!r}")
        check_choice(f"the kind of {name}", kind, KIND_NAMES)
    return found


def parse_survivors(value: str | Sequence[str] | Mapping[str, str] | None) -> dict[str, str]:
    """Return the rule of each field's value in a merged record; ``*`` is that of the others.

    >>> parse_survivors(["longest", "phone=newest"])
    {'*': 'longest', 'phone': 'newest'}
    """
    if value is None:
        return {"*": FREQUENT}
    if isinstance(value, Mapping):
        found = dict(value)
    else:
        items = [value] if isinstance(value, str) else list(value)
        found = {name or "*": rule for name, _, rule in (item.rpartition("=") for item in items)}
    for name, rule in found.items():
        check_choice("survivor" if name == "*" else f"the survivor of {name}", rule, SURVIVORS)
    return found
