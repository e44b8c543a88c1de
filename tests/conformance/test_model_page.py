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


TOUCHING = (Path(__file__).parents[1] / "helpers" / "touching_labels.js").read_text()

LEARNERS = {
    "tiles": ("sokoban[level=0,limit=40]", "local(span=1,score=tree)"),
    "things": ("vgdl/sokoban", "object_based(score=tree)"),
}


@pytest.fixture(scope="module", params=LEARNERS)
def page(browser, request, tmp_path_factory):
    world, learner = LEARNERS[request.param]
    folder = tmp_path_factory.mktemp("model")
    model, page = str(folder / "boxes.model"), folder / "boxes.html"
    fit = ["model", "fit", world, "--steps", "200", "--model", learner]
    assert main([*fit, "--out", model]) == 0
    assert main(["model", "show", model, "--steps", "60", "--out", str(page)]) == 0
    browser.open(page)
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


def test_every_error_shows_a_neighbourhood_and_what_was_said_beside_what_came(page):
    drawn = page.value("document.querySelectorAll('.patterns figure > svg').length")
    told = page.value("document.querySelectorAll('.patterns .becomes > :is(q, svg)').length")
    assert drawn == page.value("data.errors.length") > 0
    assert told == 2 * drawn


def test_the_strip_has_three_rows_of_frames(page):
    rows = page.value(
        "[...document.querySelectorAll('.strip tbody tr')]"
        ".map(one => one.querySelectorAll('svg').length)"
    )
    assert rows == [9, 8, 8]


def test_no_labels_lie_over_one_another_or_stick_out(page):
    assert page.value(TOUCHING) == []


def test_labels_of_many_narrow_columns_do_not_touch(page):
    page.value("""(() => {
        const names = [...Array(28).keys()].map(one => `avatar + faces down + holds gem ${one}`);
        const pairs = names.map((name, place) => [name, names[place % 9], 12345 + place]);
        data.confusions = [{ title: "all", pairs }];
        chosen.confusion = 0;
        draw();
    })()""")
    assert page.value("document.querySelectorAll('#confusion text').length") > 50
    assert page.value(TOUCHING) == []


def test_every_choice_draws_again(page):
    assert page.value(CLICK_ALL) > 8
    assert "NaN" not in page.value(WHOLE)
    assert "undefined" not in page.value(WHOLE)


def test_the_browser_complained_of_nothing_and_asked_nobody(page):
    if folder := os.environ.get("LUDEX_SCREENSHOTS"):
        page.photograph(Path(folder) / f"model_{page.value('data.noun')}s.png")
    assert page.complaints == []
    assert [one for one in page.requests if not one.startswith(("file:", "blob:", "data:"))] == []
