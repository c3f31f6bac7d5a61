"""What people decided about the pairs of a match."""

import time
from collections.abc import Iterable

from likewise.serve.database import Database


def decisions_of(database: Database, job: str) -> dict[tuple[str, str], str]:
    """Return what was decided about the pairs of a job."""
    rows = database.rows("SELECT left_id, right_id, decision FROM decisions WHERE job = ?", job)
    return {(row["left_id"], row["right_id"]): row["decision"] for row in rows}


def decide(database: Database, job: str, left: str, right: str, decision: str | None) -> None:
    """Keep a decision about a pair, or take it back; when this returns it is on disk."""
    if decision is not None:
        decide_all(database, job, [(left, right, decision)])
        return
    with database.transaction() as connection:
        connection.execute("DELETE FROM decisions WHERE job = ? AND left_id = ? AND right_id = ?", (job, left, right))


def decide_all(database: Database, job: str, decisions: Iterable[tuple[str, str, str]]) -> None:
    """Keep decisions about pairs: left, right, what was said; when this returns they are on disk."""
    with database.transaction() as connection:
        for left, right, decision in decisions:
            connection.execute(
                "INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?, ?)", (job, left, right, decision, time.time())
            )
