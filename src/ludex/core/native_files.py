"""The files that native worlds outside the source tree are built with."""

from __future__ import annotations

import sys
from pathlib import Path

from ludex.core.errors import LudexError

CONFIG = "ludex-config.cmake"


def cmake_dir() -> Path:
    """The folder to give to CMake as `ludex_DIR`, for `find_package(ludex CONFIG)`."""
    for folder in sys.modules["ludex"].__path__:
        if (Path(folder) / "cmake" / CONFIG).is_file():
            return Path(folder) / "cmake"
    raise LudexError(f"{CONFIG} is not installed; run: pip install --force-reinstall ludex")
