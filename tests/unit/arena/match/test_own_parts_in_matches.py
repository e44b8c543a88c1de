"""Planners with parts in files are guarded in matches as agents in files are."""

from __future__ import annotations

import json
import os

import pytest

from ludex.agents.compose import make_agent, named_agent
from ludex.arena.match.replay import replay
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import play_match
from ludex.arena.match.streams import is_foreign, is_from_file
from ludex.arena.store.errors import BadStore
from ludex.arena.store.store import Store
from ludex.arena.study.file import read_study
from ludex.arena.study.run import is_file_agent, run_study
from ludex.arena.study.study import Study
from ludex.cli import main
from ludex.core import registry
from ludex.core.capabilities import libraries_of
from ludex.core.errors import BadParameter, BrokenAgent
from ludex.core.module_files import hash_of_modules
from ludex.core.named_policy import named_policy


@pytest.fixture
def mine(tmp_path):
    """Write the file; the text of a planner that takes its value from it."""

    def write(body="return float(model.over(state))", head=""):
        path = tmp_path / "mine.py"
        path.write_text(f"{head}\ndef value(model, state, seat):\n    {body}\n")
        return f"mcts(value={path}:value)"

    return write


def play(text, **more):
    return play_match("nim", [text, "uniform"], seed=1, budget="20calls", **more)


def test_such_a_planner_is_from_outside_alone_or_with_a_model(mine):
    for text in (mine(), f"{mine()}@believed"):
        agent = named_agent(text)
        assert is_from_file(agent)
        assert is_foreign(agent)
        assert is_file_agent(text)
    assert not is_from_file(named_agent("mcts(value=score)"))
    assert not is_file_agent("mcts(value=score)@believed")


def test_its_file_is_run_in_a_process_of_its_own(mine, tmp_path):
    mark = tmp_path / "pids"
    head = f"import os\nopen({str(mark)!r}, 'a').write(f'{{os.getpid()}} ')\n"
    result = play(mine(head=head))
    assert not result.faults
    assert str(os.getpid()) not in mark.read_text().split()
    assert mark.read_text()


def test_its_version_is_that_of_the_file_and_its_match_is_repeated(mine, tmp_path):
    result = play(mine())
    content = (tmp_path / "mine.py").read_bytes()
    version = f"file-{hash_of_modules(tmp_path / 'mine.py', content)}"
    assert result.record.agent_versions[0] == version
    assert result.record.secret is not None  # its own process could foresee the dice else
    again = play(mine(), secret=result.record.secret)
    assert again.record.moments == result.record.moments
    mine("return 0.0")
    replay(result.record)  # which needs no file


def test_what_it_does_wrong_is_a_fault_with_its_line(mine):
    for isolate in (None, False):
        fault = play(mine("return 1 / 0"), isolate=isolate).faults[0]
        assert fault.kind == "crash"
        words = "mine.py:3: value fails: ZeroDivisionError: division by zero in `return 1 / 0`"
        assert words in fault.message


def test_a_file_that_changes_ludex_is_thrown_out(mine):
    head = "import ludex.core.outcome as o\no.Outcome = None\n"
    fault = play(mine(head=head)).faults[0]
    assert "an agent leaves ludex as it is" in fault.message


def test_a_file_that_hangs_is_ended(mine):
    rules = MatchRules(hang_after_ms=300)
    fault = play(mine("while True: pass"), rules=rules).faults[0]
    assert fault.kind == "hang"
    assert fault.message.endswith("mine.py:3: while True: pass")


def test_large_libraries_of_a_part_are_imported_before_the_clock_runs(mine):
    head = "def late():\n    import torch, math\n"
    assert libraries_of(named_agent(mine(head=head))) == ("torch",)
    assert libraries_of(named_agent("mcts")) == ()


def test_what_is_wrong_with_a_part_is_told_before_a_match(mine, tmp_path):
    (tmp_path / "mine.py").write_text("def value(state): pass\n")
    with pytest.raises(BadParameter, match=r"mine\.py:1: value\(state\) must be callable as value"):
        make_agent(f"mcts(value={tmp_path}/mine.py:value)")
    with pytest.raises(BrokenAgent, match=r"running the file fails: ZeroDivisionError"):
        make_agent(mine(head="1 / 0"))


def test_a_study_finds_parts_from_its_own_folder(mine, tmp_path, monkeypatch):
    mine()
    file = tmp_path / "study.toml"
    file.write_text('agents = ["mcts(value=mine.py:value)", "uniform"]\nworlds = ["nim"]\n')
    study = read_study(file)
    assert study.agents[0].agent == f"mcts(value={tmp_path.resolve()}/mine.py:value)"
    assert study.agents[0].label == "mcts(value=mine.py:value)"


def test_a_store_from_elsewhere_runs_no_part(mine, tmp_path):
    text = mine()
    store = tmp_path / "study.sqlite"
    study = Study.of("test", [("mine", text), "uniform"], [("w", "nim")], budgets=("5calls",))
    run_study(study, store, workers=0)
    with Store.open(store) as opened, pytest.raises(BadStore, match=r"mine\.py.* is not run"):
        _ = opened.study
    assert main(["arena", "verify", str(store)]) == 0


def test_a_record_names_no_part_that_is_run_unasked(mine, tmp_path, capsys):
    file = tmp_path / "game.jsonl"
    words = ["play", "nim", "--agents", f"{mine()},uniform", "--budget", "5calls", "--json"]
    assert main([*words, "--record", str(file)]) == 0
    assert json.loads(capsys.readouterr().out)["agents"][0] == mine()
    assert main(["play", "--from", f"{file}@1"]) == 2
    assert "not run unless you name it: add --agents" in capsys.readouterr().err


def test_a_rollout_policy_by_name_takes_no_file(mine):
    model = registry.world("nim").model
    policy = f"hearthstone/scripted({mine().partition('(')[2]}"
    with pytest.raises(BadParameter, match="give a function of your own as the policy itself"):
        named_policy(policy, model)
