"""Records as they are compared: the compared columns cleaned, everything else as it was."""

from dataclasses import replace

from likewise.analyse.cleaning import cleaner
from likewise.read.tables import Records, texts_of
from likewise.records.columns import choose_columns
from likewise.records.options import On, RecordOptions, names, parse_on


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
