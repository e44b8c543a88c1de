"""The kit catches worlds whose events say too little, too much, or something else."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from test_kit_worlds import CoinsModel, CoinsWorld, State, mutant, world_with

from ludex.core import registry
from ludex.core.event import Event
from ludex.core.rng import Meter, Rng
from ludex.core.tracker import Tracked
from ludex.testing import MODEL_CHECKS, WORLD_CHECKS, CheckFailed
from ludex.testing.games import random_game, scripted_game, scripts_of

CHECKS = {check.__name__: check for check in WORLD_CHECKS}


def caught(check_name, world, match):
    with pytest.raises(CheckFailed, match=match):
        CHECKS[check_name](world)


# Too much


def test_catches_news_of_an_earlier_step_that_is_told_again():
    """News is kept until a step replaces it, and one kind of step adds to it instead."""

    def apply_and_add(self, state, actions, rng):
        before = state.news
        CoinsModel._apply(self, state, actions, rng)
        state.news = (*before, *state.news)

    world = world_with(_apply=apply_and_add)
    caught("check_events_are_of_the_last_step", world, "from the same state without a past")


def test_catches_a_first_state_that_tells_something():
    world = mutant(start=lambda self, rng: State(news=(("say", 0, "match"),)))
    caught("check_nothing_is_told_before_the_game", world, "the first state '- - 0' tells seat")


# Too little


def test_catches_a_step_that_changes_a_view_and_tells_nothing():
    def apply_silently(self, state, actions, rng):
        CoinsModel._apply(self, state, actions, rng)
        state.news = ()

    caught("check_changes_are_told", world_with(_apply=apply_silently), "is told nothing")


def test_catches_news_that_does_not_say_which_card_was_dealt():
    def events_without_the_coin(self, state, seat=None):
        told = CoinsModel.events(self, state, seat)
        return tuple(replace(e, detail=None) if e.kind == "deal" else e for e in told)

    world = world_with(events=events_without_the_coin)
    caught("check_views_follow_from_what_is_told", world, "which look unlike")


# Something else by another way


def test_catches_a_settling_that_tells_something_else_than_resolving():
    def settle_and_whisper(self, state, rng):
        drawn = CoinsModel.settle(self, state, rng)
        if drawn:
            state.news = ()
        return drawn

    world = world_with(settle=settle_and_whisper)
    caught("check_all_ways_of_stepping_tell_the_same", world, "settling .* tells")


def test_catches_a_batch_that_tells_something_else_than_steps():
    def whisper(self, states, actions, rng, threads=1):
        return [
            world.parse(str(state)) for state in CoinsModel.step_many(self, states, actions, rng)
        ]

    world = world_with(step_many=whisper)
    caught("check_all_ways_of_stepping_tell_the_same", world, "step_many tells")


# Counting along


class SayingTracker:
    """Counts what was said."""

    def __init__(self, view):
        self.said = list(view.said)

    def observe(self, event):
        if event.kind == "say":
            self.said.append(event.detail)

    def counts(self):
        return {"said": tuple(self.said)}


@dataclass(frozen=True, kw_only=True)
class CountedCoins(CoinsWorld):
    """Coins with a tracker."""

    def tracker(self, view):
        return SayingTracker(view)

    def public_counts(self, view):
        return {"said": view.said}


def test_a_world_with_a_tracker_passes():
    assert isinstance(CountedCoins(), Tracked)
    assert not isinstance(CoinsWorld(), Tracked)
    CHECKS["check_trackers_keep_the_public_counts"](CountedCoins())


def test_catches_an_event_that_is_told_twice():
    class Echo(CoinsModel):
        def events(self, state, seat=None):
            return super().events(state, seat) * 2

    @dataclass(frozen=True, kw_only=True)
    class EchoingCoins(CountedCoins):
        """Coins that say everything twice."""

        rules = Echo

    caught("check_trackers_keep_the_public_counts", EchoingCoins(), "counts said .* but the table")


# The games that are followed


@pytest.mark.parametrize("name", ["catan", "hearthstone", "parley", "kuhn_poker", "pig", "nim"])
def test_scripted_games_are_played_where_there_are_scripts(name):
    world = registry.world(name)
    assert scripts_of(world)
    passages = list(scripted_game(world, 1))
    assert passages
    assert not world.model.to_act(passages[-1].after)


def test_a_world_without_scripts_has_no_scripted_game():
    assert list(scripted_game(CoinsWorld(), 0)) == []
    assert len(list(random_game(CoinsWorld(), 0))) == 7


def test_worlds_without_events_tell_the_moves_and_outcomes_themselves():
    world = registry.world("pig")
    model = world.model.metered(Meter())
    told = [passage.told(model, 0) for passage in random_game(world, 0, limit=2)]
    assert told[0] == (Event("move", 0, "roll"),)
    assert [event.kind for event in told[1]] == ["chance"]


@pytest.mark.parametrize("name", registry.names("worlds"))
def test_every_world_of_ours_is_counted_or_open(name):
    """Where facts are hidden, a tracker of the world's own must prove what events say."""
    world = registry.world(name)
    assert isinstance(world, Tracked) or not world.traits.hidden


# A step that did nothing


@pytest.mark.parametrize("name", registry.names("worlds"))
def test_a_step_in_which_nobody_acts_tells_nothing(name):
    world = registry.world(name)
    model = world.model.metered(Meter())
    *_, last = random_game(world, 0)
    while not model.over(last.after):
        *_, last = random_game(world, 1, limit=20_000)
    advanced = last.after
    model.advance(advanced, (), Rng(0))
    assert model.events(advanced) == ()


def test_a_trace_tells_the_outcomes_of_a_tick_after_its_decision():
    world = registry.world("catan")
    model = world.model.metered(Meter())
    state = next(p.before for p in random_game(world, 0) if p.before.phase == "before_roll")
    roll = model.legal(state, model.to_act(state)[0])[0]
    traced = model.rollout(state, "uniform", 0, Rng(2), trace=True, opening=[(roll,)])
    assert [event.kind for event in traced.trace.events[0][:2]] == ["roll", "dice"]


def test_the_model_check_runs_on_models_of_all_kinds():
    assert "check_all_ways_of_stepping_tell_the_same" in [one.__name__ for one in MODEL_CHECKS]
