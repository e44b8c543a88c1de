"""The page of a learned model in a real browser: it draws, answers clicks, complains of nothing."""

import os
from pathlib import Path

import pytest

from ludex.cli import main

pytestmark = pytest.mark.xdist_group("browser")
WHOLE = "document.documentElement.outerHTML.split('<script')[0]"
CLICK_ALL = """(() => {
    let clicked = 0;
    const every = () => document.querySelectorAll('.choice button, .legend button, button.small');
    for (let place = 0; place < every().length && place < 40; place += 1) {
        every()[place].click();
        clicked += 1;
    }
    return clicked;
})()"""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("model")
    model, page = str(folder / "boxes.model"), folder / "boxes.html"
    learner = "local(span=1,score=tree)"
    fit = ["model", "fit", "sokoban[level=0,limit=40]", "--steps", "300", "--model", learner]
    assert main([*fit, "--out", model]) == 0
    assert main(["model", "show", model, "--steps", "60", "--out", str(page)]) == 0
    return page


@pytest.fixture(scope="module")
def page(browser, written):
    browser.open(written)
    browser.wait("document.documentElement.dataset.drawn === 'yes'")
    return browser


def test_every_part_is_drawn(page):
    parts = page.value("[...document.querySelectorAll('section')].map(one => one.id)")
    assert parts == [
        "accuracy", "growth", "strip", "errors", "confusion", "calibration", "rules",
    ]  # fmt: skip
    assert page.value("document.querySelectorAll('svg.plot').length") == 4
    assert page.value("document.querySelectorAll('#accuracy circle').length") == 7
    assert page.value("document.querySelectorAll('#rules tbody tr').length") > 3


def test_the_strip_has_three_rows_of_frames(page):
    rows = page.value(
        "[...document.querySelectorAll('.strip tbody tr')]"
        ".map(one => one.querySelectorAll('svg').length)"
    )
    assert rows == [9, 8, 8]


def test_every_choice_draws_again(page):
    assert page.value(CLICK_ALL) > 8
    assert "NaN" not in page.value(WHOLE)
    assert "undefined" not in page.value(WHOLE)


def test_the_browser_complained_of_nothing_and_asked_nobody(page):
    if folder := os.environ.get("LUDEX_SCREENSHOTS"):
        page.photograph(Path(folder) / "model.png")
    assert page.complaints == []
    assert [one for one in page.requests if not one.startswith(("file:", "blob:", "data:"))] == []
