"""One seat of a game of several, shown as a game of one seat."""

from __future__ import annotations

import pickle

import pytest

from ludex import play
from ludex.agents.compose import make_agent
from ludex.core import Budget, Meter, Rng, registry
from ludex.core.capabilities import ObjectModel, able
from ludex.core.errors import BadParameter, NoSuchSeat, UnknownName, Unsupported
from ludex.core.event import Event
from ludex.core.fallback import rollout
from ludex.core.view import recall_moves
from ludex.models.abstracted.one_seat.view import OneSeatView
from ludex.models.abstracted.single_player import SinglePlayer
from ludex.testing import MODEL_CHECKS
from ludex.worlds.vgdl.action import Action

DUEL = registry.world("vgdl/tank_duel")
NIM = registry.world("nim[heaps=1-2-3]")
OPPONENTS = ("nothing", "last", "mirror", "random")


def shown(world, seat=0, **texts):
    """The model of a seat, with the rules and a first state."""
    rules = world.model.metered(Meter())
    state = world.start(Rng(0))
    rules.settle(state, Rng(0))
    part = SinglePlayer.from_texts(texts)
    return part.make(rules, rules.view(state, seat), Budget(model_calls=9), Rng(1)), rules, state


@pytest.mark.parametrize("check", MODEL_CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize(
    ("world", "opponent"),
    [("vgdl/tank_duel", "last"), ("nim[heaps=1-2-3]", "random"), ("kuhn_poker", "mirror")],
)
def test_the_second_seat_keeps_the_contract(world, opponent, check):
    made = registry.world(world)
    check(made, shown(made, 1, opponent=opponent)[0])


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("opponent", "answer"),
    [("nothing", Action.NIL), ("last", Action.LEFT), ("mirror", Action.DOWN)],
)
def test_a_step_is_a_step_of_the_rules_with_the_answer_of_the_opponent(seat, opponent, answer):
    model, rules, state = shown(DUEL, seat, opponent=opponent)
    told = recall_moves(rules.view(state, seat), {1 - seat: Action.LEFT, seat: Action.UP})
    model.own_view(told)
    joint = (Action.DOWN, answer) if seat == 0 else (answer, Action.DOWN)
    assert model.step(state, (Action.DOWN,), Rng(3)) == rules.step(state, joint, Rng(3))


def test_an_opponent_that_was_never_seen_to_act_does_nothing():
    model, rules, state = shown(DUEL, opponent="last")
    expected = rules.step(state, (Action.DOWN, Action.NIL), Rng(0))
    assert model.step(state, (Action.DOWN,), Rng(0)) == expected


def test_the_last_action_is_heard_where_moves_are_told():
    model, rules, state = shown(NIM, opponent="last")
    view = rules.view(state, 0)
    model.observe(Event("move", 1, view.legal[-1]))
    assert model.last == {1: view.legal[-1]}


def test_a_random_opponent_plays_every_action():
    model, rules, state = shown(NIM, opponent="random")
    ours = rules.legal(state, 0)[0]
    after = {model.step(state, (ours,), Rng(seed)) for seed in range(60)}
    middle = rules.step(state, (ours,), Rng(0))
    assert after == {rules.step(middle, (one,), Rng(0)) for one in rules.legal(middle, 1)}


def test_one_call_is_our_move_with_the_answers_to_it():
    model, _, state = shown(NIM)
    model.step(state, (model.legal(state, 0)[0],), Rng(0))
    assert model.meter.calls == 1


@pytest.mark.parametrize("opponent", OPPONENTS)
@pytest.mark.parametrize("seat", [0, 1])
def test_quick_rollouts_are_those_of_the_plain_loop(seat, opponent):
    model, _, state = shown(DUEL, seat, opponent=opponent)
    for seed in range(5):
        quick = model.rollout(state, "uniform", 60, Rng(seed))
        plain = rollout(model, state, "uniform", 60, Rng(seed))
        assert (quick.state, quick.ticks, tuple(quick.scores)) == (
            plain.state,
            plain.ticks,
            tuple(plain.scores),
        )


def test_traits_are_those_of_a_game_of_one_seat():
    traits = shown(DUEL, opponent="mirror")[0].traits
    assert (traits.seats, traits.simultaneous, traits.chance) == (1, False, "none")
    assert traits.abstracted
    assert traits.objects
    assert shown(DUEL)[0].traits.chance == "sampled"
    assert not shown(NIM)[0].traits.zero_sum


def test_the_second_seat_is_shown_as_the_only_one():
    model, rules, state = shown(DUEL, 1)
    view = model.view(state, 0)
    assert isinstance(view, OneSeatView)
    assert view.seat == 0
    real = rules.view(state, 1)
    assert (view.legal, view.avatar) == (real.legal, real.avatar)
    assert pickle.loads(pickle.dumps(view)) == view
    assert view.as_tiles().seat == view.as_objects().seat == 0
    assert model.avatars(state) == rules.avatars(state)[1:]
    kinds = [one.type for one in real.sprites]
    assert able(model, ObjectModel).distances(state, 0, kinds) == rules.distances(state, 1, kinds)
    with pytest.raises(NoSuchSeat):
        model.score(state, 1)


def test_the_end_is_told_from_our_side():
    model, rules, state = shown(NIM, 1)
    end = rules.rollout(state, "uniform", 99, Rng(0)).state
    outcome, ours = rules.outcome(end), model.outcome(end)
    assert ours.returns == (outcome.returns[1],)
    assert ours.winners == ((0,) if 1 in outcome.winners else ())


@pytest.mark.parametrize("seat", [0, 1])
def test_against_an_opponent_as_modelled_a_plan_that_wins_is_found(seat):
    agents = ["do_nothing", "do_nothing"]
    agents[seat] = "breadth_first@single_player(opponent=nothing)"
    assert play(NIM, agents, seed=1, budget="2000calls").winners == (seat,)


@pytest.mark.parametrize(
    "agent",
    ["yolobot", "yolobot_greedy", "olets", "kb_fast_evo_mcts", "mo_mcts(imagined_trail=yes)"],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_planners_of_one_seat_play_either_seat_of_a_duel(agent, seat):
    rules = DUEL.model.metered(Meter())
    state = DUEL.start(Rng(0))
    mind = make_agent(f"{agent}@single_player(opponent=last)").start(
        rules, rules.view(state, seat), Budget(model_calls=60), Rng(1)
    )
    moves = {}
    for tick in range(3):
        view = recall_moves(rules.view(state, seat), moves)
        ours = mind.decide(view, Budget(model_calls=60), Rng(tick)).action
        assert ours in view.legal
        moves = {seat: ours, 1 - seat: Action.LEFT}
        state = DUEL.model.step(state, (moves[0], moves[1]), Rng(tick))
        for event in rules.events(state, seat):
            mind.observe(event)
    assert mind.model.last[1 - seat] == Action.LEFT


def test_hidden_hands_stay_hidden_unless_they_are_believed():
    assert shown(registry.world("kuhn_poker"))[0].traits.hidden
    assert not shown(registry.world("kuhn_poker"), model="believed")[0].traits.hidden


def test_games_of_one_seat_stay_as_they_are():
    model, rules, _ = shown(registry.world("sokoban"))
    assert model is rules


@pytest.mark.parametrize("inner", ["split", "single_player"])
def test_models_of_their_own_kind_are_refused(inner):
    with pytest.raises(BadParameter, match="takes the model of a game of several seats"):
        SinglePlayer(model=inner)


def test_unknown_models_and_beliefs_as_states_are_refused():
    with pytest.raises(UnknownName, match="no model named 'locale' for single_player"):
        SinglePlayer(model="locale")
    with pytest.raises(Unsupported, match="use single_player\\(model=believed\\)"):
        shown(registry.world("kuhn_poker"), model="belief_space")
