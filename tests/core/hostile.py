"""Calls of the compiled module with arguments that do not fit, each with the error it must end in.

Run as a script it makes every call and writes a line of JSON for each: what it got instead of a crash.
"""

import json
import sys

from tests.core import hostile_joins, hostile_mining, hostile_texts

CASES = {**hostile_texts.CASES, **hostile_joins.CASES, **hostile_mining.CASES}


def main():
    """Make every call."""
    for name, (call, _) in CASES.items():
        try:
            call()
            outcome = None
        except Exception as error:
            outcome = f"{type(error).__name__}: {error}"
        sys.stdout.write(json.dumps([name, outcome]) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
