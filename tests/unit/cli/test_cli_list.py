"""`ludex list` and `ludex help`: a screen, a kind, one part, one command."""

from __future__ import annotations

import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from ludex.agents.aliases import ALIASES
from ludex.cli.list.catalogue import KINDS, names_in
from ludex.cli.list.one_part import details_of
from ludex.core import registry
from ludex.core.names import read_agent

ROOT = Path(__file__).parents[3]
ROWS, COLUMNS = 24, 80
PARTS = [(kind, name) for kind in KINDS for name in names_in(kind)]
REGISTERED = [(kind, name) for kind, name in PARTS if kind in registry.GROUPS]


def test_the_overview_fits_a_screen(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    status, out, _ = run("list")
    assert status == 0
    lines = out.splitlines()
    assert len(lines) < ROWS
    assert max(map(len, lines)) <= COLUMNS
    for word in ("worlds", "planners", "mcts", "sampleMCTS", "ludex list planners mcts"):
        assert word in out


def test_the_overview_fits_a_real_terminal():
    """Where the program is named by a longer path, too."""
    master, slave = pty.openpty()
    env = {**os.environ, "COLUMNS": str(COLUMNS), "LINES": str(ROWS), "TERM": "xterm"}
    program = Path(sys.executable).with_name("ludex")
    subprocess.run([program, "list"], stdout=slave, stderr=slave, env=env, check=True)
    os.close(slave)
    shown = os.read(master, 100_000).decode()
    assert shown.count("\n") < ROWS


def test_all_parts_are_listed_when_asked_for(run):
    _, out, _ = run("list", "--all")
    for kind, name in REGISTERED:
        assert name in out, kind
    assert "YOLOBOT" in out


def test_the_overview_says_how_the_names_of_gvgai_are_listed(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    row = next(line for line in run("list")[1].splitlines() if "sampleMCTS" in line)
    assert row.endswith("(ludex list aliases)")


@pytest.mark.parametrize("kind", ["planners", "agents", "worlds", "models"])
def test_a_kind_is_a_line_for_each_part_and_all_shows_parameters(run, kind, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(COLUMNS))
    lines = run("list", kind)[1].splitlines()
    names = names_in(kind)
    rows = [line.split()[0] for line in lines[4 : 4 + len(names)]]
    assert rows == names
    assert max(map(len, lines)) <= COLUMNS
    assert lines[-1].startswith(f"ludex list {kind} NAME explains one")
    assert "=" not in "".join(lines)
    assert "=" in run("list", kind, "--all")[1]


@pytest.mark.parametrize(("kind", "name"), PARTS, ids=lambda one: str(one))
def test_every_part_has_a_description_and_a_page(kind, name):
    part = details_of(kind, name)
    assert part.about.strip()
    assert (ROOT / part.page).is_file()


@pytest.mark.parametrize(("kind", "name"), REGISTERED, ids=lambda one: str(one))
def test_every_parameter_of_every_part_has_a_meaning(kind, name):
    for one in details_of(kind, name).parameters:
        assert one.meaning, one.name
        assert one.takes, one.name


def test_a_part_shows_what_each_parameter_means_and_its_limits(run):
    status, out, _ = run("list", "planners", "mcts")
    assert status == 0
    assert "exploration = 1.4142135623730951  a number >= 0" in out
    assert "weight of the bonus for rarely tried actions" in out
    assert "selection = ucb1  one of ucb1, ucb1_tuned" in out
    assert "docs/planners/mcts.md" in out


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("worlds", "catan"), "how many may be made in a turn"),
        (("agents", "hearthstone/nora"), "the least confidence in an action that is taken"),
        (("agents", "nora"), "docs/worlds/hearthstone_nora.md"),
        (("models", "local"), "the radius of the neighbourhood"),
        (("games", "aliens"), "all raiders are gone"),
        (("experiments", "exp-1"), "ludex reproduce EXP-1"),
        (("agents", "mcts"), "docs/planners/mcts.md"),
        (("agents", "samplemcts"), "rollout_depth = 10"),
        (("aliases", "OLETS"), "docs/planners/olets.md"),
        (("mcts",), "docs/planners/mcts.md"),
        (("vgdl/zelda",), "docs/games/zelda.md"),
        (("sampleRHEA",), "rhea(population=10"),
        (("planners", "sampleMCTS"), "open_loop_mcts(rollout_depth=10"),
        (("gvgai",), "open_loop_mcts(rollout"),
    ],
)
def test_any_part_can_be_shown(run, words, shown):
    status, out, _ = run("list", *words)
    assert status == 0
    assert shown in out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("planners", "mct"), "did you mean 'mcts'"),
        (("worlds", "catna"), "did you mean 'catan'"),
        (("agents", "Return42"), "nearest is 'portfolio'"),
        (("agents", "zzzz"), "no agent named 'zzzz'"),
        (("games", "alien"), "did you mean 'vgdl/aliens'"),
        (("aliases", "sampleMTCS"), "did you mean 'sampleMCTS'"),
        (("plannrs",), "did you mean 'planners'"),
        (("zzzz",), "kinds are worlds"),
        (("plannrs", "mcts"), "no kind of part named 'plannrs'"),
    ],
)
def test_an_unknown_part_is_answered_in_a_sentence(run, words, problem):
    status, _, err = run("list", *words)
    assert status == 2
    assert problem in err
    assert err.count("\n") == 1


def test_one_part_has_the_shape_of_a_list(answer):
    (found,) = answer("list", "planners", "mcts")["planners"]
    (listed,) = [one for one in answer("list", "planners")["planners"] if one["name"] == "mcts"]
    assert {key: found[key] for key in listed} == listed
    first = found["details"][0]
    assert (first["name"], first["takes"]) == ("exploration", "a number >= 0")
    assert found["page"] == "docs/planners/mcts.md"


def test_the_names_of_gvgai_are_listed(run, answer):
    assert [one["name"] for one in answer("list", "aliases")["aliases"]] == [
        one.name for one in ALIASES
    ]
    _, out, _ = run("list", "agents")
    assert "sampleMCTS" in out


@pytest.mark.parametrize("name", registry.names("planners"))
def test_the_example_of_a_planner_is_one_that_it_can_play(name):
    words = shlex.split(details_of("planners", name).example)
    world = registry.world(words[words.index("play") + 1])
    planner, _ = read_agent(words[words.index("--agents") + 1].partition(",")[0])
    assert planner.name == name
    assert registry.load("planners", name)().refusal(world.traits) is None


# Help


@pytest.mark.parametrize("words", [(), ("play",), ("arena", "run"), ("list",), ("help",)])
def test_help_shows_what_the_option_shows(run, words):
    status, out, _ = run("help", *words)
    assert status == 0
    assert out.split() == run(*words, "--help")[1].split()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("plya",), "no command 'plya' in ludex; did you mean 'play'?"),
        (("arena", "rnu"), "no command 'rnu' in ludex arena; did you mean 'run'?"),
        (("play", "x"), "no command 'x' in ludex play, which has no commands"),
    ],
)
def test_help_of_an_unknown_command_names_the_nearest(run, words, problem):
    status, _, err = run("help", *words)
    assert status == 2
    assert problem in err
