"""Where the tests find the repository and the files beside this one."""

from __future__ import annotations

from pathlib import Path

HELPERS = Path(__file__).parent
REPOSITORY = HELPERS.parents[1]
