"""What several of these tests need."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1]))
from browser import Browser, find_browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    program = find_browser()
    if program is None:
        pytest.skip("no Chromium on this machine; type: apt-get install chromium")
    opened = Browser(program, tmp_path_factory.mktemp("profile"))
    yield opened
    opened.close()
