"""What a user sees of an agent of their own that crashes, hangs or is slow."""

from __future__ import annotations

import io
import json
import re
import threading
import time

import pytest
from folders import HELPERS

from ludex.arena.match import waiting
from ludex.arena.match.waiting import Question, Waits
from ludex.cli.shared import progress_lines, screen
from ludex.core import Budget
from ludex.terminal.console import CleanConsole

AGENTS = HELPERS / "crashing_agents.py"
HOSTILE = HELPERS / "hostile_agents.py"
BUDGET = ("--budget", "50calls")


@pytest.fixture(autouse=True)
def _no_debugging(monkeypatch):
    monkeypatch.delenv("LUDEX_DEBUG", raising=False)


@pytest.fixture(params=["--isolate", "--in-process"])
def where(request):
    return request.param


@pytest.fixture
def study(tmp_path, run):
    """A study with an agent that crashes, played."""
    (tmp_path / "crashing.py").write_text(AGENTS.read_text())
    path = tmp_path / "mine.toml"
    path.write_text(
        'agents = ["uniform", "crashing.py:Decides"]\nbudgets = ["9calls"]\n'
        '[[worlds]]\nworld = "nim[heaps=1-2]"\n'
    )
    status, _, err = run("arena", "run", path)
    assert status == 0
    assert "return legal[99]" in err  # of a run, too: nobody looks for faults unasked
    return path


# Crashes


def test_play_shows_the_line_that_crashed_and_ends_with_1(run, where):
    status, out, err = run("play", "nim", "--agents", f"{AGENTS}:Decides,uniform", *BUDGET, where)
    assert status == 1
    assert "winner: seat 1 uniform" in out
    assert "IndexError: tuple index out of range while deciding\n" in err
    assert "crashing_agents.py:15: return legal[99]\n" in err
    assert "LUDEX_DEBUG=1 shows the whole traceback" in err
    assert "Traceback" not in out + err


def test_the_debug_switch_shows_the_whole_traceback_of_an_agent(run, where, monkeypatch):
    monkeypatch.setenv("LUDEX_DEBUG", "1")
    agents = f"{AGENTS}:Decides,uniform"
    _, _, err = run("play", "nim", "--agents", agents, *BUDGET, where)
    assert "Traceback (most recent call last):" in err
    assert "in pick\n" in err
    _, out, _ = run("play", "nim", "--agents", agents, *BUDGET, where, "--json")
    assert "in pick\n" in json.loads(out)["games"][0]["faults"][0]["trace"]


def test_a_fault_has_its_line_in_the_document_too(run, where):
    agents = f"{AGENTS}:Decides,uniform"
    status, out, err = run("play", "nim", "--agents", agents, *BUDGET, where, "--json")
    assert (status, err) == (1, "")
    (fault,) = json.loads(out)["games"][0]["faults"]
    assert fault["where"]["file"].endswith("crashing_agents.py")
    assert fault["where"]["line"] == 15
    assert fault["where"]["code"] == "return legal[99]"
    assert "trace" not in fault


@pytest.mark.parametrize(
    ("agent", "kind"), [("AnswersIllegally", "rubbish"), ("Refuses", "refusal")]
)
def test_other_breakdowns_end_with_1_as_well(run, agent, kind):
    agents = f"{HOSTILE}:{agent},uniform"
    status, out, _ = run("play", "nim", "--agents", agents, *BUDGET, "--json")
    assert [fault["kind"] for fault in json.loads(out)["games"][0]["faults"]] == [kind]
    assert status == 1


def test_one_breakdown_among_many_games_counts(run):
    agents = f"{AGENTS}:Decides,uniform"
    status, out, err = run("play", "nim", "--agents", agents, *BUDGET, "--games", 3, "--rotate")
    assert status == 1
    assert "crash x 3; first in tick 0 of game 0" in err
    assert "3 games" in out


def test_an_agent_that_is_a_little_late_is_no_breakdown(run, monkeypatch):
    from ludex.arena.match.allowance import Allowance

    monkeypatch.setattr(Allowance, "check_time", lambda *_: False)
    status, out, _ = run("play", "nim[heaps=1-2]", "--agents", "uniform,uniform", "--in-process",
                         "--json")  # fmt: skip
    assert {fault["kind"] for fault in json.loads(out)["games"][0]["faults"]} == {"late"}
    assert status == 0


def test_check_shows_the_line_that_crashed(run, monkeypatch):
    part = f"{AGENTS}:Decides"
    status, out, err = run("check", "planner", part)
    assert status == 1
    assert "stopped with IndexError: tuple index out of range, at " in out
    assert "crashing_agents.py:15: return legal[99]" in out
    assert "LUDEX_DEBUG=1" in err
    assert out.count("FAIL same seed same decision") == 1  # not once for each world
    _, out, _ = run("check", "planner", part, "--json")
    assert not any("trace" in row for row in json.loads(out)["checks"])
    monkeypatch.setenv("LUDEX_DEBUG", "1")
    _, out, _ = run("check", "planner", part, "--json")
    assert any("in pick\n" in row.get("trace", "") for row in json.loads(out)["checks"])


def test_check_shows_the_line_of_a_file_that_cannot_be_run(run, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("import no_such_module\nclass Mine:\n    def decide(self, *all): pass\n")
    status, _, err = run("check", "planner", f"{file}:Mine")
    assert status == 1
    assert f"{file}:1: running the file fails: ModuleNotFoundError" in err
    assert err.endswith("in `import no_such_module`\n")


def test_check_names_the_check_in_which_an_agent_dies(run, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "import os\nclass Mine:\n    def decide(self, model, view, budget, rng): os._exit(4)\n"
    )
    status, _, err = run("check", "planner", f"{file}:Mine")
    assert status == 1
    assert "cannot be checked: keeps a budget of calls in nim" in err
    assert "exited with status 4" in err


def test_a_bare_assertion_in_a_planner_is_no_pass(run, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def decide(self, model, view, budget, rng): assert 0\n")
    status, out, _ = run("check", "planner", f"{file}:Mine")
    assert status == 1
    assert "stopped with AssertionError, at" in out


def test_a_line_that_is_not_python_is_quoted(run, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def decide(self) return 1\n")
    status, _, err = run("play", "nim", "--agents", f"{file}:Mine,uniform")
    assert status == 2
    assert "mine.py:2: this is not Python: expected ':' in `def decide(self) return 1`" in err


def test_the_arena_shows_the_line_that_crashed(run, study):
    _, out, _ = run("arena", "show", study, "--part", "faults")
    assert "crashing.py:15: return legal[99]" in out
    assert "Traceback" not in out
    run("arena", "report", study, "--films", 0)
    for page in (study.with_suffix(".html"), study.with_suffix(".md")):
        assert "crashing.py:15: return legal" in page.read_text()
        assert "Traceback" not in page.read_text()  # it names folders of whoever played


def test_the_arena_shows_tracebacks_where_they_are_asked_for(run, study, monkeypatch):
    monkeypatch.setenv("LUDEX_DEBUG", "1")
    _, out, _ = run("arena", "show", study, "--part", "faults")
    assert "Traceback (most recent call last):" in out
    run("arena", "report", study, "--films", 0)
    for page in (study.with_suffix(".html"), study.with_suffix(".md")):
        assert "Traceback" in page.read_text()
    _, out, _ = run("arena", "show", study, "--anonymous", "--json")
    assert "crashing.py:15" not in out


# Agents that take long


@pytest.fixture
def impatient(monkeypatch):
    """Tell of agents after a tenth of a second."""
    for name, value in {"LOOK_S": 0.02, "LONG_S": 0.1, "SLOW_S": 0.05, "SOON_S": 0.0}.items():
        monkeypatch.setattr(waiting, name, value)
    monkeypatch.setattr(waiting, "GAPS", {})
    monkeypatch.setattr(waiting, "CALLED_SLOW", set())


def test_an_agent_that_sleeps_is_told_of_while_it_does(run, impatient):
    agents = f"{HOSTILE}:Sleeps,uniform"
    status, _, err = run("play", "nim", "--agents", agents, *BUDGET, "--patience", 0.5)
    assert status == 1
    told = [line for line in err.splitlines() if "has been thinking for" in line]
    assert told[0].startswith(f"ludex: seat 0 {HOSTILE}:Sleeps has been thinking for 0 s")
    assert told[0].endswith("(budget 50calls); it is ended after 0.5 s; --patience S changes that")
    assert len(told) < 5  # each time it takes longer until the next


def test_an_agent_in_the_process_of_the_match_is_told_of_too(run, impatient):
    agents = f"{AGENTS}:Dawdles,uniform"
    arguments = ("play", "nim[heaps=1-1]", "--agents", agents, *BUDGET, "--in-process", "--json")
    status, out, err = run(*arguments)
    assert status == 0
    assert json.loads(out)["games"][0]["faults"] == []
    assert "Dawdles has been thinking for" in err
    assert "leave --in-process out" in err


def test_nothing_is_said_of_agents_that_answer(run, impatient):
    arguments = ("play", "nim", "--agents", "one_step,uniform", *BUDGET, "--in-process")
    assert run(*arguments)[2] == ""


def test_a_slow_agent_is_told_of_once(impatient):
    waits = Waits()
    question = Question(0, "mine.py:Mine", "thinking", Budget(model_calls=9), 16.0)
    waits.spent[0] = (4.5, 3)
    assert waits.told(question, question.since) == (
        "seat 0 mine.py:Mine takes 1.5 s for a decision (budget 9calls)"
    )
    assert waits.told(question, question.since) == ""


def test_a_decision_within_its_time_is_not_long(impatient):
    question = Question(0, "mine.py:Mine", "thinking", Budget(time_ms=30_000), 240.0)
    assert Waits().told(question, question.since + 30) == ""
    assert "thinking for 46 s (budget 30000ms)" in Waits().told(question, question.since + 46)


# Long work without a terminal


@pytest.fixture
def soon(monkeypatch):
    """Say how far work is after a tenth of a second."""
    monkeypatch.setattr(progress_lines, "LEAST_GAP_S", 0.1)
    return lambda: monkeypatch.setattr(progress_lines, "FIRST_S", 0.1)


def test_a_long_game_says_how_far_it_is(run, soon):
    soon()
    arguments = ("play", "nim[heaps=1-1]", "--agents", f"{AGENTS}:Dawdles,uniform", *BUDGET)
    status, out, err = run(*arguments, "--json")
    assert status == 0
    json.loads(out)
    assert re.search(r"nim\[heaps=1-1\]: 0 ticks, \d s\n", err)


def test_many_games_say_how_many_are_played(run, soon):
    soon()
    arguments = ("play", "nim[heaps=1-1]", "--agents", f"{AGENTS}:Dawdles,uniform", *BUDGET)
    _, out, err = run(*arguments, "--games", 2)
    assert re.search(r"nim\[heaps=1-1\]: 1 of 2 games, \d s, about \d s left\n", err)
    assert "of 2 games," not in out


def test_lines_tell_of_the_latest_task_and_end_with_it(monkeypatch):
    monkeypatch.setattr(progress_lines, "FIRST_S", 0.05)
    monkeypatch.setattr(progress_lines, "LEAST_GAP_S", 0.05)
    written = io.StringIO()
    before = threading.active_count()
    with screen.progress(CleanConsole(file=written)) as bar:
        bar.add_task("first", total=2, completed=2)
        task = bar.add_task("second [b]part[/b]", total=1000, unit="matches")
        bar.update(task, completed=250)
        time.sleep(0.3)
    lines = written.getvalue().splitlines()
    assert lines[0].startswith("second [b]part[/b]: 250 of 1,000 matches, 1 s, about ")
    assert threading.active_count() == before
    bar.stop()  # once more does no harm


def test_short_work_says_nothing():
    written = io.StringIO()
    with screen.progress(CleanConsole(file=written)) as bar:
        bar.add_task("short", total=2)
    assert written.getvalue() == ""


def test_work_that_shows_itself_says_nothing(monkeypatch):
    monkeypatch.setattr(progress_lines, "FIRST_S", 0.01)
    written = io.StringIO()
    with screen.progress(CleanConsole(file=written), silent=True) as bar:
        bar.add_task("a live picture", total=2)
        time.sleep(0.1)
    assert written.getvalue() == ""
