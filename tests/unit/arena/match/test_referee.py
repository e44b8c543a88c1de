"""The referee never runs an agent's code, and believes only what it can see from outside."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from folders import HELPERS

from ludex.agents.compose import make_agent, named_agent
from ludex.arena.match.rules import MatchRules
from ludex.arena.match.runner import MOST_REPLAYS, play_match
from ludex.arena.match.seat import Failure
from ludex.arena.processes import children, family, process
from ludex.arena.processes.process import LIVING, Child, ProcessSeat, end_all, limits_of
from ludex.arena.processes.trial import described
from ludex.arena.study.run import run_study
from ludex.arena.study.study import Study
from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import BadAgent, BrokenAgent
from ludex.core.rng import calls_of_process

LUDEX = [sys.executable, "-c", "import sys; from ludex.cli import main; sys.exit(main())"]
CHEATS = HELPERS / "cheating_agents.py"
CALLS = Budget(model_calls=100)
QUICK = MatchRules(setup_ms=100, patience_ms=800, least_patience_ms=500)
SOUND = (
    "\nclass Bot:\n    def decide(self, model, view, budget, rng):\n        return view.legal[0]\n"
)


@pytest.fixture(autouse=True, scope="module")
def _nothing_is_left_behind():
    yield
    end_all()
    assert not LIVING


@pytest.fixture
def bot(tmp_path):
    """Write a file with this body above a sound agent; returns the text of the agent."""

    def write(body, name="bot.py"):
        file = tmp_path / name
        file.write_text(body + SOUND)
        return f"{file}:Bot"

    return write


def play(agent, budget=CALLS, rules=QUICK, **options):
    options = {"isolate": True, **options}
    return play_match("nim", [agent, "uniform"], budget=budget, rules=rules, **options)


def cheat(name):
    return f"{CHEATS}:{name}"


def faults(result):
    return [(fault.seat, fault.kind) for fault in result.faults]


# Module bodies

BODIES = {
    "hangs": ("while True: pass", "hang"),
    "sleeps": ("import time; time.sleep(3600)", "hang"),
    "exits": ("import sys; sys.exit(0)", "crash"),
    "exits at once": ("import os; os._exit(0)", "crash"),
    "kills itself": ("import os; os.kill(os.getpid(), 9)", "crash"),
    "kills its group": ("import os; os.killpg(0, 9)", "crash"),
    "raises": ("1 / 0", "crash"),
    "raises what nobody catches": ("class Odd(BaseException): pass\nraise Odd", "crash"),
    "interrupts": ("raise KeyboardInterrupt", "crash"),
    "prints without end": ("while True: print('x' * 999)", "hang"),
    "patches the outcome": (
        "from ludex.arena.match import runner\nrunner.Match.ended = lambda self, state: None",
        "rubbish",
    ),
    "patches a function": (
        "from ludex.arena.match import rules\nrules.outcome_by_fault = max",
        "rubbish",
    ),
    "patches the meter": ("import ludex.core.rng as r\nr.Meter = object", "rubbish"),
}


@pytest.mark.parametrize("name", BODIES)
def test_what_the_body_of_a_module_does_is_a_fault_of_its_seat(bot, name):
    body, kind = BODIES[name]
    before = time.monotonic()
    result = play(bot(body))
    assert faults(result) == [(0, kind)]
    assert result.winners == (1,)
    assert result.ticks == 0
    assert time.monotonic() - before < 8


def test_the_body_of_a_module_is_run_in_no_process_of_ours(bot, tmp_path):
    log = tmp_path / "processes"
    agent = bot(f"import os\nopen({str(log)!r}, 'a').write(f'{{os.getpid()}}\\n')")
    make_agent(agent)
    play(agent)
    play(agent, isolate=None)
    play(f"{agent}@true")
    assert make_agent(agent).version
    ran = log.read_text().split()
    assert str(os.getpid()) not in ran
    assert len(ran) == len(set(ran)) == 4
    path = agent.rpartition(":")[0]
    assert not any(path in str(vars(module).get("__file__")) for module in modules())


def modules():
    return [module for module in list(sys.modules.values()) if hasattr(module, "__dict__")]


def test_a_body_that_hangs_costs_its_seat_the_matches_of_a_study_and_no_others(bot):
    agents = ["uniform", "one_step", ("hangs", bot("while True: pass"))]
    rules = MatchRules(setup_ms=50, patience_ms=400, least_patience_ms=300)
    study = Study.of("test", agents, ["nim[heaps=1-2]"], budgets=("12calls",), rules=rules)
    results = run_study(study, None, workers=1)
    assert (results.played, len(results.abandoned)) == (6, 0)
    assert [fault.agent for fault in results.faults] == ["hangs"] * 4


@pytest.mark.parametrize("body", ["1 / 0", "import os; os._exit(3)"])
def test_the_command_plays_on_and_tells_of_the_fault(bot, body):
    agents = f"{bot(body)},uniform"
    arguments = ("play", "nim", "--agents", agents, "--budget", "9calls", "--json")
    done = subprocess.run([*LUDEX, *arguments], capture_output=True, text=True, timeout=60)
    assert done.returncode == 1, done.stderr
    (game,) = json.loads(done.stdout)["games"]
    assert game["winners"] == [1]
    assert game["faults"][0]["kind"] == "crash"


def test_a_body_that_raises_is_told_to_who_makes_the_agent(bot):
    with pytest.raises(BrokenAgent, match=r"bot\.py:1: running the file fails: ZeroDivisionError"):
        make_agent(bot("1 / 0"))
    make_agent(bot("1 / 0"), broken_too=False)  # in a match it is a fault


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{file}:Bto", "did you mean 'Bot'"),
        ("{file}:Zzz", "it has Bot"),
        ("{file}:PLACE", "is not a class"),
        ("{folder}/nowhere.py:Bot", "there is no file"),
        ("{file}", "name the class"),
    ],
)
def test_a_wrong_name_is_known_without_running_the_file(bot, tmp_path, text, words):
    agent = bot(f"open({str(tmp_path / 'ran')!r}, 'w')\nPLACE = 3")
    file = agent.rpartition(":")[0]
    with pytest.raises(BadAgent, match=words):
        named_agent(text.format(file=file, folder=tmp_path))
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    "text",
    ["x = " + "-" * 100_000 + "1", "x = a" + ".a" * 100_000, "x = " + "not " * 100_000 + "1", "\0"],
)
def test_a_file_that_no_parser_can_read_is_one_sentence(tmp_path, text):
    (tmp_path / "deep.py").write_text(text)
    with pytest.raises(BadAgent, match="this is not Python"):
        named_agent(f"{tmp_path}/deep.py:Bot")


def test_what_an_agent_tells_of_itself_is_plain_data(tmp_path):
    (tmp_path / "beside.py").write_text("X = 1\n")
    (tmp_path / "bot.py").write_text(
        "from dataclasses import dataclass\nimport beside\n@dataclass\nclass Bot:\n"
        "    depth: int = 3\n    def decide(self, model, view, budget, rng): pass\n"
    )
    told = described(named_agent(f"{tmp_path}/bot.py:Bot(depth=7)"))
    assert told["parameters"] == {"depth": "7"}
    assert {Path(file).name for file in told["files"]} == {"bot.py", "beside.py"}


# Versions


def version(folder):
    return named_agent(f"{folder}/bot.py:Bot").version


@pytest.mark.parametrize(
    ("line", "neighbour"),
    [
        ("import near", "near.py"),
        ("import near", "far.py"),
        ("from pack import part", "pack/part.py"),
        ("from pack import part", "pack/__init__.py"),
        ("import pack.part", "pack/deeper.py"),
        ("def late():\n    import near", "far.py"),
        ("import importlib\nimportlib.import_module('near')", "near.py"),
        ("import importlib\nimportlib.import_module('ne' + 'ar')", "near.py"),
        ("__import__('pack.part')", "pack/deeper.py"),
        ("exec('import near')", "near.py"),
    ],
)
def test_a_version_holds_the_modules_beside_a_file_that_it_imports(bot, tmp_path, line, neighbour):
    (tmp_path / "pack").mkdir()
    for name, content in {
        "near.py": "import far\n",
        "far.py": "X = 1\n",
        "unused.py": "X = 1\n",
        "pack/__init__.py": "",
        "pack/part.py": "from . import deeper\n",
        "pack/deeper.py": "X = 1\n",
    }.items():
        (tmp_path / name).write_text(content)
    bot(line)
    before = version(tmp_path)
    assert version(tmp_path) == before
    with (tmp_path / neighbour).open("a") as file:
        file.write("Y = 2\n")
    assert version(tmp_path) != before
    if "exec" not in line and "+" not in line:
        after = version(tmp_path)
        (tmp_path / "unused.py").write_text("X = 2\n")
        assert version(tmp_path) == after


def test_a_match_plays_the_file_that_its_version_names(bot):
    text = bot("")
    agent = named_agent(text)
    known = agent.version
    Path(text.rpartition(":")[0]).write_text("raise ValueError('changed')\n")
    result = play(agent)
    assert not result.faults
    assert result.record.agent_versions[0] == known


# Answers


@pytest.mark.parametrize("name", ["AnswersAhead", "AnswersTwice", "AnswersForAnotherQuestion"])
def test_an_answer_to_no_question_is_rubbish(name):
    assert faults(play(cheat(name))) == [(0, "rubbish")]


# Time


def timed(name, ms=40, rules=None, **options):
    rules = rules or MatchRules(least_patience_ms=3000)
    return play(cheat(name), Budget(time_ms=ms, **options), rules)


def test_a_clock_that_an_agent_stops_is_not_believed():
    result = timed("StopsTheClock")
    assert faults(result) == [(0, "overrun")]
    assert result.decisions[0][0].cpu_ms > 90


def test_a_clock_that_is_stopped_at_the_start_is_not_believed():
    result = timed("ThinksAtStart", rules=MatchRules(setup_ms=50, patience=100))
    assert faults(result) == [(0, "overrun")]
    assert "to start" in result.faults[0].message


def test_a_clock_that_is_stopped_while_observing_is_not_believed():
    result = timed("ThinksWhenObserving")
    assert faults(result)[-1] == (0, "overrun")
    assert "to observe" in result.faults[-1].message


@pytest.mark.parametrize("name", ["ThinksInAChild", "ThinksInAnOrphan"])
def test_the_time_of_what_an_agent_starts_is_its_own(name):
    result = timed(name)
    assert faults(result) == [(0, "overrun")]
    assert result.decisions[0][0].cpu_ms > 90


def test_thinking_while_others_move_is_charged():
    rules = MatchRules(least_patience_ms=3000)
    agents = [cheat("Ponders"), cheat("Naps")]
    budget = Budget(time_ms=40)
    result = play_match("nim", agents, budget=budget, rules=rules, isolate=True)
    assert faults(result)[-1] == (0, "overrun")
    assert result.winners == (1,)


def test_an_honest_planner_is_not_charged_for_questions_and_answers():
    nim = registry.world("vgdl/aliens")
    seat = ProcessSeat(nim, make_agent("uniform"), MatchRules())
    view = nim.model.view(nim.start(Rng(1)), 0)
    budget = Budget(time_ms=40)
    seat.start(view, budget, Rng(1))
    for number in range(5):
        answer = seat.decide(view, budget, Rng(number))
        assert answer.cpu_ms < 2
        assert answer.observe_ms == 0
    seat.close(clean=False)


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -1.0, True, None, "1", 2**60])
def test_impossible_numbers_are_rubbish(number):
    with pytest.raises(Failure) as failure:
        process.number_in({"cpu_ms": number}, "cpu_ms")
    assert failure.value.kind == "rubbish"


# Model calls


@pytest.mark.parametrize(
    "name",
    [
        "MetersItself",
        "TakesTheWorld",
        "StepsTheWorld",
        "ForgetsItsMeter",
        "CallsItApart",
        "Twins",
        "ChangesItsSeat",
    ],
)
def test_no_model_is_free(name):
    result = play(cheat(name), Budget(model_calls=20))
    assert faults(result) == [(0, "overrun")]
    assert "model calls of 20" in result.faults[0].message


@pytest.mark.parametrize("name", ["BringsItsOwnMeter", "PutsAMeterIn"])
def test_models_take_no_meter_but_ours(name):
    result = play(cheat(name), Budget(model_calls=20))
    assert faults(result) == [(0, "crash")]
    assert "TypeError" in result.faults[0].message


def test_nobody_makes_a_meter_of_another_kind():
    with pytest.raises(TypeError):
        type("Mine", (Meter,), {})


def test_model_calls_between_two_decisions_have_the_same_limit():
    result = play(cheat("SearchesWhenObserving"), Budget(model_calls=20))
    assert faults(result) == [(0, "overrun")]
    assert "between two decisions" in result.faults[0].message


def test_calls_are_counted_after_the_end_of_their_meter():
    before = calls_of_process()
    meter = Meter()
    meter.take(7)
    meter.arm()
    meter.take(5)
    assert calls_of_process() == before + 12
    del meter
    assert calls_of_process() == before + 12


def test_a_part_of_ours_may_count_apart():
    before, apart = calls_of_process(), calls_of_process(apart=True)
    meter = Meter(apart=True)
    meter.take(7)
    assert (calls_of_process(), calls_of_process(apart=True)) == (before, apart + 7)


def test_a_meter_cannot_be_made_again():
    meter = Meter()
    meter.take(7)
    for again in (lambda: meter.__init__(), lambda: meter.__setstate__(())):
        with pytest.warns(RuntimeWarning), pytest.raises(TypeError):
            again()
    assert meter.calls_ever == 7


def test_a_planner_in_a_file_on_a_believed_model_is_counted_as_ever(tmp_path):
    (tmp_path / "bot.py").write_text("from ludex.planners.mcts import Mcts as Bot\n")
    agents = [f"{tmp_path}/bot.py:Bot@believed", "uniform"]
    result = play_match("kuhn_poker", agents, budget=CALLS, isolate=True)
    assert not result.faults


def test_time_that_no_calls_explain_is_noted():
    rules = MatchRules(patience_ms=1000, ms_per_call=1.0)
    result = play(cheat("ThinksWithoutCalls"), CALLS, rules)
    assert faults(result) == [(0, "doubtful")]
    assert "ms of CPU time and tells of 0 calls" in result.faults[0].message
    assert not result.outcome.truncated
    assert not result.repeatable


def test_time_that_no_iterations_explain_is_noted():
    rules = MatchRules(patience_ms=1000, ms_per_iteration=1.0)
    result = play(cheat("ThinksWithoutCalls"), Budget(iterations=100), rules)
    assert faults(result) == [(0, "doubtful")]
    assert "tells of 0 iterations" in result.faults[0].message


# Deaths


def test_a_death_that_the_machine_caused_is_played_again_and_counted(monkeypatch, tmp_path):
    kills = iter(range(1000))
    monkeypatch.setattr(family, "oom_kills", lambda: next(kills))
    agent = f"{cheat('DiesAFewTimes')}(path={tmp_path / 'lives'},times=2)"
    result = play(agent)
    assert result.replays == 2
    assert faults(result) == [(0, "killed")] * 2
    assert "the match was played again" in result.faults[0].message
    assert not result.outcome.truncated
    assert [fault["kind"] for fault in result.record.faults] == ["killed", "killed"]


def test_after_two_replays_the_death_is_a_fault(monkeypatch, tmp_path):
    kills = iter(range(1000))
    monkeypatch.setattr(family, "oom_kills", lambda: next(kills))
    agent = f"{cheat('DiesAFewTimes')}(path={tmp_path / 'lives'},times=9)"
    result = play(agent)
    assert result.replays == MOST_REPLAYS
    assert faults(result) == [(0, "killed"), (0, "killed"), (0, "crash")]
    assert "out of memory" in result.outcome.reason


def test_an_agent_that_kills_itself_is_not_played_again(tmp_path):
    agent = f"{cheat('DiesAFewTimes')}(path={tmp_path / 'lives'},times=1)"
    result = play(agent)
    assert (result.replays, faults(result)) == (0, [(0, "crash")])


# Limits


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("TakesMemory", "crash", "MemoryError"),
        ("TakesMemoryTogether", "overrun", "MiB of memory; at most 300"),
        ("StartsManyProcesses", "overrun", "processes; at most 5"),
        ("OpensManyFiles", "crash", "Too many open files"),
        ("WritesALongFile", "crash", "File too large"),
    ],
)
def test_limits_hold(name, kind, words, tmp_path):
    rules = MatchRules(memory_mb=300, processes=5, open_files=40, file_mb=1, least_patience_ms=9000)
    result = play(f"{cheat(name)}(path={tmp_path})", rules=rules)
    assert faults(result) == [(0, kind)]
    assert words in result.faults[0].message


def test_what_an_agent_prints_is_kept_to_a_size(capfd):
    result = play(cheat("PrintsAndFails"), rules=MatchRules(output_kb=2))
    assert faults(result) == [(0, "crash")]
    assert "the first words" in result.faults[0].trace
    assert "the last words" in result.faults[0].trace
    assert "\x1b" not in result.faults[0].trace
    shown = capfd.readouterr().err
    assert len(shown) < 3000
    assert "\x1b" not in shown


def test_a_command_is_not_filled_with_what_agents_print(capfd, monkeypatch):
    monkeypatch.setattr(children.Terminal, "left", 1000)
    for _ in range(3):
        play(cheat("Prints"))
    assert len(capfd.readouterr().err) < 1200


# Families


@pytest.mark.parametrize("name", ["LeavesAChild", "LeavesAnOrphan", "LeavesADaemon"])
def test_what_an_agent_leaves_behind_ends_with_its_match(name, tmp_path):
    result = play(f"{cheat(name)}(path={tmp_path})")
    assert not result.faults
    pids = [int(file.name) for file in tmp_path.iterdir()]
    assert pids
    assert not any(is_running(pid) for pid in pids)


@pytest.mark.parametrize("victim", ["guard", "pid"])
def test_a_guard_that_dies_takes_its_process_along(victim):
    child = Child("agent", limits=limits_of(MatchRules()))
    child.boot()
    os.kill(getattr(child, victim), 9)
    wait_until(lambda: not is_running(child.pid))
    child.end()
    wait_until(lambda: not is_running(child.guard))


def test_what_is_left_of_a_family_without_a_guard_is_ended(tmp_path):
    seat = ProcessSeat(
        registry.world("nim"), named_agent(f"{cheat('LeavesADaemon')}(path={tmp_path})"), QUICK
    )
    nim = registry.world("nim")
    view = nim.model.view(nim.start(Rng(1)), 0)
    seat.start(view, CALLS, Rng(1))
    seat.decide(view, CALLS, Rng(1))
    (left,) = (int(file.name) for file in tmp_path.iterdir())
    assert is_running(left)
    os.kill(seat.child.guard, 9)
    wait_until(lambda: not is_running(left))
    seat.close(clean=False)


def test_a_keeper_that_dies_takes_all_along_and_is_replaced():
    end_all()
    child = Child("agent", limits=limits_of(MatchRules()))
    child.boot()
    (keeper,) = children.KEEPERS.values()
    keeper.process.kill()
    wait_until(lambda: not is_running(child.pid))
    child.end()
    assert not play("uniform").faults


def wait_until(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("name", ["RefusesToFinish", "RefusesToHear", "RefusesToBeMade"])
def test_no_refusal_of_an_agent_makes_a_match_void(name):
    result = play(cheat(name), budget=Budget(time_ms=200))
    assert [(fault.seat, fault.kind) for fault in result.faults] == [(0, "refusal")]
    assert "I take no part in this" in result.faults[0].message
