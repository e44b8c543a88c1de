"""What all tests share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

BESIDE = Path(__file__).parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference data: LUDEX_SHARED, or `shared` beside the repository.

    Tests that need it are skipped where it is missing; with LUDEX_REQUIRE_SHARED=1 they fail.
    """
    folder = Path(os.environ.get("LUDEX_SHARED") or BESIDE)
    if not folder.is_dir():
        reason = f"no reference data in {str(folder)!r}; set LUDEX_SHARED to its folder"
        if os.environ.get("LUDEX_REQUIRE_SHARED") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    return folder
