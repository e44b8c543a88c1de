"""Seeding of rolling-horizon evolution: initial sequences better than random, by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, TypeAlias

from ludex.core.budget import Budget
from ludex.core.errors import BudgetSpent
from ludex.core.model import Action
from ludex.core.rng import Rng
from ludex.planners.open_loop_mcts import OpenLoopMcts, SequenceTree
from ludex.planners.parts.budget import ENDLESS, spent_ms
from ludex.planners.parts.opponents import Opponents, act
from ludex.planners.parts.sequences import Alphabet, Genome, Stage, random_genome

SeedingName: TypeAlias = Literal["random", "one_step", "mcts"]

SHARE = 0.5  # of the budget that mcts gets, where nobody says otherwise


def seed(
    name: SeedingName,
    stage: Stage,
    alphabets: Sequence[Alphabet],
    budget: Budget,
    rng: Rng,
    share: float = SHARE,
) -> tuple[Genome, int]:
    """Make a first sequence; also returns the iterations it took from the budget.

    Mcts takes a share of the budget; greedy steps take what they need.
    """
    if name == "mcts":
        return by_mcts(stage, alphabets, budget, rng, share)
    return greedy(stage, alphabets, rng), 0


def greedy(stage: Stage, alphabets: Sequence[Alphabet], rng: Rng) -> Genome:
    """Take the best next state again and again; the rest is random where the game ends first."""
    model, seat = stage.model, stage.view.seat
    genome = random_genome(alphabets, rng)
    state = stage.states.first
    evaluator = stage.new_evaluator(state)
    others = Opponents("random", seat, evaluator)
    try:
        for place in range(stage.length):
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
            values = [evaluator.of_state(after)[seat] for after in afters]
            best = values.index(max(values))
            genome[place], state = actions[best], afters[best]
    except BudgetSpent:
        pass
    return genome


def by_mcts(
    stage: Stage, alphabets: Sequence[Alphabet], budget: Budget, rng: Rng, share: float
) -> tuple[Genome, int]:
    """Search with a share of the budget; take the recommended actions, completed at random."""
    tree = SequenceTree(mcts_for(stage), stage.model, stage.view, rng)
    most = int(budget.iterations * share) if budget.iterations else ENDLESS
    used = 0
    while used < most and not stage.model.meter.spent:
        tree.grow(Budget(iterations=1))
        used += 1
        if is_spent(stage, budget, share):
            break
    genome = random_genome(alphabets, rng)
    for place, action in enumerate(recommended(tree, stage.view.seat)[: stage.length]):
        genome[place] = action
    return genome, used if budget.iterations else 0


def mcts_for(stage: Stage) -> OpenLoopMcts:
    """The search that finds a first sequence, with plays as long as sequences."""
    return OpenLoopMcts(
        rollout_depth=stage.length,
        depth_from="root",
        value=stage.valuation.value,
        score_scale=stage.valuation.score_scale,
    )


def is_spent(stage: Stage, budget: Budget, share: float) -> bool:
    """Whether a budget of calls or of time is spent as far as mcts may."""
    meter = stage.model.meter
    if budget.model_calls:
        return meter.calls >= budget.model_calls * share
    return bool(budget.planning_ms and spent_ms(budget, meter) >= budget.planning_ms * share)


def recommended(tree: SequenceTree, seat: int) -> Sequence[Action]:
    """The most visited first action; where one seat plays alone, also what follows it."""
    bandit = tree.root_bandit(seat)
    if not any(bandit.visits):
        return ()
    first = bandit.actions[bandit.visits.index(max(bandit.visits))]
    line = tree.thoughts(first).get("best line")
    return (first,) if line is None else line.moves
