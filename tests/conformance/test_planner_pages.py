"""The page of every planner: its table of parameters says what the code says."""

import re
from dataclasses import fields
from pathlib import Path

import pytest

from ludex.core import registry
from ludex.core.meanings import meanings_of
from ludex.core.parameters import write_value

PAGES = Path(__file__).parents[2] / "docs" / "planners"
ROW = re.compile(r"^\| `(\w+)` \| `([^`]*)` \| (.*) \|$", re.MULTILINE)
LINK = re.compile(r"\((\w+)\.md[)#]")
PLANNERS = registry.names("planners")


def rows_of(page):
    return {name: (default, meaning) for name, default, meaning in ROW.findall(page.read_text())}


@pytest.mark.parametrize("name", PLANNERS)
def test_the_table_of_parameters_is_that_of_the_code(name):
    planner = registry.load("planners", name)
    meanings = meanings_of(planner)
    expected = {
        item.name: (write_value(item.default), meanings[item.name]) for item in fields(planner)
    }
    for parameter, (default, meaning) in rows_of(PAGES / f"{name}.md").items():
        assert default == expected[parameter][0], parameter
        assert meaning.startswith(expected[parameter][1]), parameter  # a page may say more


@pytest.mark.parametrize("name", PLANNERS)
def test_every_parameter_is_on_the_page_or_on_one_that_it_links_to(name):
    page = PAGES / f"{name}.md"
    told = set(rows_of(page))
    linked = (PAGES / f"{one}.md" for one in LINK.findall(page.read_text()))
    for other in linked:
        told |= set(rows_of(other)) if other.exists() else set()
    assert {item.name for item in fields(registry.load("planners", name))} <= told
