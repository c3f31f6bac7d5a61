"""Examples make temporary folders and leave them: here they go where pytest's own are, which it removes."""

import tempfile

import pytest


@pytest.fixture(autouse=True)
def _temporary(tmp_path_factory, monkeypatch):
    folder = str(tmp_path_factory.mktemp("temporary"))
    monkeypatch.setattr(tempfile, "tempdir", folder)
    monkeypatch.setenv("TMPDIR", folder)
