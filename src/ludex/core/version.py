"""The version of ludex, as records and stores name it."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def package_version() -> str:
    try:
        return version("ludex")
    except PackageNotFoundError:  # run from a source tree that was never installed
        return "unknown"
