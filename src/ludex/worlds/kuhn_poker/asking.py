"""Estimates the policy of an agent in Kuhn poker by sampling its decisions."""

from __future__ import annotations

from ludex.core.budget import DEFAULT_BUDGET, Budget
from ludex.core.errors import BadParameter
from ludex.core.planner import Agent
from ludex.core.rng import Meter, Rng
from ludex.worlds.kuhn_poker.rules import CARDS, CHOICES, KuhnPokerModel, State
from ludex.worlds.kuhn_poker.solution import INFORMATION_SETS, seat_of


def policy_of(
    agent: Agent, samples: int = 200, budget: Budget = DEFAULT_BUDGET, seed: int = 0
) -> dict[str, dict[str, float]]:
    """Ask an agent `samples` times at each information set and count its answers.

    Each time a new mind is started before the deal and told what its seat may see on the way,
    as in a match; moves of its own on that way are told, not asked for. The result fits
    `solution.exploitability`.
    """
    if samples < 1:
        raise BadParameter(f"samples must be a whole number >= 1, got {samples!r}")
    stream = Rng(seed).fork("policy_of")
    policy: dict[str, dict[str, float]] = {}
    for info_set in INFORMATION_SETS:
        counts = dict.fromkeys(CHOICES[info_set[1:]], 0)
        for sample in range(samples):
            answer = _ask(agent, info_set, budget, stream.fork(info_set, sample))
            if answer not in counts:
                raise BadParameter(
                    f"{agent} answered {answer!r} at {info_set!r}, which is not legal"
                )
            counts[answer] += 1
        policy[info_set] = {action: count / samples for action, count in counts.items()}
    return policy


def _ask(agent: Agent, info_set: str, budget: Budget, rng: Rng) -> str:
    """Bring a mind to an information set, and let it decide once."""
    model, seat = KuhnPokerModel(), seat_of(info_set)
    card, course = info_set[0], info_set[1:]
    other = rng.fork("other").choice([one for one in CARDS if one != card])
    cards = card + other if seat == 0 else other + card
    own = model.metered(Meter(apart=True))
    mind = agent.start(own, model.view(State(), seat), budget, rng.fork("start"))
    for moves in range(len(course) + 1):
        for event in model.events(State(cards, course[:moves]), seat):
            mind.observe(event)
    decision = mind.decide(model.view(State(cards, course), seat), budget, rng.fork("decide"))
    return str(decision.action)
