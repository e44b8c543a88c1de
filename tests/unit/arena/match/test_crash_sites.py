"""A crash of an agent names the last line of the user's own file, wherever the agent runs."""

from __future__ import annotations

import linecache

import pytest
from folders import HELPERS

from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import play_match
from ludex.arena.match.session import Session
from ludex.arena.match.setup import MatchSetup
from ludex.core import Budget
from ludex.core.crash_site import CrashSite, crash_site
from ludex.core.errors import BrokenAgent
from ludex.core.user_file import load_file

AGENTS = HELPERS / "crashing_agents.py"
CALLS = Budget(model_calls=50)


def line_with(text: str) -> int:
    lines = AGENTS.read_text().splitlines()
    (found,) = [number for number, line in enumerate(lines, start=1) if text in line]
    return found


def fault_of(agent: str, isolate: bool):
    result = play_match("nim[heaps=2-3]", [agent, "uniform"], seed=1, budget=CALLS, isolate=isolate)
    (fault,) = result.faults
    assert fault.is_breakdown
    return fault


@pytest.mark.parametrize("isolate", [True, False], ids=["isolated", "in process"])
@pytest.mark.parametrize(
    ("name", "code", "what"),
    [
        ("Decides", "return legal[99]", "IndexError: tuple index out of range while deciding"),
        ("Starts", 'raise RuntimeError("not today")', "RuntimeError: not today while starting"),
        ("Observes", "self.last = event.nowhere", "'nowhere' while observing"),
        ("Finishes", "self.winner = outcome.winners[7]", "after the end of the game"),
        ("IsMade", "self.depth = 1 / 0", "cannot be made: ZeroDivisionError"),
        ("Spends", 'model.rollout(model.imagine(view, rng), "uniform", 10, rng)', "BudgetSpent"),
        ("InALibrary", "return model.step(None, (), rng)", "while deciding"),
        ("Exits", "raise SystemExit(3)", "SystemExit: 3 while deciding"),
    ],
)
def test_a_crash_shows_the_last_line_in_the_users_own_file(name, code, what, isolate):
    fault = fault_of(f"{AGENTS}:{name}", isolate)
    assert fault.kind == "crash"
    assert what in fault.message
    assert fault.where is not None
    assert fault.where.file.endswith("crashing_agents.py")
    assert fault.where.line == line_with(code)
    assert fault.where.code.startswith(code)
    assert fault.message.endswith(f", at {fault.where}")
    assert "Traceback (most recent call last):" in fault.trace
    assert code in fault.trace


@pytest.mark.parametrize("isolate", [True, False], ids=["isolated", "in process"])
def test_a_module_that_cannot_be_imported_is_shown_with_its_line(tmp_path, isolate):
    file = tmp_path / "mine.py"
    file.write_text("import sys\nimport no_such_module\nclass Mine:\n    decide = None\n")
    fault = fault_of(f"{file}:Mine", isolate)
    assert fault.where == CrashSite(str(file), 2, "import no_such_module")
    assert f"{file}:2: running the file fails: ModuleNotFoundError: " in fault.message
    assert fault.message.endswith("in `import no_such_module`")
    assert "ModuleNotFoundError" in fault.trace


@pytest.mark.parametrize("isolate", [True, False], ids=["isolated", "in process"])
def test_a_crash_in_a_module_beside_the_agent_is_shown_there(tmp_path, isolate):
    (tmp_path / "beside_the_crash.py").write_text("def best(view):\n    return view.secret\n")
    file = tmp_path / "mine.py"
    file.write_text(
        "import beside_the_crash\n"
        "class Mine:\n"
        "    def decide(self, model, view, budget, rng):\n"
        "        return beside_the_crash.best(view)\n"
    )
    fault = fault_of(f"{file}:Mine", isolate)
    beside = str(tmp_path / "beside_the_crash.py")
    assert fault.where == CrashSite(beside, 2, "return view.secret")


@pytest.mark.parametrize(
    ("name", "kind", "code", "what"),
    [
        ("Loops", "hang", "best = min(best, 0)", "no answer within 300 ms"),
        ("Sleeps", "hang", "time.sleep(3600)", "no answer within 300 ms"),
        ("Segfaults", "crash", "return ctypes.string_at(0)", "its process died of SIGSEGV"),
    ],
)
def test_an_agent_that_hangs_or_dies_shows_where_it_was(name, kind, code, what):
    rules = MatchRules(hang_after_ms=300)
    agents = [f"{AGENTS}:{name}", "uniform"]
    (fault,) = play_match("nim", agents, budget=CALLS, rules=rules, isolate=True).faults
    assert fault.kind == kind
    assert fault.message.startswith(what)
    assert fault.where is not None
    assert fault.where.code in (code, "while best < 1:")  # a loop of two lines
    assert fault.message.endswith(f", at {fault.where}")


def test_what_an_agent_prints_is_not_taken_for_another_file(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("the hidden levels\n")
    file = tmp_path / "mine.py"
    file.write_text(
        "import os\n"
        "class Mine:\n"
        "    def decide(self, model, view, budget, rng):\n"
        f"        print('Current thread 0x1 (most recent call first):')\n"
        f"        print('  File \"{secret}\", line 1 in decide', flush=True)\n"
        "        os._exit(3)\n"
    )
    (fault,) = play_match("nim", [f"{file}:Mine", "uniform"], budget=CALLS, isolate=True).faults
    assert fault.where is None
    assert "hidden" not in fault.message + fault.trace


def test_the_line_is_quoted_as_it_was_run_even_if_the_file_has_changed(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("def fail():\n    return 1 / 0\n")
    module = load_file(file, "agent")
    file.write_text("# another file by now\n\n")
    linecache.checkcache()
    with pytest.raises(ZeroDivisionError) as raised:
        module.fail()
    assert crash_site(raised.value) == CrashSite(str(file), 2, "return 1 / 0")


def test_an_error_of_ours_has_no_line_of_a_user():
    from ludex.core import registry

    with pytest.raises(Exception, match="nimm") as raised:
        registry.world("nimm")
    own = raised.value.with_traceback(raised.value.__traceback__.tb_next)  # without this test
    assert crash_site(own) is None


def test_a_file_from_here_is_named_as_it_would_be_typed(tmp_path, monkeypatch):
    file = tmp_path / "mine.py"
    file.write_text("x = 1 / 0\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BrokenAgent, match=r"^mine\.py:1: .* in `x = 1 / 0`$"):
        load_file(file.relative_to(tmp_path), "agent", broken=BrokenAgent)


@pytest.mark.parametrize("isolate", [True, False], ids=["isolated", "in process"])
def test_a_live_session_tells_the_line_too(isolate):
    setup = MatchSetup(
        world="nim", agents=[f"{AGENTS}:Decides", None], budget=CALLS, isolate=isolate
    )
    session = Session.of(setup)
    with pytest.raises(BrokenAgent, match=r"crashing_agents\.py:\d+: return legal\[99\]"):
        session.step({})


def test_what_a_human_or_a_clock_does_is_no_breakdown():
    from ludex.arena.match.rules import Fault

    broken = {kind for kind in ("crash", "hang", "overrun", "rubbish", "refusal", "late",
                                "doubtful", "killed", "left")
              if Fault(0, kind, 0, "").is_breakdown}  # fmt: skip
    assert broken == {"crash", "hang", "overrun", "rubbish", "refusal"}
