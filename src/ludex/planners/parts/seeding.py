"""Seeding of rolling-horizon evolution: initial sequences better than random, by name."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ludex.core.budget import Budget
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action
from ludex.core.rng import Rng
from ludex.planners.open_loop_mcts import OpenLoopMcts, SequenceTree
from ludex.planners.parts.budget import spent_ms
from ludex.planners.parts.opponents import Opponents, act
from ludex.planners.parts.rollout import Evaluator, ValueName
from ludex.planners.parts.sequence_node import JointSequenceNode, SequenceNode
from ludex.planners.parts.sequences import Genome, Stage

SeedingName: TypeAlias = Literal["random", "one_step", "mcts"]

SHARE = 0.5  # of the budget that mcts gets
SLICE = 16  # iterations of mcts between two looks at what it has used


def seed(
    name: SeedingName, stage: Stage, budget: Budget, value: ValueName, scale: float, rng: Rng
) -> tuple[Genome, int]:
    """Make a first sequence; also returns the iterations it took from the budget."""
    if name == "one_step":
        return greedy(stage, value, scale, rng), 0
    if name == "mcts":
        return by_mcts(stage, budget, value, scale, rng)
    return stage.random_genome(stage.seat, rng), 0


def greedy(stage: Stage, value: ValueName, scale: float, rng: Rng) -> Genome:
    """Take the best next state again and again; the rest is random where the game ends first."""
    model, seat = stage.model, stage.seat
    genome = stage.random_genome(seat, rng)
    state = stage.root
    evaluator = Evaluator(model, state, value, scale)
    others = Opponents("random", seat, evaluator)
    value_of = evaluator.of_states_for(seat)
    try:
        for index in range(stage.length):
            actions = list(model.legal(state, seat))
            if not actions:
                break
            rng.shuffle(actions)  # equals have no favourite
            afters = []
            for action in actions:
                after = state.copy()
                model.meter.count_copy()
                act(model, after, seat, action, others, rng)
                afters.append(after)
            values = [value_of(after) for after in afters]
            best = values.index(max(values))
            genome[index], state = (actions[best],), afters[best]
    except BudgetSpent:
        pass
    return genome


def by_mcts(
    stage: Stage, budget: Budget, value: ValueName, scale: float, rng: Rng
) -> tuple[Genome, int]:
    """Search with half the budget and take the recommended actions, completed at random."""
    model, seat, meter = stage.model, stage.seat, stage.model.meter
    planner = OpenLoopMcts(
        rollout_depth=stage.length, depth_from="root", value=value, score_scale=scale
    )
    tree = SequenceTree(planner, model, stage.view, rng)
    most = int((budget.iterations or 0) * SHARE)
    used = 0
    while not meter.spent:
        if (
            (budget.iterations and used >= most)
            or (budget.model_calls and meter.calls >= budget.model_calls * SHARE)
            or (budget.planning_ms and spent_ms(budget, meter) >= budget.planning_ms * SHARE)
        ):
            break
        iterations = min(SLICE, most - used) if budget.iterations else SLICE
        tree.grow(Budget(iterations=iterations))
        used += iterations
    genome = stage.random_genome(seat, rng)
    for index, action in enumerate(recommended(tree, seat)[: stage.length]):
        genome[index] = (action,)
    return genome, used if budget.iterations else 0


def recommended(tree: SequenceTree, seat: int) -> list[Action]:
    """The most visited actions of a seat, one after the other, as far as the tree goes."""
    actions: list[Action] = []
    node: JointSequenceNode | SequenceNode | None = tree.root
    while node is not None and node.bandits:
        index = None
        bandit = node.bandits.get(seat)
        if bandit is not None and any(bandit.visits):
            index = bandit.visits.index(max(bandit.visits))
            actions.append(bandit.actions[index])
        elif bandit is not None:
            break
        node = most_visited(node, seat, actions[-1] if index is not None else None)
    return actions


def most_visited(
    node: JointSequenceNode | SequenceNode, seat: int, action: Action | None
) -> JointSequenceNode | SequenceNode | None:
    """The child after this action of the seat in which most was tried."""
    seats = sorted(node.bandits)
    place = seats.index(seat) if action is not None else None
    children = [
        child
        for joint, child in node.children.items()
        if place is None or (place < len(joint) and joint[place] == action)
    ]
    return max(children, key=tried, default=None)


def tried(node: JointSequenceNode | SequenceNode) -> int:
    return sum(bandit.total for bandit in node.bandits.values())
