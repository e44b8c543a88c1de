"""Commands that are nearly right: the answer says what to type instead."""

from __future__ import annotations

import json

import pytest

from ludex.worlds.vgdl.world import GAMES

SILENT = """
class Nothing:
    def decide(self, model, view, budget, rng):
        pass


class Wrong:
    def decide(self, model, view, budget, rng):
        return "LEFT"


class Needs:
    def __init__(self, depth):
        self.depth = depth

    def decide(self, model, view, budget, rng):
        return view.legal[0]
"""
PLANS = """
from dataclasses import dataclass

from ludex.core import Planner


@dataclass(frozen=True, kw_only=True)
class Nothing(Planner):
    def plan(self, model, view, budget, rng):
        pass
"""
CALLS = ("--budget", "20calls")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with a game, records of two worlds and agents."""
    monkeypatch.chdir(tmp_path)
    for source, name in (("game", "mine"), ("level0", "mine_lvl0")):
        (tmp_path / f"{name}.txt").write_text((GAMES / f"sokoban/{source}.txt").read_text())
    (tmp_path / "bad.py").write_text(SILENT)
    (tmp_path / "plans.py").write_text(PLANS)
    return tmp_path


@pytest.fixture
def record(here, run):
    assert run("play", "nim", "--agents", "uniform,uniform", "--record", "n.jsonl")[0] == 0
    return here / "n.jsonl"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("play", "n.jsonl"), "`ludex play --from n.jsonl@N` plays on from step N"),
        (("play", "n.jsonl@4"), "`ludex play --from n.jsonl@4`"),
        (("replay", "n.jsonl", "--out", "n.webp"), "write --out n.svg"),
        (("draw", "nim", "--out", "n.png"), "write --out n.svg"),
        (("draw", "--from", "3 4 5 turn=0"), "name a world or a record"),
        (("play", "mine_lvl0.txt", "--agents", "uniform"), "is a level; name its game: mine.txt"),
        (("play", "./mine", "--agents", "uniform"), "did you mean the file './mine.txt'?"),
        (("draw", "mine"), "did you mean the file 'mine.txt'?"),
    ],
)
def test_the_answer_says_what_to_type(run, record, words, told):
    status, _, err = run(*words)
    assert status != 0
    assert told in err
    assert err.count("\n") == 1


def test_a_moment_of_a_record_is_drawn_without_naming_its_world(run, record):
    assert run("draw", "--from", "n.jsonl@3") == run("draw", "n.jsonl@3")


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        ("bad.py:Nothing", "decide returned nothing; return a Decision"),
        ("plans.py:Nothing", "plan must return a Decision, and returned nothing"),
        ("bad.py:Wrong", "chose 'LEFT' of type str (actions here are Take), which is not legal"),
        ("bad.py:Wrong", "legal are take 1 from 0, take 2 from 0, take 3 from 0"),
    ],
)
def test_a_fault_says_what_to_mend_and_only_once(run, here, agent, told):
    status, out, err = run("play", "nim", "--agents", f"{agent},uniform", *CALLS)
    assert status == 1
    assert told in err
    assert told not in out
    assert "(seat 0 lost by a fault (" in out
    document = json.loads(run("play", "nim", "--agents", f"{agent},uniform", *CALLS, "--json")[1])
    assert told in document["games"][0]["reason"]


def test_a_missing_argument_is_named_once(run, here):
    _, _, err = run("play", "nim", "--agents", "bad.py:Needs,uniform")
    assert err.count("bad.py:Needs") == 2  # the second is what to type
    assert "cannot be made without depth: give a default" in err
    assert "write bad.py:Needs(depth=...)" in err


def test_a_secret_is_explained_and_plays_the_same_game_again(run, here):
    play = ("play", "pig[target=20]", "--agents", "bad.py:Needs(depth=1),uniform", *CALLS)
    _, out, _ = run(*play)
    why, again = out.splitlines()[-2:]
    assert why == "an agent came from a file, so the dice were drawn from a secret:"
    assert again.endswith(" plays the same game again")
    assert max(len(why), len(again)) <= 80
    secret = again.split()[1]
    _, repeated, _ = run(*play, "--secret", secret)
    assert repeated.splitlines()[:6] == out.splitlines()[:6]
    assert "because" not in repeated
    assert "secret" not in run(*play, "--in-process")[1]


@pytest.mark.parametrize("games", ["1", "2"])
def test_names_of_gvgai_are_shown_as_they_were_typed_and_explained_once(run, games):
    names = "sampleMCTS,tracks.singlePlayer.adrienctx.Agent"
    play = ("play", "connect_four", "--agents", names, "--games", games, "--budget", "5calls")
    _, out, _ = run(*play)
    full = "open_loop_mcts(rollout_depth=10,depth_from=root,value=score)"
    assert out.count(full) == 1
    assert f"sampleMCTS stands for {full}" in out
    assert "adrienctx stands for olets(" in out
    assert json.loads(run(*play, "--json")[1])["agents"][0] == full
