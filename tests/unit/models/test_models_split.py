"""One model for the tree of a search, another for its rollouts."""

from __future__ import annotations

import pytest

from ludex.agents.compose import make_agent
from ludex.core import Budget, Meter, Rng, registry
from ludex.core.errors import BadParameter, UnknownName, Unsupported
from ludex.models.split import Split
from ludex.planners.ismcts import Ismcts
from ludex.planners.mcts import Mcts

CATAN = registry.world("catan[view=open,offers=none]")


def middle(world, phase="main"):
    """A position in which the seat to act could trade."""
    model = world.model
    for seed in range(1000):
        state = model.rollout(world.start(Rng(seed)), "type_first", 300, Rng(seed)).state
        seats = model.to_act(state)
        if seats and state.phase == phase:
            kinds = {model.action_type(one) for one in model.legal(state, seats[0])}
            if "offer" in kinds:
                return state
    raise AssertionError("no such position")


def made(text, world, view, rules):
    return Split.from_texts(text).make(rules, view, Budget(iterations=1), Rng(0))


def test_the_tree_negotiates_while_rollouts_exchange():
    state = middle(CATAN)
    rules = CATAN.model.metered(Meter())
    view = rules.view(state, rules.to_act(state)[0])
    model = made({"tree": "true", "rollout": "exchange"}, CATAN, view, rules)
    offer = next(one for one in view.legal if model.action_type(one) == "offer")
    assert model.step(state, (offer,), Rng(0)).phase == "answer"
    exchanged = model.rollout_model().step(state, (offer,), Rng(0))
    assert exchanged.phase == "main"
    assert exchanged.hand(0) != state.hand(0) or exchanged.hand(view.seat) != state.hand(view.seat)


@pytest.mark.parametrize("native", [True, False])
def test_rollouts_are_counted_on_the_same_meter_and_are_shorter_where_nobody_is_asked(native):
    state = middle(CATAN)
    calls = {}
    for text in ("true", "exchange"):
        rules = CATAN.model.metered(Meter())
        view = rules.view(state, rules.to_act(state)[0])
        model = made({"rollout": text}, CATAN, view, rules).metered(rules.meter)
        planner = Mcts(rollout="type_first", native=native)
        decision = planner.decide(model, view, Budget(iterations=60), Rng(1))
        assert decision.model_calls == rules.meter.calls
        assert decision.notes["search"] == ("native" if native else "python")
        calls[text] = decision.model_calls
    assert calls["exchange"] < calls["true"]


def test_it_works_with_hidden_hands():
    catan = registry.world("catan")
    state = middle(catan)
    rules = catan.model.metered(Meter())
    view = rules.view(state, rules.to_act(state)[0])
    found = []
    for native in (True, False):
        planner = Ismcts(rollout="type_first", native=native)
        model = made({}, catan, view, rules)
        found.append(planner.decide(model, view, Budget(iterations=80), Rng(1)))
    assert found[0].visits == found[1].visits
    assert found[0].notes["search"] == "native"


def test_an_agent_is_written_with_both_models():
    agent = make_agent("mcts(rollout=human)@split(tree=believed,rollout=exchange)")
    assert str(agent) == "mcts(rollout=human)@split(tree=believed)"


@pytest.mark.parametrize(
    ("texts", "error", "words"),
    [
        ({"rollout": "nothing"}, UnknownName, "no model named 'nothing'"),
        ({"tree": "split"}, BadParameter, "two other models"),
        ({"rollout": "exchange(belief=x)"}, UnknownName, "no belief named 'x'"),
    ],
)
def test_unknown_models_are_one_sentence(texts, error, words):
    with pytest.raises(error, match=words):
        Split.from_texts(texts)


def test_models_of_different_states_cannot_be_combined():
    world = registry.world("parley")
    state = world.start(Rng(0))
    world.model.settle(state, Rng(0))
    view = world.model.view(state, world.model.to_act(state)[0])
    with pytest.raises(Unsupported, match="two models of the same states"):
        made({"rollout": "tabular"}, world, view, world.model)
