"""Mcts: chance, several seats, merging, proving, memory and budgets."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from ludex.agents.compose import make_agent
from ludex.core import Budget, Meter, Outcome, PlainState, Rng, Traits, registry
from ludex.core.errors import BadParameter, Unsupported
from ludex.core.python_model import PythonModel
from ludex.planners.mcts import Kind, Mcts


@dataclass(slots=True, unsafe_hash=True)
class Place(PlainState):
    where: str = "start"


class Lottery(PythonModel):
    """One seat: safe gives 0.4; risky gives 1 with probability 1/4, else 0."""

    traits = Traits(seats=1, max_legal=2, chance="listed")
    RETURNS = {"safe": 0.4, "won": 1.0, "lost": 0.0}

    def to_act(self, state):
        return (0,) if state.where == "start" else ()

    def legal(self, state, seat):
        return ["risky", "safe"] if state.where == "start" else []

    def chance(self, state):
        return [("won", 0.25), ("lost", 0.75)] if state.where == "risky" else []

    def _apply(self, state, actions, rng):
        state.where = actions[0]

    def _resolve(self, state, outcome):
        state.where = outcome

    def outcome(self, state):
        if state.where not in self.RETURNS:
            return None
        return Outcome((), (self.RETURNS[state.where],), state.where)

    def score(self, state, seat):
        return self.RETURNS.get(state.where, 0.0)


class Weather(Lottery):
    """The same lottery with chance drawn inside the step."""

    traits = Traits(seats=1, max_legal=2, chance="sampled")

    def chance(self, state):
        return []

    def _apply(self, state, actions, rng):
        drawn = "won" if rng.below(4) == 0 else "lost"
        state.where = actions[0] if actions[0] == "safe" else drawn


class Table(PythonModel):
    """Three seats move in turn, left or right; the last node says what each gets."""

    traits = Traits(seats=3, max_legal=2)
    # Seat 2 takes the larger third number, then seat 1 the larger second, then seat 0:
    # LL -> (3, 1, 9), LR -> (0, 5, 7), so after L seat 1 plays R: (0, 5, 7)
    # RL -> (2, 2, 6), RR -> (8, 1, 3), so after R seat 1 plays L: (2, 2, 6), better for seat 0.
    RETURNS = {
        "LLL": (3.0, 1.0, 9.0), "LLR": (9.0, 9.0, 0.0),
        "LRL": (9.0, 0.0, 1.0), "LRR": (0.0, 5.0, 7.0),
        "RLL": (2.0, 2.0, 6.0), "RLR": (0.0, 9.0, 5.0),
        "RRL": (1.0, 9.0, 2.0), "RRR": (8.0, 1.0, 3.0),
    }  # fmt: skip

    def to_act(self, state):
        return (len(state.where),) if len(state.where) < 3 else ()

    def legal(self, state, seat):
        return ["L", "R"] if self.to_act(state) == (seat,) else []

    def _apply(self, state, actions, rng):
        state.where += actions[0]

    def outcome(self, state):
        returns = self.RETURNS.get(state.where)
        return Outcome((), returns, "done") if returns else None

    def score(self, state, seat):
        return 0.0


def metered(model):
    return model.metered(Meter())


def search(planner, model, state, budget, seed=1):
    model = metered(model)
    budget.arm(model.meter)
    return planner.search(model, model.view(state, model.to_act(state)[0]), budget, Rng(seed))


def decide(planner, model, state, budget, seed=1):
    model = metered(model)
    view = model.view(state, model.to_act(state)[0])
    return planner.decide(model, view, budget, Rng(seed))


def test_outcomes_of_listed_chance_are_visited_in_their_exact_shares():
    tree = search(Mcts(root_share=0.0), Lottery(), Place(), Budget(iterations=400))
    root = tree.roots[0]
    node = root.children[root.bandits[0].actions.index("risky"),]
    assert node.kind is Kind.CHANCE
    visits = sum(node.counts.values())
    assert visits >= 20
    assert abs(node.counts["won"] - visits / 4) <= 1


def test_the_value_of_a_chance_node_is_its_expected_value():
    tree = search(Mcts(), Lottery(), Place(), Budget(iterations=4001))
    root = tree.roots[0]
    bandit = root.bandits[0]
    place = bandit.actions.index("risky")
    # The first visit was a rollout that drew its own dice, worth at most 1.
    assert bandit.means[place] == pytest.approx(0.25, abs=2.0 / bandit.visits[place])
    assert bandit.means[1 - place] == pytest.approx(0.4)


@pytest.mark.parametrize("model", [Lottery(), Weather()])
def test_a_gamble_that_does_not_pay_is_refused(model):
    assert decide(Mcts(), model, Place(), Budget(iterations=500)).action == "safe"


def test_sampled_successors_are_merged_and_their_number_grows_with_the_root_of_the_visits():
    tree = search(Mcts(), Weather(), Place(), Budget(iterations=200))
    root = tree.roots[0]
    node = root.children[root.bandits[0].actions.index("risky"),]
    assert node.kind is Kind.SAMPLED
    assert {child.state.where for child in node.children.values()} == {"won", "lost"}
    single = search(Mcts(widening=0.0), Weather(), Place(), Budget(iterations=200))
    root = single.roots[0]
    assert len(root.children[root.bandits[0].actions.index("risky"),].children) == 1


def test_each_of_three_seats_maximises_its_own_return():
    decision = decide(Mcts(exploration=0.3), Table(), Place(""), Budget(iterations=3000))
    assert decision.action == "R"
    assert decision.values["R"] == pytest.approx(2.0, abs=0.4)
    assert decision.depth == 3


def test_max_backups_find_the_same_value_more_exactly():
    decision = decide(Mcts(backup="max"), Table(), Place(""), Budget(iterations=3000))
    assert decision.action == "R"
    assert decision.values["R"] == pytest.approx(2.0, abs=0.1)


def test_the_same_state_reached_in_two_orders_is_one_node_when_merged():
    world = registry.world("nim[heaps=1-1-1]")
    merged = search(
        Mcts(transpositions=True, solver=False),
        world.model,
        world.start(Rng(0)),
        Budget(iterations=500),
    )
    # Each heap is there or not, and with two seats in turn the number taken tells whose turn
    # it is: 2 ** 3 states.
    assert merged.size == 8
    apart = search(Mcts(solver=False), world.model, world.start(Rng(0)), Budget(iterations=500))
    assert apart.size == 1 + 3 + 6 + 6  # sequences


def test_a_full_tree_grows_no_more_but_goes_on_counting():
    world = registry.world("nim")
    planner = Mcts(max_nodes=10, solver=False)
    decision = decide(planner, world.model, world.start(Rng(0)), Budget(iterations=300))
    assert decision.notes["tree_size"] == 10
    assert decision.notes["refused"] > 0
    assert sum(decision.visits.values()) == decision.iterations == 300


def test_flat_monte_carlo_is_a_tree_of_one_node():
    world = registry.world("nim[heaps=1-2]")
    decision = decide(Mcts(max_nodes=1), world.model, world.start(Rng(0)), Budget(iterations=200))
    assert decision.notes["tree_size"] == 1
    assert decision.action == world.take(1, heap=1)


def test_a_proven_win_ends_the_search_early_and_is_played():
    world = registry.world("nim[heaps=2-2-3]")
    decision = decide(Mcts(), world.model, world.start(Rng(0)), Budget(iterations=100_000))
    assert decision.notes["solved"]
    assert decision.iterations < 100_000
    assert decision.action == world.take(3, heap=2)


def test_a_proven_loss_is_not_played_however_good_its_average():
    world = registry.world("connect_four")
    # x has a1, b1 and c1: every move but d loses at once.
    state = world.parse("ccbba")
    assert world.model.to_act(state) == (1,)
    decision = decide(Mcts(), world.model, state, Budget(iterations=400))
    assert world.action_text(decision.action) == "d"
    assert all(decision.values[action] == -1.0 for action in decision.values if action != 3)


def test_proving_can_be_switched_off():
    world = registry.world("nim[heaps=2-2-3]")
    planner = Mcts(solver=False)
    decision = decide(planner, world.model, world.start(Rng(0)), Budget(iterations=2000))
    assert "solved" not in decision.notes
    assert decision.iterations == 2000


def test_exactly_as_many_iterations_are_made_as_asked_for():
    world = registry.world("connect_four")
    decision = decide(Mcts(), world.model, world.start(Rng(0)), Budget(iterations=20))
    assert decision.iterations == 20
    assert sum(decision.visits.values()) == 20


@pytest.mark.parametrize("calls", [1, 7, 480])
def test_no_more_model_calls_are_made_than_allowed(calls):
    world = registry.world("connect_four")
    decision = decide(Mcts(), world.model, world.start(Rng(0)), Budget(model_calls=calls))
    assert decision.model_calls <= calls
    assert decision.action in range(7)


def test_the_root_gives_every_action_its_even_share():
    world = registry.world("connect_four")
    start = world.start(Rng(0))
    decision = decide(Mcts(root_share=1.0), world.model, start, Budget(iterations=700))
    assert set(decision.visits.values()) == {100}


def test_a_forced_move_is_played_at_once():
    world = registry.world("pig")
    decision = decide(Mcts(), world.model, world.start(Rng(0)), Budget(iterations=50))
    assert (decision.action, decision.iterations) == ("roll", 0)
    assert decision.notes["forced"]


def test_simultaneous_moves_are_chosen_by_a_bandit_per_seat():
    world = registry.world("goofspiel")
    model = metered(world.model)
    state = world.start(Rng(0))
    model.settle(state, Rng(0))
    decision = decide(Mcts(), world.model, state, Budget(iterations=300))
    assert decision.iterations == 300
    assert sum(decision.visits.values()) == 300


def test_imagined_states_have_a_tree_each_and_their_visits_are_added():
    world = registry.world("kuhn_poker")
    state = world.parse("QK")
    model = metered(world.model)
    view = model.view(state, 0)
    mind = make_agent("mcts(determinisations=4)@believed").start(
        model, view, Budget(iterations=100), Rng(1)
    )
    decision = mind.decide(view, Budget(iterations=100), Rng(2))
    assert sum(decision.visits.values()) == decision.iterations == 100


def test_hidden_facts_are_refused_with_a_way_out():
    world = registry.world("kuhn_poker")
    with pytest.raises(Unsupported, match=r"mcts needs full information.*mcts@believed"):
        decide(Mcts(), world.model, world.parse("QK"), Budget(iterations=1))


def test_max_backups_refuse_simultaneous_moves():
    world = registry.world("goofspiel")
    assert "backup=mean" in Mcts(backup="max").refusal(world.traits)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ({"exploration": "-1"}, "Mcts.exploration must be a number >= 0"),
        ({"selection": "ucb2"}, "one of ucb1, ucb1_tuned, epsilon_greedy, smooth, puct"),
        ({"explorations": "1"}, "did you mean 'exploration'"),
        ({"max_nodes": "0"}, "Mcts.max_nodes must be a whole number >= 1"),
    ],
)
def test_bad_parameters_are_answered_in_one_sentence(texts, message):
    with pytest.raises(BadParameter, match=message):
        Mcts.from_texts(texts)


def test_parameters_are_read_and_written_as_on_the_command_line():
    texts = {"exploration": "1.4", "selection": "ucb1_tuned", "rollout_depth": "50"}
    planner = Mcts.from_texts(texts)
    assert str(planner) == "mcts(exploration=1.4,selection=ucb1_tuned,rollout_depth=50)"


@dataclass(slots=True, unsafe_hash=True)
class RingState(PlainState):
    place: int = 0
    turn: int = 0

    def __str__(self):
        return f"{self.place} {self.turn}"


class Ring(PythonModel):
    """Two seats push a stone round a ring of nine places; the rules never end it."""

    traits = Traits(seats=2, max_legal=2, zero_sum=True)

    def to_act(self, state):
        return (state.turn,)

    def legal(self, state, seat):
        return [-1, 1] if seat == state.turn else []

    def _apply(self, state, actions, rng):
        state.place = (state.place + actions[0]) % 9
        state.turn = 1 - state.turn

    def outcome(self, state):
        return None

    def score(self, state, seat):
        return 0.0


@pytest.mark.parametrize("backup", ["mean", "max"])
def test_merged_nodes_in_a_ring_do_not_hold_a_descent(backup):
    model = Ring()
    planner = Mcts(transpositions=True, backup=backup, rollout_depth=5)
    view = model.view(RingState(), 0)
    decision = planner.decide(model, view, Budget(iterations=300), Rng(1))
    # 18 nodes in all: a descent that turned round for ever would make far more calls than these.
    assert decision.iterations == 300
    assert decision.notes["tree_size"] <= 18
    assert decision.model_calls <= 300 * 6


def test_the_decision_holds_the_state_it_expects_next():
    nim = registry.world("nim[heaps=1-2]")
    view = nim.model.view(nim.parse("1 2 turn=0"), 0)
    decision = Mcts().decide(nim.model, view, Budget(iterations=100), Rng(1))
    assert str(decision.predicted) == "1 1 turn=1"
    assert decision.confidence is None
