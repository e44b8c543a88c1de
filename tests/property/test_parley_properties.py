"""What is true of every game of parley."""

import pickle

from hypothesis import given, settings
from hypothesis import strategies as st

from ludex.core import registry
from ludex.core.rng import Rng
from ludex.worlds.parley.values import Phase

WORLDS = ["parley", "parley[copies=2,hand=1,rounds=2]", "parley[copies=9,rounds=3]"]
worlds = st.sampled_from(WORLDS).map(registry.world)


@st.composite
def positions(draw):
    """A world and a state reached by choices that hypothesis can shrink."""
    world = draw(worlds)
    model, rng = world.model, Rng(draw(st.integers(0, 2**32)))
    state = world.start(rng)
    for choice in draw(st.lists(st.integers(0, 10**6), max_size=60)):
        if model.over(state):
            break
        if listed := model.chance(state):
            state = model.resolve(state, listed[choice % len(listed)][0])
        else:
            (seat,) = model.to_act(state)
            legal = model.legal(state, seat)
            state = model.step(state, (legal[choice % len(legal)],), rng)
    return world, state


SMALL = settings(max_examples=60, deadline=None)


@SMALL
@given(positions())
def test_cards_never_appear_or_vanish(position):
    world, state = position
    for numbers in zip(*state.hands, *state.pledged, state.pile, strict=True):
        assert min(numbers) >= 0
        assert sum(numbers) == world.copies


@SMALL
@given(positions())
def test_every_state_is_read_back_from_its_line(position):
    world, state = position
    assert world.parse(str(state)) == state
    assert pickle.loads(pickle.dumps(state)) == state


@SMALL
@given(positions())
def test_someone_acts_or_chance_is_pending_or_it_is_over(position):
    world, state = position
    model = world.model
    acting, pending, over = model.to_act(state), model.chance(state), model.over(state)
    assert sum(map(bool, (acting, pending, over))) == 1
    for seat in range(3):
        legal = list(model.legal(state, seat))
        assert bool(legal) == (seat in acting)
        assert legal == sorted(set(legal))
        assert len(legal) <= model.traits.max_legal
    if pending:
        assert abs(sum(probability for _, probability in pending) - 1) < 1e-9


@SMALL
@given(positions(), st.integers(0, 2), st.integers(0, 2**32))
def test_what_is_imagined_looks_like_what_was_seen(position, seat, seed):
    world, state = position
    view = world.model.view(state, seat)
    imagined = world.model.imagine(view, Rng(seed))
    assert world.model.view(imagined, seat) == view
    assert world.parse(str(imagined)) == imagined


@SMALL
@given(positions())
def test_legal_actions_are_typed_and_read_back(position):
    world, state = position
    for seat in world.model.to_act(state):
        view = world.model.view(state, seat)
        for action in view.legal:
            assert world.parse_action(world.action_text(action), view) == action
            assert world.codec.action(view, world.codec.index(view, action)) == action


@SMALL
@given(positions(), st.integers(0, 2**32))
def test_every_game_ends_with_none_one_or_two_winners(position, seed):
    world, state = position
    end = world.model.rollout(state, "uniform", 10_000, Rng(seed)).state
    outcome = world.model.outcome(end)
    assert outcome is not None
    assert end.phase is Phase.OVER
    assert len(outcome.winners) <= 2
    assert outcome.returns == tuple(1.0 if s in outcome.winners else -1.0 for s in range(3))
