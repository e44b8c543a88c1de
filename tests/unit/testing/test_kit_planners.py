"""The kit catches planners that are broken in one place: one test for each way."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from ludex.core import registry
from ludex.core.budget import Budget
from ludex.core.decision import Decision
from ludex.core.errors import BudgetSpent, Unsupported
from ludex.core.planner import Planner, StatefulPlanner, StatelessMind
from ludex.core.rng import Meter, Rng
from ludex.testing import (
    EVERY_WORLD_CHECKS,
    PLANNER_CHECKS,
    CheckFailed,
    every_world,
    run_planner_checks,
)

NIM = registry.world("nim[heaps=1-2-3]")
KUHN = registry.world("kuhn_poker")
CHECKS = {check.__name__: check for check in PLANNER_CHECKS}


@dataclass(frozen=True, kw_only=True)
class Sampler(Planner):
    """A healthy planner: rolls out from each action in turn and takes the best mean."""

    handles_hidden: ClassVar[bool] = True

    depth: int = 20
    """ticks of a rollout"""

    def plan(self, model, view, budget, rng):
        visits = dict.fromkeys(view.legal, 0)
        sums = dict.fromkeys(view.legal, 0.0)
        tried = 0
        try:
            while tried < (budget.iterations or 10**9) and not model.meter.spent:
                action = view.legal[tried % len(view.legal)]
                state = model.imagine(view, rng)
                acting = model.to_act(state)
                joint = tuple(
                    action if seat == view.seat else rng.choice(list(model.legal(state, seat)))
                    for seat in acting
                )
                model.advance(state, joint, rng)
                end = model.rollout(state, "uniform", self.depth, rng)
                tried += 1
                visits[action] += 1
                sums[action] += end.returns[view.seat] if end.returns else 0.0
        except BudgetSpent:
            pass
        values = {action: sums[action] / max(1, visits[action]) for action in view.legal}
        best = max(view.legal, key=lambda action: values[action])
        return Decision(action=best, visits=visits, values=values, iterations=tried, depth=1)


def caught(check, planner, match, world=NIM):
    with pytest.raises(CheckFailed, match=match):
        CHECKS[check](planner, world)


@pytest.mark.parametrize("world", ["nim[heaps=1-2-3]", "pig", "kuhn_poker", "goofspiel"])
@pytest.mark.parametrize("check", PLANNER_CHECKS, ids=lambda check: check.__name__)
def test_the_healthy_planner_passes(check, world):
    check(Sampler(), registry.world(world))


class Overspender(Sampler):
    """Arms the meter again when it is spent."""

    def plan(self, model, view, budget, rng):
        decision = Sampler.plan(self, model, view, budget, rng)
        calls = model.meter.calls
        model.meter.arm(model_calls=calls + 1)
        for _ in range(calls + 1):
            model.step(model.imagine(view, rng), (decision.action,), rng)
        return decision


def test_catches_a_planner_that_overspends_its_calls():
    caught("check_keeps_a_budget_of_calls", Overspender(), "model calls of the 1 allowed")


class OffMeter(Sampler):
    """Thinks on a meter of its own."""

    def plan(self, model, view, budget, rng):
        own = model.metered(Meter())
        for _ in range(5):
            own.rollout(own.imagine(view, rng), "uniform", 50, rng)
        return Decision(action=view.legal[0])


def test_catches_a_planner_that_thinks_off_the_meter():
    caught("check_keeps_a_budget_of_calls", OffMeter(), "model calls of the 1 allowed")


class Boaster(Sampler):
    """Reports other costs than it had."""

    def decide(self, model, view, budget, rng):
        return replace(Sampler.decide(self, model, view, budget, rng), model_calls=0)


@pytest.mark.parametrize(
    "check",
    [
        "check_keeps_a_budget_of_calls",
        "check_keeps_a_budget_of_iterations",
        "check_keeps_a_budget_of_time",
    ],
)
def test_catches_a_planner_that_reports_other_calls_than_the_meter(check):
    caught(check, Boaster(), "reports 0 model calls")


class Endless(Sampler):
    """Does one iteration more than allowed."""

    def plan(self, model, view, budget, rng):
        if budget.iterations:
            budget = Budget(iterations=budget.iterations + 1)
        return Sampler.plan(self, model, view, budget, rng)


def test_catches_a_planner_that_overspends_its_iterations():
    caught("check_keeps_a_budget_of_iterations", Endless(), "21 iterations of the 20")


class Slow(Sampler):
    """Does not look at the clock."""

    def plan(self, model, view, budget, rng):
        end = time.thread_time() + (0.15 if budget.time_ms else 0.0)
        while time.thread_time() < end:
            pass
        return Decision(action=view.legal[0])


def test_catches_a_planner_that_ignores_its_clock():
    caught("check_keeps_a_budget_of_time", Slow(), "ms of its 10 ms")


class Cheat(Sampler):
    """Chooses something that is not legal."""

    def plan(self, model, view, budget, rng):
        return Decision(action="all of them")


def test_catches_a_planner_that_chooses_illegally():
    caught("check_keeps_a_budget_of_calls", Cheat(), "not legal")


def test_catches_faults_in_a_whole_match():
    caught("check_plays_whole_matches", Cheat(), "rubbish")


class GlobalDice(Sampler):
    """Chooses by the global generator."""

    def plan(self, model, view, budget, rng):
        return Decision(action=view.legal[0], values={view.legal[0]: random.random()})


def test_catches_a_planner_that_uses_global_dice():
    caught("check_same_seed_same_decision", GlobalDice(), "with one seed")


class StatefulMind(Sampler):
    """Keeps something between decisions outside its mind."""

    seen: ClassVar[list] = []

    def plan(self, model, view, budget, rng):
        self.seen.append(view)
        return Decision(action=view.legal[0], depth=len(self.seen))


def test_catches_a_planner_that_remembers_outside_its_mind():
    caught("check_same_seed_same_decision", StatefulMind(), "with one seed")


class TwoMinded(Sampler):
    """Its mind decides otherwise than it does itself."""

    def start(self, model, view, budget, rng):
        return StatelessMind(Sampler(depth=1), model)


def test_catches_a_mind_that_differs_from_the_short_form():
    caught("check_short_form_agrees_with_mind", TwoMinded(), "its mind differ", KUHN)


class Scribbler(Sampler):
    """Plays on the state inside the view."""

    def plan(self, model, view, budget, rng):
        if hasattr(view, "state"):
            model.advance(view.state, view.legal[:1], rng)
        return Decision(action=view.legal[0])


def test_catches_a_planner_that_changes_its_view():
    caught("check_leaves_the_view_alone", Scribbler(), "changed the view")


@pytest.mark.parametrize(
    ("evidence", "match"),
    [
        ({"visits": {"nothing": 1}}, "which is not legal"),
        ({"values": {"nothing": 1.0}}, "which is not legal"),
        ({"confidence": 7.0}, "not 0 to 1"),
        ({"depth": -1}, "depth -1"),
    ],
)
def test_catches_bad_evidence(evidence, match):
    class Strange(Sampler):
        """Gives strange evidence."""

        def plan(self, model, view, budget, rng):
            return Decision(action=view.legal[0], **evidence)

    caught("check_evidence_is_about_legal_actions", Strange(), match)


def test_catches_thoughts_that_change_the_next_decision():
    @dataclass(frozen=True, kw_only=True)
    class Moved(StatefulPlanner):
        """Plays on by one action each time that it is watched."""

        handles_hidden: ClassVar[bool] = True

        def fresh_memory(self):
            return []

        def plan_on(self, memory, model, view, budget, rng):
            action = view.legal[len(memory) % len(view.legal)]
            return Decision(action=action, thoughts=lambda: memory.append(1) or {})

    caught("check_thoughts_change_nothing", Moved(), "after it showed its thoughts")


def test_catches_thoughts_that_cannot_be_shown():
    class Mute(Sampler):
        """Has no words for what it thinks."""

        def plan(self, model, view, budget, rng):
            return Decision(action=view.legal[0], thoughts=lambda: 1 / 0)

    caught("check_thoughts_change_nothing", Mute(), "division by zero")


def test_catches_values_that_are_not_numbers():
    class Strange(Sampler):
        """Values an action at NaN."""

        def plan(self, model, view, budget, rng):
            return Decision(action=view.legal[0], values={view.legal[0]: float("nan")})

    caught("check_evidence_is_about_legal_actions", Strange(), "values actions")


class Peeker(Sampler):
    """Looks at the last state that its model was asked about, as a leaking model would keep."""

    def start(self, model, view, budget, rng):
        return StatelessMind(self, model)

    def plan(self, model, view, budget, rng):
        return Decision(action=view.legal[0], depth=hash(str(LAST[-1])) % 1000)


LAST: list = []


def test_catches_a_planner_that_is_moved_by_what_its_seat_cannot_see(monkeypatch):
    kind = type(KUHN.model)
    real = kind.view
    monkeypatch.setattr(kind, "view", lambda self, s, seat: LAST.append(s) or real(self, s, seat))
    caught("check_decides_by_the_view_alone", Peeker(), "which look the same", KUHN)


class Stumbler(Sampler):
    """Falls over at the start instead of refusing."""

    def start(self, model, view, budget, rng):
        raise KeyError("heaps")


def test_catches_a_planner_that_crashes_instead_of_refusing():
    caught("check_refuses_before_the_first_move", Stumbler(), "must play or raise Unsupported")


class LateRefuser(Sampler):
    """Refuses in the mind but not in the short form."""

    def start(self, model, view, budget, rng):
        raise Unsupported("not today")


def test_catches_a_planner_whose_two_forms_refuse_unlike():
    caught("check_refuses_before_the_first_move", LateRefuser(), "decides with it")


class Chatty(Sampler):
    """Refuses in a paragraph."""

    def refusal(self, traits):
        return "No.\nReally not." if traits.simultaneous else None


def test_catches_a_refusal_that_is_not_one_sentence():
    caught("check_speaks_for_all_traits", Chatty(), "one sentence")


@dataclass(frozen=True, kw_only=True)
class Lossy(Sampler):
    """Does not write down one of its parameters."""

    width: int = 1

    def changed(self):
        return {}


def test_catches_parameters_that_the_text_of_a_planner_leaves_out():
    caught("check_text_of_planner_reads_back", Lossy(width=3), "made from the parameters")


def test_a_planner_that_refuses_a_world_is_not_asked_to_play_it():
    class Refuser(Sampler):
        """Refuses everything."""

        def refusal(self, traits):
            return "has a headache; use mcts"

    for check in PLANNER_CHECKS:
        check(Refuser(), NIM)


def test_a_world_that_is_refused_is_not_reported_as_played():
    class Lonely(Sampler):
        """Refuses all but one seat."""

        def refusal(self, traits):
            return "plays alone; use mcts" if traits.seats > 1 else None

    found = {one.check: one for one in run_planner_checks(PLANNER_CHECKS, Lonely(), NIM)}
    assert found["check_keeps_a_budget_of_calls"].refused.endswith("plays alone; use mcts")
    assert not found["check_speaks_for_all_traits"].refused  # it is asked, and it answers
    alone = registry.world("sokoban[limit=5]")
    played = list(run_planner_checks(PLANNER_CHECKS, Lonely(), alone))
    assert not any(one.refused for one in played)


def test_a_planner_that_breaks_in_one_world_alone_is_caught_there():
    class Stumbles(Sampler):
        """Chooses what is not legal where there are many actions."""

        def plan(self, model, view, budget, rng):
            decision = super().plan(model, view, budget, rng)
            return replace(decision, action=-7) if len(view.legal) > 6 else decision

    (found,) = run_planner_checks(EVERY_WORLD_CHECKS, Stumbles(), NIM)
    assert found.passed
    (found,) = run_planner_checks(EVERY_WORLD_CHECKS, Stumbles(), registry.world("connect_four"))
    assert not found.passed
    assert "connect_four" in found.message


def test_every_registered_world_and_game_is_among_all_worlds():
    found = every_world()
    assert {"nim", "catan", "hearthstone", "vgdl/aliens", "vgdl/tank_duel"} <= set(found)
    assert "vgdl" not in found


def test_the_counting_model_counts_every_way_to_step():
    from ludex.testing.counting import CountingModel

    meter = Meter()
    model = CountingModel(NIM.model.metered(meter))
    state = NIM.parse("1 2 3 turn=0")
    action = (model.legal(state, 0)[0],)
    model.step(state, action, Rng(0))
    model.advance(state.copy(), action, Rng(0))
    model.rollout(state, "uniform", 2, Rng(0))
    model.play(state, [[action]], Rng(0))
    model.step_many([state, state], [action, action], Rng(0))
    model.metered(meter).step(state, action, Rng(0))
    assert (model.counter.calls, meter.calls) == (8, 8)
