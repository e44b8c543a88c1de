"""`ludex profile`: which part a moment of a decision is put down to."""

from __future__ import annotations

import dis
import json
import sys

import pytest

from ludex.bench.profile import PARTS, call_at, part_called, part_of
from ludex.cli import main
from ludex.core import registry


def frame_in(module: str, text: str = "frame()"):
    """The frame of a function that looks as if it were in a module."""
    space = {"__name__": module, "frame": lambda: sys._getframe(1)}
    exec(f"def look():\n    return {text}\n", space)
    return space["look"]()


@pytest.mark.parametrize(
    ("module", "part"),
    [
        ("ludex.worlds.vgdl.view", "model"),
        ("ludex.models.learned.local", "model"),
        ("ludex.planners.yolobot.sight", "sight"),
        ("ludex.planners.yolobot.collisions", "knowledge"),
        ("ludex.planners.parts.knowledge", "knowledge"),
        ("ludex.planners.yolobot.tree", "search"),
        ("ludex.planners.olets", "search"),
    ],
)
def test_a_moment_belongs_to_the_module_at_work(module, part):
    assert part_of(frame_in(module)) == part


def test_libraries_work_for_whoever_calls_them():
    def inner():
        return sys._getframe()

    space = {"__name__": "ludex.planners.yolobot.targets", "inner": inner}
    exec("def look():\n    return inner()\n", space)
    assert part_of(space["look"]()) == "knowledge"


def test_a_native_call_of_a_model_is_seen_in_the_line_that_makes_it(tmp_path):
    file = tmp_path / "planner.py"
    file.write_text(
        "def plan(self, model):\n"
        "    a = model.step(1)\n"
        "    b = self.model.rollout(\n        2)\n"
        "    c = self.choose(model, 3)\n"
        "    d = node.state.copy()\n"
        "    e = self.model.imagine(view, rng)\n"
        "    f = genome.copy()\n"
        "    g = rollout(d, policy)\n"
        "    h = choose(d, policy)\n"
    )
    code = compile(file.read_text(), str(file), "exec").co_consts[0]
    names = {"rollout": registry.world("nim").model.rollout, "choose": max}
    at = {
        one.positions.lineno: part_called(call_at(code, one.offset), names)
        for one in dis.get_instructions(code)
        if one.opname == "CALL"
    }
    found = [at[line] for line in (2, 3, 5, 6, 7, 8, 9, 10)]
    assert found == [*["model"] * 2, "search", *["copies"] * 2, "search", "model", "search"]


def test_the_shares_of_an_agent_add_up(capsys):
    command = ["profile", "nim", "--agents", "mcts,uniform", "--budget", "20ms", "--ticks", "5"]
    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    searching, wild = document["profiles"]
    assert (searching["agent"], wild["agent"]) == ("mcts", "uniform")
    assert set(searching["shares"]) == set(PARTS)
    assert sum(searching["shares"].values()) == pytest.approx(1.0 if searching["samples"] else 0.0)
    assert main(command) == 0
    assert "iterations" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["nim", "--agents", "rhaea"], "no agent named 'rhaea'"),
        (["nowhere", "--agents", "mcts"], "no world named 'nowhere'"),
        (["nim", "--agents", "mcts", "--ticks", "0"], "--ticks"),
        (["sokoban", "--agents", "yolobot"], "needs views that list objects"),
    ],
)
def test_mistakes_are_one_sentence(arguments, words, capsys):
    assert main(["profile", *arguments]) != 0
    written = capsys.readouterr()
    assert words in written.err
    assert written.err.count("\n") == 1
