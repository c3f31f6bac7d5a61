"""What all tests share: the folder of real data, where there is one."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


def data_folder() -> Path | None:
    """Return the folder of real data sets (LIKEWISE_DATA, else ../shared/data beside the repository), or None."""
    named = os.environ.get("LIKEWISE_DATA")
    candidates = [Path(named)] if named else [ROOT.parent / "shared" / "data", ROOT.parent.parent / "shared" / "data"]
    return next((folder for folder in candidates if folder.is_dir()), None)


@pytest.fixture(scope="session")
def data() -> Path:
    """Return the folder of real data sets; skip where it is absent."""
    folder = data_folder()
    if folder is None:
        pytest.skip("real data is absent: set LIKEWISE_DATA to its folder")
    return folder
