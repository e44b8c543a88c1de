"""Model checks accept models that disagree with the world, and catch broken ones."""

from __future__ import annotations

import pytest
from folders import REPOSITORY

from ludex.core import registry
from ludex.core.rng import Meter, Rng
from ludex.models.parts.delegate import Delegate
from ludex.testing import (
    MODEL_CHECKS,
    PLANNER_CHECKS,
    WORLD_CHECKS,
    CheckFailed,
    games_of,
    positions,
    seeds,
    states_of,
    walk,
)

NIM = registry.world("nim[heaps=1-2-3]")
CHECKS = {check.__name__: check for check in MODEL_CHECKS}


class Skewed(type(NIM.model)):
    """Consistent rules of another game: every move takes one match from the last heap left."""

    def _apply(self, state, actions, rng):
        heaps = list(state.heaps)
        last = max(place for place, size in enumerate(heaps) if size)
        heaps[last] -= 1
        state.heaps = tuple(heaps)
        state.turn = 1 - state.turn


def skewed():
    return Skewed(NIM.heaps, NIM.misere)


@pytest.mark.parametrize("check", MODEL_CHECKS, ids=lambda check: check.__name__)
def test_a_model_that_disagrees_with_the_world_passes(check):
    check(NIM, skewed())


class Silent(Delegate):
    """Steps without counting."""

    def __init__(self, inner):
        super().__init__(inner)
        self.free = inner.metered(Meter())

    def step(self, state, actions, rng):
        return self.free.step(state, actions, rng)


def test_catches_a_wrapper_that_steps_on_another_meter():
    with pytest.raises(CheckFailed):
        CHECKS["check_meter_counts_steps"](NIM, Silent(NIM.model.metered(Meter())))


class Deaf(Skewed):
    """Plays its own way in batches."""

    def play(self, state, sequences, rng):
        return []


def test_catches_a_model_whose_batches_disagree_with_its_steps():
    with pytest.raises(CheckFailed, match="play from"):
        CHECKS["check_play_agrees_with_fallback"](NIM, Deaf(NIM.heaps, NIM.misere))


def test_walk_visits_afterstates_and_ends_at_the_end():
    pig = registry.world("pig")
    states = walk(pig, seed=3)
    assert any(pig.model.chance(state) for state in states)
    assert pig.model.over(states[-1])


def test_walk_calls_each_with_every_state():
    seen = []
    assert walk(NIM, seed=1, each=seen.append) == seen


def test_walk_depends_on_its_seed_alone():
    assert walk(NIM, seed=5) == walk(NIM, seed=5)
    assert walk(NIM, seed=5) != walk(NIM, seed=6)


def test_walk_stops_at_its_limit():
    assert len(walk(registry.world("pig"), seed=0, limit=7)) == 7


def test_positions_hold_openings_and_ends():
    states = positions(NIM, NIM.model)
    assert states[0] == NIM.start(Rng(0))
    assert NIM.model.over(states[-1])


def test_strategies_give_games_states_and_seeds():
    from hypothesis import given, settings

    @settings(max_examples=10, deadline=None)
    @given(games_of(NIM), states_of(NIM), seeds())
    def matches_only_vanish(game, state, seed):
        totals = [sum(one.heaps) for one in game]
        assert totals == sorted(totals, reverse=True)
        assert NIM.parse(str(state)) == state
        assert 0 <= seed < 2**63

    matches_only_vanish()


@pytest.mark.parametrize(
    "check", [*WORLD_CHECKS, *PLANNER_CHECKS], ids=lambda check: check.__name__
)
def test_the_page_on_testing_lists_every_check_with_what_it_proves(check):
    page = REPOSITORY / "docs" / "testing.md"
    assert f"- `{check.__name__}`: {check.__doc__.splitlines()[0]}\n" in page.read_text()
