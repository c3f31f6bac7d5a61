"""Bombs are refused in words: the quick ones of those that ``make bombs`` measures."""

import sys

import pytest
from tests.fuzz import bombs

from likewise.read import documents


@pytest.mark.parametrize(
    ("name", "reason"),
    [("a.csv.gz", "bomb"), ("a.csv.zst", "bomb"), ("a.txt.bz2", "bomb"), ("a.pdf", "bomb"), ("a.xlsx", "bomb"),
     ("a.docx", "too large"), ("deep.json", "broken"), ("deep.html", "too deep")],
)  # fmt: skip
def test_what_is_not_read_is_said(tmp_path, monkeypatch, name, reason):
    """A page of a PDF that stood for a quarter of a gigabyte ended the process."""
    monkeypatch.setattr(bombs, "EXPANDED", 80 << 20)
    (tmp_path / name).write_bytes(bombs.BOMBS[name]())
    skipped = []
    list(documents(tmp_path / name, on_skip=skipped.append))
    assert [one.reason for one in skipped][-1:] == [reason]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
@pytest.mark.parametrize("name", ["quotes.csv", "columns.csv"])
def test_what_is_read_takes_little_memory(tmp_path, name):
    """A pattern that could go back at each of many quotation marks took a hundred bytes for each."""
    (tmp_path / name).write_bytes(bombs.BOMBS[name]())
    found = bombs.tried(tmp_path / name, "table")
    assert bombs.is_bounded(found), found
