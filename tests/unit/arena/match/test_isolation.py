"""Whatever an agent does, the match is recorded with the reason and the next one goes on."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from folders import HELPERS
from hypothesis import given
from hypothesis import strategies as st

from ludex.agents.compose import make_agent
from ludex.arena.match.replay import replay
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import play_match
from ludex.arena.match.seat import Failure
from ludex.arena.processes.process import IDLE, LIVING, ProcessSeat, end_all, read_answer
from ludex.core import Budget, Rng, registry
from ludex.core.errors import BadAgent, Unsupported

AGENTS = HELPERS / "hostile_agents.py"
CALLS = Budget(model_calls=100)
SHORT = MatchRules(patience_ms=1500)
TIME = Budget(time_ms=100)


def hostile(name):
    return f"{AGENTS}:{name}"


@pytest.fixture(autouse=True, scope="module")
def _nothing_is_left_behind():
    yield
    end_all()
    assert not LIVING


def play(name, budget=TIME, rules=SHORT, **options):
    return play_match(
        "nim",
        [hostile(name), hostile("Sound")],
        budget=budget,
        rules=rules,
        isolate=True,
        **options,
    )


def assert_it_lost_and_the_next_match_goes_on(result, kind):
    assert [(fault.seat, fault.kind) for fault in result.faults] == [(0, kind)]
    assert result.winners == (1,)
    assert result.returns == (-1.0, 1.0)
    assert result.outcome.truncated
    assert f"({kind})" in result.outcome.reason
    assert result.record.faults[0]["kind"] == kind
    assert replay(result.record) == result.outcome
    after = play("Sound", budget=CALLS)
    assert not after.faults
    assert not after.outcome.truncated


@pytest.mark.parametrize("name", ["Loops", "Sleeps", "HangsInNative"])
def test_an_agent_that_hangs_is_ended_within_ten_times_its_budget(name):
    nim, budget = registry.world("nim"), Budget(time_ms=300)
    seat = ProcessSeat(nim, make_agent(hostile(name)), MatchRules())
    view = nim.model.view(nim.start(Rng(1)), 0)
    seat.start(view, budget, Rng(1))
    before = time.monotonic()
    with pytest.raises(Failure) as failure:
        seat.decide(view, budget, Rng(1))
    assert time.monotonic() - before < 3.0
    assert failure.value.kind == "hang"
    assert not seat.child.alive


@pytest.mark.parametrize("name", ["Loops", "Sleeps", "HangsInNative"])
def test_an_agent_that_hangs_loses_and_the_next_match_goes_on(name):
    assert_it_lost_and_the_next_match_goes_on(play(name), "hang")


def test_an_agent_that_hangs_while_it_observes_is_ended():
    agents = [hostile("Sound"), hostile("LoopsWhenObserving")]
    result = play_match("nim", agents, budget=TIME, isolate=True)
    assert result.winners == (0,)
    assert [(fault.seat, fault.kind) for fault in result.faults] == [(1, "hang")]


def test_time_for_thoughts_is_no_time_of_the_decision():
    rules = MatchRules(least_patience_ms=3000)
    agents = [hostile("ThinksWhenShown"), hostile("Sound")]
    options = {"budget": Budget(time_ms=50), "rules": rules, "isolate": True}
    result = play_match("nim[heaps=1]", agents, keep_thoughts=True, **options)
    assert not result.faults
    assert result.decisions[0][0].cpu_ms < 50
    assert result.decisions[0][0].wall_ms < 250
    assert "I thought" in str(result.record.moments[0].notes)


def test_the_patience_with_a_decision_stays_below_ten_times_its_budget():
    rules = MatchRules()
    assert rules.hang_ms(Budget(time_ms=40)) == 320
    assert rules.hang_ms(Budget(time_ms=1000)) == 8000
    assert rules.hang_ms(Budget(time_ms=1)) == rules.least_patience_ms


@pytest.mark.parametrize(
    ("budget", "seconds"),
    [
        ("1calls", 10.002),
        ("1200calls", 12.4),
        ("500iterations", 20),
        ("20000iterations", 300),
        ("145000calls", 300),
        ("999999999calls", 300),
    ],
)
def test_the_patience_with_budgets_without_a_time_is_minutes_at_most(budget, seconds):
    assert MatchRules().hang_ms(Budget.parse(budget)) == pytest.approx(1000 * seconds)


@pytest.mark.parametrize("budget", ["40ms", "900calls", "20000iterations"])
def test_a_patience_of_ones_own_replaces_that_of_any_budget(budget):
    assert MatchRules(hang_after_ms=700).hang_ms(Budget.parse(budget)) == 700


def test_an_agent_that_hangs_at_the_start_is_ended():
    result = play("LoopsAtStart", rules=MatchRules(setup_ms=100))
    assert_it_lost_and_the_next_match_goes_on(result, "hang")
    assert result.ticks == 0


def test_a_call_budget_has_a_wall_limit_too():
    result = play("Sleeps", budget=CALLS, rules=MatchRules(patience_ms=200))
    assert "400 ms" in result.faults[0].message
    assert_it_lost_and_the_next_match_goes_on(result, "hang")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Raises", "ValueError: no idea"),
        ("RaisesAtStart", "ValueError: no idea"),
        ("Exits", "SystemExit: 3"),
        ("Interrupts", "KeyboardInterrupt"),
        ("ExitsAtOnce", "exited with status 3"),
        ("Segfaults", "died of SIGSEGV"),
        ("KillsItself", "died of SIGKILL"),
        ("LetsTheBudgetEscape", "let BudgetSpent escape"),
    ],
)
def test_an_agent_that_crashes_loses_with_the_reason(name, reason):
    result = play(name, budget=CALLS)
    assert reason in result.faults[0].message
    assert_it_lost_and_the_next_match_goes_on(result, "crash")


@pytest.mark.parametrize(
    "name",
    [
        "AnswersNone",
        "AnswersIllegally",
        "AnswersUnhashable",
        "AnswersUnpicklable",
        "AnswersHugely",
        "StrangeNumbers",
        "NotADecision",
        "EqualToEverything",
        "WritesIntoTheWire",
        "ClosesTheWire",
    ],
)
def test_an_agent_that_answers_rubbish_loses_with_the_reason(name):
    assert_it_lost_and_the_next_match_goes_on(play(name, budget=CALLS), "rubbish")


def test_evidence_that_is_too_long_is_left_out_and_the_action_counts():
    result = play("HugeNotes", budget=CALLS)
    assert not result.faults
    assert not result.outcome.truncated


def test_a_crash_after_the_end_does_not_change_the_outcome():
    result = play("RaisesAtTheEnd", budget=CALLS)
    sound = play("Sound", budget=CALLS)
    assert result.outcome == sound.outcome
    assert [fault.kind for fault in result.faults] == ["crash"]


@pytest.mark.parametrize("name", ["Refuses", "RefusesLater", "RefusesInTheMiddle"])
def test_a_refusal_is_a_loss_with_its_reason(name):
    result = play(name, budget=CALLS)
    assert "use something else" in result.faults[0].message
    kind = "crash" if name == "RefusesInTheMiddle" else "refusal"
    assert_it_lost_and_the_next_match_goes_on(result, kind)


def test_a_planner_of_ours_that_cannot_play_a_world_is_told_to_whoever_seats_it():
    with pytest.raises(Unsupported, match="mcts@believed"):
        play_match("kuhn_poker", ["mcts", "uniform"], budget=CALLS, isolate=True)


def test_a_planner_of_ours_that_cannot_play_a_world_loses_where_the_show_goes_on():
    agents = ["mcts", "uniform"]
    options = {"budget": CALLS, "isolate": True, "refusals_lose": True}
    result = play_match("kuhn_poker", agents, **options)
    assert [(fault.seat, fault.kind) for fault in result.faults] == [(0, "refusal")]
    assert result.winners == (1,)


def test_isolated_agents_play_the_same_match_as_others():
    agents = [hostile("Random"), hostile("Random")]
    outside = play_match("nim", agents, seed=5, budget=CALLS, isolate=True)
    secret = outside.record.secret
    inside = play_match("nim", agents, seed=5, budget=CALLS, secret=secret)
    assert inside.record == outside.record
    assert inside.outcome == outside.outcome


def test_with_default_actions_the_match_goes_on_without_the_seat():
    result = play("Segfaults", budget=CALLS, rules=MatchRules(on_fault="default"))
    sound = play("Sound", budget=CALLS)  # plays the first legal action: nim's default
    assert result.outcome == sound.outcome
    assert [fault.kind for fault in result.faults] == ["crash"]


def test_an_agent_from_elsewhere_gets_a_fresh_process_for_every_match(tmp_path):
    file = tmp_path / "processes"
    agents = [f"{hostile('TellsItsProcess')}(path={file})", hostile("Sound")]
    for _ in range(2):
        play_match("nim[heaps=1]", agents, budget=CALLS)
    first, second = map(int, file.read_text().split())
    assert first != second
    assert not is_running(first)


def test_an_agent_of_ours_keeps_its_process_and_gets_another_after_its_death():
    def processes():
        play_match("nim[heaps=1]", ["uniform", "one_step"], budget=CALLS, isolate=True)
        return {child.pid for _, child in IDLE}

    end_all()
    first = processes()
    assert processes() == first
    for _, child in IDLE:
        child.process.kill()
        child.process.wait()
    assert not processes() & first


def test_a_thread_that_an_agent_leaves_behind_does_not_keep_its_process():
    result = play("LeavesAThread", budget=CALLS)
    assert not result.faults
    end_all()
    assert not LIVING


def test_an_agent_of_the_running_script_cannot_be_isolated():
    class Here:
        def decide(self, model, view, budget, rng):
            return view.legal[0]

    with pytest.raises(BadAgent, match="cannot be sent to a process of its own"):
        play_match("nim", [Here(), Here()], isolate=True)


def test_printing_agents_leave_standard_output_alone():
    program = (
        "from ludex import play\n"
        f"result = play('nim', [{hostile('Prints')!r}] * 2, budget='9calls', isolate=True)\n"
        "print(result.winners)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    sound = play("Sound", budget=CALLS)
    assert done.stdout == f"{sound.winners}\n"
    assert "more noise" in done.stderr


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)
SOUND = {
    "action": 0, "visits": [[0, 3]], "values": [[0, 0.5]], "notes": {}, "iterations": 3,
    "model_calls": 3, "depth": 1, "elapsed_ms": 1.0, "cpu_ms": 1.0, "confidence": None,
    "measured_cpu_ms": 1.0, "measured_wall_ms": 1.0, "measured_model_calls": 3,
    "measured_observe_ms": 0.0, "measured_thoughts_ms": 0.0,
}  # fmt: skip


def test_a_sound_answer_is_read():
    nim = registry.world("nim")
    view = nim.model.view(nim.start(Rng(1)), 0)
    answer = read_answer(dict(SOUND), view)
    assert answer.decision.action == nim.take(1, heap=0)
    assert answer.decision.visits == {nim.take(1, heap=0): 3}


@given(st.dictionaries(st.sampled_from(sorted(SOUND)), JSON, max_size=3), st.booleans())
def test_an_answer_of_any_kind_is_read_or_rubbish(changes, drop):
    nim = registry.world("nim")
    view = nim.model.view(nim.start(Rng(1)), 0)
    answer = SOUND | changes
    if drop:
        answer = {name: value for name, value in answer.items() if name not in changes}
    kind = None
    try:
        decision = read_answer(answer, view).decision
        assert decision.action in view.legal
        assert all(isinstance(count, int | float) for count in (decision.visits or {}).values())
    except Failure as failure:
        kind = failure.kind
    assert kind in (None, "rubbish")


SLEEPER = """
import sys
from ludex import play
play("nim", [sys.argv[1], sys.argv[2]], budget="9calls", isolate=True)
"""


@pytest.mark.parametrize("deadly", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_survives_the_one_that_started_it(tmp_path, deadly):
    script = tmp_path / "sleeper.py"
    script.write_text(SLEEPER)
    file = tmp_path / "processes"
    file.write_text("")
    told = f"{hostile('TellsItsProcess')}(path={file})"
    parent = subprocess.Popen(
        [sys.executable, str(script), told, hostile("Sleeps")], stderr=subprocess.DEVNULL
    )
    wait_until(lambda: file.read_text().endswith("\n"))
    child = int(file.read_text())
    assert is_running(child)
    parent.send_signal(deadly)
    parent.wait()
    wait_until(lambda: not is_running(child))


def wait_until(condition, seconds=60):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def is_running(process):
    try:
        status = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return status != "Z"


def test_what_an_agent_starts_ends_with_it(tmp_path):
    file = tmp_path / "grandchild"
    agent = tmp_path / "parent.py"
    agent.write_text(
        "import subprocess, time\n"
        "class Parent:\n"
        "    def decide(self, model, view, budget, rng):\n"
        "        child = subprocess.Popen(['sleep', '3600'])\n"
        f"        open({str(file)!r}, 'w').write(str(child.pid))\n"
        "        time.sleep(3600)\n"
    )
    agents = [f"{agent}:Parent", hostile("Sound")]
    play_match("nim", agents, budget=Budget(time_ms=100), isolate=True)
    wait_until(lambda: not is_running(int(file.read_text())))


def test_agents_run_in_the_folder_of_the_command_even_when_it_has_changed(tmp_path, monkeypatch):
    play("Sound", budget=CALLS)  # the keeper is there, and was started elsewhere
    (tmp_path / "mine.py").write_text(
        "from pathlib import Path\n"
        "class Mine:\n"
        "    def decide(self, model, view, budget, rng):\n"
        "        return int(Path('wanted.txt').read_text())\n"
    )
    (tmp_path / "wanted.txt").write_text("0")
    monkeypatch.chdir(tmp_path)
    result = play_match("pig[target=5]", ["mine.py:Mine", "mine.py:Mine"], budget=CALLS)
    assert not [one for one in result.faults if "wanted.txt" in one.message]
