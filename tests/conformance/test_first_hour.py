"""The pages that newcomers read first say what is true."""

import json
import re
import tomllib
from pathlib import Path

import pytest

from ludex.arena.statistics.intervals import wilson
from ludex.cli import main
from ludex.cli.arena.show import PARTS

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PATHS = sorted((DOCS / "first_hour").glob("*.md"))
LINK = re.compile(r"\]\(([^)#\s]*)(#[^)]*)?\)")


def test_the_start_page_and_the_readme_lead_to_every_path():
    assert len(PATHS) == 4
    for page, folder in ((DOCS / "index.md", ""), (ROOT / "README.md", "docs/")):
        text = page.read_text()
        for path in PATHS:
            assert f"]({folder}first_hour/{path.name})" in text, page.name
        assert f"]({folder}install.md)" in text, page.name


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md"])
def test_links_of_pages_outside_the_site_lead_somewhere(page):
    targets = [target for target, _ in LINK.findall((ROOT / page).read_text()) if target]
    assert [target for target in targets if not (ROOT / target).exists()] == []


@pytest.mark.parametrize("page", PATHS, ids=lambda page: page.stem)
def test_a_path_is_an_hour_in_order(page):
    minutes = [int(found) for found in re.findall(r"^## Minute (\d+)", page.read_text(), re.M)]
    assert minutes[0] == 0
    assert minutes == sorted(set(minutes))
    assert minutes[-1] < 60


def table_under(heading: str, page: Path) -> list[str]:
    """The first cells of the first table below a heading."""
    below = page.read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `?([^`|]+?)`? \|", below, re.MULTILINE)[1:]


def test_the_installation_page_lists_every_extra():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    listed = table_under("Extras", DOCS / "install.md")
    assert set(listed) == {"none", *project["optional-dependencies"]}


def test_the_installation_page_names_the_debian_packages_that_make_asks_for():
    makefile = (ROOT / "Makefile").read_text()
    asked = re.findall(r'lacks (?:"[^"]*"|\S+) ("[^"]*"|[^;\s]+)', makefile)
    line = re.search(r"apt-get install (.*)$", (DOCS / "install.md").read_text(), re.MULTILINE)
    assert line
    assert {word for words in asked for word in words.strip('"').split()} <= set(line[1].split())


def test_the_parts_of_arena_show_are_on_its_page():
    assert table_under("What is shown", DOCS / "arena.md") == list(PARTS)


@pytest.mark.strength
@pytest.mark.timeout(300)
def test_the_example_of_learning_learns_and_wins(tmp_path, monkeypatch, capsys):
    page = (DOCS / "models" / "learning.md").read_text()
    section = page.partition("\n## An agent that is told no rules, and wins\n")[2]
    block = re.search(r"```console\n(.*?)```", section, re.DOTALL)
    assert block
    monkeypatch.chdir(tmp_path)
    wins = []
    for line in block[1].splitlines():
        words = [word.strip('"') for word in line.removeprefix("$ ludex ").split()]
        assert main([*words, *(["--json"] if words[0] == "play" else [])]) == 0
        out = capsys.readouterr().out
        if words[0] == "play":
            wins += json.loads(out)["wins"]
    at_random, learned = wins
    assert wilson(learned, 10)[0] > wilson(at_random, 10)[1]
