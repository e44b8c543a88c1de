"""Series of matches: the same results whatever plays them."""

import os
import signal
import subprocess
import sys
import time

import pytest
from folders import HELPERS

from ludex.arena.match.runner import play_match
from ludex.arena.processes.process import LIVING, end_all
from ludex.arena.study.tournament import match_seed, play_many, seating
from ludex.core.errors import BadAgent, BadParameter, Unsupported, WrongSeats

AGENTS = HELPERS / "hostile_agents.py"
RANDOM = f"{AGENTS}:Random"


def records(results):
    return [result.record.text() for result in results]


@pytest.fixture(autouse=True)
def _nothing_is_left_behind():
    yield
    end_all()
    assert not LIVING


@pytest.mark.parametrize("world", ["pig[target=20]", "parley"])
def test_one_and_two_workers_give_the_same_results(world):
    agents = ["uniform", RANDOM] if world != "parley" else ["uniform", RANDOM, "uniform"]
    options = {"games": 9, "seed": 3, "budget": "9calls", "rotate": True}
    one = list(play_many(world, agents, workers=1, **options))
    two = list(play_many(world, agents, workers=2, **options))
    assert records(one) == records(two)
    assert [result.index for result in two] == list(range(9))
    assert [result.entrants for result in one] == [result.entrants for result in two]


def test_a_match_of_a_series_can_be_played_alone():
    series = list(play_many("nim", [RANDOM, RANDOM], games=4, seed=3, budget="9calls"))
    alone = play_match("nim", [RANDOM, RANDOM], seed=match_seed(3, 2), budget="9calls")
    assert alone.record == series[2].record


def test_the_order_of_matches_does_not_matter():
    options = {"games": 6, "seed": 3, "budget": "9calls"}
    whole = list(play_many("nim", [RANDOM, RANDOM], **options))
    backwards = [
        next(iter(play_many("nim", [RANDOM, RANDOM], first=index, **options)))
        for index in reversed(range(6))
    ]
    assert records(whole) == records(reversed(backwards))


def test_matches_of_a_series_differ():
    series = list(play_many("nim", [RANDOM, RANDOM], games=8, seed=3, budget="9calls"))
    assert len({tuple(result.record.moments) for result in series}) > 1
    assert len({result.seed for result in series}) == 8


def test_every_agent_plays_every_seat_when_seats_rotate():
    for seats in (1, 2, 3):
        rounds = [seating(seats, index, rotate=True) for index in range(seats)]
        assert all(sorted(column) == list(range(seats)) for column in zip(*rounds, strict=True))


def test_isolated_agents_in_workers_give_the_same_results():
    options = {"games": 3, "seed": 3, "budget": "9calls", "secret": "5e" * 16}
    plain = list(play_many("nim", [RANDOM, RANDOM], **options))
    isolated = list(play_many("nim", [RANDOM, RANDOM], workers=2, isolate=True, **options))
    assert records(plain) == records(isolated)


def test_a_worker_killed_by_an_agent_is_replaced_and_the_fault_recorded():
    agents = [f"{AGENTS}:Segfaults", "uniform"]
    results = list(play_many("nim", agents, games=3, budget="9calls", workers=2))
    assert [result.winners for result in results] == [(1,)] * 3
    assert {result.faults[0].kind for result in results} == {"crash"}
    assert "SIGSEGV" in results[0].faults[0].message


def test_results_under_time_budgets_are_marked():
    timed = next(play_many("nim", ["uniform", "uniform"], games=1, budget="40ms"))
    counted = next(play_many("nim", ["uniform", "uniform"], games=1, budget="40calls"))
    assert not timed.repeatable
    assert counted.repeatable


def test_a_refusal_of_ours_in_a_worker_is_raised_to_the_caller():
    with pytest.raises(Unsupported, match="mcts@believed"):
        list(play_many("kuhn_poker", ["mcts", "uniform"], games=3, workers=2))


def test_an_agent_in_a_file_that_refuses_in_a_worker_loses():
    matches = list(play_many("nim", [f"{AGENTS}:Refuses", "uniform"], games=3, workers=2))
    assert [match.winners for match in matches] == [(1,)] * 3
    assert {match.faults[0].kind for match in matches} == {"refusal"}


def test_stopping_early_leaves_no_worker():
    matches = play_many("nim", [RANDOM, RANDOM], games=50, budget="9calls", workers=2)
    next(matches)
    matches.close()
    assert not LIVING


@pytest.mark.parametrize(
    ("wrong", "kind"),
    [
        ({"games": 0}, BadParameter),
        ({"games": 3, "workers": 0}, BadParameter),
        ({"games": 3, "first": 4}, BadParameter),
        ({"games": 3, "seed": -1}, BadParameter),
        ({"games": 3, "budget": "soon"}, BadParameter),
    ],
)
def test_impossible_series_are_refused_at_once(wrong, kind):
    with pytest.raises(kind):
        play_many("nim", ["uniform", "uniform"], **wrong)


def test_the_number_of_agents_is_checked_at_once():
    with pytest.raises(WrongSeats, match="nim has 2 seats, got 3 agents; give exactly 2"):
        play_many("nim", ["uniform"] * 3, games=2)


def test_an_agent_that_workers_cannot_make_is_explained():
    class Here:
        def decide(self, model, view, budget, rng):
            return view.legal[0]

    with pytest.raises(BadAgent, match="cannot be sent"):
        list(play_many("nim", [Here(), Here()], games=2, workers=2))


SCRIPT = """
import os, sys
from ludex.arena.processes.process import LIVING
from ludex.arena.study.tournament import play_many

finished = []
try:
    for result in play_many("nim", sys.argv[1:], games=10**6, budget="9calls", workers=2):
        finished.append(result)
        if len(finished) == 3:
            print(*[child.process.pid for child in LIVING], flush=True)
except KeyboardInterrupt:
    print("finished", len(finished) >= 3, flush=True)
"""


def test_ctrl_c_keeps_what_is_finished_and_leaves_nothing_behind(tmp_path):
    script = tmp_path / "series.py"
    script.write_text(SCRIPT)
    parent = subprocess.Popen(
        [sys.executable, str(script), RANDOM, RANDOM], stdout=subprocess.PIPE, text=True
    )
    try:
        workers = [int(word) for word in parent.stdout.readline().split()]
        assert len(workers) == 2
        parent.send_signal(signal.SIGINT)
        rest, _ = parent.communicate(timeout=60)
    finally:
        parent.kill()
        parent.wait()
    assert rest == "finished True\n"
    end = time.monotonic() + 60
    while any(exists(worker) for worker in workers):
        assert time.monotonic() < end
        time.sleep(0.02)


def exists(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
