"""Facts that questions are asked about."""

import pytest

from likewise.jobs.questions.nuggets import nuggets

TEXT = """In 1947, Bell Labs invented the transistor. The transistor was invented at Bell Labs in December 1947.

The transistor radio was invented by others in 1954; it became popular in the 1960s.

Amtrak started operations on May 1, 1971. Ada Lovelace (10 December 1815 – 27 November 1852) wrote the first programs.

Bastille Day is celebrated on July 14 every year in France. It rained in 1990.
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nuggets")
    (folder / "a.txt").write_text(TEXT)
    (folder / "copy.txt").write_text(TEXT)
    assert nuggets([folder / "a.txt", folder / "copy.txt"], folder / "n") == 8
    return folder / "n"
