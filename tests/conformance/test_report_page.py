"""The page of a report in a real browser: it draws, answers clicks, and complains of nothing."""

import os
from pathlib import Path

import pytest
from folders import HELPERS

from ludex.arena.match.rules import MatchRules
from ludex.arena.report.page import write_page
from ludex.arena.study.run import run_study
from ludex.arena.study.study import Study

pytestmark = pytest.mark.xdist_group("browser")
HOSTILE = HELPERS / "hostile_agents.py"


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    study = Study.of(
        "<b>all kinds</b> & more",
        ["uniform", "one_step", ("search </script>", "mcts"), ("breaks", f"{HOSTILE}:Raises")],
        ["nim[heaps=1-2]", ("pig", "pig[target=10]"), ("aliens", "vgdl/aliens")],
        budgets=("20calls", "40calls"),
        about="Does the page draw whatever is in a study?",
        rules=MatchRules(max_ticks=80),
    )
    run_study(study, folder / "study.sqlite", workers=2)
    write_page(folder / "study.sqlite", folder / "study.html", films=3)
    return folder / "study.html"


@pytest.fixture(scope="module")
def page(browser, report):
    browser.open(report)
    browser.wait("document.documentElement.dataset.drawn === 'yes'")
    return browser


def test_the_page_needs_nothing_but_itself(report):
    text = report.read_text()
    assert "http://" not in text.replace("http://www.w3.org/2000/svg", "")
    assert "https://" not in text
    assert len(text) < 1_000_000


def test_names_that_look_like_markup_stay_names(page):
    assert page.value("document.querySelector('h1').textContent") == "<b>all kinds</b> & more"
    assert "search </script>" in page.value("document.querySelector('#ranking').textContent")


def test_every_part_is_drawn(page):
    parts = page.value("[...document.querySelectorAll('section')].map(one => one.id)")
    assert parts == [
        "ranking", "rates", "places", "differences", "games", "pairs", "ratings", "courses",
        "cost", "films", "matches", "faults",
    ]  # fmt: skip
    assert page.value("document.querySelectorAll('svg.plot').length") == 8
    assert page.value("document.querySelectorAll('#rates circle').length") == 4
    assert "NaN" not in page.value("document.documentElement.outerHTML.split('<script')[0]")


def test_every_choice_draws_again_without_a_complaint(page):
    clicked = page.value(
        """(() => {
            let clicked = 0;
            const count = document.querySelectorAll('.choice button, .legend button').length;
            for (let place = 0; place < count; place += 1) {
                const all = document.querySelectorAll('.choice button, .legend button');
                if (all[place]) { all[place].click(); clicked += 1; }
            }
            for (const id of ['rates', 'courses', 'matches']) {
                const options = document.querySelector(`#${id} select`).options.length;
                for (let place = 0; place < options; place += 1) {
                    const chosen = document.querySelector(`#${id} select`);
                    chosen.selectedIndex = place;
                    chosen.dispatchEvent(new Event('change'));
                }
            }
            document.querySelectorAll('th.sortable')[1].click();
            return clicked;
        })()"""
    )
    assert clicked > 8
    assert "NaN" not in page.value("document.documentElement.outerHTML.split('<script')[0]")


def test_the_budget_is_chosen_above_the_page(page):
    page.value("[...document.querySelectorAll('nav .choice button')][0].click()")
    chosen = "document.querySelector('nav .choice button[aria-pressed=true]').textContent"
    assert page.value(chosen) == "20calls"


def test_a_cell_of_the_map_lists_its_matches(page):
    page.value("document.querySelector('#games g').dispatchEvent(new Event('click'))")
    rows = page.value(
        "[...document.querySelectorAll('#matches tbody tr')].map(one => one.cells[1].textContent)"
    )
    assert set(rows) == {"nim[heaps=1-2]"}


def test_a_film_plays(page):
    page.value("document.querySelector('.films button').click()")
    page.wait("document.querySelector('#cinema').open")
    page.wait("document.querySelector('#cinema img').naturalWidth > 0")
    assert "ludex replay 'study.sqlite#" in page.value(
        "document.querySelector('#cinema').innerText"
    )
    page.value("document.querySelector('#cinema').close()")


def test_the_browser_complained_of_nothing_and_asked_nobody(page, report):
    if folder := os.environ.get("LUDEX_SCREENSHOTS"):
        page.photograph(Path(folder) / "report.png")
    assert page.complaints == []
    foreign = [one for one in page.requests if not one.startswith(("file:", "blob:", "data:"))]
    assert foreign == []


def test_tracebacks_are_there_for_those_who_ask(browser, report):
    # The last test of this page: the browser leaves it.
    page = report.with_name("traces.html")
    write_page(report.with_name("study.sqlite"), page, traces=True)
    browser.open(page)
    browser.wait("document.documentElement.dataset.drawn === 'yes'")
    faults = "document.querySelector('#faults')"
    assert "hostile_agents.py:64: raise" in browser.value(f"{faults}.textContent")
    assert browser.value(f"{faults}.querySelector('details pre').textContent").startswith(
        "Traceback (most recent call last):"
    )
    assert browser.complaints == []
