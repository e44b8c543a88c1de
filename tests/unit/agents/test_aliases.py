"""The names of GVGAI's controllers as agents."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ludex.agents.aliases import ALIASES, MISSING, key_of
from ludex.agents.compose import make_agent
from ludex.cli import main
from ludex.core import registry
from ludex.core.errors import BadParameter, UnknownName

PAGE = Path(__file__).parents[3] / "docs" / "from_gvgai.md"


@pytest.mark.parametrize("alias", ALIASES, ids=lambda alias: alias.name)
def test_every_name_stands_for_its_agent_in_any_spelling(alias):
    expected = make_agent(alias.agent)
    spellings = (
        alias.name,
        f"tracks.singlePlayer.advanced.{alias.name}.Agent",
        f"controllers.singlePlayer.{alias.name}.Agent",
        f"tracks.multiPlayer.simple.{alias.name}.agent",
        alias.name.upper(),
    )
    for spelling in spellings:
        assert make_agent(spelling) == expected
        assert str(make_agent(spelling)) == str(expected)


def test_a_name_of_ours_comes_first():
    assert str(make_agent("olets")) == "olets"
    assert "value=released" in str(make_agent("OLETS"))


def test_parameters_replace_those_of_the_table():
    made = make_agent("sample_mcts(rollout_depth=20)")
    assert str(made) == "open_loop_mcts(rollout_depth=20,depth_from=root,value=score)"
    with pytest.raises(BadParameter, match="did you mean 'rollout_depth'"):
        make_agent("sampleMCTS(rolout_depth=20)")


def test_a_name_takes_a_model():
    assert str(make_agent("sampleRS@believed")) == "random_search(value=score)@believed"


@pytest.mark.parametrize(
    ("name", "parameters"),
    [
        (
            "sampleMCTS",
            {"rollout_depth": 10, "depth_from": "root", "value": "score", "final": "visits"},
        ),
        ("sampleMCTS", {"exploration": pytest.approx(2**0.5), "selection": "ucb1"}),
        ("sampleRHEA", {"population": 10, "length": 10, "elite": 1, "tournament": 2}),
        ("sampleRHEA", {"crossover": "uniform", "mutation": "one", "shift_buffer": False}),
        ("sampleRS", {"length": 10, "value": "score", "rollouts": 0}),
        ("OLETS", {"epsilon": 0.05, "taboo_steps": 15, "taboo_penalty": 0.5, "reuse": True}),
    ],
)
def test_the_settings_are_those_of_the_java_controllers(name, parameters):
    made = make_agent(name)
    assert {key: getattr(made, key) for key in parameters} == parameters


@pytest.mark.parametrize("missing", MISSING, ids=lambda missing: missing.name)
def test_what_has_no_equal_names_what_is_nearest(missing):
    with pytest.raises(UnknownName) as caught:
        make_agent(f"tracks.singlePlayer.{missing.name}.Agent")
    assert f"nearest is {missing.nearest!r}" in str(caught.value)
    make_agent(missing.nearest)


def test_no_name_hides_another():
    names = [key_of(one.name) for one in (*ALIASES, *MISSING)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("word", ["mct", "MCTS", "sampleMTCS", "samplerea", "olet", "a", "zzzz"])
def test_an_unknown_name_suggests_at_most_five(word):
    with pytest.raises(UnknownName) as caught:
        make_agent(word)
    _, _, hint = str(caught.value).partition("did you mean")
    suggested = re.findall(r"'([^']+)'", hint)
    assert len(suggested) <= 5
    for name in suggested:
        make_agent(name)


def test_aliases_are_suggested_too():
    with pytest.raises(UnknownName, match="did you mean 'sampleMCTS'"):
        make_agent("sampleMTCS")
    with pytest.raises(UnknownName, match=r"'mcts'.*'sampleMCTS'"):
        make_agent("MCTS")
    with pytest.raises(UnknownName, match="no planner named 'mct'; did you mean 'mcts', "):
        registry.load("planners", "mct")


def test_results_and_records_have_the_full_text(tmp_path, capsys):
    record = tmp_path / "game.jsonl"
    words = ["play", "vgdl/sokoban", "--agents", "sampleRHEA", "--budget", "1iterations"]
    assert main([*words, "--json", "--record", str(record)]) == 0
    assert json.loads(capsys.readouterr().out)["agents"] == ["rhea(value=score)"]
    assert '"rhea(value=score)"' in record.read_text()


def test_the_page_has_the_same_table():
    text = PAGE.read_text()
    rows = [f"| `{one.name}` | `{one.agent}` | {one.meaning} |" for one in ALIASES]
    rows += [f"| `{one.name}` | `{one.nearest}` | {one.meaning} |" for one in MISSING]
    section = text.partition("## Controllers by their names")[2].partition("\n## ")[0]
    listed = [line for line in section.splitlines() if line.startswith("| `")]
    assert listed == rows
