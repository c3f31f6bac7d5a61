"""Every option of match, dedupe and link on an engine: the rows of one machine, or its refusal, in the same words."""

import dataclasses
import subprocess
import sys

import pytest
from tests.engines.test_distributed import LEFT
from tests.engines.test_distributed_decisions import A, B, one_table, small_blocks  # noqa: F401 - a fixture

import likewise as lw
from likewise.errors import LikewiseError
from likewise.records.options import DedupeOptions, MatchOptions

PEOPLE = [{"key": f"p{place}", **row} for place, row in enumerate(one_table())]
LEFTS = [{"key": f"l{place}", **row} for place, row in enumerate(A)]
RIGHTS = [{"key": f"r{place}", **row} for place, row in enumerate(B)]
OTHERS = [{"number": row["key"], "person": row["name"], "place": row["town"]} for row in RIGHTS]
TEXTS = [{"key": f"t{place}", "name": text} for place, text in enumerate(LEFT)]
SHORT = {"on": "name", "id": "key"}
JUDGED = [(f"l{place}", f"r{place + 3}", place % 3 == 0) for place in range(24)]

MATCH = {
    # what is compared
    "nothing named": (LEFTS, RIGHTS, {}),
    "on one": (LEFTS, RIGHTS, {"on": "name"}),
    "on all": (LEFTS, RIGHTS, {"on": "*", "id": "key"}),
    "on weighed": (LEFTS, RIGHTS, {"on": {"name": 3, "town": 1}, "id": "key", "top": 2}),
    "left_on, right_on": (
        LEFTS,
        OTHERS,
        {"left_on": ["name", "town"], "right_on": ["person", "place"], "left_id": "key", "right_id": "number"},
    ),
    "left_on alone": (LEFTS, RIGHTS, {"left_on": "name"}),
    "left_on twice": (LEFTS, RIGHTS, {"left_on": ["name", "town"], "right_on": "name"}),
    "right_id of one table": (LEFTS, None, {"right_id": "key", "top": 1}),
    "right_sheet of one table": (LEFTS, None, {"right_sheet": "2", "top": 1}),
    "right_encoding of one table": (LEFTS, None, {"right_encoding": "cp1252", "top": 1}),
    "format and delimiter of what is no file": (
        LEFTS,
        RIGHTS,
        {"left_format": "csv", "right_format": "csv", "left_delimiter": ";", "right_delimiter": ":", "top": 1},
    ),
    "sheet and encoding of what is no file": (LEFTS, RIGHTS, {"left_sheet": "2", "left_encoding": "cp1252", "top": 1}),
    "no such column": (LEFTS, RIGHTS, {"on": "nmae"}),
    "no such id": (LEFTS, RIGHTS, {"on": "name", "id": "no", "top": 1}),
    "ids twice": (LEFTS, RIGHTS, {"on": "name", "id": "town", "top": 1}),
    "equal_on": (LEFTS, RIGHTS, {**SHORT, "equal_on": "member", "top": 3}),
    "equal_on is not there": (LEFTS, RIGHTS, {**SHORT, "equal_on": "club"}),
    "clean": (LEFTS, RIGHTS, {**SHORT, "clean": "accents", "top": 1}),
    "clean by a function": (LEFTS, RIGHTS, {**SHORT, "clean": str.lower, "top": 1}),
    "language": (LEFTS, RIGHTS, {"on": "street", "id": "key", "language": "german", "top": 1}),
    "threads": (LEFTS, RIGHTS, {**SHORT, "threads": 2, "top": 1}),
    "measure": (LEFTS, RIGHTS, {**SHORT, "measure": "edit", "top": 1}),
    "measures": (LEFTS, RIGHTS, {"on": ["name", "town"], "measure": {"name": lw.Spectra()}, "top": 1}),
    "measure of no field": (LEFTS, RIGHTS, {"on": ["name", "town"], "measure": {"nmae": lw.Spectra()}, "top": 1}),
    # what is listed
    "all": (LEFTS, RIGHTS, {**SHORT, "all": True}),
    "all, one table": (TEXTS, None, {**SHORT, "all": True}),
    "all, of several fields": (LEFTS, RIGHTS, {"id": "key", "all": True}),
    "top": (LEFTS, RIGHTS, {**SHORT, "top": 3, "min_score": 0.2}),
    "all_pairs": (LEFTS, RIGHTS, {**SHORT, "all_pairs": True, "min_score": 0.3}),
    "all_pairs, one table": (TEXTS, None, {**SHORT, "all_pairs": True, "min_score": 0.3}),
    "min_score": (LEFTS, RIGHTS, {**SHORT, "min_score": 0.5}),
    "min_score that none reaches": (LEFTS, RIGHTS, {**SHORT, "min_score": 1.0, "exclude_equal": True}),
    "reciprocal": (LEFTS, RIGHTS, {**SHORT, "reciprocal": True}),
    "reciprocal, one table": (TEXTS, None, {**SHORT, "reciprocal": True}),
    "exclude_equal": (LEFTS, RIGHTS, {**SHORT, "exclude_equal": True}),
    "exclude_equal, all_pairs": (LEFTS, RIGHTS, {**SHORT, "exclude_equal": True, "all_pairs": True, "min_score": 0.4}),
    "one_to_one from a score on": (LEFTS, RIGHTS, {**SHORT, "one_to_one": True, "min_score": 0.4}),
    "one_to_one, one table": (TEXTS, None, {**SHORT, "one_to_one": True, "min_score": 0.4}),
    "explain of a list": (LEFTS, RIGHTS, {**SHORT, "top": 1, "explain": True}),
    "precision of a list": (LEFTS, RIGHTS, {**SHORT, "top": 1, "precision": 0.9}),
    "precision, all": (LEFTS, RIGHTS, {**SHORT, "all": True, "precision": 0.9}),
    "auto of a list": (LEFTS, RIGHTS, {**SHORT, "top": 1, "min_score": "auto"}),
    "labels of a list": (LEFTS, RIGHTS, {**SHORT, "top": 1, "labels": JUDGED}),
    # what is decided
    "one_to_one": (LEFTS, RIGHTS, {**SHORT, "one_to_one": True}),
    "one_to_one of what tells nobody apart": (LEFTS, RIGHTS, {"on": "town", "id": "key", "one_to_one": True}),
    "one_to_one of fields, one table": (PEOPLE, None, {"id": "key", "one_to_one": True}),
    "relation": (LEFTS, RIGHTS, {"id": "key", "relation": "1:m"}),
    "relation within one table": (PEOPLE, None, {"id": "key", "relation": "m:1"}),
    "relation m:m within one table": (PEOPLE, None, {"id": "key", "relation": "m:m"}),
    "explain": (LEFTS, RIGHTS, {"id": "key", "explain": True}),
    "precision": (LEFTS, RIGHTS, {"id": "key", "precision": 0.8}),
    "kinds": (LEFTS, RIGHTS, {"id": "key", "kinds": {"code": "text"}}),
    "kinds of no field": (LEFTS, RIGHTS, {"id": "key", "kinds": {"cdoe": "text"}}),
    "auto": (LEFTS, RIGHTS, {**SHORT, "min_score": "auto"}),
    "labels": (LEFTS, RIGHTS, {"id": "key", "labels": JUDGED}),
    "labels of no record": (LEFTS, RIGHTS, {"id": "key", "labels": [("nobody", "r1", True)]}),
    "few records": (LEFTS[:12], RIGHTS, {"id": "key"}),
    "few records, precision": (LEFTS[:12], RIGHTS, {"id": "key", "precision": 0.9}),
    "no records": (LEFTS[:0], RIGHTS, {"id": "key", "on": "name", "top": 1}),
    "columns": (LEFTS, RIGHTS, {"id": "key", "columns": ["born", "town"]}),
    "columns of a list": (LEFTS, RIGHTS, {**SHORT, "top": 1, "columns": ["town"]}),
    "columns that are not there": (LEFTS, RIGHTS, {**SHORT, "top": 1, "columns": ["club"]}),
}
DEDUPE = {
    "nothing named": (PEOPLE, {}),
    "id": (PEOPLE, {"id": "key"}),
    "on": (TEXTS, SHORT),
    "on weighed": (PEOPLE, {"on": {"name": 3, "town": 1}, "id": "key"}),
    "on all": (PEOPLE, {"on": "*", "id": "key"}),
    "no such column": (PEOPLE, {"on": "nmae"}),
    "equal_on": (PEOPLE, {**SHORT, "equal_on": "member"}),
    "min_score": (TEXTS, {**SHORT, "min_score": 0.5}),
    "min_score of fields": (PEOPLE, {"on": ["name", "town"], "id": "key", "min_score": 0.7}),
    "auto": (TEXTS, {**SHORT, "min_score": "auto"}),
    "precision": (PEOPLE, {"id": "key", "precision": 0.9}),
    "precision of one text": (TEXTS, {**SHORT, "precision": 0.9}),
    "kinds": (PEOPLE, {"id": "key", "kinds": {"code": "text"}}),
    "kinds of no field": (PEOPLE, {"id": "key", "kinds": {"cdoe": "text"}}),
    "kinds of one text": (TEXTS, {**SHORT, "kinds": {"nmae": "text"}}),
    "clean": (TEXTS, {**SHORT, "clean": "accents", "min_score": 0.5}),
    "clean by a function": (PEOPLE, {"id": "key", "clean": str.lower}),
    "language": (TEXTS, {**SHORT, "language": "german", "min_score": 0.5}),
    "threads": (TEXTS, {**SHORT, "threads": 2}),
    "linkage": (PEOPLE, {"id": "key", "linkage": "components"}),
    "linkage of a score": (TEXTS, {**SHORT, "min_score": 0.4, "linkage": "components"}),
    "margin": (TEXTS, {**SHORT, "min_score": 0.5, "margin": 0.2}),
    "survivor": (PEOPLE, {"id": "key", "survivor": {"name": "longest", "town": "newest"}, "newest_by": "born"}),
    "survivor of a score": (TEXTS, {**SHORT, "min_score": 0.4, "survivor": "longest"}),
    "survivor, cleaned": (PEOPLE, {"id": "key", "clean": "accents", "survivor": "longest"}),
    "survivor of no column": (PEOPLE, {"id": "key", "survivor": {"nmae": "longest"}}),
    "newest by nothing": (PEOPLE, {"id": "key", "survivor": "newest"}),
    "newest by no column": (TEXTS, {**SHORT, "min_score": 0.5, "survivor": "newest", "newest_by": "seen"}),
    "labels": (PEOPLE, {"id": "key", "labels": [(f"p{place}", f"p{place + 1}", place % 3 > 0) for place in range(30)]}),
    "labels and a score": (TEXTS, {**SHORT, "min_score": 0.5, "labels": [("t0", "t1", True)]}),
    "few records": (PEOPLE[:12], {"id": "key"}),
    "measure": (TEXTS, {**SHORT, "measure": "edit", "min_score": 0.6}),
    "no records": (PEOPLE[:0], {"id": "key"}),
}
TABLES = ("table", "unmatched", "review", "evidence", "canonical", "merged", "pairs")


def outcome(job, *tables, **named):
    """What a job gives, as plain values; or how it refuses, which is what people read."""
    try:
        found = job(*tables, **named)
        shown = {name: getattr(found, name) for name in TABLES if getattr(found, name, None) is not None}
        if named.get("columns") is not None:
            shown |= {how: found.join(how).table for how in ("left", "inner", "anti")}
    except LikewiseError as error:
        return f"{type(error).__name__}: {error}"
    plain = {name: (table.schema.names, table.to_pylist()) for name, table in shown.items()}
    told = {"notes": found.notes, "decision": found.decision, "model": found.model is not None}
    return plain | told | {"threshold": None if found.threshold is None else found.threshold.to_json()}


def test_every_option_is_in_the_tables():
    for cases, options in ((MATCH, MatchOptions), (DEDUPE, DedupeOptions)):
        used = {name for *_, named in cases.values() for name in named}
        assert {field.name for field in dataclasses.fields(options)} <= used


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("case", MATCH)
def test_match_gives_the_rows_of_one_machine_or_its_refusal(case):
    left, right, named = MATCH[case]
    assert outcome(lw.match, left, right, engine="duckdb", **named) == outcome(lw.match, left, right, **named)


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("case", DEDUPE)
def test_dedupe_gives_the_clusters_of_one_machine_or_its_refusal(case):
    table, named = DEDUPE[case]
    assert outcome(lw.dedupe, table, engine="duckdb", **named) == outcome(lw.dedupe, table, **named)


NOTEBOOK = """
import sys, types, pathlib, tempfile
shell = types.SimpleNamespace(config={"IPKernelApp": {}})
sys.modules["IPython"] = types.ModuleType("IPython")
sys.modules["IPython"].get_ipython = lambda: shell
sys.modules["ipywidgets"] = None
from likewise.engines.duckdb import DuckDB
engine = DuckDB(64 << 20, 1, pathlib.Path(tempfile.mkdtemp()))
print(engine.create("numbers", "SELECT 1 AS n"))
engine.close()
"""


def test_duckdb_works_in_a_notebook_without_the_package_that_draws_its_bar():
    # Without a file of its own a program is taken for an interactive one, as in a notebook.
    done = subprocess.run([sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("1\n", 0), done.stderr
