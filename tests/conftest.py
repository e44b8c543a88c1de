"""What all tests rely on."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

BESIDE = Path(__file__).parents[2] / "shared"

# A busy machine draws slowly; that says nothing about a test.
settings.register_profile("ludex", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ludex")

# Shells start background jobs with Ctrl-C ignored, and every process hands that on to those it
# starts: tests that press Ctrl-C would wait for an end that never comes.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


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


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    """Chromium with a profile of its own; with LUDEX_REQUIRE_BROWSER=1 it must be there."""
    from browser import Browser, find_browser

    program = find_browser()
    if program is None:
        reason = "no Chromium on this machine; type: apt-get install chromium"
        if os.environ.get("LUDEX_REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    opened = Browser(program, tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()
