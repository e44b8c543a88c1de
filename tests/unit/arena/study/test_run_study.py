"""Studies are played whole, whatever agents, workers and kills do, and the same every time."""

import contextlib
import os
import random
import select
import signal
import sqlite3
import subprocess
import sys
from itertools import pairwise

import pytest
from folders import HELPERS

from ludex.arena.match.replay import replay
from ludex.arena.match.rules import MatchRules
from ludex.arena.processes.process import LIVING, end_all
from ludex.arena.statistics.results import mean_score, read_results, win_rate
from ludex.arena.store.schema import MEASURED
from ludex.arena.store.store import Store
from ludex.arena.study.run import MOST_DEATHS, Course, Progress, run_study, thinned
from ludex.arena.study.study import Study

AGENTS = HELPERS / "hostile_agents.py"
WORLDS = ("nim[heaps=1-2-3]", "pig[target=15]")


@pytest.fixture(autouse=True)
def _nothing_is_left_behind():
    yield
    end_all()
    assert not LIVING


def study_of(agents=("uniform", "one_step", "mcts"), worlds=WORLDS, **more):
    return Study.of("test", agents, worlds, **{"budgets": ("12calls",), **more})


def content(path):
    """All rows of all tables that no clock has touched."""
    with sqlite3.connect(path) as store:
        names = [
            name
            for (name,) in store.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if name not in MEASURED
        ]
        rows = {
            name: store.execute(f"SELECT * FROM {name} ORDER BY 1, 2").fetchall() for name in names
        }
    store.close()
    return rows


def test_one_and_three_workers_fill_the_same_store(tmp_path):
    study = study_of(repetitions=2, budgets=("12calls", "5iterations"))
    for workers in (0, 1, 3):
        run_study(study, tmp_path / f"{workers}.sqlite", workers=workers)
    first = content(tmp_path / "0.sqlite")
    assert len(first["matches"]) == study.size == 48
    assert len(first["seats"]) == 96
    assert content(tmp_path / "1.sqlite") == first
    assert content(tmp_path / "3.sqlite") == first


def test_results_are_rows_and_tables():
    results = run_study(study_of(), None, workers=0)
    assert len(results) == 24
    assert results.agents == ["uniform", "one_step", "mcts"]
    assert set(results.table(win_rate, "agent", "game")) == {
        (agent, game) for agent in results.agents for game in WORLDS
    }
    one = results.where(agent="mcts", game=WORLDS[0])
    assert len(one) == 4
    assert {row.seat for row in one} == {0, 1}
    assert results.tally("mcts").games == 8
    assert sum(results.tally(agent).wins for agent in results.agents) == 12
    assert results.table(mean_score, "budget").keys() == {("12calls",)}
    assert results.is_complete
    assert results.repeatable


def test_every_match_can_be_replayed_from_its_store(tmp_path):
    store = tmp_path / "study.sqlite"
    study = study_of(worlds=[*WORLDS, "vgdl/aliens"], rules=MatchRules(max_ticks=60))
    results = run_study(study, store, workers=2)
    with Store.open(store) as opened:
        for number in {row.match for row in results}:
            record = opened.record(number)
            row = next(row for row in results if row.match == number)
            assert replay(record).reason == row.reason
            assert record.seed == row.seed
            assert record.steps == row.ticks


def test_matches_that_are_there_are_not_played_again(tmp_path):
    store = tmp_path / "study.sqlite"
    run_study(study_of(repetitions=1), store, workers=0)
    told: list[Progress] = []
    results = run_study(study_of(repetitions=3), store, workers=0, progress=told.append)
    assert results.played == 36
    assert (told[0].done, told[0].total, told[0].seconds_left) == (12, 36, None)
    assert told[-1].played == 24
    run_study(study_of(repetitions=3), tmp_path / "whole.sqlite", workers=0)
    assert content(store) == content(tmp_path / "whole.sqlite")


def test_agents_worlds_and_budgets_can_be_added(tmp_path):
    store = tmp_path / "study.sqlite"
    run_study(study_of(["one_step", "mcts"], [WORLDS[1]]), store, workers=0)
    results = run_study(
        study_of(["uniform", "one_step", "mcts"], budgets=("12calls", "20calls")), store, workers=0
    )
    assert results.played == results.scheduled == 24
    again = run_study(study_of(budgets=("12calls", "20calls")), None, workers=0)
    assert results.table(win_rate, "agent", "game", "budget") == again.table(
        win_rate, "agent", "game", "budget"
    )


def test_the_same_world_can_be_two_games():
    study = study_of(worlds=[("one", "nim"), ("two", "nim")])
    results = run_study(study, None, workers=0)
    assert {game: len(rows) for (game,), rows in results.by("game").items()} == {
        "one": 12,
        "two": 12,
    }


def test_the_time_left_is_estimated_from_the_pace_so_far():
    assert Progress(done=10, total=30, played=5, seconds=10.0).seconds_left == 40.0
    assert Progress(done=10, total=30, played=0, seconds=10.0).seconds_left is None


def test_crashes_hangs_and_overruns_are_recorded_and_the_tournament_goes_on():
    agents = [
        "uniform",
        ("crashes", f"{AGENTS}:Raises"),
        ("dies", f"{AGENTS}:KillsItself"),
        ("hangs", f"{AGENTS}:Loops"),
        ("overruns", f"{AGENTS}:CountsTooMuch"),
    ]
    study = study_of(
        agents,
        worlds=["vgdl/aliens"],
        budgets=("20iterations",),
        rules=MatchRules(max_ticks=20, hang_after_ms=8000),
    )
    results = run_study(study, None, workers=2)
    assert results.played == 5
    assert [(fault.agent, fault.kind) for fault in results.faults] == [
        ("crashes", "crash"),
        ("dies", "crash"),
        ("hangs", "hang"),
        ("overruns", "overrun"),
    ]
    assert not any(row.won for row in results)
    assert results.tally("uniform").faults == 0


def test_a_match_that_kills_every_worker_is_given_up_and_all_others_are_played():
    study = study_of(
        ["uniform", "one_step", ("dies", f"{AGENTS}:KillsItself")], ["nim"], isolate="never"
    )
    results = run_study(study, None, workers=2)
    assert (results.played, results.scheduled) == (2, 6)
    assert len(results.abandoned) == 4
    assert set(results.abandoned.values()) == {
        f"{MOST_DEATHS} workers died of it: its process died of SIGKILL"
    }


def test_an_agent_that_refuses_a_world_loses_and_the_study_goes_on():
    study = study_of(["uniform", "one_step", ("refuses", f"{AGENTS}:Refuses")], ["nim"])
    results = run_study(study, None, workers=1)
    assert (results.played, len(results.abandoned)) == (6, 0)
    assert {(fault.agent, fault.kind) for fault in results.faults} == {("refuses", "refusal")}
    assert len(results.faults) == 4
    assert "use something else" in results.faults[0].message


def test_an_agent_that_hangs_in_a_worker_ends_it():
    program = (
        "from ludex.arena.study.run import Course\nCourse(0.2).feel_pulse()\nwhile True: pass\n"
    )
    done = subprocess.run([sys.executable, "-c", program], timeout=60, check=False)
    assert done.returncode == -signal.SIGALRM


def test_a_match_that_ended_in_order_stops_the_alarm():
    course = Course(60.0)
    course.feel_pulse()
    course.stop()
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_courses_hold_every_change_of_a_score():
    results = run_study(study_of(["uniform", "one_step"], ["pig[target=15]"]), None, workers=0)
    for row in results:
        course = results.courses[row.match, row.seat]
        assert course[0] == (0, 0.0)
        assert course[-1][1] == row.score
        assert all(one[1] != other[1] for one, other in pairwise(course))


def test_long_courses_are_thinned_and_keep_their_ends():
    points = [(tick, float(tick)) for tick in range(1000)]
    kept = thinned(points)
    assert (kept[0], kept[-1], len(kept)) == (points[0], points[-1], 60)


def test_rounds_of_glicko_do_not_depend_on_the_workers(tmp_path):
    study = study_of(
        ["uniform", "one_step", "mcts", "minimax"], ["nim"], pairing="glicko", rounds=3
    )
    for workers in (0, 2):
        run_study(study, tmp_path / f"{workers}.sqlite", workers=workers)
    first = content(tmp_path / "0.sqlite")
    assert len(first["matches"]) == 12
    assert content(tmp_path / "2.sqlite") == first


RUNNER = """
import sys
from ludex.arena.processes.process import LIVING
from ludex.arena.study.run import run_study
from ludex.arena.study.study import Study

def tell(progress):
    print(progress.done, *(child.process.pid for child in LIVING), flush=True)
    sys.stdin.readline()

study = Study.of("test", {agents!r}, {worlds!r}, budgets=("12calls",), repetitions={repetitions})
run_study(study, sys.argv[1], workers=2, progress=tell)
print("finished", flush=True)
"""
KILLS = 30
RUNS_KILLED = 10
MOST_MATCHES = 5  # between two kills


@pytest.mark.timeout(600)  # it starts forty processes, which takes long on a busy machine
def test_thirty_kills_at_random_moments_change_nothing(tmp_path):
    """Ten kill the whole run, which is started again; twenty kill one of its workers.

    The run waits for a line after each match, so that it cannot be over before the last kill
    on any machine; where exactly a kill hits it is up to chance.
    """
    agents, repetitions = ("uniform", "one_step", "mcts"), 14
    program = RUNNER.format(agents=agents, worlds=WORLDS, repetitions=repetitions)
    whole, broken = tmp_path / "whole.sqlite", tmp_path / "broken.sqlite"
    study = study_of(agents, repetitions=repetitions)
    assert study.size > KILLS * MOST_MATCHES
    run_study(study, whole, workers=1)

    dice = random.Random(2026)
    plan = ["run"] * RUNS_KILLED + ["worker"] * (KILLS - RUNS_KILLED)
    dice.shuffle(plan)
    run = start(program, broken)
    started = 1
    try:
        for victim in plan:
            matches = dice.randint(1, MOST_MATCHES)
            run.stdin.write("\n" * matches)
            run.stdin.flush()
            if victim == "worker":
                for _ in range(dice.randint(1, matches)):
                    line = run.stdout.readline()
                pause(dice.random() / 50)
                kill(dice.choice(line.split()[1:]))
            else:
                pause(dice.random())  # also while it starts
                run.kill()
                run.communicate()
                run = start(program, broken)
                started += 1
        rest, _ = run.communicate(timeout=100)
    finally:
        run.kill()
        run.wait()
    assert rest.endswith("finished\n")
    assert content(broken) == content(whole)
    assert read_results(broken).abandoned == {}
    assert started == 1 + RUNS_KILLED


def start(program, store):
    return subprocess.Popen(
        [sys.executable, "-c", program, str(store)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def pause(seconds):
    select.select([], [], [], seconds)


def kill(process):
    with contextlib.suppress(ProcessLookupError):  # replaced since its number was told
        os.kill(int(process), signal.SIGKILL)


def test_readers_look_on_while_a_run_writes(tmp_path):
    store = tmp_path / "study.sqlite"
    seen: list[int] = []
    run_study(
        study_of(repetitions=2), store, workers=0,
        progress=lambda progress: seen.append(read_results(store).played - progress.done),
    )  # fmt: skip
    assert seen == [0] * 25


def test_a_finished_run_leaves_one_file(tmp_path):
    run_study(study_of(), tmp_path / "study.sqlite", workers=1)
    read_results(tmp_path / "study.sqlite")
    assert [path.name for path in tmp_path.iterdir()] == ["study.sqlite"]


def test_a_run_under_time_budgets_is_marked(tmp_path):
    results = run_study(study_of(worlds=["nim"], budgets=("40ms",)), None, workers=0)
    assert not results.repeatable


def test_the_moment_of_a_run_is_kept(tmp_path):
    results = run_study(study_of(worlds=["nim"]), tmp_path / "s.sqlite", workers=0)
    (run,) = results.runs
    assert run["played"] == 6
    assert run["ended"] >= run["began"]
