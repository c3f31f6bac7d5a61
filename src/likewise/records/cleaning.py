"""Clean the compared columns of records; everything else stays as it was."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from likewise.analyse.cleaning import cleaner
from likewise.read.tables import Records, texts_of
from likewise.records.columns import choose_columns
from likewise.records.options import On, RecordOptions, names, parse_on
from likewise.said import counted

_PLACEHOLDERS = frozenset(
    """private|unknown|anonymous|withheld|none|null|nil|nan|nat|n/a|test|missing|undefined|tbd|unbekannt|
    keine angabe|k.a.|k. a.|inconnu|desconocido|sconosciuto|onbekend|not available|not applicable|not known|
    not given|no name|no address|-|--|---|?|???|.|x|xx|xxx""".replace("\n    ", "").split("|")
)
_MARKS = frozenset(("\\n", "\\\\n", "#n/a", "(null)"))  # that stand for nothing else, in a column of any values
_NONE = _PLACEHOLDERS | _MARKS
_OFTEN = 3  # records that have a placeholder, at least
_MANY_VALUES = 0.1  # distinct values for each record: a column of few is of categories, where "private" may be one


def cleaned(records: Records, on: On, settings: RecordOptions) -> Records:
    """Return the records with the compared texts cleaned; numbers and dates stay what they are.

    >>> from likewise.read.tables import read_table
    >>> companies = read_table([{"name": "Apple Inc.", "founded": 1976}])
    >>> cleaned(companies, None, RecordOptions(clean="companies")).table.to_pylist()
    [{'name': 'Apple', 'founded': 1976}]
    """
    import pyarrow as pa

    if settings.clean is None:
        return records
    clean = cleaner(settings.clean)
    known: dict[str | None, str | None] = {None: None}
    table = records.table
    for name in choose_columns(records, list(parse_on("on", on)), names("equal_on", settings.equal_on)):
        kind = table.schema.field(name).type
        kind = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)):
            continue
        values = texts_of(table, name, records.name).to_pylist()
        known.update((text, clean(text)) for text in set(values) - known.keys() if text is not None)
        column = pa.array([known[text] for text in values], pa.string())
        table = table.set_column(table.column_names.index(name), name, column)
    return replace(records, table=table)


def without_placeholders(records: Records, on: On, settings: RecordOptions) -> Records:
    """Return the records with words that stand for no value as nulls where several of many values are such, and a note.

    >>> from likewise.read.tables import read_table
    >>> firms = [{"name": name, "town": "Ghent"} for name in ("Private", "private", "Private", "Acme", "Zenith")]
    >>> found = without_placeholders(read_table(firms), None, RecordOptions())
    >>> found.table["name"].to_pylist(), found.notes
    ([None, None, None, 'Acme', 'Zenith'], ("name: 'Private' is no value (3 records)",))
    """
    columns = choose_columns(records, list(parse_on("on", on)), names("equal_on", settings.equal_on))
    gone: dict[str, frozenset[str]] = {}
    notes = list(records.notes)
    for name in columns if len(columns) > 1 else []:
        every = texts_of(records.table, name, records.name).value_counts()
        values = every.field("values").to_pylist()
        found = [place for place, value in enumerate(values) if stands_for_none(value)]
        counts = {values[place]: every.field("counts")[place].as_py() for place in found}
        counts = placeholders(counts, len(every), len(records))
        if counts:
            gone[name] = frozenset(counts)
            notes.append(placeholder_note(name, counts))
    return replace(without_values(records, gone), notes=tuple(notes)) if gone else records


def without_values(records: Records, gone: Mapping[str, frozenset[str]]) -> Records:
    """Return the records with some values of some columns as nulls."""
    import pyarrow as pa

    table = records.table
    for name, values in gone.items():
        if name in table.column_names:
            texts = texts_of(table, name, records.name).to_pylist()
            column = pa.array([None if text in values else text for text in texts], pa.string())
            table = table.set_column(table.column_names.index(name), name, column)
    return replace(records, table=table)


def stands_for_none(value: str | None) -> bool:
    """Return whether a value is a word that may stand for a missing one, such as "n/a"."""
    return value is not None and len(value) < 20 and value.strip().casefold() in _NONE


def placeholders(counts: Mapping[str, int], distinct: int, records: int) -> dict[str, int]:
    """Return which such words do stand for missing values, in a column with so many ``distinct`` values.

    Marks that a database or a sheet writes always do. Words of which a column has each once are values: codes of
    languages are all of three letters, nan (Min Nan) among them.

    >>> placeholders({"nan": 1, "nil": 1, "tbd": 1}, 90, 90), placeholders({"nan": 2, "tbd": 1}, 90, 90)
    ({}, {'nan': 2, 'tbd': 1})
    """
    words: Counter[str] = Counter()
    for value, count in counts.items():
        words[value.strip().casefold()] += count
    some = words.total() >= _OFTEN and max(words.values()) > 1
    if some and distinct >= _MANY_VALUES * records:
        return dict(counts)
    return {value: count for value, count in counts.items() if value.strip().casefold() in _MARKS}


def placeholder_note(name: str, counts: Mapping[str, int]) -> str:
    """Return what is said about such words; the first of those that most records have is shown."""
    shown = max(counts, key=counts.__getitem__)
    return f"{name}: {shown!r} is no value ({counted(sum(counts.values()), 'record')})"
