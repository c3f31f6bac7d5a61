"""What a run under a sanitizer leaves out and notes, as a plugin of pytest: ``scripts/sanitized_tests.py`` asks for it.

Tests that drive processes of their own (the command, a service, a browser, a cluster) mostly wait for an interpreter to
start: they are left out, and so are those that passed before with the same core. What the sanitizer says while a test
runs fails that test.
"""

import json
import os
import time
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import settings

from sanitized_reports import ours

PROCESSES = {"browser", "cli", "cluster", "session", "start_server"}
# What is not ours to mend: pytrec_eval, behind ir_measures, gives to free() what it has from new[]; the process that
# reads a workbook has a limit of memory, to which the sanitizer's own memory counts.
OTHERS = {"test_equals_ir_measures", "test_each_table_has_a_sheet_and_an_encoding_of_its_own"}
# These ask how much memory a process took, and most of it is the sanitizer's.
OTHERS |= {"test_memory_is_that_of_index_and_result", "test_asking_for_more_partners_than_there_are_costs_nothing"}
SETTINGS = "_hypothesis_internal_use_settings"
FOLDER = Path(os.environ["LIKEWISE_SANITIZED"])
MOST = int(os.environ["LIKEWISE_MOST_EXAMPLES"])
UNTIL = float(os.environ["LIKEWISE_UNTIL"])
seconds = defaultdict(float)
outcomes = {}


def said():
    """Return what the sanitizer has said of our part of this process so far."""
    path = FOLDER / f"report.{os.getpid()}"
    return ours(path.read_text(errors="replace")) if path.exists() else ""


def pytest_collection_modifyitems(config, items):
    """Leave out tests of processes, those that passed before, and examples beyond the most."""
    out = [item for item in items if PROCESSES & set(getattr(item, "fixturenames", ()))]
    out += [item for item in items if getattr(item, "originalname", "") in OTHERS]
    wanted = [item for item in items if item not in set(out)]
    (FOLDER / "collected.json").write_text(json.dumps([item.nodeid for item in wanted]), encoding="utf-8")
    passed = set(json.loads((FOLDER / "passed.json").read_text(encoding="utf-8")))
    out += [item for item in wanted if item.nodeid in passed]
    config.hook.pytest_deselected(items=out)
    items[:] = [item for item in wanted if item.nodeid not in passed]
    for item in items if MOST else []:
        test = getattr(item, "obj", None)
        test = getattr(test, "__func__", test)
        chosen = getattr(test, SETTINGS, None)
        if hasattr(test, "hypothesis") and (chosen or settings.default).max_examples > MOST:
            setattr(test, SETTINGS, settings(chosen, max_examples=MOST))


def pytest_runtest_setup():
    if time.time() > UNTIL:
        pytest.skip("the time is over")


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item):
    """Remember what had been said before a test."""
    item.said_before = said()
    yield


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    if call.when == "teardown" and (new := said()[len(item.said_before) :]):
        report.outcome, report.longrepr = "failed", new
        report.user_properties.append(("said", True))


def pytest_runtest_logreport(report):
    """Note each test when it is done, or when it ended its process: a run that is stopped loses nothing."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        return  # the process that gives out the tests hears of all of them
    test = report.nodeid
    seconds[test] += getattr(report, "duration", 0)
    if report.outcome != "passed":
        outcomes[test] = report.outcome
    if report.when in ("setup", "call"):
        return
    note = {
        "test": test,
        "outcome": outcomes.get(test, "passed"),
        "seconds": round(seconds.pop(test), 2),
        "said": ("said", True) in report.user_properties or report.when == "???",
    }
    with (FOLDER / "seen.jsonl").open("a", encoding="utf-8") as file:
        file.write(json.dumps(note) + "\n")
