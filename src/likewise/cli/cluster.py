"""``likewise cluster``: a few lines over :func:`likewise.cluster`."""

from pathlib import Path
from typing import Annotated

import typer

from likewise.cli.flags import flags
from likewise.cli.output import Force, Json, Output, Quiet, check_output, give_table, say
from likewise.read.tables import TableOptions
from likewise.records.options import ClusterOptions
from likewise.said import counted


@flags(options=ClusterOptions, read=TableOptions)
def cluster(
    pairs: Annotated[Path, typer.Argument(help="Table of pairs: two ids, and how sure each pair is.")],
    *,
    options: ClusterOptions,
    read: TableOptions,
    ids: Annotated[Path | None, typer.Option(help="File of all ids, including those in no pair.")] = None,
    output: Output = None,
    as_json: Json = False,
    force: Force = False,
    quiet: Quiet = False,
) -> None:
    """Make clusters of PAIRS that were made elsewhere.

    The columns of ids are left and right, or unique_id_l and unique_id_r as splink writes them, or those you name.
    The table has the columns id, cluster, size.

    Examples:

      likewise cluster predictions.parquet --min-score 0.95 -o clusters.csv

      likewise cluster judged.csv --left a --right b --linkage complete
    """
    from likewise.jobs.cluster import cluster as find

    check_output(output, sources=[pairs, ids], force=force, quiet=quiet)
    result = find(pairs, ids=ids, options=options, read=read)
    say([f"{counted(result.table.num_rows, 'record')}, {counted(len(result), 'cluster')}"], quiet)
    give_table(result.table, output, {"records": result.table.num_rows, "clusters": len(result)}, as_json)
