"""The match runner: what seats are told, what is enforced, and what is kept."""

import gc
import time
from itertools import pairwise

import pytest
from folders import HELPERS

import ludex
from ludex.arena.match.replay import replay
from ludex.arena.match.rules import Fault, MatchRules, outcome_by_fault
from ludex.arena.match.runner import play_match
from ludex.arena.match.watcher import MatchStopped, Watcher
from ludex.core import Budget, Decision, Event, registry
from ludex.core.errors import BadParameter, Unsupported, WrongSeats

AGENTS = HELPERS / "hostile_agents.py"
CALLS = Budget(model_calls=100)


def hostile(name):
    return f"{AGENTS}:{name}"


class Chooser:
    """Plays by a function of the view, and keeps all it sees."""

    def __init__(self, choose=lambda view: view.legal[0]):
        self.choose = choose
        self.diary = []
        self.budgets = []
        self.streams = []

    def start(self, model, view, budget, rng):
        self.diary.append(("start", view))
        self.model = model
        return self

    def observe(self, event):
        self.diary.append(("observe", event))

    def decide(self, view, budget, rng):
        self.diary.append(("decide", view))
        self.budgets.append(budget)
        self.streams.append(rng.copy())
        return Decision(action=self.choose(view))

    def finish(self, view, outcome):
        self.diary.append(("finish", outcome))

    def __str__(self):
        return "chooser"

    def events(self):
        return [what for kind, what in self.diary if kind == "observe"]


def test_the_front_page_plays_a_match():
    assert ludex.play("nim", ["nim/perfect", "uniform"], seed=1).winners == (0,)


def test_a_mind_lives_through_start_events_decisions_and_finish():
    one, other = Chooser(), Chooser()
    result = play_match("nim[heaps=2]", [one, other], budget=CALLS)
    assert [kind for kind, _ in one.diary] == [
        "start", "decide", "observe", "observe", "finish"
    ]  # fmt: skip
    assert [kind for kind, _ in other.diary] == [
        "start", "observe", "decide", "observe", "finish"
    ]  # fmt: skip
    assert one.diary[-1] == ("finish", result.outcome)


def test_open_worlds_without_events_tell_the_moves_and_the_chance():
    one, other = Chooser(), Chooser()
    result = play_match("pig[target=6]", [one, other], seed=4, budget=CALLS)
    expected = []
    for moment in result.record.moments:
        if moment.actions:
            expected.append(("move", moment.actions[0]))
        elif moment.chance:
            expected.append(("chance", moment.chance))
    assert [(event.kind, str(event.detail)) for event in one.events()] == expected
    assert one.events() == other.events()


def test_worlds_with_hidden_facts_tell_each_seat_its_own_events():
    one, other = Chooser(), Chooser()
    play_match("kuhn_poker", [one, other], seed=3, budget=CALLS)
    kuhn = registry.world("kuhn_poker").model
    deal = [event for event in one.events() if event not in other.events()]
    assert deal, "each seat is told its own card"
    assert kuhn.traits.hidden


def test_all_seats_are_asked_when_they_act_at_once():
    bids = [Chooser(lambda view: view.legal[-1]), Chooser(lambda view: view.legal[0])]
    result = play_match("goofspiel[cards=3]", bids, seed=2, budget=CALLS)
    assert result.record.moments[1].actions == ("3", "1")
    assert result.ticks == 3
    assert [len(made) for made in result.decisions] == [3, 3]


def test_the_same_seed_plays_the_same_match():
    agents = [hostile("Random")] * 3
    first, again, other = (
        play_match("parley", agents, seed=seed, budget=CALLS) for seed in (7, 7, 8)
    )
    assert first.record == again.record
    assert first.record.moments != other.record.moments


def test_a_decision_draws_from_its_own_stream_whatever_was_drawn_before():
    sober, thirsty = Chooser(), Chooser()

    class Drinks(Chooser):
        def decide(self, view, budget, rng):
            decision = super().decide(view, budget, rng)
            [rng.bits() for _ in range(100)]
            return decision

    thirsty = Drinks()
    for agent in (sober, thirsty):
        play_match("nim", [agent, Chooser()], seed=3, budget=CALLS)
    assert sober.streams == thirsty.streams
    assert len(set(sober.streams)) == len(sober.streams)


def test_a_match_starts_from_any_given_state():
    nim = registry.world("nim")
    state = nim.parse("0 0 1 turn=1")
    result = play_match(nim, [Chooser(), Chooser()], state=state, budget=CALLS)
    assert result.winners == (1,)
    assert result.ticks == 1
    assert str(state) == "0 0 1 turn=1"


def test_the_tick_limit_truncates():
    result = play_match("nim", [Chooser(), Chooser()], budget=CALLS, rules=MatchRules(max_ticks=3))
    assert result.outcome.truncated
    assert result.ticks == 3
    assert result.winners == ()
    assert result.outcome.reason == "stopped after 3 ticks"


def test_a_spent_meter_of_the_world_does_not_stop_the_real_game():
    nim = registry.load("worlds", "nim")()  # not the one that other tests share
    nim.model.meter.arm(model_calls=1)
    nim.model.meter.spend()
    assert not play_match(nim, [Chooser(), Chooser()], budget=CALLS).outcome.truncated


# Watchers


class Notes(Watcher):
    def __init__(self):
        self.lines = []

    def before_match(self, world, agents, state):
        self.lines.append(("before", str(world), tuple(agents), str(state)))

    def after_chance(self, draw):
        self.lines.append(("chance", draw.outcome, str(draw.after)))

    def after_step(self, step):
        decided = sorted(step.decisions)
        self.lines.append(("step", step.actions, step.events, str(step.after), decided))

    def after_match(self, state, outcome):
        self.lines.append(("after", outcome))


def test_a_watcher_sees_every_step():
    notes = Notes()
    result = play_match("nim[heaps=2]", [Chooser(), Chooser()], budget=CALLS, watchers=[notes])
    take = registry.world("nim[heaps=2]").take(1, heap=0)
    assert notes.lines == [
        ("before", "nim[heaps=2]", ("chooser", "chooser"), "2 turn=0"),
        ("step", (take,), (Event("move", 0, take),), "1 turn=1", [0]),
        ("step", (take,), (Event("move", 1, take),), "0 turn=0", [1]),
        ("after", result.outcome),
    ]


def test_a_watcher_cannot_touch_the_game():
    class Vandal(Watcher):
        def after_step(self, step):
            step.after.heaps = (0, 0, 0)
            step.before.heaps = (9, 9, 9)

    quiet = play_match("nim", [Chooser(), Chooser()], budget=CALLS)
    watched = play_match("nim", [Chooser(), Chooser()], budget=CALLS, watchers=[Vandal()])
    assert quiet.record == watched.record


def test_an_agent_cannot_touch_the_game_through_its_view():
    class Vandal(Chooser):
        def decide(self, view, budget, rng):
            decision = super().decide(view, budget, rng)
            view.state.heaps = (0, 0, 0)
            return decision

    quiet = play_match("nim", [Chooser(), Chooser()], budget=CALLS)
    spoiled = play_match("nim", [Vandal(), Vandal()], budget=CALLS)
    assert quiet.record == spoiled.record


# Faults


@pytest.mark.parametrize(
    ("name", "kind", "words"),
    [
        ("Raises", "crash", "ValueError: no idea while deciding"),
        ("RaisesAtStart", "crash", "ValueError: no idea while starting"),
        ("Exits", "crash", "SystemExit: 3"),
        ("AnswersNone", "rubbish", "decide returned nothing; return a Decision"),
        (
            "AnswersIllegally",
            "rubbish",
            "chose ('take', -1) of type tuple (actions here are Take), which is not legal",
        ),
        ("AnswersUnhashable", "rubbish", "chose [1, 2] of type list"),
        ("StrangeNumbers", "rubbish", "its Decision.iterations is 'many', not a number"),
        ("NotADecision", "rubbish", "answered 7 instead of a Decision"),
        ("EqualToEverything", "rubbish", "RuntimeError: compared"),
        ("LetsTheBudgetEscape", "crash", "catch it and answer"),
        ("CallsTooMuch", "overrun", "made 50 model calls of 20"),
        ("HidesItsCalls", "overrun", "made 50 model calls of 20"),
    ],
)
def test_a_faulty_agent_loses_in_this_process_too(name, kind, words):
    result = play_match("nim", [Chooser(), hostile(name)], budget="20calls", isolate=False)
    assert [(fault.seat, fault.kind) for fault in result.faults] == [(1, kind)]
    assert words in result.faults[0].message
    assert result.winners == (0,)
    assert result.outcome.reason == f"seat 1 lost by a fault ({kind}): {result.faults[0].message}"


def test_more_iterations_than_allowed_are_a_fault():
    result = play_match("nim", [hostile("CountsTooMuch"), Chooser()], budget="20iterations")
    assert result.faults == (Fault(0, "overrun", 0, "made 21 iterations of 20"),)


def test_a_crash_keeps_its_traceback():
    result = play_match("nim", [hostile("Raises"), Chooser()], budget=CALLS)
    assert 'raise ValueError("no idea")' in result.faults[0].trace


def test_with_default_actions_a_match_goes_on_after_a_fault():
    rules = MatchRules(on_fault="default")
    result = play_match("nim", [hostile("Raises"), Chooser()], budget=CALLS, rules=rules)
    assert not result.outcome.truncated
    assert [fault.kind for fault in result.faults] == ["crash"]


def test_a_match_in_which_every_seat_is_out_ends():
    rules = MatchRules(on_fault="default")
    result = play_match("nim", [hostile("Raises")] * 2, budget=CALLS, rules=rules)
    assert result.winners == ()
    assert result.returns == (-1.0, -1.0)


def test_the_others_share_what_a_faulty_seat_loses():
    fault = Fault(0, "crash", 3, "x")
    assert outcome_by_fault(2, [fault]).returns == (-1.0, 1.0)
    assert outcome_by_fault(4, [fault]).returns == (-1.0, 1 / 3, 1 / 3, 1 / 3)
    assert outcome_by_fault(4, [fault]).winners == (1, 2, 3)
    assert outcome_by_fault(1, [fault]).winners == ()


@pytest.mark.parametrize("name", ["Refuses", "RefusesLater"])
def test_an_agent_in_a_file_that_refuses_loses_in_this_process_too(name):
    result = play_match("nim", [hostile(name), Chooser()], budget=CALLS, isolate=False)
    assert [(fault.seat, fault.kind) for fault in result.faults] == [(0, "refusal")]
    assert result.winners == (1,)


def test_a_refusal_of_the_callers_own_agent_is_raised_to_the_caller():
    class Refuses(Chooser):
        def start(self, model, view, budget, rng):
            raise Unsupported("refuses nim")

    with pytest.raises(Unsupported):
        play_match("nim", [Refuses(), Chooser()], budget=CALLS)


def test_a_planner_refuses_a_world_that_hides_something():
    with pytest.raises(Unsupported, match="mcts@believed"):
        play_match("kuhn_poker", ["mcts", "uniform"], budget=CALLS)


# Time


def test_a_little_late_means_the_default_action():
    world, budget = "nim[heaps=1]", Budget(time_ms=200)
    result = play_match(world, [f"{hostile('Burns')}(ms=220)", Chooser()], budget=budget)
    assert [fault.kind for fault in result.faults] == ["late"]
    assert result.winners == (0,)
    assert not result.repeatable


def test_far_too_late_means_disqualification():
    world, budget = "nim[heaps=1]", Budget(time_ms=50)
    result = play_match(world, [f"{hostile('Burns')}(ms=120)", Chooser()], budget=budget)
    assert [fault.kind for fault in result.faults] == ["overrun"]
    assert result.winners == (1,)


def test_cpu_time_counts_by_default_and_wall_time_on_request():
    world = "nim[heaps=1]"
    cpu = play_match(world, [hostile("Naps"), Chooser()], budget=Budget(time_ms=30))
    wall = play_match(world, [hostile("Naps"), Chooser()], budget=Budget(time_ms=30, wall=True))
    assert cpu.faults == ()
    assert cpu.decisions[0][0].wall_ms > 55
    assert [fault.kind for fault in wall.faults] == ["overrun"]


@pytest.mark.parametrize(("budget", "collects"), [("40ms", False), ("9calls", True)])
def test_garbage_is_not_collected_in_a_timed_decision(budget, collects):
    seen = []

    class Looks(Chooser):
        def decide(self, view, budget, rng):
            seen.append(gc.isenabled())
            raise ValueError("seen enough")

    play_match("nim", [Looks(), Chooser()], budget=budget)
    assert seen == [collects]
    assert gc.isenabled()


def test_the_collection_after_a_timed_decision_is_not_the_agents_time(monkeypatch):
    class Looks(Chooser):
        def decide(self, view, budget, rng):
            log.append("decides")
            return super().decide(view, budget, rng)

    def clock():
        log.append("collection on" if gc.isenabled() else "collection off")
        return perf_counter()

    log = []
    perf_counter = time.perf_counter
    monkeypatch.setattr(time, "perf_counter", clock)
    play_match("nim[heaps=1]", [Looks(), Chooser()], budget="40ms")
    assert log[log.index("decides") + 1] == "collection off"


def test_a_slow_start_is_an_overrun():
    class Slow(Chooser):
        def start(self, model, view, budget, rng):
            sum(range(300_000))
            return super().start(model, view, budget, rng)

    rules = MatchRules(setup_ms=0.5)
    result = play_match("nim", [Slow(), Chooser()], budget=Budget(time_ms=1000), rules=rules)
    assert [fault.kind for fault in result.faults] == ["overrun"]
    # Budgets of calls give the same match on any machine, so that nothing is timed under them.
    assert not play_match("nim", [Slow(), Chooser()], budget=CALLS, rules=rules).faults


def test_the_limits_of_the_default_budget():
    rules = MatchRules()
    assert rules.disqualified_above(40) == 50
    assert rules.disqualified_above(10) == 15
    assert rules.setup_ms == 1000


class Spends(Chooser):
    """Makes three model calls in each decision."""

    def decide(self, view, budget, rng):
        decision = super().decide(view, budget, rng)
        for _ in range(3):
            self.model.step(view.state, (view.legal[0],), rng)
        return decision


def test_a_budget_for_a_turn_covers_all_decisions_until_another_seat_acts():
    rolls = Spends(lambda view: view.legal[-1])
    other = Spends(lambda view: view.legal[0])
    budget = Budget(model_calls=10, per="turn")
    play_match("pig[target=30]", [rolls, other], seed=1, budget=budget)
    calls = [one.model_calls for one in rolls.budgets]
    for before, after in pairwise(calls):
        assert after in (10, before - 3)
    assert calls[0] == 10
    assert 7 in calls


def test_a_turn_without_budget_is_played_by_default_actions():
    rolls = Spends(lambda view: view.legal[-1])
    budget = Budget(model_calls=3, per="turn")
    result = play_match("pig[target=30]", [rolls, Chooser()], seed=1, budget=budget)
    late = [fault for fault in result.faults if fault.seat == 0]
    assert {fault.kind for fault in late} == {"late"}
    assert all(one.model_calls == 3 for one in rolls.budgets)


# What is refused


def test_the_number_of_agents_must_fit_the_seats():
    with pytest.raises(WrongSeats, match="nim has 2 seats, got 1 agent; give exactly 2"):
        play_match("nim", ["uniform"])


@pytest.mark.parametrize("seed", [-1, 2**63, "x"])
def test_an_impossible_seed_is_refused(seed):
    with pytest.raises(BadParameter, match="a seed is a whole number"):
        play_match("nim", ["uniform", "uniform"], seed=seed)


@pytest.mark.parametrize(
    "wrong",
    [{"max_ticks": 0}, {"setup_ms": 0}, {"patience": -1}, {"grace": -0.1}, {"hang_after_ms": 0}],
)
def test_impossible_rules_are_refused(wrong):
    with pytest.raises(BadParameter):
        MatchRules(**wrong)


def test_importing_ludex_is_light():
    import subprocess
    import sys

    program = "import sys, ludex; print('numpy' in sys.modules, ludex.__version__ > '')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False True\n"


def test_every_promised_name_is_there():
    assert len(ludex.__all__) == 13
    for name in ludex.__all__:
        assert getattr(ludex, name) is not None
    with pytest.raises(AttributeError):
        _ = ludex.nothing


def test_many_games_give_a_series():
    series = ludex.play("nim", ["nim/perfect", "uniform"], seed=1, budget="9calls", games=4)
    assert series.wins == (4, 0)
    assert len(series) == 4
    assert series.repeatable


def test_a_watcher_may_stop_a_match_and_what_was_played_is_kept():
    class Leaves(Watcher):
        def after_step(self, step):
            self.seen = getattr(self, "seen", 0) + 1
            if self.seen == 2:
                raise MatchStopped("seen enough")

    result = play_match("nim", ["uniform", "uniform"], seed=1, watchers=[Leaves()])
    assert result.outcome.truncated
    assert result.outcome.reason == "seen enough at tick 2"
    assert (result.ticks, result.faults) == (2, ())
    assert replay(result.record) == result.outcome
