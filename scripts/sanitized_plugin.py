"""What a run under a sanitizer leaves out, as a plugin of pytest: it is slow, and only our compiled module is watched.

Tests that drive processes of their own (the command, a service, a browser, a cluster) mostly wait for an interpreter to
start: they are left out. LIKEWISE_MOST_EXAMPLES is the most examples that a property is tried with.
"""

import os

from hypothesis import settings

PROCESSES = {"browser", "cli", "cluster", "start_server"}
SETTINGS = "_hypothesis_internal_use_settings"


def pytest_collection_modifyitems(config, items):
    """Leave out tests of processes, and examples beyond the most."""
    out = [item for item in items if PROCESSES & set(getattr(item, "fixturenames", ()))]
    config.hook.pytest_deselected(items=out)
    items[:] = [item for item in items if item not in out]
    most = int(os.environ.get("LIKEWISE_MOST_EXAMPLES", "0"))
    for item in items if most else []:
        test = getattr(item, "obj", None)
        test = getattr(test, "__func__", test)
        chosen = getattr(test, SETTINGS, None)
        if hasattr(test, "hypothesis") and (chosen or settings.default).max_examples > most:
            setattr(test, SETTINGS, settings(chosen, max_examples=most))
